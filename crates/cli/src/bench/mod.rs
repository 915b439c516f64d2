//! `ludens bench`: rates per CPU-second of one thread, so that a loaded machine tells the same story.
//! One module a subject; each prints rows of the same form.

mod actr;
mod coevolution;
mod contexts;
mod explain;
mod games;
mod gdl;
mod nhb;
mod policy;
mod search;
mod solver;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write;

use clap::ValueEnum;
use cpu_time::ThreadTime;
use ludens_catalogue::House;
use serde::Serialize;

use crate::interrupt;
use crate::out::Out;

/// Measure speed, in units per CPU-second on one thread.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  ludens bench\n  ludens bench games --seconds 2\n  ludens bench search --json"
)]
pub struct Args {
    /// What to measure (everything if left out)
    #[arg(value_enum)]
    pub subject: Option<Subject>,
    /// CPU-seconds a row
    #[arg(long, default_value_t = 1.0)]
    pub seconds: f64,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A file of positions, where the subject takes one
    #[arg(long)]
    pub file: Option<std::path::PathBuf>,
    /// With `policy --file`: whose first moves are judged, any mind or model of Connect Four
    #[arg(long, requires = "file")]
    pub mind: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Subject {
    /// Playouts of every game of the list; perft and endgames of Reversi
    Games,
    /// UCT and alpha-beta on every game of the list
    Search,
    /// The Connect Four solver; with --file on positions of yours
    Solver,
    /// Training of the context networks
    Contexts,
    /// The search-free ranker of Connect Four moves as an orderer of searches; with --file the first moves of it, or of any --mind
    Policy,
    /// The evolved networks inside their search, and the paper's run
    Coevolution,
    /// Load times and playouts of games from rules
    Gdl,
    /// OS-ELM and the cross validation of its size, beside plain programs
    Nhb,
    /// Backgammon games and queries of the declarative memory
    Actr,
    /// The same decisions without reasons, with them, and put into words
    Explain,
}

/// One measured rate.
#[derive(Debug, Serialize)]
pub struct Row {
    pub name: String,
    /// Units done per CPU-second.
    pub rate: f64,
    pub unit: &'static str,
    pub cpu_seconds: f64,
    /// Floor and goal of the project for this work, where it has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<f64>,
    /// Anything else worth reading.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The numbers of the note, for programs.
    #[serde(flatten)]
    pub figures: BTreeMap<&'static str, f64>,
}

impl Row {
    /// Runs `work` (which says how many units it did) until `seconds` of CPU time are spent.
    pub fn measure(
        name: impl Into<String>,
        unit: &'static str,
        seconds: f64,
        mut work: impl FnMut() -> u64,
    ) -> Row {
        let Ok(row) = Row::try_measure(name, unit, seconds, || Ok::<u64, Infallible>(work()));
        row
    }

    /// The same for work that may fail.
    pub fn try_measure<E>(
        name: impl Into<String>,
        unit: &'static str,
        seconds: f64,
        mut work: impl FnMut() -> Result<u64, E>,
    ) -> Result<Row, E> {
        work()?; // warm up
        let began = ThreadTime::now();
        let mut units = 0;
        loop {
            units += work()?;
            let cpu_seconds = began.elapsed().as_secs_f64();
            if cpu_seconds >= seconds {
                return Ok(Row::of(name, unit, units as f64 / cpu_seconds, cpu_seconds));
            }
        }
    }

    pub fn of(name: impl Into<String>, unit: &'static str, rate: f64, cpu_seconds: f64) -> Row {
        Row {
            name: name.into(),
            rate,
            unit,
            cpu_seconds,
            floor: None,
            goal: None,
            note: String::new(),
            figures: BTreeMap::new(),
        }
    }

    #[must_use]
    pub fn against(mut self, floor: f64, goal: f64) -> Row {
        self.floor = Some(floor);
        self.goal = Some(goal);
        self
    }
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let subjects = match args.subject {
        Some(subject) => vec![subject],
        None => Subject::value_variants().to_vec(),
    };
    interrupt::advise("the rows printed so far stand");
    let mut all = Vec::new();
    for subject in subjects {
        let rows: Vec<Row> = match subject {
            Subject::Games => games::rows(house, args)?,
            Subject::Search => search::rows(house, args)?,
            Subject::Solver => solver::rows(args)?,
            Subject::Contexts => contexts::rows(args)?,
            Subject::Policy => policy::rows(house, args)?,
            Subject::Coevolution => coevolution::rows(args)?,
            Subject::Gdl => gdl::rows(args)?,
            Subject::Nhb => nhb::rows(args)?,
            Subject::Actr => actr::rows(house, args)?,
            Subject::Explain => explain::rows(house, args)?,
        };
        if !args.json {
            print(&rows, out)?;
        }
        all.extend(rows);
    }
    if args.json {
        out.json(&all)?;
    }
    Ok(())
}

fn print(rows: &[Row], out: &mut Out) -> anyhow::Result<()> {
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).min(crate::draw::WIDEST);
    for row in rows {
        let against = match (row.floor, row.goal) {
            (Some(floor), Some(goal)) => {
                format!("  {:.2} × floor, {:.2} × goal", row.rate / floor, row.rate / goal)
            }
            _ => String::new(),
        };
        writeln!(out, "{:width$}  {:>10} {}/s{against}  {}", row.name, human(row.rate), row.unit, row.note)?;
    }
    out.flush()?;
    Ok(())
}

/// 1234567 → 1.23 M
fn human(rate: f64) -> String {
    match rate {
        r if r >= 1e9 => format!("{:.2} G", r / 1e9),
        r if r >= 1e6 => format!("{:.2} M", r / 1e6),
        r if r >= 1e3 => format!("{:.2} k", r / 1e3),
        r => format!("{r:.2}"),
    }
}
