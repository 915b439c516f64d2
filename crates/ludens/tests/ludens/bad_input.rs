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
fn a_board_that_cannot_be_names_the_sizes_that_can() {
    for name in ["line-9x9x5", "gravity-9x9x4", "line-1x1x1", "gravity-5x5x6"] {
        ludens(&format!("moves {name}"))
            .fails_with(2)
            .saying("line-WxHxK is K in a line on W columns and H rows")
            .saying("at most 64 cells, K from 2 to the longer side")
            .saying("gravity-WxHxK");
    }
    // What the sentence says is so.
    for name in ["line-8x8x2", "line-8x8x8", "gravity-32x2x32", "gravity-2x1x2"] {
        ludens(&format!("moves {name}")).succeeds();
    }
}

#[test]
fn a_training_of_no_games_says_what_it_needs() {
    let home = tempfile::tempdir().unwrap();
    for games in ["-3", "abc", "0", "1.5", "99999999999999999999"] {
        let said =
            ludens(&format!("train td --game backgammon --games {games} --home {}", home.path().display()))
                .fails_with(2)
                .saying("give a whole number of games, 1 or more")
                .saying(&format!("--games cannot be \"{games}\""))
                .stderr();
        assert!(!said.contains("tip:") && !said.contains("Usage:") && !said.contains("digit"), "{said}");
    }
    for (flag, value) in [("steps", "-3"), ("steps", "abc"), ("seed", "-1")] {
        ludens(&format!("train td --game backgammon --{flag} {value}"))
            .fails_with(2)
            .saying(&format!("--{flag} cannot be \"{value}\": give a whole number"));
    }
    let file = home.path().join("training.toml");
    fs::write(&file, "learner = \"td\"\ngame = \"backgammon\"\ngames = 0\n").unwrap();
    ludens(&format!("train --config {}", file.display())).fails_with(2).saying("1 game or more");
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

#[test]
fn a_training_that_is_stopped_says_so_once_and_calls_it_no_error() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().display().to_string();
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludens"))
        .args(["train", "td", "--game", "backgammon", "--games", "1000000", "--home", &home])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(2));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
    assert_eq!(said.matches("stopped").count(), 1, "{said}");
    assert!(said.contains("ludens resume 1") && !said.contains("error"), "{said}");
}
