//! Search, generic over the game. See each module's own page.

mod simple;

pub use simple::{DepthOne, Random};
