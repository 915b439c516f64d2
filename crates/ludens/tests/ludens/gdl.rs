//! Games from rules, as a user meets them.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::run::ludens;

fn rules(name: &str) -> String {
    format!("{}/../gdl/rules/{name}.kif", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn sound_rules_pass_the_check_and_broken_ones_are_pointed_at() {
    ludens(&format!("gdl check {}", rules("reversi"))).succeeds().printing("sound, grounded");
    let dir = tempfile::tempdir().unwrap();
    let broken = dir.path().join("broken.kif");
    std::fs::write(&broken, "(role a)\n(<= (legal a go) (true (p ?x))").unwrap();
    ludens(&format!("gdl check {}", broken.display())).fails_with(2).saying("line 2, column 1");
    std::fs::write(&broken, "(role a) (<= terminal (not q))").unwrap();
    ludens(&format!("gdl show {}", broken.display())).fails_with(2).saying("`legal`");
    ludens("gdl show nowhere.kif").fails_with(2).saying("give the path");
}

#[test]
fn the_board_and_the_lines_of_connect_four_are_found_in_its_rules() {
    let report = ludens(&format!("gdl show {} --json", rules("connect-four"))).json();
    assert_eq!(report["board"]["width"], 7);
    assert_eq!(report["board"]["height"], 6);
    assert_eq!(report["board"]["contexts"]["4"], 69);
}

#[test]
fn perft_and_playouts_of_rules_are_counted() {
    let levels = ludens(&format!("gdl perft {} --depth 3 --json", rules("tic-tac-toe"))).json();
    assert_eq!(levels[2]["paths"], 504);
    assert_eq!(levels[2]["distinct_states"], 252);
    let report = ludens(&format!("gdl playouts {} --count 2000 --json", rules("tic-tac-toe"))).json();
    assert_eq!(report["playouts"], 2000);
    let again = ludens(&format!("gdl playouts {} --count 2000 --json", rules("tic-tac-toe"))).json();
    assert_eq!(report["goals"], again["goals"]);
}

#[test]
fn a_rule_file_is_a_game_wherever_a_game_is_named() {
    let file = rules("tic-tac-toe");
    let listing = ludens(&format!("moves {file} --json")).json();
    assert_eq!(listing["moves"].as_array().unwrap().len(), 9);
    ludens(&format!("perft {file} --depth 4")).succeeds().printing("3024");
    ludens(&format!("arena random random --game {file} --games 4")).succeeds();
    ludens(&format!("concepts {file} --kind wide --from {file}")).succeeds().printing("threat");
    let dir = tempfile::tempdir().unwrap();
    let (home, model) = (dir.path().join("home"), dir.path().join("model.safetensors"));
    ludens(&format!(
        "train concepts --game {file} --set playouts=20 --set source=50 --home {} --out {}",
        home.display(),
        model.display()
    ))
    .succeeds();
    ludens(&format!("arena {} random --game {file} --games 4", model.display())).succeeds();
    ludens(&format!("moves {}", rules("chase"))).fails_with(2).saying("ludens ggp");
}

/// A program that is ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a player on a free port and reads its address.
fn player(mind: &str) -> (Running, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludens"))
        .args(["ggp", "--port", "0", "--think", "0.02", "--mind", mind])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split_whitespace().find(|w| w.contains(':')).unwrap().to_string();
    (Running(child), address)
}

#[test]
fn two_programs_play_a_match_and_it_is_recorded() {
    let ((_a, first), (_b, second)) = (player("uct"), player("random"));
    let dir = tempfile::tempdir().unwrap();
    let record = dir.path().join("match.json");
    let file = rules("tic-tac-toe");
    ludens(&format!(
        "ggp-server {file} --players {first} {second} --startclock 5 --playclock 2 --record {}",
        record.display()
    ))
    .succeeds()
    .printing("cross:");
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(record).unwrap()).unwrap();
    assert_eq!(record["isCompleted"], true);
    assert_eq!(record["roleNames"][0], "cross");
    ludens("ggp --mind nobody --port 0").fails_with(2).saying("nobody");
}

/// Learnt heuristics play a whole match: concepts in a tree search against concepts in alpha-beta. The rules are learnt from while the start
/// clock runs.
#[test]
fn learnt_heuristics_play_a_match() {
    let ((_a, first), (_b, second)) =
        (player("uct:heuristic=concepts"), player("alphabeta:depth=2,heuristic=concepts"));
    let dir = tempfile::tempdir().unwrap();
    let record = dir.path().join("match.json");
    let file = rules("connect-four");
    ludens(&format!(
        "ggp-server {file} --players {first} {second} --startclock 60 --playclock 5 --record {}",
        record.display()
    ))
    .succeeds();
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(record).unwrap()).unwrap();
    assert_eq!(record["isCompleted"], true);
    let errors = record["errors"].as_array().unwrap().iter().flat_map(|step| step.as_array().unwrap());
    assert!(errors.clone().count() >= 14 && errors.clone().all(|error| error == ""), "{record}");
}
