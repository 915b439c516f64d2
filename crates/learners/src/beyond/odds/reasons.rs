//! Why a move: the odds of every line, or concept, after it.

use ludens_core::{Combine, Game, Ranking, Reason, Turn};

use super::learner::LineOdds;
use super::settings::Features;

impl LineOdds {
    /// The odds behind a ranking.
    pub(super) fn explain<G: Game>(&self, game: &G, state: &G::State, ranking: &mut Ranking) {
        let Turn::Player(side) = game.turn(state) else { return };
        let what = match self.settings.features {
            Features::Lines => "lines",
            Features::Concepts => "concepts",
        };
        ranking.summary =
            format!("the odds of all {what} after the move, multiplied, and a Boltzmann choice");
        ranking.unit = "odds of a win".into();
        ranking.combine = Combine::Product;
        for candidate in &mut ranking.moves {
            for (feature, cells) in self.after(game, state, side, candidate.mv) {
                let odds = self.memory.recollect(feature).odds;
                let [own, other, open, _] = feature.slots;
                let what = match &self.concepts {
                    Some(concepts) => concepts.words(feature),
                    None => format!("a line with {own} own, {other} of the other's and {open} open"),
                };
                candidate.reasons.push(Reason::chunk(format!("{what}: odds {odds:.2}"), odds, cells));
            }
        }
    }
}
