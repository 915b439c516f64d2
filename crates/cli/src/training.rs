//! Training with everything around it: the store, the progress bar, Ctrl-C.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use ludens_core::{Game, GameVisitor, Measure, Spec};
use ludens_lab::registered::Parameters;
use ludens_lab::runs::{Run, RunStatus, Store};
use ludens_lab::train::{Maker, Trained, Watcher, train};
use ludens_lab::{Home, LabError};
use ludens_learners::registry;
use serde::Serialize;

use crate::out::Stopped;
use crate::{interrupt, pick};

/// What is told of a training when it ends.
#[derive(Debug, Serialize)]
pub struct Ended {
    pub run: i64,
    pub status: RunStatus,
    pub step: u64,
    pub model: Option<PathBuf>,
    pub folder: PathBuf,
}

/// Trains a registered run from where it is to its end.
pub fn go(home: &Home, run: &Run, parameters: &Parameters) -> anyhow::Result<Ended> {
    let stop = interrupt::flag();
    interrupt::advise(format!("`ludens resume {}` goes on from the last checkpoint", run.id));
    let work = Work { home, run, parameters, stop };
    let outcome = pick::with_game(&parameters.training.game, work)?;
    let model = parameters.conclude(&Store::open(home)?, run, &outcome)?;
    let step = outcome?.step;
    if model.is_none() {
        let advice = format!("run {} stands at step {step}: `ludens resume {}` goes on", run.id, run.id);
        return Err(Stopped(advice).into());
    }
    Ok(Ended { run: run.id, status: RunStatus::Finished, step, model, folder: run.folder.clone() })
}

struct Work<'a> {
    home: &'a Home,
    run: &'a Run,
    parameters: &'a Parameters,
    stop: Arc<AtomicBool>,
}

impl GameVisitor for Work<'_> {
    type Out = Result<Trained, LabError>;

    fn visit<G: Game>(self, game: Arc<G>) -> Self::Out {
        let training = &self.parameters.training;
        let spec: Spec = training.learner.parse().map_err(ludens_core::MindError::from)?;
        let maker = Maker {
            make: &|| registry::make_learner(&game, spec.clone()),
            load: &|model| registry::load_learner(&game, model),
        };
        let mut screen = Screen {
            store: Store::open(self.home)?,
            run: self.run.id,
            bar: ProgressBar::new(0),
            stop: self.stop,
        };
        screen.bar.set_style(
            ProgressStyle::with_template("{bar:30} {pos}/{len}  {per_sec}  {eta} left  {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        let every = Duration::from_secs_f64(self.parameters.checkpoint.max(0.0));
        let trained = train(&*game, &maker, training, &self.run.folder, every, &mut screen);
        screen.bar.finish_and_clear();
        trained
    }
}

struct Screen {
    store: Store,
    run: i64,
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Watcher for Screen {
    fn begin(&mut self, step: u64, steps: u64) -> Result<(), LabError> {
        self.bar.set_length(steps);
        self.bar.set_position(step);
        self.bar.reset_eta();
        self.store.set_status(self.run, RunStatus::Running, "")?;
        self.store.forget_after(self.run, step)?;
        self.store.keep(self.run, step, steps, &[])
    }

    fn keep(&mut self, step: u64, steps: u64, measures: &[(u64, Measure)]) -> Result<(), LabError> {
        self.store.keep(self.run, step, steps, measures)
    }

    fn progress(&mut self, step: u64, _: u64, measures: &[Measure]) {
        self.bar.set_position(step);
        if !measures.is_empty() && !self.bar.is_hidden() {
            let texts: Vec<String> =
                measures.iter().map(|measure| format!("{} {:.4}", measure.name, measure.value)).collect();
            self.bar.set_message(texts.join("  "));
        }
    }

    fn go_on(&mut self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }
}
