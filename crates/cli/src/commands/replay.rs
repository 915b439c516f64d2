//! `ludens replay`: the games of an arena's record, move by move.

use std::io::Write;
use std::path::PathBuf;

use ludens_arena::{ReplayedMove, read_record, replay};
use ludens_catalogue::House;
use serde::Serialize;

use crate::out::{Out, Usage};

/// Play a recorded game of the arena again, checking every move.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens replay games.jsonl            lists the games
  ludens replay games.jsonl --number 7 --json")]
pub struct Args {
    record: PathBuf,
    /// The game to replay, counted from 1
    #[arg(long)]
    number: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed {
    number: usize,
    first: String,
    second: String,
    /// As the first player sees it.
    score: f32,
    plies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<ReplayedMove>>,
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let (tournament, pairs) = read_record(&args.record)?;
    let played: Vec<_> =
        pairs.iter().flat_map(|pair| pair.games.iter().map(move |game| (pair, game))).collect();
    // A record is a file like any other: its numbers may point anywhere.
    let mind = |number: usize| tournament.minds.get(number).cloned().unwrap_or_else(|| "nobody".into());
    let mut games: Vec<Listed> = played
        .iter()
        .zip(1..)
        .map(|((pair, game), number)| Listed {
            number,
            first: mind(game.first),
            second: mind(game.second),
            score: game.score.0,
            plies: pair.opening.len() + game.moves.len(),
            moves: None,
        })
        .collect();
    if let Some(number) = args.number {
        let Some(mut game) = (number >= 1 && number <= games.len()).then(|| games.swap_remove(number - 1))
        else {
            return Err(Usage(format!("the record holds games 1 to {}", games.len())).into());
        };
        let (pair, recorded) = played[number - 1];
        let front = house.games.open(&tournament.game)?;
        game.moves = Some(replay(&*front, &pair.opening, recorded)?);
        games = vec![game];
    }
    if args.json {
        return out.json(&games);
    }
    for game in games {
        let Listed { number, first, second, score, plies, moves } = game;
        writeln!(out, "{number:>6}  {first} – {second}  {score:+}  {plies} plies")?;
        for step in moves.into_iter().flatten() {
            let who = step.side.map_or("dice".to_string(), |side| side.to_string());
            writeln!(out, "        {who:6}  {:12}  {}", step.label, step.position)?;
        }
    }
    Ok(())
}
