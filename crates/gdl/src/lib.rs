//! Games from rules in the Game Description Language (GDL, written in KIF).
//!
//! [`Description::load`] reads, checks and grounds rules; then there are three machines:
//!
//! | machine | module | for |
//! |---|---|---|
//! | incremental, one state | [`machine`] | search: [`Reasoner`] is its front |
//! | bit-parallel, 512 playouts at once | [`lanes`], [`choice`], [`playouts`] | statistics |
//! | lifted, from the rules themselves | [`lifted`], [`prover`] | games too large to ground, and as a check |
//!
//! The way of a text: [`sexpr`] → [`syntax`] → [`check`] → [`normal`] → [`ground`] (over [`strata`],
//! [`join`], [`relations`]) → [`network`], [`game_network`] → the machines.

#![warn(missing_docs)]

mod agenda;
pub mod agreement;
pub mod board;
pub mod check;
pub mod choice;
pub mod contexts;
pub mod corpus;
mod decompose;
mod dependence;
mod equal;
pub mod error;
pub mod facts;
pub mod game;
pub mod game_network;
pub mod ggp;
pub mod ground;
pub mod join;
pub mod lanes;
pub mod lifted;
pub mod machine;
pub mod network;
pub mod normal;
pub mod observe;
pub mod perft;
pub mod playouts;
mod prepared;
pub mod prover;
pub mod reasoner;
pub mod recorded;
pub mod relations;
pub mod reports;
pub mod scc;
pub mod sexpr;
pub mod strata;
pub mod syntax;
pub mod tally;
pub mod terms;
pub mod wiring;

pub use error::{GdlError, Limits, Position};
pub use game::{GdlGame, GdlState, is_rule_file, read_rules};
pub use game_network::GameNetwork;
pub use machine::Machine;
pub use perft::{PerftLevel, joint_moves, perft};
pub use playouts::{Lanes, PlayoutOptions, Tally, Trace, random_playouts};
pub use reasoner::{Action, Description, Grounded, Reasoner, State};
