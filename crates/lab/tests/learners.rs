//! Every registered learner, on every game it learns: stopped after each step, on one thread or on two, it ends with the
//! same bytes.

use std::sync::Arc;
use std::time::Duration;

use ludens_core::{Game, GameVisitor, MindError, Model, Spec};
use ludens_lab::train::{Maker, Places, Training, train};
use ludens_learners::registry;

#[path = "support/notebook.rs"]
mod notebook;
use notebook::Notebook;

/// Enough for a ladder with a middle.
const STEPS: u64 = 3;

/// The smallest settings under which a learner still does all it does; most take a step in milliseconds as they are.
const SMALL: &[(&str, &str)] = &[("nhb", "nhb:states=50,cycle=1"), ("coevolution", "coevolution:depth=1")];

struct TrainAll;

impl GameVisitor for TrainAll {
    type Out = Vec<String>;

    fn visit<G: Game>(self, game: Arc<G>) -> Vec<String> {
        let mut trained = Vec::new();
        for entry in registry::learners::<G>() {
            let spec: Spec = SMALL
                .iter()
                .find(|(name, _)| *name == entry.name)
                .map_or_else(|| Spec::new(entry.name), |(_, small)| small.parse().unwrap());
            match registry::make_learner(&game, spec.clone()) {
                Err(MindError::WrongGame { .. }) => continue,
                made => drop(made.unwrap_or_else(|error| panic!("{}: {error}", entry.name))),
            }
            let alone = in_one_piece(&game, &spec, 1);
            assert!(alone == in_one_piece(&game, &spec, 2), "{spec} on {}: two threads", game.id());
            assert!(alone == in_pieces(&game, &spec), "{spec} on {}: resumed", game.id());
            trained.push(entry.name.to_string());
        }
        trained
    }
}

fn in_one_piece<G: Game>(game: &Arc<G>, spec: &Spec, threads: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| assert!(step(game, spec, folder.path(), None)));
    std::fs::read(Places::new(folder.path()).model()).unwrap()
}

fn in_pieces<G: Game>(game: &Arc<G>, spec: &Spec) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    while !step(game, spec, folder.path(), Some(1)) {}
    std::fs::read(Places::new(folder.path()).model()).unwrap()
}

/// Trains on, at most `steps` further; whether that was the end.
fn step<G: Game>(game: &Arc<G>, spec: &Spec, folder: &std::path::Path, steps: Option<u64>) -> bool {
    let training = Training { learner: spec.to_string(), game: game.id(), steps: Some(STEPS), seed: 5 };
    let maker = Maker {
        make: &|| registry::make_learner(game, spec.clone()),
        load: &|model: &Model| registry::load_learner(game, model),
    };
    let mut notebook = Notebook { leave_after: steps, ..Notebook::default() };
    let long = Duration::from_secs(1000);
    train(&**game, &maker, &training, folder, long, &mut notebook).unwrap().model.is_some()
}

#[test]
fn every_learner_ends_with_the_same_bytes_however_it_is_run() {
    for (game, expected) in [
        ("tic-tac-toe", ["nhb", "concepts", "coevolution"].as_slice()),
        ("connect-four", &["nhb", "concepts", "coevolution", "contexts"]),
        ("backgammon", &["nhb", "actr"]),
    ] {
        let trained = ludens_games::with_game(game, TrainAll).unwrap();
        for name in expected {
            assert!(trained.iter().any(|found| found == name), "{name} does not learn {game}: {trained:?}");
        }
    }
}
