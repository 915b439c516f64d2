//! The laws of every parser, in process: the test of `fuzz/laws`, with the seed and the budget of the attack.

use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::{Ground, Outcome, Tally};
use crate::steps::run;

pub fn attack(ground: &Ground, tally: &Tally) -> Outcome {
    let report = ground.folder.join("fuzz.json");
    let inputs = ground.budget.of(200_000, 10_000_000);
    // With every package: another choice would build everything again.
    let tried = run(Command::new(env!("CARGO"))
        .args([
            "test",
            "--quiet",
            "--release",
            "--workspace",
            "--test",
            "fuzz",
            "--",
            "every_parser",
            "--nocapture",
        ])
        .env("LUDENS_FUZZ_SEED", ground.seed.to_string())
        .env("LUDENS_FUZZ_INPUTS", inputs.to_string())
        .env("LUDENS_FUZZ_REPORT", &report));
    let text = std::fs::read_to_string(&report).unwrap_or_default();
    let counts: Value = serde_json::from_str(&text).unwrap_or_default();
    tally.add("inputs", counts["inputs"].as_u64().unwrap_or(0));
    let laws = counts["laws"].as_object();
    tally.add("laws", laws.map_or(0, |laws| laws.len() as u64));
    let taken = laws.into_iter().flatten().filter_map(|(_, law)| law[1].as_u64());
    tally.add("inputs taken", taken.sum());
    tally.waited(Duration::from_secs_f64(counts["slowest_ms"].as_f64().unwrap_or(0.0) / 1e3));
    tally.took_memory(counts["peak_kb"].as_u64().unwrap_or(0));
    tried.map_err(|_| {
        format!("a law was broken: LUDENS_FUZZ_SEED={} and target/fuzz-failures show it again", ground.seed)
    })
}
