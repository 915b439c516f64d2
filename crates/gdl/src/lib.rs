//! Games from rules in the Game Description Language.
pub mod error;
pub mod game_network;
pub mod ground;
pub mod join;
pub mod network;
pub mod normal;
pub mod relations;
pub mod scc;
pub mod sexpr;
pub mod strata;
pub mod syntax;
pub mod terms;
