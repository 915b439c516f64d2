//! Beyond concepts: few of them, chosen by what they say about winning, instead of all of them by how often they are seen.
//!
//! | module      | what lives there                                                      |
//! |-------------|-----------------------------------------------------------------------|
//! | `entry`     | how the catalogue finds it                                            |
//! | `select`    | the selection: what a candidate adds to the likelihood of the results |
//! | `feature`   | candidates: patterns in a line and their names                        |
//! | `ideas`     | candidates: material, places and mobility                             |
//! | `heuristic` | the chosen concepts in the leaves of a search                         |
//!
//! Settings, learner, player and reasons are those of the published method: a choice of `kind` among its `Parameters`.

pub mod entry;
mod feature;
mod heuristic;
mod ideas;
mod select;

pub use feature::{Feature, Hold};
pub use heuristic::ConceptHeuristic;
pub use ideas::Idea;
pub(crate) use select::mobility_of;
pub use select::{Chosen, Settings, concepts_of, rules_for, select};

/// The name in the catalogue.
pub const NAME: &str = "concepts-selected";
