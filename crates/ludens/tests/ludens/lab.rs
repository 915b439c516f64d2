//! Training, runs, reproductions and explanations from the command line.

use std::fs;
use std::path::Path;
use std::process::Command;

use ludens::prelude::*;

use crate::run::ludens;

/// A learner and a game it learns, whichever there are; the quickest first.
fn some_learner() -> (String, &'static str) {
    let house = House::from(Catalogue::standard());
    let first = |game: &&'static str| {
        let front = house.games.open(game).ok()?;
        let all = front.learners();
        let names = ["coevolution", "nhb"].into_iter().chain(all.iter().map(|about| about.name.as_str()));
        let mut makes = names.filter(|name| front.learner(Spec::new(name)).is_ok());
        Some((makes.next()?.to_string(), *game))
    };
    let found = ["tic-tac-toe", "connect-four", "backgammon"].iter().find_map(first);
    found.expect("some learner learns some game")
}

fn train(home: &Path, more: &str) -> String {
    let (learner, game) = some_learner();
    format!("train {learner} --game {game} --steps 3 --home {} {more}", home.display())
}

#[test]
fn train_keeps_a_run_and_writes_a_model_that_plays() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let model = folder.path().join("model.safetensors");
    let ended = ludens(&train(&home, &format!("--out {} --json", model.display()))).json();
    assert_eq!((ended["run"].as_i64(), ended["status"].as_str()), (Some(1), Some("finished")));
    let again = folder.path().join("again.safetensors");
    ludens(&train(&home, &format!("--out {}", again.display()))).succeeds();
    assert_eq!(fs::read(&model).unwrap(), fs::read(&again).unwrap(), "same seed, same bytes");
    let runs = ludens(&format!("runs --json --home {}", home.display())).json();
    assert_eq!(runs.as_array().unwrap().len(), 2);
    assert_eq!(runs[0]["status"], "finished");
    ludens(&format!("runs show 1 --home {}", home.display())).succeeds().printing("level-000000000003");
    ludens(&format!("runs compare 1 2 --home {}", home.display())).succeeds();
    ludens(&format!("runs export 1 --home {}", home.display())).succeeds().printing("run,learner,game,seed");
    ludens(&format!("resume 1 --home {}", home.display())).succeeds().printing("finished");
    let (path, (_, game)) = (model.display(), some_learner());
    ludens(&format!("arena {path} random --game {game} --games 4")).succeeds();
    let found = ludens(&format!("faithfulness {game} {path} --decisions 20 --json")).json();
    assert_eq!(found[0]["game"], game);
    // The start of a game of dice belongs to nature; nobody ranks moves there.
    if game != "backgammon" {
        ludens(&format!("explain {game} --mind {path}")).succeeds().printing("plays");
        ludens(&format!("explain {game} --run 1 --home {}", home.display())).succeeds().printing("step");
    }
}

#[test]
fn train_takes_a_file_of_settings() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("training.toml");
    let (learner, game) = some_learner();
    let text = format!("learner = \"{learner}\"\ngame = \"{game}\"\nsteps = 2\nseed = 9\n");
    fs::write(&config, text).unwrap();
    let home = folder.path().join("home");
    let line = format!("train --config {} --home {} --json", config.display(), home.display());
    assert_eq!(ludens(&line).json()["step"], 2);
    fs::write(&config, "lerner = \"x\"\n").unwrap();
    ludens(&line).fails_with(2);
}

#[test]
fn wrong_names_leave_no_run_behind() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().display();
    let (learner, game) = some_learner();
    for line in [
        "train nobody --game tic-tac-toe".to_string(),
        "train".to_string(),
        format!("train {learner} --game no-game"),
        format!("train {learner} --game {game} --set nonsense=1"),
        format!("train {learner} --game {game} --set nonsense"),
        format!("train {learner} --game {game} --out /no/such/folder/model"),
    ] {
        ludens(&format!("{line} --home {home}")).fails_with(2);
    }
    assert_eq!(ludens(&format!("runs --json --home {home}")).json(), serde_json::json!([]));
    ludens(&format!("resume 7 --home {home}")).fails_with(2);
    ludens(&format!("reproduce nonsense --home {home}")).fails_with(2);
    ludens("explain tic-tac-toe").fails_with(2);
}

#[test]
fn a_home_that_cannot_be_written_is_named() {
    let ran = ludens("runs --home /proc/no-such-place");
    ran.fails_with(1);
    assert!(ran.stderr().contains("/proc/no-such-place"), "{}", ran.stderr());
}

/// Full disks are rare on test machines; a limit on the size of files fails the same writes.
#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_that_leaves_the_model_before() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model.safetensors");
    fs::write(&model, "what was there before").unwrap();
    let home = folder.path().join("home");
    let line = train(&home, &format!("--out {}", model.display()));
    let script = format!("ulimit -f 1; trap '' XFSZ; exec {} {line}", env!("CARGO_BIN_EXE_ludens"));
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(&model).unwrap(), "what was there before");
}

#[test]
fn the_zoo_can_be_listed_and_says_what_it_has() {
    ludens("zoo --json").json();
    let ran = ludens("arena zoo:nobody random --game tic-tac-toe --games 2");
    ran.fails_with(2);
    assert!(ran.stderr().contains("`ludens zoo` lists them"), "{}", ran.stderr());
}

/// The same rules are the same game however their file is named, and a run keeps them.
#[test]
fn a_model_of_rules_knows_no_path_and_its_run_goes_on_without_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/../gdl/rules/tic-tac-toe.kif");
    let (near, far) = (folder.path().join("tic-tac-toe.kif"), folder.path().join("far"));
    fs::create_dir(&far).unwrap();
    fs::copy(rules, &near).unwrap();
    fs::copy(rules, far.join("tic-tac-toe.kif")).unwrap();
    let spellings = [near.display().to_string(), format!("{}/../tic-tac-toe.kif", far.display())];
    let models = spellings.map(|game| {
        let home = folder.path().join(format!("home{}", game.len()));
        ludens(&format!("train concepts --game {game} --steps 1 --home {}", home.display())).succeeds();
        fs::read(home.join("runs/1/model.safetensors")).unwrap()
    });
    assert!(models[0] == models[1], "two spellings, one model");
    let leaks = |bytes: &[u8]| bytes.windows(4).any(|four| four == b"home" || four == b"/tmp");
    assert!(!leaks(&models[0][..models[0].len().min(2000)]), "no path is in it");
    let home = folder.path().join(format!("home{}", near.display().to_string().len()));
    fs::remove_file(&near).unwrap();
    ludens(&format!("resume 1 --home {}", home.display())).succeeds().printing("finished");
}

#[test]
fn a_home_can_be_moved() {
    let folder = tempfile::tempdir().unwrap();
    let (before, after) = (folder.path().join("h"), folder.path().join("h2"));
    ludens(&train(&before, "")).succeeds();
    fs::rename(&before, &after).unwrap();
    let shown = ludens(&format!("runs show 1 --json --home {}", after.display())).json();
    assert!(shown.to_string().contains("h2/runs/1"), "{shown}");
    ludens(&format!("resume 1 --home {}", after.display())).succeeds().printing("finished");
    assert!(!before.exists(), "the old home is not made again");
}

/// Weights that have left the numbers are refused, with the remedy.
#[test]
fn a_model_of_endless_numbers_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.safetensors");
    let mut model = Model::new("td", "backgammon", Cost::default());
    model.put_f32("weights", &[2], &[1.0, f32::NAN]);
    model.write(&path).unwrap();
    ludens(&format!("arena {} random --game backgammon --games 2", path.display()))
        .fails_with(2)
        .saying("smaller");
}
