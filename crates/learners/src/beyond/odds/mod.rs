//! Beyond ACT-R: the odds memory on any board game: its features are the contexts of the board, as the player who has just moved sees them.
//!
//! A feature is line⟨own, other's, open⟩ for every row of `length` squares that holds a stone; open is how many of
//! its empty squares the other could fill at once, so that a threat which hangs in the air is told from one that strikes.
//! With `features=concepts` the features are instead the patterns of the concepts paper, chosen in random games of the very game.
//! Chunks, odds, their product and the Boltzmann choice are those of the backgammon player.
//!
//! | module             | what lives there                                                     |
//! |--------------------|----------------------------------------------------------------------|
//! | `entry`            | how the catalogue finds it                                           |
//! | `settings`         | what is remembered, and how it is used                               |
//! | `learner`          | learning: a game against itself, counted for both sides              |
//! | `player`           | deciding: the product of the odds, a Boltzmann choice                |
//! | `reasons`          | explaining: the odds of every line or concept after a move           |
//! | `lines`            | the lines of a board as features                                     |
//! | `concept_features` | explicit concepts as features                                        |

mod concept_features;
pub mod entry;
mod learner;
mod lines;
mod player;
mod reasons;
mod settings;

pub use learner::{LineOdds, NAME};
pub use settings::{Features, Settings};
