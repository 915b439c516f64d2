//! What comes with the program: a small labelled set and two trained models.

use std::sync::LazyLock;

use ludens_core::{Model, ModelError};
use ludens_search::connect_four_labels::{Labelled, from_model};

use super::moves::MoveRanker;

const LABELS: &[u8] = include_bytes!("../../data/connect-four-labels.safetensors");
const MOVES: &[u8] = include_bytes!("../../zoo/ranker-connect-four.1.safetensors");

/// 2,000 positions with the score of every move: `ludens label connect-four --count 2000 --seed 2026 --all-scores`.
pub fn labelled() -> Result<&'static [Labelled], ModelError> {
    static SET: LazyLock<Result<Vec<Labelled>, String>> = LazyLock::new(|| {
        let model = Model::from_bytes(LABELS).map_err(|error| error.to_string())?;
        Ok(from_model(&model).map_err(|error| error.to_string())?.1)
    });
    SET.as_deref().map_err(|problem| ModelError::Damaged { problem: problem.clone() })
}

/// Our own ranker, trained.
pub fn move_ranker() -> Result<MoveRanker, ModelError> {
    MoveRanker::take_from(&Model::from_bytes(MOVES)?)
}
