//! A position of the tree of NHB's search, and what a search finds.

use ludens_core::{Move, Side};

/// A position of the tree. Values are as `view` sees them: the side to move, or at a chance node the side that did
/// not move last.
#[derive(Clone, Debug)]
pub struct Node<S> {
    /// The position.
    pub state: S,
    /// Who looks at it.
    pub view: Side,
    pub(crate) over: bool,
    /// Whether dice are to be thrown.
    pub chance: bool,
    /// The move that led here and, below a chance node, its probability.
    pub mv: Move,
    /// How likely it is, below a chance node.
    pub probability: f32,
    /// The judge's value, or the score of a finished game.
    pub judged: f32,
    /// The newest value the search has found; a bound where it was cut off.
    pub value: f32,
    /// `value` follows from finished games alone.
    pub settled: bool,
    pub(super) first_child: u32,
    pub(super) children: u32,
    pub(super) best: Option<Move>,
}

impl<S> Node<S> {
    #[inline]
    pub(crate) fn expanded(&self) -> bool {
        self.children > 0
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The move to play.
    pub mv: Move,
    /// As the side to move sees it.
    pub value: f32,
    /// The last whole iteration.
    pub depth: u32,
}
