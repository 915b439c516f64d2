//! Coevolution of networks by individual and social learning (Yaakob and Mahdin).
//!
//! | module         | of the paper                                                                              |
//! |----------------|-------------------------------------------------------------------------------------------|
//! | `entry`        | how the catalogue finds it                                                                |
//! | `settings`     | its numbers, what it leaves open, the switches beyond it                                  |
//! | `learner`      | learning: the run, a generation a step                                                    |
//! | `player`       | deciding: minimax with the champion's network                                             |
//! | `reasons`      | explaining: what each input adds, in words                                                |
//! | `network`      | section 3: the 42–14–1 network, equations 1 and 2                                         |
//! | `individual`   | section 3.1: pairs of parent and offspring                                                |
//! | `social`       | section 3.2: the round robin, the central pool and its scores                             |
//! | `connect_four` | minimax with alpha-beta on bitboards, the first layer summed stone by stone; `game` a game |
//! | `evaluator`    | the network as heuristic of the general search                                            |
//! | `measure`      | section 4: all-play-all, strength, blocking two adjacent stones                            |
//! | `contest`      | games between two networks, of any game                                                   |
//! | `numeric`      | tanh, exp, ln and normal numbers that are the same bits everywhere                        |
//!
//! What goes beyond the paper is in `beyond::coevolution_improved`.

pub mod connect_four;
pub mod contest;
pub mod entry;
mod evaluator;
mod game;
mod individual;
mod learner;
pub mod measure;
mod network;
mod numeric;
mod player;
mod reasons;
mod settings;
mod social;
#[cfg(test)]
mod tests;

pub use individual::Pair;
pub use learner::{Coevolution, NAME};
pub use network::{HIDDEN, LANES, Player, Sums, output};
pub use settings::{Inputs, Settings};
pub use social::{Pool, Published, Round};
