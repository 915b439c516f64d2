//! It decides: minimax with the champion's network.

use ludens_core::{Cost, Ctx, Game, Mind, MindError, Ranking};

use super::contest;
use super::learner::Coevolution;
use super::network::Player;

impl<G: Game> Mind<G> for Coevolution<G> {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let mind = match &mut self.mind {
            Some(mind) => mind,
            none => {
                let untrained =
                    Player { weights: vec![0.0; Player::weight_count(self.inputs)], steps: Vec::new() };
                let published = self.pool.players.last().map(|published| &published.player);
                let champion = published.or_else(|| self.pairs.first().map(|pair| &pair.parent));
                let mut player = champion.unwrap_or(&untrained).clone();
                player.silence(&self.muted);
                none.insert(contest::mind(game, &player, self.settings.depth))
            }
        };
        mind.rank(game, state, ctx)
    }

    fn mute(&mut self, muted: &dyn Fn(u32) -> bool) -> bool {
        self.muted = (0..self.inputs).filter(|&input| muted(input as u32)).collect();
        self.mind = None;
        true
    }

    fn ledger(&self) -> Cost {
        self.ledger
    }
}
