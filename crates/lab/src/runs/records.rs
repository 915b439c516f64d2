//! What the store keeps, row by row.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How a run stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// A process works at it.
    Running,
    /// Left by the user, or its process vanished; `ludens resume` goes on.
    Stopped,
    /// It came to its end.
    Finished,
    /// It ended with an error, which is its message.
    Failed,
}

impl RunStatus {
    /// As the database and people write it.
    pub fn name(self) -> &'static str {
        match self {
            RunStatus::Running => "running",
            RunStatus::Stopped => "stopped",
            RunStatus::Finished => "finished",
            RunStatus::Failed => "failed",
        }
    }

    pub(super) fn from_name(name: &str) -> RunStatus {
        [RunStatus::Running, RunStatus::Finished, RunStatus::Failed]
            .into_iter()
            .find(|status| status.name() == name)
            .unwrap_or(RunStatus::Stopped)
    }
}

/// What is known of a run when it begins.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// `train` or `reproduce`.
    pub kind: String,
    /// The learner or the paper.
    pub name: String,
    /// The name of the game; of a reproduction, its scale.
    pub game: String,
    /// All settings, as JSON.
    pub parameters: Value,
    /// The seed of everything random in it.
    pub seed: u64,
    /// How long it will be.
    pub steps: u64,
}

/// A run that was found by its folder, when the store did not know it.
#[derive(Clone, Debug)]
pub(crate) struct Adopted {
    /// Its number, where its folder says it.
    pub id: Option<i64>,
    pub run: NewRun,
    pub step: u64,
    pub status: RunStatus,
    pub folder: PathBuf,
    /// In seconds since 1970.
    pub started: i64,
    pub changed: i64,
}

/// A run as the store knows it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Run {
    /// Its number.
    pub id: i64,
    /// `train` or `reproduce`.
    pub kind: String,
    /// The learner or the paper.
    pub name: String,
    /// The name of the game; of a reproduction, its scale.
    pub game: String,
    /// All settings, as JSON.
    pub parameters: Value,
    /// The seed of everything random in it.
    pub seed: u64,
    /// How far it has come.
    pub step: u64,
    /// How long it is.
    pub steps: u64,
    /// How it stands.
    pub status: RunStatus,
    /// Its last word: an error, or a note.
    pub message: String,
    /// The version of Ludens that began it.
    pub version: String,
    /// The machine it runs on.
    pub host: String,
    /// In UTC, `2026-01-31 12:00:00`.
    pub started: String,
    /// When something was last written of it, in UTC.
    pub changed: String,
    /// Where its files are.
    pub folder: PathBuf,
}

/// One point of a learning curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Metric {
    /// After how many steps.
    pub step: u64,
    /// What was measured.
    pub name: String,
    /// What came out.
    pub value: f64,
}

/// A file that a run left.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Artefact {
    /// What it is called in lists.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// CRC-32.
    pub checksum: String,
}
