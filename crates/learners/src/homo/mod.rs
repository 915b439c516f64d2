//! Homo ludens: one player that learns as the five papers say together. It sees a board as local patterns that the rules make decisive and
//! that it shares under symmetry (contexts), finds its own in play (concepts), keeps them with their odds (actr), judges by weights learnt online
//! from its own searches (nhb), learns from the simple to the hard, and on request from siblings (coevolution).
//!
//! | module        | what lives there                                           |
//! |---------------|------------------------------------------------------------|
//! | `entry`       | how the catalogue finds it                                 |
//! | `settings`    | what can be set; every part can be taken away              |
//! | `eye`         | seeing: what lies on a cell, contexts, images of the board |
//! | `ripe`        | a second look: cells that would complete something         |
//! | `foresight`   | what is decided before anything is moved                   |
//! | `contents`    | a context with its contents, and what is the same          |
//! | `chunks`      | the hierarchy: forms, places, pairs                        |
//! | `active`      | what is active in a position, and what it adds up to       |
//! | `judgement`   | the sum of the weights, and how they are learnt            |
//! | `inclination` | what a move looks like before it is made                   |
//! | `growth`      | new pairs where the judgement errs                         |
//! | `watching`    | random games: kinds, symmetries, first odds                |
//! | `whole`       | at dice: the view of the whole, a hidden layer             |
//! | `own_games`   | its own games, also in its head, and what they teach       |
//! | `look`        | looking ahead                                              |
//! | `learner`     | learning: a round a step, siblings                         |
//! | `keeping`     | the model, and what is carried over to another game        |
//! | `player`      | deciding                                                   |
//! | `reasons`     | explaining                                                 |
//! | `inside`      | what it remembers, for people to look at                   |

mod active;
mod chunks;
mod contents;
pub mod entry;
mod eye;
mod foresight;
mod growth;
mod inclination;
mod inside;
mod judgement;
mod keeping;
mod learner;
mod look;
mod own_games;
mod player;
mod reasons;
mod ripe;
mod settings;
#[cfg(test)]
mod tests;
mod watching;
mod whole;

pub use keeping::carried;
pub use learner::{Homo, NAME};
pub use settings::Settings;
