//! Backward iterative deepening (Ghignone and Cancelliere, section 4.1): many finished games and their common ancestors, in limited time.
//!
//! ```text
//!     1 ── 2 ── 3 ── 4 ── 5     the match that was played, 5 its end
//!                    └ depth 1  first everything one ply below 4,
//!               └──── depth 2   then everything two plies below 3, what lies below 4 being known,
//!          └───────── depth 3   and so on: every iteration reaches down to the same level
//! ```
//!
//! Each iteration contains the one before as the subtree of the move that was played, so its value is reused, and all of them together
//! examine no more states than the last one alone would from scratch. That is checked in the tests, number by number.

use ludens_core::{Game, Meter, Move, Score, Side, Turn};

/// What the search learnt of one position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Backed {
    /// As the first player sees it.
    pub value: f32,
    /// It rests on finished games alone, not on any judgement of a position at the horizon.
    pub certain: bool,
}

/// How far the search came.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct BackwardReport {
    /// Whole iterations, which is also the depth of the last.
    pub iterations: u32,
    /// The value of the highest position of the match that was searched; none where too little is known of it.
    pub value: Option<Backed>,
    /// States examined by each whole iteration.
    pub states: Vec<u64>,
}

struct Spent;

struct Walk<'a, G: Game, J, F> {
    game: &'a G,
    /// The value of an unfinished position at the horizon, if there is one to be had.
    judge: J,
    found: F,
    meter: &'a mut Meter,
}

/// Searches backwards from the end of the match that `moves` made of `start`, until the meter's budget is spent or the
/// start is reached. `judge` values unfinished positions at the horizon as the first player sees them (`None`: nothing is known);
/// `found` receives every position whose value became known, finished ones included, each once.
pub fn backward_deepening<G: Game>(
    game: &G,
    start: &G::State,
    moves: &[Move],
    meter: &mut Meter,
    judge: impl FnMut(&G::State) -> Option<f32>,
    found: impl FnMut(&G::State, Backed),
) -> BackwardReport {
    let mut states = vec![start.clone()];
    for &mv in moves {
        let mut next = states[states.len() - 1].clone();
        game.apply(&mut next, mv);
        states.push(next);
    }
    let mut walk = Walk { game, judge, found, meter };
    let mut report = BackwardReport::default();
    let Some(end) = states.last() else { return report };
    let mut known = walk.leaf(end);
    for (depth, index) in (0..moves.len()).rev().enumerate() {
        let before = walk.meter.cost().states;
        let played = Some((moves[index], known));
        match walk.inner(&states[index], depth as u32 + 1, played) {
            Ok(value) => known = value,
            Err(Spent) => break,
        }
        report.iterations = depth as u32 + 1;
        report.value = known;
        report.states.push(walk.meter.cost().states - before);
    }
    report
}

impl<G: Game, J, F> Walk<'_, G, J, F>
where
    J: FnMut(&G::State) -> Option<f32>,
    F: FnMut(&G::State, Backed),
{
    fn leaf(&mut self, state: &G::State) -> Option<Backed> {
        let value = match self.game.turn(state) {
            Turn::Over(Score(value)) => Some(Backed { value, certain: true }),
            _ => (self.judge)(state).map(|value| Backed { value, certain: false }),
        };
        self.report(state, value)
    }

    fn report(&mut self, state: &G::State, value: Option<Backed>) -> Option<Backed> {
        if let Some(value) = value {
            (self.found)(state, value);
        }
        value
    }

    /// Minimax over all children; the value of the one that was played, if any, is given.
    fn inner(
        &mut self,
        state: &G::State,
        depth: u32,
        played: Option<(Move, Option<Backed>)>,
    ) -> Result<Option<Backed>, Spent> {
        let turn = self.game.turn(state);
        let mut children = Vec::new();
        if turn == Turn::Chance {
            self.game.chance(state, &mut children);
        } else {
            let mut moves = Vec::new();
            self.game.moves(state, &mut moves);
            children.extend(moves.into_iter().map(|mv| (mv, 1.0)));
        }
        let mut sum = Summary::new(turn);
        for (mv, probability) in children {
            let value = match played {
                Some((known_move, value)) if known_move == mv => value,
                _ => self.child(state, mv, depth - 1)?,
            };
            sum.add(value, probability);
        }
        let value = sum.value();
        Ok(self.report(state, value))
    }

    fn child(&mut self, state: &G::State, mv: Move, depth: u32) -> Result<Option<Backed>, Spent> {
        if !self.meter.visit() {
            return Err(Spent);
        }
        let mut child = state.clone();
        self.game.apply(&mut child, mv);
        if depth == 0 || self.game.turn(&child).is_over() {
            return Ok(self.leaf(&child));
        }
        self.inner(&child, depth, None)
    }
}

/// The children of one node, seen so far.
struct Summary {
    turn: Turn,
    best: Option<Backed>,
    mean: f32,
    all_known: bool,
    all_certain: bool,
    /// A finished game that the side to move wins: nothing else matters.
    won: Option<Backed>,
}

impl Summary {
    fn new(turn: Turn) -> Summary {
        Summary { turn, best: None, mean: 0.0, all_known: true, all_certain: true, won: None }
    }

    fn add(&mut self, value: Option<Backed>, probability: f32) {
        let Some(child) = value else {
            self.all_known = false;
            return;
        };
        self.all_certain &= child.certain;
        self.mean += probability * child.value;
        let sign = if self.turn == Turn::Player(Side::Second) { -1.0 } else { 1.0 };
        if self.best.is_none_or(|best| sign * child.value > sign * best.value) {
            self.best = Some(child);
        }
        if child.certain && sign * child.value >= 1.0 && self.turn != Turn::Chance {
            self.won = Some(child);
        }
    }

    fn value(&self) -> Option<Backed> {
        if self.won.is_some() {
            return self.won;
        }
        if !self.all_known {
            return None;
        }
        let value = if self.turn == Turn::Chance { self.mean } else { self.best?.value };
        Some(Backed { value, certain: self.all_certain })
    }
}
