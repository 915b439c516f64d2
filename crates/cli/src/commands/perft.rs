//! `ludens perft`

use std::io::Write;
use std::sync::Arc;

use cpu_time::ThreadTime;
use ludens_core::{Game, GameVisitor, PositionError, perft};
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
    counts: Vec<Count>,
}

#[derive(Serialize)]
struct Count {
    /// None where whole games were counted.
    depth: Option<u32>,
    count: u64,
    cpu_seconds: f64,
}

pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let counts = pick::with_game(&args.game, Perft(args))??;
    if args.json {
        return out.json(&counts);
    }
    writeln!(out, "{} from {}: {}", counts.game, counts.position, counts.counted)?;
    for Count { depth, count, cpu_seconds } in &counts.counts {
        let depth = depth.map(|depth| depth.to_string()).unwrap_or_else(|| "all".into());
        let rate = *count as f64 / cpu_seconds.max(1e-9) / 1e6;
        writeln!(out, "{depth:>5} {count:>20} {cpu_seconds:>10.3} s {rate:>10.1} M/s")?;
    }
    Ok(())
}

struct Perft<'a>(&'a Args);

impl GameVisitor for Perft<'_> {
    type Out = Result<Counts, PositionError>;

    fn visit<G: Game>(self, game: Arc<G>) -> Self::Out {
        let Perft(args) = self;
        let state = match &args.position {
            Some(text) => game.parse(text)?,
            None => game.start(),
        };
        let timed = |depth: Option<u32>, count: &dyn Fn() -> u64| {
            let began = ThreadTime::now();
            let count = count();
            Count { depth, count, cpu_seconds: began.elapsed().as_secs_f64() }
        };
        let (counted, counts) = if args.games {
            ("whole games", vec![timed(None, &|| perft::games(&*game, &state))])
        } else if args.distinct {
            let began = ThreadTime::now();
            let layers = perft::distinct(&*game, &state, args.depth);
            let cpu_seconds = began.elapsed().as_secs_f64();
            let counts = (0..)
                .zip(layers)
                .map(|(ply, count)| Count { depth: Some(ply), count, cpu_seconds })
                .collect();
            ("distinct positions by ply", counts)
        } else {
            let counts =
                (1..=args.depth).map(|depth| timed(Some(depth), &|| game.perft(&state, depth))).collect();
            ("move sequences by depth, shorter finished games included", counts)
        };
        Ok(Counts { game: game.id(), position: game.text(&state), counted, counts })
    }
}
