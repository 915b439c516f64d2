//! By what a result was made: commit, command, class of machine, CPU time.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::{PaperResult, Unit, folder};

/// Where a result comes from. All of it may be unknown: a result is worth the same without.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Made {
    /// The commit of the folder it was run in, with a `+` where files differed from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The command that repeats it.
    #[serde(default)]
    pub command: String,
    /// The model of the processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// Cores that the program could use.
    #[serde(default)]
    pub cores: usize,
    /// Seconds of CPU time by the first word of the units' names; units done by earlier versions are not in it.
    #[serde(default)]
    pub cpu_seconds: BTreeMap<String, f64>,
}

impl Made {
    /// Of the result in this folder.
    pub(crate) fn here(result: &PaperResult, units: &[Unit], kept: &Path) -> Made {
        let mut cpu_seconds = BTreeMap::new();
        for unit in units {
            if let Some(seconds) = folder::read_time(kept, unit) {
                let group = unit.name.split('/').next().unwrap_or_default();
                *cpu_seconds.entry(group.to_string()).or_insert(0.0) += seconds;
            }
        }
        Made {
            commit: commit(),
            command: result.command(),
            processor: processor(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            cpu_seconds,
        }
    }

    /// All of it together.
    pub fn cpu_total(&self) -> f64 {
        self.cpu_seconds.values().sum()
    }
}

/// Of the folder the program runs in: asked of git when a result is finished, so that no build depends on it.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let hash = git(&["rev-parse", "HEAD"]).filter(|hash| hash.len() >= 40)?;
    let changed =
        git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|list| !list.is_empty());
    Some(if changed { format!("{hash}+") } else { hash })
}

fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim().to_string())
}
