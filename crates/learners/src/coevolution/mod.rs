//! Coevolution of networks by individual and social learning (Yaakob and Mahdin).
//!
//! | module         | of the paper                                                                              |
//! |----------------|-------------------------------------------------------------------------------------------|
//! | `network`      | section 3: the 42–14–1 network, equations 1 and 2                                         |
//! | `individual`   | section 3.1: pairs of parent and offspring                                                |
//! | `social`       | section 3.2: the round robin, the central pool and its scores                             |
//! | `settings`     | its numbers, what it leaves open, the switches beyond it                                  |
//! | `connect_four` | minimax with alpha-beta on bitboards, the first layer summed stone by stone               |
//! | `evaluator`    | the network as heuristic of the general search, and its reasons                           |
//! | `contest`      | games between two networks, of any game                                                   |
//! | `numeric`      | tanh, exp, ln and normal numbers that are the same bits everywhere                        |

pub mod connect_four;
pub mod contest;
pub mod evaluator;
mod individual;
mod learner;
mod network;
pub mod numeric;
mod settings;
mod social;

pub use individual::Pair;
pub use learner::Coevolution;
pub use network::{HIDDEN, LANES, Player, Sums, output};
pub use settings::Settings;
pub use social::{Pool, Published, Round};
