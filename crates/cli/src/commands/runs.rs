//! `ludens runs`: everything that was trained and reproduced.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use indicatif::ProgressBar;
use ludens_catalogue::House;
use ludens_core::shown::cut_to;
use ludens_lab::check::{self, State};
use ludens_lab::levels::measure_run;
use ludens_lab::registered::Parameters;
use ludens_lab::runs::{Artefact, Metric, Run, Store};
use ludens_lab::{Home, LabError};
use serde::Serialize;
use serde_json::Value;

use crate::draw;
use crate::out::Out;

/// List the runs, look at one, compare two, export learning curves.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens runs
  ludens runs show 3
  ludens runs compare 3 4
  ludens runs levels 3               # the Elo of what it was after each part of its training
  ludens runs check                  # find what is damaged in the home, and mend it
  ludens runs export 3 --format csv > curve.csv")]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// The folder of all runs, instead of the platform's data folder
    #[arg(long, global = true)]
    home: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum What {
    /// One run: parameters, learning curve, artefacts
    Show { run: i64 },
    /// Two runs side by side
    Compare { a: i64, b: i64 },
    /// The player's levels, which are its own past: their Elo, measured in the arena and kept
    Levels {
        run: i64,
        /// Games of each pairing
        #[arg(long, default_value_t = 100)]
        games: u32,
    },
    /// Find what is damaged or lost in the home, and mend what can be mended without losing anything
    ///
    /// A lost or damaged runs.sqlite is made again from the folders of the runs; where both checkpoints of a training are damaged it goes on from
    /// its last readable level; temporary files of killed processes are removed. Damaged files are kept, with `.damaged` behind their names.
    /// Stop `ludens serve` on this home first.
    Check {
        /// Only say what would be done
        #[arg(long)]
        dry_run: bool,
    },
    /// The learning curve of a run, or of all
    Export {
        run: Option<i64>,
        #[arg(long, value_enum, default_value_t = Format::Csv)]
        format: Format,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Debug)]
enum Format {
    Csv,
    /// JSON lines
    Jsonl,
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let home = Home::open(args.home.as_deref())?;
    let store = || Store::open(&home);
    match &args.what {
        None => list(&store()?, args.json, out),
        Some(What::Show { run }) => show(&store()?, *run, args.json, out),
        Some(What::Compare { a, b }) => compare(&store()?, [*a, *b], args.json, out),
        Some(What::Levels { run, games }) => levels(house, &store()?.run(*run)?, *games, args.json, out),
        // The store itself may be what is damaged.
        Some(What::Check { dry_run }) => check(&home, !dry_run, args.json, out),
        Some(What::Export { run, format }) => export(&store()?, *run, *format, out),
    }
}

fn check(home: &Home, mend: bool, json: bool, out: &mut Out) -> anyhow::Result<()> {
    let found = check::check(home, mend)?;
    if json {
        out.json(&found)?;
    } else if found.is_empty() {
        writeln!(out, "{}: everything is in order", home.root().display())?;
    } else {
        for finding in &found {
            let state = match finding.state {
                State::Mended => "mended",
                State::Mendable => "to mend",
                State::Left => "for you",
            };
            writeln!(out, "{state:8} {finding}")?;
        }
    }
    out.flush()?;
    let open = found.iter().filter(|finding| finding.state != State::Mended).count();
    anyhow::ensure!(
        open == 0,
        "{open} of {} findings in {} are not mended",
        found.len(),
        home.root().display()
    );
    Ok(())
}

fn list(store: &Store, json: bool, out: &mut Out) -> anyhow::Result<()> {
    let runs = store.runs()?;
    if json {
        return out.json(&runs);
    }
    if runs.is_empty() {
        writeln!(out, "No runs yet. `ludens train LEARNER --game GAME` begins one.")?;
        return Ok(());
    }
    // A learner with its settings, or the name of a file, may be of any length; `runs show` has the whole.
    let name = |run: &Run| cut_to(&run.name, draw::WIDEST).into_owned();
    let game = |run: &Run| cut_to(game_of(run), draw::WIDEST).into_owned();
    let widest = |of: &dyn Fn(&Run) -> String| {
        runs.iter().map(|run| of(run).chars().count()).max().unwrap_or(0).max(4)
    };
    let (width, game_width) = (widest(&name), widest(&game));
    let head = format!(
        "{:>4}  {:9}  {:width$}  {:game_width$}  {:>15}  {:8}  {}",
        "run", "kind", "name", "game", "step", "status", "changed (UTC)"
    );
    writeln!(out, "{}", draw::styled(head, draw::FAINT))?;
    for run in &runs {
        let step = format!("{}/{}", run.step, run.steps);
        writeln!(
            out,
            "{:>4}  {:9}  {:width$}  {:game_width$}  {step:>15}  {:8}  {}",
            run.id,
            run.kind,
            name(run),
            game(run),
            run.status.name(),
            run.changed
        )?;
    }
    Ok(())
}

/// The game, a file of rules without its folders.
fn game_of(run: &Run) -> &str {
    run.game.rsplit('/').next().unwrap_or(&run.game)
}

fn levels(house: &House, run: &Run, games: u32, json: bool, out: &mut Out) -> anyhow::Result<()> {
    // A reproduction has no game of its own to open, and no ladder.
    if run.kind != "train" {
        return Err(LabError::NoLadder { run: run.id }.into());
    }
    let front = house.games.open(&Parameters::of(run)?.game(run))?;
    let bar = ProgressBar::new(0);
    let levels = measure_run(&*front, run, games, &|progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.games);
    });
    bar.finish_and_clear();
    let levels = levels?;
    if json {
        return out.json(&levels);
    }
    let title = format!("run {}: {} on {}", run.id, run.name, run.game);
    writeln!(out, "{}  (Elo 0 is a random player)", draw::styled(title, draw::STRONG))?;
    super::zoo::print_levels(&levels, out)
}

#[derive(Serialize)]
struct Shown {
    run: Run,
    metrics: Vec<Metric>,
    artefacts: Vec<Artefact>,
}

fn show(store: &Store, id: i64, json: bool, out: &mut Out) -> anyhow::Result<()> {
    let shown = Shown { run: store.run(id)?, metrics: store.metrics(id)?, artefacts: store.artefacts(id)? };
    if json {
        return out.json(&shown);
    }
    let run = &shown.run;
    let title = format!("run {}: {} {} on {}", run.id, run.kind, run.name, run.game);
    writeln!(out, "{}", draw::styled(title, draw::STRONG))?;
    writeln!(out, "  {} at step {} of {} {}", run.status.name(), run.step, run.steps, run.message)?;
    writeln!(out, "  seed {}, Ludens {}", run.seed, run.version)?;
    writeln!(out, "  {}; begun {}, changed {} UTC", run.host, run.started, run.changed)?;
    writeln!(out, "  {}", run.folder.display())?;
    writeln!(out, "  {}", run.parameters)?;
    for (name, curve) in curves(&shown.metrics) {
        let values: Vec<f64> = curve.iter().map(|(_, value)| *value).collect();
        let (Some((_, first)), Some((step, last))) = (curve.first(), curve.last()) else { continue };
        writeln!(out, "\n  {}  {first:.4} → {last:.4} at step {step}", draw::styled(&name, draw::STRONG))?;
        writeln!(out, "  {}", spark(&values, 60))?;
    }
    if !shown.artefacts.is_empty() {
        writeln!(out)?;
    }
    for artefact in &shown.artefacts {
        writeln!(out, "  {:20} {:>9} bytes  {}", artefact.name, artefact.bytes, artefact.checksum)?;
    }
    Ok(())
}

fn curves(metrics: &[Metric]) -> BTreeMap<String, Vec<(u64, f64)>> {
    let mut curves: BTreeMap<String, Vec<(u64, f64)>> = BTreeMap::new();
    for metric in metrics {
        curves.entry(metric.name.clone()).or_default().push((metric.step, metric.value));
    }
    curves
}

/// A curve in one line of text: means of `width` parts.
fn spark(values: &[f64], width: usize) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let parts = width.min(values.len());
    let means: Vec<f64> = (0..parts)
        .map(|part| {
            let slice = &values[part * values.len() / parts..(part + 1) * values.len() / parts];
            slice.iter().sum::<f64>() / slice.len().max(1) as f64
        })
        .collect();
    let low = means.iter().copied().fold(f64::INFINITY, f64::min);
    let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let block = |mean: &f64| {
        let share = if high > low { (mean - low) / (high - low) } else { 0.5 };
        BLOCKS[((share * 7.0).round() as usize).min(7)]
    };
    means.iter().map(block).collect()
}

#[derive(Serialize)]
struct Comparison {
    a: Run,
    b: Run,
    /// What differs: name, value in a, value in b.
    differences: Vec<(String, Value, Value)>,
    /// The last value of every measure.
    last: Vec<(String, Option<f64>, Option<f64>)>,
}

fn compare(store: &Store, ids: [i64; 2], json: bool, out: &mut Out) -> anyhow::Result<()> {
    let [a, b] = [store.run(ids[0])?, store.run(ids[1])?];
    let fields = |run: &Run| {
        let mut flat = BTreeMap::new();
        flatten("", &serde_json::to_value(run).unwrap_or_default(), &mut flat);
        flat
    };
    let (of_a, of_b) = (fields(&a), fields(&b));
    let names: std::collections::BTreeSet<&String> = of_a.keys().chain(of_b.keys()).collect();
    let value = |map: &BTreeMap<String, Value>, name: &String| map.get(name).cloned().unwrap_or(Value::Null);
    let differences: Vec<_> = names
        .into_iter()
        .filter(|name| !["id", "folder", "started", "changed"].contains(&name.as_str()))
        .filter(|name| of_a.get(*name) != of_b.get(*name))
        .map(|name| (name.clone(), value(&of_a, name), value(&of_b, name)))
        .collect();
    let (curves_a, curves_b) = (curves(&store.metrics(a.id)?), curves(&store.metrics(b.id)?));
    let measures: std::collections::BTreeSet<&String> = curves_a.keys().chain(curves_b.keys()).collect();
    let end = |curves: &BTreeMap<String, Vec<(u64, f64)>>, name: &String| {
        curves.get(name).and_then(|curve| curve.last()).map(|(_, value)| *value)
    };
    let last: Vec<_> =
        measures.into_iter().map(|name| (name.clone(), end(&curves_a, name), end(&curves_b, name))).collect();
    if json {
        return out.json(&Comparison { a, b, differences, last });
    }
    let head = format!("{:28}  {:>24}  {:>24}", "", format!("run {}", a.id), format!("run {}", b.id));
    writeln!(out, "{}", draw::styled(head, draw::STRONG))?;
    for (name, in_a, in_b) in &differences {
        writeln!(out, "{name:28}  {:>24}  {:>24}", plain(in_a), plain(in_b))?;
    }
    for (name, in_a, in_b) in &last {
        let text = |value: &Option<f64>| value.map_or("–".into(), |value| format!("{value:.5}"));
        writeln!(out, "{name:28}  {:>24}  {:>24}", text(in_a), text(in_b))?;
    }
    Ok(())
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "–".into(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn flatten(prefix: &str, value: &Value, flat: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                flatten(&name, value, flat);
            }
        }
        other => {
            flat.insert(prefix.into(), other.clone());
        }
    }
}

fn export(store: &Store, run: Option<i64>, format: Format, out: &mut Out) -> anyhow::Result<()> {
    #[derive(Serialize)]
    struct Line<'a> {
        run: i64,
        learner: &'a str,
        game: &'a str,
        seed: u64,
        #[serde(flatten)]
        metric: Metric,
    }
    let runs = match run {
        Some(id) => vec![store.run(id)?],
        None => store.runs()?,
    };
    match format {
        Format::Csv => {
            // Into memory first: a closed pipe is known by the error of the pipe itself.
            let mut rows = csv::Writer::from_writer(Vec::new());
            rows.write_record(["run", "learner", "game", "seed", "step", "name", "value"])?;
            for run in &runs {
                for Metric { step, name, value } in store.metrics(run.id)? {
                    let numbers =
                        [run.id.to_string(), run.seed.to_string(), step.to_string(), value.to_string()];
                    let [id, seed, step, value] = numbers.each_ref().map(String::as_str);
                    rows.write_record([id, &run.name, &run.game, seed, step, &name, value])?;
                }
            }
            out.write_all(&rows.into_inner()?)?;
        }
        Format::Jsonl => {
            for run in &runs {
                for metric in store.metrics(run.id)? {
                    let line =
                        Line { run: run.id, learner: &run.name, game: &run.game, seed: run.seed, metric };
                    out.json_line(&line)?;
                }
            }
        }
    }
    Ok(())
}
