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
fn a_setting_is_listed_with_its_default_and_its_limits() {
    ludens("minds tic-tac-toe")
        .succeeds()
        .printing("c: How much doubt counts. [default: 1; from 0 to 100]")
        .printing("sims: Simulations a move; none: 1000 when there is no budget. [default: none; a number");
}

#[test]
fn a_mind_that_does_not_play_a_game_says_why() {
    let text = ludens("minds backgammon").succeeds().stdout();
    let (_, not) =
        text.split_once("Not for backgammon").expect("the solver of Connect Four does not play it");
    let list = ludens("minds backgammon --json").json();
    let refused = list.as_array().unwrap().iter().filter(|mind| mind["games"] == serde_json::json!([]));
    let mut minds = 0;
    for mind in refused {
        let (name, why) = (mind["name"].as_str().unwrap(), mind["not"][0]["why"].as_str().unwrap());
        assert!(not.contains(name) && not.contains(why), "{name}: {why}");
        if mind["kind"] == "mind" {
            minds += 1;
            ludens(&format!("arena {name} random --game backgammon --games 2")).fails_with(2);
        }
    }
    assert!(minds > 0, "{not}");
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
