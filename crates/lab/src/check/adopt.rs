//! Runs whose folders are there and which the store does not know: a lost or damaged `runs.sqlite` is made again from them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ludens_core::store::previous_of;
use serde_json::json;

use super::checkpoints::{Held, held, last_level};
use super::{Round, numbered_folders, reproductions};
use crate::registered::Parameters;
use crate::runs::{Adopted, NewRun, RunStatus, Store};
use crate::train::{Places, TrainingMark};
use crate::{Home, LabError, folder};

/// Seconds between the checkpoints of a training whose user's wish is not known.
const CHECKPOINT: f64 = 20.0;

pub(super) fn adopt(round: &mut Round, home: &Home, store: Option<&Store>) -> Result<(), LabError> {
    let known = store.map_or(Ok(Vec::new()), Store::runs)?;
    let numbers: HashSet<i64> = known.iter().map(|run| run.id).collect();
    let folders: HashSet<&Path> = known.iter().map(|run| run.folder.as_path()).collect();
    for (number, folder) in numbered_folders(home) {
        if !numbers.contains(&number) {
            let entered = training(round, store, number, &folder);
            round.note(&folder, entered)?;
        }
    }
    for folder in reproductions(home) {
        if !folders.contains(folder.as_path()) {
            let entered = reproduction(round, store, &folder);
            round.note(&folder, entered)?;
        }
    }
    for run in known.iter().filter(|run| !run.folder.is_dir()) {
        let remedy = format!("run {} cannot go on; put the folder back if you have it", run.id);
        round.left(&run.folder, "is gone", remedy);
    }
    Ok(())
}

fn training(round: &mut Round, store: Option<&Store>, number: i64, folder: &Path) -> Result<(), LabError> {
    let places = Places::new(folder);
    let Some((mark, finished)) = newest(&places)? else {
        // A run that was begun and never came to its first level has nothing to lose.
        if !places.ladder().is_empty() || places.checkpoint().exists() || places.model().exists() {
            round.left(folder, "is not in the store, and no model in it can be read", "look at its files");
        }
        return Ok(());
    };
    let adopted = adopted(number, folder, &mark, finished)?;
    let remedy = format!(
        "entered again as run {number}, {} at step {} of {}",
        adopted.status.name(),
        mark.step,
        mark.steps
    );
    round.mendable(folder, "is not in the store", remedy, || {
        let Some(store) = store else { return Ok(()) };
        store.adopt(&adopted)?;
        if finished {
            store.add_artefact(number, "model", &places.model())?;
            for (step, path) in places.ladder() {
                store.add_artefact(number, &format!("level-{step:012}"), &path)?;
            }
        }
        Ok(())
    })
}

/// What the newest readable model of the folder says of its training, and whether it is the finished one.
fn newest(places: &Places) -> Result<Option<(TrainingMark, bool)>, LabError> {
    let checkpoint = places.checkpoint();
    let previous = previous_of(&checkpoint).map_err(LabError::file(&checkpoint))?;
    for (path, finished) in [(places.model(), true), (checkpoint, false), (previous, false)] {
        if let Held::State(state) = held(&path)? {
            return Ok(Some((state.1, finished)));
        }
    }
    let level = last_level(places).map(|(.., model)| TrainingMark::of(&model)).transpose()?;
    Ok(level.map(|mark| (mark, false)))
}

fn adopted(number: i64, folder: &Path, mark: &TrainingMark, finished: bool) -> Result<Adopted, LabError> {
    let mut training = mark.training.clone();
    // The rules of the run lie beside its models, and are found there by the name of their file.
    if let Some(rules) = rules_in(folder) {
        training.game = rules;
    }
    let (started, changed) = times(folder);
    let parameters = Parameters { training, out: None, checkpoint: CHECKPOINT };
    Ok(Adopted {
        id: Some(number),
        run: NewRun {
            kind: "train".into(),
            name: mark.training.learner.clone(),
            game: parameters.training.game.clone(),
            parameters: serde_json::to_value(&parameters).map_err(LabError::other)?,
            seed: mark.training.seed,
            steps: mark.steps,
        },
        step: mark.step,
        status: if finished { RunStatus::Finished } else { RunStatus::Stopped },
        folder: folder.into(),
        started,
        changed,
    })
}

fn rules_in(folder: &Path) -> Option<String> {
    let names =
        std::fs::read_dir(folder).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.into_iter().find(|name| ludens_gdl::is_rule_file(name))
}

fn reproduction(round: &mut Round, store: Option<&Store>, folder: &PathBuf) -> Result<(), LabError> {
    let header = match folder::read_plan(folder) {
        Ok(header) => header,
        Err(LabError::Damaged { path, problem }) => {
            let remedy = "delete this file and give the command of the reproduction again";
            round.left(&path, format!("is damaged ({problem})"), remedy);
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    let (units, _) = folder::survey(folder);
    let finished = folder.join("result.json").is_file();
    let plan = &header.plan;
    let seeds = plan.seeds.map(|seeds| format!(" --seeds {seeds}")).unwrap_or_default();
    let (scale, seed) = (plan.scale.name(), plan.seed);
    let command = format!("ludens reproduce {} --scale {scale} --seed {seed}{seeds}", header.paper);
    let (started, changed) = times(folder);
    let adopted = Adopted {
        id: None,
        run: NewRun {
            kind: "reproduce".into(),
            name: header.paper.clone(),
            game: scale.into(),
            parameters: json!({ "plan": plan, "out": folder, "command": command }),
            seed,
            // How many there will be, only the experiment knows.
            steps: units.max(1),
        },
        step: units,
        status: if finished { RunStatus::Finished } else { RunStatus::Stopped },
        folder: folder.clone(),
        started,
        changed,
    };
    let remedy = format!("entered again; `{command}` goes on with it");
    round.mendable(folder, "is not in the store", remedy, || {
        store.map_or(Ok(()), |store| store.adopt(&adopted))
    })
}

/// When the oldest and the newest file of a folder were written, in seconds since 1970.
fn times(folder: &Path) -> (i64, i64) {
    let seconds =
        |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |age| age.as_secs() as i64);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let written = entries.filter_map(|entry| entry.metadata().ok()?.modified().ok()).map(seconds);
    let (first, last) = written.fold((i64::MAX, 0), |(first, last), time| (first.min(time), last.max(time)));
    (first.min(last), last)
}
