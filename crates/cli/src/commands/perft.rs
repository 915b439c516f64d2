//! `ludens perft`

use std::io::Write;

use cpu_time::ThreadTime;
use ludens_catalogue::House;
use ludens_core::{Count, Front, PositionError};
use serde::Serialize;

use crate::out::Out;
use crate::pick;

/// Count the positions a game can reach: the proof that its rules are right.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens perft reversi --depth 9
  ludens perft connect-four --depth 10 --distinct
  ludens perft tic-tac-toe --games")]
pub struct Args {
    /// The game, native or a file of rules
    game: String,
    /// Plies to look ahead
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,
    /// The position to start from, as text
    #[arg(long)]
    position: Option<String>,
    /// Count distinct positions instead of move sequences
    #[arg(long)]
    distinct: bool,
    /// Count whole games, however long (small games only)
    #[arg(long, conflicts_with = "distinct")]
    games: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Counts {
    game: String,
    position: String,
    counted: &'static str,
    counts: Vec<Counted>,
}

#[derive(Serialize)]
struct Counted {
    /// None where whole games were counted.
    depth: Option<u32>,
    count: u64,
    cpu_seconds: f64,
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let front = house.games.open(&args.game)?;
    let mut table = front.table(pick::no_models());
    table.restart(args.position.as_deref())?;
    let (counted, counts) = count(&*front, args)?;
    let counts = Counts { game: front.id(), position: table.view().text, counted, counts };
    if args.json {
        return out.json(&counts);
    }
    writeln!(out, "{} from {}: {}", counts.game, counts.position, counts.counted)?;
    for Counted { depth, count, cpu_seconds } in &counts.counts {
        let depth = depth.map(|depth| depth.to_string()).unwrap_or_else(|| "all".into());
        let rate = *count as f64 / cpu_seconds.max(1e-9) / 1e6;
        writeln!(out, "{depth:>5} {count:>20} {cpu_seconds:>10.3} s {rate:>10.1} M/s")?;
    }
    Ok(())
}

fn count(front: &dyn Front, args: &Args) -> Result<(&'static str, Vec<Counted>), PositionError> {
    let timed = |what: Count| {
        let began = ThreadTime::now();
        let counts = front.count(args.position.as_deref(), what)?;
        Ok((counts, began.elapsed().as_secs_f64()))
    };
    if args.games {
        let (counts, cpu_seconds) = timed(Count::Games)?;
        let counts = counts.into_iter().map(|count| Counted { depth: None, count, cpu_seconds });
        return Ok(("whole games", counts.collect()));
    }
    if args.distinct {
        let (layers, cpu_seconds) = timed(Count::Distinct(args.depth))?;
        let counts =
            (0..).zip(layers).map(|(ply, count)| Counted { depth: Some(ply), count, cpu_seconds }).collect();
        return Ok(("distinct positions by ply", counts));
    }
    let mut all = Vec::new();
    for depth in 1..=args.depth {
        let (counts, cpu_seconds) = timed(Count::Sequences(depth))?;
        all.extend(counts.into_iter().map(|count| Counted { depth: Some(depth), count, cpu_seconds }));
    }
    Ok(("move sequences by depth, shorter finished games included", all))
}
