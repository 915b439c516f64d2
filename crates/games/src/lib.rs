//! The games, one file each, and the registry that finds them by name.

pub mod backgammon;
pub mod connect_four;
pub mod line;
mod registry;
pub mod reversi;
pub mod symmetry;
pub mod tictactoe;

pub use registry::{GameEntry, Named, TypeVisitor, UnknownGame, all, with_game, with_type};
