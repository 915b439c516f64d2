//! Trainings and tournaments: watched, stopped, resumed, bounded.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use common::{Served, start, start_with};
use ludens_web::{Config, Limits};
use serde_json::{Value, json};

/// Reads a stream of events until the one that ends it.
fn follow(server: &Served, path: &str) -> Vec<(String, Value)> {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", server.host()).unwrap();
    let mut events = Vec::new();
    let mut name = String::new();
    for line in BufReader::new(stream).lines() {
        let line = line.unwrap();
        if let Some(event) = line.strip_prefix("event: ") {
            name = event.to_string();
        } else if let Some(data) = line.strip_prefix("data: ") {
            events.push((name.clone(), serde_json::from_str(data).unwrap()));
            if name == "end" {
                break;
            }
        }
    }
    events
}

fn wait(server: &Served, path: &str, until: impl Fn(&Value) -> bool) -> Value {
    let begun = Instant::now();
    loop {
        let state = server.get(path).json();
        if until(&state) {
            return state;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{path} stays {state}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_round_robin_fills_its_table_while_one_watches() {
    let server = start(Limits::default());
    let new =
        json!({ "game": "connect-four", "minds": ["random", "depth1", "uct"], "games": 60, "states": 2000 });
    let begun = server.call("/api/matches", &new);
    let id = begun["id"].as_str().unwrap();
    let events = follow(&server, &format!("/api/matches/{id}/events"));
    let (last, state) = events.last().unwrap();
    assert_eq!(last, "end");
    assert_eq!(state["played"], 180);
    let standings = state["report"]["standings"].as_array().unwrap();
    assert_eq!(standings.len(), 3);
    assert_eq!(standings[0]["mind"], "uct");
    assert_eq!(standings[2]["mind"], "random");
    let again = server.call("/api/matches", &new);
    let again =
        wait(&server, &format!("/api/matches/{}", again["id"].as_str().unwrap()), |s| s["running"] == false);
    assert_eq!(again["report"], state["report"], "the same seed, the same report");
}

#[test]
fn wrong_and_too_many_works_are_refused() {
    let server = start(Limits { works: 1, ..Limits::default() });
    let with = |minds: Value, games: u32| json!({ "game": "tic-tac-toe", "minds": minds, "games": games });
    for wrong in [
        with(json!(["random"]), 10),
        with(json!(["random", "nobody"]), 10),
        with(json!(["random", "/etc/passwd"]), 10),
        with(json!(["random", "depth1"]), 0),
        with(json!(["random", "depth1"]), 1_000_000),
        with(json!(vec!["random"; 9]), 10),
    ] {
        let answer = server.post("/api/matches", &wrong);
        assert!(matches!(answer.status, 400 | 422), "{wrong}: {}", answer.text());
    }
    for wrong in [
        json!({ "game": "backgammon", "learner": "nobody" }),
        json!({ "game": "backgammon", "learner": "../x" }),
        json!({ "game": "nothing", "learner": "actr" }),
        json!({ "game": "backgammon", "learner": "actr", "steps": 0 }),
        json!({ "game": "backgammon", "learner": "actr:data=x" }),
    ] {
        let answer = server.post("/api/trainings", &wrong);
        assert!(matches!(answer.status, 400 | 404), "{wrong}: {}", answer.text());
    }
    let long = json!({ "game": "reversi", "minds": ["uct", "alphabeta"], "games": 2000, "states": 20000 });
    let first = server.call("/api/matches", &long);
    assert_eq!(server.post("/api/matches", &long).status, 429);
    let path = format!("/api/matches/{}", first["id"].as_str().unwrap());
    server.call(&format!("{path}/stop"), &json!({}));
    wait(&server, &path, |state| state["running"] == false);
    assert_eq!(server.get("/api/matches/nobody").status, 404);
}

fn at_home(home: &tempfile::TempDir) -> Served {
    start_with(Config { port: 0, home: Some(home.path().into()), ..Config::default() })
}

fn train(server: &Served, steps: u64) -> Value {
    server.call(
        "/api/trainings",
        &json!({ "game": "backgammon", "learner": "actr", "steps": steps, "seed": 5 }),
    )
}

fn path_of(training: &Value) -> String {
    format!("/api/trainings/{}", training["id"].as_str().unwrap())
}

/// What was learnt, without its name.
fn learnt(server: &Served, training: &Value) -> Value {
    let mut inside = server.get(&format!("/api/minds/{}", training["mind"].as_str().unwrap())).json();
    for own in ["name", "title", "summary"] {
        inside[own] = Value::Null;
    }
    inside
}

#[test]
fn a_training_is_watched_played_stopped_and_resumed_to_the_same_end() {
    let home = tempfile::tempdir().unwrap();
    let server = at_home(&home);
    let whole = train(&server, 120);
    let events = follow(&server, &format!("{}/events", path_of(&whole)));
    let (_, state) = events.last().unwrap();
    assert_eq!(state["step"], 120);
    assert_eq!(state["finished"], true);
    assert_eq!(state["error"], Value::Null);
    assert!(state["curve"].as_array().unwrap().len() > 1);
    assert!(state["curve"][0]["values"]["wins against random"].is_number());
    // A quick training is measured afterwards, rung by rung: the curve has more than its two ends, in the order of the steps.
    let measured: Vec<&Value> = state["curve"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|point| {
            point["values"]["strength (Elo)"].is_number() && point["values"]["strength (Elo) ±"].is_number()
        })
        .collect();
    assert!(measured.len() > 3, "{} points of strength", measured.len());
    assert!(measured.is_sorted_by_key(|point| point["step"].as_u64()), "{measured:?}");

    let parts = train(&server, 120);
    wait(&server, &path_of(&parts), |state| state["step"].as_u64() > Some(3));
    server.call(&format!("{}/stop", path_of(&parts)), &json!({}));
    let stopped = wait(&server, &path_of(&parts), |state| state["running"] == false);
    // It may have been quicker than we; then there is nothing to resume.
    if stopped["finished"] == false {
        let session = server.begin("backgammon", stopped["mind"].as_str().unwrap(), 1);
        assert!(session["view"]["moves"].is_array());
        server.call(&format!("{}/resume", path_of(&parts)), &json!({}));
        wait(&server, &path_of(&parts), |state| state["finished"] == true);
    }
    assert_eq!(learnt(&server, &parts), learnt(&server, &whole), "stopping changed what was learnt");
    assert_eq!(server.post(&format!("{}/resume", path_of(&parts)), &json!({})).status, 409);
    let listed = server.get("/api/catalog").json();
    assert!(listed.to_string().contains(parts["mind"].as_str().unwrap()));
}

#[test]
fn trainings_outlive_the_server_and_are_the_runs_of_the_lab() {
    let home = tempfile::tempdir().unwrap();
    let server = at_home(&home);
    let begun = train(&server, 100_000);
    let path = path_of(&begun);
    wait(&server, &path, |state| state["step"].as_u64() > Some(20));
    server.call(&format!("{path}/stop"), &json!({}));
    let stopped = wait(&server, &path, |state| state["running"] == false);
    drop(server);

    let lab = ludens_lab::Home::open(Some(home.path())).unwrap();
    let store = ludens_lab::runs::Store::open(&lab).unwrap();
    let runs = store.runs().unwrap();
    assert_eq!(runs.len(), 1);
    assert_eq!((runs[0].name.as_str(), runs[0].step), ("actr", stopped["step"].as_u64().unwrap()));
    assert!(!store.metrics(runs[0].id).unwrap().is_empty());

    let server = at_home(&home);
    let again = server.get(&path).json();
    assert_eq!([&again["step"], &again["running"]], [&stopped["step"], &json!(false)]);
    assert!(again["curve"].as_array().unwrap().len() > 1);
    assert_eq!(server.get("/api/trainings").json()[0]["id"], begun["id"]);
    let catalog = |server: &Served| server.get("/api/catalog").json().to_string();
    let begin = std::time::Instant::now();
    while !catalog(&server).contains("run-1") && begin.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let session = server.begin("backgammon", "run-1", 1);
    assert!(session["view"]["moves"].is_array(), "{session}");
    server.call(&format!("{path}/resume"), &json!({}));
    let on = wait(&server, &path, |state| state["step"].as_u64() > stopped["step"].as_u64());
    assert_eq!(on["running"], true);
    server.call(&format!("{path}/stop"), &json!({}));
    wait(&server, &path, |state| state["running"] == false);
}
