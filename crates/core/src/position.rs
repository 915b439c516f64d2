//! One position whose game's type nobody needs to know: what a program sees that steps through games move by move.

use std::fmt;
use std::sync::Arc;

use crate::{Board, Game, IllegalMove, Move, Playout, Rng, Side, Turn};

/// A position together with its rules.
pub trait Position: Send + Sync {
    /// The name of the game.
    fn game_id(&self) -> String;
    /// Who moves, or how the game has ended.
    fn turn(&self) -> Turn;
    /// Replaces `out` by the legal moves of the player whose turn it is.
    fn moves(&self, out: &mut Vec<Move>);
    /// Replaces `out` by the outcomes of a chance node with their probabilities.
    fn chance(&self, out: &mut Vec<(Move, f32)>);
    /// Plays a move or an outcome that is known to be legal.
    fn apply(&mut self, mv: Move);
    /// Plays a move or an outcome after checking that it is legal.
    fn play(&mut self, mv: Move) -> Result<(), IllegalMove>;
    /// The legal move that people write so.
    fn find(&self, label: &str) -> Result<Move, IllegalMove>;
    /// A legal move as people write it.
    fn label(&self, mv: Move) -> String;
    /// The squares a legal move speaks of.
    fn cells(&self, mv: Move) -> Vec<u16>;
    /// The position as text.
    fn text(&self) -> String;
    /// The position as people see it.
    fn board(&self) -> Board;
    /// Replaces `out` by the inputs of a network, as `side` sees them.
    fn encode(&self, side: Side, out: &mut Vec<f32>);
    /// One random game from here to its end.
    fn playout(&mut self, rng: &mut Rng) -> Playout;
    /// Another one, the same.
    fn duplicate(&self) -> Box<dyn Position>;
}

impl fmt::Debug for dyn Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position").field("game", &self.game_id()).field("text", &self.text()).finish()
    }
}

/// The [`Position`] of a game whose type is known.
pub struct PositionOf<G: Game> {
    game: Arc<G>,
    state: G::State,
}

impl<G: Game> PositionOf<G> {
    /// A state of `game`.
    pub fn new(game: Arc<G>, state: G::State) -> PositionOf<G> {
        PositionOf { game, state }
    }
}

impl<G: Game> fmt::Debug for PositionOf<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PositionOf").field("state", &self.state).finish()
    }
}

impl<G: Game> Position for PositionOf<G> {
    fn game_id(&self) -> String {
        self.game.id()
    }
    fn turn(&self) -> Turn {
        self.game.turn(&self.state)
    }
    fn moves(&self, out: &mut Vec<Move>) {
        self.game.moves(&self.state, out);
    }
    fn chance(&self, out: &mut Vec<(Move, f32)>) {
        self.game.chance(&self.state, out);
    }
    fn apply(&mut self, mv: Move) {
        self.game.apply(&mut self.state, mv);
    }
    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(&mut self.state, mv)
    }
    fn find(&self, label: &str) -> Result<Move, IllegalMove> {
        self.game.find_move(&self.state, label)
    }
    fn label(&self, mv: Move) -> String {
        self.game.label(&self.state, mv)
    }
    fn cells(&self, mv: Move) -> Vec<u16> {
        self.game.cells(&self.state, mv)
    }
    fn text(&self) -> String {
        self.game.text(&self.state)
    }
    fn board(&self) -> Board {
        self.game.board(&self.state)
    }
    fn encode(&self, side: Side, out: &mut Vec<f32>) {
        self.game.encode(&self.state, side, out);
    }
    fn playout(&mut self, rng: &mut Rng) -> Playout {
        self.game.playout(&mut self.state, rng)
    }
    fn duplicate(&self) -> Box<dyn Position> {
        Box::new(PositionOf { game: self.game.clone(), state: self.state.clone() })
    }
}
