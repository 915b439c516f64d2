//! Rules with a very long list of legal moves: an answer takes time in proportion to them, and lists a bounded ranking.

mod common;

use std::time::{Duration, Instant};

use common::{Served, start};
use cpu_time::ProcessTime;
use ludens_web::Limits;
use serde_json::{Value, json};

/// A game of four turns in which each move names two of `wide` numbers.
fn rules(wide: usize) -> String {
    let numbers: String = (0..wide).map(|n| format!("(n {n})\n")).collect();
    format!(
        "(role white) (role black)\n{numbers}
        (init (control white)) (init (turn 1))
        (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
        (<= (legal ?p (put ?x ?y)) (true (control ?p)) (n ?x) (n ?y))
        (<= (legal white wait) (true (control black)))
        (<= (legal black wait) (true (control white)))
        (<= (next (control black)) (true (control white)))
        (<= (next (control white)) (true (control black)))
        (<= (next (turn ?b)) (true (turn ?a)) (succ ?a ?b))
        (<= (next (first ?x)) (does white (put ?x ?y)))
        (<= (next (first ?x)) (true (first ?x)))
        (<= terminal (true (turn 5)))
        (goal white 50) (goal black 50)"
    )
}

fn upload(server: &Served, name: &str, text: &str) -> String {
    let headers = [("x-ludens-token", server.token.as_str()), ("content-type", "text/plain")];
    let answer = server.send("POST", &format!("/api/rules?name={name}"), &headers, text.as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["id"].as_str().unwrap().to_string()
}

fn begin(server: &Served, game: &str) -> (String, Value) {
    let seats = json!([{ "kind": "human" }, { "kind": "mind", "mind": "random" }]);
    let session = server.call("/api/sessions", &json!({ "game": game, "seats": seats, "seed": 1 }));
    (format!("/api/sessions/{}", session["id"].as_str().unwrap()), session)
}

/// The shortest of some, in the processor's time: another program may have the machine meanwhile.
fn shortest(times: usize, mut work: impl FnMut()) -> Duration {
    let time = |_| {
        let begun = ProcessTime::now();
        work();
        begun.elapsed()
    };
    (0..times).map(time).min().unwrap()
}

#[test]
fn answers_take_time_in_proportion_to_the_moves() {
    let server = start(Limits::default());
    let mut times = Vec::new();
    for wide in [150, 300] {
        let count = wide * wide;
        let begun = Instant::now();
        let game = upload(&server, &format!("wide-{wide}"), &rules(wide));
        let read = begun.elapsed();
        let (path, session) = begin(&server, &game);
        assert_eq!(session["view"]["moves"].as_array().unwrap().len(), count);
        let last = session["view"]["moves"][count - 1]["mv"].clone();
        let ask = json!({ "mind": "random" });
        let why = server.call(&format!("{path}/why"), &ask);
        assert_eq!(why["ranked"], count);
        assert!((500..=501).contains(&why["moves"].as_array().unwrap().len()));
        assert!(
            why["moves"].as_array().unwrap().iter().any(|mv| mv["mv"] == why["mv"]),
            "the chosen one is listed"
        );
        let asked = shortest(5, || drop(server.call(&format!("{path}/why"), &ask)));
        let shown = shortest(5, || drop(server.get(&path)));
        let moved = shortest(1, || drop(server.call(&format!("{path}/move"), &json!({ "mv": last }))));
        let replied = shortest(1, || drop(server.call(&format!("{path}/reply"), &json!({}))));
        println!(
            "{count} moves: read {read:?}, why {asked:?}, show {shown:?}, move {moved:?}, reply {replied:?}"
        );
        times.push([asked, shown]);
    }
    for (few, many) in times[0].into_iter().zip(times[1]) {
        let ratio = many.as_secs_f64() / few.as_secs_f64();
        assert!(ratio < 8.0, "four times the moves took {ratio:.1} times as long");
    }
}

#[test]
fn rules_with_more_moves_than_a_page_lists_are_refused_with_the_number() {
    let server = start(Limits { moves_listed: 80, ..Limits::default() });
    let game = upload(&server, "nine", &rules(9));
    let seats = json!([{ "kind": "human" }, { "kind": "human" }]);
    let answer = server.post("/api/sessions", &json!({ "game": game, "seats": seats }));
    assert_eq!(answer.status, 422);
    let text = answer.text();
    assert!(text.contains("81 legal moves") && text.contains("80 at most"), "{text}");
    let game = upload(&server, "eight", &rules(8));
    assert_eq!(begin(&server, &game).1["view"]["moves"].as_array().unwrap().len(), 64);
}
