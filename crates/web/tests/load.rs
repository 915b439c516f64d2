//! What one client can take from the others: connections, streams, games, the log. Nobody is locked out, and nobody is dropped without a
//! word.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use common::{Served, parse, start, start_with};
use ludens_web::{Config, Limits, Quota};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

const PEOPLE: &str = r#"[{ "kind": "human" }, { "kind": "human" }]"#;

fn people() -> Value {
    serde_json::from_str(PEOPLE).unwrap()
}

/// The largest file of the page.
fn script(server: &Served) -> String {
    let page = server.get("/").text();
    let from = page.find("/assets/index-").expect("the page has a script");
    page[from..].split('"').next().unwrap().to_string()
}

/// A connection from one of the machine's own addresses, which takes in little at a time.
async fn connect(server: &Served, last: u8) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(4096)?;
    socket.bind(SocketAddr::from((Ipv4Addr::new(127, 0, 0, last), 0)))?;
    socket.connect(server.address).await
}

/// Reads until the server closes; true when it does in time.
async fn is_closed(stream: &mut TcpStream, patience: Duration) -> bool {
    let mut part = vec![0; 64 * 1024];
    let drained = async { while !matches!(stream.read(&mut part).await, Ok(0) | Err(_)) {} };
    tokio::time::timeout(patience, drained).await.is_ok()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

/// What the system holds for all connections of the machine.
fn network_megabytes() -> f64 {
    let sockets = std::fs::read_to_string("/proc/net/sockstat").unwrap_or_default();
    let line = sockets.lines().find(|line| line.starts_with("TCP:")).unwrap_or("");
    let pages = line.split_whitespace().skip_while(|word| *word != "mem").nth(1);
    pages.and_then(|pages| pages.parse::<f64>().ok()).unwrap_or(0.0) * 4096.0 / 1e6
}

#[test]
fn seven_hundred_who_never_read_keep_nobody_out() {
    let write_time = Duration::from_secs(3);
    let server = start(Limits { connections: 640, write_time, ..Limits::default() });
    let ask = format!("GET {} HTTP/1.1\r\nhost: {}\r\n\r\n", script(&server), server.host()).repeat(100);
    let runtime = runtime();
    let mut held = runtime.block_on(async {
        let mut held = Vec::new();
        for _ in 0..700 {
            let mut stream = connect(&server, 1).await.unwrap();
            stream.write_all(ask.as_bytes()).await.unwrap();
            held.push(stream);
        }
        held
    });
    let health = format!("GET /api/health HTTP/1.1\r\nhost: {}\r\n\r\n", server.host());
    let begun = Instant::now();
    for _ in 0..20 {
        let health = common::exchange(server.address, health.as_bytes(), Duration::from_secs(5));
        assert_eq!(health.map(|answer| answer.status), Some(200), "a person is locked out");
    }
    let waited = begun.elapsed();
    let kernel = network_megabytes();
    println!(
        "20 answers in {waited:?} while 700 do not read theirs; the system holds {kernel:.0} MB for them"
    );
    assert!(waited < Duration::from_secs(2), "a person waited {waited:?}");
    assert!(kernel < 400.0, "{kernel} MB of the system's memory are gone");
    runtime.block_on(async {
        tokio::time::sleep(write_time + Duration::from_secs(1)).await;
        for stream in &mut held {
            assert!(
                is_closed(stream, Duration::from_secs(2)).await,
                "an answer that nobody takes is given up"
            );
        }
    });
}

/// A request that takes a mind some seconds.
fn think_long(server: &Served, game: &Value) -> std::thread::JoinHandle<u16> {
    let path = format!("/api/sessions/{}/why", game["id"].as_str().unwrap());
    let body = json!({ "mind": "alphabeta:depth=40" }).to_string();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nx-ludens-token: {}\r\ncontent-length: {}\r\n\r\n{body}",
        server.host(),
        server.token,
        body.len()
    );
    let address = server.address;
    std::thread::spawn(move || {
        common::exchange(address, request.as_bytes(), Duration::from_secs(20))
            .map_or(0, |answer| answer.status)
    })
}

#[test]
fn when_every_place_is_at_work_a_newcomer_is_told_so() {
    let think_time = Duration::from_secs(2);
    let server = start(Limits { connections: 3, thinkers: 3, think_time, ..Limits::default() });
    let game = server.begin("connect-four", "random", 1);
    let thinking: Vec<_> = (0..3).map(|_| think_long(&server, &game)).collect();
    std::thread::sleep(Duration::from_millis(700));
    for _ in 0..100 {
        let refused = server.get("/api/health");
        assert_eq!(refused.status, 503);
        assert!(refused.head.contains("retry-after: 1"), "{}", refused.head);
        assert_eq!(refused.json()["error"]["code"], "busy", "{}", refused.text());
    }
    for thread in thinking {
        let status = thread.join().unwrap();
        assert!(matches!(status, 200 | 503 | 504), "a request at work was cut off: {status}");
    }
    assert_eq!(server.get("/api/health").status, 200);
}

#[test]
fn those_who_wait_for_minds_do_not_hold_every_place() {
    let think_time = Duration::from_secs(2);
    let limits = Limits { questions: 2, thinkers: 1, think_time, ..Limits::default() };
    let server = start(limits);
    let game = server.begin("connect-four", "random", 1);
    let thinking: Vec<_> = (0..2).map(|_| think_long(&server, &game)).collect();
    std::thread::sleep(Duration::from_millis(500));
    let begun = Instant::now();
    assert_eq!(think_long(&server, &game).join().unwrap(), 503);
    assert!(begun.elapsed() < Duration::from_secs(1), "it waited for {:?}", begun.elapsed());
    for thread in thinking {
        thread.join().unwrap();
    }
}

#[test]
fn an_address_has_a_share_of_the_places() {
    let server = start(Limits { connections: 40, loopback_share: 4, ..Limits::default() });
    let head = format!("GET /api/health HTTP/1.1\r\nhost: {}\r\n\r\n", server.host());
    runtime().block_on(async {
        let mut person = connect(&server, 1).await.unwrap();
        let mut part = [0; 4096];
        person.write_all(head.as_bytes()).await.unwrap();
        assert!(person.read(&mut part).await.unwrap() > 0);
        // Half a request each, so that they are younger than the person's connection but not idle.
        let mut greedy = Vec::new();
        for _ in 0..200 {
            let mut stream = connect(&server, 2).await.unwrap();
            let _ = stream.write_all(&head.as_bytes()[..20]).await;
            greedy.push(stream);
        }
        person.write_all(head.as_bytes()).await.unwrap();
        let read = person.read(&mut part).await;
        assert!(read.is_ok_and(|read| read > 0), "another address has pushed a person out");
        // What is closed is seen to be so a moment later, on a busy machine.
        let mut open = greedy.len();
        for _ in 0..20 {
            open = 0;
            for stream in &mut greedy {
                open += usize::from(!is_closed(stream, Duration::from_millis(5)).await);
            }
            if open <= 10 {
                break;
            }
        }
        assert_eq!(open, 10);
    });
}

/// A tournament that goes on for long.
fn tournament(server: &Served) -> String {
    let new = json!({ "game": "reversi", "minds": ["uct", "alphabeta"], "games": 2000, "states": 20000 });
    format!("/api/matches/{}", server.call("/api/matches", &new)["id"].as_str().unwrap())
}

/// Whether the stream brings another event; false when it has ended.
fn brings(stream: &mut BufReader<std::net::TcpStream>) -> bool {
    let mut line = String::new();
    loop {
        line.clear();
        match stream.read_line(&mut line) {
            Ok(0) | Err(_) => return false,
            Ok(_) if line.starts_with("data: ") => return true,
            Ok(_) => {}
        }
    }
}

fn watch(server: &Served, path: &str) -> BufReader<std::net::TcpStream> {
    let mut stream = std::net::TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    write!(stream, "GET {path}/events HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", server.host())
        .unwrap();
    BufReader::new(stream)
}

#[test]
fn whoever_wants_to_watch_can_and_who_reads_is_not_cut_off() {
    let write_time = Duration::from_millis(500);
    let server = start(Limits { streams: 3, write_time, ..Limits::default() });
    let path = tournament(&server);
    let mut streams: Vec<_> = (0..3).map(|_| watch(&server, &path)).collect();
    for stream in &mut streams {
        assert!(brings(stream));
    }
    let mut late = watch(&server, &path);
    assert!(brings(&mut late), "a fourth may watch too");
    let begun = Instant::now();
    while begun.elapsed() < 6 * write_time {
        assert!(brings(&mut late) && brings(&mut streams[1]) && brings(&mut streams[2]));
    }
    let mut rest = Vec::new();
    streams[0].read_to_end(&mut rest).unwrap();
    assert!(rest.len() < 100_000, "the oldest has ended");
    server.call(&format!("{path}/stop"), &json!({}));
}

#[test]
fn nobody_can_take_all_games() {
    let server = start(Limits { sessions: 20, ..Limits::default() });
    let game = server.begin("tic-tac-toe", "depth1", 1);
    let path = format!("/api/sessions/{}", game["id"].as_str().unwrap());
    server.call(&format!("{path}/move"), &json!({ "mv": game["view"]["moves"][0]["mv"] }));
    server.call(&format!("{path}/reply"), &json!({}));
    let idle: Vec<Value> = (0..100).map(|seed| server.begin("tic-tac-toe", "random", seed)).collect();
    let now = server.get(&path).json();
    assert!(!now["last_decision"].is_null(), "games without a move go first: this one never left the memory");
    assert_eq!(server.get("/api/health").json()["sessions"], 20);
    // Those who take a place with a move each push each other out, and lose nothing.
    for game in &idle {
        let path = format!("/api/sessions/{}", game["id"].as_str().unwrap());
        let moved = server.call(&format!("{path}/move"), &json!({ "mv": game["view"]["moves"][4]["mv"] }));
        assert_eq!(moved["plies"].as_array().unwrap().len(), 1);
    }
    let after = server.get(&path).json();
    assert_eq!(after["plies"].as_array().unwrap().len(), 2);
    assert_eq!(after["view"], now["view"]);
    assert_eq!(server.get("/api/health").json()["sessions"], 20);
}

#[test]
fn an_address_makes_room_among_its_own_games() {
    let server = start(Limits { sessions: 40, loopback_share: 4, ..Limits::default() });
    let game = server.begin("tic-tac-toe", "depth1", 1);
    let path = format!("/api/sessions/{}", game["id"].as_str().unwrap());
    server.call(&format!("{path}/move"), &json!({ "mv": game["view"]["moves"][0]["mv"] }));
    server.call(&format!("{path}/reply"), &json!({}));
    let body = json!({ "game": "tic-tac-toe", "seats": people() }).to_string();
    let ask = |path: &str, body: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\nx-ludens-token: {}\r\ncontent-length: {}\r\n\r\n{body}",
            server.host(),
            server.token,
            body.len()
        )
    };
    runtime().block_on(async {
        let send = async |request: String| {
            let mut stream = connect(&server, 2).await.unwrap();
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).await.unwrap();
            parse(&bytes).unwrap().json()
        };
        for _ in 0..50 {
            let begun = send(ask("/api/sessions", &body)).await;
            let path = format!("/api/sessions/{}/move", begun["id"].as_str().unwrap());
            let moved = send(ask(&path, &json!({ "mv": begun["view"]["moves"][0]["mv"] }).to_string())).await;
            assert_eq!(moved["version"], 1);
        }
    });
    assert_eq!(server.get("/api/health").json()["sessions"], 11, "ten of the greedy address, and one");
    assert!(!server.get(&path).json()["last_decision"].is_null(), "the other address has lost nothing");
}

fn begin_and_move(server: &Served) -> String {
    let begun = server.call("/api/sessions", &json!({ "game": "tic-tac-toe", "seats": people() }));
    let id = begun["id"].as_str().unwrap().to_string();
    server.call(&format!("/api/sessions/{id}/move"), &json!({ "mv": begun["view"]["moves"][0]["mv"] }));
    id
}

#[test]
fn the_export_holds_every_game_and_comes_in_pieces() {
    let home = tempfile::tempdir().unwrap();
    for home in [None, Some(home.path().to_path_buf())] {
        let server = start_with(Config { port: 0, home, ..Config::default() });
        let mut ids: Vec<String> = (0..250).map(|_| begin_and_move(&server)).collect();
        let answer = server.get("/api/games.csv");
        assert!(answer.head.to_lowercase().contains("transfer-encoding: chunked"), "{}", answer.head);
        let text = answer.text();
        let rows = text.lines().filter(|line| line.contains(",tic-tac-toe,"));
        let mut found: Vec<String> = rows.map(|row| row.split(',').next().unwrap().to_string()).collect();
        found.sort();
        ids.sort();
        assert_eq!(found, ids);
        assert_eq!(text.matches("game_id,").count(), 1);
    }
}

#[test]
fn kept_games_have_a_quota_and_those_that_go_on_stay() {
    let home = tempfile::tempdir().unwrap();
    let quota = Quota { games: 40, bytes: 1 << 20 };
    for home in [None, Some(home.path().to_path_buf())] {
        let limits = Limits { kept_on_disk: quota, kept_in_memory: quota, sessions: 5, ..Limits::default() };
        let server = start_with(Config { port: 0, home, limits, ..Config::default() });
        let playing: Vec<String> = (0..20).map(|_| begin_and_move(&server)).collect();
        for _ in 0..200 {
            server.call("/api/sessions", &json!({ "game": "tic-tac-toe", "seats": people() }));
        }
        let kept = server.get("/api/games").json();
        let kept = kept.as_array().unwrap().len();
        assert!((38..=40).contains(&kept), "{kept} are kept");
        for id in &playing {
            let game = server.get(&format!("/api/sessions/{id}")).json();
            assert_eq!(
                game["plies"].as_array().unwrap().len(),
                1,
                "a game that goes on was forgotten: {game}"
            );
        }
    }
}
