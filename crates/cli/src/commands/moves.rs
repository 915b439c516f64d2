//! `ludens moves`

use std::io::Write;
use std::sync::Arc;

use ludens_core::{Game, GameVisitor, PositionError, Turn};
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
    moves: Vec<Listed>,
    #[serde(skip)]
    drawn: String,
}

#[derive(Serialize)]
struct Listed {
    label: String,
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f32>,
}

pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let listing = pick::with_game(&args.game, List { position: args.position.as_deref() })??;
    if args.json {
        return out.json(&listing);
    }
    write!(out, "{}", listing.drawn)?;
    writeln!(out, "{}  to move: {}", listing.position, listing.turn)?;
    let width = listing.moves.iter().map(|mv| mv.label.len()).max().unwrap_or(0);
    for mv in &listing.moves {
        let share = mv.probability.map(|p| format!("  ({:.1} %)", 100.0 * p)).unwrap_or_default();
        writeln!(out, "{:width$}  {}{share}", mv.label, mv.position)?;
    }
    Ok(())
}

struct List<'a> {
    position: Option<&'a str>,
}

impl GameVisitor for List<'_> {
    type Out = Result<Listing, PositionError>;

    fn visit<G: Game>(self, game: Arc<G>) -> Self::Out {
        let state = match self.position {
            Some(text) => game.parse(text)?,
            None => game.start(),
        };
        let mut moves = Vec::new();
        let mut outcomes = Vec::new();
        let (turn, score) = match game.turn(&state) {
            Turn::Player(side) => {
                game.moves(&state, &mut moves);
                (side.to_string(), None)
            }
            Turn::Chance => {
                game.chance(&state, &mut outcomes);
                ("chance".into(), None)
            }
            Turn::Over(score) => ("over".into(), Some(score.0)),
        };
        let all = moves
            .iter()
            .map(|&mv| (mv, None))
            .chain(outcomes.iter().map(|&(mv, probability)| (mv, Some(probability))));
        let moves = all
            .map(|(mv, probability)| {
                let mut after = state.clone();
                game.apply(&mut after, mv);
                Listed { label: game.label(&state, mv), position: game.text(&after), probability }
            })
            .collect();
        let drawn = draw::board(&game.board(&state), &[]);
        Ok(Listing { game: game.id(), position: game.text(&state), turn, score, moves, drawn })
    }
}
