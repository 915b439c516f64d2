//! `ludens bench explain`: the same decisions without reasons, with them, and put into words.

use std::time::{Duration, Instant};

use ludens_catalogue::House;
use ludens_core::words::Voice;
use ludens_core::{Budget, Explain, Rng, Table};

use super::{Args, Row};
use crate::pick;

/// Every mind without a model, and the trained players of the zoo.
fn subjects(house: &House) -> Vec<(String, String)> {
    let plain = [
        ("connect-four", "alphabeta:depth=4"),
        ("connect-four", "uct:sims=200"),
        ("connect-four", "solver"),
        ("reversi", "alphabeta:depth=3"),
        ("backgammon", "pubeval"),
    ];
    let plain = plain.into_iter().map(|(game, mind)| (game.to_string(), mind.to_string()));
    let zoo = house.games.zoo().animals().iter();
    plain.chain(zoo.map(|animal| (animal.game.clone(), format!("zoo:{}", animal.name)))).collect()
}

pub fn rows(house: &House, args: &Args) -> anyhow::Result<Vec<Row>> {
    subjects(house).into_iter().map(|(game, mind)| row(house, &game, &mind, args)).collect()
}

/// Positions of random games, taken in turn; the times alternate, so that whatever else the machine does meets all three alike.
fn row(house: &House, game: &str, mind: &str, args: &Args) -> anyhow::Result<Row> {
    let mut table = pick::table(house, game)?;
    let positions = positions(&mut *table, args.seed)?;
    let mut times = [Duration::ZERO; 4];
    let mut decisions = 0u32;
    let begun = Instant::now();
    while begun.elapsed().as_secs_f64() < args.seconds || decisions == 0 {
        for position in &positions {
            table.restart(Some(position))?;
            for (explain, spent) in LEVELS.into_iter().zip(0..) {
                table.new_game(mind)?;
                let start = Instant::now();
                let mut decision = table.think(mind, &mut Rng::new(args.seed), Budget::Unlimited, explain)?;
                times[spent] += start.elapsed();
                if explain == Explain::DECISION {
                    let start = Instant::now();
                    table.speak(&mut decision, Voice::ToOpponent);
                    let said = table.tell(&decision, decision.mv, Voice::ToOpponent);
                    times[3] += start.elapsed();
                    std::hint::black_box(said);
                }
            }
            decisions += 1;
        }
    }
    let each = |time: Duration| time.as_secs_f64() / f64::from(decisions);
    let [without, with, all, words] = times.map(each);
    let note = format!(
        "{:.0} µs to decide, {:.2} × with its reasons, {:.2} × with those of every move, {:.0} µs more to say them",
        1e6 * without,
        with / without,
        all / without,
        1e6 * words
    );
    let figures = [
        ("decides_us", 1e6 * without),
        ("times_with_reasons", with / without),
        ("times_with_all_reasons", all / without),
        ("says_us", 1e6 * words),
    ];
    let figures = figures.into_iter().collect();
    Ok(Row {
        note,
        figures,
        ..Row::of(format!("{mind}, {game}"), "decisions with reasons", 1.0 / with, with)
    })
}

const LEVELS: [Explain; 3] = [Explain::NOTHING, Explain::DECISION, Explain::EVERYTHING];
const POSITIONS: usize = 12;

fn positions(table: &mut dyn Table, seed: u64) -> anyhow::Result<Vec<String>> {
    let mut positions = Vec::new();
    for game in 0.. {
        let mut rng = Rng::stream(seed, game);
        table.restart(None)?;
        for _ in 0..4 + rng.below(16) {
            table.roll(&mut rng);
            let moves = table.moves();
            if moves.is_empty() {
                break;
            }
            table.play(moves[rng.below(moves.len() as u32) as usize])?;
        }
        table.roll(&mut rng);
        if table.moves().len() > 1 {
            positions.push(table.view().text);
        }
        if positions.len() == POSITIONS {
            break;
        }
    }
    Ok(positions)
}
