//! Beyond ACT-R: free of the chunk limit, still 1,000 games: three networks that see the board and the insights of `actr_improved` (for
//! which all rolls are looked at, and paid for), and that rehearse.
//!
//! Half the games are against pubeval, half against itself. All games are remembered; after each one, remembered games are
//! gone through again, and once more at length when the last game is played. Every rehearsal is counted.
//!
//! | module     | what lives there                                                         |
//! |------------|--------------------------------------------------------------------------|
//! | `entry`    | how the catalogue finds it                                               |
//! | `settings` | how it plays and rehearses                                               |
//! | `learner`  | learning: a game, then remembered ones again                             |
//! | `player`   | deciding: the best chances by its networks; races by rule                |
//! | `reasons`  | explaining: the chances it would lose without an insight                 |

pub mod entry;
mod learner;
mod player;
pub(crate) mod reasons;
mod settings;

pub use learner::{NAME, Rehearsed};
pub use settings::Settings;
