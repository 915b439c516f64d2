//! The games, one file each, and the list of them.

#![warn(missing_docs)]

pub mod backgammon;
pub mod connect_four;
pub mod line;
mod registry;
pub mod reversi;
pub mod symmetry;
pub mod tictactoe;

pub use registry::bare;
