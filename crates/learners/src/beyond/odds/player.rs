//! It decides: the odds of all features after a move, their product, a Boltzmann choice.

use ludens_core::{Cost, Ctx, Game, Mind, MindError, Move, Ranking, Rng, Rule, Turn, math};

use super::learner::LineOdds;
use crate::actr::memory::boltzmann;

impl LineOdds {
    /// The logarithm of the odds of every move, in `self.utilities`.
    pub(super) fn weigh<G: Game>(&mut self, game: &G, state: &G::State, ctx: &mut Ctx, learning: bool) {
        game.moves(state, &mut self.moves);
        self.utilities.clear();
        let Turn::Player(side) = game.turn(state) else { return };
        for index in 0..self.moves.len() {
            ctx.meter.add_states(1);
            let mut log_odds = 0.0;
            for (feature, _) in self.after(game, state, side, self.moves[index]) {
                if learning {
                    self.memory.store_if_new(feature);
                }
                log_odds += math::ln(self.memory.odds(feature));
            }
            self.utilities.push(log_odds);
        }
    }

    pub(super) fn draw(&mut self, rng: &mut Rng) -> Move {
        let chosen = boltzmann(&mut self.utilities, self.settings.temperature, rng).unwrap_or(0);
        self.moves[chosen]
    }
}

impl<G: Game> Mind<G> for LineOdds {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        self.weigh(game, state, ctx, false);
        let odds = self.moves.iter().zip(&self.utilities).map(|(&mv, log_odds)| (mv, math::exp(*log_odds)));
        let mut ranking = Ranking { rule: Rule::Drawn, ..Ranking::of(odds) };
        ranking.preferred = Some(self.draw(ctx.rng));
        if ctx.explain.is_wanted() {
            self.explain(game, state, &mut ranking, ctx.explain);
        }
        Ok(ranking)
    }

    fn ledger(&self) -> Cost {
        Cost { games: self.games, chunks: self.memory.chunks().len() as u64, ..Cost::default() }
    }
}
