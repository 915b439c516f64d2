//! Homes that were damaged, and trainings that were asked to end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::{ludens, ludens_with};

fn train(home: &Path, steps: u32) -> String {
    format!(
        "train coevolution --game tic-tac-toe --steps {steps} --checkpoint 86400 --home {}",
        home.display()
    )
}

/// Begins a training and sends it a signal once it has begun to learn; what it says and its exit code.
#[cfg(unix)]
fn signalled(line: &str, folder: &Path, signal: &str) -> (Option<i32>, String) {
    let child = Command::new(env!("CARGO_BIN_EXE_ludens"))
        .args(line.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !folder.join("level-000000000000.safetensors").exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "it does not begin");
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_millis(30));
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths
        .filter(|path| !path.display().to_string().contains(".damaged"))
        .map(|path| (path.file_name().unwrap().into(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

/// Enough steps that a signal meets the training on its way.
const STEPS: u32 = 1000;

#[cfg(unix)]
#[test]
fn a_training_that_is_asked_to_end_keeps_a_checkpoint_and_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    ludens(&train(&whole, STEPS)).succeeds();
    for signal in ["-INT", "-TERM", "-HUP"] {
        let home = folder.path().join(signal);
        let run = home.join("runs/1");
        let (code, said) = signalled(&train(&home, STEPS), &run, signal);
        assert_eq!(code, Some(130), "{signal}: {said}");
        assert!(said.contains("ludens resume 1"), "{signal}: {said}");
        assert!(run.join("checkpoint.safetensors").exists(), "{signal}: a checkpoint is kept");
        assert!(!run.join("model.safetensors").exists(), "{signal}: it was on its way");
        ludens(&format!("resume 1 --home {}", home.display())).succeeds().printing("finished");
        assert_eq!(files(&run), files(&whole.join("runs/1")), "{signal}");
    }
}

/// A home with a training that was stopped on its way.
#[cfg(unix)]
fn stopped(home: &Path) -> PathBuf {
    let run = home.join("runs/1");
    assert_eq!(signalled(&train(home, STEPS), &run, "-TERM").0, Some(130));
    run
}

#[cfg(unix)]
#[test]
fn a_home_without_its_store_is_made_whole_again() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    ludens(&train(&whole, STEPS)).succeeds();
    let home = folder.path().join("home");
    let run = stopped(&home);
    let named = format!("--home {}", home.display());
    ludens(&format!("runs check {named}")).succeeds().printing("everything is in order");
    // A store of rubbish: every command says what mends it.
    for end in ["-wal", "-shm"] {
        let _ = fs::remove_file(home.join(format!("runs.sqlite{end}")));
    }
    fs::write(home.join("runs.sqlite"), "x".repeat(5000)).unwrap();
    fs::write(run.join("checkpoint.safetensors.77.tmp"), "half").unwrap();
    ludens(&format!("runs {named}"))
        .fails_with(1)
        .saying("runs.sqlite is damaged")
        .saying("`ludens runs check`");
    ludens(&format!("runs check --dry-run {named}"))
        .fails_with(1)
        .printing("to mend")
        .printing("runs.sqlite");
    let mended = ludens(&format!("runs check {named}"));
    mended
        .succeeds()
        .printing("runs.sqlite.damaged")
        .printing("run 1")
        .printing("checkpoint.safetensors.77.tmp");
    assert_eq!(fs::read(home.join("runs.sqlite.damaged")).unwrap().len(), 5000);
    ludens(&format!("resume 1 {named}")).succeeds().printing("finished");
    assert_eq!(files(&run), files(&whole.join("runs/1")));
}

#[cfg(unix)]
#[test]
fn with_both_checkpoints_damaged_resume_says_where_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    ludens(&train(&whole, STEPS)).succeeds();
    let home = folder.path().join("home");
    let run = stopped(&home);
    for name in ["checkpoint.safetensors", "checkpoint.safetensors.previous"] {
        fs::write(run.join(name), "rubbish").unwrap();
    }
    let resumed = ludens(&format!("resume 1 --home {}", home.display()));
    resumed.succeeds().saying("checkpoint.safetensors is damaged").saying("goes on from").saying("level-");
    assert_eq!(files(&run), files(&whole.join("runs/1")));
}

/// The rules of a run lie in its folder, and are found there when the store is made again.
#[test]
fn a_run_on_rules_survives_the_loss_of_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("tic-tac-toe.kif");
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../gdl/rules/tic-tac-toe.kif"), &rules).unwrap();
    let home = folder.path().join("home");
    let named = format!("--home {}", home.display());
    ludens(&format!("train concepts --game {} --steps 1 {named}", rules.display())).succeeds();
    fs::remove_file(&rules).unwrap();
    let model = home.join("runs/1/model.safetensors");
    let before = fs::read(&model).unwrap();
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(home.join(format!("runs.sqlite{end}")));
    }
    // The finished model and its last level are damaged, too: the training goes on from the level before.
    for name in ["model", "level-000000000001"] {
        fs::write(home.join(format!("runs/1/{name}.safetensors")), "rubbish").unwrap();
    }
    ludens(&format!("runs check {named}")).fails_with(1).printing("level-000000000000.safetensors (step 0)");
    ludens(&format!("resume 1 {named}")).succeeds().printing("finished");
    assert!(fs::read(&model).unwrap() == before, "the same bytes");
    ludens(&format!("runs check {named}")).succeeds().printing("everything is in order");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_are_refused_with_a_sentence() {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join(OsStr::from_bytes(b"h\xffome"));
    let arguments = |line: &str| -> Vec<OsString> {
        line.split_whitespace()
            .map(|word| match word {
                "ODD" => odd.clone().into_os_string(),
                "HOME" => folder.path().join("home").into_os_string(),
                word => word.into(),
            })
            .collect()
    };
    for line in [
        "runs --home ODD",
        "runs --json --home ODD",
        "train coevolution --game tic-tac-toe --steps 1 --home ODD",
        "train coevolution --game tic-tac-toe --steps 1 --home HOME --out ODD",
        "reproduce nhb --scale smoke --home HOME --out ODD",
        "reproduce nhb --scale smoke --home ODD",
        "serve --home ODD --port 0",
    ] {
        ludens_with(&arguments(line), "").fails_with(2).saying("not UTF-8 text").saying("ome");
    }
    assert!(!odd.exists(), "nothing was made");
}
