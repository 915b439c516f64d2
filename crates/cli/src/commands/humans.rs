//! `ludens humans`

use std::io::Write;
use std::path::PathBuf;

use ludens_lab::humans::{Foretold, Settings, foretell, foretell_others, read};
use ludens_lab::stats::Mean;

use crate::out::Out;

/// Foretell what people play at four-in-a-row on 4×9, and say which patterns move them.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The file is a CSV with a heading and a line a move: game, ply, colour (black or white), black and white (36 noughts
and ones, row by row), move (0 to 35), response_ms, player, fold. Every fold is foretold from the others.

Examples:
  ludens humans four_in_a_row_4x9.csv
  ludens humans some_people.csv --test other_people.csv
  ludens humans four_in_a_row_4x9.csv --patterns 90
  ludens humans four_in_a_row_4x9.csv --json")]
pub struct Args {
    /// The moves of people
    file: PathBuf,
    /// Other moves of people: the weights are fitted to the first file and tested on this one
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// How many patterns to show, strongest first
    #[arg(long, default_value_t = 16)]
    patterns: usize,
    /// What large shared weights cost
    #[arg(long, default_value_t = Settings::default().shared)]
    shared: f64,
    /// What it costs a person to be different
    #[arg(long, default_value_t = Settings::default().personal)]
    personal: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let settings = Settings { shared: args.shared, personal: args.personal, ..Settings::default() };
    let fitted = read(&args.file)?;
    let mut foretold = match &args.test {
        Some(path) => foretell_others(&fitted, &read(path)?, &settings),
        None => foretell(&fitted, &settings),
    };
    foretold.weights.truncate(args.patterns);
    if args.json { out.json(&foretold) } else { show(&foretold, args.test.is_some(), out) }
}

fn show(foretold: &Foretold, others: bool, out: &mut Out) -> anyhow::Result<()> {
    let Foretold { moves, people, folds, .. } = foretold;
    let from = if others { "from the other file".into() } else { format!("in {folds} folds") };
    writeln!(out, "{moves} moves of {people} people, foretold {from}; nats a move, mean over people\n")?;
    let mut line = |name: &str, mean: &Mean| {
        writeln!(out, "  {name:34} {:.3}  ({:.3} to {:.3})", mean.mean, mean.interval.low, mean.interval.high)
    };
    line("chance: any empty square", &foretold.chance)?;
    line("patterns, the same for everybody", &foretold.shared)?;
    if !others {
        line("patterns, with personal deviations", &foretold.personal)?;
    }
    writeln!(out, "\nThe likeliest square is played in {:.1} % of moves.", 100.0 * foretold.first_choice)?;
    writeln!(out, "\nWhat moves people, in nats of preference")?;
    for (words, weight) in &foretold.weights {
        writeln!(out, "  {weight:+6.2}  {words}")?;
    }
    Ok(())
}
