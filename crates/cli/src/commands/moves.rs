//! `ludens moves`

use std::io::Write;

use ludens_catalogue::House;
use ludens_core::{Next, View};
use serde::Serialize;

use crate::out::Out;
use crate::{draw, pick};

/// List the legal moves of a position, and what each leads to.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens moves connect-four --position 4433
  ludens moves backgammon --position 4HPwATDgc/ABMA:31 --json")]
pub struct Args {
    /// The game, native or a file of rules
    game: String,
    /// The position as text (the start if left out); `ludens games` shows each game's form
    #[arg(long)]
    position: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listing {
    game: String,
    position: String,
    /// `first`, `second`, `chance` or `over`.
    turn: String,
    /// The first player's result, once the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f32>,
    moves: Vec<Next>,
}

pub fn run(house: &House, args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let mut table = pick::table(house, &args.game)?;
    table.restart(args.position.as_deref())?;
    let view = table.view();
    let listing = Listing {
        turn: turn_of(&view),
        score: view.score.map(|score| score.0),
        moves: table.nexts(),
        game: view.game,
        position: view.text,
    };
    if args.json {
        return out.json(&listing);
    }
    write!(out, "{}", draw::board(&view.board, &[]))?;
    writeln!(out, "{}  to move: {}", listing.position, listing.turn)?;
    let width = listing.moves.iter().map(|mv| mv.label.len()).max().unwrap_or(0).min(draw::WIDEST);
    for mv in &listing.moves {
        let share = mv.probability.map(|p| format!("  ({:.1} %)", 100.0 * p)).unwrap_or_default();
        writeln!(out, "{:width$}  {}{share}", mv.label, mv.position)?;
    }
    Ok(())
}

fn turn_of(view: &View) -> String {
    match view.to_move {
        Some(side) => side.to_string(),
        None if view.chance => "chance".into(),
        None => "over".into(),
    }
}
