//! Work that a small request asks for is bounded, ends when nobody wants it any more, and keeps nobody else waiting.

mod common;

use std::time::{Duration, Instant};

use common::{Served, exchange, start, start_with};
use ludens_web::{Config, Limits};
use serde_json::{Value, json};

fn ask(server: &Served, id: &str, mind: &str) -> (u16, Value, Duration) {
    let begun = Instant::now();
    let answer = server.post(&format!("/api/sessions/{id}/why"), &json!({ "mind": mind }));
    (answer.status, answer.json(), begun.elapsed())
}

fn game(server: &Served, game: &str) -> String {
    server.begin(game, "random", 1)["id"].as_str().unwrap().into()
}

/// Minds that would think for hours: each answers within its time or is told to have had it.
#[test]
fn no_decision_takes_longer_than_its_time() {
    let limits = Limits { think_time: Duration::from_millis(700), ..Limits::default() };
    let server = start(limits);
    for (name, minds) in [
        (
            "connect-four",
            ["alphabeta:depth=40", "uct:sims=100000000000", "alphabeta:heuristic=concepts,depth=40"],
        ),
        (
            "reversi",
            ["alphabeta:depth=40", "uct:states=100000000000", "uct:heuristic=concepts,sims=10000000"],
        ),
        ("backgammon", ["expectimax:depth=40", "uct:sims=100000000000", "alphabeta:depth=40"]),
    ] {
        let id = game(&server, name);
        for mind in minds {
            let (status, answer, took) = ask(&server, &id, mind);
            assert!(matches!(status, 200 | 504), "{mind} on {name}: {answer}");
            assert!(took < Duration::from_secs(4), "{mind} on {name} took {took:?}");
        }
    }
}

/// Questions to slow minds whose askers have gone: the one place to think is free again at once.
#[test]
fn thinking_ends_when_the_asker_has_left() {
    let limits = Limits { think_time: Duration::from_secs(60), thinkers: 1, ..Limits::default() };
    let server = start(limits);
    let id = game(&server, "reversi");
    for depth in 30..40 {
        let body = json!({ "mind": format!("alphabeta:depth={depth}") }).to_string();
        let request = format!(
            "POST /api/sessions/{id}/why HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
             x-ludens-token: {}\r\ncontent-length: {}\r\n\r\n{body}",
            server.host(),
            server.token,
            body.len()
        );
        // Nobody waits for the answer: the connection is closed after some milliseconds.
        exchange(server.address, request.as_bytes(), Duration::from_millis(200));
    }
    let (status, answer, took) = ask(&server, &id, "uct:sims=50");
    assert_eq!(status, 200, "{answer}");
    assert!(took < Duration::from_secs(5), "{took:?}");
}

/// A crowd that asks slow minds again and again: who plays an ordinary opponent still gets answers.
#[test]
fn slow_questions_of_some_keep_nobody_else_from_playing() {
    let limits = Limits { think_time: Duration::from_secs(2), thinkers: 2, ..Limits::default() };
    let server = std::sync::Arc::new(start(limits));
    let id = game(&server, "tic-tac-toe");
    assert_eq!(ask(&server, &id, "depth1").0, 200, "known to be quick from now on");
    let end = Instant::now() + Duration::from_secs(6);
    let crowd: Vec<_> = (0..8)
        .map(|number| {
            let server = server.clone();
            std::thread::spawn(move || {
                let id = game(&server, "reversi");
                while Instant::now() < end {
                    ask(&server, &id, &format!("alphabeta:depth={}", 30 + number));
                }
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(500));
    let mut slowest = Duration::ZERO;
    while Instant::now() + Duration::from_secs(2) < end {
        let (status, answer, took) = ask(&server, &id, "depth1");
        assert_eq!(status, 200, "{answer}");
        slowest = slowest.max(took);
    }
    println!("the slowest answer of a quick mind: {slowest:?}");
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    crowd.into_iter().for_each(|asker| asker.join().unwrap());
}

/// Rules that take hundreds of megabytes to read are refused in time, and again; games of others answer meanwhile.
#[test]
fn heavy_rules_are_refused_and_everybody_plays_on() {
    let server = std::sync::Arc::new(start(Limits::default()));
    let numbers: String = (0..50).map(|n| format!("(n {n})")).collect();
    let rules = format!(
        "(role x)(role o)(init (at 0)){numbers}(<= (legal x go) (true (at ?n)))(<= (legal o wait) (true (at ?n)))\
         (<= (next (at 1)) (true (at 0)))(<= (next (c ?a ?b ?c ?d)) (does x go) (n ?a) (n ?b) (n ?c) (n ?d))\
         (<= terminal (true (c ?a ?b ?b ?a)))(<= (goal x 100) terminal)(<= (goal o 0) terminal)"
    );
    let sender = {
        let (server, rules) = (server.clone(), rules.clone());
        std::thread::spawn(move || {
            let headers = [("x-ludens-token", server.token.as_str()), ("content-type", "text/plain")];
            (0..2)
                .map(|_| server.send("POST", "/api/rules?name=heavy", &headers, rules.as_bytes()).status)
                .collect::<Vec<_>>()
        })
    };
    let path = format!("/api/sessions/{}", game(&server, "tic-tac-toe"));
    let mut slowest = Duration::ZERO;
    while !sender.is_finished() {
        let begun = Instant::now();
        assert_eq!(server.get("/").status, 200);
        assert_eq!(server.get(&path).status, 200);
        slowest = slowest.max(begun.elapsed());
    }
    assert_eq!(sender.join().unwrap(), [422, 422]);
    println!("the slowest answer while rules were read: {slowest:?}");
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
}

/// A training whose one step takes hours is stopped like any other.
#[test]
fn a_training_of_long_steps_stops() {
    let home = tempfile::tempdir().unwrap();
    let server = start_with(Config { port: 0, home: Some(home.path().into()), ..Config::default() });
    let new = json!({ "game": "reversi", "learner": "nhb:states=100000,cycle=1000", "seed": 1 });
    let training = server.call("/api/trainings", &new);
    let path = format!("/api/trainings/{}", training["id"].as_str().unwrap());
    std::thread::sleep(Duration::from_millis(500));
    let begun = Instant::now();
    server.call(&format!("{path}/stop"), &json!({}));
    while server.get(&path).json()["running"] == true {
        assert!(begun.elapsed() < Duration::from_secs(10), "it goes on");
        std::thread::sleep(Duration::from_millis(50));
    }
    let ended = server.get(&path).json();
    assert_eq!((&ended["finished"], &ended["error"]), (&json!(false), &Value::Null), "{ended}");
}

/// Rules that a server died of carry a mark: the next one leaves them out, and says so, instead of dying again.
#[test]
fn rules_that_were_being_read_when_the_server_died_are_left_out() {
    let home = tempfile::tempdir().unwrap();
    let rules = include_str!("../../gdl/rules/tic-tac-toe.kif");
    let kept = home.path().join("rules/one");
    std::fs::create_dir_all(&kept).unwrap();
    std::fs::write(kept.join("mine.kif"), rules).unwrap();
    let listed = || {
        let server = start_with(Config { port: 0, home: Some(home.path().into()), ..Config::default() });
        let begun = Instant::now();
        loop {
            let games = server.get("/api/catalog").json()["games"].clone();
            let found = games.as_array().unwrap().iter().any(|game| game["title"] == "Mine");
            if found || begun.elapsed() > Duration::from_secs(3) {
                return found;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    assert!(listed(), "it is a game like any other");
    assert!(!kept.join("mine.reading").exists(), "the mark goes when it was read");
    std::fs::write(kept.join("mine.reading"), "").unwrap();
    assert!(!listed(), "it is left out");
    std::fs::remove_file(kept.join("mine.reading")).unwrap();
    assert!(listed(), "and comes back when the mark is taken away");
}
