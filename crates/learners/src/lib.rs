//! The five learning methods, one folder each, the papers' comparators, and the registry of all minds.

pub mod actr;
pub mod coevolution;
pub mod concepts;
pub mod contexts;
pub mod nhb;
pub mod open;
pub mod registry;
mod search_minds;
pub mod zoo;
