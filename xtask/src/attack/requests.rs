//! The page's server under fire, while somebody plays tic-tac-toe on it.

use std::io::Write;
use std::time::{Duration, Instant};

use ludens_mutate::{Dice, mutate};
use serde_json::Value;

use super::child::Run;
use super::http::{Answer, connect, exchange, request};
use super::rules::{bombs_for_servers, mutated, seeds};
use super::siege::{Siege, Stage, crowd};
use super::{Ground, Outcome, Tally, works};

/// What a call that asks nobody to think may take, on a machine whose two cores are both busy with the attack.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// What a decision may take: ten seconds of thought, fifteen of waiting for one's turn.
pub const THOUGHT: Duration = Duration::from_secs(26);

const BODIES: &[(&str, &str)] = &[
    (
        "/api/sessions",
        r#"{"game":"connect-four","seats":[{"kind":"human"},{"kind":"mind","mind":"random","level":{"states":100,"temperature":0.5}}],"seed":3}"#,
    ),
    (
        "/api/sessions",
        r#"{"game":"line-5x5x4","seats":[{"kind":"human"},{"kind":"human"}],"position":"x........................"}"#,
    ),
    ("/api/look", r#"{"game":"connect-four","moves":[3,"4"],"roll":1}"#),
    (
        "/api/look/why",
        r#"{"position":{"game":"tic-tac-toe","moves":[0]},"mind":"depth1","level":{"states":10},"played":4}"#,
    ),
    (
        "/api/look/think",
        r#"{"position":{"game":"tic-tac-toe","moves":[0]},"mind":"uct","level":{"states":2000,"temperature":0}}"#,
    ),
    ("/api/sessions/ID/move", r#"{"mv":4,"version":0}"#),
    ("/api/sessions/ID/why", r#"{"ply":0,"mind":"depth1","level":{"states":10}}"#),
    ("/api/sessions/ID/reply", ""),
    ("/api/sessions/ID/undo", ""),
    ("/api/rules?name=new", "(role x)"),
    ("/api/trainings", r#"{"game":"tic-tac-toe","learner":"odds","steps":5,"seed":1}"#),
    ("/api/trainings/1/stop", ""),
    ("/api/trainings/1/resume", ""),
    ("/api/matches", r#"{"game":"tic-tac-toe","minds":["random","depth1"],"games":2,"seed":1,"states":10}"#),
    ("/api/matches/1/stop", ""),
];

const PATHS: &[&str] = &[
    "/",
    "/api/health",
    "/api/catalog",
    "/api/openapi.json",
    "/api/sessions/ID",
    "/api/sessions/ID/positions/0",
    "/api/games?limit=3",
    "/api/games.csv",
    "/api/games/ID",
    "/api/games/ID/csv",
    "/api/minds/zoo",
    "/api/papers",
    "/papers/nhb",
    "/api/trainings",
    "/api/trainings/1",
    "/api/matches/1",
    "/assets/../index.html",
    "/icon.svg",
];

pub fn attack(ground: &Ground, tally: &Tally) -> Outcome {
    let home = ground.folder.join("home");
    let scale = ground.budget.of(1, 10);
    let run = Run::new(&ground.program, &["serve", "--port", "0"]).home(&home);
    let siege = Siege::begin(&run, "http://")?;
    let page = Page::open(&siege)?;
    let stages = [
        Stage::new("wrong tokens", |siege| tokens(siege, tally)),
        Stage::new("mutated calls", |siege| {
            calls(siege, &page, tally, &mut ground.dice("calls"), 150 * scale)
        }),
        Stage::new("mutated requests", |siege| {
            raw(siege, &page, tally, &mut ground.dice("raw"), 100 * scale)
        }),
        Stage::new("half-open connections", |siege| half_open(siege, tally)),
        Stage::new("answers nobody reads", |siege| unread(siege, tally)),
        Stage::new("rule bombs", |siege| bombs(siege, &page, tally, ground)),
        Stage::new("endless thoughts", |siege| works::thoughts(siege, &page, tally, ground.budget.of(1, 12))),
        Stage::new("absurd trainings", |siege| works::trainings(siege, &page, tally)),
        Stage::new("afterwards", |siege| afterwards(siege, &page)),
    ];
    siege.hold(tally, &stages, |siege| plays(siege, &page, tally));
    drop(siege);
    // What a stranger left in the home must not keep the server from starting again.
    let again = Siege::begin(&run, "http://")
        .map_err(|problem| format!("after the attack, in the same home: {problem}"))?;
    let page = Page::open(&again)?;
    afterwards(&again, &page).map_err(|problem| format!("started again in the same home: {problem}"))
}

/// What a browser has once it has loaded the page.
pub struct Page {
    pub token: String,
}

impl Page {
    fn open(siege: &Siege) -> Result<Page, String> {
        let answer =
            exchange(siege.address, &request(siege.address, "GET", "/", "", ""), Duration::from_secs(10))?;
        let token =
            answer.body.split_once("ludens-token\" content=\"").and_then(|(_, rest)| rest.split('"').next());
        Ok(Page { token: token.ok_or("the page holds no token")?.into() })
    }

    pub fn post(&self, siege: &Siege, path: &str, body: &str, wait: Duration) -> Result<Answer, String> {
        exchange(siege.address, &request(siege.address, "POST", path, &self.token, body), wait)
    }

    /// The id of a new game.
    pub fn game(&self, siege: &Siege, game: &str, second: &str) -> Result<String, String> {
        let seat = if second.is_empty() {
            r#"{"kind":"human"}"#.into()
        } else {
            format!(r#"{{"kind":"mind","mind":"{second}"}}"#)
        };
        let body = format!(r#"{{"game":"{game}","seats":[{{"kind":"human"}},{seat}]}}"#);
        let answer = self.post(siege, "/api/sessions", &body, PATIENCE)?;
        let session: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        session["id"]
            .as_str()
            .map(String::from)
            .ok_or_else(|| format!("no game but {} {}", answer.status, answer.body.trim()))
    }
}

/// The one who just wants to play: a game begun, five moves, and again.
fn plays(siege: &Siege, page: &Page, tally: &Tally) {
    let mut failed = "";
    while !siege.is_over() && siege.alive() {
        let calls = || -> Outcome {
            let began = Instant::now();
            let id = page.game(siege, "tic-tac-toe", "")?;
            tally.waited(began.elapsed());
            for mv in [4, 0, 8, 2, 1] {
                let answer = page.post(
                    siege,
                    &format!("/api/sessions/{id}/move"),
                    &format!(r#"{{"mv":{mv}}}"#),
                    PATIENCE,
                )?;
                tally.waited(answer.took);
                tally.add("calls of a player", 1);
                if answer.status != 200 {
                    return Err(format!("{} {}", answer.status, answer.body.trim()));
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            Ok(())
        };
        let stage = siege.stage();
        if let Err(problem) = calls()
            && failed != stage
            && siege.alive()
        {
            // Once a stage: what fails once there fails often.
            tally.fail(format!("a player is let down during {}: {problem}", siege.since(stage)));
            failed = stage;
        }
    }
}

/// No call that changes something is done without the token, from another page, or under another name.
fn tokens(siege: &Siege, tally: &Tally) -> Outcome {
    let right = Page::open(siege)?.token;
    let short = right[..right.len() - 1].to_string();
    for (path, body) in BODIES {
        for token in ["", "0", &short, &right.to_uppercase(), &"a".repeat(right.len())] {
            if token == right {
                continue;
            }
            expect(siege, tally, &request(siege.address, "POST", path, token, body), &[401])?;
        }
        let plain = String::from_utf8_lossy(&request(siege.address, "POST", path, &right, body)).into_owned();
        let foreign = plain.replacen("\r\n", "\r\nOrigin: http://evil.example\r\n", 1);
        expect(siege, tally, foreign.as_bytes(), &[403])?;
        let rebound = plain.replacen(&format!("Host: {}", siege.address), "Host: evil.example", 1);
        expect(siege, tally, rebound.as_bytes(), &[421])?;
    }
    Ok(())
}

fn expect(siege: &Siege, tally: &Tally, bytes: &[u8], statuses: &[u16]) -> Outcome {
    let answer = exchange(siege.address, bytes, Duration::from_secs(5))?;
    tally.add("calls refused", 1);
    if statuses.contains(&answer.status) {
        return Ok(());
    }
    let line = String::from_utf8_lossy(bytes).lines().next().unwrap_or_default().to_string();
    Err(format!("{line} is answered by {} instead of {statuses:?}", answer.status))
}

/// Calls that are nearly right: none may be answered by 500, and all are answered.
fn calls(siege: &Siege, page: &Page, tally: &Tally, dice: &mut Dice, count: usize) -> Outcome {
    let words = [
        "{",
        "}",
        "\"",
        "null",
        "true",
        "[",
        "]",
        ",",
        "mind",
        "human",
        "reversi",
        "backgammon",
        "line-100x100x5",
        "../",
        "%00",
    ];
    let bodies: Vec<Vec<u8>> = BODIES.iter().map(|(_, body)| body.as_bytes().to_vec()).collect();
    for _ in 0..count {
        let (path, body) = dice.pick(BODIES);
        let mut body = body.as_bytes().to_vec();
        if !dice.one_in(4) {
            mutate(&mut body, &bodies, &words, dice);
        }
        let id = page.game(siege, "tic-tac-toe", "random").unwrap_or_default();
        let path = path.replace("ID", &id);
        let answer = page.post(siege, &path, &String::from_utf8_lossy(&body), Duration::from_secs(45));
        tally.add("mutated calls", 1);
        let shown = || {
            format!("POST {path} {:?}", String::from_utf8_lossy(&body).chars().take(200).collect::<String>())
        };
        match answer {
            Ok(answer) if answer.status >= 500 && answer.status != 503 => {
                return Err(format!("{} is answered by {} {}", shown(), answer.status, answer.body.trim()));
            }
            Err(problem) => return Err(format!("{} is not answered: {problem}", shown())),
            Ok(_) => {}
        }
        let path = dice.pick(PATHS).replace("ID", &id);
        let read =
            exchange(siege.address, &request(siege.address, "GET", &path, "", ""), Duration::from_secs(10))?;
        if read.status >= 500 && read.status != 503 {
            return Err(format!("GET {path} is answered by {}", read.status));
        }
    }
    Ok(())
}

/// Bytes that are nearly HTTP, and heads that are too large.
fn raw(siege: &Siege, page: &Page, tally: &Tally, dice: &mut Dice, count: usize) -> Outcome {
    let words = [
        "\r\n",
        "\n",
        "Content-Length: ",
        "Transfer-Encoding: chunked\r\n",
        "Host: ",
        "\0",
        ": ",
        "HTTP/2.0",
        "Upgrade: h2c",
        "%ff",
        "../",
    ];
    let valid: Vec<Vec<u8>> = BODIES
        .iter()
        .map(|(path, body)| request(siege.address, "POST", path, &page.token, body))
        .chain(PATHS.iter().map(|path| request(siege.address, "GET", path, "", "")))
        .collect();
    for number in 0..count {
        let mut bytes = dice.pick(&valid).clone();
        mutate(&mut bytes, &valid, &words, dice);
        if number.is_multiple_of(10) {
            bytes = format!(
                "GET /{} HTTP/1.1\r\nHost: {}\r\n{}\r\n",
                "a".repeat(dice.below(40_000)),
                siege.address,
                "X-Y: z\r\n".repeat(dice.below(400))
            )
            .into_bytes();
        }
        if let Ok(mut stream) = connect(siege.address, PATIENCE) {
            let _ = stream.write_all(&bytes);
            let _ = stream.shutdown(std::net::Shutdown::Write);
            let _ = stream.set_read_timeout(Some(Duration::from_millis(100)));
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
        }
        tally.add("mutated requests", 1);
    }
    Ok(())
}

fn half_open(siege: &Siege, tally: &Tally) -> Outcome {
    let heads =
        ["", "G", "GET / HTTP/1.1\r\nHost:", "POST /api/sessions HTTP/1.1\r\nContent-Length: 1000\r\n\r\n{"];
    let held = crowd(siege, 700, |number| heads[number % heads.len()].as_bytes().to_vec());
    tally.add("held connections", held.len() as u64);
    std::thread::sleep(Duration::from_millis(700));
    Ok(())
}

/// Many large answers asked for on each connection, none read.
fn unread(siege: &Siege, tally: &Tally) -> Outcome {
    let asked = format!("GET /api/openapi.json HTTP/1.1\r\nHost: {}\r\n\r\n", siege.address).repeat(60);
    let held = crowd(siege, 700, |_| asked.clone().into_bytes());
    tally.add("held connections", held.len() as u64);
    std::thread::sleep(Duration::from_millis(1500));
    Ok(())
}

fn bombs(siege: &Siege, page: &Page, tally: &Tally, ground: &Ground) -> Outcome {
    let seeds = seeds()?;
    let mut dice = ground.dice("uploads");
    let mutants: Vec<String> = (0..ground.budget.of(10, 100)).map(|_| mutated(&seeds, &mut dice)).collect();
    for (number, rules) in bombs_for_servers(ground.budget).into_iter().chain(mutants).enumerate() {
        let answer =
            page.post(siege, &format!("/api/rules?name=bomb{number}"), &rules, Duration::from_secs(45));
        tally.add("uploads", 1);
        let answer = answer.map_err(|problem| format!("rules {number} are not answered: {problem}"))?;
        if answer.status == 200 {
            let game: Value = serde_json::from_str(&answer.body).unwrap_or_default();
            let id = page.game(siege, game["id"].as_str().unwrap_or_default(), "random")?;
            let _ = page.post(siege, &format!("/api/sessions/{id}/reply"), "", THOUGHT);
        }
    }
    Ok(())
}

/// The server is as it was.
fn afterwards(siege: &Siege, page: &Page) -> Outcome {
    for path in ["/api/health", "/api/catalog", "/", "/api/games", "/api/trainings"] {
        let answer =
            exchange(siege.address, &request(siege.address, "GET", path, "", ""), Duration::from_secs(10))?;
        if answer.status != 200 {
            return Err(format!("GET {path} is answered by {} {}", answer.status, answer.body.trim()));
        }
    }
    let id = page.game(siege, "tic-tac-toe", "depth1")?;
    page.post(siege, &format!("/api/sessions/{id}/move"), r#"{"mv":4}"#, PATIENCE)?;
    let answer = page.post(siege, &format!("/api/sessions/{id}/reply"), "", THOUGHT)?;
    if answer.status != 200 {
        return Err(format!(
            "a mind is asked to reply and the answer is {} {}",
            answer.status,
            answer.body.trim()
        ));
    }
    Ok(())
}
