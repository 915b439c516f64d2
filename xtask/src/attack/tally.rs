//! What an attack did, what it found, and the table of it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::steps::root;

/// After so many failures of a kind the others are no news.
const MOST_SHOWN: usize = 12;

/// The counts of one kind; threads add to it.
pub struct Tally {
    pub kind: &'static str,
    began: Instant,
    inside: Mutex<Inside>,
}

#[derive(Default)]
struct Inside {
    counts: BTreeMap<&'static str, u64>,
    failures: Vec<String>,
    failed: usize,
    left_out: Vec<String>,
    latency: Duration,
    kilobytes: u64,
    seconds: f64,
}

impl Tally {
    pub fn new(kind: &'static str) -> Tally {
        Tally { kind, began: Instant::now(), inside: Mutex::default() }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn add(&self, what: &'static str, count: u64) {
        *self.inside().counts.entry(what).or_default() += count;
    }

    /// How long an answer took that somebody waited for.
    pub fn waited(&self, took: Duration) {
        let mut inside = self.inside();
        inside.latency = inside.latency.max(took);
    }

    /// The most that a process was seen to take.
    pub fn took_memory(&self, kilobytes: u64) {
        let mut inside = self.inside();
        inside.kilobytes = inside.kilobytes.max(kilobytes);
    }

    /// Something that should hold does not.
    pub fn fail(&self, problem: impl Into<String>) {
        let problem = problem.into();
        println!("   FAILED {problem}");
        let mut inside = self.inside();
        inside.failed += 1;
        if inside.failures.len() < MOST_SHOWN {
            inside.failures.push(problem);
        }
    }

    /// Something this machine cannot do; said, so that nobody takes it for done.
    pub fn leave_out(&self, what: &str) {
        println!("   left out: {what}");
        self.inside().left_out.push(what.into());
    }

    pub fn failures(&self) -> Vec<String> {
        self.inside().failures.clone()
    }

    pub fn end(&self) {
        self.inside().seconds = self.began.elapsed().as_secs_f64();
        println!("   {}", self.summary());
    }

    fn summary(&self) -> String {
        let inside = self.inside();
        let counts: Vec<String> =
            inside.counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
        format!("{}; {} failures, {:.0} s", counts.join(", "), inside.failed, inside.seconds)
    }

    fn json(&self) -> Value {
        let inside = self.inside();
        json!({
            "counts": inside.counts,
            "failures": inside.failed,
            "failed": inside.failures,
            "left_out": inside.left_out,
            "worst_latency_ms": inside.latency.as_secs_f64() * 1e3,
            "worst_memory_mb": inside.kilobytes / 1024,
            "seconds": inside.seconds,
        })
    }
}

/// One row a kind.
pub fn table(tallies: &[Tally]) -> String {
    let mut text = format!(
        "{:10} {:>8} {:>9} {:>12} {:>10}  counts\n",
        "kind", "seconds", "failures", "latency ms", "memory MB"
    );
    for tally in tallies {
        let inside = tally.inside();
        let counts: Vec<String> =
            inside.counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
        text += &format!(
            "{:10} {:>8.0} {:>9} {:>12.0} {:>10}  {}\n",
            tally.kind,
            inside.seconds,
            inside.failed,
            inside.latency.as_secs_f64() * 1e3,
            inside.kilobytes / 1024,
            counts.join(", ")
        );
    }
    text
}

/// The same for programs, in `target/attack.json`; of a large attack what found nothing is kept, and put into the docs.
pub fn write_json(seed: u64, budget: &str, tallies: &[Tally], took: Duration) -> Result<(), String> {
    let names: Vec<&str> = tallies.iter().map(|tally| tally.kind).collect();
    let kinds: BTreeMap<&str, Value> = tallies.iter().map(|tally| (tally.kind, tally.json())).collect();
    let report = json!({
        "command": format!("cargo xtask attack --seed {seed} --budget {budget} {}", names.join(" ")),
        "program": std::env::var("LUDENS_ATTACK_PROGRAM").ok(),
        "seed": seed,
        "budget": budget,
        "commit": super::commit(),
        "seconds": took.as_secs_f64(),
        "kinds": kinds,
    });
    let write = |name: &str| {
        let path = root().join(name);
        std::fs::write(&path, format!("{report:#}\n")).map_err(|error| format!("{}: {error}", path.display()))
    };
    write(super::figures::LAST)?;
    if budget == "large" { super::figures::keep() } else { Ok(()) }
}
