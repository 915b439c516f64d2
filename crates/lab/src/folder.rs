//! A reproduction's folder on the disk: its plan, and one checksummed file a unit.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use ludens_core::store::{MODEL_BYTES, TEXT_BYTES, read_bounded, write_atomic};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::experiment::file_name;
use crate::{Experiment, LabError, Outcomes, Plan, Unit};

/// What `plan.json` says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    pub paper: String,
    pub version: String,
    pub plan: Plan,
}

impl Header {
    pub fn new(experiment: &dyn Experiment, plan: &Plan) -> Header {
        Header {
            paper: experiment.about().id.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            plan: plan.clone(),
        }
    }
}

pub fn read_plan(folder: &Path) -> Result<Header, LabError> {
    let path = folder.join("plan.json");
    let bytes = read_bounded(&path, TEXT_BYTES).map_err(LabError::file(&path))?;
    serde_json::from_slice(&bytes).map_err(|error| LabError::Damaged { path, problem: error.to_string() })
}

pub fn compare_plans(found: &Header, wanted: &Header, folder: &Path) -> Result<(), LabError> {
    if found == wanted {
        return Ok(());
    }
    let text = |header: &Header| serde_json::to_string(header).unwrap_or_default();
    let difference = format!("{} there, {} now", text(found), text(wanted));
    Err(LabError::OtherPlan { path: folder.into(), difference })
}

pub fn open_folder(experiment: &dyn Experiment, plan: &Plan, folder: &Path) -> Result<(), LabError> {
    for name in ["units", "artefacts"] {
        let inner = folder.join(name);
        std::fs::create_dir_all(&inner).map_err(LabError::file(&inner))?;
    }
    let header = Header::new(experiment, plan);
    let path = folder.join("plan.json");
    if path.exists() {
        return compare_plans(&read_plan(folder)?, &header, folder);
    }
    let json = serde_json::to_vec_pretty(&header).map_err(LabError::other)?;
    write_atomic(&path, &json).map_err(LabError::file(&path))
}

/// A unit's file.
#[derive(Serialize, Deserialize)]
struct OutcomeFile {
    unit: String,
    seed: u64,
    checksum: String,
    value: Value,
}

fn checksum(unit: &str, seed: u64, value: &Value) -> String {
    format!("{:08x}", crc32fast::hash(format!("{unit}\n{seed}\n{value}").as_bytes()))
}

fn outcome_path(folder: &Path, unit: &Unit) -> PathBuf {
    folder.join("units").join(format!("{}.json", file_name(&unit.name)))
}

pub fn write_outcome(folder: &Path, unit: &Unit, value: &Value) -> Result<(), LabError> {
    let path = outcome_path(folder, unit);
    let file = OutcomeFile {
        unit: unit.name.clone(),
        seed: unit.seed,
        checksum: checksum(&unit.name, unit.seed, value),
        value: value.clone(),
    };
    let json = serde_json::to_vec(&file).map_err(LabError::other)?;
    write_atomic(&path, &json).map_err(LabError::file(&path))
}

/// Beside the outcomes and not in them: an outcome is a function of (plan, unit), its time is not.
fn time_path(folder: &Path, unit: &Unit) -> PathBuf {
    folder.join("times").join(format!("{}.txt", file_name(&unit.name)))
}

/// Keeps the CPU time of a unit. It is a note: nothing depends on it, so that a failure is not one.
pub fn note_time(folder: &Path, unit: &Unit, seconds: f64) {
    let path = time_path(folder, unit);
    let _ = std::fs::create_dir_all(folder.join("times"));
    let _ = write_atomic(&path, format!("{seconds:.4}\n").as_bytes());
}

/// The CPU time of a unit, where it was kept.
pub fn read_time(folder: &Path, unit: &Unit) -> Option<f64> {
    let bytes = read_bounded(&time_path(folder, unit), TEXT_BYTES).ok()?;
    String::from_utf8_lossy(&bytes).trim().parse::<f64>().ok().filter(|seconds| seconds.is_finite())
}

pub fn load_outcomes(units: &[Unit], folder: &Path) -> Result<Outcomes, LabError> {
    let mut outcomes = Outcomes { values: BTreeMap::new(), folder: folder.into() };
    // Looked at once: a unit that runs alone would else ask for a thousand files that are not there, which takes longer than the shortest units.
    let there = std::fs::read_dir(folder.join("units")).ok();
    let there: Option<HashSet<OsString>> =
        there.map(|entries| entries.flatten().map(|entry| entry.file_name()).collect());
    for unit in units {
        let path = outcome_path(folder, unit);
        if let (Some(there), Some(name)) = (&there, path.file_name())
            && !there.contains(name)
        {
            continue;
        }
        let bytes = match read_bounded(&path, TEXT_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(LabError::File { path, source: error }),
        };
        let damaged = |problem: String| LabError::Damaged { path: path.clone(), problem };
        let file = OutcomeFile::read(&bytes).map_err(damaged)?;
        if file.unit != unit.name || file.seed != unit.seed {
            return Err(damaged("it is the outcome of another unit or seed".into()));
        }
        outcomes.values.insert(file.unit, file.value);
    }
    Ok(outcomes)
}

impl OutcomeFile {
    fn read(bytes: &[u8]) -> Result<OutcomeFile, String> {
        let file: OutcomeFile = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if file.checksum != checksum(&file.unit, file.seed, &file.value) {
            return Err("its checksum does not match its content".into());
        }
        Ok(file)
    }
}

/// The files of units in a folder: how many can be read, and what is wrong with the others.
pub fn survey(folder: &Path) -> (u64, Vec<(PathBuf, String)>) {
    let (mut whole, mut damaged) = (0, Vec::new());
    for entry in std::fs::read_dir(folder.join("units")).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let read = read_bounded(&path, TEXT_BYTES).map_err(|error| error.to_string());
        match read.and_then(|bytes| OutcomeFile::read(&bytes)) {
            Ok(_) => whole += 1,
            Err(problem) => damaged.push((path, problem)),
        }
    }
    damaged.sort();
    (whole, damaged)
}

pub fn copy_artefacts(part: &Path, out: &Path) -> Result<(), LabError> {
    let from = part.join("artefacts");
    let Ok(entries) = std::fs::read_dir(&from) else { return Ok(()) };
    for entry in entries.flatten() {
        let to = out.join("artefacts").join(entry.file_name());
        if entry.path().is_file() && !to.exists() {
            let bytes = read_bounded(&entry.path(), MODEL_BYTES).map_err(LabError::file(&entry.path()))?;
            write_atomic(&to, &bytes).map_err(LabError::file(&to))?;
        }
    }
    Ok(())
}
