//! The stopwatch before the page: a fresh clone, the build with nothing built before, the program until it prints its address. What was clicked
//! after that is timed by the browser (`crates/web/e2e/tests/first.mjs`), in the same file.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use crate::steps::root;

const FILE: &str = "crates/web/e2e/first-minutes.jsonl";
/// Marks the lines that are made here.
const PART: &str = "setup";

/// Times everything up to the address and writes it in front of the walk, whose clock goes on from there.
pub fn measure() -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("ludens-first-minutes-{}", std::process::id()));
    let measured = walk(&folder.join("ludens"));
    let _ = fs::remove_dir_all(&folder);
    write(measured?)
}

fn walk(clone: &Path) -> Result<Vec<Value>, String> {
    let begun = Instant::now();
    let line = |does: &str, sees: String| {
        let seconds = (begun.elapsed().as_secs_f64() * 10.0).round() / 10.0;
        println!("{seconds} s: {does} → {sees}");
        json!({ "part": PART, "does": does, "sees": sees, "seconds": seconds })
    };
    done(Command::new("git").args(["clone", "--quiet"]).arg(root()).arg(clone))?;
    let cloned = line("clones it (here from this machine's disk)", "the folder `ludens`".into());
    let (before, load) = (children_seconds(), load());
    done(
        Command::new(env!("CARGO"))
            .args(["build", "--release", "--quiet"])
            .current_dir(clone)
            .env_remove("CARGO_TARGET_DIR"),
    )?;
    address(clone)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let work = children_seconds()
        .zip(before)
        .map(|(after, before)| format!(", {:.0} of their seconds", after - before));
    let beside = load
        .filter(|load| *load >= 0.5)
        .map(|load| format!("; the machine was {load:.1} deep in other work"));
    let sees = format!(
        "the compiler builds the program from nothing on {cores} cores{}{}; then it prints its address",
        work.unwrap_or_default(),
        beside.unwrap_or_default()
    );
    Ok(vec![cloned, line("types `cargo run --release`", sees)])
}

fn done(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("cannot start {command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed")) }
}

/// Starts the program until it says where it is.
fn address(clone: &Path) -> Result<(), String> {
    let mut program = Command::new(clone.join("target/release/ludens"))
        .args(["serve", "--port", "0"])
        .env("LUDENS_HOME", clone.join("target/home"))
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("the program does not start: {error}"))?;
    let mut lines = program.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines());
    let found = lines.any(|line| line.is_ok_and(|line| line.contains("http://")));
    let ended = program.kill().and_then(|()| program.wait());
    match (found, ended) {
        (true, Ok(_)) => Ok(()),
        (true, Err(error)) => Err(format!("the program does not end: {error}")),
        (false, _) => Err("the program prints no address".into()),
    }
}

/// The processor time of the children that have ended, where the system says it (Linux: in hundredths).
fn children_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(13)? + ticks(14)?) / 100.0)
}

/// How many processes wanted to run in the last minute.
fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

fn write(setup: Vec<Value>) -> Result<(), String> {
    let path = root().join(FILE);
    let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {FILE}: {error}"))?;
    let rows: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let (old, walk): (Vec<Value>, Vec<Value>) = rows.into_iter().partition(|row| row["part"] == PART);
    let end = |rows: &[Value]| rows.last().and_then(|row| row["seconds"].as_f64()).unwrap_or(0.0);
    let later = end(&setup) - end(&old);
    let walk = walk.into_iter().map(|mut row| {
        row["seconds"] = json!(((row["seconds"].as_f64().unwrap_or(0.0) + later) * 10.0).round() / 10.0);
        row
    });
    let lines: Vec<String> = setup.into_iter().chain(walk).map(|row| row.to_string()).collect();
    fs::write(&path, lines.join("\n") + "\n").map_err(|error| format!("cannot write {FILE}: {error}"))?;
    println!("{FILE} has it; `cargo xtask docs` puts it into docs/first-minutes.md");
    Ok(())
}
