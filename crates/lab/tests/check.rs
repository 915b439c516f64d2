//! A home that was damaged or half lost is found out and mended, and nothing is thrown away for it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use ludens_core::Measure;
use ludens_lab::check::{Finding, State, check};
use ludens_lab::registered::Parameters;
use ludens_lab::runs::{Run, RunStatus, Store};
use ludens_lab::train::{Places, RunLock, train};
use ludens_lab::{Home, LabError};

#[path = "support/counter.rs"]
mod counter;
use counter::{front, training};
#[path = "support/notebook.rs"]
mod notebook;
use notebook::Notebook;

const NEVER: Duration = Duration::from_secs(1_000_000);
const RUBBISH: &[u8] = b"rubbish";

/// Trains so many steps of 300, as often as said, leaving a checkpoint each time.
fn stopped(folder: &Path, steps: u64, times: usize) {
    let mut notebook = Notebook { leave_after: Some(steps), ..Notebook::default() };
    for _ in 0..times {
        train(&front(), &training(300), folder, NEVER, &mut notebook).unwrap();
    }
}

fn go_on(folder: &Path) -> Notebook {
    let mut rest = Notebook::default();
    train(&front(), &training(300), folder, NEVER, &mut rest).unwrap();
    rest
}

/// What a training leaves, without what was set aside.
fn results(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    let mut files: Vec<_> = named
        .filter(|(name, _)| !name.contains(".damaged"))
        .map(|(name, path)| (name, fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

fn undisturbed() -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    go_on(folder.path());
    results(folder.path())
}

#[test]
fn with_both_checkpoints_damaged_a_training_goes_on_from_its_last_readable_level() {
    let whole = undisturbed();
    // The ladder of 300 steps: 0, 1, 2, 4, 9, 18, 37, 75, 150, 300.
    for (levels_damaged, begins_at) in [(0, 150), (2, 37), (9, 0)] {
        let folder = tempfile::tempdir().unwrap();
        stopped(folder.path(), 100, 2);
        let places = Places::new(folder.path());
        for name in ["checkpoint.safetensors", "checkpoint.safetensors.previous"] {
            fs::write(folder.path().join(name), RUBBISH).unwrap();
        }
        for (_, level) in places.ladder().into_iter().rev().take(levels_damaged) {
            fs::write(level, RUBBISH).unwrap();
        }
        let rest = go_on(folder.path());
        assert_eq!(rest.begun_at, [begins_at]);
        assert_eq!(results(folder.path()), whole, "the same bytes");
        let said = rest.words.join("\n");
        assert!(said.contains("checkpoint.safetensors is damaged"), "{said}");
        assert!(said.contains("checkpoint.safetensors.previous is damaged"), "{said}");
        let from =
            if begins_at == 0 { "the start".into() } else { format!("level-{begins_at:012}.safetensors") };
        assert!(said.contains(&from), "{said}");
    }
}

#[test]
fn a_lost_checkpoint_is_replaced_by_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    stopped(folder.path(), 100, 2);
    fs::remove_file(Places::new(folder.path()).checkpoint()).unwrap();
    let rest = go_on(folder.path());
    assert_eq!(rest.begun_at, [100]);
    assert!(rest.words[0].contains("checkpoint.safetensors is missing"), "{:?}", rest.words);
    assert_eq!(results(folder.path()), undisturbed());
}

#[test]
fn a_damaged_result_is_made_again_from_its_level() {
    let folder = tempfile::tempdir().unwrap();
    go_on(folder.path());
    fs::write(Places::new(folder.path()).model(), RUBBISH).unwrap();
    assert_eq!(go_on(folder.path()).begun_at, [300]);
    assert_eq!(results(folder.path()), undisturbed());
}

/// What a newer Ludens wrote, or a disk does not give today, is not damage: it is left alone.
#[test]
fn what_may_be_read_another_day_is_not_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    stopped(folder.path(), 100, 1);
    let checkpoint = Places::new(folder.path()).checkpoint();
    fs::remove_file(&checkpoint).unwrap();
    fs::create_dir(&checkpoint).unwrap();
    let error = train(&front(), &training(300), folder.path(), NEVER, &mut Notebook::default()).unwrap_err();
    assert!(error.to_string().contains("checkpoint.safetensors"), "{error}");
    assert!(checkpoint.is_dir());
}

#[test]
fn one_folder_that_cannot_be_read_does_not_hide_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let home = used_home(folder.path());
    check(&home, true).unwrap();
    fs::create_dir(home.run_folder(1).join("level-000000000003.safetensors")).unwrap();
    fs::write(home.run_folder(2).join("checkpoint.safetensors"), RUBBISH).unwrap();
    let found = check(&home, true).unwrap();
    assert_eq!(states(&found), [State::Left, State::Mended], "{found:?}");
    assert!(found[0].problem.contains("level-000000000003.safetensors"), "{}", found[0]);
}

fn begin(home: &Home, leave_after: Option<u64>) -> Run {
    let store = Store::open(home).unwrap();
    let parameters = Parameters { training: training(300), out: None, checkpoint: 20.0 };
    let run = parameters.begin(&store, home, 300).unwrap();
    let mut notebook = Notebook { leave_after, ..Notebook::default() };
    let trained = train(&front(), &training(300), &run.folder, NEVER, &mut notebook);
    parameters.conclude(&store, &run, &trained).unwrap();
    store.run(run.id).unwrap()
}

/// A home with a finished training, a stopped one and a reproduction.
fn used_home(folder: &Path) -> Home {
    let home = Home::open(Some(folder)).unwrap();
    begin(&home, None);
    begin(&home, Some(100));
    let reproduction = home.reproduction("nhb", "smoke", 7);
    fs::create_dir_all(reproduction.join("units")).unwrap();
    let plan = r#"{"paper":"nhb","version":"0.1.0","plan":{"scale":"smoke","seed":7,"seeds":null}}"#;
    fs::write(reproduction.join("plan.json"), plan).unwrap();
    home
}

fn states(found: &[Finding]) -> Vec<State> {
    found.iter().map(|finding| finding.state).collect()
}

fn assert_rebuilt(home: &Home) {
    let store = Store::open(home).unwrap();
    let mut runs = store.runs().unwrap();
    runs.sort_by_key(|run| run.id);
    let of = |run: &Run| (run.id, run.kind.clone(), run.name.clone(), run.seed, run.status);
    assert_eq!(of(&runs[0]), (1, "train".into(), "counter".into(), 5, RunStatus::Finished));
    assert_eq!(of(&runs[1]), (2, "train".into(), "counter".into(), 5, RunStatus::Stopped));
    assert_eq!(of(&runs[2]), (3, "reproduce".into(), "nhb".into(), 7, RunStatus::Stopped));
    assert_eq!((runs[1].step, runs[1].steps), (100, 300));
    assert!(store.artefacts(1).unwrap().iter().any(|artefact| artefact.name == "level-000000000150"));
    let parameters = Parameters::of(&runs[1]).unwrap();
    assert_eq!(parameters.training, training(300));
    let mut rest = Notebook::default();
    train(&front(), &parameters.training, &runs[1].folder, NEVER, &mut rest).unwrap();
    assert_eq!(rest.begun_at, [100], "it goes on where it was");
    assert_eq!(results(&runs[1].folder), results(&runs[0].folder));
}

#[test]
fn a_lost_store_is_made_again_from_the_folders() {
    let folder = tempfile::tempdir().unwrap();
    let home = used_home(folder.path());
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(folder.path().join(format!("runs.sqlite{end}")));
    }
    assert_eq!(states(&check(&home, false).unwrap()), [State::Mendable; 3]);
    assert!(!home.database().exists(), "looking changes nothing");
    let found = check(&home, true).unwrap();
    assert_eq!(states(&found), [State::Mended; 3], "{found:?}");
    assert!(
        found[1].to_string().contains("runs/2") && found[1].remedy.contains("stopped at step 100 of 300")
    );
    assert_rebuilt(&home);
    assert_eq!(check(&home, true).unwrap(), [], "nothing is left to do");
}

#[test]
fn a_damaged_store_is_kept_beside_and_made_again() {
    for damage in ["head", "middle"] {
        let folder = tempfile::tempdir().unwrap();
        let home = used_home(folder.path());
        let mut bytes = fs::read(home.database()).unwrap();
        match damage {
            "head" => bytes[..16].fill(b'x'),
            // The pages of the tables.
            _ => bytes[4096..].fill(0xA5),
        }
        fs::write(home.database(), &bytes).unwrap();
        let error = Store::open(&home).and_then(|store| store.runs()).unwrap_err();
        assert!(matches!(error, LabError::DamagedStore { .. }), "{damage}: {error}");
        assert!(error.to_string().contains("ludens runs check"), "{error}");
        assert!(error.to_string().contains("runs.sqlite"), "{error}");
        let looked = check(&home, false).unwrap();
        assert_eq!(states(&looked), [State::Mendable; 4], "{looked:?}");
        assert!(fs::read(home.database()).unwrap() == bytes, "looking changes nothing");
        assert_eq!(states(&check(&home, true).unwrap()), [State::Mended; 4]);
        assert!(fs::read(folder.path().join("runs.sqlite.damaged")).unwrap() == bytes, "it is kept");
        assert_rebuilt(&home);
    }
}

/// What only the store had is taken over where it can be read.
#[test]
fn learning_curves_and_games_are_saved_from_a_damaged_store() {
    let folder = tempfile::tempdir().unwrap();
    let home = used_home(folder.path());
    Store::open(&home).unwrap().keep(2, 100, 300, &[(7, Measure::new("won", 0.5))]).unwrap();
    let direct = rusqlite::Connection::open(home.database()).unwrap();
    direct
        .execute("INSERT INTO games VALUES ('g', 'reversi', 'a', 'b', NULL, 1.0, 2.0, '{}', '{}')", [])
        .unwrap();
    let page = "SELECT rootpage FROM sqlite_master WHERE name = 'runs'";
    let page: usize = direct.query_row(page, [], |row| row.get::<_, i64>(0)).unwrap() as usize;
    direct.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(direct);
    let mut bytes = fs::read(home.database()).unwrap();
    bytes[(page - 1) * 4096..page * 4096].fill(0xA5);
    fs::write(home.database(), &bytes).unwrap();
    let found = check(&home, true).unwrap();
    assert_eq!(states(&found), [State::Mended; 6], "{found:?}");
    let store = Store::open(&home).unwrap();
    assert_eq!(store.metrics(2).unwrap()[0].step, 7);
    assert!(fs::read(folder.path().join("runs.sqlite.damaged")).unwrap() == bytes, "it is kept as it was");
    let again = rusqlite::Connection::open(home.database()).unwrap();
    assert_eq!(again.query_row("SELECT count(*) FROM games", [], |row| row.get::<_, i64>(0)).unwrap(), 1);
}

/// Whoever loses the store and trains before checking must not write into the folder of an older run.
#[test]
fn a_new_run_never_takes_the_folder_of_an_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let home = used_home(folder.path());
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(folder.path().join(format!("runs.sqlite{end}")));
    }
    let run = begin(&home, Some(1));
    assert_eq!((run.id, run.folder), (3, home.run_folder(3)));
    check(&home, true).unwrap();
    assert_eq!(Store::open(&home).unwrap().runs().unwrap().len(), 4);
}

#[test]
fn left_over_files_are_removed_where_nobody_is_at_work() {
    let folder = tempfile::tempdir().unwrap();
    let home = used_home(folder.path());
    let [idle, busy] = [1, 2].map(|id| home.run_folder(id).join("model.safetensors.4711.tmp"));
    fs::write(&idle, RUBBISH).unwrap();
    let _lock = RunLock::take(&home.run_folder(2)).unwrap();
    fs::write(&busy, RUBBISH).unwrap();
    let known = |found: Vec<Finding>| -> Vec<Finding> {
        found.into_iter().filter(|finding| finding.path.extension().is_some_and(|end| end == "tmp")).collect()
    };
    assert_eq!(known(check(&home, false).unwrap()).len(), 1);
    assert!(idle.exists(), "looking changes nothing");
    let found = known(check(&home, true).unwrap());
    assert_eq!((found.len(), found[0].path.clone()), (1, idle.clone()));
    assert!(!idle.exists() && busy.exists());
}

#[test]
fn checking_finds_damaged_checkpoints_levels_and_units() {
    let folder = tempfile::tempdir().unwrap();
    let home = used_home(folder.path());
    check(&home, true).unwrap();
    let run = home.run_folder(2);
    let unit = home.reproduction("nhb", "smoke", 7).join("units/one.json");
    for file in [run.join("checkpoint.safetensors"), run.join("level-000000000018.safetensors"), unit.clone()]
    {
        fs::write(file, RUBBISH).unwrap();
    }
    let found = check(&home, true).unwrap();
    assert_eq!(states(&found), [State::Mended, State::Left, State::Mended], "{found:?}");
    assert!(found[0].remedy.contains("level-000000000075.safetensors (step 75)"), "{}", found[0]);
    let aside = fs::read(run.join("checkpoint.safetensors.damaged")).unwrap();
    assert_eq!(aside, RUBBISH, "nothing is thrown away while it may be needed");
    assert!(!unit.exists() && unit.with_file_name("one.json.damaged").exists());
    assert_eq!(go_on(&run).begun_at, [75]);
}

/// A home whose name is no text could not be listed or moved.
#[cfg(target_os = "linux")]
#[test]
fn a_home_with_a_name_that_is_no_text_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"h\xff"));
    let error = Home::open(Some(&path)).unwrap_err();
    assert!(error.to_string().contains("not UTF-8") && error.to_string().contains("--home"), "{error}");
    assert!(!path.exists());
}
