//! `ludens label` and `ludens describe`

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use ludens_core::{Model, ModelCard};
use ludens_search::connect_four_labels::{self as labels, FULL_COLUMN, LabelError, LabelSettings, Labelled};

use crate::interrupt;
use crate::out::{Out, Stopped, Usage};

/// More could not be read back: a position has 58 bytes at most, and a file [`ludens_core::store::MODEL_BYTES`].
const MOST_POSITIONS: u64 = 9_000_000;
const _: () = assert!(MOST_POSITIONS * 58 < ludens_core::store::MODEL_BYTES);

/// Label Connect Four positions with their exact score and all their best moves.
///
/// Positions come from uniform random play. The file is a safetensors file of arrays (boards, score, best, label), the same
/// for any number of threads; a run that was stopped goes on when the same command is given again.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens label connect-four --count 30000 --seed 1 --out positions.safetensors
  ludens label connect-four --count 1000 --all-scores --out small.safetensors --csv small.csv
  ludens describe positions.safetensors")]
pub struct Args {
    /// The game: connect-four
    game: String,
    /// How many positions
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST_POSITIONS))]
    count: u64,
    /// Seed of the random play
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write
    #[arg(long)]
    out: PathBuf,
    /// The fewest discs on the board
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(0..=40))]
    from_ply: u32,
    /// The most discs on the board
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=40))]
    to_ply: u32,
    /// The exact score of every move as well
    #[arg(long)]
    all_scores: bool,
    /// Write the same as CSV, too
    #[arg(long)]
    csv: Option<PathBuf>,
}

pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    super::only_connect_four(&args.game)?;
    if args.from_ply > args.to_ply {
        return Err(Usage("--from-ply must not be above --to-ply".into()).into());
    }
    let settings = LabelSettings {
        count: args.count as usize,
        seed: args.seed,
        first_ply: args.from_ply,
        last_ply: args.to_ply,
        all_scores: args.all_scores,
    };
    let stop = interrupt::stop();
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} positions, {per_sec}, {eta} left")?;
    let bar = ProgressBar::new(args.count).with_style(style);
    let progress = |done: usize| {
        bar.inc(done as u64);
        !stop.is_asked()
    };
    let labelled = match labels::label_file(&settings, &args.out, &progress) {
        Err(LabelError::Stopped) => {
            return Err(
                Stopped("the finished parts are kept, the same command goes on from there".into()).into()
            );
        }
        other => other?,
    };
    bar.finish_and_clear();
    if let Some(path) = &args.csv {
        write_csv(path, &labelled)?;
    }
    summary(&settings, &labelled, out)
}

fn write_csv(path: &Path, labelled: &[Labelled]) -> anyhow::Result<()> {
    let written = ludens_core::store::write_atomic(path, &as_csv(labelled)?);
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// One position a line: 42 cells bottom row first (`x` the side to move, `o` the other), score, label, best, scores (`-`: full).
fn as_csv(labelled: &[Labelled]) -> anyhow::Result<Vec<u8>> {
    let mut rows = csv::Writer::from_writer(Vec::new());
    rows.write_record(["board", "score", "label", "best", "scores"])?;
    for l in labelled {
        let cell = |i: u32| {
            let bit = ludens_games::connect_four::geometry::bit_of_cell(i);
            match (l.position.mine() & bit != 0, l.position.theirs() & bit != 0) {
                (true, _) => 'x',
                (_, true) => 'o',
                _ => '.',
            }
        };
        let board: String = (0..42).map(cell).collect();
        let best: String = (0..7).filter(|&c| l.is_best(c)).map(|c| (c + 1).to_string()).collect();
        let scores: Vec<String> = l
            .scores
            .iter()
            .flatten()
            .map(|&s| if s == FULL_COLUMN { "-".into() } else { s.to_string() })
            .collect();
        rows.serialize((board, l.score, l.label() + 1, best, scores.join(" ")))?;
    }
    Ok(rows.into_inner()?)
}

fn summary(settings: &LabelSettings, labelled: &[Labelled], out: &mut Out) -> anyhow::Result<()> {
    let n = labelled.len().max(1) as f64;
    let share =
        |what: &dyn Fn(&Labelled) -> bool| 100.0 * labelled.iter().filter(|l| what(l)).count() as f64 / n;
    writeln!(
        out,
        "{} positions of Connect Four, plies {}–{}, seed {}",
        labelled.len(),
        settings.first_ply,
        settings.last_ply,
        settings.seed
    )?;
    writeln!(
        out,
        "won {:.1} %, drawn {:.1} %, lost {:.1} % by the side to move; a win in one move in {:.1} %; several best moves in {:.1} %",
        share(&|l| l.score > 0),
        share(&|l| l.score == 0),
        share(&|l| l.score < 0),
        share(&|l| i32::from(l.score) == l.position.score_of_win_now()),
        share(&|l| l.best.count_ones() > 1),
    )?;
    let legal: usize = labelled.iter().map(|l| l.position.children().count()).sum();
    writeln!(out, "mean rank of a blind choice: {:.3}", (legal as f64 / n + 1.0) / 2.0)?;
    Ok(())
}

/// Say what a file of models or labelled positions holds.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  ludens describe positions.safetensors\n  ludens describe positions.safetensors --csv positions.csv\n  ludens describe model.safetensors --json"
)]
pub struct DescribeArgs {
    /// A model or a file of labelled positions
    file: PathBuf,
    /// Write labelled positions as CSV, too
    #[arg(long)]
    csv: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn describe(args: &DescribeArgs, out: &mut Out) -> anyhow::Result<()> {
    let model = Model::load(&args.file)?;
    let card = ModelCard::from(&model);
    let positions = labels::from_model(&model);
    if let Some(path) = &args.csv {
        let (_, labelled) = positions.as_ref().map_err(|_| {
            Usage(format!("{} holds no labelled positions to write as CSV", args.file.display()))
        })?;
        write_csv(path, labelled)?;
    }
    if args.json {
        return out.json(&card);
    }
    if let Ok((settings, labelled)) = positions {
        summary(&settings, &labelled, out)?;
    } else {
        writeln!(
            out,
            "{} for {}: {} games, {} states, {} chunks",
            card.learner, card.game, card.ledger.games, card.ledger.states, card.ledger.chunks
        )?;
    }
    for (name, shape) in &card.tensors {
        writeln!(out, "  {name} {shape:?}")?;
    }
    for (key, value) in &card.meta {
        writeln!(out, "  {key}: {}", ludens_core::shown::cut(value))?;
    }
    Ok(())
}
