//! Training with everything around it: the store, the progress bar, Ctrl-C.

use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use ludens_catalogue::House;
use ludens_core::shown::shown;
use ludens_core::{Front, Measure, Stop};
use ludens_lab::registered::Parameters;
use ludens_lab::runs::{Run, RunStatus, Store};
use ludens_lab::train::{Trained, Watcher, train};
use ludens_lab::{Home, LabError};
use serde::Serialize;

use crate::interrupt;
use crate::out::Stopped;

/// How long a step may go on after Ctrl-C, so that what it learns is kept; a longer one is done again by `resume`.
const PATIENCE: Duration = Duration::from_secs(5);

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
pub fn go(house: &House, home: &Home, run: &Run, parameters: &Parameters) -> anyhow::Result<Ended> {
    let stop = interrupt::stop();
    interrupt::advise(format!("`ludens resume {}` goes on from the last checkpoint", run.id));
    let front = house.games.open(&parameters.game(run))?;
    let outcome = work(&*front, home, run, parameters, stop);
    let model = parameters.conclude(&Store::open(home)?, run, &outcome)?;
    let step = outcome?.step;
    if model.is_none() {
        let advice = format!("run {} stands at step {step}: `ludens resume {}` goes on", run.id, run.id);
        return Err(Stopped(advice).into());
    }
    Ok(Ended { run: run.id, status: RunStatus::Finished, step, model, folder: run.folder.clone() })
}

fn work(
    front: &dyn Front,
    home: &Home,
    run: &Run,
    parameters: &Parameters,
    stop: Stop,
) -> Result<Trained, LabError> {
    let mut screen = Screen { store: Store::open(home)?, run: run.id, bar: ProgressBar::new(0), stop };
    screen.bar.set_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len}  {per_sec}  {eta} left  {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let every = Duration::from_secs_f64(parameters.checkpoint.max(0.0));
    let trained = train(front, &parameters.training, &run.folder, every, &mut screen);
    screen.bar.finish_and_clear();
    trained
}

struct Screen {
    store: Store,
    run: i64,
    bar: ProgressBar,
    stop: Stop,
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

    fn word(&mut self, word: &str) {
        self.bar.suspend(|| crate::out::say(format_args!("{}", shown(word))));
    }

    fn go_on(&mut self) -> bool {
        !self.stop.is_asked()
    }

    fn stop(&self) -> Stop {
        self.stop.patient(PATIENCE)
    }
}
