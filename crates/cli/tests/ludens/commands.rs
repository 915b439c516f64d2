//! The small commands.

use crate::run::ludens;

#[test]
fn games_are_listed() {
    ludens("games").succeeds().printing("tic-tac-toe").printing("connect-four").printing("rules.kif");
    let games = ludens("games --json").json();
    let ids: Vec<&str> = games.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    for id in ["tic-tac-toe", "connect-four", "backgammon"] {
        assert!(ids.contains(&id), "{id} is missing in {ids:?}");
    }
}

#[test]
fn minds_are_listed_for_the_games_they_play() {
    ludens("minds --game tic-tac-toe").succeeds().printing("random").printing("alphabeta").printing("depth:");
}

#[test]
fn moves_lead_to_positions_that_can_be_read_again() {
    for start in ["tic-tac-toe", "connect-four", "backgammon --position 4HPwATDgc/ABMA:31"] {
        let listing = ludens(&format!("moves {start} --json")).json();
        let game = listing["game"].as_str().unwrap();
        let moves = listing["moves"].as_array().unwrap();
        assert!(moves.len() >= 4, "{start}: {} moves", moves.len());
        for mv in moves {
            let position = mv["position"].as_str().unwrap();
            let after = ludens(&format!("moves {game} --position={position} --json")).json();
            assert_eq!(after["position"], mv["position"], "{game}");
        }
    }
}

/// The sixteen distinct plays of 3-1 from the opening position, counted by hand in many books.
#[test]
fn the_opening_roll_of_31_has_sixteen_plays() {
    let listing = ludens("moves backgammon --position 4HPwATDgc/ABMA:31 --json").json();
    assert_eq!(listing["moves"].as_array().unwrap().len(), 16);
}

#[test]
fn perft_counts_what_is_published() {
    ludens("perft tic-tac-toe --games").succeeds().printing("255168");
    let layers = ludens("perft connect-four --depth 7 --distinct --json").json();
    let counted: Vec<u64> =
        layers["counts"].as_array().unwrap().iter().map(|count| count["count"].as_u64().unwrap()).collect();
    assert_eq!(counted, [1, 7, 49, 238, 1120, 4263, 16422, 54859]);
}

#[test]
fn completions_are_printed_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        ludens(&format!("completions {shell}")).succeeds().printing("ludens");
    }
}

#[test]
fn every_command_shows_examples() {
    for command in ["", "games", "minds", "play", "moves", "perft", "bench", "completions", "arena"] {
        let text = ludens(&format!("{command} --help")).succeeds().stdout();
        assert!(text.contains("Example"), "ludens {command} --help shows no example");
    }
}
