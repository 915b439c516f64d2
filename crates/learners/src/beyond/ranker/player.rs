//! It decides: the column of the highest preference, the middle one of equals.

use ludens_core::{Cost, Ctx, Explain, Mind, MindError, Move, Ranking};
use ludens_games::connect_four::geometry::{CENTRAL_FIRST, column};
use ludens_games::connect_four::{ConnectFour, State};

use super::learner::RankerLearner;
use super::moves::MoveRanker;
use super::reasons;

impl Mind<ConnectFour> for RankerLearner {
    fn rank(&mut self, _: &ConnectFour, state: &State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        Ok(rank_by_ranker(&self.ranker, state, ctx.explain))
    }

    fn ledger(&self) -> Cost {
        // Every epoch sees every labelled position once.
        let labels = self.seen / u64::from(self.epochs).max(1);
        let weights = self.ranker.used_parameters() as u64;
        Cost { states: self.seen, labels, weights, ..Cost::default() }
    }
}

/// The legal columns by the forward pass.
fn rank_by_ranker(ranker: &MoveRanker, state: &State, explain: Explain) -> Ranking {
    let values = ranker.values(state.own(), state.other());
    let legal = |central: &u32| state.landing_cells() & column(*central) != 0;
    let columns = CENTRAL_FIRST.into_iter().filter(legal);
    let mut ranking = Ranking::of(columns.map(|column| (Move(column), f64::from(values[column as usize]))));
    if explain.is_wanted() {
        reasons::explain(ranker, state, (&mut ranking, explain));
    }
    ranking
}
