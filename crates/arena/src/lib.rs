//! Minds against minds: matches, gauntlets and round robins of any game, dice games included.
//!
//! Games come in pairs. The two games of a pair share their random opening and their dice and swap the
//! seats, so that neither luck nor the first move favours anyone. Every pair has its own random streams, derived from
//! (seed, pair), and results are folded in the order of the pairs: the report and the record file are the same
//! bytes for any number of threads, and after any interruption.
//!
//! ```
//! use ludens_arena::{Options, Tournament, run};
//! use ludens_core::{Games, Zoo};
//! use ludens_learners::standard::{Standard, zoo};
//!
//! let games = Games::new(Standard::new().close(), zoo());
//! let game = games.open("tic-tac-toe").unwrap();
//! let tournament = Tournament::new("tic-tac-toe", &["depth1", "random"]).games(200).seed(1);
//! let report = run(&*game, &tournament, &Options::default(), &|_| {}).unwrap();
//! assert_eq!(report.games, 200);
//! assert!(report.standings[0].score > 0.6, "{}", report.table());
//! ```
//!
//! | module     | what lives there                                                       |
//! |------------|------------------------------------------------------------------------|
//! | `config`   | [`Tournament`]: everything a result depends on, as one value           |
//! | `play`     | one game, one pair                                                     |
//! | `record`   | the record file: append-only, checksummed, every game replayable       |
//! | `run`      | the pairs spread over threads, folded in order                         |
//! | `tally`    | win/draw/loss and pentanomial counts                                   |
//! | `sprt`     | the pentanomial sequential probability ratio test                      |
//! | `elo`      | Bradley–Terry ratings with intervals                                   |
//! | `stats`    | normal and Student's distributions, Wilson's interval                  |
//! | `report`   | what people read: standings, pairings, the test                        |

#![warn(missing_docs)]

mod config;
pub mod elo;
mod play;
mod record;
mod report;
mod run;
pub mod sprt;
pub mod stats;
mod tally;

pub use config::{Format, Tournament};
pub use play::{GameRecord, PairRecord, ReplayedMove, replay};
pub use record::{RecordFile, read_record};
pub use report::{PairingReport, Report, Share, SprtReport, Standing, Status};
pub use run::{Options, Progress, RecordTo, Watch, play_pairs, report_pairs, run, run_in, run_with};
pub use sprt::{Sprt, SprtModel, Verdict};
pub use tally::Tally;

use std::path::PathBuf;

use ludens_core::{MindError, OpenError, PositionError};
use thiserror::Error;

/// Why a tournament could not be played.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// Fewer than two minds: so many were named.
    #[error("a tournament needs at least two minds, not {0}: name one more")]
    TooFewMinds(usize),
    /// A sequential test with another number of minds than two.
    #[error(
        "a sequential test compares exactly two minds, not {0}: name two, or leave the test out and give --games"
    )]
    SprtNeedsTwo(usize),
    /// Settings that do not fit, and what would.
    #[error("{0}")]
    Settings(String),
    /// The game is not known or cannot be loaded.
    #[error(transparent)]
    Game(#[from] OpenError),
    /// A mind is not known or cannot be made.
    #[error(transparent)]
    Mind(#[from] MindError),
    /// A position cannot be read.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A mind failed in the middle of a game.
    #[error("pair {pair} has no result: {mind} could not go on: {error}")]
    Failed {
        /// The name of the mind.
        mind: String,
        /// What it says.
        error: Box<MindError>,
        /// The number of the pair.
        pair: u32,
    },
    /// A mind broke the rules.
    #[error(
        "{mind} chose the illegal move {mv} in {position} of pair {pair}: this is a bug in the mind; replay with the same seed"
    )]
    IllegalChoice {
        /// The name of the mind.
        mind: String,
        /// The number of the move.
        mv: u32,
        /// Where it was chosen, as text.
        position: String,
        /// The number of the pair.
        pair: u32,
    },
    /// The file would be overwritten.
    #[error(
        "{path} already holds a tournament: give --resume to go on with it, or another name to begin a new one"
    )]
    RecordExists {
        /// The record.
        path: PathBuf,
    },
    /// The file is of another tournament.
    #[error(
        "{path} was begun with other settings ({difference}): give the same ones to resume it, or another name for a new one"
    )]
    OtherTournament {
        /// The record.
        path: PathBuf,
        /// What is not the same.
        difference: String,
    },
    /// The file is something else.
    #[error("{path} is not a record of the arena: {problem}. Give another name")]
    NotARecord {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The file cannot be read or written.
    #[error("cannot use the record {path}: {source}")]
    RecordFile {
        /// The record.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A recorded game breaks the rules or ends otherwise, and where.
    #[error("the record does not replay: {0}")]
    Replay(String),
    /// The system gives no threads.
    #[error("cannot start the threads: {0}")]
    Threads(String),
}
