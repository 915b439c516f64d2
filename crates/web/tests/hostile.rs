//! What a hostile page, a hostile client or a broken one can send; nothing of it may get through, or end the server.

mod common;

use std::sync::atomic::Ordering;
use std::time::Duration;

use common::{Dice, PANICS, Served, start};
use ludens_web::Limits;
use serde_json::json;

const NEW: &[u8] = br#"{"game":"tic-tac-toe","seats":[{"kind":"human"},{"kind":"mind","mind":"random"}]}"#;

fn still_well(server: &Served) {
    let health = server.get("/api/health");
    assert_eq!(health.status, 200);
    assert_eq!(health.json()["ok"], true);
    assert_eq!(PANICS.load(Ordering::SeqCst), 0, "something panicked");
}

#[test]
fn a_rebound_name_is_refused_everywhere() {
    let server = start(Limits::default());
    let port = server.address.port();
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        "localhost",
        "127.0.0.1:1",
        "",
        "localhost:7117.evil",
    ] {
        for path in ["/", "/api/catalog", "/api/health", "/icon.svg"] {
            let answer = server.send("GET", path, &[("host", host)], b"");
            assert!(matches!(answer.status, 421 | 400), "{host:?} {path}: {}", answer.status);
            assert!(!answer.text().contains(&server.token));
        }
    }
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")] {
        assert_eq!(server.send("GET", "/api/health", &[("host", &host)], b"").status, 200, "{host}");
    }
    let twice =
        format!("GET / HTTP/1.1\r\nhost: {0}\r\nhost: evil\r\nconnection: close\r\n\r\n", server.host());
    assert!(matches!(server.raw(twice.as_bytes()).unwrap().status, 421 | 400));
    assert!(matches!(server.raw(b"GET / HTTP/1.0\r\n\r\n").unwrap().status, 421 | 400));
    still_well(&server);
}

#[test]
fn another_sites_page_can_neither_change_nor_read() {
    let server = start(Limits::default());
    let json = ("content-type", "application/json");
    let token = ("x-ludens-token", server.token.as_str());
    for origin in ["http://evil.example", "null", "https://localhost", "http://localhost:1", "file://"] {
        let origin = ("origin", origin);
        assert_eq!(server.send("POST", "/api/sessions", &[json, token, origin], NEW).status, 403);
        assert_eq!(server.send("GET", "/api/catalog", &[origin], b"").status, 403);
        assert_eq!(server.send("OPTIONS", "/api/sessions", &[origin], b"").status, 403);
    }
    for site in ["cross-site", "same-site"] {
        assert_eq!(server.send("GET", "/api/catalog", &[("sec-fetch-site", site)], b"").status, 403);
    }
    let own = format!("http://{}", server.host());
    assert_eq!(server.send("POST", "/api/sessions", &[json, token, ("origin", &own)], NEW).status, 200);
    let answer = server.get("/");
    assert!(answer.head.contains("frame-ancestors 'none'"), "{}", answer.head);
    assert!(!answer.head.to_lowercase().contains("access-control-allow"));
    still_well(&server);
}

#[test]
fn changes_need_the_token() {
    let server = start(Limits::default());
    let json = ("content-type", "application/json");
    let almost = format!("{}0", &server.token[..server.token.len() - 1]);
    for token in ["", "x", &almost, &server.token[1..], &"a".repeat(32)] {
        if token == server.token {
            continue;
        }
        let answer = server.send("POST", "/api/sessions", &[json, ("x-ludens-token", token)], NEW);
        assert_eq!(answer.status, 401, "{token:?}");
    }
    assert_eq!(server.send("POST", "/api/sessions", &[json], NEW).status, 401);
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS"] {
        assert_eq!(server.send(method, "/api/sessions", &[json], NEW).status, 401, "{method}");
    }
    let forms = [("content-type", "text/plain"), ("x-ludens-token", server.token.as_str())];
    assert_eq!(server.send("POST", "/api/sessions", &forms, NEW).status, 415);
    assert!(server.get("/").text().contains(&server.token), "the page itself holds it");
    still_well(&server);
}

#[test]
fn large_requests_are_cut_off() {
    let server = start(Limits::default());
    let headers = [("content-type", "application/json"), ("x-ludens-token", server.token.as_str())];
    let mut answers = Vec::new();
    // The server may answer and close before it has read everything; then the write fails and the answer may be lost.
    let head = format!(
        "POST /api/sessions HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nx-ludens-token: {}\r\n",
        server.host(),
        server.token
    );
    let claimed = format!("{head}content-length: 5000000000\r\n\r\n");
    answers.extend(server.raw(claimed.as_bytes()));
    let chunked = format!("{head}transfer-encoding: chunked\r\n\r\n");
    let mut bytes = chunked.into_bytes();
    for _ in 0..400 {
        bytes.extend(b"1000\r\n");
        bytes.extend(vec![b' '; 0x1000]);
        bytes.extend(b"\r\n");
    }
    answers.extend(server.raw(&bytes));
    assert!(!answers.is_empty());
    for answer in &answers {
        assert!(matches!(answer.status, 413 | 400), "{}", answer.status);
    }
    let slightly = vec![b' '; 70_000];
    assert_eq!(server.send("POST", "/api/sessions", &headers, &slightly).status, 413);
    still_well(&server);
}

#[test]
fn large_heads_are_refused_with_a_word() {
    let server = start(Limits::default());
    let get = |more: &str| {
        server.raw(format!("GET /api/health HTTP/1.1\r\nhost: {}\r\n{more}\r\n", server.host()).as_bytes())
    };
    let lines = |count: usize| -> String { (0..count).map(|n| format!("x{n}: y\r\n")).collect() };
    // Just within, and just beyond.
    assert_eq!(get(&lines(60)).unwrap().status, 200);
    assert_eq!(get(&lines(65)).unwrap().status, 431);
    assert_eq!(get(&format!("x: {}\r\n", "y".repeat(15_000))).unwrap().status, 200);
    assert_eq!(get(&format!("x: {}\r\n", "y".repeat(17_000))).unwrap().status, 431);
    // Far beyond: the server closes before it has read everything, and the answer may be lost with that.
    assert!(get(&format!("x: {}\r\n", "y".repeat(1_000_000))).is_none_or(|answer| answer.status == 431));
    assert!(get(&lines(5_000)).is_none_or(|answer| answer.status == 431));
    still_well(&server);
}

/// The longest piece of `sent` that `said` repeats.
fn repeated(sent: &str, said: &str) -> usize {
    let sent: Vec<char> = sent.chars().collect();
    let longer = |length: usize| {
        sent.windows(length).step_by(1).any(|piece| said.contains(&piece.iter().collect::<String>()))
    };
    // Whether a piece is repeated falls with its length.
    let (mut low, mut high) = (0, sent.len().min(said.chars().count()) + 1);
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        if longer(middle) { low = middle } else { high = middle }
    }
    low
}

#[test]
fn errors_do_not_repeat_what_was_sent() {
    let server = start(Limits::default());
    let mut dice = Dice(5);
    let mut letters = |spaces: bool, count: usize| -> String {
        let alphabet: &[u8] = if spaces { b"abcdefgh ijkl mnop" } else { b"abcdefghijklmnop" };
        (0..count).map(|_| char::from(alphabet[dice.below(alphabet.len())])).collect()
    };
    let seats = json!([{ "kind": "human" }, { "kind": "human" }]);
    let text = [("content-type", "text/plain"), ("x-ludens-token", server.token.as_str())];
    for spaces in [false, true] {
        let long = letters(spaces, 3_000);
        let path = long.replace(' ', "+");
        let asked = [
            server.post("/api/sessions", &json!({ "game": "tic-tac-toe", "seats": seats, "position": long })),
            server.post("/api/sessions", &json!({ "game": "connect-four", "seats": seats, "position": long })),
            server.post("/api/sessions", &json!({ "game": "backgammon", "seats": seats, "position": long })),
            server.post("/api/sessions", &json!({ "game": long, "seats": seats })),
            server.post("/api/sessions", &json!({ "game": "tic-tac-toe", "seats": seats, long.as_str(): 1 })),
            server.post("/api/sessions", &json!({ "game": "tic-tac-toe", "seats": [{ "kind": long }, { "kind": "human" }] })),
            server.post("/api/sessions", &json!({ "game": "tic-tac-toe", "seats": [{ "kind": "mind", "mind": long }, { "kind": "human" }] })),
            server.post("/api/sessions", &json!({ "game": "tic-tac-toe", "seats": seats, "seed": long })),
            server.post("/api/sessions/x/move", &json!(long)),
            server.post("/api/trainings", &json!({ "game": "backgammon", "learner": long })),
            server.post("/api/matches", &json!({ "game": "tic-tac-toe", "minds": [long, long], "games": 2 })),
            server.get(&format!("/api/sessions/{path}")),
            server.get(&format!("/api/sessions/x/positions/{path}")),
            server.get(&format!("/api/minds/{path}")),
            server.get(&format!("/api/games/{path}")),
            server.get(&format!("/papers/{path}")),
            server.get(&format!("/{path}")),
            server.send("POST", "/api/rules", &text, format!("(role a) (role b) (<= (legal a ({long} ?x)) (p ?y))").as_bytes()),
            server.send("POST", "/api/rules", &text, format!("({long}").as_bytes()),
            server.send("POST", &format!("/api/rules?name={path}"), &text, b"(role a)"),
        ];
        for (number, answer) in asked.iter().enumerate() {
            assert!((400..500).contains(&answer.status), "{number}: {}", answer.status);
            let said = answer.text();
            let length = repeated(&long, &said).max(repeated(&path, &said));
            assert!(length <= 125, "number {number} repeats {length} letters: {said}");
            assert!(answer.json()["error"]["message"].is_string(), "number {number}: {said}");
        }
    }
    still_well(&server);
}

#[test]
fn no_path_and_no_name_reaches_the_disk() {
    let server = start(Limits::default());
    for path in [
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/../../Cargo.toml",
        "/assets/..%5c..%5cCargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/index.html%00.png",
        "/Cargo.toml",
        "/.git/config",
        "/api/games/..%2f..%2fetc%2fpasswd",
        "/api/sessions/../../etc/passwd",
        "/api/../Cargo.toml",
    ] {
        let answer = server.get(path);
        assert!(matches!(answer.status, 404 | 400), "{path}: {}", answer.status);
        assert!(!answer.text().contains("root:"), "{path}");
    }
    for mind in [
        "/etc/passwd",
        "../../x.safetensors",
        "x.safetensors",
        "random:path=/etc/passwd",
        "Cargo.toml",
        "",
        "💥",
        "random\0",
    ] {
        let new = json!({ "game": "tic-tac-toe", "seats": [{ "kind": "human" }, { "kind": "mind", "mind": mind }] });
        let answer = server.post("/api/sessions", &new);
        assert_eq!(answer.status, 400, "{mind:?}: {}", answer.text());
        assert!(!answer.text().contains("cannot read"), "{mind:?} was taken for a file: {}", answer.text());
    }
    for game in ["../tic-tac-toe", "/etc/passwd", "", "rules.kif", "rules.kif\n(role a) (role b)"] {
        let new = json!({ "game": game, "seats": [{ "kind": "human" }, { "kind": "human" }] });
        assert!(matches!(server.post("/api/sessions", &new).status, 400 | 404), "{game:?}");
    }
    still_well(&server);
}

#[test]
fn ten_thousand_fuzzed_requests_end_nothing() {
    let server = start(Limits { header_time: Duration::from_secs(2), ..Limits::default() });
    let session = server.begin("tic-tac-toe", "random", 1);
    let id = session["id"].as_str().unwrap();
    let whole: Vec<Vec<u8>> = [
        ("POST", "/api/sessions".to_string(), String::from_utf8_lossy(NEW).into_owned()),
        ("POST", format!("/api/sessions/{id}/move"), r#"{"mv":4,"version":0}"#.into()),
        ("POST", format!("/api/sessions/{id}/why"), r#"{"ply":0,"mind":"random","level":{"states":10}}"#.into()),
        ("POST", format!("/api/sessions/{id}/reply"), "{}".into()),
        ("GET", "/api/catalog".into(), String::new()),
        ("GET", format!("/api/sessions/{id}/positions/0"), String::new()),
        ("GET", "/".into(), String::new()),
    ]
    .iter()
    .map(|(method, path, body)| {
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\nx-ludens-token: {}\r\ncontent-length: {}\r\n\r\n{body}",
            server.host(),
            server.token,
            body.len()
        )
        .into_bytes()
    })
    .collect();
    let workers: Vec<_> = (0..20)
        .map(|worker| {
            let whole = whole.clone();
            let address = server.address;
            std::thread::spawn(move || fuzz(address, &whole, worker, 500))
        })
        .collect();
    let answered: [usize; 2] = workers
        .into_iter()
        .map(|worker| worker.join().unwrap())
        .fold([0, 0], |[all, good], [more, better]| [all + more, good + better]);
    assert!(answered[0] > 5_000, "{answered:?} of 10,000 were answered");
    assert!(answered[1] > 200, "{answered:?}: the fuzzer never got through");
    still_well(&server);
}

/// Sends mutated requests; counts the answers and, among them, those that were 200.
fn fuzz(address: std::net::SocketAddr, whole: &[Vec<u8>], seed: u64, times: usize) -> [usize; 2] {
    let mut dice = Dice(seed * 7919 + 1);
    let mut answered = [0, 0];
    for _ in 0..times {
        let mut bytes = whole[dice.below(whole.len())].clone();
        mutate(&mut bytes, &mut dice);
        if let Some(answer) = common::exchange(address, &bytes, Duration::from_millis(60)) {
            assert!(answer.status != 500, "{}\n{}", String::from_utf8_lossy(&bytes), answer.text());
            answered[0] += 1;
            answered[1] += usize::from(answer.status == 200);
        }
    }
    answered
}

fn mutate(bytes: &mut Vec<u8>, dice: &mut Dice) {
    // Most mutations fall into the body or the path, where they get past the parser of the head.
    for _ in 0..1 + dice.below(3) {
        let at = dice.below(bytes.len());
        match dice.below(8) {
            0 => bytes[at] = dice.next() as u8,
            1 => bytes.insert(at, dice.next() as u8),
            2 => {
                bytes.remove(at);
            }
            3 => bytes[at] ^= 1 << dice.below(8),
            4 => {
                let last = bytes.len() - 1;
                bytes[last] = b"{}[]\"0-,"[dice.below(8)];
            }
            5 => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
                if !digits.is_empty() {
                    bytes[digits[dice.below(digits.len())]] = b"0123456789-e."[dice.below(13)];
                }
            }
            6 => bytes.truncate(at.max(16)),
            _ => {
                let from = dice.below(bytes.len());
                let piece: Vec<u8> = bytes[from..].iter().take(1 + dice.below(30)).copied().collect();
                bytes.splice(at..at, piece);
            }
        }
    }
}
