//! Trainings and reproductions that the store knows: what it keeps of them, and what is registered when they end. The command line, the web
//! app and Python share this, so that a run begun by one can be gone on with by the other.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludens_core::Games;
use ludens_core::store::{MODEL_BYTES, read_bounded, write_atomic};
use serde::{Deserialize, Serialize};

use crate::runs::{NewRun, Run, RunStatus, Store};
use crate::train::{Places, Trained, Training};
use crate::{Experiment, Finished, Home, LabError, Options, Plan, Progress, reproduce};

/// What the store keeps of a training, so that `ludens resume` needs nothing but its number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parameters {
    /// What is trained, and how.
    pub training: Training,
    /// Where the finished model is copied to, if anywhere.
    pub out: Option<PathBuf>,
    /// Seconds between checkpoints.
    pub checkpoint: f64,
}

impl Parameters {
    /// Registers a new run; `steps` is how long it will be.
    pub fn begin(&self, store: &Store, home: &Home, steps: u64) -> Result<Run, LabError> {
        let run = NewRun {
            kind: "train".into(),
            name: self.training.learner.clone(),
            game: self.training.game.clone(),
            parameters: serde_json::to_value(self).map_err(LabError::other)?,
            seed: self.training.seed,
            steps,
        };
        let run = store.begin(home, &run)?;
        self.keep_rules(&run)?;
        Ok(run)
    }

    /// A run on rules keeps the rules themselves, so that it goes on from any folder, whatever becomes of the file.
    fn keep_rules(&self, run: &Run) -> Result<(), LabError> {
        if !ludens_gdl::is_rule_file(&self.training.game) {
            return Ok(());
        }
        let from = Path::new(&self.training.game);
        let text = ludens_gdl::read_rules(from).map_err(LabError::other)?;
        let to = run.folder.join(from.file_name().unwrap_or_default());
        write_atomic(&to, text.as_bytes()).map_err(LabError::file(&to))
    }

    /// What opens the game of a run: the rules it keeps, or the name of the game.
    pub fn game(&self, run: &Run) -> String {
        let kept = Path::new(&self.training.game).file_name().map(|name| run.folder.join(name));
        let kept = kept.filter(|kept| ludens_gdl::is_rule_file(&self.training.game) && kept.is_file());
        kept.map_or_else(|| self.training.game.clone(), |kept| kept.display().to_string())
    }

    /// Those of a run of the store.
    pub fn of(run: &Run) -> Result<Parameters, LabError> {
        serde_json::from_value(run.parameters.clone()).map_err(LabError::other)
    }

    /// Writes down how a training ended, and registers what it left. Returns the finished model.
    pub fn conclude(
        &self,
        store: &Store,
        run: &Run,
        outcome: &Result<Trained, LabError>,
    ) -> Result<Option<PathBuf>, LabError> {
        match outcome {
            Ok(Trained { model: Some(model), .. }) => {
                let model = self.publish(store, run, model)?;
                store.set_status(run.id, RunStatus::Finished, "")?;
                Ok(Some(model))
            }
            Ok(Trained { model: None, .. }) => {
                store.set_status(run.id, RunStatus::Stopped, "").map(|()| None)
            }
            // Another process has it: its status is its own.
            Err(LabError::Busy { .. }) => Ok(None),
            Err(error) => store.set_status(run.id, RunStatus::Failed, &error.to_string()).map(|()| None),
        }
    }

    /// Registers what the run left, and copies the model to where the user wants it.
    fn publish(&self, store: &Store, run: &Run, model: &Path) -> Result<PathBuf, LabError> {
        store.add_artefact(run.id, "model", model)?;
        for (step, path) in Places::new(&run.folder).ladder() {
            store.add_artefact(run.id, &format!("level-{step:012}"), &path)?;
        }
        let Some(out) = &self.out else { return Ok(model.to_path_buf()) };
        let bytes = read_bounded(model, MODEL_BYTES).map_err(LabError::file(model))?;
        write_atomic(out, &bytes).map_err(LabError::file(out))?;
        Ok(out.clone())
    }
}

/// A reproduction that the store keeps.
#[derive(Clone, Debug)]
pub struct Kept<'a> {
    /// What it depends on.
    pub plan: Plan,
    /// Where the store is.
    pub home: &'a Home,
    /// Where its units and reports are.
    pub folder: &'a Path,
    /// By which command it was begun, for those who read.
    pub command: String,
}

impl Kept<'_> {
    /// Runs what is not done yet, and writes down how it ended.
    pub fn reproduce(
        &self,
        experiment: &dyn Experiment,
        games: &Arc<Games>,
        options: &Options,
        progress: &(dyn Fn(&Progress) + Sync),
    ) -> Result<Finished, LabError> {
        let store = Store::open(self.home)?;
        let run = self.begin(&store, experiment.about().id)?;
        let outcome = reproduce(experiment, games, &self.plan, self.folder, options, progress);
        match &outcome {
            Ok(finished) => {
                store.keep_units(run.id, finished.units_done as u64, finished.units_total as u64)?;
                for name in ["result.json", "report.html", "report.md"] {
                    if finished.result.is_some() {
                        store.add_artefact(run.id, name, &self.folder.join(name))?;
                    }
                }
                store.set_status(run.id, RunStatus::Finished, "")?;
            }
            Err(LabError::Stopped) => store.set_status(run.id, RunStatus::Stopped, "")?,
            Err(error) => store.set_status(run.id, RunStatus::Failed, &error.to_string())?,
        }
        outcome
    }

    /// The run of this folder: the one that the same command began earlier, or a new one.
    fn begin(&self, store: &Store, id: &str) -> Result<Run, LabError> {
        let is_earlier = |run: &Run| {
            run.kind == "reproduce" && run.folder == *self.folder && run.status != RunStatus::Finished
        };
        let run = match store.runs()?.into_iter().find(is_earlier) {
            Some(run) => run,
            None => {
                let parameters =
                    serde_json::json!({ "plan": self.plan, "out": self.folder, "command": self.command });
                let new = NewRun {
                    kind: "reproduce".into(),
                    name: id.into(),
                    game: self.plan.scale.name().into(),
                    parameters,
                    seed: self.plan.seed,
                    steps: 1,
                };
                store.begin(self.home, &new)?
            }
        };
        // A reproduction keeps everything in its own folder.
        let _ = std::fs::remove_dir(self.home.run_folder(run.id));
        store.set_folder(run.id, self.folder)?;
        Ok(run)
    }
}
