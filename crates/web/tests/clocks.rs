//! Clocks: the server keeps the time, also while it is away; and the care of an opponent.

mod common;

use std::time::Duration;

use common::{Served, start, start_with};
use ludens_web::{Config, Limits};
use serde_json::{Value, json};

const PEOPLE: [&str; 2] = ["human", "human"];

fn timed(server: &Served, minutes: f64) -> String {
    let seats = PEOPLE.map(|kind| json!({ "kind": kind }));
    let new = json!({ "game": "connect-four", "seats": seats, "seed": 1, "minutes": minutes });
    server.call("/api/sessions", &new)["id"].as_str().unwrap().into()
}

fn left(session: &Value) -> [f64; 2] {
    [0, 1].map(|side| session["clock"]["left"][side].as_f64().unwrap())
}

#[test]
fn a_game_whose_time_is_up_has_ended_and_no_move_brings_it_back() {
    let server = start(Limits::default());
    let id = timed(&server, 0.01);
    let path = |call: &str| format!("/api/sessions/{id}{call}");
    // Before the first move nobody's time runs.
    std::thread::sleep(Duration::from_millis(800));
    let moved = server.call(&path("/move"), &json!({ "mv": 3 }));
    assert_eq!((moved["over"].clone(), moved["clock"]["running"].clone()), (Value::Null, json!("Second")));
    assert_eq!(server.post(&path("/end"), &json!({ "by": "time" })).status, 409);
    std::thread::sleep(Duration::from_millis(800));
    assert_eq!(server.post(&path("/move"), &json!({ "mv": 3 })).status, 409);
    let over = server.get(&path("")).json();
    assert_eq!(over["over"], json!({ "winner": "First", "by": "time" }));
    assert_eq!(over["plies"].as_array().unwrap().len(), 1);
    assert_eq!(server.post(&path("/undo"), &json!({})).status, 409);
    assert_eq!(server.get(&format!("/api/games/{id}")).json()["result"], json!(1.0));
    for wrong in [0.0, -1.0, 1e9] {
        let seats = PEOPLE.map(|kind| json!({ "kind": kind }));
        let new = json!({ "game": "connect-four", "seats": seats, "minutes": wrong });
        assert_eq!(server.post("/api/sessions", &new).status, 400, "{wrong}");
    }
}

/// Time goes on while the server is away: a game that is called back has lost it.
#[test]
fn a_clock_outlives_the_server() {
    let home = tempfile::tempdir().unwrap();
    let config = || Config { port: 0, home: Some(home.path().into()), ..Config::default() };
    let server = start_with(config());
    let (long, short) = (timed(&server, 1.0), timed(&server, 0.02));
    for id in [&long, &short] {
        server.call(&format!("/api/sessions/{id}/move"), &json!({ "mv": 3 }));
    }
    drop(server);
    std::thread::sleep(Duration::from_millis(1_500));
    let server = start_with(config());
    let session = server.get(&format!("/api/sessions/{long}")).json();
    let [first, second] = left(&session);
    assert!(first == 60_000.0 && (30_000.0..=58_500.0).contains(&second), "{first} {second}");
    assert_eq!(server.get(&format!("/api/sessions/{short}")).json()["over"]["by"], json!("time"));
}

/// One move ahead sees no threat; with care it blocks, and says that its ranking did not.
#[test]
fn who_is_careful_plays_nothing_that_loses_at_once() {
    let server = start(Limits::default());
    let answer = |careful: bool| {
        let mind = json!({ "kind": "mind", "mind": "depth1", "level": { "careful": careful } });
        let new = json!({ "game": "connect-four", "seats": [{ "kind": "human" }, mind], "moves": [0, 3, 0, 3, 0], "seed": 1 });
        let id = server.call("/api/sessions", &new)["id"].as_str().unwrap().to_string();
        server.call(&format!("/api/sessions/{id}/reply"), &json!({}))
    };
    let [bold, careful] = [false, true].map(answer);
    assert_ne!(bold["plies"][5]["mv"], json!(0), "depth1 blocks by itself: the test needs another mind");
    assert_eq!(careful["plies"][5]["mv"], json!(0));
    assert_eq!(
        (careful["last_decision"]["spared"].clone(), careful["last_decision"]["slipped"].clone()),
        (json!(true), json!(false))
    );
    let said = careful["last_decision"]["said"][0].as_str().unwrap();
    assert!(said.contains("blocks"), "{said}");
}
