//! Looking ahead: all its own moves first, then again and again down the line that is best for both by what was seen so far, where its first
//! inclination decides what is looked at first. What is decided is not looked at again; a move far ahead of the others is taken without more.

use ludens_core::words::Fate;
use ludens_core::{Game, Meter, Move, Score, Side, Turn};

use super::active::Active;
use super::chunks::{Chunks, NONE};
use super::eye::{Eye, Seen, Sight};
use super::foresight::{Foresight, foresee};
use super::inclination::{Inclination, Urge};
use super::judgement::{Judge, SUREST, chance, log_odds};
use super::player::glimpse;
use super::settings::Settings;

/// What a win is worth beside any judgement in log odds, less what it takes to get there.
const WON: f32 = 1_000.0;
/// Beyond this a value is a decided game.
pub const DECIDED: f32 = 50.0;
const A_PLY: f32 = 0.5;

/// A move of a position in the tree.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// The move.
    pub mv: Move,
    /// How likely it is at first inclination.
    pub share: f32,
    /// Where it leads, once it was looked at; [`NONE`].
    pub node: u32,
}

/// A position in the tree.
#[derive(Debug)]
pub struct Node<S> {
    /// The position.
    pub state: S,
    /// Who moves; none at the end and for dice.
    pub side: Option<Side>,
    /// The first player's log odds, by what was looked at below; beyond [`DECIDED`] where the game is.
    pub value: f32,
    /// What was thought of it at first sight.
    pub first_sight: f32,
    /// Nothing below can change it.
    pub solved: bool,
    /// What is known of it rests on what was foreseen, not on ends that were reached.
    pub foreseen: bool,
    /// Times that the line went through it.
    pub visits: u32,
    /// Its moves.
    pub branches: Vec<Branch>,
    /// Their shares are what it inclines to, not all the same.
    inclined: bool,
}

/// What it looks with.
#[derive(Clone, Copy)]
pub struct Tools<'a> {
    pub eye: &'a Eye,
    pub settings: &'a Settings,
    pub chunks: &'a Chunks,
}

impl Tools<'_> {
    /// The first player's log odds by a judge.
    pub fn judge(self, judge: &Judge, seen: &Seen, active: &mut Active) -> f32 {
        judge.log_odds((self.eye, self.settings, self.chunks), seen, active)
    }
}

/// The tree of one decision.
#[derive(Debug)]
pub struct Tree<S> {
    /// The root first.
    pub nodes: Vec<Node<S>>,
    path: Vec<usize>,
    moves: Vec<Move>,
    sight: Sight,
    seen: Seen,
    active: Active,
    urge: Urge,
}

impl<S> Default for Tree<S> {
    fn default() -> Tree<S> {
        Tree {
            nodes: Vec::new(),
            path: Vec::new(),
            moves: Vec::new(),
            sight: Sight::default(),
            seen: Seen::default(),
            active: Active::default(),
            urge: Urge::default(),
        }
    }
}

/// The first player's log odds at an end, so many plies from now: a nearer win is better, a later loss.
fn end_value(score: Score, plies: usize) -> f32 {
    let later = A_PLY * plies.min(900) as f32;
    match score.0 {
        score if score > 0.999 => WON - later,
        score if score < -0.999 => later - WON,
        score => log_odds(f32::midpoint(score, 1.0)),
    }
}

fn as_seen_by(side: Side, value: f32) -> f32 {
    if side == Side::First { value } else { -value }
}

impl<S: Clone> Tree<S> {
    /// The value of a node as a side sees it.
    pub fn seen_by(&self, node: usize, side: Side) -> f32 {
        as_seen_by(side, self.nodes[node].value)
    }

    /// What was thought of a node at first sight, as a side sees it.
    pub fn first_sight(&self, node: usize, side: Side) -> f32 {
        as_seen_by(side, self.nodes[node].first_sight)
    }

    /// The children of a node that were looked at.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        self.nodes[node]
            .branches
            .iter()
            .filter(|branch| branch.node != NONE)
            .map(|branch| branch.node as usize)
    }

    /// What it inclines to in a position that it goes on from.
    fn incline<G: Game<State = S>>(
        &mut self,
        game: &G,
        tools: Tools,
        inclination: &mut Inclination,
        at: usize,
    ) {
        let Tools { eye, settings, .. } = tools;
        let node = &mut self.nodes[at];
        if !settings.inclines || node.inclined || node.branches.len() < 2 {
            return;
        }
        node.inclined = true;
        game.moves(&node.state, &mut self.moves);
        eye.look(game, &node.state, &self.moves, &mut self.sight, &mut self.seen);
        if node.branches.len() < self.moves.len() {
            self.moves.retain(|mv| node.branches.iter().any(|branch| branch.mv == *mv));
            game.ends(&node.state, &self.moves, &mut self.sight.ends);
        }
        inclination.incline(eye, settings, &self.seen, &self.sight.ends, &mut self.urge);
        node.branches.iter_mut().zip(&self.urge.shares).for_each(|(branch, share)| branch.share = *share);
    }

    /// Looks at a position and judges it.
    fn node<G: Game<State = S>>(
        &mut self,
        game: &G,
        tools: Tools,
        judge: &Judge,
        state: S,
        plies: usize,
    ) -> Node<S> {
        let mut node = Node {
            state,
            side: None,
            value: 0.0,
            first_sight: 0.0,
            solved: false,
            foreseen: false,
            visits: 0,
            branches: Vec::new(),
            inclined: false,
        };
        let turn = game.turn(&node.state);
        if let Turn::Over(score) = turn {
            node.value = end_value(score, plies);
            node.solved = true;
        } else {
            self.moves.clear();
            if let Turn::Player(side) = turn {
                node.side = Some(side);
                game.moves(&node.state, &mut self.moves);
            }
            let Tools { eye, settings, chunks } = tools;
            eye.look(game, &node.state, &self.moves, &mut self.sight, &mut self.seen);
            let sum = judge.log_odds((eye, settings, chunks), &self.seen, &mut self.active);
            node.value = sum.clamp(-SUREST, SUREST);
            let share = 1.0 / self.moves.len().max(1) as f32;
            node.branches = self.moves.iter().map(|&mv| Branch { mv, share, node: NONE }).collect();
            // Of the root every move is looked at.
            if plies > 0 {
                self.foresee(eye, &mut node, plies);
            }
        }
        node.first_sight = node.value;
        node
    }

    /// Takes a position for decided, or leaves moves out, by what is seen before anything is moved.
    fn foresee(&mut self, eye: &Eye, node: &mut Node<S>, plies: usize) {
        let Some(side) = node.side else { return };
        let foresight = foresee(eye, &mut self.sight, side);
        let (winner, after) = match foresight {
            Foresight::Open => return,
            Foresight::Some => {
                node.foreseen = true;
                let mut keeps = self.sight.keeps.iter();
                node.branches.retain(|_| keeps.next().is_none_or(|keeps| *keeps));
                return;
            }
            Foresight::Won => (side, 1),
            Foresight::Lost => (side.other(), 2),
        };
        node.foreseen = true;
        node.solved = true;
        node.value = end_value(Score::win_for(winner), plies + after);
    }

    /// Looks at what a move leads to. `false`: the budget does not suffice, and nothing has changed.
    fn open<G: Game<State = S>>(
        &mut self,
        game: &G,
        tools: Tools,
        judge: &Judge,
        (at, branch): (usize, usize),
        plies: usize,
        meter: &mut Meter,
    ) -> bool {
        if !meter.visit() {
            return false;
        }
        let mut state = self.nodes[at].state.clone();
        game.apply(&mut state, self.nodes[at].branches[branch].mv);
        let child = self.node(game, tools, judge, state, plies);
        self.nodes[at].branches[branch].node = self.nodes.len() as u32;
        self.nodes.push(child);
        true
    }

    /// The value of a node is that of its best child; it is solved when that is a win, or when all are.
    fn update(&mut self, at: usize, doubts: f32) {
        let Some(side) = self.nodes[at].side else { return };
        let (mut best, mut solved, mut all) = (f32::NEG_INFINITY, false, true);
        let mut foreseen = self.nodes[at].foreseen;
        for branch in &self.nodes[at].branches {
            if branch.node == NONE {
                all = false;
                continue;
            }
            let child = &self.nodes[branch.node as usize];
            let value = as_seen_by(side, child.value);
            all &= child.solved;
            foreseen |= child.solved && child.foreseen;
            if value > best {
                (best, solved) = (value, child.solved);
            }
        }
        if best == f32::NEG_INFINITY {
            return;
        }
        // Moves that were not looked at are thought to be worth what the position looked like, less a doubt: else one bad answer would make a
        // move look good.
        if self.nodes[at].branches.iter().any(|branch| branch.node == NONE) {
            let unseen = self.first_sight(at, side) - doubts;
            if unseen > best {
                (best, solved) = (unseen, false);
            }
        }
        self.nodes[at].foreseen = foreseen;
        self.nodes[at].value = as_seen_by(side, best);
        self.nodes[at].solved = all || solved && best > DECIDED;
    }

    /// The branch to go down: the best, with something for what was looked at little and what it inclines to; none where all are decided.
    fn select(&self, at: usize, settings: &Settings) -> Option<usize> {
        let node = &self.nodes[at];
        let side = node.side?;
        let root = ((node.visits + 1) as f32).sqrt();
        let unseen = as_seen_by(side, node.first_sight) - settings.doubts;
        let key = |branch: &Branch| match self.nodes.get(branch.node as usize) {
            None => Some(unseen + settings.curious * branch.share * root),
            Some(child) if child.solved || child.side.is_none() => None,
            Some(child) => Some(
                as_seen_by(side, child.value)
                    + settings.curious * branch.share * root / (1.0 + child.visits as f32),
            ),
        };
        let mut best: Option<(f32, usize)> = None;
        for (place, branch) in node.branches.iter().enumerate() {
            if let Some(key) = key(branch)
                && best.is_none_or(|(other, _)| key > other)
            {
                best = Some((key, place));
            }
        }
        best.map(|(_, place)| place)
    }

    /// Whether the best move of the root is so far ahead that nothing more is looked at.
    fn is_sure(&self, sure: f32) -> bool {
        let Some(side) = self.nodes[0].side else { return true };
        let (mut best, mut second) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
        for child in self.children(0) {
            let value = self.seen_by(child, side);
            if value > best {
                (best, second) = (value, best);
            } else {
                second = second.max(value);
            }
        }
        best > DECIDED || self.nodes[0].branches.len() < 2 || best - second > sure && self.nodes[0].visits > 8
    }

    /// Looks from a position as far as the meter allows.
    pub fn search<G: Game<State = S>>(
        &mut self,
        game: &G,
        tools: Tools,
        (judge, inclination): (&Judge, &mut Inclination),
        state: &S,
        meter: &mut Meter,
    ) {
        self.nodes.clear();
        let root = self.node(game, tools, judge, state.clone(), 0);
        self.nodes.push(root);
        self.incline(game, tools, inclination, 0);
        for branch in 0..self.nodes[0].branches.len() {
            if !self.open(game, tools, judge, (0, branch), 1, meter) {
                return;
            }
        }
        self.update(0, tools.settings.doubts);
        while !self.nodes[0].solved && !self.is_sure(tools.settings.sure) {
            self.path.clear();
            let mut at = 0;
            let opened = loop {
                self.path.push(at);
                self.incline(game, tools, inclination, at);
                let Some(branch) = self.select(at, tools.settings) else { break false };
                let next = self.nodes[at].branches[branch].node;
                if next == NONE {
                    break self.open(game, tools, judge, (at, branch), self.path.len(), meter);
                }
                at = next as usize;
            };
            for place in (0..self.path.len()).rev() {
                let node = self.path[place];
                self.nodes[node].visits += 1;
                self.update(node, tools.settings.doubts);
            }
            if meter.is_due() {
                meter.show(glimpse(self, tools));
            }
            if !opened {
                break;
            }
        }
    }

    /// The best child of a node, the first of equals.
    pub fn best(&self, at: usize) -> Option<usize> {
        let side = self.nodes[at].side?;
        let better = |best: usize, next: usize| {
            if self.seen_by(next, side) > self.seen_by(best, side) { next } else { best }
        };
        self.children(at).reduce(better)
    }

    /// Where the n-th move of the root leads, if that was looked at.
    pub fn child(&self, place: usize) -> Option<usize> {
        let branch = self.nodes[0].branches.get(place)?;
        (branch.node != NONE).then_some(branch.node as usize)
    }

    /// It looked no further than its own moves.
    pub fn is_first_sight(&self) -> bool {
        self.nodes.len() <= 1 + self.nodes[0].branches.len()
    }

    /// How strongly it inclines to the n-th move of the root, in log odds against the likeliest.
    pub fn urge(&self, place: usize) -> f32 {
        let most = self.nodes[0].branches.iter().map(|branch| branch.share).fold(0.0, f32::max);
        ludens_core::math::ln_f32((self.nodes[0].branches[place].share / most).max(1e-9))
    }

    /// The move to a child.
    pub fn move_to(&self, at: usize, child: usize) -> Option<Move> {
        self.nodes[at].branches.iter().find(|branch| branch.node as usize == child).map(|branch| branch.mv)
    }

    /// The line it expects after a node, that node first.
    pub fn line(&self, child: usize) -> Vec<usize> {
        std::iter::successors(Some(child), |at| self.best(*at)).collect()
    }

    /// How the game ends after a child for a side, where that is known; what was foreseen is known where the game says that its lines win.
    pub fn fate(&self, node: usize, side: Side, lines: bool) -> Option<Fate> {
        let value = self.seen_by(node, side);
        let node = &self.nodes[node];
        let known = node.solved && (lines || !node.foreseen) && (value.abs() > DECIDED || value == 0.0);
        known.then(|| Fate::by_sign(f64::from(value)))
    }

    /// The first player's chance at a node, from 0 to 1.
    pub fn chance(&self, node: usize) -> f32 {
        match self.nodes[node].value {
            value if value > DECIDED => 1.0,
            value if value < -DECIDED => 0.0,
            value => chance(value),
        }
    }

    /// What share of the looking went to each move of the root; all to a win.
    pub fn shares(&self) -> Vec<f32> {
        let Some(side) = self.nodes[0].side else { return Vec::new() };
        let visits = |branch: &Branch| match self.nodes.get(branch.node as usize) {
            Some(child) if as_seen_by(side, child.value) > DECIDED => 1e6,
            Some(child) if as_seen_by(side, child.value) < -DECIDED => 0.0,
            Some(child) => 0.1 + child.visits as f32,
            None => 0.0,
        };
        let all: Vec<f32> = self.nodes[0].branches.iter().map(visits).collect();
        let sum: f32 = all.iter().sum();
        let even = 1.0 / all.len().max(1) as f32;
        all.into_iter().map(|visits| if sum > 0.0 { visits / sum } else { even }).collect()
    }
}
