//! ACT-R-Gammon (paper 004): backgammon from fewer than 50 remembered chunks, its opponents and its comparators.

mod blending;
pub mod duel;
pub mod insights;
pub mod memory;
pub mod net;
pub mod pubeval;
mod pubeval_weights;
