//! The games, one file each, and the registry that finds them by name.

pub mod backgammon;
mod registry;
pub mod tictactoe;

pub use registry::{GameEntry, Named, UnknownGame, all, with_game};
