//! Checks every game of a corpus against its reference facts and the machines against each other:
//!
//!     cargo run --release -p ludens-gdl --example reference -- ../shared/data/gdl agreement.jsonl [--lifted CPU-SECONDS] [GAME…]
//!
//! The file gets one line a game; games that have one are not done again, so the run can be stopped at any time. With more
//! seconds for the lifted machine than before, it goes on with games of which it has repeated too little.
//! `--table` instead of games prints what the file holds as a table for docs/gdl-tables.md.

use ludens_gdl::agreement::{Replays, disagreement, same_distribution};
use ludens_gdl::corpus::{Facts, Reference, differences};
use ludens_gdl::{Description, Limits};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

type Failure = Box<dyn std::error::Error>;

/// What came out for one game.
#[derive(Serialize, Deserialize)]
struct Line {
    game: String,
    grounded: bool,
    load_seconds: f64,
    check_seconds: f64,
    /// Playouts of the bit-parallel machine repeated on the incremental and on the lifted one.
    incremental: usize,
    lifted: usize,
    /// Plies repeated on the lifted machine, a playout that was broken off included.
    #[serde(default)]
    lifted_plies: usize,
    /// CPU-seconds that the lifted machine was given.
    #[serde(default = "first_seconds")]
    lifted_limit: f64,
    /// Playouts of each machine in the chi-squared test, and its result as a standard normal variable.
    compared: usize,
    freedom: usize,
    z: f64,
    problems: Vec<String>,
}

const PLAYOUTS: usize = 1000;
/// CPU-seconds for one game: replays on the lifted machine unless told otherwise, and playouts of the incremental one.
const LIFTED_SECONDS: f64 = 5.0;
const COMPARE_SECONDS: f64 = 2.0;
/// Only alexChess needs more: its network has a million gates, of which one move changes thousands.
const INCREMENTAL_SECONDS: f64 = 600.0;

fn first_seconds() -> f64 {
    LIFTED_SECONDS
}

fn check(name: &str, game: &Description, load_seconds: f64, facts: &Facts) -> Line {
    let clock = cpu_time::ThreadTime::now();
    let grounded = game.grounded().ok();
    let count = if grounded.is_some() { 2048 } else { 20 };
    let mut line = Line {
        game: name.into(),
        grounded: grounded.is_some(),
        load_seconds,
        check_seconds: 0.0,
        incremental: 0,
        lifted: 0,
        lifted_plies: 0,
        lifted_limit: 0.0,
        compared: 0,
        freedom: 0,
        z: 0.0,
        problems: differences(game, facts, count).unwrap_or_else(|e| vec![e.to_string()]),
    };
    if let Some(grounded) = grounded {
        match same_distribution(grounded, 11, 4 * PLAYOUTS, COMPARE_SECONDS) {
            Ok(same) => (line.compared, line.freedom, line.z) = (same.playouts, same.freedom, same.z),
            Err(e) => line.problems.push(e.to_string()),
        }
        if line.z > 4.5 {
            line.problems
                .push("bit-parallel playouts end otherwise than those of the incremental machine".into());
        }
    }
    line.check_seconds = clock.elapsed().as_secs_f64();
    line
}

/// The same playouts on the three machines.
fn repeat(line: &mut Line, game: &Description, lifted_seconds: f64) {
    let clock = cpu_time::ThreadTime::now();
    let replays = Replays {
        incremental: PLAYOUTS,
        incremental_seconds: INCREMENTAL_SECONDS,
        lifted_before: line.lifted,
        lifted_plies: usize::MAX,
        lifted_seconds,
    };
    match disagreement(game, 7, replays) {
        Ok(Ok(done)) => {
            line.incremental = done.incremental;
            line.lifted += done.lifted;
            line.lifted_plies += done.lifted_plies;
        }
        Ok(Err(what)) => line.problems.push(what),
        Err(e) => line.problems.push(e.to_string()),
    }
    line.lifted_limit += lifted_seconds;
    line.check_seconds += clock.elapsed().as_secs_f64();
}

/// Does what is still to be done for a game.
fn go_on(dir: &str, name: &str, facts: &Facts, old: Option<Line>, seconds: f64) -> Result<Line, Failure> {
    let text = std::fs::read_to_string(format!("{dir}/games/{name}.kif"))?;
    let clock = cpu_time::ThreadTime::now();
    let game = Description::load(&text, &Limits::default())?;
    let load_seconds = clock.elapsed().as_secs_f64();
    let mut line = old.unwrap_or_else(|| check(name, &game, load_seconds, facts));
    repeat(&mut line, &game, seconds);
    Ok(line)
}

fn table(lines: &BTreeMap<String, Line>) {
    println!("| game | load, CPU-s | repeated on the incremental machine | on the lifted | compared | z |");
    println!("|---|---|---|---|---|---|");
    for l in lines.values() {
        let how = if l.grounded { format!("{:.3}", l.load_seconds) } else { "not grounded".into() };
        let z = if l.freedom > 0 { format!("{:+.1}", l.z) } else { "–".into() };
        let wrong = if l.problems.is_empty() { String::new() } else { format!(" **{:?}**", l.problems) };
        let lifted = match l.lifted {
            0 if l.grounded => format!("{} plies", l.lifted_plies),
            whole => whole.to_string(),
        };
        println!("| {}{wrong} | {how} | {} | {lifted} | {} | {z} |", l.game, l.incremental, l.compared);
    }
}

/// The totals.
fn summary(lines: &BTreeMap<String, Line>) -> String {
    let count = |f: &dyn Fn(&Line) -> bool| lines.values().filter(|l| f(l)).count();
    let sum = |f: &dyn Fn(&Line) -> usize| lines.values().map(f).sum::<usize>();
    format!(
        "{} games, {} grounded within 10 CPU-seconds, {} with differences; {} playouts repeated on the incremental machine, {} on the lifted \
         ({} games all {PLAYOUTS} times, {} at least 100 times, {} at least once); {} chi-squared tests, {} with z above 2.33, {} above 3.09",
        lines.len(),
        count(&|l| l.grounded && l.load_seconds <= 10.0),
        count(&|l| !l.problems.is_empty()),
        sum(&|l| l.incremental),
        sum(&|l| l.lifted),
        count(&|l| l.lifted >= PLAYOUTS),
        count(&|l| l.lifted >= 100),
        count(&|l| l.lifted >= 1),
        count(&|l| l.freedom > 0),
        count(&|l| l.freedom > 0 && l.z > 2.33),
        count(&|l| l.freedom > 0 && l.z > 3.09),
    )
}

fn save(file: &str, lines: &BTreeMap<String, Line>) -> Result<(), Failure> {
    let mut text = String::new();
    for line in lines.values() {
        text += &(serde_json::to_string(line)? + "\n");
    }
    Ok(ludens_core::store::write_atomic(std::path::Path::new(file), text.as_bytes())?)
}

fn main() -> Result<(), Failure> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut seconds = LIFTED_SECONDS;
    if let Some(at) = args.iter().position(|a| a == "--lifted") {
        seconds = args.get(at + 1).and_then(|s| s.parse().ok()).ok_or("--lifted takes CPU-seconds")?;
        args.drain(at..at + 2);
    }
    let [dir, file, only @ ..] = &args[..] else {
        return Err("usage: reference DIR FILE [--lifted CPU-SECONDS] [--table | GAME…]".into());
    };
    let done = std::fs::read_to_string(file).unwrap_or_default();
    // A line that was cut off by a kill is done again.
    let lines = done.lines().filter_map(|l| serde_json::from_str::<Line>(l).ok());
    let mut lines: BTreeMap<String, Line> = lines.map(|l| (l.game.clone(), l)).collect();
    let reference: Reference =
        serde_json::from_str(&std::fs::read_to_string(format!("{dir}/reference.json"))?)?;
    let only_table = only.first().is_some_and(|a| a == "--table");
    for (name, facts) in reference.games.iter().filter(|_| !only_table) {
        let whole = |l: &Line| !l.grounded || l.lifted >= PLAYOUTS || l.lifted_limit >= seconds;
        if (!only.is_empty() && !only.contains(name)) || lines.get(name).is_some_and(whole) {
            continue;
        }
        let old = lines.remove(name);
        // The seconds it had count.
        let more = seconds - old.as_ref().map_or(0.0, |l| l.lifted_limit);
        let line = go_on(dir, name, facts, old, more)?;
        println!("{name}: {:.1} s, {} {:?}", line.check_seconds, line.lifted, line.problems);
        lines.insert(name.clone(), line);
        save(file, &lines)?;
    }
    if only_table {
        table(&lines);
    }
    println!("\n{}", summary(&lines));
    Ok(())
}
