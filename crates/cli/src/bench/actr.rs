//! `ludens bench actr`: whole games of backgammon, blending queries of the declarative memory, games of training.

use ludens_catalogue::House;
use ludens_core::{Ctx, Game, Meter, MindError, Rng};
use ludens_games::backgammon::Backgammon;
use ludens_learners::actr::duel::play_game;
use ludens_learners::actr::memory::{Memory, MemoryError, Parameters, Slot};
use ludens_learners::actr::pubeval::Pubeval;

use super::{Args, Row};

/// Chunks, floor and goal in queries per CPU-second.
const BLENDING: [(usize, f64, f64); 3] = [(50, 0.4e6, 1.5e6), (1_000, 20e3, 100e3), (10_000, 2e3, 8e3)];

pub fn rows(house: &House, args: &Args) -> anyhow::Result<Vec<Row>> {
    let mut rows = vec![pubeval(args)];
    for (chunks, floor, goal) in BLENDING {
        rows.push(blending(args, chunks)?.against(floor, goal));
    }
    for learner in ["actr", "actr-improved", "td"] {
        rows.push(training(house, args, learner)?);
    }
    Ok(rows)
}

fn pubeval(args: &Args) -> Row {
    let (mut first, mut second) = (Pubeval::default(), Pubeval::default());
    let mut unit = 0;
    let row = Row::measure("pubeval against itself", "games", args.seconds, || {
        for _ in 0..100 {
            let (mut dice, mut rng) = (Rng::stream(args.seed, unit), Rng::new(0));
            play_game(Backgammon.start(), &mut first, &mut second, &mut dice, &mut rng);
            unit += 1;
        }
        100
    });
    row.against(15e3, 30e3)
}

/// A memory of chunks met once each, asked for a value that it blends from all of them.
fn blending(args: &Args, chunks: usize) -> Result<Row, MemoryError> {
    let mut rng = Rng::new(args.seed);
    let slots = vec![
        Slot::number("point", 0.0, 24.0),
        Slot::number("ahead", 0.0, 15.0),
        Slot::number("odds", 0.0, 1.0),
    ];
    let mut memory = Memory::new(slots, Parameters { temperature: Some(0.3), ..Parameters::default() });
    while memory.len() < chunks {
        memory.advance(memory.len() as f64)?;
        memory.learn(&[rng.uniform(1.0, 24.0), rng.uniform(0.0, 15.0), rng.unit()])?;
    }
    memory.advance(chunks as f64 + 1.0)?;
    let batch = (500_000 / chunks) as u32;
    let mut sum = 0.0;
    let mut row = Row::measure(format!("blending, {chunks} chunks"), "queries", args.seconds, || {
        for query in 0..batch {
            let query = [Some(f64::from(query % 24)), Some(f64::from(query % 15)), None];
            sum += memory.blend(&query, 2, &mut rng, None).unwrap_or(0.0);
        }
        u64::from(batch)
    });
    // Said, so that no compiler leaves the work out.
    row.note = format!("sum of blends {sum:.0}");
    Ok(row)
}

fn training(house: &House, args: &Args, name: &str) -> anyhow::Result<Row> {
    let mut learner = house.games.open("backgammon")?.learner(name.parse()?)?;
    let mut step = 0;
    let row = Row::try_measure(format!("{name}, training"), "games", args.seconds, || {
        let (mut rng, mut meter) = (Rng::stream(args.seed, step), Meter::unlimited());
        learner.step(&mut Ctx::new(&mut rng, &mut meter))?;
        step += 1;
        Ok::<u64, MindError>(meter.cost().games)
    });
    Ok(row?)
}
