//! The ranker as the orderer of the solver's moves.

use super::moves::MoveRanker;

/// The ranker in front of the solver: a preference of one is worth so many of the solver's own points.
#[derive(Debug)]
pub struct SolverOrder {
    ranker: MoveRanker,
    points: f32,
}

impl SolverOrder {
    /// This ranker, at so many points a preference.
    pub fn new(ranker: MoveRanker, points: f32) -> SolverOrder {
        SolverOrder { ranker, points }
    }
}

impl ludens_search::connect_four_solver::Ranker for SolverOrder {
    fn rank(&mut self, mine: u64, theirs: u64, ranks: &mut [i32]) {
        for (rank, value) in ranks.iter_mut().zip(self.ranker.values(mine, theirs)) {
            *rank = if value.is_finite() { (self.points * value) as i32 } else { 0 };
        }
    }
}
