//! `ludens bench games`: random playouts of every native game.

use std::sync::Arc;

use ludens_core::{Game, GameVisitor, Rng};

use super::{Args, Row};
use crate::pick;

/// Floors and goals in playouts per CPU-second.
const FIGURES: [(&str, f64, f64); 4] = [
    ("tic-tac-toe", 7e6, 10e6),
    ("connect-four", 2.4e6, 4e6),
    ("reversi", 0.35e6, 0.8e6),
    ("backgammon", 5e3, 15e3),
];

pub fn rows(args: &Args) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for entry in ludens_games::all() {
        let row = pick::with_game(entry.id, Playouts(args))?;
        let figure = FIGURES.iter().find(|(game, ..)| *game == entry.id);
        rows.push(match figure {
            Some(&(_, floor, goal)) => row.against(floor, goal),
            None => row,
        });
    }
    Ok(rows)
}

struct Playouts<'a>(&'a Args);

impl GameVisitor for Playouts<'_> {
    type Out = Row;

    fn visit<G: Game>(self, game: Arc<G>) -> Row {
        /// Between two looks at the clock.
        const BATCH: u64 = 100;
        let mut rng = Rng::stream(self.0.seed, 0);
        let start = game.start();
        Row::measure(format!("playouts, {}", game.id()), "playouts", self.0.seconds, || {
            for _ in 0..BATCH {
                std::hint::black_box(game.playout(&mut start.clone(), &mut rng));
            }
            BATCH
        })
    }
}
