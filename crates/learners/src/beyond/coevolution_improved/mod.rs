//! Beyond coevolution: counts as inputs, recombination, random openings, comparisons before copying.
//!
//! | module     | what lives there                                     |
//! |------------|------------------------------------------------------|
//! | `entry`    | how the catalogue finds it                           |
//! | `lines`    | the 69 lines of four as inputs                       |
//! | `features` | what a person would count as inputs                  |
//!
//! Settings, learner, player and reasons are those of `coevolution`: recombination, openings and comparisons are switches of its one step, so
//! that each can be measured against the paper's run by itself. To take them apart would be a second run with the same code.

pub mod entry;
mod features;
mod lines;

pub(crate) use features::{Counted, feature_inputs, notion};
pub use features::{FEATURES, FeatureNet};
pub use lines::{LINES, LineNet};
pub(crate) use lines::{line_inputs, lines};

/// The name in the catalogue.
pub const NAME: &str = "coevolution-improved";
