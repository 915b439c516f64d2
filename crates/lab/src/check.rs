//! Looking a home over, and mending what can be mended without losing anything: `ludens runs check`.
//!
//! What is damaged is never deleted: it is set aside under its name with `.damaged` behind it. Only temporary files that a killed process left
//! are thrown away, and only where nobody is at work.

mod adopt;
mod checkpoints;
mod salvage;

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::runs::Store;
use crate::train::{RunLock, is_locked, leftovers};
use crate::{Home, LabError, database, folder};

pub(crate) use checkpoints::ready;

/// Something in a home that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: String,
    /// What was done about it, or would be; where nothing can be done without losing something, what the user can do.
    pub remedy: String,
    /// How it stands with the remedy.
    pub state: State,
}

/// How it stands with a remedy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Done.
    Mended,
    /// It would be done by `ludens runs check`.
    Mendable,
    /// For the user to do.
    Left,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.path.display(), self.problem, self.remedy)
    }
}

/// Collects what is found, and knows whether to mend it.
#[derive(Debug)]
pub(crate) struct Round {
    mend: bool,
    found: Vec<Finding>,
}

impl Round {
    pub(crate) fn new(mend: bool) -> Round {
        Round { mend, found: Vec::new() }
    }

    /// Writes a finding down and mends it, if this is a round that mends.
    fn mendable(
        &mut self,
        path: &Path,
        problem: impl Into<String>,
        remedy: impl Into<String>,
        mend: impl FnOnce() -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        if self.mend {
            mend()?;
        }
        let state = if self.mend { State::Mended } else { State::Mendable };
        self.found.push(Finding { path: path.into(), problem: problem.into(), remedy: remedy.into(), state });
        Ok(())
    }

    fn left(&mut self, path: &Path, problem: impl Into<String>, remedy: impl Into<String>) {
        let (problem, remedy) = (problem.into(), remedy.into());
        self.found.push(Finding { path: path.into(), problem, remedy, state: State::Left });
    }

    /// One folder that cannot be looked into does not keep the others from being looked over.
    fn note(&mut self, folder: &Path, looked: Result<(), LabError>) -> Result<(), LabError> {
        match looked {
            Err(error @ (LabError::Model(_) | LabError::File { .. })) => {
                self.left(
                    folder,
                    format!("cannot be looked over ({error})"),
                    "see to that file and check again",
                );
                Ok(())
            }
            looked => looked,
        }
    }

    /// A damaged file gets out of the way.
    fn set_aside(&mut self, path: &Path, problem: &str, then: &str) -> Result<(), LabError> {
        let to = aside(path);
        let name = to.file_name().unwrap_or_default().display().to_string();
        let remedy = format!("set aside as {name}{then}");
        self.mendable(path, format!("is damaged ({problem})"), remedy, || {
            std::fs::rename(path, &to).map_err(LabError::file(path))
        })
    }

    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.found
    }
}

/// A name for a damaged file that nothing has yet.
fn aside(path: &Path) -> PathBuf {
    let named = |end: &str| {
        let mut name = path.as_os_str().to_os_string();
        name.push(end);
        PathBuf::from(name)
    };
    let numbered = (2..).map(|number: u32| named(&format!(".damaged.{number}")));
    let mut names = std::iter::once(named(".damaged")).chain(numbered);
    names.find(|name| !name.exists()).unwrap_or_else(|| named(".damaged"))
}

/// Looks everything over. With `mend` it does what can be done without losing anything; without, it changes nothing.
pub fn check(home: &Home, mend: bool) -> Result<Vec<Finding>, LabError> {
    let mut round = Round::new(mend);
    for (_, folder) in numbered_folders(home) {
        let looked = training(&mut round, &folder);
        round.note(&folder, looked)?;
    }
    for folder in reproductions(home) {
        let looked = reproduction(&mut round, &folder);
        round.note(&folder, looked)?;
    }
    let damaged = store(&mut round, home)?;
    // Looking only: a store that is not there yet is not made.
    let usable = damaged.is_none() && home.database().exists();
    let store = if mend || usable { Some(Store::open(home)?) } else { None };
    adopt::adopt(&mut round, home, store.as_ref())?;
    if let (true, Some(store), Some(damaged)) = (mend, &store, &damaged) {
        salvage::salvage(&mut round, store, damaged);
    }
    Ok(round.into_findings())
}

/// The folders of trainings by their numbers.
pub(crate) fn numbered_folders(home: &Home) -> Vec<(i64, PathBuf)> {
    let entries = std::fs::read_dir(home.root().join("runs")).into_iter().flatten().flatten();
    let mut folders: Vec<(i64, PathBuf)> = entries
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
        .filter(|(number, path)| *number > 0 && path.is_dir())
        .collect();
    folders.sort();
    folders
}

/// The folders of reproductions that lie in the home.
fn reproductions(home: &Home) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(home.root().join("reproductions")).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.join("plan.json").is_file()).collect();
    folders.sort();
    folders
}

/// Takes the folder for as long as it is looked at and throws away what a killed process left; none where another process is at work.
fn enter(round: &mut Round, folder: &Path) -> Result<Option<Option<RunLock>>, LabError> {
    if is_locked(folder) {
        return Ok(None);
    }
    let left = leftovers(folder);
    let lock = if round.mend { RunLock::take(folder).map(Some) } else { Ok(None) };
    let lock = match lock {
        Err(LabError::Busy { .. }) => return Ok(None),
        taken => taken?,
    };
    for path in left {
        // Whoever takes the lock throws them away.
        let gone = || {
            if path.exists() { std::fs::remove_file(&path).map_err(LabError::file(&path)) } else { Ok(()) }
        };
        round.mendable(&path, "was left by a process that ended early", "removed", gone)?;
    }
    Ok(Some(lock))
}

fn training(round: &mut Round, folder: &Path) -> Result<(), LabError> {
    let Some(_lock) = enter(round, folder)? else { return Ok(()) };
    checkpoints::check(round, folder)
}

fn reproduction(round: &mut Round, folder: &Path) -> Result<(), LabError> {
    let Some(_lock) = enter(round, folder)? else { return Ok(()) };
    for (path, problem) in folder::survey(folder).1 {
        round.set_aside(&path, &problem, "; the reproduction repeats this unit when it goes on")?;
    }
    Ok(())
}

/// Sets a damaged database aside; where it is then, or would be. What the folders know is entered into a new one afterwards.
fn store(round: &mut Round, home: &Home) -> Result<Option<PathBuf>, LabError> {
    let path = home.database();
    let Some(problem) = database::damage(&path)? else { return Ok(None) };
    // Whoever trains now would go on writing into the one that is set aside.
    if let Some((_, folder)) = numbered_folders(home).into_iter().find(|(_, folder)| is_locked(folder)) {
        return Err(LabError::Busy { folder });
    }
    let to = aside(&path);
    round.set_aside(&path, &problem, "; a new one is made from the folders of the runs")?;
    if round.mend {
        // What belongs to the old one goes with it, and must not be taken for a part of the new one.
        for end in ["-wal", "-shm"] {
            let [from, to] = [&path, &to].map(|base| {
                let mut name = base.clone().into_os_string();
                name.push(end);
                PathBuf::from(name)
            });
            if from.exists() {
                std::fs::rename(&from, to).map_err(LabError::file(&from))?;
            }
        }
    }
    Ok(Some(to))
}
