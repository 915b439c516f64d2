//! `ludens bench search`: simulations of UCT and states of alpha-beta.

use std::sync::Arc;

use ludens_core::{Budget, Ctx, Game, GameVisitor, Meter, Rng};
use ludens_learners::registry::make_mind;
use ludens_search::{Uct, UctSettings};

use super::{Args, Row};
use crate::pick;

/// Floors and goals in simulations per CPU-second.
const UCT_FIGURES: [(&str, f64, f64); 2] = [("tic-tac-toe", 2.7e6, 4e6), ("connect-four", 1.6e6, 2.5e6)];

pub fn rows(args: &Args) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for entry in ludens_games::all() {
        let row = pick::with_game(entry.id, Simulations(args))?;
        let figure = UCT_FIGURES.iter().find(|(game, ..)| *game == entry.id);
        rows.push(match figure {
            Some(&(_, floor, goal)) => row.against(floor, goal),
            None => row,
        });
    }
    for entry in ludens_games::all() {
        rows.push(pick::with_game(entry.id, States(args))?);
    }
    Ok(rows)
}

/// A tree of so many simulations is grown from the start, again and again.
const SIMULATIONS: u64 = 10_000;

struct Simulations<'a>(&'a Args);

impl GameVisitor for Simulations<'_> {
    type Out = Row;

    fn visit<G: Game>(self, game: Arc<G>) -> Row {
        let mut rng = Rng::stream(self.0.seed, 1);
        // Small enough not to overrun a slow game's share of seconds.
        let simulations =
            if game.turn(&game.start()) == ludens_core::Turn::Chance { 100 } else { SIMULATIONS };
        let settings = UctSettings { simulations: Some(simulations), ..UctSettings::default() };
        let mut uct = Uct::new(settings);
        let start = game.start();
        let name = format!("uct, {simulations} from the start, {}", game.id());
        Row::measure(name, "simulations", self.0.seconds, || {
            uct.search(game.as_ref(), &start, &mut rng, &mut Meter::unlimited());
            uct.simulations()
        })
    }
}

struct States<'a>(&'a Args);

impl GameVisitor for States<'_> {
    type Out = Row;

    fn visit<G: Game>(self, game: Arc<G>) -> Row {
        let mut rng = Rng::stream(self.0.seed, 2);
        let name = format!("alpha-beta with its heuristic, {}", game.id());
        let Ok(mut mind) = make_mind(&game, "alphabeta") else {
            return Row::of(name, "states", 0.0, 0.0);
        };
        let mut start = game.start();
        let mut outcomes = Vec::new();
        while game.turn(&start) == ludens_core::Turn::Chance {
            game.chance(&start, &mut outcomes);
            game.apply(&mut start, outcomes[0].0);
        }
        Row::measure(name, "states", self.0.seconds, || {
            let mut meter = Meter::new(Budget::States(20_000));
            mind.choose(game.as_ref(), &start, &mut Ctx::new(&mut rng, &mut meter));
            meter.cost().states.max(1)
        })
    }
}
