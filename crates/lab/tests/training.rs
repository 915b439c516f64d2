//! Training, stopped and resumed in every way, ends with the same bytes.

use std::fs;
use std::time::Duration;

use ludens_core::{Measure, Model};
use ludens_lab::runs::{NewRun, RunStatus, Store};
use ludens_lab::train::{Places, RunLock, ladder_steps, train};
use ludens_lab::{Home, LabError};

#[path = "support/counter.rs"]
mod counter;
use counter::{front, training};
#[path = "support/notebook.rs"]
mod notebook;
use notebook::Notebook;

const NEVER: Duration = Duration::from_secs(1_000_000);

fn files(folder: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn stopped_anywhere_it_ends_the_same() {
    let whole = tempfile::tempdir().unwrap();
    let mut notebook = Notebook::default();
    let done = train(&front(), &training(300), whole.path(), NEVER, &mut notebook).unwrap();
    assert_eq!(done.step, 300);
    assert_eq!(notebook.curve.len(), 600);
    for stride in [1, 7, 64, 299] {
        let folder = tempfile::tempdir().unwrap();
        let mut parts = Notebook { leave_after: Some(stride), ..Notebook::default() };
        while train(&front(), &training(300), folder.path(), NEVER, &mut parts).unwrap().model.is_none() {}
        assert!(parts.begun_at.len() as u64 >= 300 / stride);
        assert_eq!(files(folder.path()), files(whole.path()), "stride {stride}");
        assert_eq!(parts.curve, notebook.curve, "stride {stride}");
    }
}

#[test]
fn a_damaged_checkpoint_falls_back_on_the_one_before() {
    let whole = tempfile::tempdir().unwrap();
    train(&front(), &training(300), whole.path(), NEVER, &mut Notebook::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = Places::new(folder.path()).checkpoint();
    let mut notebook = Notebook { leave_after: Some(100), ..Notebook::default() };
    for _ in 0..2 {
        train(&front(), &training(300), folder.path(), NEVER, &mut notebook).unwrap();
    }
    let bytes = fs::read(&checkpoint).unwrap();
    fs::write(&checkpoint, &bytes[..bytes.len() / 2]).unwrap();
    let mut rest = Notebook::default();
    train(&front(), &training(300), folder.path(), NEVER, &mut rest).unwrap();
    assert_eq!(rest.begun_at, [100], "the truncated one was of step 200");
    assert_eq!(files(folder.path()), files(whole.path()));
}

#[test]
fn when_nothing_can_be_kept_the_last_good_state_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut notebook = Notebook { leave_after: Some(50), ..Notebook::default() };
    train(&front(), &training(300), folder.path(), NEVER, &mut notebook).unwrap();
    let before = files(folder.path());
    let mut full = Notebook { fail_to_keep: true, leave_after: Some(20), ..Notebook::default() };
    let error = train(&front(), &training(300), folder.path(), NEVER, &mut full).unwrap_err();
    assert!(error.to_string().contains("disk is full"));
    let checkpoint =
        |files: Vec<(String, Vec<u8>)>| files.into_iter().find(|(name, _)| name.starts_with("check"));
    assert_eq!(checkpoint(files(folder.path())), checkpoint(before));
}

#[test]
fn a_folder_serves_one_training_and_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let mut notebook = Notebook { leave_after: Some(5), ..Notebook::default() };
    train(&front(), &training(300), folder.path(), NEVER, &mut notebook).unwrap();
    let other = train(&front(), &training(301), folder.path(), NEVER, &mut notebook).unwrap_err();
    assert!(matches!(other, LabError::OtherTraining { .. }), "{other}");
    let lock = RunLock::take(folder.path()).unwrap();
    let busy = train(&front(), &training(300), folder.path(), NEVER, &mut notebook).unwrap_err();
    assert!(matches!(busy, LabError::Busy { .. }), "{busy}");
    drop(lock);
    train(&front(), &training(300), folder.path(), NEVER, &mut notebook).unwrap();
}

#[test]
fn the_ladder_is_the_players_own_past() {
    assert_eq!(
        ladder_steps(1024),
        [0, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map(|step: u64| if step == 4 { 4 } else { step }).to_vec()
    );
    assert_eq!(ladder_steps(3), [0, 1, 3]);
    assert_eq!(ladder_steps(0), [0]);
    let folder = tempfile::tempdir().unwrap();
    train(&front(), &training(64), folder.path(), NEVER, &mut Notebook::default()).unwrap();
    let ladder = Places::new(folder.path()).ladder();
    let games: Vec<u64> = ladder.iter().map(|(_, path)| Model::load(path).unwrap().ledger.games).collect();
    let steps: Vec<u64> = ladder.iter().map(|(step, _)| *step).collect();
    assert_eq!(games, steps);
    assert_eq!(steps, [0, 1, 2, 4, 8, 16, 32, 64]);
}

fn new_run() -> NewRun {
    NewRun {
        kind: "train".into(),
        name: "counter".into(),
        game: "tic-tac-toe".into(),
        parameters: serde_json::json!({"rate": 0.1}),
        seed: u64::MAX,
        steps: 10,
    }
}

#[test]
fn the_store_keeps_runs_curves_and_artefacts() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(Some(folder.path())).unwrap();
    let mut store = Store::open(&home).unwrap();
    let run = store.begin(&home, &new_run()).unwrap();
    assert_eq!(run.seed, u64::MAX);
    assert_eq!(run.status, RunStatus::Stopped, "nobody holds its lock");
    let lock = RunLock::take(&run.folder).unwrap();
    assert_eq!(store.run(run.id).unwrap().status, RunStatus::Running);
    drop(lock);
    let curve: Vec<(u64, Measure)> =
        (1..=6).map(|step| (step, Measure::new("error", 1.0 / step as f64))).collect();
    store.keep(run.id, 6, 10, &curve).unwrap();
    store.keep(run.id, 6, 10, &[(6, Measure::new("odd", f64::NAN))]).unwrap();
    store.forget_after(run.id, 4).unwrap();
    assert_eq!(store.metrics(run.id).unwrap().len(), 4);
    let file = run.folder.join("model");
    fs::write(&file, b"bytes").unwrap();
    store.add_artefact(run.id, "model", &file).unwrap();
    assert_eq!(store.artefacts(run.id).unwrap()[0].bytes, 5);
    store.set_status(run.id, RunStatus::Finished, "").unwrap();
    drop(store);
    let store = Store::open(&home).unwrap();
    let again = store.runs().unwrap();
    assert_eq!((again.len(), again[0].status, again[0].step), (1, RunStatus::Finished, 6));
    assert!(matches!(store.run(99), Err(LabError::UnknownRun { id: 99 })));
}

#[test]
fn a_store_that_is_no_store_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(Some(folder.path())).unwrap();
    fs::write(
        home.database(),
        "my notes, not a database, and long enough to be looked at by the library\n".repeat(30),
    )
    .unwrap();
    let error = Store::open(&home).unwrap_err();
    assert!(error.to_string().contains("--home"), "{error}");
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(Home::open(Some(&file.join("inside"))).is_err());
}
