//! ACT-R-Gammon: backgammon from fewer than 50 remembered chunks, its opponents and its comparators.
//!
//! | module      | what lives there                                                          |
//! |-------------|---------------------------------------------------------------------------|
//! | `memory`    | the declarative memory of ACT-R, on its own                               |
//! | `odds`      | the paper's memory of features with odds, equations 1, 2 and 4            |
//! | `features`  | attack, expose, block                                                     |
//! | `published` | the player of the paper                                                   |
//! | `insights`  | what a practised player sees: the slots of the improved players           |
//! | `improved`  | our best within the paper's limits                                        |
//! | `rehearsed` | our best within 1,000 games                                               |
//! | `td`, `hc`  | the comparators of the paper's table 1                                    |
//! | `pubeval`   | Tesauro's benchmark player, the opponent                                  |
//! | `gnubg`     | GNU Backgammon over its socket, and our minds as its external player      |
//! | `lines`     | the odds memory on any board game                                         |
//! | `concept_features` | explicit concepts as features for it                        |
//! | `net`       | the value network of the comparators                                      |
//! | `duel`      | whole games at full speed                                                 |

mod blending;
mod concept_features;
pub mod duel;
pub mod entry;
pub mod episode;
pub mod features;
pub mod gnubg;
pub mod hc;
pub mod improved;
pub mod insights;
pub mod lines;
pub mod memory;
pub mod net;
pub mod odds;
pub mod pubeval;
mod pubeval_weights;
pub mod published;
pub mod race;
pub mod rehearsed;
pub mod td;
pub mod value_player;

use ludens_core::{Combine, Move, Ranking, Reason, Side};
use ludens_games::backgammon::Position;

/// The squares of the board of points as `mover` counts them.
fn cells(mover: Side, points: &[u8]) -> Vec<u16> {
    let cell = |&point: &u8| match mover {
        Side::First => u16::from(point) - 1,
        Side::Second => 24 - u16::from(point),
    };
    points.iter().filter(|point| (1..=24).contains(*point)).map(cell).collect()
}

/// The ranking of a race, which all players of this folder that have a racing rule share.
fn rank_race(state: &Position, plays: &[Move], explain: bool) -> Ranking {
    let mut ranking = Ranking::of(plays.iter().map(|&mv| (mv, f64::from(race::worth(state, mv)))));
    if explain {
        ranking.summary = "a race: men off, then home, then pips, without waste".into();
        ranking.unit = "racing rule".into();
        ranking.combine = Combine::Sum;
        for candidate in &mut ranking.moves {
            let text = "no contact is left: play by the racing rule";
            candidate.reasons.push(Reason::rule(text, candidate.value, vec![]));
        }
    }
    ranking
}
