//! Whole matches over HTTP.

use ludens_core::Stop;
use ludens_gdl::ggp::http::{exchange, post};
use ludens_gdl::ggp::{MatchOptions, MindMaker, Player, PlayerOptions, play_match};
use ludens_gdl::{Description, GdlGame, Limits};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A player on a free port, in a thread of its own.
struct Running {
    address: SocketAddr,
    stop: Box<dyn Fn()>,
    thread: Option<std::thread::JoinHandle<()>>,
}

fn player(seed: u64, think: u64) -> Running {
    running(PlayerOptions { seed, think: Some(Duration::from_millis(think)), ..PlayerOptions::default() })
}

fn running(options: PlayerOptions) -> Running {
    let player = Player::bind("127.0.0.1:0", options).unwrap();
    let (address, stop) = (player.address().unwrap(), Box::new(player.stopper()));
    Running { address, stop, thread: Some(std::thread::spawn(move || player.run())) }
}

impl Drop for Running {
    fn drop(&mut self) {
        (self.stop)();
        let _ = self.thread.take().map(std::thread::JoinHandle::join);
    }
}

fn rules(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("rules/{name}.kif"));
    std::fs::read_to_string(path).unwrap()
}

/// Rules as a server sends them: on one line, without comments.
fn flat(name: &str) -> String {
    rules(name).lines().map(|l| l.split(';').next().unwrap_or("")).collect::<Vec<_>>().join(" ")
}

fn options(players: Vec<SocketAddr>, broken: f64) -> MatchOptions {
    MatchOptions { id: "m1".into(), players, start_clock: 5, play_clock: 3, seed: 3, step_cap: 300, broken }
}

#[test]
fn two_players_play_a_match_to_its_end() {
    let (a, b) = (player(1, 30), player(2, 30));
    for name in ["connect-four", "chase"] {
        let text = rules(name);
        let game = Description::load(&text, &Limits::default()).unwrap();
        let record = play_match(&game, &text, &options(vec![a.address, b.address], 0.0)).unwrap();
        assert!(record.is_completed, "{record:?}");
        assert!(record.errors.iter().flatten().all(String::is_empty), "{:?}", record.errors);
        let total: u32 = record.goal_values.iter().map(|g| u32::from(g.unwrap())).sum();
        assert_eq!(total, 100);
        assert_eq!(record.states.len(), record.moves.len() + 1);
    }
}

#[test]
fn a_match_with_one_message_in_ten_malformed_ends_properly() {
    let (a, b) = (player(1, 20), player(2, 20));
    let text = rules("connect-four");
    let game = Description::load(&text, &Limits::default()).unwrap();
    let record = play_match(&game, &text, &options(vec![a.address, b.address], 0.1)).unwrap();
    assert!(record.is_completed);
    assert!(record.broken_messages > 0, "some messages were broken");
    let wrong = record.errors.iter().flatten().filter(|e| !e.is_empty()).count();
    // After a lost message a player may have to guess, but it finds its way back.
    assert!(wrong <= record.broken_messages as usize * 3, "{:?}", record.errors);
}

#[test]
fn nature_and_lost_players_are_replaced() {
    let a = player(1, 10);
    let gone = player(2, 10).address;
    let text = rules("dice-race");
    let game = Description::load(&text, &Limits::default()).unwrap();
    let mut options = options(vec![a.address, gone], 0.0);
    options.step_cap = 2000;
    let record = play_match(&game, &text, &options).unwrap();
    assert!(record.is_completed);
    assert!(record.errors.iter().any(|e| e[1] == "CE"), "{:?}", record.errors[0]);
    assert!(record.errors.iter().all(|e| e[0].is_empty() && e[2].is_empty()));
    assert!(record.is_void && record.goal_values.iter().all(Option::is_none), "nobody wins by a broken line");
}

/// What ggp-base writes on Linux: lines that end with a bare newline.
#[test]
fn lines_of_the_peers_are_understood() {
    let a = player(1, 10);
    let wait = Duration::from_secs(5);
    let message = "( INFO )";
    let request = format!(
        "POST / HTTP/1.0\nAccept: text/delim\nHost: player.example\nSender: GAMESERVER\nReceiver: x\n\
         Content-Type: text/acl\nContent-Length: {}\n\n{message}",
        message.len()
    );
    let answer = exchange(a.address, request.as_bytes(), wait).unwrap();
    assert_eq!(answer, "( ( name ludens ) ( status available ) )");
    // The other way: a player that answers so.
    let peer = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = peer.local_addr().unwrap();
    let answering = std::thread::spawn(move || {
        use std::io::{Read, Write};
        let (mut stream, _) = peer.accept().unwrap();
        let mut asked = [0; 4096];
        let _ = stream.read(&mut asked).unwrap();
        stream.write_all(b"HTTP/1.0 200 OK\nContent-type: text/acl\nContent-length: 5\n\nready").unwrap();
    });
    assert_eq!(exchange(address, &post("x", "( START )"), wait).unwrap(), "ready");
    answering.join().unwrap();
}

#[test]
fn a_web_page_gets_no_answer() {
    let a = player(1, 10);
    let request = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://a.example\r\nContent-Length: 8\r\n\r\n( INFO )";
    assert!(exchange(a.address, request, Duration::from_secs(5)).is_err());
}

#[test]
fn whatever_comes_a_player_answers_and_lives() {
    let a = player(1, 10);
    let wait = Duration::from_secs(5);
    let say = |text: &str| exchange(a.address, &post("x", text), wait).unwrap();
    assert_eq!(say("( INFO )"), "( ( name ludens ) ( status available ) )");
    assert_eq!(say("( PLAY nobody NIL )"), "busy");
    assert_eq!(say("( STOP nobody NIL )"), "busy");
    assert!(say("( ( (").contains("error"));
    assert!(say(&"(".repeat(100_000)).contains("error"));
    assert!(say("( START m2 cross ( (role cross) (broken ) 1 1 )").contains("error"));
    // Rules that cannot be played: the player still says ready and still answers.
    assert_eq!(say("( START m3 cross ( ( role cross ) ) 1 1 )"), "ready");
    assert_eq!(say("( PLAY m3 NIL )"), "noop");
    assert_eq!(say("( INFO )"), "( ( name ludens ) ( status busy ) )");
    assert_eq!(say("( START m4 cross ( ( role cross ) ) 1 1 )"), "busy");
    assert_eq!(say("( ABORT m3 )"), "aborted");
    exchange(a.address, b"GET /%28INFO%29 HTTP/1.0\r\n\r\n", wait).unwrap();
    // What a browser asks before it sends for a page of another site is refused like the rest.
    for bytes in [
        &b"\r\n\r\n"[..],
        b"POST / HTTP/1.0\r\nContent-Length: x\r\n\r\n",
        b"PUT / HTTP/1.0\r\n\r\n",
        b"OPTIONS / HTTP/1.1\r\n\r\n",
    ] {
        assert!(exchange(a.address, bytes, wait).is_err());
    }
    assert!(say("( INFO )").contains("available"));
}

#[test]
fn answers_come_before_the_clock() {
    let player = running(PlayerOptions::default());
    let (address, flat) = (player.address, flat("connect-four"));
    let wait = Duration::from_secs(10);
    let start = post("x", &format!("( START m yellow ( {flat} ) 2 1 )"));
    assert_eq!(exchange(address, &start, wait).unwrap(), "ready");
    let clock = Instant::now();
    let reply = exchange(address, &post("x", "( PLAY m NIL )"), wait).unwrap();
    let took = clock.elapsed();
    assert!(reply.starts_with("(drop"), "{reply}");
    assert!(took < Duration::from_millis(1000), "{took:?}");
    assert_eq!(exchange(address, &post("x", "( STOP m NIL )"), wait).unwrap(), "done");
}

/// A game that takes long to ground, or a mind that takes long to learn: until then the rules alone give a legal move.
#[test]
fn a_player_that_is_not_ready_yet_answers_legal_moves() {
    let slow: MindMaker = Arc::new(|_: &Arc<GdlGame>, _: &Stop| {
        std::thread::sleep(Duration::from_secs(6));
        None
    });
    let options = PlayerOptions { mind: Some(slow), ..PlayerOptions::default() };
    let player = running(options);
    let address = player.address;
    let wait = Duration::from_secs(10);
    let say = |text: &str| exchange(address, &post("x", text), wait).unwrap();
    assert_eq!(say(&format!("( START m yellow ( {} ) 0 0 )", flat("connect-four"))), "ready");
    let first = say("( PLAY m NIL )");
    assert!(first.starts_with("(drop"), "{first}");
    assert_eq!(say(&format!("( PLAY m ( {first} wait ) )")), "wait", "it is not its turn");
    assert!(say("( PLAY m ( wait ( drop 1 ) ) )").starts_with("(drop"));
    assert_eq!(say("( STOP m NIL )"), "done");
}

/// A server of our own that asks every player for each move twice, as one does that lost the answer.
#[test]
fn a_message_sent_twice_is_one_message() {
    let players = [player(1, 10), player(2, 10)];
    let text = rules("connect-four");
    let flat = flat("connect-four");
    let game = Description::load(&text, &Limits::default()).unwrap();
    let wait = Duration::from_secs(10);
    let say = |role: usize, text: &str| exchange(players[role].address, &post("x", text), wait).unwrap();
    for (role, name) in game.role_names().iter().enumerate() {
        assert_eq!(say(role, &format!("( START m {name} ( {flat} ) 5 3 )")), "ready");
    }
    let mut reasoner = game.reasoner().unwrap();
    let mut last = "NIL".to_string();
    while !reasoner.is_terminal().unwrap() {
        let mut joint = Vec::new();
        let mut words = Vec::new();
        for role in 0..2 {
            let answers = [0, 1].map(|_| say(role, &format!("( PLAY m {last} )")));
            for answer in &answers {
                let written = &ludens_gdl::sexpr::read_all(answer, &Limits::default()).unwrap()[0];
                let action = reasoner.find_action(role, written, game.terms()).unwrap();
                joint.push(action.unwrap_or_else(|| panic!("{answer} is illegal after {last}")));
            }
            words.push(answers[1].clone());
        }
        // The second answers count.
        reasoner.advance(&[joint[1], joint[3]]).unwrap();
        last = format!("( {} )", words.join(" "));
    }
    for role in 0..2 {
        assert_eq!(say(role, &format!("( STOP m {last} )")), "done");
    }
}

/// The server falls silent in the middle of a match, within a message even; the player waits as long as the clocks allow, then
/// plays for the next one.
#[test]
fn a_server_that_dies_does_not_keep_the_player() {
    let grace = Duration::from_millis(1);
    let options = PlayerOptions { think: Some(Duration::from_millis(10)), grace, ..PlayerOptions::default() };
    let player = running(options);
    let address = player.address;
    let wait = Duration::from_secs(10);
    let say = |text: &str| exchange(address, &post("x", text), wait).unwrap();
    assert_eq!(say(&format!("( START old cross ( {} ) 0 1 )", flat("tic-tac-toe"))), "ready");
    // The server starts a message and is killed.
    let stream = std::net::TcpStream::connect(address).unwrap();
    let message = post("x", "( PLAY old NIL )");
    std::io::Write::write_all(&mut &stream, &message[..message.len() - 5]).unwrap();
    drop(stream);
    assert_eq!(say("( INFO )"), "( ( name ludens ) ( status busy ) )");
    let next = format!("( START new yellow ( {} ) 5 3 )", flat("connect-four"));
    assert_eq!(say(&next), "busy");
    // Its clocks run out: 0 + 2 · 1 seconds.
    std::thread::sleep(Duration::from_millis(2_100));
    assert_eq!(say("( INFO )"), "( ( name ludens ) ( status available ) )");
    assert_eq!(say(&next), "ready");
    assert_eq!(say("( PLAY old NIL )"), "busy");
    assert!(say("( PLAY new NIL )").starts_with("(drop"));
    // The start of the same match once more, as after a restart of the server: from the beginning.
    assert_eq!(say(&next), "ready");
    assert!(say("( PLAY new NIL )").starts_with("(drop"));
    assert_eq!(say("( ABORT new )"), "aborted");
}

/// A joint move is never told: the player finds its way back by looking for a move between, and its answers are legal again.
#[test]
fn a_lost_message_is_made_up_for() {
    let player = player(1, 10);
    let text = rules("connect-four");
    let flat = flat("connect-four");
    let game = Description::load(&text, &Limits::default()).unwrap();
    let wait = Duration::from_secs(10);
    let say = |text: &str| exchange(player.address, &post("x", text), wait).unwrap();
    let names = game.role_names();
    assert_eq!(say(&format!("( START m {} ( {flat} ) 5 3 )", names[0])), "ready");
    let mut reasoner = game.reasoner().unwrap();
    let mut rng = ludens_core::Rng::new(3);
    let (mut told, mut plies, mut wrong) = ("NIL".to_string(), 0, 0);
    while !reasoner.is_terminal().unwrap() {
        // The third and the sixth message are lost; chance moves in the player's place.
        let answer =
            if plies == 2 || plies == 5 { String::new() } else { say(&format!("( PLAY m {told} )")) };
        let written = ludens_gdl::sexpr::read_all(&answer, &Limits::default()).unwrap();
        let said = written.first().and_then(|w| reasoner.find_action(0, w, game.terms()).unwrap());
        wrong += usize::from(said.is_none() && !answer.is_empty());
        let mine = said.or_else(|| reasoner.random_move(0, &mut rng).unwrap()).unwrap();
        let joint = [mine, reasoner.random_move(1, &mut rng).unwrap().unwrap()];
        told = format!(
            "( {} {} )",
            reasoner.show_action(joint[0], game.terms()),
            reasoner.show_action(joint[1], game.terms())
        );
        reasoner.advance(&joint).unwrap();
        plies += 1;
    }
    assert!(plies > 6, "no game of Connect Four is over so soon");
    // What it made up may be wrong, so that a full column looks open once in a while.
    assert!(wrong * 10 <= plies, "{wrong} of {plies} answers");
}

/// The first move, into column 7, is never told. That it was not into column 1, as a player may think at first, shows only when six
/// other discs lie there: then it must not stay behind for good.
#[test]
fn a_wrong_guess_at_a_lost_message_is_mended() {
    let player = player(1, 10);
    let say = |text: &str| exchange(player.address, &post("x", text), Duration::from_secs(10)).unwrap();
    assert_eq!(say(&format!("( START m red ( {} ) 5 3 )", flat("connect-four"))), "ready");
    assert_eq!(say("( PLAY m NIL )"), "wait");
    for _ in 0..2 {
        assert_eq!(say("( PLAY m ( wait ( drop 1 ) ) )"), "wait");
        assert!(say("( PLAY m ( ( drop 1 ) wait ) )").starts_with("(drop"));
    }
    assert_eq!(say("( PLAY m ( wait ( drop 1 ) ) )"), "wait");
    let answer = say("( PLAY m ( ( drop 1 ) wait ) )");
    assert!(answer.starts_with("(drop") && answer != "(drop 1)", "{answer}");
}

/// Rules of a few lines whose grounding makes millions of facts, takes seconds and hundreds of megabytes.
fn heavy_rules() -> String {
    let numbers: String = (0..50).map(|n| format!("(n {n})")).collect();
    format!(
        "(role x)(role o)(init (at 0)){numbers}\
         (<= (legal x go) (true (at ?n)))(<= (legal o wait) (true (at ?n)))(<= (next (at 1)) (true (at 0)))\
         (<= (next (c ?a ?b ?c ?d)) (does x go) (n ?a) (n ?b) (n ?c) (n ?d))\
         (<= terminal (true (c ?a ?b ?b ?a)))(<= (goal x 100) terminal)(<= (goal o 0) terminal)"
    )
}

fn resident_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

/// Twelve matches of heavy rules, each ended at once: nothing of them goes on.
#[test]
fn grounding_ends_with_its_match() {
    let player = player(1, 10);
    let wait = Duration::from_secs(10);
    let say = |text: &str| exchange(player.address, &post("x", text), wait).unwrap();
    let (rules, before) = (heavy_rules(), resident_megabytes());
    for number in 0..12 {
        assert_eq!(say(&format!("( START m{number} x ( {rules} ) 0 1 )")), "ready");
        assert!(say("( INFO )").contains("busy"));
        assert_eq!(say(&format!("( ABORT m{number} )")), "aborted");
    }
    let grown = resident_megabytes().saturating_sub(before);
    assert!(grown < 600, "twelve matches that were ended hold {grown} MB");
    // The threads of all of them end: those that ground look every few milliseconds.
    let begun = Instant::now();
    while threads() > 24 && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(threads() <= 24, "{} threads are still there", threads());
    assert!(say("( INFO )").contains("available"));
}

/// A crowd that begins to speak and never ends does not keep anybody from asking.
#[test]
fn slow_connections_do_not_keep_info_waiting() {
    use std::io::Write;
    let player = player(1, 10);
    let crowd: Vec<std::net::TcpStream> = (0..200)
        .map(|_| {
            let mut stream = std::net::TcpStream::connect(player.address).unwrap();
            let _ = stream.write_all(b"POST / HTTP/1.0\r\nContent-Le");
            stream
        })
        .collect();
    for _ in 0..5 {
        let clock = Instant::now();
        let answer = exchange(player.address, &post("x", "( INFO )"), Duration::from_secs(5)).unwrap();
        assert!(answer.contains("available"), "{answer}");
        assert!(clock.elapsed() < Duration::from_secs(2), "{:?}", clock.elapsed());
    }
    drop(crowd);
}
