//! Search, generic over the game.
//!
//! | module          | what lives there                                                                   |
//! |-----------------|------------------------------------------------------------------------------------|
//! | `simple`        | [`Random`] and [`DepthOne`]                                                         |
//! | `heuristic`     | [`Heuristic`]: the pluggable judgement of a position, incremental or in batches     |
//! | `alphabeta`     | [`AlphaBeta`]: iterative deepening, the root and the reasons                        |
//! | `node`          | the inside of it: per-ply buffers, windows, the frontier                            |
//! | `backward_deepening` | [`backward_deepening()`]: from the end of a match backwards, for examples      |
//! | `expectimax`    | chance nodes                                                                        |
//! | `transposition` | the table of positions seen in one decision                                         |
//! | `uct`           | [`Uct`]: a tree of averages, one random game a simulation                           |
//! | `guided`        | [`GuidedUct`]: the same with a heuristic that speaks first                   |
//! | `connect_four_labels` | positions with their score and best moves, as files                                 |
//! | `connect_four_solver` | the perfect Connect Four player, exact scores of any position                     |
//! | `hand`          | heuristics made by hand: lines, pieces, positional                                  |
//! | `reversi_endgame` | the last moves of Reversi, solved exactly                                      |
//! | `random_tree`   | [`RandomTree`]: the test double on which all of them must equal brute force         |

#![warn(missing_docs)]

pub mod alphabeta;
mod backward_deepening;
pub mod connect_four_labels;
pub mod connect_four_solver;
mod expectimax;
mod guided;
pub mod hand;
mod heuristic;
mod node;
mod random_tree;
pub mod reversi_endgame;
mod simple;
mod transposition;
mod uct;

pub use alphabeta::{AlphaBeta, Limits, RootMove};
pub use backward_deepening::{Backed, BackwardReport, backward_deepening};
pub use guided::GuidedUct;
pub use heuristic::{Child, Heuristic, Zero};
pub use random_tree::{Node as RandomNode, RandomTree};
pub use simple::{DepthOne, Random};
pub use uct::{Uct, UctSettings};
