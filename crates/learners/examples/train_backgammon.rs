//! Trains a backgammon learner to its end, measures it against pubeval and keeps its model:
//! `cargo run --release -p ludens-learners --example train_backgammon -- actr-improved 1 20000 [MODEL]`
//! (learner with settings, seed, games of the test, file).

use std::path::Path;
use std::sync::Arc;

use cpu_time::ThreadTime;
use ludens_core::{Ctx, Entries, Learner, Meter, Mind, MindError, Move, Rng, Seat, Spec, Stop, decide};
use ludens_games::backgammon::{Backgammon, Position};
use ludens_learners::actr::duel::{Picker, duel};
use ludens_learners::actr::entry;
use ludens_learners::actr::pubeval::Pubeval;
use ludens_learners::beyond;

/// Any mind at the table of a duel.
struct Seated<'a> {
    mind: &'a mut dyn Mind<Backgammon>,
    states: u64,
    most: u64,
    decisions: u64,
}

impl Picker for Seated<'_> {
    fn pick(&mut self, state: &Position, rng: &mut Rng) -> Move {
        let mut meter = Meter::unlimited();
        let mv = decide(self.mind, &Backgammon, state, &mut Ctx::new(rng, &mut meter))
            .expect("a learner of ours always decides");
        let states = meter.cost().states;
        self.states += states;
        self.most = self.most.max(states);
        self.decisions += 1;
        mv
    }
}

fn make(name: &str) -> Result<Box<dyn Learner<Backgammon>>, MindError> {
    let mut spec: Spec = name.parse()?;
    if spec.name == ludens_learners::homo::NAME {
        let settings = ludens_learners::homo::Settings::read(&mut spec, &Default::default())?;
        return Ok(Box::new(ludens_learners::homo::Homo::new(&Backgammon, settings)));
    }
    let entries = beyond::backgammon(entry::add(Entries::default()));
    let missing = || MindError::Unknown { name: spec.name.clone(), near: None };
    let entry = entries.find_learner(&spec.name).ok_or_else(missing)?;
    entry.make(&Seat { game: &Arc::new(Backgammon), around: &Arc::default(), stop: &Stop::default() }, spec)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, seed, test, rest @ ..] = &arguments[..] else {
        return Err("usage: train_backgammon LEARNER SEED TEST_GAMES [MODEL]".into());
    };
    let seed: u64 = seed.parse()?;
    let clock = ThreadTime::now();
    let mut learner = make(name)?;
    let steps = learner.default_steps();
    for step in 0..steps {
        let (mut rng, mut meter) = (Rng::stream(seed, step), Meter::unlimited());
        learner.step(&Backgammon, &mut Ctx::new(&mut rng, &mut meter))?;
        if let [path] = rest
            && (step + 1).is_multiple_of(steps.div_ceil(20))
        {
            learner.save().write_checkpoint(Path::new(path))?;
        }
    }
    let trained = clock.elapsed().as_secs_f64();
    if let [path] = rest {
        learner.save().write(Path::new(path))?;
    }
    let ledger = learner.ledger();
    let mut seat = Seated { mind: &mut *learner, states: 0, most: 0, decisions: 0 };
    let tally = duel(&mut seat, &mut Pubeval::default(), test.parse()?, 1_000_000 + seed);
    let interval = tally.interval();
    println!(
        "{name} seed {seed}: {:.2} % of {} games against pubeval ({:.2}–{:.2}); {} games of experience, {} chunks, \
         {:.1} states a decision, {} at most; {trained:.0} s of training",
        100.0 * tally.win_share(),
        tally.games(),
        100.0 * interval.low,
        100.0 * interval.high,
        ledger.games,
        ledger.chunks,
        seat.states as f64 / seat.decisions as f64,
        seat.most
    );
    Ok(())
}
