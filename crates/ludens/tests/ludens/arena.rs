//! Tournaments from the command line.

use crate::run::{ludens, ludens_with};

#[test]
fn a_better_mind_wins_and_the_table_says_so() {
    let report = ludens("arena random depth1 --game tic-tac-toe --games 400 --seed 3 --json").json();
    assert_eq!(report["games"], 400);
    assert_eq!(report["standings"][0]["mind"], "depth1");
    ludens("arena random depth1 --game tic-tac-toe --games 20").succeeds().printing("depth1").printing("Elo");
}

#[test]
fn the_result_is_the_same_for_any_number_of_threads() {
    let run = |threads: u32| {
        ludens(&format!(
            "arena random depth1 uct:states=200 --game connect-four --games 12 --threads {threads} --json"
        ))
        .stdout()
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn a_sequential_test_stops_early() {
    let report =
        ludens("arena depth1 random --game tic-tac-toe --sprt --elo1 50 --games 10000 --json").json();
    assert_eq!(report["sprt"]["verdict"], "accept-h1");
    assert!(report["games"].as_u64().unwrap() < 2_000);
}

#[test]
fn a_record_is_resumed_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("games.jsonl").display().to_string();
    let play = |games: u32, more: &str| {
        ludens(&format!(
            "arena random depth1 --game backgammon --games {games} --record {record} {more} --json"
        ))
    };
    play(6, "").succeeds();
    play(6, "").fails_with(2).saying("--resume");
    play(6, "--resume").succeeds();
    ludens(&format!("replay {record}")).succeeds().printing("random – depth1");
    let game = ludens(&format!("replay {record} --number 2 --json")).json();
    assert!(game[0]["moves"].as_array().unwrap().len() > 10);
    let lines = std::fs::read_to_string(&record).unwrap();
    let pair =
        |line: &str| serde_json::from_str::<serde_json::Value>(line.split_once(' ').unwrap().1).unwrap();
    let (kept, second) = (pair(lines.lines().nth(1).unwrap()), 1);
    let labels = |value: &serde_json::Value, key: &str| -> Vec<String> {
        value[key].as_array().unwrap().iter().map(|label| label.as_str().unwrap().into()).collect()
    };
    let all = [labels(&kept, "opening_labels"), labels(&kept["games"][second], "labels")].concat();
    let replayed: Vec<String> =
        game[0]["moves"].as_array().unwrap().iter().map(|mv| mv["label"].as_str().unwrap().into()).collect();
    assert_eq!(all, replayed, "the record says every move by number and as people write it");
    let numbers =
        kept["opening"].as_array().unwrap().len() + kept["games"][second]["moves"].as_array().unwrap().len();
    assert_eq!(numbers, all.len());
    ludens(&format!("replay {record} --number 99")).fails_with(2).saying("games 1 to 6");
}

#[test]
fn impossible_tournaments_are_refused() {
    ludens("arena random --game tic-tac-toe").fails_with(2);
    ludens("arena random depth1 --game tic-tac-toe --games 0").fails_with(2).saying("--games 2 or more");
    ludens("arena random depth1 random --game tic-tac-toe --sprt").fails_with(2).saying("exactly two");
    ludens("arena random nobody --game tic-tac-toe").fails_with(2).saying("ludens minds");
}

#[test]
fn random_moves_make_different_games_of_minds_without_chance() {
    let games = |more: &str| {
        let command = format!(
            "arena alphabeta:depth=1 alphabeta:depth=2 --game tic-tac-toe --games 20 --opening 0 {more} --json"
        );
        ludens(&command).json()["distinct_games"].as_u64().unwrap()
    };
    let (plain, random) = (games(""), games("--random-moves 0.3"));
    assert!(plain <= 2 && random > 5, "{plain} different games without, {random} with random moves");
    ludens("arena random depth1 --game tic-tac-toe --random-moves 2").fails_with(2);
}

#[test]
fn a_program_is_asked_over_a_pipe_and_loses_what_it_cannot_play() {
    let program = env!("CARGO_BIN_EXE_ludens");
    let pipe = |game: &str, protocol: &str| {
        format!(
            "pipe:command={program} answer {game} --mind depth1 --protocol {protocol},protocol={protocol}"
        )
    };
    for (game, protocol) in [("tic-tac-toe", "json"), ("connect-four", "gtp"), ("reversi", "gtp")] {
        let arguments = ["arena", &pipe(game, protocol), "depth1", "--game", game, "--games", "4", "--json"];
        let report = ludens_with(&arguments, "").json();
        assert_eq!(report["games"], 4, "{game} over {protocol}");
        assert_eq!(report["standings"][0]["failures"], 0);
    }
    // `cat` repeats the question, which is no answer.
    let arguments =
        ["arena", "random", "pipe:command=cat", "--game", "tic-tac-toe", "--games", "4", "--forfeits"];
    let text = ludens_with(&arguments, "").succeeds().stdout();
    assert!(text.contains("could not go on in 4 of its 4 games"), "{text}");
    ludens_with(&arguments[..arguments.len() - 1], "").fails_with(1);
}

#[test]
fn a_mind_asked_by_gtp_knows_its_commands_and_its_board() {
    let asked = |game: &str, questions: &str| {
        ludens_with(&["answer", game, "--mind", "depth1", "--protocol", "gtp"], questions)
    };
    let questions =
        "1 known_command play\n2 known_command dance\n3 boardsize 8\n4 boardsize 19\nlist_commands\nquit\n";
    let text = asked("reversi", questions).succeeds().stdout();
    for line in ["=1 true", "=2 false", "=3 ", "?4 unacceptable size"] {
        assert!(text.lines().any(|told| told == line), "{line} in {text}");
    }
    assert!(text.contains("known_command\nkomi\nlist_commands"), "{text}");
    asked("backgammon", "genmove b\n").fails_with(2);
    let wrong = ludens_with(&["answer", "tic-tac-toe", "--mind", "depth1"], "what now\n").succeeds().stdout();
    assert!(wrong.contains("that is no JSON; ask"), "{wrong}");
}
