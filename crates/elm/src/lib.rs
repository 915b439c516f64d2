//! Networks with a random hidden layer (extreme learning machines) and the least squares that train them: section 3 of the paper on NHB, see
//! `docs/learners/nhb.md`. Nothing here knows what a game is.
//!
//! | module        | what lives there                                              |
//! |---------------|---------------------------------------------------------------|
//! | `os_elm`      | the network, its normal equations, its online training        |
//! | `hidden_size` | its size by cross validation                                  |
//! | `sparse`      | normal equations of features of which few are active at a time |
//! | `logistic`    | the function of the hidden units                              |

#![warn(missing_docs)]

pub mod hidden_size;
pub mod logistic;
pub mod os_elm;
mod sparse;

pub use hidden_size::{HiddenSize, HiddenSizeSearch};
pub use logistic::logistic;
pub use os_elm::{DEFAULT_RIDGE, HiddenLayer, NormalEquations, OsElm};
