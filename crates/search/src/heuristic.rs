//! What a search asks of the leaves: a pluggable judgement of unfinished positions.

use std::fmt::Debug;

use ludens_core::words::{Judge, Scale};
use ludens_core::{Game, Move, Reason, Side, Turn};

/// A position as the search holds it: reached by `mv`, with what the heuristic carries along.
#[derive(Clone, Debug)]
pub struct Child<S, T> {
    /// The move that led here.
    pub mv: Move,
    /// The position.
    pub state: S,
    /// Who moves here, or how the game has ended.
    pub turn: Turn,
    /// What the heuristic carries along.
    pub trace: T,
}

/// The judgement of a position. A search is generic over it, so that nothing inside its nodes goes through a `dyn`.
///
/// An evaluator that can be updated from the parent's keeps its accumulator in [`Heuristic::Trace`]: the search
/// stores one beside every state on its stack and calls [`Heuristic::advance`] after each applied move. Nothing has to be
/// taken back, because the parent's trace is still there.
pub trait Heuristic<G: Game>: Send {
    /// Carried beside a state; `()` where every position is judged from scratch.
    type Trace: Clone + Default + Debug + Send;

    /// True: a search hands over all children of a node at once ([`Heuristic::values`]), also at the frontier where
    /// it could otherwise stop at a cut. Worth it where a batch is much cheaper than its members one by one.
    const BATCH: bool = false;

    /// How people call it.
    fn name(&self) -> String;

    /// The trace of a position from which a search starts.
    fn begin(&mut self, _game: &G, _state: &G::State, _trace: &mut Self::Trace) {}

    /// The trace of `after`, which `mv` made of `before`. `after_trace` holds anything.
    fn advance(
        &mut self,
        _game: &G,
        _before: (&G::State, &Self::Trace),
        _mv: Move,
        _after: &G::State,
        _after_trace: &mut Self::Trace,
    ) {
    }

    /// The worth of an unfinished position as `side` sees it, whoever is to move: strictly between the
    /// [`Heuristic::final_value`]s of a loss and a win, and the negative of what the other side sees.
    fn value(&mut self, game: &G, state: &G::State, trace: &Self::Trace, side: Side) -> f32;

    /// The worth of many children of one node, in their order; those of finished games may be anything.
    fn values(
        &mut self,
        game: &G,
        children: &[Child<G::State, Self::Trace>],
        side: Side,
        out: &mut Vec<f32>,
    ) {
        out.clear();
        for child in children {
            let value =
                if child.turn.is_over() { 0.0 } else { self.value(game, &child.state, &child.trace, side) };
            out.push(value);
        }
    }

    /// A final score (−1 to 1) on the scale of [`Heuristic::value`].
    #[inline]
    fn final_value(&self, score: f32) -> f32 {
        score
    }

    /// A value as people read it.
    fn shown(&self, value: f32) -> f64 {
        f64::from(value)
    }

    /// What a shown value means.
    fn scale(&self) -> Scale {
        Scale::Judgement
    }

    /// By what it judges, for a person.
    fn judge(&self) -> Judge {
        Judge::Own(self.name())
    }

    /// Judges as if these inputs were not there, see [`ludens_core::Mind::mute`].
    fn mute(&mut self, _muted: &dyn Fn(u32) -> bool) -> bool {
        false
    }

    /// The parts of the judgement of `state`, for a person. Cells are those of the board.
    fn terms(&mut self, _game: &G, _state: &G::State, _side: Side) -> Vec<Reason> {
        Vec::new()
    }
}

/// Knows nothing: every unfinished position is even.
#[derive(Clone, Copy, Default, Debug)]
pub struct Zero;

impl<G: Game> Heuristic<G> for Zero {
    type Trace = ();

    fn name(&self) -> String {
        "zero".into()
    }

    fn judge(&self) -> Judge {
        Judge::Nothing
    }

    #[inline]
    fn value(&mut self, _: &G, _: &G::State, (): &(), _: Side) -> f32 {
        0.0
    }
}
