//! The GGP protocol: matches between programs over HTTP, and a player and a server for it.
//!
//! | module | what |
//! |---|---|
//! | [`http`] | HTTP/1 with strict limits and time-outs |
//! | [`message`] | START, PLAY, STOP … read from KIF |
//! | [`search`] | UCT on joint moves, for any number of roles |
//! | [`player`] | answers a server, always before the clock |
//! | `thinker` | the threads of a match that think |
//! | [`server`] | plays a match between players and records it |

pub mod http;
pub mod message;
pub mod player;
pub mod search;
pub mod server;
mod thinker;

pub use player::{MindMaker, Player, PlayerOptions};
pub use search::JointSearch;
pub use server::{MatchOptions, MatchRecord, play_match};
