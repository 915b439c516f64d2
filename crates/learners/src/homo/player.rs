//! It decides: by its chunks, and by looking ahead as far as it may.

use ludens_core::{Bound, Budget, Cost, Ctx, Game, Mind, MindError, MoveValue, Ranking, Turn, math};

use super::learner::Homo;
use super::look::{DECIDED, Tools, Tree};
use super::reasons::explain;

/// Odds of a decided game, beyond those of any judgement.
const SURE_ODDS: f64 = 1e6;

/// The odds that log odds stand for.
pub(super) fn odds(log_odds: f32) -> f64 {
    if log_odds > DECIDED {
        SURE_ODDS * f64::from(log_odds)
    } else if log_odds < -DECIDED {
        1.0 / (SURE_ODDS * f64::from(-log_odds))
    } else {
        math::exp(f64::from(log_odds))
    }
}

impl<G: Game> Mind<G> for Homo<G> {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let Turn::Player(side) = game.turn(state) else { return Err(MindError::NoMove) };
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        if self.settings.looks == 0 {
            ctx.meter.limit_states(moves.len() as u64);
        } else if ctx.meter.budget() == Budget::Unlimited {
            ctx.meter.limit_states(self.settings.looks.max(moves.len() as u64));
        }
        let before = ctx.meter.cost().states;
        let mut tree: Tree<G::State> = std::mem::take(&mut self.tree);
        let tools = Tools { eye: &self.eye, settings: &self.settings, chunks: &self.chunks };
        tree.search(game, tools, (&self.judge, &mut self.inclination), state, ctx.meter);
        let heeds = if tree.is_first_sight() { self.settings.heeds } else { 0.0 };
        let value = |(place, mv): (usize, _)| match tree.child(place) {
            Some(child) => MoveValue {
                fate: tree.fate(child, side, self.eye.lines),
                prior: Some(f64::from(tree.nodes[0].branches[place].share)),
                visits: Some(u64::from(tree.nodes[child].visits) + 1),
                ..MoveValue::new(mv, odds(tree.seen_by(child, side) + heeds * tree.urge(place)))
            },
            None => MoveValue { bound: Bound::Unsettled, visits: Some(0), ..MoveValue::new(mv, 1.0) },
        };
        let mut ranking =
            Ranking { moves: moves.into_iter().enumerate().map(value).collect(), ..Ranking::default() };
        if ctx.explain.is_wanted() {
            let states = ctx.meter.cost().states - before;
            explain(self, game, (&tree, side, states), &mut ranking, ctx.explain);
        }
        self.tree = tree;
        Ok(ranking)
    }

    fn ledger(&self) -> Cost {
        self.ledger
    }
}
