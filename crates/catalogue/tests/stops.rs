//! Everything that takes long can be ended: any decision, however deep its settings ask it to look, any making of a mind that is taught on
//! the spot, and any step of a training, each with every setting at its limit.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use ludens_catalogue::{Catalogue, House};
use ludens_core::{
    Budget, Ctx, Explain, Front, Meter, MindError, Models, NoModels, Rng, SettingAbout, Stop, TableError,
};

/// When the work is told to end, and when it must have ended. The second is long because the machine may be busy; what is tried takes hours.
const TOLD: Duration = Duration::from_millis(60);
const ENDED: Duration = Duration::from_secs(3);

fn nobody() -> Arc<dyn Models> {
    Arc::new(NoModels)
}

/// The values of a setting that ask for most work: the end of its limits, or a large number where words say the limits.
fn most_work(setting: &SettingAbout) -> Vec<String> {
    if let Some((_, most)) = setting.limits.strip_prefix("from ").and_then(|range| range.split_once(" to ")) {
        return vec![most.into()];
    }
    match setting.limits.as_str() {
        "a number of plies" => vec!["40".into(), "100".into()],
        "a number of states" | "a number of simulations" => vec!["1000000000000".into()],
        words if words.contains("concepts") => vec!["concepts".into()],
        words if words.contains("exact") => vec!["exact,depth=100".into()],
        words if words.contains("wide") => {
            vec!["wide,playouts=100000".into(), "subsets3,playouts=100000".into()]
        }
        _ => Vec::new(),
    }
}

/// The name alone, and with each of its settings at its limit.
fn specs(name: &str, settings: &[SettingAbout]) -> Vec<String> {
    let each = settings.iter().flat_map(|setting| {
        most_work(setting).into_iter().map(move |value| format!("{name}:{}={value}", setting.key))
    });
    std::iter::once(name.to_string()).chain(each).collect()
}

/// Does `work`, tells it to end after a while, and says how long it took beyond that.
fn told_to_end<T>(work: impl FnOnce(&Stop) -> T) -> (T, Duration) {
    let stop = Stop::new();
    let asked = stop.clone();
    let (done, wait) = std::sync::mpsc::channel::<()>();
    let teller = std::thread::spawn(move || {
        let _ = wait.recv_timeout(TOLD);
        asked.ask();
    });
    let begun = Instant::now();
    let outcome = work(&stop);
    let late = begun.elapsed().saturating_sub(TOLD);
    drop(done);
    teller.join().unwrap();
    (outcome, late)
}

/// Two positions: the first, and one after a few moves.
fn positions(front: &dyn Front) -> Vec<String> {
    let mut table = front.table(nobody());
    let mut rng = Rng::new(17);
    let first = table.view().text;
    for _ in 0..4 {
        table.roll(&mut rng);
        let moves = table.moves();
        table.play(moves[rng.below(moves.len() as u32) as usize]).unwrap();
    }
    vec![first, table.view().text]
}

/// How many were tried, how many were told to end in the middle, and the latest.
#[derive(Default, Debug)]
struct Tried {
    works: u32,
    ended: u32,
    latest: Duration,
    who: String,
}

impl Tried {
    fn note(&mut self, what: String, ended: bool, late: Duration) {
        assert!(late < ENDED, "{what} ended {late:?} after it was told to");
        self.works += 1;
        self.ended += u32::from(ended);
        if late > self.latest {
            (self.latest, self.who) = (late, what);
        }
    }
}

fn games(house: &House) -> Vec<Arc<dyn Front>> {
    let rules = format!("{}/../gdl/rules/breakthrough.kif", env!("CARGO_MANIFEST_DIR"));
    let names = house.games.list().into_iter().map(|about| about.id.clone()).chain([rules]);
    names.map(|name| house.games.open(&name).unwrap()).collect()
}

#[test]
fn every_decision_ends_when_it_is_told_to() {
    let house = House::from(Catalogue::standard());
    let mut tried = Tried::default();
    for front in games(&house) {
        let minds = front.minds().into_iter().flat_map(|about| specs(&about.name, &about.settings));
        let trained = house.games.zoo().animals().iter().filter(|animal| animal.game == front.id());
        for mind in minds.chain(trained.map(|animal| format!("zoo:{}", animal.name))) {
            // gnubg is another program, with a time of its own.
            if mind.starts_with("gnubg") {
                continue;
            }
            for position in positions(&*front) {
                let mut table = front.table(nobody());
                table.restart(Some(&position)).unwrap();
                table.roll(&mut Rng::new(5));
                let (thought, late) = told_to_end(|stop| {
                    table.watched(stop.clone());
                    table.think(&mind, &mut Rng::new(3), Budget::Unlimited, Explain::EVERYTHING)
                });
                match thought {
                    Ok(decision) => assert!(table.moves().contains(&decision.mv), "{mind}: a legal move"),
                    Err(TableError::Mind(
                        MindError::Stopped(_) | MindError::WrongGame { .. } | MindError::Spec(_),
                    )) => {}
                    Err(error) => panic!("{mind} on {}: {error}", front.id()),
                }
                tried.note(format!("{mind} on {}", front.id()), late > Duration::ZERO, late);
            }
        }
    }
    println!("{tried:?}");
    assert!(tried.ended > 100, "too few were still at work when they were told to end: {tried:?}");
}

#[test]
fn every_step_of_a_training_ends_when_it_is_told_to() {
    let house = House::from(Catalogue::standard());
    let mut tried = Tried::default();
    for front in games(&house) {
        for about in front.learners() {
            for spec in specs(&about.name, &about.settings) {
                // Of the processor's time: a busy machine is no fault of a learner.
                let made = ThreadTime::now();
                let mut learner = match front.learner(spec.parse().unwrap()) {
                    Err(MindError::WrongGame { .. } | MindError::Spec(_) | MindError::Other(_)) => continue,
                    made => made.unwrap_or_else(|error| panic!("{spec} on {}: {error}", front.id())),
                };
                assert!(made.elapsed() < ENDED, "{spec}: making it took {:?}", made.elapsed());
                let (stepped, late) = told_to_end(|stop| {
                    let mut meter = Meter::watched(Budget::Unlimited, stop.clone());
                    let mut rng = Rng::new(3);
                    // Several: some have nothing to do in their first.
                    (0..50).try_for_each(|_| learner.step(&mut Ctx::new(&mut rng, &mut meter)).map(|_| ()))
                });
                assert!(
                    matches!(stepped, Ok(()) | Err(MindError::Stopped(_))),
                    "{spec} on {}: {stepped:?}",
                    front.id()
                );
                tried.note(format!("{spec} on {}", front.id()), stepped.is_err(), late);
            }
        }
    }
    println!("{tried:?}");
    assert!(tried.ended > 100, "too few were still at work when they were told to end: {tried:?}");
}
