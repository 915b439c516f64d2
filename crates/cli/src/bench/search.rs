//! `ludens bench search`: simulations of UCT and states of alpha-beta. Both are asked at a table: a decision takes milliseconds, and
//! what a table adds to it cannot be seen.

use ludens_catalogue::House;
use ludens_core::{Budget, Explain, Rng, Table, TableError};

use super::{Args, Row};
use crate::pick;

/// Floors and goals in simulations per CPU-second.
const UCT_FIGURES: [(&str, f64, f64); 2] = [("tic-tac-toe", 2.7e6, 4e6), ("connect-four", 1.6e6, 2.5e6)];

pub fn rows(house: &House, args: &Args) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for about in house.games.list() {
        let row = simulations(&about.id, pick::table(house, &about.id)?, args)?;
        let figure = UCT_FIGURES.iter().find(|(game, ..)| *game == about.id);
        rows.push(match figure {
            Some(&(_, floor, goal)) => row.against(floor, goal),
            None => row,
        });
    }
    for about in house.games.list() {
        rows.push(states(&about.id, pick::table(house, &about.id)?, args)?);
    }
    Ok(rows)
}

/// A tree of so many simulations is grown from the start, again and again.
const SIMULATIONS: u64 = 10_000;
/// Small enough not to overrun a slow game's share of seconds.
const SIMULATIONS_WITH_DICE: u64 = 100;

fn simulations(game: &str, mut table: Box<dyn Table>, args: &Args) -> anyhow::Result<Row> {
    let simulations = if table.view().chance { SIMULATIONS_WITH_DICE } else { SIMULATIONS };
    throw_dice(&mut *table)?;
    let name = format!("uct, {simulations} from the start, {game}");
    let mind = format!("uct:sims={simulations}");
    let mut rng = Rng::stream(args.seed, 1);
    Ok(measure(name, "simulations", args, || {
        table.think(&mind, &mut rng, Budget::Unlimited, Explain::NOTHING)?;
        Ok(simulations)
    }))
}

fn states(game: &str, mut table: Box<dyn Table>, args: &Args) -> anyhow::Result<Row> {
    throw_dice(&mut *table)?;
    let name = format!("alpha-beta with its heuristic, {game}");
    let mut rng = Rng::stream(args.seed, 2);
    Ok(measure(name, "states", args, || {
        let decision = table.think("alphabeta", &mut rng, Budget::States(20_000), Explain::NOTHING)?;
        Ok(decision.cost.states.max(1))
    }))
}

/// The same throw every time: the first that there is.
fn throw_dice(table: &mut dyn Table) -> anyhow::Result<()> {
    while table.view().chance
        && let Some(throw) = table.nexts().first()
    {
        table.play(throw.mv)?;
    }
    Ok(())
}

/// What a mind does not play has a row that says why, so that the others are measured all the same.
fn measure(
    name: String,
    unit: &'static str,
    args: &Args,
    work: impl FnMut() -> Result<u64, TableError>,
) -> Row {
    Row::try_measure(&name, unit, args.seconds, work)
        .unwrap_or_else(|error| Row { note: error.to_string(), ..Row::of(name, unit, 0.0, 0.0) })
}
