//! The labelled positions that come with the program.

use std::sync::LazyLock;

use ludens_core::{Model, ModelError};
use ludens_search::connect_four_labels::{Labelled, from_model};

const LABELS: &[u8] = include_bytes!("../../data/connect-four-labels.safetensors");

/// 2,000 positions with the score of every move: `ludens label connect-four --count 2000 --seed 2026 --all-scores`.
pub fn labelled() -> Result<&'static [Labelled], ModelError> {
    static SET: LazyLock<Result<Vec<Labelled>, String>> = LazyLock::new(|| {
        let model = Model::from_bytes(LABELS).map_err(|error| error.to_string())?;
        Ok(from_model(&model).map_err(|error| error.to_string())?.1)
    });
    SET.as_deref().map_err(|problem| ModelError::Damaged { problem: problem.clone() })
}
