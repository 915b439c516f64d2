//! ACT-R-Gammon (paper 004): backgammon from fewer than 50 remembered chunks, its opponents and its comparators.
//!
//! | module      | what lives there                                                          |
//! |-------------|---------------------------------------------------------------------------|
//! | `memory`    | the declarative memory of ACT-R, on its own                               |
//! | `odds`      | the paper's memory of features with odds, equations 1, 2 and 4            |
//! | `features`  | attack, expose, block                                                     |
//! | `published` | the player of the paper                                                   |
//! | `insights`  | what a practised player sees: the slots of the improved players           |
//! | `pubeval`   | Tesauro's benchmark player, the opponent                                  |
//! | `net`       | the value network of the comparators                                      |
//! | `duel`      | whole games at full speed                                                 |

mod blending;
pub mod duel;
pub mod features;
pub mod insights;
pub mod memory;
pub mod net;
pub mod odds;
pub mod pubeval;
mod pubeval_weights;
pub mod published;
pub mod race;
pub(crate) mod registry;

use ludens_core::Side;

/// The squares of the board of points as `mover` counts them.
fn cells(mover: Side, points: &[u8]) -> Vec<u16> {
    let cell = |&point: &u8| match mover {
        Side::First => u16::from(point) - 1,
        Side::Second => 24 - u16::from(point),
    };
    points.iter().filter(|point| (1..=24).contains(*point)).map(cell).collect()
}
