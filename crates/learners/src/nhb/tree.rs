//! Alpha-beta with iterative deepening on a tree that is kept: a state is generated and judged once, the iterations
//! after it only walk over it again, and when the search ends the tree is there to take examples from (paper, sections 2 and 4).
//!
//! All children of a node are generated and judged together, which is what orders them ("nodes are ordered by their
//! value of heuristic function") and lets the judge work on many positions at once. Chance nodes are averaged over their outcomes.
//! A node whose value rests on finished games alone is *settled*: no later iteration enters it.
//!
//! It is separate from the general search (`ludens_search::AlphaBeta`), which forgets its nodes: the paper counts a state once however often it is
//! walked over, learns from the nodes that are left, and judges all children of a node in one batch, which is where the time goes.

use ludens_core::{Game, Meter, Move, Side, Turn};

use super::judge::{Judge, Viewed};
pub use super::node::{Found, Node};

/// Deeper iterations than this are not begun; it also bounds games that repeat positions.
const DEEPEST: u32 = 60;

/// The budget is spent.
struct Spent;

/// The tree of the last search, and the rooms it works in.
#[derive(Debug)]
pub struct Tree<G: Game> {
    /// The positions; the first is where the search began.
    pub nodes: Vec<Node<G::State>>,
    /// The deepest iteration; 1 is one-ply play.
    pub deepest: u32,
    moves: Vec<Move>,
    outcomes: Vec<(Move, f32)>,
    open: Vec<Viewed<G::State>>,
    judged: Vec<f32>,
    grown: bool,
    /// Kept where a reason will be asked for, see `line`.
    pub(super) lines: Option<Vec<Vec<Move>>>,
}

impl<G: Game> Default for Tree<G> {
    fn default() -> Tree<G> {
        Tree {
            nodes: Vec::new(),
            deepest: DEEPEST,
            moves: Vec::new(),
            outcomes: Vec::new(),
            open: Vec::new(),
            judged: Vec::new(),
            grown: false,
            lines: None,
        }
    }
}

/// A learnt value is no certainty: it is bent to stay inside ±1, the scores of finished games, without losing its order.
pub fn bent(value: f32) -> f32 {
    const FREE: f32 = 0.9;
    let excess = value.abs() - FREE;
    if excess <= 0.0 {
        return value;
    }
    let room = 1.0 - FREE;
    value.signum() * (FREE + room * excess / (excess + room)).min(0.9999)
}

impl<G: Game> Tree<G> {
    /// One that never looks deeper.
    pub fn with_depth(deepest: u32) -> Tree<G> {
        Tree { deepest: deepest.clamp(1, DEEPEST), ..Tree::default() }
    }

    /// The places of a node's children among the nodes.
    pub fn children(&self, node: usize) -> std::ops::Range<usize> {
        let Node { first_child, children, .. } = self.nodes[node];
        first_child as usize..(first_child + children) as usize
    }

    /// A child's value as its parent sees it.
    pub fn seen(&self, parent: usize, child: usize, value: f32) -> f32 {
        if self.nodes[parent].view == self.nodes[child].view { value } else { -value }
    }

    /// Searches `state`, where a player is to move, until the meter's budget is spent or nothing is left to find.
    pub fn search(&mut self, game: &G, state: &G::State, judge: &mut Judge, meter: &mut Meter) -> Found {
        self.nodes.clear();
        self.lines.iter_mut().for_each(Vec::clear);
        let view = if let Turn::Player(side) = game.turn(state) { side } else { Side::First };
        self.nodes.push(Node {
            state: state.clone(),
            view,
            over: false,
            chance: false,
            mv: Move(0),
            probability: 1.0,
            judged: 0.0,
            value: 0.0,
            settled: false,
            first_child: 0,
            children: 0,
            best: None,
        });
        if self.expand(game, 0, judge, meter).is_err() {
            return self.first_glance(game, judge, meter);
        }
        let mut found = self.best_child(0);
        for depth in 1..=self.deepest {
            self.grown = false;
            let whole = self.iterate_root(game, depth, judge, meter, &mut found);
            if !whole || self.nodes[0].settled || (depth > 1 && !self.grown) {
                break;
            }
        }
        self.nodes[0].best = Some(found.mv);
        self.nodes[0].value = found.value;
        found
    }

    /// Not even the moves at hand could all be looked at: the best of those that could, or the first.
    fn first_glance(&mut self, game: &G, judge: &mut Judge, meter: &mut Meter) -> Found {
        let mut moves = Vec::new();
        game.moves(&self.nodes[0].state, &mut moves);
        let count = (meter.left() as usize).min(moves.len());
        if count == 0 {
            return Found { mv: moves[0], value: 0.0, depth: 0 };
        }
        moves.truncate(count);
        let listed: Vec<(Move, f32)> = moves.into_iter().map(|mv| (mv, 1.0)).collect();
        if self.add_children(game, 0, &listed, judge, meter).is_err() {
            return Found { mv: listed[0].0, value: 0.0, depth: 0 };
        }
        self.best_child(0)
    }

    fn best_child(&self, node: usize) -> Found {
        let mut best = Found { mv: Move(0), value: f32::NEG_INFINITY, depth: 1 };
        for child in self.children(node) {
            let value = self.seen(node, child, self.nodes[child].value);
            if value > best.value {
                best = Found { mv: self.nodes[child].mv, value, depth: 1 };
            }
        }
        best
    }

    /// One iteration at the root; false when the budget ran out. A move that the unfinished iteration found
    /// better than the old best, which it searched first, counts.
    fn iterate_root(
        &mut self,
        game: &G,
        depth: u32,
        judge: &mut Judge,
        meter: &mut Meter,
        found: &mut Found,
    ) -> bool {
        self.sort_children(0);
        let mut alpha = f32::NEG_INFINITY;
        let mut best = None;
        let mut whole = true;
        for child in self.children(0) {
            let value = self.value_of_child(game, 0, child, depth - 1, (alpha, f32::INFINITY), judge, meter);
            if value.is_ok() {
                self.keep_line(child);
            }
            match value {
                Ok(value) if value > alpha => {
                    alpha = value;
                    best = Some(self.nodes[child].mv);
                }
                Ok(_) => {}
                Err(Spent) => {
                    whole = false;
                    break;
                }
            }
        }
        if whole {
            self.settle(0);
        }
        // All moves lose: the one that still looked playable an iteration ago resists longest.
        if let Some(mv) = best
            && (alpha > -1.0 || depth == 1)
        {
            *found = Found { mv, value: alpha, depth: if whole { depth } else { found.depth } };
        } else if best.is_some() {
            found.value = alpha;
        }
        whole
    }

    #[allow(clippy::too_many_arguments)]
    fn value_of_child(
        &mut self,
        game: &G,
        parent: usize,
        child: usize,
        depth: u32,
        (alpha, beta): (f32, f32),
        judge: &mut Judge,
        meter: &mut Meter,
    ) -> Result<f32, Spent> {
        let same = self.nodes[parent].view == self.nodes[child].view;
        let window = if same { (alpha, beta) } else { (-beta, -alpha) };
        let value = self.visit(game, child, depth, window, judge, meter)?;
        Ok(if same { value } else { -value })
    }

    /// Fail-soft alpha-beta.
    fn visit(
        &mut self,
        game: &G,
        node: usize,
        depth: u32,
        (mut alpha, beta): (f32, f32),
        judge: &mut Judge,
        meter: &mut Meter,
    ) -> Result<f32, Spent> {
        if self.nodes[node].settled {
            return Ok(self.nodes[node].value);
        }
        if depth == 0 {
            return Ok(self.nodes[node].judged);
        }
        if !self.nodes[node].expanded() {
            self.expand(game, node, judge, meter)?;
        }
        if self.nodes[node].chance {
            return self.average(game, node, depth, judge, meter);
        }
        self.sort_children(node);
        let mut best = f32::NEG_INFINITY;
        for child in self.children(node) {
            let value = self.value_of_child(game, node, child, depth - 1, (alpha, beta), judge, meter)?;
            if value > best {
                best = value;
                self.nodes[node].best = Some(self.nodes[child].mv);
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        self.nodes[node].value = best;
        self.settle(node);
        Ok(self.nodes[node].value)
    }

    fn average(
        &mut self,
        game: &G,
        node: usize,
        depth: u32,
        judge: &mut Judge,
        meter: &mut Meter,
    ) -> Result<f32, Spent> {
        let open = (f32::NEG_INFINITY, f32::INFINITY);
        let mut mean = 0.0;
        for child in self.children(node) {
            let value = self.value_of_child(game, node, child, depth, open, judge, meter)?;
            mean += self.nodes[child].probability * value;
        }
        self.nodes[node].value = mean;
        self.settle(node);
        Ok(mean)
    }

    /// A node is settled by one settled win, or by all its children.
    fn settle(&mut self, node: usize) {
        let mut all = true;
        let (mut best, mut mean) = (f32::NEG_INFINITY, 0.0);
        for child in self.children(node) {
            let value = self.seen(node, child, self.nodes[child].value);
            if self.nodes[child].settled {
                best = best.max(value);
                mean += self.nodes[child].probability * value;
            } else {
                all = false;
            }
        }
        let settled = all || (best >= 1.0 && !self.nodes[node].chance);
        if settled {
            self.nodes[node].settled = true;
            self.nodes[node].value = if self.nodes[node].chance { mean } else { best };
        }
    }

    fn sort_children(&mut self, node: usize) {
        let (range, view) = (self.children(node), self.nodes[node].view);
        let seen = |child: &Node<G::State>| if child.view == view { child.value } else { -child.value };
        // Insertion: the order is nearly right from the last time.
        for at in range.start + 1..range.end {
            let mut place = at;
            while place > range.start && seen(&self.nodes[place - 1]) < seen(&self.nodes[place]) {
                self.nodes.swap(place - 1, place);
                place -= 1;
            }
        }
    }

    fn expand(&mut self, game: &G, node: usize, judge: &mut Judge, meter: &mut Meter) -> Result<(), Spent> {
        let mut listed = std::mem::take(&mut self.outcomes);
        if self.nodes[node].chance {
            game.chance(&self.nodes[node].state, &mut listed);
        } else {
            game.moves(&self.nodes[node].state, &mut self.moves);
            listed.clear();
            listed.extend(self.moves.iter().map(|&mv| (mv, 1.0)));
        }
        let done = self.add_children(game, node, &listed, judge, meter);
        self.outcomes = listed;
        done
    }

    /// Generates and judges all the children, or none where the budget does not reach.
    fn add_children(
        &mut self,
        game: &G,
        node: usize,
        listed: &[(Move, f32)],
        judge: &mut Judge,
        meter: &mut Meter,
    ) -> Result<(), Spent> {
        let held = (self.nodes.len() + listed.len()) * size_of::<Node<G::State>>();
        if meter.left() < listed.len() as u64 || !meter.has_room(held as u64) {
            return Err(Spent);
        }
        let first = self.nodes.len();
        let parent_view = self.nodes[node].view;
        let parent_is_chance = self.nodes[node].chance;
        self.open.clear();
        for &(mv, probability) in listed {
            if !meter.visit() {
                self.nodes.truncate(first);
                return Err(Spent);
            }
            let mut state = self.nodes[node].state.clone();
            game.apply(&mut state, mv);
            let turn = game.turn(&state);
            let view = match turn {
                Turn::Player(side) => side,
                Turn::Chance if parent_is_chance => parent_view,
                Turn::Chance | Turn::Over(_) => parent_view.other(),
            };
            let score = if let Turn::Over(score) = turn { score.of(view) } else { 0.0 };
            if !turn.is_over() {
                self.open.push((state.clone(), view));
            }
            self.nodes.push(Node {
                state,
                view,
                over: turn.is_over(),
                chance: turn == Turn::Chance,
                mv,
                probability,
                judged: score,
                value: score,
                settled: turn.is_over(),
                first_child: 0,
                children: 0,
                best: None,
            });
        }
        self.judge_children(game, node, first, judge);
        self.nodes[node].first_child = first as u32;
        self.nodes[node].children = listed.len() as u32;
        self.grown = true;
        Ok(())
    }

    /// All new children at once, those from `first` on.
    #[inline]
    fn judge_children(&mut self, game: &G, node: usize, first: usize, judge: &mut Judge) {
        judge.values(game, &self.nodes[node].state, &self.open, &mut self.judged);
        let mut judged = self.judged.iter();
        for child in &mut self.nodes[first..] {
            if !child.over
                && let Some(&value) = judged.next()
            {
                child.judged = bent(value);
                child.value = child.judged;
            }
        }
    }
}
