//! Coevolution of networks by individual and social learning (Yaakob and Mahdin).
//!
//! | module         | of the paper                                                                              |
//! |----------------|-------------------------------------------------------------------------------------------|
//! | `network`      | section 3: the 42–14–1 network, equations 1 and 2                                         |
//! | `individual`   | section 3.1: pairs of parent and offspring                                                |
//! | `social`       | section 3.2: the round robin, the central pool and its scores                             |
//! | `settings`     | its numbers, what it leaves open, the switches beyond it                                  |
//! | `connect_four` | minimax with alpha-beta on bitboards, the first layer summed stone by stone               |
//! | `lines`        | beyond the paper: lines of four as inputs                                                 |
//! | `features`     | beyond the paper: what a person would count as inputs                                     |
//! | `evaluator`    | the network as heuristic of the general search, and its reasons                           |
//! | `measure`      | section 4: all-play-all, strength, blocking two adjacent stones                            |
//! | `contest`      | games between two networks, of any game                                                   |
//! | `numeric`      | tanh, exp, ln and normal numbers that are the same bits everywhere                        |

pub mod connect_four;
pub mod contest;
pub mod entry;
pub mod evaluator;
pub mod features;
mod individual;
mod learner;
pub mod lines;
pub mod measure;
mod network;
pub mod numeric;
mod settings;
mod social;
#[cfg(test)]
mod tests;

pub use individual::Pair;
pub use learner::{Coevolution, IMPROVED};
pub use network::{HIDDEN, LANES, Player, Sums, output};
pub use settings::{Inputs, Settings};
pub use social::{Pool, Published, Round};
