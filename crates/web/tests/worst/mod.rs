//! Four clients who do the worst they can, each on a thread of its own.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::json;

use crate::common::{Dice, Served, exchange};

/// How often each of them did it.
#[derive(Debug)]
pub struct Done {
    pub unread: usize,
    pub bad: usize,
    pub asked: usize,
    pub heavy: usize,
}

pub struct Worst {
    stop: Arc<AtomicBool>,
    threads: [JoinHandle<usize>; 4],
}

impl Worst {
    pub fn end(self) -> Done {
        self.stop.store(true, Ordering::SeqCst);
        let [unread, bad, asked, heavy] = self.threads.map(|thread| thread.join().unwrap());
        Done { unread, bad, asked, heavy }
    }
}

type Client = fn(&Served, &AtomicBool) -> usize;

pub fn begin(server: &Arc<Served>) -> Worst {
    let stop = Arc::new(AtomicBool::new(false));
    let clients: [Client; 4] = [never_read, send_nonsense, ask_slow_minds, upload_heavy_rules];
    let threads = clients.map(|client| {
        let (server, stop) = (server.clone(), stop.clone());
        std::thread::spawn(move || client(&server, &stop))
    });
    Worst { stop, threads }
}

fn going_on(stop: &AtomicBool) -> bool {
    !stop.load(Ordering::SeqCst)
}

/// Holds 700 connections whose answers it does not take, and opens another for each that is closed.
fn never_read(server: &Served, stop: &AtomicBool) -> usize {
    let page = server.get("/").text();
    let from = page.find("/assets/index-").unwrap();
    let script = page[from..].split('"').next().unwrap().to_string();
    let ask = format!("GET {script} HTTP/1.1\r\nhost: {}\r\n\r\n", server.host()).repeat(60);
    let mut held: Vec<TcpStream> = Vec::new();
    let mut opened = 0;
    while going_on(stop) {
        if held.len() < 700 {
            let Ok(mut stream) = TcpStream::connect(server.address) else { continue };
            let _ = stream.write_all(ask.as_bytes());
            let _ = stream.set_nonblocking(true);
            held.push(stream);
            opened += 1;
        } else {
            // A closed one says so when more is written to it.
            held.retain_mut(|stream| {
                stream.write(b"GET / HTTP/1.1\r\n\r\n").is_ok_and(|written| written > 0)
            });
            std::thread::sleep(Duration::from_millis(200));
        }
    }
    opened
}

/// Requests that are wrong in every way, as fast as they are answered.
fn send_nonsense(server: &Served, stop: &AtomicBool) -> usize {
    let host = server.host();
    let wrong = [
        "GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n".to_string(),
        format!(
            "POST /api/sessions HTTP/1.1\r\nhost: {host}\r\nx-ludens-token: no\r\ncontent-length: 2\r\n\r\n{{}}"
        ),
        format!("GET /api/sessions/{} HTTP/1.1\r\nhost: {host}\r\n\r\n", "f".repeat(32)),
        format!("GET / HTTP/1.1\r\nhost: {host}\r\nx: {}\r\n\r\n", "y".repeat(20_000)),
        "\u{1}\u{2}nonsense\r\n\r\n".to_string(),
        format!(
            "POST /api/sessions HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\nx-ludens-token: {}\r\ncontent-length: 60000\r\n\r\n{{",
            server.token
        ),
    ];
    let mut dice = Dice(3);
    let mut sent = 0;
    while going_on(stop) {
        exchange(server.address, wrong[dice.below(wrong.len())].as_bytes(), Duration::from_millis(20));
        sent += 1;
    }
    sent
}

/// Asks for decisions that take as long as the server lets them, on sixteen connections, and leaves before most are made.
fn ask_slow_minds(server: &Served, stop: &AtomicBool) -> usize {
    let asked = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for number in 0..16 {
            let asked = &asked;
            scope.spawn(move || {
                while going_on(stop) {
                    let depth = 40 - number % 8;
                    let game = ["connect-four", "reversi"][number % 2];
                    if ask(server, game, &format!("alphabeta:depth={depth}")).is_some() {
                        asked.fetch_add(1, Ordering::Relaxed);
                    } else {
                        std::thread::sleep(Duration::from_millis(50));
                    }
                }
            });
        }
    });
    asked.into_inner()
}

/// The status of the answer to a question, if one comes within three seconds.
fn ask(server: &Served, game: &str, mind: &str) -> Option<u16> {
    let post = |path: &str, body: &str, patience: Duration| {
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\nx-ludens-token: {}\r\ncontent-length: {}\r\n\r\n{body}",
            server.host(),
            server.token,
            body.len()
        );
        exchange(server.address, request.as_bytes(), patience)
    };
    let new = json!({ "game": game, "seats": [{ "kind": "human" }, { "kind": "human" }] }).to_string();
    let begun = post("/api/sessions", &new, Duration::from_secs(5))?;
    let path = format!("/api/sessions/{}/why", begun.json()["id"].as_str()?);
    let answer = post(&path, &json!({ "mind": mind }).to_string(), Duration::from_secs(3));
    Some(answer.map_or(0, |answer| answer.status))
}

/// Rules that need all the work a server allows before they are refused.
fn upload_heavy_rules(server: &Served, stop: &AtomicBool) -> usize {
    let numbers: String = (0..300).map(|n| format!("(n {n})\n")).collect();
    let mut sent = 0;
    while going_on(stop) {
        let rules = format!(
            "(role white) (role black)\n; number {sent}\n{numbers}
            (init (control white))
            (<= (legal ?p (put ?x ?y ?z)) (true (control ?p)) (n ?x) (n ?y) (n ?z))
            (<= (legal white wait) (true (control black)))
            (<= (legal black wait) (true (control white)))
            (<= (next (control black)) (true (control white)))
            (<= (next (control white)) (true (control black)))
            (<= terminal (not (true (control white))) (not (true (control black))))
            (goal white 50) (goal black 50)"
        );
        let request = format!(
            "POST /api/rules?name=heavy HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: text/plain\r\nx-ludens-token: {}\r\ncontent-length: {}\r\n\r\n{rules}",
            server.host(),
            server.token,
            rules.len()
        );
        let mut stream = match TcpStream::connect(server.address) {
            Ok(stream) => stream,
            Err(_) => continue,
        };
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
        let _ = stream.read(&mut [0; 1024]);
        sent += 1;
    }
    sent
}
