//! NHB, the neural heuristic based player of Ghignone and Cancelliere: alpha-beta search with a heuristic learnt online from the
//! player's own matches. See `docs/learners/nhb.md`.
//!
//! | module        | what lives there                                                       | paper |
//! |---------------|------------------------------------------------------------------------|-------|
//! | `tree`, `node` | alpha-beta with iterative deepening on a tree that is kept             | 2     |
//! | `ludens_elm`  | the network, its online training, its size by cross validation          | 3, 3.1, 4.2 |
//! | `examples`    | what is learnt from: finished games, propagation, ramp, consistency     | 4     |
//! | `matches`     | matches, tests                                                          | 4.2, 5 |
//! | `judge`       | the network in play, random and untrained opponents, hand-made tables   | 5     |
//! | `leaf`        | the judge in the common alpha-beta                                      | –     |
//! | `league`      | players of the Othello League, from their files                         | –     |
//! | `learner`, `cycles` | learning: the training procedure                                  | 4.2   |
//! | `player`      | deciding: the search with what was learnt, and with what was not        | 2     |
//! | `heuristic`   | what is learnt: the paper's hidden units, or our runs of cells          | 3     |
//! | `reasons`, `memory`, `line` | explaining: why a move                                    | –     |
//! | `entry`, `settings` | how the catalogue finds it; what can be set                       | –     |
//!
//! What goes beyond the paper is in `beyond::nhb_improved`.

mod cycles;
pub mod entry;
pub mod examples;
pub mod heuristic;
pub mod judge;
pub mod leaf;
pub mod league;
mod learner;
mod line;
pub mod matches;
mod memory;
mod node;
mod player;
mod reasons;
pub mod settings;
pub mod tree;

pub use learner::{NAME, Nhb};
pub use player::Judged;
