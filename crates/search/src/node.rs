//! The inside of alpha-beta: one decision's nodes, with a buffer for every ply and nothing allocated once
//! these have grown.
//!
//! For the true value v of a node searched with the window (α, β), the returned value r keeps
//!
//! ```text
//!     r ≤ α      ⇒  v ≤ r        no move reached the window
//!     α < r < β  ⇒  v = r
//!     r ≥ β      ⇒  v ≥ r        cut: the other side would not come here
//! ```

use ludens_core::{Game, Meter, Move, Side, Turn};

use crate::heuristic::{Child, Heuristic};
use crate::transposition::{Bound, Transpositions};

/// The budget ran out inside the node; its value is unknown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spent;

/// A value as the side to move sees it, and whether no heuristic was asked for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub value: f32,
    pub complete: bool,
}

/// The buffers of one ply.
#[derive(Clone, Debug)]
pub(crate) struct Ply<S, T> {
    pub moves: Vec<Move>,
    /// Slots that are reused; the first `count` are the children of the node at hand.
    pub children: Vec<Child<S, T>>,
    pub count: usize,
    values: Vec<f32>,
    /// The first `count` children, the one to try first in front, with its value beforehand.
    pub order: Vec<(f32, u32)>,
    pub outcomes: Vec<(Move, f32)>,
    /// The best line from here, and the position at its end.
    pub line: Vec<Move>,
    pub leaf: Option<S>,
    /// The move that cut most recently at this ply.
    pub killer: Move,
}

impl<S, T> Default for Ply<S, T> {
    fn default() -> Self {
        Ply {
            moves: Vec::new(),
            children: Vec::new(),
            count: 0,
            values: Vec::new(),
            order: Vec::new(),
            outcomes: Vec::new(),
            line: Vec::new(),
            leaf: None,
            killer: Move(u32::MAX),
        }
    }
}

/// The plies a search may reach, whose buffers are made as they are needed.
pub(crate) type Plies<S, T> = Vec<Ply<S, T>>;

/// One decision.
#[derive(Debug)]
pub(crate) struct Walk<'a, G: Game, H: Heuristic<G>> {
    pub game: &'a G,
    pub heuristic: &'a mut H,
    pub meter: &'a mut Meter,
    pub table: &'a mut Transpositions,
    /// Look positions up in the table.
    pub use_table: bool,
    /// Keep the position at the end of each line, for the reasons.
    pub keep_leaf: bool,
}

/// Nodes this deep or deeper are kept in the table; below, looking is dearer than searching again.
const TABLE_FROM: u32 = 2;

impl<G: Game, H: Heuristic<G>> Walk<'_, G, H> {
    /// The value of a position as `side` sees it, who need not be the one to move.
    pub fn value_for(
        &mut self,
        plies: &mut [Ply<G::State, H::Trace>],
        at: (&G::State, &H::Trace, Turn),
        side: Side,
        depth: u32,
        window: (f32, f32),
    ) -> Result<Found, Spent> {
        let (state, trace, turn) = at;
        match turn {
            Turn::Over(score) => {
                self.end_line(plies, state);
                Ok(Found { value: self.heuristic.final_value(score.of(side)), complete: true })
            }
            _ if depth == 0 || plies.len() < 2 => {
                self.end_line(plies, state);
                let value = self.heuristic.value(self.game, state, trace, side);
                Ok(Found { value, complete: false })
            }
            Turn::Player(mover) if mover == side => self.player(plies, (state, trace), side, depth, window),
            Turn::Player(mover) => {
                let (alpha, beta) = window;
                let found = self.player(plies, (state, trace), mover, depth, (-beta, -alpha))?;
                Ok(Found { value: -found.value, complete: found.complete })
            }
            Turn::Chance => self.chance(plies, (state, trace), side, depth),
        }
    }

    #[inline]
    fn end_line(&self, plies: &mut [Ply<G::State, H::Trace>], state: &G::State) {
        if let Some(here) = plies.first_mut() {
            here.line.clear();
            if self.keep_leaf {
                here.leaf = Some(state.clone());
            }
        }
    }

    /// A node where `side` moves and `depth` is at least 1.
    fn player(
        &mut self,
        plies: &mut [Ply<G::State, H::Trace>],
        at: (&G::State, &H::Trace),
        side: Side,
        depth: u32,
        (alpha, beta): (f32, f32),
    ) -> Result<Found, Spent> {
        if depth < TABLE_FROM {
            return if H::BATCH {
                self.batched_frontier(plies, at, side)
            } else {
                self.frontier(plies, at, side, depth, (alpha, beta))
            };
        }
        if !self.use_table {
            self.expand(&mut plies[0], at, side, Move(u32::MAX))?;
            return Ok(self.best_child(plies, side, depth, (alpha, beta))?.0);
        }
        let key = Transpositions::key(at.0);
        let mut first = Move(u32::MAX);
        if let Some(entry) = self.table.get(key) {
            let usable = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= beta,
                Bound::Upper => entry.value <= alpha,
            };
            let searched = u32::from(entry.depth);
            if usable && (searched == depth || (entry.complete && searched < depth)) {
                let found = Found { value: entry.value, complete: entry.complete };
                self.end_line(plies, at.0);
                return Ok(found);
            }
            first = entry.best;
        }
        self.expand(&mut plies[0], at, side, first)?;
        let (found, best) = self.best_child(plies, side, depth, (alpha, beta))?;
        let bound = match found.value {
            value if value >= beta => Bound::Lower,
            value if value <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        self.table.put(key, depth as u16, found.value, bound, found.complete, best);
        Ok(found)
    }

    /// Goes through the expanded children in their order.
    fn best_child(
        &mut self,
        plies: &mut [Ply<G::State, H::Trace>],
        side: Side,
        depth: u32,
        (mut alpha, beta): (f32, f32),
    ) -> Result<(Found, Move), Spent> {
        let Some((here, below)) = plies.split_first_mut() else { return Err(Spent) };
        let mut best = Found { value: f32::NEG_INFINITY, complete: true };
        let mut best_move = Move(u32::MAX);
        for place in 0..here.count {
            let child = &here.children[here.order[place].1 as usize];
            let at = (&child.state, &child.trace, child.turn);
            let found = self.value_for(below, at, side, depth - 1, (alpha, beta))?;
            best.complete &= found.complete;
            if found.value > best.value {
                best.value = found.value;
                best_move = child.mv;
                if found.value > alpha || place == 0 {
                    extend_line(&mut here.line, &mut here.leaf, child.mv, &mut below[0], self.keep_leaf);
                }
                alpha = alpha.max(found.value);
                if alpha >= beta {
                    break;
                }
            }
        }
        Ok((best, best_move))
    }

    /// The last ply: children one by one, up to the first that cuts.
    fn frontier(
        &mut self,
        plies: &mut [Ply<G::State, H::Trace>],
        at: (&G::State, &H::Trace),
        side: Side,
        depth: u32,
        (mut alpha, beta): (f32, f32),
    ) -> Result<Found, Spent> {
        let Some((here, below)) = plies.split_first_mut() else { return Err(Spent) };
        self.game.moves(at.0, &mut here.moves);
        if let Some(place) = here.moves.iter().position(|&mv| mv == here.killer) {
            here.moves[..=place].rotate_right(1);
        }
        let mut best = Found { value: f32::NEG_INFINITY, complete: true };
        here.line.clear();
        for place in 0..here.moves.len() {
            let mv = here.moves[place];
            self.make_child(here, 0, at, mv)?;
            let child = &here.children[0];
            let below_at = (&child.state, &child.trace, child.turn);
            let found = self.value_for(below, below_at, side, depth - 1, (alpha, beta))?;
            best.complete &= found.complete;
            if found.value > best.value {
                best.value = found.value;
                if found.value > alpha || place == 0 {
                    extend_line(&mut here.line, &mut here.leaf, mv, &mut below[0], self.keep_leaf);
                }
                alpha = alpha.max(found.value);
                if alpha >= beta {
                    here.killer = mv;
                    break;
                }
            }
        }
        Ok(best)
    }

    /// The last ply for heuristics that judge all children at once.
    fn batched_frontier(
        &mut self,
        plies: &mut [Ply<G::State, H::Trace>],
        at: (&G::State, &H::Trace),
        side: Side,
    ) -> Result<Found, Spent> {
        let here = &mut plies[0];
        self.expand(here, at, side, Move(u32::MAX))?;
        let (value, chosen) = here.order[0];
        let complete = here.children[..here.count].iter().all(|child| child.turn.is_over());
        let child = &here.children[chosen as usize];
        here.line.clear();
        here.line.push(child.mv);
        if self.keep_leaf {
            here.leaf = Some(child.state.clone());
        }
        Ok(Found { value, complete })
    }

    /// Applies every move, judges the results and puts them in order: `first` in front, then by what the
    /// heuristic says, then as the game lists them.
    pub fn expand(
        &mut self,
        here: &mut Ply<G::State, H::Trace>,
        at: (&G::State, &H::Trace),
        side: Side,
        first: Move,
    ) -> Result<(), Spent> {
        self.game.moves(at.0, &mut here.moves);
        here.count = 0;
        for place in 0..here.moves.len() {
            let mv = here.moves[place];
            self.make_child(here, place, at, mv)?;
            here.count += 1;
        }
        self.judge(here, side, first);
        Ok(())
    }

    /// Fills `order` for the children made so far.
    pub fn judge(&mut self, here: &mut Ply<G::State, H::Trace>, side: Side, first: Move) {
        let children = &here.children[..here.count];
        self.heuristic.values(self.game, children, side, &mut here.values);
        here.order.clear();
        for (index, child) in children.iter().enumerate() {
            let value = match child.turn {
                Turn::Over(score) => self.heuristic.final_value(score.of(side)),
                _ => here.values[index],
            };
            let mut place = here.order.len();
            here.order.push((value, index as u32));
            while place > 0 && here.order[place - 1].0 < value {
                here.order.swap(place - 1, place);
                place -= 1;
            }
        }
        if let Some(place) = here.order.iter().position(|&(_, index)| children[index as usize].mv == first) {
            here.order[..=place].rotate_right(1);
        }
    }

    /// Pays for a move and plays it into slot `place`.
    #[inline]
    pub fn make_child(
        &mut self,
        here: &mut Ply<G::State, H::Trace>,
        place: usize,
        (state, trace): (&G::State, &H::Trace),
        mv: Move,
    ) -> Result<(), Spent> {
        if !self.meter.visit() {
            return Err(Spent);
        }
        if here.children.len() <= place {
            here.children.push(Child {
                mv,
                state: state.clone(),
                turn: Turn::Chance,
                trace: H::Trace::default(),
            });
        } else {
            here.children[place].state.clone_from(state);
        }
        let child = &mut here.children[place];
        child.mv = mv;
        self.game.apply(&mut child.state, mv);
        child.turn = self.game.turn(&child.state);
        self.heuristic.advance(self.game, (state, trace), mv, &child.state, &mut child.trace);
        Ok(())
    }
}

/// The line from here: `mv`, then the line from below.
fn extend_line<S: Clone, T>(
    line: &mut Vec<Move>,
    leaf: &mut Option<S>,
    mv: Move,
    below: &mut Ply<S, T>,
    keep_leaf: bool,
) {
    line.clear();
    line.push(mv);
    line.extend_from_slice(&below.line);
    if keep_leaf {
        leaf.clone_from(&below.leaf);
    }
}
