//! The figures of a large attack in the docs: made from `results/attack.json`, and compared with it by the step `house`.

use std::fs;

use serde_json::Value;

use crate::steps::root;

/// Where the last large attack without a failure left its counts.
pub const KEPT: &str = "results/attack.json";
const PAGE: &str = "docs/reliability.md";
const BEGIN: &str = "<!-- attack: made from results/attack.json -->\n";
const END: &str = "<!-- /attack -->";

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
    let report: Value =
        serde_json::from_str(&text(KEPT)).map_err(|error| format!("{KEPT} cannot be read: {error}"))?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", table(&report)))
}

fn table(report: &Value) -> String {
    let said = |key: &str| report[key].as_str().unwrap_or_default().to_string();
    let mut rows = format!("`{}`, of commit {}:\n\n", said("command"), said("commit"));
    rows += "| Kind | What was done | Failures | Slowest answer, ms | Most memory, MB | Seconds |\n|---|---|--:|--:|--:|--:|\n";
    for (kind, tally) in report["kinds"].as_object().into_iter().flatten() {
        let counts: Vec<String> = tally["counts"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(what, count)| format!("{count} {what}"))
            .collect();
        let number = |key: &str| tally[key].as_f64().unwrap_or_default().round();
        rows += &format!(
            "| `{kind}` | {} | {} | {} | {} | {} |\n",
            counts.join(", "),
            number("failures"),
            number("worst_latency_ms"),
            number("worst_memory_mb"),
            number("seconds"),
        );
    }
    rows
}
