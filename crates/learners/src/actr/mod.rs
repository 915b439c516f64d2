//! ACT-R-Gammon: backgammon from fewer than 50 remembered chunks, its opponent and its comparators.
//!
//! | module         | what lives there                                                          |
//! |----------------|---------------------------------------------------------------------------|
//! | `entry`        | how the catalogue finds it                                                |
//! | `settings`     | what the text leaves open                                                 |
//! | `reading`      | what of that is no number, as twists that can be combined                 |
//! | `learner`      | learning: a game, and its outcome counted for every feature               |
//! | `player`       | deciding: the product of the odds, a Boltzmann choice                     |
//! | `reasons`      | explaining: features and the chunks they bring to mind                    |
//! | `memory`       | the declarative memory of ACT-R, on its own                               |
//! | `slots`, `blending` | what its chunks hold; its inner loops                                |
//! | `odds`         | the paper's memory of features with odds, equations 1, 2 and 4            |
//! | `features`     | attack, expose, block                                                     |
//! | `linear`       | the same features as a plain sum, to find what they can reach             |
//! | `race`         | the rule for races                                                        |
//! | `pubeval`      | Tesauro's benchmark player, the opponent                                  |
//! | `td`, `hc`     | the comparators of the paper's table 1                                    |
//! | `net`, `value_player`, `episode` | what the comparators are made of                          |
//! | `gnubg`        | GNU Backgammon over its socket, and our minds as its external player      |
//! | `duel`         | whole games at full speed                                                 |
//!
//! What goes beyond the paper is in `beyond`: `actr_improved`, `actr_rehearsed`, and `odds` on any board.

mod blending;
pub mod duel;
pub mod entry;
pub(crate) mod episode;
pub mod features;
pub mod gnubg;
pub mod hc;
mod learner;
pub mod linear;
pub mod memory;
pub(crate) mod net;
pub mod odds;
mod player;
pub mod pubeval;
mod pubeval_weights;
pub(crate) mod race;
pub mod reading;
pub(crate) mod reasons;
mod settings;
mod slots;
pub mod td;
pub(crate) mod value_player;

pub use learner::{ActR, NAME};
pub use settings::Settings;
