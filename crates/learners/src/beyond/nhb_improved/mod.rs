//! Beyond NHB: straight runs of cells as features, self-play with drawn moves, members that play each other.
//!
//! | module       | what lives there                                                      |
//! |--------------|-----------------------------------------------------------------------|
//! | `entry`      | how the catalogue finds it                                            |
//! | `cycle`      | the matches of a training step                                        |
//! | `patterns`   | straight runs of cells as features, and their table for the search    |
//! | `population` | several that learn side by side and judge by the mean of their weights |
//!
//! Settings, learner, player and reasons are those of `nhb`: a training can mix the paper's points with ours one by one, and the
//! switches for that are fields of its `Settings` and branches of its one step. To take them apart would be a second learner with the same code.

mod cycle;
pub mod entry;
pub mod patterns;
mod population;

pub use patterns::{PatternTable, Patterns};
pub(crate) use population::Population;

/// The name in the catalogue.
pub const NAME: &str = "nhb-improved";
