//! Every native game by name. Adding a game is one file and one line in `games!`.

use std::any::TypeId;
use std::sync::Arc;

use ludens_core::{Game, GameVisitor};
use thiserror::Error;

/// What a list of games shows.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// The name on the command line; for a family of games its most usual member.
    pub id: &'static str,
    pub title: &'static str,
    pub summary: &'static str,
    /// What a position text looks like, with an example.
    pub position_format: &'static str,
}

/// A game that can be made from its name.
pub trait Named: Game + Sized {
    const ENTRY: GameEntry;

    /// The game called `name`, if it is this one or of this family.
    fn from_name(name: &str) -> Option<Self>;
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "there is no game called {name:?}; `ludens games` lists them, and a file of GDL rules (.kif) is a game too"
)]
pub struct UnknownGame {
    pub name: String,
}

/// Code that is to be compiled once for each registered game, in the crate that calls [`with_type`], however many crates
/// use its result.
pub trait TypeVisitor {
    type Out;
    fn visit<G: Game>(self) -> Self::Out;
}

macro_rules! games {
    ($($game:ty),* $(,)?) => {
        /// The games, in the order in which they were added.
        pub fn all() -> Vec<GameEntry> {
            vec![$(<$game as Named>::ENTRY),*]
        }

        /// Runs `visitor` for the registered game of this type, if it is one.
        pub fn with_type<V: TypeVisitor>(id: TypeId, visitor: V) -> Option<V::Out> {
            $(if id == TypeId::of::<$game>() {
                return Some(visitor.visit::<$game>());
            })*
            None
        }

        /// Runs `visitor` on the game called `name`, with its concrete type.
        pub fn with_game<V: GameVisitor>(name: &str, visitor: V) -> Result<V::Out, UnknownGame> {
            $(if let Some(game) = <$game as Named>::from_name(name) {
                return Ok(visitor.visit(Arc::new(game)));
            })*
            Err(UnknownGame { name: name.into() })
        }
    };
}

games! {
    crate::tictactoe::TicTacToe,
    crate::connect_four::ConnectFour,
    crate::reversi::Reversi,
    crate::backgammon::Backgammon,
    crate::line::Line,
    crate::line::Gravity,
}
