//! Rules, messages of the protocol, and the requests that carry them.

use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use ludens_core::Stop;
use ludens_gdl::agreement::{Replays, disagreement};
use ludens_gdl::ggp::http::{decode, post, read_request};
use ludens_gdl::ggp::message::Message;
use ludens_gdl::playouts::{PlayoutOptions, random_playouts};
use ludens_gdl::sexpr::{Expr, read_all};
use ludens_gdl::{Description, GdlGame, Limits};

use crate::seeds::texts;
use crate::{Law, Verdict, ensure, text};

const TIC_TAC_TOE: &str = include_str!("../../../crates/gdl/rules/tic-tac-toe.kif");
const CHASE: &str = include_str!("../../../crates/gdl/rules/chase.kif");
const DICE_RACE: &str = include_str!("../../../crates/gdl/rules/dice-race.kif");
const BREAKTHROUGH: &str = include_str!("../../../crates/gdl/rules/breakthrough.kif");

/// Small games: what is wrong with a reader shows in them, and a playout is short.
const SMALL: &[&str] = &[
    "(role x) (role o) (init (turn x)) (<= (legal ?p take) (true (turn ?p))) (<= (legal ?p noop) (role ?p) (not (true (turn ?p)))) \
     (<= (next (turn o)) (true (turn x))) (<= (next (turn x)) (true (turn o))) (<= terminal (true (turn o))) (goal x 100) (goal o 0)",
    "(role r) (init (s 0)) (succ 0 1) (succ 1 2) (<= (legal r go) (true (s ?n))) (<= (next (s ?m)) (true (s ?n)) (succ ?n ?m)) \
     (<= terminal (true (s 2))) (<= (goal r 100) (true (s 2))) (<= (goal r 0) (not (true (s 2))))",
    "(role a) (role b) (init (c 1 1)) (<= (base (c ?x ?y)) (i ?x) (i ?y)) (i 1) (i 2) (<= (input ?r (m ?x)) (role ?r) (i ?x)) \
     (<= (legal ?r (m ?x)) (role ?r) (i ?x)) (<= (next (c ?x ?y)) (does a (m ?x)) (does b (m ?y))) \
     (<= terminal (or (true (c 2 2)) (true (c 1 2)))) (<= (goal a 100) (true (c ?x ?y)) (distinct ?x ?y)) (<= (goal a 50) (true (c ?x ?x))) (goal b 50)",
];

const WORDS: &[&str] = &[
    "role",
    "init",
    "true",
    "does",
    "next",
    "legal",
    "goal",
    "terminal",
    "base",
    "input",
    "distinct",
    "not",
    "or",
    "and",
    "<=",
    "NIL",
    "START",
    "PLAY",
    "STOP",
    "ABORT",
    "INFO",
    "PREVIEW",
    "(",
    ")",
    "( ",
    "?x",
    "?y",
    "(true (",
    "(does ",
    "(<= (next ",
    "(<= (legal ",
    "(<= terminal ",
    "(not (",
    "(or (",
    "(distinct ?x ?y)",
    "(f ?x ?x)",
    "(s ?n)",
    "100",
    "random",
    "(role ?x)",
    ";",
    "\n",
];

/// Small limits, so that a law costs milliseconds: the limits themselves are attacked from outside.
fn limits() -> Limits {
    Limits {
        text_bytes: 1 << 16,
        rules: 2_000,
        terms: 4_000,
        ground_literals: 20_000,
        ground_work: 40_000,
        state_work: 10_000,
        ..Limits::default()
    }
}

pub(crate) const GDL: Law = Law {
    name: "gdl_rules",
    says: "a text is refused, or it is a game that every machine plays alike, to the end of its limits",
    weight: 16,
    words: WORDS,
    seeds: || {
        let mut seeds = texts(SMALL);
        seeds.extend(texts(SMALL));
        seeds.extend(texts(&[TIC_TAC_TOE, CHASE, DICE_RACE]));
        seeds
    },
    check: gdl,
};

fn gdl(bytes: &[u8]) -> Verdict {
    let Ok(game) = Description::load(&text(bytes), &limits()) else { return Ok(false) };
    let count = if game.grounded().is_ok() { 64 } else { 2 };
    let _ = random_playouts(&game, &PlayoutOptions { count, seed: 1, step_cap: 10 });
    let replays = Replays {
        incremental: 2,
        incremental_seconds: 1.0,
        lifted_before: 0,
        lifted_plies: 10,
        lifted_seconds: 1.0,
    };
    if let Ok(Err(difference)) = disagreement(&game, 1, replays) {
        return Err(format!("the machines disagree: {difference}"));
    }
    let _ = GdlGame::new("fuzz", Arc::new(game), &Stop::default());
    Ok(true)
}

pub(crate) const MESSAGE: Law = Law {
    name: "ggp_message",
    says: "a text is refused, or it is a message whose rules load or are refused; and what is written of it reads back",
    weight: 30,
    words: WORDS,
    seeds: || {
        let mut seeds: Vec<Vec<u8>> =
            SMALL.iter().map(|rules| format!("(START m.1 x ({rules}) 10 5)").into_bytes()).collect();
        seeds.push(format!("(START m.2 white ({BREAKTHROUGH}) 30 10)").into_bytes());
        seeds.extend(texts(&[
            "(INFO)",
            "INFO",
            "(PREVIEW)",
            "(PLAY m.1 NIL)",
            "(PLAY m.1 (noop (mark 1 2)))",
        ]));
        seeds.extend(texts(&[
            "(STOP m.1 (take noop))",
            "(ABORT m.1)",
            "%28PLAY+m.1%20NIL%29",
            "( play M (a b) )",
        ]));
        seeds
    },
    check: message,
};

fn written(list: &[Expr]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

fn message(bytes: &[u8]) -> Verdict {
    let message = text(bytes);
    let limits = limits();
    let _ = decode(&message);
    let read = Message::parse(&message, &limits);
    if let Ok(Message::Start { rules, .. }) = &read {
        let _ = Description::from_exprs(
            rules,
            &Limits { ground_work: 5_000, ground_literals: 5_000, ..limits.clone() },
        );
    }
    if let Ok(exprs) = read_all(&message, &limits) {
        let once = written(&exprs);
        let roomy = Limits { text_bytes: 1 << 20, ..limits.clone() };
        let again = read_all(&once.join(" "), &roomy)
            .map_err(|error| format!("what was written is refused: {error}"))?;
        ensure(written(&again) == once, "what was written reads back as the same")?;
    }
    Ok(read.is_ok())
}

pub(crate) const REQUEST: Law = Law {
    name: "ggp_request",
    says: "bytes on a connection are refused, or a request whose body has the length its head says; and nobody waits for more",
    weight: 30,
    words: &[
        "\r\n",
        "\n",
        "\n\n",
        "\r\n\r\n",
        "POST / HTTP/1.0",
        "GET ",
        "HTTP/1.1",
        "Content-Length: ",
        "content-length:",
        "Host: ",
        "Origin: null",
        ": ",
        "Transfer-Encoding: chunked",
        "%28",
        "+",
        "\0",
    ],
    seeds: || {
        let mut seeds = vec![post("player", "(INFO)"), post("127.0.0.1:9147", "(PLAY m.1 NIL)")];
        seeds.extend(texts(&[
            "POST / HTTP/1.0\nContent-length: 6\n\n(INFO)",
            "GET /%28INFO%29 HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n",
            "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n\r\n",
        ]));
        seeds
    },
    check: request,
};

fn request(bytes: &[u8]) -> Verdict {
    let fail = |error: std::io::Error| error.to_string();
    // A pair of sockets of this machine reads as a connection does, and needs no port.
    let (mut client, server) = UnixStream::pair().map_err(fail)?;
    client.write_all(bytes).map_err(fail)?;
    client.shutdown(Shutdown::Write).map_err(fail)?;
    let server = TcpStream::from(OwnedFd::from(server));
    match read_request(&server, Duration::from_secs(2)) {
        Ok(request) => {
            ensure(request.body.len() <= bytes.len(), "a body is no longer than what was sent")?;
            ensure(
                !request.method.is_empty() && !request.path.is_empty(),
                "a request has a method and a path",
            )?;
            Ok(true)
        }
        Err(refused) => {
            ensure(!refused.status().starts_with("408"), "a client that is done is not waited for")
                .map(|()| false)
        }
    }
}
