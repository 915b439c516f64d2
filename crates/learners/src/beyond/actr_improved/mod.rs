//! Beyond ACT-R: our best with fewer than 50 chunks and 1,000 games. No play is looked beyond, but it
//! has what the paper's player has not: 48 features of an expert, and all rolls looked at for hits, which its cost counts.
//!
//! Each chunk is one thing a practised player sees (module `insights`, points a side may have made, and what the same thing
//! is worth to the one who leads the race) with its odds. A position brings a chunk to mind in a degree, and the chunk then
//! counts with its odds raised to that degree; all of them multiply, as in equation 5. After a game the odds of every chunk
//! move in the degree of its match, by how much the next position (in the end, the outcome) surprised: the long way of
//! counting wins and losses. What is kept in the end is the mean of the odds over the last seven tenths of the games: single games
//! push them to and fro.
//!
//! | module     | what lives there                                              |
//! |------------|---------------------------------------------------------------|
//! | `entry`    | how the catalogue finds it                                    |
//! | `settings` | steps and shares of the learning                              |
//! | `learner`  | learning: a game against pubeval, gone through backwards      |
//! | `player`   | deciding: the position with the highest odds                  |
//! | `reasons`  | explaining: each chunk's part in the odds                     |
//! | `chunks`   | the 48 chunks and in what degree a position has them          |
//! | `insights` | what a practised player sees                                  |

mod chunks;
pub mod entry;
pub mod insights;
mod learner;
pub(crate) mod player;
mod reasons;
mod settings;

pub use chunks::CHUNKS;
pub use learner::{Improved, NAME};
pub use settings::Settings;
