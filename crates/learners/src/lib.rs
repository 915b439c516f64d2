//! The five published learning methods, one folder each of the same shape; what we invented beside them, in `beyond`; and the
//! lists of who plays what.
//!
//! A folder has an `entry` (how the catalogue finds it), `settings`, `learner` (learning and deciding) and `reasons` (explaining),
//! and beside them what its method needs.

pub mod actr;
pub mod beyond;
pub mod citations;
pub mod coevolution;
pub mod concepts;
pub mod contexts;
pub mod nhb;
pub mod registry;
pub mod rules;
mod search_minds;
pub mod standard;
