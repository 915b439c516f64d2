//! Checks every game of a corpus against its reference facts and the machines against each other:
//!
//!     cargo run --release -p ludens-gdl --example reference -- ../shared/data/gdl agreement.jsonl [GAME…]
//!
//! The file gets one line a game; games that have one are not done again, so the run can be stopped at any time.
//! `--table` instead of games prints what the file holds as a table for docs/gdl.md.

use ludens_gdl::agreement::{Replays, disagreement, same_distribution};
use ludens_gdl::corpus::{Facts, Reference, differences};
use ludens_gdl::{Description, Limits};
use serde::{Deserialize, Serialize};
use std::io::Write;

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
    /// Playouts of each machine in the chi-squared test, and its result as a standard normal variable.
    compared: usize,
    freedom: usize,
    z: f64,
    problems: Vec<String>,
}

const PLAYOUTS: usize = 1000;
/// CPU-seconds for one game: replays on the lifted machine, and playouts of the incremental one.
const LIFTED_SECONDS: f64 = 5.0;
const COMPARE_SECONDS: f64 = 2.0;

fn check(name: &str, text: &str, facts: &Facts) -> Line {
    let clock = cpu_time::ThreadTime::now();
    let mut line = Line {
        game: name.into(),
        grounded: false,
        load_seconds: 0.0,
        check_seconds: 0.0,
        incremental: 0,
        lifted: 0,
        compared: 0,
        freedom: 0,
        z: 0.0,
        problems: Vec::new(),
    };
    let game = match Description::load(text, &Limits::default()) {
        Ok(game) => game,
        Err(e) => {
            line.problems.push(format!("does not load: {e}"));
            return line;
        }
    };
    line.load_seconds = clock.elapsed().as_secs_f64();
    line.grounded = game.grounded().is_ok();
    let count = if line.grounded { 2048 } else { 20 };
    line.problems = differences(&game, facts, count).unwrap_or_else(|e| vec![e.to_string()]);
    let replays = Replays { incremental: PLAYOUTS, lifted_plies: usize::MAX, lifted_seconds: LIFTED_SECONDS };
    match disagreement(&game, 7, replays) {
        Ok(Ok((incremental, lifted))) => (line.incremental, line.lifted) = (incremental, lifted),
        Ok(Err(what)) => line.problems.push(what),
        Err(e) => line.problems.push(e.to_string()),
    }
    if let Ok(grounded) = game.grounded() {
        match same_distribution(grounded, 11, 4 * PLAYOUTS, COMPARE_SECONDS) {
            Ok(same) => (line.compared, line.freedom, line.z) = (same.playouts, same.freedom, same.z),
            Err(e) => line.problems.push(e.to_string()),
        }
        if line.z > 4.5 {
            line.problems
                .push("bit-parallel playouts end otherwise than those of the incremental machine".into());
        }
    }
    line.check_seconds = clock.elapsed().as_secs_f64() - line.load_seconds;
    line
}

fn table(lines: &[Line]) {
    println!("| game | load, CPU-s | repeated on the incremental machine | on the lifted | compared | z |");
    println!("|---|---|---|---|---|---|");
    for l in lines {
        let how = if l.grounded { format!("{:.3}", l.load_seconds) } else { "not grounded".into() };
        let z = if l.freedom > 0 { format!("{:+.1}", l.z) } else { "–".into() };
        let wrong = if l.problems.is_empty() { String::new() } else { format!(" **{:?}**", l.problems) };
        println!("| {}{wrong} | {how} | {} | {} | {} | {z} |", l.game, l.incremental, l.lifted, l.compared);
    }
}

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let usage = "usage: reference DIR FILE [--table | GAME…]";
    let (dir, file) = (args.next().ok_or(usage)?, args.next().ok_or(usage)?);
    let only: Vec<String> = args.collect();
    let done = std::fs::read_to_string(&file).unwrap_or_default();
    // A line that was cut off by a kill is done again.
    let mut lines: Vec<Line> = done.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
    let reference: Reference =
        serde_json::from_str(&std::fs::read_to_string(format!("{dir}/reference.json"))?)?;
    let only_table = only.first().is_some_and(|a| a == "--table");
    let mut out = std::fs::OpenOptions::new().create(true).append(true).open(&file)?;
    for (name, facts) in reference.games.iter().filter(|_| !only_table) {
        if (!only.is_empty() && !only.contains(name)) || lines.iter().any(|l| l.game == *name) {
            continue;
        }
        let line = check(name, &std::fs::read_to_string(format!("{dir}/games/{name}.kif"))?, facts);
        writeln!(out, "{}", serde_json::to_string(&line)?)?;
        println!("{name}: {:.1} s {:?}", line.load_seconds + line.check_seconds, line.problems);
        lines.push(line);
    }
    lines.sort_by(|a, b| a.game.cmp(&b.game));
    if only_table {
        table(&lines);
    }
    let quick = lines.iter().filter(|l| l.grounded && l.load_seconds <= 10.0).count();
    let wrong = lines.iter().filter(|l| !l.problems.is_empty()).count();
    let full = lines.iter().filter(|l| l.lifted >= PLAYOUTS).count();
    println!(
        "\n{} games, {quick} grounded within 10 CPU-seconds, {wrong} with differences; {full} repeated {PLAYOUTS} times on the lifted machine",
        lines.len()
    );
    Ok(())
}
