//! Long works asked of the page's server: thoughts without end, trainings of absurd size. Each is bounded or can be stopped, and costs
//! nobody else anything.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::http::{connect, exchange, request};
use super::requests::{PATIENCE, Page, THOUGHT};
use super::siege::Siege;
use super::{Outcome, Tally};

const MINDS: &[&str] = &[
    "coevolution:depth=12",
    "alphabeta:depth=40",
    "alphabeta:depth=4294967295",
    "actr:games=100000000",
    "uct:sims=18446744073709551615",
    "odds:games=100000000",
    "nhb:states=100000000",
    "concepts:playouts=100000,source=100000",
    "solver:limit=none",
    "zoo",
    "random",
];

/// Minds that would think for ever, asked by clients that leave; a player then asks an honest mind, which answers in time.
pub fn thoughts(siege: &Siege, page: &Page, tally: &Tally, rounds: usize) -> Outcome {
    for round in 0..rounds {
        for game in ["connect-four", "backgammon", "reversi"] {
            for mind in MINDS {
                let Ok(id) = page.game(siege, game, "") else { continue };
                let body = format!(r#"{{"mind":"{mind}"}}"#);
                let asked =
                    request(siege.address, "POST", &format!("/api/sessions/{id}/why"), &page.token, &body);
                if let Ok(mut stream) = connect(siege.address, PATIENCE) {
                    let _ = stream.write_all(&asked);
                    tally.add("thoughts abandoned", 1);
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
        }
        let id = page.game(siege, "connect-four", "depth1")?;
        let began = Instant::now();
        page.post(siege, &format!("/api/sessions/{id}/move"), r#"{"mv":3}"#, PATIENCE)?;
        let answer = page.post(siege, &format!("/api/sessions/{id}/reply"), "", THOUGHT)?;
        if answer.status != 200 {
            let took = began.elapsed().as_secs_f64();
            return Err(format!(
                "in round {round} an honest mind answers {} after {took:.1} s: {}",
                answer.status,
                answer.body.trim()
            ));
        }
    }
    Ok(())
}

/// Trainings and tournaments that would never end, started and stopped: they stop.
pub fn trainings(siege: &Siege, page: &Page, tally: &Tally) -> Outcome {
    let absurd = [
        (
            "/api/trainings",
            r#"{"game":"connect-four","learner":"coevolution:depth=12,pairs=1000","steps":18446744073709551615}"#,
        ),
        (
            "/api/trainings",
            r#"{"game":"reversi","learner":"nhb:states=100000000,cycle=100000","steps":1000000000}"#,
        ),
        (
            "/api/trainings",
            r#"{"game":"tic-tac-toe","learner":"concepts:playouts=100000,source=100000","steps":9}"#,
        ),
        (
            "/api/matches",
            r#"{"game":"reversi","minds":["alphabeta:depth=40","coevolution:depth=12"],"games":2000}"#,
        ),
    ];
    for (path, body) in absurd {
        let answer = page.post(siege, path, body, Duration::from_secs(10))?;
        tally.add("absurd works", 1);
        let work: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        let id =
            work["id"].as_i64().map(|id| id.to_string()).or_else(|| work["id"].as_str().map(String::from));
        let Some(id) = id else { continue };
        page.post(siege, &format!("{path}/{id}/stop"), "", Duration::from_secs(10))?;
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(15) {
            let shown = exchange(
                siege.address,
                &request(siege.address, "GET", &format!("{path}/{id}"), "", ""),
                PATIENCE,
            )?;
            let shown: Value = serde_json::from_str(&shown.body).unwrap_or_default();
            if shown["status"] != "running" && shown["state"] != "running" {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        if began.elapsed() >= Duration::from_secs(15) {
            return Err(format!("POST {path} {body}: told to stop, it goes on for 15 s"));
        }
    }
    Ok(())
}
