//! Whatever is wrong with what it is given, the program says what to do next, with a proper exit code.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use ludens::prelude::{Cost, Model};

use crate::run::ludens;

#[test]
fn an_unknown_game_names_the_list_of_games() {
    ludens("moves chess").fails_with(2).saying("no game called \"chess\"").saying("ludens games");
}

#[test]
fn a_damaged_position_says_what_a_position_looks_like() {
    ludens("moves tic-tac-toe --position xx").fails_with(2).saying("nine characters");
    ludens("moves tic-tac-toe --position xxxxxxxxx").fails_with(2).saying("one more");
    ludens("moves connect-four --position 4444444").fails_with(2).saying("connect-four position");
    ludens("moves backgammon --position 4HPwATDgc/AB").fails_with(2).saying("GNU position ID");
    ludens("moves backgammon --position 4HPwATDgc/ABMA:71").fails_with(2);
}

#[test]
fn an_unknown_mind_is_met_with_the_nearest_name() {
    ludens("play tic-tac-toe --against randm").fails_with(2).saying("did you mean \"random\"");
    ludens("play tic-tac-toe --against nonsense").fails_with(2).saying("ludens minds");
}

#[test]
fn an_unknown_or_impossible_setting_names_the_known_ones() {
    ludens("play tic-tac-toe --against random:depth=3").fails_with(2).saying("random has no setting depth");
    ludens("play tic-tac-toe --against random:=3").fails_with(2).saying("name:key=value");
}

#[test]
fn an_unknown_flag_is_a_usage_error() {
    ludens("games --colour").fails_with(2).saying("--help");
}

/// Numbers that no machine can serve: a sentence, never a panic.
#[test]
fn numbers_out_of_reach_are_refused() {
    for command in [
        "train nhb --game tic-tac-toe --checkpoint inf",
        "train nhb --game tic-tac-toe --checkpoint -1",
        "reproduce concepts --seeds 4294967295",
        "arena random depth1 --game tic-tac-toe --threads 2000",
        "arena random depth1 --game tic-tac-toe --games 4 --opening 4294967295",
        "perft tic-tac-toe --depth 4294967295",
        "gdl perft x.kif --depth 4294967295",
        "ggp --think 1e300",
    ] {
        ludens(command).fails_with(2);
    }
}

#[test]
fn a_model_of_another_game_names_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("player.safetensors");
    Model::new("demo", "reversi", Cost::default()).write(&path).unwrap();
    ludens(&format!("play tic-tac-toe --against {}", path.display()))
        .fails_with(2)
        .saying("the model is for reversi, not for tic-tac-toe");
}

#[test]
fn a_truncated_or_flipped_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("player.safetensors");
    let mut model = Model::new("demo", "tic-tac-toe", Cost::default());
    model.put_f32("weights", &[3], &[1.0, 2.0, 3.0]);
    let bytes = model.to_bytes();
    let mut flipped = bytes.clone();
    flipped[bytes.len() - 2] ^= 4;
    for damaged in [&bytes[..bytes.len() - 5], &flipped, b"rubbish", b""] {
        fs::write(&path, damaged).unwrap();
        ludens(&format!("play tic-tac-toe --against {}", path.display()))
            .fails_with(2)
            .saying("not a whole Ludens model");
    }
    ludens("play tic-tac-toe --against no/such.safetensors").fails_with(2).saying("cannot read");
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludens"))
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(said, "");
}

#[test]
fn ctrl_c_ends_with_130_and_a_word() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludens"))
        .args(["perft", "connect-four", "--depth", "30"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(said.contains("stopped"), "{said}");
}
