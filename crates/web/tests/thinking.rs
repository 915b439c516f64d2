//! A search is watched while it thinks, and ends when nobody looks any more.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use common::{PANICS, Served, start};
use ludens_web::Limits;
use serde_json::{Value, json};

/// The lines of a stream as they come.
struct Stream {
    reader: BufReader<TcpStream>,
}

fn watch(server: &Served, body: &Value) -> Stream {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let body = body.to_string();
    let head = format!(
        "POST /api/look/think HTTP/1.1\r\nhost: {}\r\nx-ludens-token: {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        server.host(),
        server.token,
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut reader = BufReader::new(stream);
    let mut status = String::new();
    reader.read_line(&mut status).unwrap();
    assert!(status.contains(" 200 "), "{status}");
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        reader.read_line(&mut line).unwrap();
    }
    Stream { reader }
}

impl Iterator for Stream {
    type Item = Value;

    /// One line is one chunk of the answer; the empty chunk ends it.
    fn next(&mut self) -> Option<Value> {
        let mut length = String::new();
        self.reader.read_line(&mut length).ok()?;
        let length = usize::from_str_radix(length.trim(), 16).ok().filter(|length| *length > 0)?;
        let mut text = vec![0; length + 2];
        self.reader.read_exact(&mut text).ok()?;
        Some(serde_json::from_slice(&text).unwrap())
    }
}

fn asked(game: &str, moves: &Value, mind: &str, level: &Value) -> Value {
    json!({ "position": { "game": game, "moves": moves }, "mind": mind, "level": level })
}

fn of_kind<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}

#[test]
fn one_search_shows_itself_while_it_goes_on() {
    let limits = Limits { think_time: Duration::from_millis(1500), ..Limits::default() };
    let server = start(limits);
    for mind in ["uct", "alphabeta:depth=40"] {
        // Reversi from its start: nobody is done with it in so short a time.
        let body = asked("reversi", &json!([]), mind, &json!(null));
        let lines: Vec<Value> = watch(&server, &body).collect();
        assert_eq!(lines[0], json!({ "kind": "begins", "live": true }), "{mind}");
        let thoughts = of_kind(&lines, "thought");
        assert!(thoughts.len() >= 4, "{mind}: {} glimpses in a second and a half", thoughts.len());
        let states: Vec<u64> = lines[1..].iter().map(|line| line["states"].as_u64().unwrap()).collect();
        assert!(states.is_sorted() && states[0] * 4 < states[states.len() - 1], "{mind}: {states:?}");
        for thought in &thoughts {
            let mut labels: Vec<&str> =
                thought["moves"].as_array().unwrap().iter().map(|mv| mv["label"].as_str().unwrap()).collect();
            assert_eq!(
                thought["line"].as_array().unwrap()[0],
                labels[0],
                "{mind}: the line begins with its choice"
            );
            labels.sort_unstable();
            assert_eq!(labels, ["c4", "d3", "e6", "f5"], "{mind}");
        }
        let (last, answer) = (thoughts[thoughts.len() - 1], lines.last().unwrap());
        assert_eq!(
            (&answer["kind"], &answer["label"]),
            (&json!("answer"), &last["moves"][0]["label"]),
            "{mind}"
        );
    }
}

#[test]
fn a_mind_that_shows_nothing_is_asked_again_and_again_and_says_so() {
    let server = start(Limits::default());
    let body = asked("connect-four", &json!([3, 3]), "nhb", &json!({ "states": 1000 }));
    let lines: Vec<Value> = watch(&server, &body).collect();
    assert_eq!(lines[0], json!({ "kind": "begins", "live": false }));
    let thoughts = of_kind(&lines, "thought");
    assert!(thoughts.len() >= 3, "{lines:?}");
    for pair in thoughts.windows(2) {
        assert!(pair[0]["states"].as_u64() < pair[1]["states"].as_u64(), "{pair:?}");
    }
    assert_eq!(of_kind(&lines, "answer").len(), 1);
}

/// Whoever goes away takes the thought along: the one place to think is free again at once.
#[test]
fn the_thought_ends_with_the_stream() {
    let limits = Limits { think_time: Duration::from_secs(60), thinkers: 1, ..Limits::default() };
    let server = start(limits);
    let body = asked("reversi", &json!([]), "uct", &json!(null));
    let seen: Vec<Value> = watch(&server, &body).take(4).collect();
    assert_eq!(seen.len(), 4, "it thinks, and the stream is left");
    let begun = Instant::now();
    let ask = asked("connect-four", &json!([]), "uct", &json!({ "states": 500 }));
    assert_eq!(server.post("/api/look/why", &ask).status, 200);
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

/// One place for streams: who comes later takes it, and the thought of before ends.
#[test]
fn streams_of_thoughts_have_their_share_of_places() {
    let limits = Limits { streams: 1, think_time: Duration::from_secs(60), thinkers: 2, ..Limits::default() };
    let server = start(limits);
    let body = asked("reversi", &json!([]), "uct", &json!(null));
    let mut first = watch(&server, &body);
    assert_eq!(first.next().unwrap()["kind"], "begins");
    let mut second = watch(&server, &body);
    assert_eq!(second.next().unwrap()["kind"], "begins");
    let begun = Instant::now();
    assert!(first.all(|line| line["kind"] != "answer"), "it was ended, not answered");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn what_cannot_be_watched_is_refused_in_words() {
    let server = start(Limits::default());
    let think = |body: &Value| server.post("/api/look/think", body);
    let wrong = [
        (json!({}), 400..=422),
        (asked("connect-four", &json!([]), "nobody", &json!(null)), 400..=422),
        (asked("chess", &json!([]), "uct", &json!(null)), 404..=404),
        (asked("tic-tac-toe", &json!([0, 3, 1, 4, 2]), "uct", &json!(null)), 409..=409),
        (asked("tic-tac-toe", &json!([0, 0]), "uct", &json!(null)), 400..=422),
        (asked("connect-four", &json!([]), "uct", &json!({ "states": 0 })), 400..=422),
    ];
    for (body, status) in wrong {
        let answer = think(&body);
        assert!(status.contains(&answer.status), "{body}: {} {}", answer.status, answer.text());
        assert!(answer.json()["error"]["message"].as_str().is_some_and(|text| text.len() > 10), "{body}");
    }
    let none = server.send("POST", "/api/look/think", &[("content-type", "application/json")], b"{}");
    assert_eq!(none.status, 401, "without the token of the page");
    assert_eq!(PANICS.load(Ordering::SeqCst), 0);
}
