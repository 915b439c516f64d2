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
    "alphabeta:depth=40",
    "coevolution:depth=12",
    "expectimax:depth=60",
    "uct:sims=18446744073709551615",
    "alphabeta:depth=4294967295,heuristic=concepts",
    "actr:games=100000000",
    "odds:games=100000000",
    "nhb-untrained:states=100000000,hidden=4096",
    "concepts:playouts=100000,source=100000",
    "solver:limit=none",
    "zoo",
];

/// A work that is told to stop may finish what it cannot leave half done.
const STOPPING: Duration = Duration::from_secs(10);

/// Minds that would think for ever, asked by clients that leave; a player then asks an honest mind, which answers in time.
pub fn thoughts(siege: &Siege, page: &Page, tally: &Tally, rounds: usize) -> Outcome {
    for round in 0..rounds {
        let mut held = Vec::new();
        for (number, mind) in MINDS.iter().cycle().take(3 * MINDS.len()).enumerate() {
            let game = ["connect-four", "backgammon", "reversi"][number / MINDS.len()];
            let Ok(id) = page.game(siege, game, "") else { continue };
            let body = format!(r#"{{"mind":"{mind}"}}"#);
            let path = format!("/api/sessions/{id}/why");
            if let Ok(mut stream) = connect(siege.address, PATIENCE) {
                let _ = stream.write_all(&request(siege.address, "POST", &path, &page.token, &body));
                tally.add("endless thoughts asked for", 1);
                // Every other client leaves; the others wait as long as the honest one.
                if number.is_multiple_of(2) {
                    held.push(stream);
                }
            }
        }
        let id = page.game(siege, "connect-four", "depth1")?;
        let began = Instant::now();
        page.post(siege, &format!("/api/sessions/{id}/move"), r#"{"mv":3}"#, PATIENCE)?;
        let answer = page.post(siege, &format!("/api/sessions/{id}/reply"), "", THOUGHT)?;
        let took = began.elapsed().as_secs_f64();
        // Busy is an honest answer to a crowd, as long as it comes in time.
        if answer.status != 200 && answer.status != 503 {
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
            r#"{"game":"connect-four","learner":"coevolution:depth=12,pairs=1000","steps":1000000000}"#,
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
            r#"{"game":"reversi","minds":["alphabeta:depth=40","uct:sims=4294967295"],"games":2000}"#,
        ),
    ];
    for (path, body) in absurd {
        let answer = page.post(siege, path, body, Duration::from_secs(10))?;
        let work: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        let Some(id) = work["id"].as_str() else {
            tally.add("absurd works refused", 1);
            continue;
        };
        tally.add("absurd works begun", 1);
        std::thread::sleep(Duration::from_millis(300));
        page.post(siege, &format!("{path}/{id}/stop"), "", Duration::from_secs(10))?;
        let asked = request(siege.address, "GET", &format!("{path}/{id}"), "", "");
        let began = Instant::now();
        loop {
            let shown = exchange(siege.address, &asked, PATIENCE)?;
            let shown: Value = serde_json::from_str(&shown.body).unwrap_or_default();
            if shown["running"] != true {
                break;
            }
            if began.elapsed() > STOPPING {
                // The next ones are tried all the same: two places are taken by those that do not stop.
                tally.fail(format!(
                    "POST {path} {body}: told to stop, it goes on for {} s",
                    STOPPING.as_secs()
                ));
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    Ok(())
}
