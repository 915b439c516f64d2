//! Every learner of every front, on every game it learns: stopped after each step, on one thread or on two, it ends with the
//! same bytes.

use std::path::Path;
use std::time::Duration;

use ludens_core::{Front, Games, MindError, Spec, Stop};
use ludens_lab::train::{Places, Training, train};
use ludens_learners::standard::{Standard, zoo};

#[path = "support/notebook.rs"]
mod notebook;
use notebook::Notebook;

/// Enough for a ladder with a middle.
const STEPS: u64 = 3;

/// The smallest settings under which a learner still does all it does in three steps (social learning, members, more pairs than
/// one thread keeps for itself); most take a step in milliseconds as they are.
const SMALL: &[&str] = &[
    "nhb:states=50,cycle=1",
    "nhb-improved:states=50,cycle=1,members=2",
    "coevolution:depth=1,pairs=6,interval=2",
    "contexts-any:labels=20,states=50",
    "homo:watched=6,round=3,states=40,siblings=2,games=12",
    "coevolution-improved:depth=1,pairs=6,interval=2,offspring=2,openings=1",
];

fn small(name: &str) -> Spec {
    let specs = SMALL.iter().map(|text| text.parse::<Spec>().unwrap());
    specs.into_iter().find(|spec| spec.name == name).unwrap_or_else(|| Spec::new(name))
}

/// Those that learnt; the others must have said what they miss.
fn train_all(front: &dyn Front) -> Vec<String> {
    let mut trained = Vec::new();
    for about in front.learners() {
        let spec = small(&about.name);
        match front.learner(spec.clone()) {
            Err(MindError::WrongGame { .. }) => continue,
            made => drop(made.unwrap_or_else(|error| panic!("{spec}: {error}"))),
        }
        let alone = in_one_piece(front, &spec, 1);
        assert!(alone == in_one_piece(front, &spec, 2), "{spec} on {}: two threads", front.id());
        assert!(alone == in_pieces(front, &spec), "{spec} on {}: resumed", front.id());
        trained.push(about.name);
    }
    trained
}

fn in_one_piece(front: &dyn Front, spec: &Spec, threads: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| assert!(step(front, spec, folder.path(), None)));
    std::fs::read(Places::new(folder.path()).model()).unwrap()
}

fn in_pieces(front: &dyn Front, spec: &Spec) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    while !step(front, spec, folder.path(), Some(1)) {}
    std::fs::read(Places::new(folder.path()).model()).unwrap()
}

/// Trains on, at most `steps` further; whether that was the end.
fn step(front: &dyn Front, spec: &Spec, folder: &Path, steps: Option<u64>) -> bool {
    let training = Training { learner: spec.to_string(), game: front.id(), steps: Some(STEPS), seed: 5 };
    let mut notebook = Notebook { leave_after: steps, ..Notebook::default() };
    train(front, &training, folder, Duration::from_secs(1000), &mut notebook).unwrap().model.is_some()
}

#[test]
fn every_learner_ends_with_the_same_bytes_however_it_is_run() {
    let games = Games::new(Standard::new().close(), zoo());
    let on_boards = [
        "nhb",
        "concepts",
        "coevolution",
        "nhb-improved",
        "concepts-selected",
        "coevolution-improved",
        "odds",
        "contexts-any",
        "homo",
    ];
    let of_backgammon = ["actr", "td", "hc", "actr-improved", "actr-rehearsed"];
    for (game, expected) in [
        ("tic-tac-toe", on_boards.to_vec()),
        ("connect-four", [on_boards.as_slice(), &["contexts", "ranker"]].concat()),
        (
            "backgammon",
            [
                ["nhb", "nhb-improved", "coevolution", "coevolution-improved", "odds", "homo"].as_slice(),
                &of_backgammon,
            ]
            .concat(),
        ),
    ] {
        let trained = train_all(&*games.open(game).unwrap());
        for name in expected {
            assert!(trained.iter().any(|found| found == name), "{name} does not learn {game}: {trained:?}");
        }
    }
}

/// A step that is ended in its middle is done again: the training stands where its last checkpoint is, and ends with the same bytes.
#[test]
fn a_step_ended_in_its_middle_leaves_no_trace() {
    let games = Games::new(Standard::new().close(), zoo());
    let front = games.open("connect-four").unwrap();
    let training =
        Training { learner: "nhb:states=400,cycle=20".into(), game: front.id(), steps: Some(2), seed: 5 };
    let at = |folder: &Path, stop: Stop| {
        let mut notebook = Notebook { stop, ..Notebook::default() };
        train(&*front, &training, folder, Duration::ZERO, &mut notebook).unwrap()
    };
    let (alone, cut) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert!(at(alone.path(), Stop::default()).model.is_some());
    let (mut time, mut ended) = (Duration::from_millis(20), 0);
    loop {
        let stop = Stop::new();
        let asked = stop.clone();
        let teller = std::thread::spawn(move || {
            std::thread::sleep(time);
            asked.ask();
        });
        let trained = at(cut.path(), stop);
        teller.join().unwrap();
        if trained.model.is_some() {
            break;
        }
        ended += 1;
        time = time * 3 / 2;
    }
    assert!(ended > 2, "it was ended {ended} times only");
    let model = |folder: &Path| std::fs::read(Places::new(folder).model()).unwrap();
    assert!(model(alone.path()) == model(cut.path()));
}
