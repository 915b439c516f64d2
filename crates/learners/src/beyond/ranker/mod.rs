//! Beyond contexts: our own search-free ranker of Connect Four moves. It judges each move by second-level contexts (what the move means, as a
//! set of tokens a person can read) and learns to order moves from perfect labels.
//!
//! | module       | what lives there                                                              |
//! |--------------|-------------------------------------------------------------------------------|
//! | `entry`      | how the catalogue finds it                                                    |
//! | `settings`   | how it learns                                                                 |
//! | `learner`    | learning: an epoch through labelled positions, the simple ones first          |
//! | `player`     | deciding: the column of the highest preference                                |
//! | `reasons`    | explaining: the tokens that weighed most                                      |
//! | `tokens`     | second-level contexts of a move, in words                                     |
//! | `moves`      | the network on them; `moves/gradient` checks its step                         |
//! | `chunks`     | pairs of tokens it finds and makes tokens of their own (P3)                   |
//! | `postulates` | what P1, P3 and P4 of the paper bring to it                                   |
//! | `order`      | the ranker as the orderer of the solver's moves                               |
//! | `shipped`    | the ranker that comes with the program                                        |

mod chunks;
pub mod entry;
mod learner;
pub mod moves;
mod order;
mod player;
pub mod postulates;
mod reasons;
mod settings;
mod shipped;
mod tokens;

pub use chunks::Chunks;
pub use learner::{NAME, RankerLearner};
pub use moves::MoveRanker;
pub use order::SolverOrder;
pub use settings::Settings;
pub use shipped::move_ranker;
pub use tokens::Token;
