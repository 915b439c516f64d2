//! It decides: the legal column with the highest weighted sum, the middle one of equals.

use ludens_core::{Cost, Ctx, Explain, Mind, MindError, Move, Ranking};
use ludens_games::connect_four::geometry::{CENTRAL_FIRST, column};
use ludens_games::connect_four::{ConnectFour, State};

use super::learner::ContextsLearner;
use super::network::Network;
use super::reasons;

impl Mind<ConnectFour> for ContextsLearner {
    fn rank(&mut self, _: &ConnectFour, state: &State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        Ok(rank_by_network(self.network(), state, ctx.explain))
    }

    fn ledger(&self) -> Cost {
        let network = self.network();
        let labels = self.labels as u64;
        let seen = u64::from(self.training.epochs) * labels;
        Cost { states: seen, labels, weights: network.parameters() as u64, ..Cost::default() }
    }
}

/// The legal columns by the weighted sums before the outputs, which rise with them.
fn rank_by_network(network: &Network, state: &State, explain: Explain) -> Ranking {
    let (act, pas) = (state.own(), state.other());
    let reference = network.to_reference();
    let trace = reference.forward(act, pas);
    let sums = reference.sums_of(&trace);
    let legal = |central: &u32| state.landing_cells() & column(*central) != 0;
    let columns = CENTRAL_FIRST.into_iter().filter(legal);
    let mut ranking = Ranking::of(columns.map(|column| (Move(column), sums[column as usize])));
    if explain.is_wanted() {
        reasons::explain((&reference, &trace), state, (&mut ranking, explain));
    }
    ranking
}
