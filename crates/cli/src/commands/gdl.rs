//! `ludens gdl`: games from rules, checked, shown, counted and played at random.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use ludens_gdl::check::Severity;
use ludens_gdl::reports::{self, Loaded, PlayoutReport, ShowReport};
use ludens_gdl::syntax::Rules;
use ludens_gdl::{Limits, PlayoutOptions, perft};

use crate::input;
use crate::out::{Out, Usage};

/// Games from rules in the Game Description Language.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens gdl check rules.kif
  ludens gdl show rules.kif
  ludens gdl perft rules.kif --depth 4
  ludens gdl playouts rules.kif --count 1000000
  ludens play rules.kif --against uct")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// List what is wrong with the rules
    Check {
        /// A file of rules; - reads from the standard input
        file: PathBuf,
        #[arg(long)]
        json: bool,
    },
    /// Show roles, domains, board and the size of the network
    Show {
        /// A file of rules; - reads from the standard input
        file: PathBuf,
        #[arg(long)]
        json: bool,
    },
    /// Count joint-move sequences, distinct states and terminal ones for every depth
    Perft {
        /// A file of rules; - reads from the standard input
        file: PathBuf,
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=1000))]
        depth: u32,
        /// Give up when one depth has more distinct states than this
        #[arg(long, default_value_t = 20_000_000)]
        state_limit: usize,
        #[arg(long)]
        json: bool,
    },
    /// Play random games on the bit-parallel machine
    Playouts {
        /// A file of rules; - reads from the standard input
        file: PathBuf,
        #[arg(long, default_value_t = 100_000)]
        count: u64,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Cut games longer than this
        #[arg(long, default_value_t = 2_000)]
        step_cap: u32,
        #[arg(long)]
        json: bool,
    },
}

/// The text of a rule file (`-`: of the standard input), refused if it is no such thing.
pub fn read(file: &Path) -> anyhow::Result<String> {
    if input::is_stdin(file) {
        return Ok(input::text(file)?);
    }
    Ok(ludens_gdl::read_rules(file).map_err(|error| Usage(error.to_string()))?)
}

pub fn load(file: &Path) -> anyhow::Result<Loaded> {
    load_text(file, &read(file)?)
}

fn load_text(file: &Path, text: &str) -> anyhow::Result<Loaded> {
    reports::load(text, &Limits::default()).map_err(|e| Usage(format!("{}: {e}", file.display())).into())
}

pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    match &args.action {
        Action::Check { file, json } => check(file, *json, out),
        Action::Show { file, json } => {
            let report = reports::show(&load(file)?);
            if *json { out.json(&report) } else { print_show(&report, out) }
        }
        Action::Perft { file, depth, state_limit, json } => {
            let loaded = load(file)?;
            let levels = perft(&mut loaded.description.reasoner()?, *depth, *state_limit)?;
            if *json {
                return out.json(&levels);
            }
            writeln!(
                out,
                "{:>5} {:>16} {:>16} {:>16} {:>16}",
                "depth", "paths", "states", "ended paths", "ended states"
            )?;
            for l in levels {
                writeln!(
                    out,
                    "{:>5} {:>16} {:>16} {:>16} {:>16}",
                    l.depth, l.paths, l.distinct_states, l.terminal_paths, l.terminal_distinct
                )?;
            }
            Ok(())
        }
        Action::Playouts { file, count, seed, step_cap, json } => {
            let loaded = load(file)?;
            let options = PlayoutOptions { count: *count, seed: *seed, step_cap: *step_cap };
            let report = reports::playouts(&loaded.description, &options)?;
            if *json { out.json(&report) } else { print_playouts(&report, out) }
        }
    }
}

fn check(file: &Path, json: bool, out: &mut Out) -> anyhow::Result<()> {
    let text = read(file)?;
    let limits = Limits::default();
    let found = Rules::parse(&text, &limits).map(|rules| ludens_gdl::check::check(&rules));
    let report = found.map_err(|e| Usage(format!("{}: {e}", file.display())))?;
    if json {
        out.json(&report)?;
    } else {
        for f in &report.findings {
            let what = if f.severity == Severity::Error { "error" } else { "warning" };
            match f.at {
                Some(at) => writeln!(out, "{what}: {at}: {}", f.what)?,
                None => writeln!(out, "{what}: {}", f.what)?,
            }
        }
    }
    if let Some(error) = report.first_error() {
        return Err(Usage(format!("{}: {error}", file.display())).into());
    }
    // Stratification is decided on the ground rules.
    let loaded = load_text(file, &text)?;
    if !json {
        let how = match loaded.description.grounded() {
            Ok(_) => "grounded".to_string(),
            Err(e) => format!("not grounded ({e}); the lifted evaluator plays it"),
        };
        writeln!(out, "{}: sound, {how}, loaded in {:.3} CPU-seconds", file.display(), loaded.cpu_seconds)?;
    }
    Ok(())
}

fn print_show(report: &ShowReport, out: &mut Out) -> anyhow::Result<()> {
    writeln!(out, "roles      {}", report.roles.join(", "))?;
    writeln!(out, "loaded in  {:.3} CPU-seconds", report.load_cpu_seconds)?;
    if let Some(why) = &report.not_grounded {
        writeln!(out, "machine    lifted evaluator: {why}")?;
        return Ok(());
    }
    writeln!(out, "facts      {}", report.facts)?;
    let moves: Vec<String> = report.moves.iter().map(ToString::to_string).collect();
    writeln!(out, "moves      {}", moves.join(", "))?;
    for d in &report.domains {
        let shorten = |values: &Vec<String>| match values.len() {
            0..=10 => values.join(" "),
            n => format!("{} … {} ({n})", values[..3].join(" "), values[n - 1]),
        };
        let args: Vec<String> = d.arguments.iter().map(shorten).collect();
        writeln!(out, "  {} × {}: {}", d.relation, d.facts, args.join(" | "))?;
    }
    if let Some(n) = &report.network {
        writeln!(
            out,
            "network    {} gates, {} wires, {} loops from {} ground rules",
            n.gates, n.wires, n.loops, n.ground_rules
        )?;
        writeln!(
            out,
            "parts      terminal {}, legal {}, next {}, goals {} operations",
            n.terminal_ops, n.legal_ops, n.next_ops, n.goal_ops
        )?;
    }
    match (&report.board, &report.not_a_game_for_two) {
        (Some(b), _) => {
            writeln!(
                out,
                "board      {} × {}, {:?}: `{}`, column is argument {}, row is argument {}",
                b.width, b.height, b.layout, b.relation, b.column_argument, b.row_argument
            )?;
            let pieces: Vec<String> = b.pieces.iter().map(|p| format!("{} {}", p.glyph, p.name)).collect();
            writeln!(out, "pieces     {}", pieces.join(", "))?;
            let sizes: Vec<String> =
                b.contexts.iter().map(|(size, n)| format!("{n} of {size} cells")).collect();
            writeln!(out, "contexts   {}", if sizes.is_empty() { "none".into() } else { sizes.join(", ") })?;
        }
        (None, Some(why)) => writeln!(out, "board      none: {why}")?,
        (None, None) => writeln!(out, "board      none was found in the rules")?,
    }
    Ok(())
}

fn print_playouts(report: &PlayoutReport, out: &mut Out) -> anyhow::Result<()> {
    writeln!(
        out,
        "{} playouts on the {} machine in {:.3} CPU-seconds: {:.0} playouts/s, {:.0} state changes/s",
        report.playouts,
        report.machine,
        report.cpu_seconds,
        report.playouts_per_second,
        report.state_changes_per_second
    )?;
    if report.capped + report.stuck > 0 {
        writeln!(out, "{} cut as too long, {} where a role had no move", report.capped, report.stuck)?;
    }
    let l = report.length;
    writeln!(
        out,
        "length {:.3} (95 %: {:.3} to {:.3}), from {} to {}",
        l.mean,
        l.low,
        l.high,
        report.shortest.unwrap_or(0),
        report.longest
    )?;
    for g in &report.goals {
        writeln!(
            out,
            "{:12} goal {:.3} (95 %: {:.3} to {:.3})",
            g.role, g.goal.mean, g.goal.low, g.goal.high
        )?;
    }
    Ok(())
}
