//! A training as an iterator over its steps. It goes on in a thread of its own, a little ahead of who iterates, and is kept like every other run.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use ludens_core::{Measure, MindError, Spec, Stop};
use ludens_lab::registered::Parameters;
use ludens_lab::runs::{Run, RunStatus, Store};
use ludens_lab::train::{Trained, Training as Settings, Watcher, train};
use ludens_lab::{Home, LabError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{said, wrong};
use crate::game::Game;
use crate::model::Model;
use crate::work::lock;

/// How far the training may be ahead of who iterates.
const AHEAD: usize = 4096;
/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(50);
/// How long a step may go on after it was asked to end, so that what it learns is kept.
const PATIENCE: Duration = Duration::from_secs(5);

/// The finished model, where the training came to its end.
type Ended = Result<Option<PathBuf>, LabError>;

struct Step {
    step: u64,
    steps: u64,
    measures: Vec<Measure>,
}

/// A training: iterate over it for the measures of every step; `model` is there at its end.
#[pyclass(module = "ludens", frozen)]
pub struct Training {
    /// The number of the run in the store.
    #[pyo3(get)]
    run: i64,
    /// The folder of the run.
    #[pyo3(get)]
    folder: PathBuf,
    /// How many steps it has at most.
    #[pyo3(get)]
    steps: u64,
    home: Home,
    stop: Stop,
    game: Py<Game>,
    steps_done: Mutex<Receiver<Step>>,
    worker: Mutex<Option<JoinHandle<Ended>>>,
    ended: Mutex<Option<Result<Option<PathBuf>, String>>>,
}

impl std::fmt::Debug for Training {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Training").field("run", &self.run).finish_non_exhaustive()
    }
}

impl Drop for Training {
    fn drop(&mut self) {
        // Nobody listens any more: it ends at a checkpoint.
        self.stop.ask();
    }
}

struct Reporter {
    store: Store,
    run: i64,
    stop: Stop,
    steps: SyncSender<Step>,
}

impl Watcher for Reporter {
    fn begin(&mut self, step: u64, steps: u64) -> Result<(), LabError> {
        self.store.set_status(self.run, RunStatus::Running, "")?;
        self.store.forget_after(self.run, step)?;
        self.store.keep(self.run, step, steps, &[])
    }

    fn keep(&mut self, step: u64, steps: u64, measures: &[(u64, Measure)]) -> Result<(), LabError> {
        self.store.keep(self.run, step, steps, measures)
    }

    fn progress(&mut self, step: u64, steps: u64, measures: &[Measure]) {
        // Whoever has left does not want to know.
        let _ = self.steps.send(Step { step, steps, measures: measures.to_vec() });
    }

    fn go_on(&mut self) -> bool {
        !self.stop.is_asked()
    }

    fn stop(&self) -> Stop {
        self.stop.patient(PATIENCE)
    }
}

/// What the thread needs.
struct Worker {
    front: std::sync::Arc<dyn ludens_core::Front>,
    _games: std::sync::Arc<ludens_core::Games>,
    home: Home,
    run: Run,
    parameters: Parameters,
}

impl Worker {
    fn work(self, mut reporter: Reporter) -> Ended {
        let every = Duration::from_secs_f64(self.parameters.checkpoint);
        let training = &self.parameters.training;
        let outcome: Result<Trained, LabError> =
            train(&*self.front, training, &self.run.folder, every, &mut reporter);
        let model = self.parameters.conclude(&Store::open(&self.home)?, &self.run, &outcome)?;
        outcome?;
        Ok(model)
    }
}

#[pymethods]
impl Training {
    /// Begins a training; the same learner, settings, steps and seed give the same bytes as `ludens train`.
    #[new]
    #[pyo3(signature = (learner, game, steps=None, seed=1, out=None, home=None, checkpoint=20.0))]
    fn new(
        learner: &str,
        game: Py<Game>,
        steps: Option<u64>,
        seed: u64,
        out: Option<PathBuf>,
        home: Option<PathBuf>,
        checkpoint: f64,
    ) -> PyResult<Training> {
        if !(0.0..=1e6).contains(&checkpoint) {
            return Err(wrong("checkpoint is a number of seconds from 0 to 1000000"));
        }
        let front = game.get().front().clone();
        let spec: Spec = learner.parse().map_err(MindError::from).map_err(said)?;
        // Made once, so that a wrong name or setting leaves no run behind.
        let trainee = front.learner(spec.clone()).map_err(said)?;
        game.get().trouble().raise()?;
        let wanted = steps.unwrap_or_else(|| trainee.default_steps());
        let named = match &game.get().origin {
            crate::house::Origin::Named(name) => name.clone(),
            crate::house::Origin::Rules { file: Some(file), .. } => file.clone(),
            _ => front.id(),
        };
        let training = Settings { learner: spec.to_string(), game: named, steps, seed };
        let out = out.map(std::path::absolute).transpose()?;
        let parameters = Parameters { training, out, checkpoint };
        let home = Home::open(home.as_deref()).map_err(said)?;
        let store = Store::open(&home).map_err(said)?;
        let run = parameters.begin(&store, &home, wanted).map_err(said)?;
        let (sender, receiver) = sync_channel(AHEAD);
        let stop = Stop::new();
        let reporter = Reporter { store, run: run.id, stop: stop.clone(), steps: sender };
        let (id, folder) = (run.id, run.folder.clone());
        game.get().trouble().watch(Some(&stop));
        let games = game.get().opened.games.clone();
        let worker = Worker { front, _games: games, home: home.clone(), run, parameters };
        let worker = std::thread::Builder::new().stack_size(16 << 20).spawn(move || worker.work(reporter))?;
        Ok(Training {
            run: id,
            folder,
            steps: wanted,
            home,
            stop,
            game,
            steps_done: Mutex::new(receiver),
            worker: Mutex::new(Some(worker)),
            ended: Mutex::new(None),
        })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// The measures of the next step: its number under "step", the rest by their names.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        loop {
            // `list(training)` gives Python no occasion to look by itself.
            py.check_signals().inspect_err(|_| self.stop.ask())?;
            match py.detach(|| lock(&self.steps_done).recv_timeout(LOOK)) {
                Ok(step) => {
                    let told = PyDict::new(py);
                    told.set_item("step", step.step)?;
                    told.set_item("steps", step.steps)?;
                    for measure in step.measures {
                        told.set_item(measure.name, measure.value)?;
                    }
                    return Ok(Some(told));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.end(py)?;
                    return Ok(None);
                }
            }
        }
    }

    /// Asks it to end; it stands at a checkpoint then, and `ludens resume` goes on.
    fn stop(&self) {
        self.stop.ask();
    }

    /// The trained player; waits for the end of the training. None where it was stopped.
    fn model(&self, py: Python<'_>) -> PyResult<Option<Model>> {
        while self.__next__(py)?.is_some() {}
        match self.end(py)? {
            Some(path) => {
                let model = ludens_core::Model::load(&path).map_err(said)?;
                Ok(Some(Model { inner: std::sync::Arc::new(model) }))
            }
            None => Ok(None),
        }
    }

    /// The folder of the store it is kept in.
    #[getter]
    fn home(&self) -> &std::path::Path {
        self.home.root()
    }

    fn __repr__(&self) -> String {
        format!("<training {} in {}>", self.run, self.folder.display())
    }
}

impl Training {
    /// Takes the end of the thread, once.
    fn end(&self, py: Python<'_>) -> PyResult<Option<PathBuf>> {
        if let Some(worker) = lock(&self.worker).take() {
            let ended = py.detach(|| worker.join());
            let ended = match ended {
                Ok(ended) => ended.map_err(|error| error.to_string()),
                Err(_) => Err("the training failed: this is a bug of Ludens".into()),
            };
            *lock(&self.ended) = Some(ended);
            self.game.get().trouble().watch(None);
        }
        self.game.get().trouble().raise()?;
        match &*lock(&self.ended) {
            Some(Ok(path)) => Ok(path.clone()),
            Some(Err(problem)) => Err(wrong(problem.clone())),
            None => Ok(None),
        }
    }
}
