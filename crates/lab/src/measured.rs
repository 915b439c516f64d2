//! Measurements that are no experiment of a paper: rows of numbers, and by what they were made.

use std::fmt::Write;
use std::path::Path;

use ludens_core::store::{TEXT_BYTES, read_bounded};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{LabError, Made};

/// A file under `results/measured`; `python/bench/measured.py` writes them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// By which commit, command and machine, and what it cost.
    pub made: Made,
    /// What was measured, a name for each number.
    pub rows: Vec<Map<String, Value>>,
}

impl Measured {
    /// Of a file.
    pub fn read(path: &Path) -> Result<Measured, LabError> {
        let bytes = read_bounded(path, TEXT_BYTES).map_err(LabError::file(path))?;
        serde_json::from_slice(&bytes)
            .map_err(|error| LabError::Damaged { path: path.into(), problem: error.to_string() })
    }

    /// A table with a column for each of these names; none where a row lacks one.
    pub fn markdown(&self, names: &[&str]) -> Option<String> {
        let heads = names.join(" | ").replace('_', " ");
        let mut text = format!("| {heads} |\n|{}\n", "---|".repeat(names.len()));
        for row in &self.rows {
            let cells: Option<Vec<String>> = names.iter().map(|name| row.get(*name).map(cell)).collect();
            let _ = writeln!(text, "| {} |", cells?.join(" | "));
        }
        let Made { command, commit, processor, .. } = &self.made;
        let commit = commit.as_deref().map_or("a commit not kept", |commit| &commit[..commit.len().min(10)]);
        let processor = processor.as_deref().unwrap_or("a processor not kept");
        let seconds = self.made.cpu_total();
        let _ =
            write!(text, "\nMade by `{command}` at {commit}, on {processor}, {seconds:.0} s of CPU time.");
        Some(text)
    }
}

/// As a table shows it.
pub(crate) fn cell(value: &Value) -> String {
    /// Of a list so many entries are shown.
    const LISTED: usize = 3;
    match value {
        Value::Null => "none".into(),
        Value::String(text) => text.replace('|', "\\|"),
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            format!("{number:.*}", if number.abs() < 100.0 { 3 } else { 0 })
        }
        Value::Array(all) if all.is_empty() => "none".into(),
        Value::Array(all) => all.iter().take(LISTED).map(cell).collect::<Vec<_>>().join("; "),
        other => other.to_string(),
    }
}
