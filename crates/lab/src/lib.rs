//! The lab: train anything, keep every run, and regenerate a paper's tables beside the paper's own figures.
//!
//! # How a paper's experiment plugs in
//!
//! One file a paper in `crates/lab/src/papers/`, one line in [`papers::all`]. The file implements
//! [`Experiment`]: it names its units of work, runs one of them, and assembles the outcomes of all into a
//! [`PaperResult`]. Spreading units over cores, shards and machines, resuming, the JSON, the HTML report and the
//! Markdown are done for it.
//!
//! ```
//! use ludens_arena::{Options, Tournament, run};
//! use ludens_lab::{About, Cell, Experiment, LabError, Outcomes, PaperResult, Plan, Row, Scale, Table, Unit, UnitCtx};
//! use serde_json::{Value, json};
//!
//! /// Table 1 of the concepts paper, first line: a plain depth-1 player as x against a random one.
//! struct DepthOne;
//!
//! impl Experiment for DepthOne {
//!     fn about(&self) -> About {
//!         About { id: "depth-one", title: "A plain depth-1 player", citation: "Table 1, first line" }
//!     }
//!
//!     // Units are independent and have their own seeds. `plan.seeds_or(n)` is what --seeds says, else n.
//!     fn units(&self, plan: &Plan) -> Vec<Unit> {
//!         (0..plan.seeds_or(3)).map(|trial| plan.unit(format!("trial-{trial}"))).collect()
//!     }
//!
//!     // One unit on one thread: everything random comes from `ctx.seed()`. The outcome is any JSON.
//!     fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
//!         let games = match plan.scale { Scale::Smoke => 100, Scale::Quick => 400, Scale::Paper => 10_000 };
//!         let tournament =
//!             Tournament::new("tic-tac-toe", &["depth1", "random"]).games(games).opening_plies(0).seed(ctx.seed());
//!         let game = ctx.games().open("tic-tac-toe")?;
//!         let report = run(&*game, &tournament, &Options::threads(1), &|_| {})?;
//!         Ok(json!({ "as_x": report.pairings[0].tally.as_first }))
//!     }
//!
//!     // All outcomes are there: make the tables, figures, claims, deviations.
//!     fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
//!         let mut sums = [0u64; 3];
//!         for unit in self.units(plan) {
//!             let counts: [u64; 3] = outcomes.get_field(&unit.name, "as_x")?;
//!             (0..3).for_each(|i| sums[i] += counts[i]);
//!         }
//!         let games = sums.iter().sum();
//!         let cells = sums.iter().zip([0.8073, 0.1232, 0.0695]).map(|(&count, paper)| {
//!             Cell::share(count, games).paper_share(paper, 10_000).percent()
//!         });
//!         // Draws and losses follow from the wins: one cell of the row counts.
//!         let cells = cells.enumerate().map(|(index, cell)| if index > 0 { cell.dependent() } else { cell });
//!         let mut result = PaperResult::new(self.about(), plan);
//!         result.tables.push(
//!             Table::new("1", "Against a random player, as x", &["wins", "draws", "losses"])
//!                 .row(Row::new("no heuristic", cells)),
//!         );
//!         result.deviations.push("none".into());
//!         Ok(result)
//!     }
//! }
//!
//! let folder = tempfile::tempdir().unwrap();
//! let plan = Plan::new(Scale::Smoke, 1);
//! let games = ludens_core::Games::new(ludens_learners::standard::Standard::new().close(), Default::default());
//! let done =
//!     ludens_lab::reproduce(&DepthOne, &games, &plan, folder.path(), &Default::default(), &|_| {}).unwrap();
//! let result = done.result.unwrap();
//! assert!((result.tables[0].rows[0].cells[0].ours.unwrap() - 0.81).abs() < 0.1);
//! assert!(folder.path().join("report.html").exists());
//! ```

#![warn(missing_docs)]

pub mod agreement;
mod cell;
pub mod check;
pub mod claims;
mod clock;
pub mod database;
pub mod docs;
mod engine;
mod experiment;
pub mod explain;
pub mod faithfulness;
mod figure;
mod folder;
pub mod gallery;
mod home;
pub mod humans;
pub mod levels;
mod made;
pub mod measured;
pub mod papers;
pub mod registered;
pub mod report;
mod result;
pub mod runs;
mod sample;
pub mod stats;
pub mod train;
pub mod zoo;

pub use cell::Cell;
pub use claims::{PaperClaim, Verdict};
pub use engine::{Finished, Options, Part, Progress, Shard, merge, plan_of, reproduce, units_in};
pub use experiment::{About, Experiment, Outcomes, Plan, Scale, Unit, UnitCtx};
pub use figure::{Figure, FigureKind, Heat, Point, Role, Series};
pub use home::Home;
pub use made::Made;
pub use result::{Claim, PaperResult, Row, Table};
pub use sample::Sample;

use std::path::PathBuf;

use ludens_arena::ArenaError;
use ludens_core::{MindError, ModelError, OpenError, Stopped, TableError};
use thiserror::Error;

/// Why the lab could not do something.
#[derive(Debug, Error)]
pub enum LabError {
    /// A file cannot be read or written.
    #[error("cannot use {path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The folder holds another reproduction.
    #[error(
        "{path} belongs to another reproduction ({difference}): give the same settings to go on with it, or another --out"
    )]
    OtherPlan {
        /// The folder.
        path: PathBuf,
        /// What is not the same.
        difference: String,
    },
    /// A file is not whole.
    #[error(
        "{path} is damaged: {problem}. Delete it and run the same command again: only that part is repeated"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file of records of people's moves that cannot be read as one.
    #[error(
        "{path} is no file of moves of people: {problem}. `ludens humans --help` says what one looks like"
    )]
    Records {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Two parts have different outcomes of one unit.
    #[error(
        "the parts disagree about {unit}: they were made by different versions of Ludens; run them again with one"
    )]
    PartsDisagree {
        /// The name of the unit.
        unit: String,
    },
    /// No unit of that name in a reproduction.
    #[error("there is no unit called {name:?}; `ludens units PAPER` lists them")]
    UnknownUnit {
        /// The name asked for.
        name: String,
    },
    /// No paper of that name is in the catalogue.
    #[error("there is no experiment called {name:?}; there are {known}")]
    UnknownPaper {
        /// The name as it was given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A text that names no part.
    #[error("{text:?} is not a part: write i/n with i from 1 to n, for example 2/3")]
    Shard {
        /// The text as it was given.
        text: String,
    },
    /// A unit's outcome lacks a value.
    #[error("the outcome of unit {unit} has no usable {what}: delete its file under units/ and run again")]
    Outcome {
        /// The name of the unit.
        unit: String,
        /// The value that is missing.
        what: String,
    },
    /// A unit could not be run.
    #[error("unit {unit}: {problem}")]
    Unit {
        /// The name of the unit.
        unit: String,
        /// What went wrong.
        problem: String,
    },
    /// The name of the home cannot be kept with its runs.
    #[error(
        "the name of the folder {path} is not UTF-8 text, which the store of runs needs: give another with --home"
    )]
    HomeName {
        /// The folder.
        path: PathBuf,
    },
    /// There is nowhere to keep runs.
    #[error("this platform names no data folder: give one with --home FOLDER")]
    NoHome,
    /// The database of runs does not answer.
    #[error(
        "cannot use the store of runs {path}: {source}. Is the folder writable, the disk full? --home FOLDER names another"
    )]
    Store {
        /// The database.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The database of runs is not one any more.
    #[error(
        "the store of runs {path} is damaged ({source}): `ludens runs check` makes it again from the folders of the runs, --home FOLDER names another home"
    )]
    DamagedStore {
        /// The database.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The database of runs has a later layout than this program knows.
    #[error("{path} was made by a newer Ludens: use that one, or another --home")]
    NewerStore {
        /// The database.
        path: PathBuf,
    },
    /// No run has this number.
    #[error("there is no run {id}; `ludens runs` lists them")]
    UnknownRun {
        /// The number.
        id: i64,
    },
    /// A run without models of its past.
    #[error("run {run} has no ladder of models: only a training leaves one; `ludens runs` lists them")]
    NoLadder {
        /// The number of the run.
        run: i64,
    },
    /// Two processes would write to one folder.
    #[error("another process works in {folder}: wait for it, or stop it")]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The checkpoint is of another training.
    #[error("{path} belongs to another training: begin a new run with `ludens train`")]
    OtherTraining {
        /// The checkpoint.
        path: PathBuf,
    },
    /// The user stopped it.
    #[error("stopped; the same command goes on where it was")]
    Stopped,
    /// A tournament could not be played.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// A mind cannot be made or cannot decide.
    #[error(transparent)]
    Mind(MindError),
    /// A model cannot be read, written or used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The game is not known or cannot be loaded.
    #[error(transparent)]
    Game(#[from] OpenError),
    /// Something went wrong at a table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

impl LabError {
    /// Any other problem, in its own words.
    pub fn other(problem: impl ToString) -> LabError {
        LabError::Other(problem.to_string())
    }

    /// What SQLite says about the store: it does not answer, or it is damaged.
    pub(crate) fn store(path: &std::path::Path, source: rusqlite::Error) -> LabError {
        match source.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => {
                LabError::DamagedStore { path: path.into(), source }
            }
            _ => LabError::Store { path: path.into(), source },
        }
    }

    pub(crate) fn file(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> LabError + use<> {
        let path = path.to_path_buf();
        move |source| LabError::File { path, source }
    }
}

impl From<MindError> for LabError {
    fn from(error: MindError) -> LabError {
        match error {
            // Nobody is to blame: the user wants to leave.
            MindError::Stopped(Stopped::Asked) => LabError::Stopped,
            other => LabError::Mind(other),
        }
    }
}

impl From<Stopped> for LabError {
    fn from(stopped: Stopped) -> LabError {
        MindError::from(stopped).into()
    }
}
