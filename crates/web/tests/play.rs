//! Whole games through the interface, of every game of the house.

mod common;

use common::{Served, start, start_with};
use ludens_web::{Config, Limits};
use serde_json::{Value, json};

/// Plays to the end: the person takes the legal move number `pick` of each list.
fn play_out(server: &Served, mut session: Value, pick: usize) -> Value {
    let id = session["id"].as_str().unwrap().to_string();
    for _ in 0..2_000 {
        let view = &session["view"];
        if !view["score"].is_null() {
            return session;
        }
        session = if view["to_move"] == "First" {
            let moves = view["moves"].as_array().unwrap();
            let mv = &moves[pick % moves.len()]["mv"];
            server.call(&format!("/api/sessions/{id}/move"), &json!({ "mv": mv }))
        } else {
            server.call(&format!("/api/sessions/{id}/reply"), &json!({}))
        };
    }
    panic!("the game does not end");
}

#[test]
fn every_game_can_be_played_to_its_end_and_is_kept() {
    let server = start(Limits::default());
    let catalog = server.get("/api/catalog").json();
    let games = catalog["games"].as_array().unwrap();
    assert!(!games.is_empty());
    for game in games {
        let name = game["id"].as_str().unwrap();
        let session = play_out(&server, server.begin(name, "random", 7), 3);
        let id = session["id"].as_str().unwrap();
        let kept = server.get(&format!("/api/games/{id}")).json();
        assert_eq!(kept["plies"], session["plies"], "{name}");
        assert_eq!(kept["result"], session["view"]["score"], "{name}");
        let csv = server.get(&format!("/api/games/{id}/csv")).text();
        assert_eq!(csv.lines().count(), 1 + session["plies"].as_array().unwrap().len());
    }
    assert_eq!(server.get("/api/games").json().as_array().unwrap().len(), games.len());
}

#[test]
fn the_same_seed_and_moves_give_the_same_game() {
    let server = start(Limits::default());
    let labels = |session: &Value| -> Vec<String> {
        let plies = session["plies"].as_array().unwrap();
        plies.iter().map(|ply| ply["label"].as_str().unwrap().to_string()).collect()
    };
    for game in server.get("/api/catalog").json()["games"].as_array().unwrap() {
        let name = game["id"].as_str().unwrap();
        let [one, two, other] = [(5, 1), (5, 1), (6, 1)]
            .map(|(seed, pick)| play_out(&server, server.begin(name, "random", seed), pick));
        assert_eq!(labels(&one), labels(&two), "{name}");
        assert_ne!(labels(&one), labels(&other), "{name}: the seed changes nothing");
    }
}

#[test]
fn undo_goes_back_to_the_same_position_and_the_same_dice() {
    let server = start(Limits::default());
    for game in server.get("/api/catalog").json()["games"].as_array().unwrap() {
        let mut session = server.begin(game["id"].as_str().unwrap(), "random", 3);
        let id = session["id"].as_str().unwrap().to_string();
        while session["view"]["to_move"] == "Second" {
            session = server.call(&format!("/api/sessions/{id}/reply"), &json!({}));
        }
        let before = session["view"].clone();
        let mv = &before["moves"][0]["mv"];
        server.call(&format!("/api/sessions/{id}/move"), &json!({ "mv": mv }));
        server.call(&format!("/api/sessions/{id}/reply"), &json!({}));
        let back = server.call(&format!("/api/sessions/{id}/undo"), &json!({}));
        assert_eq!(back["view"], before);
        assert_eq!(server.post(&format!("/api/sessions/{id}/undo"), &json!({})).status, 409);
    }
}

#[test]
fn a_reply_carries_its_reasons_and_they_can_be_asked_again() {
    let server = start(Limits::default());
    let session = server.begin("tic-tac-toe", "depth1", 1);
    let id = session["id"].as_str().unwrap();
    let path = |call: &str| format!("/api/sessions/{id}/{call}");
    // x a1, then o somewhere, x b2 …: let o have a win in one and ask why it took it.
    server.call(&path("move"), &json!({ "mv": session["view"]["moves"][0]["mv"] }));
    let replied = server.call(&path("reply"), &json!({}));
    let decision = &replied["last_decision"];
    assert_eq!(decision["moves"].as_array().unwrap().len(), 8);
    assert_eq!(decision["mv"], replied["plies"][1]["mv"]);
    assert_eq!(server.call(&path("why"), &json!({ "ply": 1 })), *decision);
    let hint = server.call(&path("why"), &json!({}));
    assert_eq!(hint["ply"], 2);
    assert_eq!(hint["moves"].as_array().unwrap().len(), 7);
    let other = server.call(&path("why"), &json!({ "mind": "random", "ply": 0 }));
    assert_eq!(other["moves"].as_array().unwrap().len(), 9);
    assert_eq!(other["unit"], "how likely it plays it");
    assert_eq!(server.get(&path("positions/1")).json()["history"].as_array().unwrap().len(), 1);
}

#[test]
fn a_winning_move_is_explained_by_the_cell_that_wins() {
    let server = start(Limits::default());
    let seats = json!([{ "kind": "mind", "mind": "depth1" }, { "kind": "human" }]);
    let new = json!({ "game": "tic-tac-toe", "seats": seats, "position": "xx.oo....", "seed": 1 });
    let session = server.call("/api/sessions", &new);
    let id = session["id"].as_str().unwrap();
    let won = server.call(&format!("/api/sessions/{id}/reply"), &json!({}));
    assert_eq!(won["view"]["score"], 1.0);
    let best = &won["last_decision"]["moves"][0];
    assert_eq!(best["label"], "c1");
    assert_eq!(best["reasons"][0]["cells"], json!([2]));
    assert_eq!(won["last_decision"]["board"]["squares"][2]["piece"], 0, "the board before the move");
}

#[test]
fn levels_are_checked_and_a_temperature_draws_among_the_ranking() {
    let server = start(Limits::default());
    let with = |level: Value| {
        let seats = json!([{ "kind": "mind", "mind": "depth1", "level": level }, { "kind": "human" }]);
        json!({ "game": "tic-tac-toe", "seats": seats, "position": "xx.oo....", "seed": 4 })
    };
    for wrong in [json!({ "states": 0 }), json!({ "temperature": -1 }), json!({ "depth": 3 })] {
        assert!(matches!(server.post("/api/sessions", &with(wrong)).status, 400 | 422));
    }
    let mut slips = 0;
    for seed in 0..40 {
        let mut new = with(json!({ "temperature": 5 }));
        new["seed"] = json!(seed);
        let session = server.call("/api/sessions", &new);
        let id = session["id"].as_str().unwrap();
        let replied = server.call(&format!("/api/sessions/{id}/reply"), &json!({}));
        let decision = &replied["last_decision"];
        assert_eq!(decision["slipped"], decision["mv"] != decision["moves"][0]["mv"]);
        slips += usize::from(decision["slipped"] == true);
    }
    assert!((10..40).contains(&slips), "{slips} slips of 40");
}

#[test]
fn wrong_turns_and_old_versions_are_refused() {
    let server = start(Limits::default());
    let session = server.begin("tic-tac-toe", "random", 1);
    let id = session["id"].as_str().unwrap();
    let path = |call: &str| format!("/api/sessions/{id}/{call}");
    assert_eq!(server.post(&path("reply"), &json!({})).status, 409);
    assert_eq!(server.post(&path("move"), &json!({ "mv": 99 })).status, 409);
    server.call(&path("move"), &json!({ "mv": 0, "version": 0 }));
    assert_eq!(server.post(&path("move"), &json!({ "mv": 1 })).status, 409, "not our turn");
    server.call(&path("reply"), &json!({}));
    assert_eq!(server.post(&path("move"), &json!({ "mv": 8, "version": 0 })).status, 409);
    assert_eq!(server.get("/api/sessions/00000000000000000000000000000000").status, 404);
}

#[test]
fn the_description_names_every_call() {
    let server = start(Limits::default());
    let description = server.get("/api/openapi.json").json();
    assert_eq!(description["openapi"], "3.1.0");
    let paths = description["paths"].as_object().unwrap();
    assert!(paths.contains_key("/api/sessions/{id}/why"));
    for (path, methods) in paths {
        let path = path.replace("{id}", "x").replace("{ply}", "0").replace("{name}", "x");
        for method in methods.as_object().unwrap().keys() {
            let answer = match method.as_str() {
                "get" if path.ends_with("/events") => continue,
                "get" => server.get(&path),
                _ => server.post(&path, &json!({ "nobody": "knows" })),
            };
            assert_ne!(answer.status, 405, "{method} {path}");
            assert!(answer.status < 500, "{method} {path}: {}", answer.status);
        }
    }
}

#[test]
fn games_outlive_the_server() {
    let home = tempfile::tempdir().unwrap();
    let config = || Config { port: 0, home: Some(home.path().into()), ..Config::default() };
    let server = start_with(config());
    let session = server.begin("connect-four", "random", 9);
    let id = session["id"].as_str().unwrap().to_string();
    server.call(&format!("/api/sessions/{id}/move"), &json!({ "mv": 3 }));
    let before = server.call(&format!("/api/sessions/{id}/reply"), &json!({}));
    drop(server);
    let server = start_with(config());
    let after = server.get(&format!("/api/sessions/{id}")).json();
    assert_eq!(after["view"], before["view"]);
    assert_eq!(after["seats"], before["seats"]);
    // The reasons are thought again, from the same stream: the same ones.
    let mut again = server.call(&format!("/api/sessions/{id}/why"), &json!({ "ply": 1 }));
    let mut first = before["last_decision"].clone();
    again["ms"] = json!(0);
    first["ms"] = json!(0);
    assert_eq!(again, first);
    assert_eq!(server.get("/api/games").json()[0]["id"], json!(id));
    server.call(&format!("/api/sessions/{id}/move"), &json!({ "mv": 3 }));
}

#[test]
fn the_zoo_plays_at_every_rung_of_its_past() {
    let server = start(Limits::default());
    let catalog = server.get("/api/catalog").json();
    let games = catalog["games"].as_array().unwrap();
    let learnt: Vec<(&str, &Value)> = games
        .iter()
        .flat_map(|game| {
            game["minds"].as_array().unwrap().iter().map(|mind| (game["id"].as_str().unwrap(), mind))
        })
        .filter(|(_, mind)| mind["kind"] == "learnt")
        .collect();
    assert!(!learnt.is_empty(), "no trained player ships with the program");
    for (game, mind) in learnt {
        let levels = mind["levels"].as_array().unwrap();
        assert!(!levels.is_empty() && levels[0]["level"] == 1);
        for level in [&levels[0], &levels[levels.len() - 1]] {
            let session = server.begin(game, level["name"].as_str().unwrap(), 2);
            let id = session["id"].as_str().unwrap();
            if session["view"]["to_move"] == "First" {
                let mv = &session["view"]["moves"][0]["mv"];
                server.call(&format!("/api/sessions/{id}/move"), &json!({ "mv": mv }));
            }
            let replied = server.call(&format!("/api/sessions/{id}/reply"), &json!({}));
            assert!(!replied["last_decision"]["moves"].as_array().unwrap().is_empty());
        }
        let inside = server.get(&format!("/api/minds/{}", mind["name"].as_str().unwrap())).json();
        assert_eq!(inside["game"], game);
        assert!(!inside["tensors"].as_object().unwrap().is_empty());
    }
}

const TAKING_TURNS: &str = "
(role black) (role red)
(init (pile 5)) (init (control black))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (legal ?p (take 1)) (true (control ?p)) (true (pile ?n)) (succ ?m ?n))
(<= (legal ?p (take 2)) (true (control ?p)) (true (pile ?n)) (succ ?m ?n) (succ ?l ?m))
(<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))
(<= (next (pile ?m)) (true (pile ?n)) (does ?p (take 1)) (succ ?m ?n))
(<= (next (pile ?l)) (true (pile ?n)) (does ?p (take 2)) (succ ?m ?n) (succ ?l ?m))
(<= (next (control red)) (true (control black)))
(<= (next (control black)) (true (control red)))
(<= terminal (true (pile 0)))
(<= (goal ?p 100) (role ?p) (true (pile 0)) (true (control ?q)) (distinct ?p ?q))
(<= (goal ?p 0) (true (pile 0)) (true (control ?p)))
(<= (goal ?p 50) (role ?p) (true (pile ?n)) (distinct ?n 0))
";

/// Grows without end unless something stops it.
const WITHOUT_END: &str = "(role a) (role b) (init (at 0)) (<= (legal ?r go) (role ?r))
(<= (number (s ?n)) (number ?n)) (number 0) (<= (next (at ?n)) (number ?n)) (<= terminal (true (at 1))) (<= (goal ?r 0) (role ?r))";

#[test]
fn rules_that_are_sent_become_a_game_and_outlive_the_server() {
    let home = tempfile::tempdir().unwrap();
    let config = || Config { port: 0, home: Some(home.path().into()), ..Config::default() };
    let server = start_with(config());
    let headers = [("x-ludens-token", server.token.as_str()), ("content-type", "text/plain")];
    let send =
        |text: &str| server.send("POST", "/api/rules?name=..%2FTaking%20turns", &headers, text.as_bytes());
    let open = "(".repeat(100_000);
    for wrong in ["", "(role", "(role a) (role b)", "rubbish", &open, WITHOUT_END] {
        let answer = send(wrong);
        assert_eq!(answer.status, 422, "{}", answer.text());
    }
    assert_eq!(send(&"; too long\n".repeat(200_000)).status, 413);
    let answer = send(TAKING_TURNS);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let game = answer.json();
    assert_eq!(game["title"], "Taking turns");
    let id = game["id"].as_str().unwrap();
    assert_eq!(send(TAKING_TURNS).json()["id"], game["id"], "the same rules are the same game");
    assert!(game["learners"].as_array().unwrap().iter().any(|learner| learner["name"] == "nhb"));
    let over = play_out(&server, server.begin(id, "random", 3), 0);
    let session = over["id"].as_str().unwrap();
    drop(server);
    let server = start_with(config());
    assert_eq!(server.get(&format!("/api/sessions/{session}")).json()["view"], over["view"]);
    let begin = std::time::Instant::now();
    while !server.get("/api/catalog").text().contains(id) && begin.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert!(server.get("/api/catalog").text().contains(id), "it is not among the games after a restart");
}

#[test]
fn any_line_of_moves_is_shown_and_judged_without_a_game() {
    let server = start(Limits::default());
    let look = server.call("/api/look", &json!({ "game": "connect-four", "moves": ["4", 3, "3"] }));
    let labels: Vec<&str> =
        look["steps"].as_array().unwrap().iter().map(|step| step["label"].as_str().unwrap()).collect();
    assert_eq!((labels, look["view"]["text"].as_str()), (vec!["4", "4", "3"], Some("443")));
    let over = server
        .call("/api/look", &json!({ "game": "connect-four", "moves": ["4", "1", "4", "1", "4", "1", "4"] }));
    assert_eq!(over["won"], json!([3, 10, 17, 24]), "the line that won");
    let why = server.call("/api/look/why", &json!({ "position": { "game": "connect-four", "moves": ["4", "7", "4", "7", "3", "7"] }, "played": 0 }));
    let played = why["moves"].as_array().unwrap().iter().find(|mv| mv["mv"] == 0).unwrap();
    assert_eq!((&why["label"], &played["why_not"]["mark"]), (&json!("7"), &json!("blunder")));
    assert_eq!(played["standing"], 0.0);
    // Dice are written as people write them, in either order.
    let rolled = server.call("/api/look", &json!({ "game": "backgammon", "moves": ["1-3"] }));
    assert!(rolled["steps"][0]["label"].as_str().unwrap().starts_with("31"), "{}", rolled["steps"]);
    for (wrong, said) in [
        (json!({ "game": "connect-four", "moves": ["9"] }), "move 1"),
        (json!({ "game": "connect-four", "start": "44x" }), "connect-four"),
        (json!({ "game": "nothing" }), "no such game"),
        (json!({ "game": "backgammon", "moves": ["99"] }), "no roll"),
        (json!({ "game": "connect-four", "moves": vec!["4"; 1001] }), "1000 moves at most"),
    ] {
        let answer = server.post("/api/look", &wrong);
        assert!(
            (400..500).contains(&answer.status) && answer.text().contains(said),
            "{wrong}: {}",
            answer.text()
        );
    }
}

#[test]
fn a_game_can_be_brought_along_and_given_up() {
    let server = start(Limits::default());
    let seats = json!([{ "kind": "human" }, { "kind": "mind", "mind": "random" }]);
    let session =
        server.call("/api/sessions", &json!({ "game": "connect-four", "seats": seats, "moves": ["4", "4"] }));
    assert_eq!(session["plies"].as_array().unwrap().len(), 2);
    assert_eq!((&session["plies"][0]["by"], &session["plies"][1]["by"]), (&json!("human"), &json!("mind")));
    let id = session["id"].as_str().unwrap();
    let over = server.call(&format!("/api/sessions/{id}/end"), &json!({ "by": "resignation" }));
    assert_eq!(over["over"], json!({ "winner": "Second", "by": "resignation" }));
    assert_eq!(server.get(&format!("/api/games/{id}")).json()["result"], -1.0);
    assert_eq!(server.post(&format!("/api/sessions/{id}/move"), &json!({ "mv": 3 })).status, 409);
    assert_eq!(server.post(&format!("/api/sessions/{id}/reply"), &json!({})).status, 409);
    assert_eq!(server.post(&format!("/api/sessions/{id}/end"), &json!({ "by": "time" })).status, 409);
    let back = server.call(&format!("/api/sessions/{id}/undo"), &json!({}));
    assert_eq!((&back["over"], back["plies"].as_array().unwrap().len()), (&json!(null), 0));
}

#[test]
fn a_mind_that_is_hurried_looks_at_no_more_than_it_may() {
    let server = start(Limits::default());
    let seats = json!([{ "kind": "mind", "mind": "uct:sims=100000" }, { "kind": "human" }]);
    let session = server.call("/api/sessions", &json!({ "game": "reversi", "seats": seats, "seed": 1 }));
    let reply = format!("/api/sessions/{}/reply", session["id"].as_str().unwrap());
    let replied = server.call(&reply, &json!({ "states": 100 }));
    assert!(replied["last_decision"]["cost"]["states"].as_u64().unwrap() <= 100);
}

#[test]
fn a_puzzle_has_just_one_move_that_wins_and_says_who_misses_it() {
    let server = start(Limits::default());
    for seed in 0..3 {
        let answer = server.post("/api/puzzles", &json!({ "game": "tic-tac-toe", "seed": seed }));
        if answer.status == 503 {
            continue;
        }
        let puzzle = answer.json();
        // Everything is tried: after the answer the other side loses whatever it does, after all others it need not.
        let moves: Vec<Value> =
            puzzle["steps"].as_array().unwrap().iter().map(|step| step["mv"].clone()).collect();
        let side = &puzzle["view"]["to_move"];
        for mv in puzzle["view"]["moves"].as_array().unwrap() {
            let mut line = moves.clone();
            line.push(mv["mv"].clone());
            assert_eq!(
                wins(&server, &line, side),
                mv["mv"] == puzzle["answer"],
                "seed {seed}: {}",
                mv["label"]
            );
        }
        let tried = puzzle["tried"].as_array().unwrap();
        let missed = tried.iter().filter(|player| player["found"] == false).count();
        assert!(!tried.is_empty() && puzzle["missed"] == missed);
    }
    assert_eq!(server.post("/api/puzzles", &json!({ "game": "backgammon", "seed": 1 })).status, 400);
}

/// Whether this side wins from here with best play, by trying everything.
fn wins(server: &Served, moves: &[Value], side: &Value) -> bool {
    let look = server.call("/api/look", &json!({ "game": "tic-tac-toe", "moves": moves }));
    let view = &look["view"];
    if let Some(score) = view["score"].as_f64() {
        return if side == "First" { score > 0.0 } else { score < 0.0 };
    }
    let next = view["moves"].as_array().unwrap().iter();
    let mut tried = next.map(|mv| wins(server, &[moves, &[mv["mv"].clone()]].concat(), side));
    if view["to_move"] == *side { tried.any(|won| won) } else { tried.all(|won| won) }
}

#[test]
fn a_line_game_of_any_size_can_be_asked_for() {
    let server = start(Limits::default());
    let game = server.get("/api/catalog/line-5x4x3").json();
    assert_eq!(
        (&game["id"], game["start"]["board"]["squares"].as_array().unwrap().len()),
        (&json!("line-5x4x3"), 20)
    );
    assert!(game["minds"].as_array().unwrap().iter().any(|mind| mind["name"] == "uct"));
    for wrong in ["line-9x9x4", "gravity-0x4x3", "nothing", "..%2Frules"] {
        assert_eq!(server.get(&format!("/api/catalog/{wrong}")).status, 404, "{wrong}");
    }
}
