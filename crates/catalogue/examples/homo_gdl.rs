//! The whole player on games from rules that nobody tuned it on, against UCT at as many states a move.
//!
//!     cargo run --release -p ludens-catalogue --example homo_gdl -- ../shared/data/gdl/games results/homo/gdl.jsonl GAME…
//!
//! One line a game; what the file has is not done again. Every game is trained once, with the same settings, from a seed that is the name's place
//! in the alphabet; so are the matches.

use std::fs::{OpenOptions, read_to_string};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use ludens_arena::{Options, Sprt, Tally, Tournament, Verdict, run_with};
use ludens_catalogue::{Catalogue, House};
use ludens_core::{Ctx, Entrant, Front, Meter, Models, NoModels, Rng, Spec, Stop};
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error>;

/// A short training: rules are slow, and so is a person's evening.
const LEARNER: &str = "homo:games=100,watched=20,round=5,remembers=20";
const STATES: u64 = 300;
const OPPONENT: &str = "uct";
const GAMES: u32 = 60;
const MOST_PLIES: u32 = 300;
/// Better by so many Elo or not at all, 5 % each.
const TEST: (f64, f64) = (0.0, 50.0);
const Z95: f64 = 1.96;

fn played(front: &dyn Front, seed: u64) -> Result<(Tally, u64, u64), Failure> {
    let spec: Spec = LEARNER.parse()?;
    let mut learner = front.learner(spec)?;
    let mut meter = Meter::unlimited();
    for step in 0..learner.default_steps() {
        learner.step(&mut Ctx::new(&mut Rng::stream(seed, step), &mut meter))?;
    }
    let mut tournament =
        Tournament::new(&front.id(), &["homo", OPPONENT]).games(GAMES).opening_plies(2).states(STATES);
    tournament = tournament.seed(seed);
    tournament.max_plies = MOST_PLIES;
    let entrants = [Entrant::Model(Arc::new(learner.save_for_play())), Entrant::Named(OPPONENT.into())];
    let models: Arc<dyn Models> = Arc::new(NoModels);
    let report = run_with(front, &entrants, &models, &tournament, &Options::threads(1), &|_| {})?;
    let tally = report.pairings.first().map(|pairing| pairing.tally).unwrap_or_default();
    Ok((tally, learner.ledger().chunks, meter.cost().states))
}

fn verdict(tally: &Tally) -> &'static str {
    let test = Sprt { elo0: TEST.0, elo1: TEST.1, ..Sprt::default() };
    let mut turned = tally.pentanomial;
    turned.reverse();
    match (test.verdict(&tally.pentanomial), test.verdict(&turned)) {
        (Verdict::AcceptH1, _) => "better",
        (_, Verdict::AcceptH1) => "worse",
        _ => "not decided",
    }
}

fn study(house: &House, folder: &Path, name: &str) -> Result<Value, Failure> {
    let path = folder.join(format!("{name}.kif"));
    let front = house.games.open_text(name, &read_to_string(&path)?, &Stop::default())?;
    let seed = name.bytes().take(4).fold(0u64, |sum, byte| sum * 256 + u64::from(byte));
    let (tally, chunks, states) = played(&*front, seed)?;
    let (score, half) = (tally.score(), Z95 * tally.standard_error());
    let percent = |value: f64| format!("{:.1} %", 100.0 * value.clamp(0.0, 1.0));
    Ok(json!({
        "game": name,
        "points": percent(score),
        "interval": format!("{} – {}", percent(score - half), percent(score + half)),
        "verdict": verdict(&tally),
        "games": tally.games(),
        "chunks": chunks,
        "states of the training": states,
    }))
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, file, names @ ..] = args.as_slice() else {
        return Err(
            "homo_gdl FOLDER FILE GAME…: a folder of rules, the file of results, names without .kif".into()
        );
    };
    let house = House::from(Catalogue::standard());
    let done = read_to_string(file).unwrap_or_default();
    let known = |name: &String| {
        let names = done.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        names.into_iter().any(|line| line["game"] == name.as_str())
    };
    for name in names.iter().filter(|name| !known(name)) {
        let line = study(&house, Path::new(folder), name).map_err(|error| format!("{name}: {error}"))?;
        println!("{line}");
        writeln!(OpenOptions::new().create(true).append(true).open(file)?, "{line}")?;
    }
    Ok(())
}
