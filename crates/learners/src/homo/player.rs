//! It decides: by its chunks, and by looking ahead as far as it may.

use ludens_core::words::{Scale, Shows, What};
use ludens_core::{
    Bound, Budget, Cost, Ctx, Game, Mind, MindError, Move, MoveValue, Ranking, Reason, Side, Turn, math,
};

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

/// What is thought of the n-th move of the root.
fn value<S: Clone>(tree: &Tree<S>, tools: Tools, side: Side, (place, mv): (usize, Move)) -> MoveValue {
    let Some(child) = tree.child(place) else {
        return MoveValue { bound: Bound::Unsettled, visits: Some(0), ..MoveValue::new(mv, 1.0) };
    };
    let heeds = if tree.is_first_sight() { tools.settings.heeds } else { 0.0 };
    MoveValue {
        fate: tree.fate(child, side, tools.eye.lines),
        prior: Some(f64::from(tree.nodes[0].branches[place].share)),
        visits: Some(u64::from(tree.nodes[child].visits) + 1),
        ..MoveValue::new(mv, odds(tree.seen_by(child, side) + heeds * tree.urge(place)))
    }
}

/// What it would answer if it ended here, and the line it expects, for whoever looks.
#[cold]
pub(super) fn glimpse<S: Clone>(tree: &Tree<S>, tools: Tools) -> Ranking {
    let Some(side) = tree.nodes[0].side else { return Ranking::default() };
    let branches = tree.nodes[0].branches.iter().enumerate();
    let moves = branches.map(|(place, branch)| value(tree, tools, side, (place, branch.mv))).collect();
    let mut ranking = Ranking { scale: Scale::Odds, moves, ..Ranking::default() };
    let best = tree.best(0);
    let from = std::iter::once(0).chain(best.iter().flat_map(|&best| tree.line(best)));
    let line: Vec<Move> = from
        .zip(best.iter().flat_map(|&best| tree.line(best)))
        .filter_map(|(at, child)| tree.move_to(at, child))
        .collect();
    if let Some(first) = ranking.moves.iter_mut().find(|candidate| Some(&candidate.mv) == line.first()) {
        first.reasons.push(Reason::line(What::Play { shows: Shows::Best }, first.value, line));
    }
    ranking
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
        let mut ranking = Ranking {
            moves: moves.into_iter().enumerate().map(|at| value(&tree, tools, side, at)).collect(),
            ..Ranking::default()
        };
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
