//! A server on a free port, and a client that can also speak badly.
#![allow(dead_code)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ludens_catalogue::{Catalogue, House};
use ludens_web::{Config, Limits, Server};
use serde_json::{Value, json};

/// Panics anywhere in the process, the server's threads included.
pub static PANICS: AtomicU64 = AtomicU64::new(0);

pub struct Served {
    pub address: SocketAddr,
    pub token: String,
    _stop: tokio::sync::oneshot::Sender<()>,
}

pub fn start(limits: Limits) -> Served {
    start_with(Config { port: 0, limits, ..Config::default() })
}

pub fn start_with(config: Config) -> Served {
    start_house(Catalogue::standard(), config)
}

pub fn start_house(house: impl Into<House>, config: Config) -> Served {
    let house = house.into();
    std::panic::set_hook(Box::new(|info| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        eprintln!("{info}");
    }));
    let (ready, wait) = std::sync::mpsc::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let server = Server::bind(house, config).await.unwrap();
            ready.send((server.local(), server.app().token().to_string())).unwrap();
            server
                .run(async {
                    let _ = stopped.await;
                })
                .await;
        });
    });
    let (address, token) = wait.recv().unwrap();
    Served { address, token, _stop: stop }
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Served {
    /// Sends bytes as they are and reads until the server closes or falls silent.
    pub fn raw(&self, bytes: &[u8]) -> Option<Answer> {
        exchange(self.address, bytes, Duration::from_secs(20))
    }

    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// A request with the given further headers; `Host` and `Connection` are added.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut text = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            text += &format!("host: {}\r\n", self.host());
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("content-length: {}\r\n\r\n", body.len());
        let mut bytes = text.into_bytes();
        bytes.extend(body);
        self.raw(&bytes).unwrap_or_else(|| panic!("no answer to {method} {path}"))
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let headers = [("x-ludens-token", self.token.as_str()), ("content-type", "application/json")];
        self.send("POST", path, &headers, body.to_string().as_bytes())
    }

    /// A post that must succeed.
    pub fn call(&self, path: &str, body: &Value) -> Value {
        let answer = self.post(path, body);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    pub fn begin(&self, game: &str, mind: &str, seed: u32) -> Value {
        let seats = json!([{ "kind": "human" }, { "kind": "mind", "mind": mind }]);
        self.call("/api/sessions", &json!({ "game": game, "seats": seats, "seed": seed }))
    }
}

/// Sends bytes, waits for an answer at most so long, then says that nothing more comes.
pub fn exchange(address: SocketAddr, bytes: &[u8], patience: Duration) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).ok()?;
    let _ = stream.write_all(bytes);
    stream.set_read_timeout(Some(patience)).ok()?;
    let mut answer = Vec::new();
    let mut part = vec![0; 64 * 1024];
    while let Ok(read) = stream.read(&mut part) {
        answer.extend(&part[..read]);
        if read == 0 || is_whole(&answer) {
            break;
        }
    }
    parse(&answer)
}

/// Whether all that the head promises has come; the server may keep the connection open.
fn is_whole(bytes: &[u8]) -> bool {
    let Some(answer) = parse(bytes) else { return false };
    let head = answer.head.to_lowercase();
    let length =
        head.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next()?.parse().ok());
    length.is_some_and(|length: usize| answer.body.len() >= length)
}

pub fn parse(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer { status, head, body: bytes[end + 4..].to_vec() })
}

/// A small generator for the tests' own choices.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}
