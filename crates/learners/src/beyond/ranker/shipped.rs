//! The ranker that comes with the program.

use ludens_core::{Model, ModelError};

use super::moves::MoveRanker;

const MOVES: &[u8] = include_bytes!("../../../zoo/ranker-connect-four.1.safetensors");

/// Our own ranker, trained.
pub fn move_ranker() -> Result<MoveRanker, ModelError> {
    MoveRanker::take_from(&Model::from_bytes(MOVES)?)
}
