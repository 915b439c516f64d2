//! The figures of large attacks in the docs: each kind as it last found nothing, kept in `results/attack.json`. The step `house` compares
//! the two.

use std::fs;

use serde_json::{Map, Value};

use crate::steps::root;

/// What the last attack did.
pub const LAST: &str = "target/attack.json";
/// What each kind did when it last had a large budget and found nothing.
const KEPT: &str = "results/attack.json";
const PAGE: &str = "docs/reliability.md";
const BEGIN: &str = "<!-- attack: made from results/attack.json -->\n";
const END: &str = "<!-- /attack -->";

/// Takes what the last attack, a large one, found nothing wrong in over into what is kept, and puts it into the page.
pub fn keep() -> Result<(), String> {
    let last: Value =
        serde_json::from_str(&text(LAST)).map_err(|error| format!("{LAST} cannot be read: {error}"))?;
    if last["budget"] != "large" {
        return Err("only the figures of a large budget are kept: cargo xtask attack --budget large".into());
    }
    let mut kept: Map<String, Value> = serde_json::from_str(&text(KEPT)).unwrap_or_default();
    for (kind, tally) in last["kinds"].as_object().into_iter().flatten() {
        if tally["failures"] != 0 {
            continue;
        }
        let mut tally = tally.clone();
        tally["command"] = format!("cargo xtask attack --seed {} --budget large {kind}", last["seed"]).into();
        tally["commit"] = last["commit"].clone();
        kept.insert(kind.clone(), tally);
    }
    let kept = format!("{:#}\n", Value::Object(kept));
    fs::write(root().join(KEPT), kept).map_err(|error| format!("{KEPT}: {error}"))?;
    write()
}

/// Puts the figures into the page.
pub fn write() -> Result<(), String> {
    let page = whole()?;
    fs::write(root().join(PAGE), page).map_err(|error| format!("{PAGE}: {error}"))
}

/// What is wrong with the page, if anything.
pub fn faults() -> Vec<String> {
    match whole() {
        Ok(page) if page == text(PAGE) => Vec::new(),
        Ok(_) => vec![format!("{PAGE} does not say what {KEPT} holds; `cargo xtask docs` makes it anew")],
        Err(problem) => vec![problem],
    }
}

fn text(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_default()
}

/// The page as it should be.
fn whole() -> Result<String, String> {
    let page = text(PAGE);
    let (before, rest) = page.split_once(BEGIN).ok_or(format!("{PAGE} has no place for the figures"))?;
    let (_, after) = rest.split_once(END).ok_or(format!("{PAGE}: the place for the figures has no end"))?;
    let kept: Value =
        serde_json::from_str(&text(KEPT)).map_err(|error| format!("{KEPT} cannot be read: {error}"))?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", table(&kept)))
}

fn table(kept: &Value) -> String {
    let mut rows: String =
        "| What was done | Failures | Slowest answer, ms | Most memory, MB | Seconds | Commit |\n|---|--:|--:|--:|--:|---|\n".into();
    for tally in kept.as_object().into_iter().flat_map(Map::values) {
        let counts: Vec<String> = tally["counts"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(what, count)| format!("{count} {what}"))
            .collect();
        let number = |key: &str| tally[key].as_f64().unwrap_or_default().round();
        let said = |key: &str| tally[key].as_str().unwrap_or_default();
        rows += &format!(
            "| `{}`: {} | {} | {} | {} | {} | {} |\n",
            said("command"),
            counts.join(", "),
            number("failures"),
            number("worst_latency_ms"),
            number("worst_memory_mb"),
            number("seconds"),
            said("commit"),
        );
    }
    rows
}
