//! Alpha-beta with iterative deepening, a transposition table and a pluggable heuristic.
//!
//! Each iteration searches one ply deeper, the best move of the one before first. It ends when the depth is
//! reached, when the result is certain, or exactly at the budget of states; then the best move among those that the
//! unfinished iteration had settled stands. Games of chance are searched by the same code
//! ([`crate::expectimax`]).

use std::cmp::Ordering;

use ludens_core::words::{Fate, How, Shows, What};
use ludens_core::{
    Bound, Budget, Ctx, Explain, Game, Mind, MindError, Move, MoveValue, Ranking, Reason, Side, Turn,
};

use crate::heuristic::Heuristic;
use crate::node::{Found, Plies, Ply, Walk};
use crate::transposition::Transpositions;

/// How far and how exactly to search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Plies, dice not counted.
    pub depth: Option<u32>,
    /// States a move, besides the budget of the game.
    pub states: Option<u64>,
    /// Search every move of the position at hand with an open window, so that all their values are exact. Otherwise a move that
    /// was refuted shows only what it is worth at most.
    pub exact_root: bool,
}

/// Where nothing else limits the search.
pub const DEFAULT_DEPTH: u32 = 6;
/// The deepest iteration.
pub const MAX_DEPTH: u32 = 100;
const TABLE_BITS: u32 = 14;
/// Room for throws of dice in a row.
const SPARE_PLIES: u32 = 64;

impl Limits {
    /// So many plies and nothing else.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// So many states a move and nothing else.
    pub fn states(states: u64) -> Limits {
        Limits { states: Some(states), ..Limits::default() }
    }

    fn deepest(&self, budget: Budget) -> u32 {
        let free = self.states.is_some() || budget != Budget::Unlimited;
        self.depth.unwrap_or(if free { MAX_DEPTH } else { DEFAULT_DEPTH }).clamp(1, MAX_DEPTH)
    }
}

/// What the search knows of one move of the position at hand.
#[derive(Clone, PartialEq, Debug)]
pub struct RootMove<S> {
    /// The move.
    pub mv: Move,
    /// As the side to move sees it, on the scale of the heuristic.
    pub value: f32,
    /// The value is exact; otherwise the move is worth this at most.
    pub exact: bool,
    /// Every line after the move was seen to its end.
    pub complete: bool,
    /// The iteration that gave the value, in plies.
    pub depth: u32,
    /// The best play of both sides, the move itself first; cut short where the table knew the rest.
    pub line: Vec<Move>,
    /// The position at the end of the line (kept for reasons only).
    pub leaf: Option<S>,
    /// Its place among the children of the root.
    slot: u32,
}

/// Generic over the game and the heuristic.
#[derive(Debug)]
pub struct AlphaBeta<G: Game, H: Heuristic<G>> {
    /// What judges the positions at the frontier.
    pub heuristic: H,
    /// Where a search ends, besides the budget of the game.
    pub limits: Limits,
    /// Without the table every line runs to the leaf that gave its value, which shallow searches can afford.
    pub use_table: bool,
    table: Transpositions,
    plies: Plies<G::State, H::Trace>,
    root: Vec<RootMove<G::State>>,
    depth_done: u32,
}

impl<G: Game, H: Heuristic<G>> AlphaBeta<G, H> {
    /// A search that has seen nothing, with its table of positions.
    pub fn new(heuristic: H, limits: Limits) -> AlphaBeta<G, H> {
        AlphaBeta {
            heuristic,
            limits,
            use_table: true,
            table: Transpositions::new(TABLE_BITS),
            plies: Vec::new(),
            root: Vec::new(),
            depth_done: 0,
        }
    }

    /// The moves of the last position searched, the chosen one first.
    pub fn root_moves(&self) -> &[RootMove<G::State>] {
        &self.root
    }

    /// The deepest iteration that was finished in the last search.
    pub fn depth_done(&self) -> u32 {
        self.depth_done
    }

    /// Searches `state`, where a player is to move, and ranks its moves.
    pub fn search(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> &[RootMove<G::State>] {
        self.root.clear();
        self.depth_done = 0;
        let Turn::Player(side) = game.turn(state) else { return &self.root };
        if let Some(states) = self.limits.states {
            ctx.meter.limit_states(states);
        }
        let deepest = self.limits.deepest(ctx.meter.budget());
        // Dice take a ply of buffers but no depth; where they outrun the buffers, the heuristic judges.
        let needed = (2 * deepest + SPARE_PLIES) as usize;
        if self.plies.len() < needed {
            self.plies.resize_with(needed, Ply::default);
        }
        // A decision is a function of the position and the budget: nothing is left of the one before.
        self.table.forget();
        for ply in &mut self.plies {
            ply.killer = Move(u32::MAX);
        }
        let mut trace = H::Trace::default();
        self.heuristic.begin(game, state, &mut trace);
        let mut walk = Walk {
            game,
            heuristic: &mut self.heuristic,
            meter: ctx.meter,
            table: &mut self.table,
            use_table: self.use_table,
            keep_leaf: ctx.explain.is_wanted(),
        };
        let Some((here, below)) = self.plies.split_first_mut() else { return &self.root };
        let mut certain = open_root(&mut walk, here, (state, &trace), side, &mut self.root);
        if walk.meter.is_due() {
            show(&mut walk, &self.root, self.root.len());
        }
        self.depth_done = u32::from(here.count == here.moves.len());
        for depth in 2..=deepest {
            if certain || self.depth_done + 1 < depth {
                break;
            }
            let mut root = Root { here, below, side, moves: &mut self.root };
            match root.deepen(&mut walk, depth, self.limits.exact_root) {
                Iteration::Unfinished => break,
                Iteration::Finished { certain: now } => certain = now,
            }
            self.depth_done = depth;
        }
        &self.root
    }
}

/// How an iteration ended.
enum Iteration {
    Finished { certain: bool },
    Unfinished,
}

/// The first iteration: applies every move once and lists the results in the order of the heuristic. What the
/// budget no longer reached comes last. True when deeper iterations could change nothing.
fn open_root<G: Game, H: Heuristic<G>>(
    walk: &mut Walk<G, H>,
    here: &mut Ply<G::State, H::Trace>,
    at: (&G::State, &H::Trace),
    side: Side,
    root: &mut Vec<RootMove<G::State>>,
) -> bool {
    if walk.expand(here, at, side, Move(u32::MAX)).is_err() {
        walk.judge(here, side, Move(u32::MAX));
    }
    let [lost, won] = [-1.0, 1.0].map(|score| walk.heuristic.final_value(score));
    for place in 0..here.moves.len() {
        let reached = here.order.get(place).copied();
        let (value, slot) = reached.unwrap_or((lost, place as u32));
        let leaf = reached.filter(|_| walk.keep_leaf).map(|_| here.children[slot as usize].state.clone());
        let mv = here.moves[slot as usize];
        let depth = u32::from(reached.is_some());
        let complete = reached.is_some() && here.children[slot as usize].turn.is_over();
        let exact = reached.is_some();
        root.push(RootMove { mv, value, exact, complete, depth, line: vec![mv], leaf, slot });
    }
    let all_over = here.children[..here.count].iter().all(|child| child.turn.is_over());
    root.first().is_none_or(|best| best.value >= won) || (all_over && here.count == here.moves.len())
}

/// The position at hand during one iteration.
struct Root<'a, G: Game, H: Heuristic<G>> {
    here: &'a mut Ply<G::State, H::Trace>,
    below: &'a mut [Ply<G::State, H::Trace>],
    side: Side,
    moves: &'a mut [RootMove<G::State>],
}

impl<G: Game, H: Heuristic<G>> Root<'_, G, H> {
    /// Searches every move to `depth` plies, in the order of the iteration before.
    fn deepen(&mut self, walk: &mut Walk<G, H>, depth: u32, exact_root: bool) -> Iteration {
        let [lost, won] = [-1.0, 1.0].map(|score| walk.heuristic.final_value(score));
        let mut alpha = f32::NEG_INFINITY;
        let mut complete = true;
        let mut settled = 0;
        for place in 0..self.moves.len() {
            let candidate = &mut self.moves[place];
            let child = &self.here.children[candidate.slot as usize];
            let at = (&child.state, &child.trace, child.turn);
            let low = if exact_root { f32::NEG_INFINITY } else { alpha };
            let searched = walk.value_for(self.below, at, self.side, depth - 1, (low, f32::INFINITY));
            let Ok(Found { value, complete: all_known }) = searched else { break };
            candidate.value = value;
            candidate.exact = exact_root || value > alpha;
            candidate.complete = all_known;
            candidate.depth = depth;
            candidate.line.truncate(1);
            candidate.line.extend_from_slice(&self.below[0].line);
            if walk.keep_leaf {
                candidate.leaf.clone_from(&self.below[0].leaf);
            }
            alpha = alpha.max(value);
            complete &= all_known;
            settled += 1;
            if walk.meter.is_due() {
                show(walk, self.moves, settled);
            }
        }
        let finished = settled == self.moves.len();
        // Where every move loses, the order of the iteration before stands: its first move held out longest.
        if alpha > lost {
            self.moves[..settled].sort_by(|a, b| b.value.partial_cmp(&a.value).unwrap_or(Ordering::Equal));
        }
        if finished {
            Iteration::Finished { certain: complete || alpha >= won || alpha <= lost }
        } else {
            Iteration::Unfinished
        }
    }
}

impl<G: Game, H: Heuristic<G>> Mind<G> for AlphaBeta<G, H> {
    fn rank(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        self.search(game, state, ctx);
        let mut ranking = ranking(&self.heuristic, &self.root.iter().collect::<Vec<_>>());
        if ctx.explain.is_wanted()
            && let Turn::Player(side) = game.turn(state)
        {
            explain(&mut self.heuristic, game, side, &self.root, (&mut ranking, ctx.explain));
            if let How::LookAhead { states, .. } = &mut ranking.how {
                *states = ctx.meter.cost().states;
            }
        }
        Ok(ranking)
    }

    fn mute(&mut self, muted: &dyn Fn(u32) -> bool) -> bool {
        self.heuristic.mute(muted)
    }
}

/// Lets whoever looks see what would be answered if the iteration ended after so many moves: those by their value, the rest behind them.
#[cold]
fn show<G: Game, H: Heuristic<G>>(walk: &mut Walk<G, H>, root: &[RootMove<G::State>], settled: usize) {
    let mut so_far: Vec<&RootMove<G::State>> = root.iter().collect();
    so_far[..settled].sort_by(|a, b| b.value.partial_cmp(&a.value).unwrap_or(Ordering::Equal));
    let mut seen = Ranking { scale: walk.heuristic.scale(), ..ranking(walk.heuristic, &so_far) };
    if let (Some(best), Some(value)) = (so_far.first(), seen.moves.first_mut()) {
        value.reasons.push(Reason::line(What::Play { shows: Shows::Best }, value.value, best.line.clone()));
    }
    walk.meter.show(seen);
}

/// The moves of a search; those left early have bounds, those of an unfinished iteration what was thought of them before.
fn ranking<G: Game, H: Heuristic<G>>(heuristic: &H, root: &[&RootMove<G::State>]) -> Ranking {
    let deepest = root.first().map_or(0, |best| best.depth);
    let [lost, won] = [-1.0, 1.0].map(|score| heuristic.final_value(score));
    let value = |candidate: &&RootMove<G::State>| {
        let bound = match candidate {
            RootMove { depth, .. } if *depth < deepest => Bound::Unsettled,
            RootMove { exact: true, .. } => Bound::Exact,
            _ => Bound::AtMost,
        };
        // Adding 0 turns −0 into 0, which people would take for a loss.
        let shown = heuristic.shown(candidate.value) + 0.0;
        let fate = match bound {
            Bound::Unsettled => None,
            _ if candidate.depth == 0 => None,
            Bound::Exact if candidate.value >= won => Some(Fate::Won),
            Bound::Exact if candidate.complete && candidate.value == 0.0 => Some(Fate::Drawn),
            // What is worth no more than a loss is one.
            _ => (candidate.value <= lost).then_some(Fate::Lost),
        };
        MoveValue { bound, fate, ..MoveValue::new(candidate.mv, shown) }
    };
    Ranking {
        moves: root.iter().map(value).collect(),
        preferred: root.first().map(|best| best.mv),
        ..Ranking::default()
    }
}

/// Each move's line and what the heuristic sees at the end of it.
fn explain<G: Game, H: Heuristic<G>>(
    heuristic: &mut H,
    game: &G,
    side: Side,
    root: &[RootMove<G::State>],
    (ranking, explain): (&mut Ranking, Explain),
) {
    let depth = root.iter().map(|candidate| candidate.depth).max().unwrap_or(0);
    ranking.how = How::LookAhead { plies: depth, states: 0, judge: heuristic.judge() };
    ranking.scale = heuristic.scale();
    for place in ranking.wanted(explain) {
        let (candidate, value) = (&root[place], &mut ranking.moves[place]);
        let shows = match (candidate.exact, candidate.depth) {
            (_, 0) => Shows::Unseen,
            (true, _) => Shows::Best,
            (false, _) => Shows::Answer,
        };
        let leaf = candidate.leaf.as_ref().filter(|leaf| !game.turn(leaf).is_over());
        value.reasons = leaf.map_or_else(Vec::new, |leaf| heuristic.terms(game, leaf, side));
        value.reasons.insert(0, Reason::line(What::Play { shows }, value.value, candidate.line.clone()));
    }
}
