//! Why a move: the odds of every line, or concept, after it.

use ludens_core::words::{How, Scale, What};
use ludens_core::{Combine, Explain, Game, Ranking, Reason, Turn};

use super::learner::LineOdds;

impl LineOdds {
    /// The odds behind a ranking.
    pub(super) fn explain<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        ranking: &mut Ranking,
        explain: Explain,
    ) {
        let Turn::Player(side) = game.turn(state) else { return };
        ranking.how = How::Odds { drawn: true };
        ranking.scale = Scale::Odds;
        ranking.combine = Combine::Product;
        for place in ranking.wanted(explain) {
            let candidate = &mut ranking.moves[place];
            for (feature, cells) in self.after(game, state, side, candidate.mv) {
                let odds = self.memory.odds(feature);
                let [own, other, ..] = feature.slots;
                let open = (cells.len() as u8).saturating_sub(own + other);
                let what = match &self.concepts {
                    Some(concepts) => What::Words { text: concepts.words(feature) },
                    None => What::Line { own, other, open, wait: 0 },
                };
                candidate.reasons.push(Reason::chunk(what, odds, cells));
            }
        }
    }
}
