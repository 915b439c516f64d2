//! The GGP player under fire: whatever comes, it says who it is within two seconds.

use std::io::Write;
use std::time::{Duration, Instant};

use ludens_mutate::{Dice, mutate};

use super::child::Run;
use super::http::{exchange, message};
use super::rules::{bombs_for_servers, doubling, heavy, mutated, seeds};
use super::siege::{Siege, Stage, crowd};
use super::{Budget, Ground, Outcome, Tally};

/// A server that asks INFO gives up after this long.
const PATIENCE: Duration = Duration::from_secs(2);

/// A match of which nothing more is heard is over by then, with clocks of a second or of eleven.
const STALE: Duration = Duration::from_secs(45);

const TIC_TAC_TOE: &str = include_str!("../../../crates/gdl/rules/tic-tac-toe.kif");

pub fn attack(ground: &Ground, tally: &Tally) -> Outcome {
    let run = Run::new(&ground.program, &["ggp", "--port", "0", "--think", "0.2"]);
    let siege = Siege::begin(&run, "listens on ")?;
    let scale = ground.budget.of(1, 12);
    let stages = [
        Stage::new("bare newlines", |siege| newlines(siege, tally)),
        Stage::new("mutated messages", |siege| {
            messages(siege, tally, &mut ground.dice("messages"), 120 * scale)
        }),
        Stage::new("mutated requests", |siege| {
            requests(siege, tally, &mut ground.dice("requests"), 80 * scale)
        }),
        Stage::new("half-sent requests", |siege| half_sent(siege, tally, 2 * scale.min(4))),
        Stage::new("answers nobody reads", |siege| unread(siege, tally)),
        Stage::new("heavy starts and aborts", |siege| starts(siege, tally, 12)),
        Stage::new("rule bombs", |siege| bombs(siege, tally, ground.budget)),
        Stage::new("a match after all that", |siege| plays(siege, tally)),
    ];
    siege.hold(tally, &stages, |siege| asks(siege, tally));
    Ok(())
}

/// A patient server that wants to know whether the player is there, all the time.
fn asks(siege: &Siege, tally: &Tally) {
    let mut failed = "";
    while !siege.is_over() && siege.alive() {
        let stage = siege.stage();
        let asked = exchange(siege.address, &message(siege.address, "( INFO )"), PATIENCE);
        match asked {
            Ok(answer) if answer.status == 200 && answer.body.contains("name") => {
                tally.waited(answer.took);
                tally.add("INFO answered", 1);
            }
            // Once a stage: what fails once there fails often.
            Ok(answer) if failed != stage => {
                let during = siege.since(stage);
                tally
                    .fail(format!("INFO is answered by {} {:?} during {during}", answer.status, answer.body));
                failed = stage;
            }
            Err(problem) if failed != stage && siege.alive() => {
                tally.fail(format!("INFO is not answered during {}: {problem}", siege.since(stage)));
                failed = stage;
            }
            _ => tally.add("INFO not answered", 1),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// ggp-base ends its lines so on Linux.
fn newlines(siege: &Siege, tally: &Tally) -> Outcome {
    let bare = "POST / HTTP/1.0\nAccept: text/delim\nSender: GAMESERVER\nContent-type: text/acl\nContent-length: 8\n\n( INFO )";
    for text in [bare.to_string(), bare.replace("\n\n", "\n\r\n")] {
        let answer = exchange(siege.address, text.as_bytes(), PATIENCE)?;
        tally.add("messages", 1);
        if answer.status != 200 {
            return Err(format!("a message with bare newlines is answered by {}", answer.status));
        }
    }
    Ok(())
}

/// The roles of our own rules and of the bombs.
const ROLES: &[&str] = &["cross", "white", "x"];

fn start(id: usize, role: &str, rules: &str, clock: u32) -> String {
    format!("(START m{id} {role} ({rules}) {clock} 1)")
}

fn messages(siege: &Siege, tally: &Tally, dice: &mut Dice, count: usize) -> Outcome {
    let rules = seeds()?;
    let mut valid: Vec<Vec<u8>> =
        ["(INFO)", "(PREVIEW)", "(PLAY m1 NIL)", "(PLAY m1 (wait (put 1 1)))", "(STOP m1 NIL)", "(ABORT m1)"]
            .map(|text| text.as_bytes().to_vec())
            .into();
    valid.push(start(1, "cross", TIC_TAC_TOE, 1).into_bytes());
    let words = ["(", ")", "START", "PLAY", "STOP", "ABORT", "m1", "NIL", "(put 1 1)", "wait", " "];
    for number in 0..count {
        let body = if dice.one_in(4) {
            start(number, ROLES[dice.below(ROLES.len())], &mutated(&rules, dice), 1)
        } else {
            let mut body = dice.pick(&valid).clone();
            mutate(&mut body, &valid, &words, dice);
            String::from_utf8_lossy(&body).into_owned()
        };
        let answer = exchange(siege.address, &message(siege.address, &body), Duration::from_secs(15));
        tally.add("messages", 1);
        let answer = answer.map_err(|problem| {
            format!("{:?} is not answered: {problem}", body.chars().take(200).collect::<String>())
        })?;
        // A match that began is played for a move, whatever its rules are.
        if answer.body.contains("ready") && dice.one_in(2) {
            for id in [number, 1] {
                let asked = message(siege.address, &format!("(PLAY m{id} NIL)"));
                let moved = exchange(siege.address, &asked, Duration::from_secs(5));
                tally.add("messages", 1);
                moved.map_err(|problem| format!("PLAY after {body:.300} is not answered: {problem}"))?;
            }
        }
        // Clocks run while a match goes on: the next message should find the player free.
        let _ = exchange(siege.address, &message(siege.address, &format!("(ABORT m{number})")), PATIENCE);
        let _ = exchange(siege.address, &message(siege.address, "(ABORT m1)"), PATIENCE);
    }
    Ok(())
}

fn requests(siege: &Siege, tally: &Tally, dice: &mut Dice, count: usize) -> Outcome {
    let valid =
        [message(siege.address, "(INFO)"), b"GET /%28INFO%29 HTTP/1.0\r\nHost: localhost\r\n\r\n".to_vec()];
    let words =
        ["\r\n", "\n", "Content-Length: ", "POST ", "GET ", ":", "Origin: null", "\0", "HTTP/1.1", "%"];
    for _ in 0..count {
        let mut bytes = dice.pick(&valid).clone();
        mutate(&mut bytes, &valid, &words, dice);
        // Whatever it answers, or whether it closes, is its own business; INFO is asked for meanwhile.
        if let Ok(mut stream) = super::http::connect(siege.address, PATIENCE) {
            let _ = stream.write_all(&bytes);
            let _ = stream.shutdown(std::net::Shutdown::Write);
            let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
        }
        tally.add("requests", 1);
    }
    Ok(())
}

/// More connections than it has places, each in the middle of a word.
fn half_sent(siege: &Siege, tally: &Tally, seconds: usize) -> Outcome {
    let heads =
        ["", "P", "POST / HTTP/1.0\r\n", "POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(INF", "GET /"];
    let held = crowd(siege, 80, |number| heads[number % heads.len()].as_bytes().to_vec());
    tally.add("slow connections", held.len() as u64);
    let began = Instant::now();
    while began.elapsed().as_secs() < seconds as u64 {
        // Slow, not silent: one byte now and then.
        for mut stream in &held {
            let _ = stream.write_all(b"x");
        }
        std::thread::sleep(Duration::from_millis(300));
    }
    Ok(())
}

fn unread(siege: &Siege, tally: &Tally) -> Outcome {
    let asked = message(siege.address, "(INFO)");
    let held = crowd(siege, 60, |_| asked.clone());
    tally.add("slow connections", held.len() as u64);
    std::thread::sleep(Duration::from_millis(500));
    Ok(())
}

/// Rules that take long to ground, one match after the other, each broken off at once.
fn starts(siege: &Siege, tally: &Tally, count: usize) -> Outcome {
    let rules = heavy();
    std::thread::scope(|scope| {
        for number in 0..count {
            let begun = start(1000 + number, "x", &rules, 3);
            scope.spawn(move || {
                exchange(siege.address, &message(siege.address, &begun), Duration::from_secs(20)).is_ok()
            });
            std::thread::sleep(Duration::from_millis(150));
            let _ = exchange(
                siege.address,
                &message(siege.address, &format!("(ABORT m{})", 1000 + number)),
                PATIENCE,
            );
            tally.add("heavy starts", 1);
        }
    });
    // What goes on after its match is over takes memory now.
    std::thread::sleep(Duration::from_secs(3));
    Ok(())
}

fn bombs(siege: &Siege, tally: &Tally, budget: Budget) -> Outcome {
    for (number, rules) in bombs_for_servers(budget).into_iter().chain([doubling(40)]).enumerate() {
        let id = 2000 + number;
        let answer = exchange(
            siege.address,
            &message(siege.address, &start(id, "x", &rules, 1)),
            Duration::from_secs(10),
        );
        tally.add("messages", 1);
        answer.map_err(|problem| format!("a START with bomb {number} is not answered: {problem}"))?;
        let _ = exchange(siege.address, &message(siege.address, &format!("(ABORT m{id})")), PATIENCE);
    }
    Ok(())
}

/// It still plays: a start, three moves within the clock, a stop.
fn plays(siege: &Siege, tally: &Tally) -> Outcome {
    let say = |body: &str, wait: u64| {
        exchange(siege.address, &message(siege.address, body), Duration::from_secs(wait))
    };
    let begin = || say(&format!("(START last cross ({TIC_TAC_TOE}) 3 2)"), 6);
    let mut ready = begin()?;
    // A mutated START may have begun a match of a name nobody knows: it is over when its clocks are.
    let began = Instant::now();
    while ready.body.contains("busy") && began.elapsed() < STALE {
        std::thread::sleep(Duration::from_secs(1));
        ready = begin()?;
    }
    if !ready.body.contains("ready") {
        return Err(format!("a START is answered by {:?}", ready.body));
    }
    let first = say("(PLAY last NIL)", 5)?;
    let shown = first.body.trim().to_string();
    if !shown.contains("put") {
        return Err(format!("the first PLAY of a match is answered by {shown:?}"));
    }
    say(&format!("(STOP last ({shown} wait))"), 5)?;
    tally.add("messages", 3);
    Ok(())
}
