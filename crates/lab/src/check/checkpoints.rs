//! Where a training goes on from: its newest state that can be read.

use std::path::{Path, PathBuf};

use ludens_core::store::{previous_of, write_atomic};
use ludens_core::{Model, ModelError};

use super::{Finding, Round};
use crate::LabError;
use crate::train::{Places, TrainingMark};

/// What a file of a training holds.
pub(super) enum Held {
    Nothing,
    /// A whole model and what it says of its training.
    State(Box<(Model, TrainingMark)>),
    Damaged(String),
}

/// Reads a file of a training. What cannot be read for another reason than damage (a disk that does not answer, a newer Ludens) is an error:
/// it may be read another day.
pub(super) fn held(path: &Path) -> Result<Held, LabError> {
    match Model::load(path) {
        Ok(model) => Ok(match TrainingMark::of(&model) {
            Ok(mark) => Held::State(Box::new((model, mark))),
            Err(error) => Held::Damaged(error.to_string()),
        }),
        Err(ModelError::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            Ok(Held::Nothing)
        }
        Err(error) if error.is_damage() => Ok(Held::Damaged(match error {
            ModelError::InFile { problem, .. } => problem.to_string(),
            other => other.to_string(),
        })),
        Err(error) => Err(error.into()),
    }
}

/// The last level that can be read.
pub(super) fn last_level(places: &Places) -> Option<(u64, PathBuf, Model)> {
    places.ladder().into_iter().rev().find_map(|(step, path)| match held(&path) {
        Ok(Held::State(state)) if state.1.step == step => Some((step, path, state.0)),
        _ => None,
    })
}

/// Makes sure that a training finds its newest readable state under the name of its checkpoint, and says what it had to do. For a folder whose
/// lock is held.
pub(crate) fn ready(folder: &Path) -> Result<Vec<Finding>, LabError> {
    let mut round = Round::new(true);
    mend(&mut round, &Places::new(folder))?;
    Ok(round.into_findings())
}

pub(super) fn check(round: &mut Round, folder: &Path) -> Result<(), LabError> {
    let places = Places::new(folder);
    mend(round, &places)?;
    for (_, path) in places.ladder() {
        if let Held::Damaged(problem) = held(&path)? {
            round.left(
                &path,
                format!("is damaged ({problem})"),
                "a training that passes this step again writes it anew; delete it if it is in the way",
            );
        }
    }
    Ok(())
}

fn mend(round: &mut Round, places: &Places) -> Result<(), LabError> {
    let (model, checkpoint) = (places.model(), places.checkpoint());
    let previous = previous_of(&checkpoint).map_err(LabError::file(&checkpoint))?;
    let finished = held(&model)?;
    if matches!(finished, Held::State(_)) {
        return Ok(());
    }
    let [newest, before] = [held(&checkpoint)?, held(&previous)?];
    let files = [(&model, &finished), (&checkpoint, &newest), (&previous, &before)];
    let damaged: Vec<(PathBuf, String)> = files
        .into_iter()
        .filter_map(|(path, held)| {
            if let Held::Damaged(problem) = held { Some((path.clone(), problem.clone())) } else { None }
        })
        .collect();
    let lacking = matches!(newest, Held::Nothing) && matches!(before, Held::State(_));
    if damaged.is_empty() && !lacking {
        return Ok(());
    }
    let source = source(places, &checkpoint, &previous, newest, before);
    let then = match &source {
        None => "; no level can be read: the training begins from the start".to_string(),
        Some((from, step, _)) => format!("; the training goes on from {} (step {step})", from.display()),
    };
    for (path, problem) in &damaged {
        round.set_aside(path, problem, &then)?;
    }
    let Some((from, _, model)) = source.filter(|(from, ..)| *from != checkpoint) else { return Ok(()) };
    let put = || write_atomic(&checkpoint, &model.to_bytes()).map_err(LabError::file(&checkpoint));
    if damaged.is_empty() {
        return round.mendable(&checkpoint, "is missing", format!("made again from {}", from.display()), put);
    }
    if round.mend { put() } else { Ok(()) }
}

/// The newest state that can be read: the checkpoint, the one before it, or the last level.
fn source(
    places: &Places,
    checkpoint: &Path,
    previous: &Path,
    newest: Held,
    before: Held,
) -> Option<(PathBuf, u64, Model)> {
    match (newest, before) {
        (Held::State(state), _) => Some((checkpoint.into(), state.1.step, state.0)),
        (_, Held::State(state)) => Some((previous.into(), state.1.step, state.0)),
        _ => last_level(places).map(|(step, path, model)| (path, step, model)),
    }
}
