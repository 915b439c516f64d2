//! Training a learner while people watch: a run of the lab's store whose curve moves, and whose newest checkpoint is on the shelf to
//! be played. The model is the one `ludens train` makes of the same seed, to the byte.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ludens_core::{Front, Measure, Model, Models, Stop};
use ludens_lab::LabError;
use ludens_lab::registered::Parameters;
use ludens_lab::runs::{Metric, Run, RunStatus, Store};
use ludens_lab::train::{Places, Trained, Watcher, train};
use serde::Serialize;

use crate::measures::{Measures, STRENGTH};
use crate::shelf::Shelf;
use crate::works::Work;

/// A point of the curve: the means of the measures since the point before.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Point {
    pub(crate) step: u64,
    pub(crate) values: BTreeMap<String, f64>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Training {
    pub(crate) game: String,
    pub(crate) learner: String,
    pub(crate) seed: u64,
    pub(crate) step: u64,
    pub(crate) total: u64,
    pub(crate) curve: Vec<Point>,
    /// The name under which it can be played.
    pub(crate) mind: String,
    /// Spent learning since this server began or resumed it.
    pub(crate) seconds: f64,
    pub(crate) finished: bool,
    pub(crate) error: Option<String>,
    /// In UTC.
    pub(crate) started: String,
}

/// What measuring may take before it is left.
const EVALUATION_TIME: Duration = Duration::from_secs(5);
/// What measuring the ladder of a finished training may take.
const LOOKING_BACK: Duration = Duration::from_secs(6);
/// How long a step may go on after Stop, so that what it learns is kept.
const PATIENCE: Duration = Duration::from_secs(2);
const CURVE_POINTS: usize = 400;
/// Between two points of the curve.
const PACE: Duration = Duration::from_millis(200);
const QUICK_PACE: Duration = Duration::from_millis(12);

impl Training {
    /// A run as the store has it, without its curve.
    pub(crate) fn of(run: &Run, game: String) -> Training {
        Training {
            game,
            learner: run.name.clone(),
            seed: run.seed,
            step: run.step,
            total: run.steps,
            curve: Vec::new(),
            mind: mind_of(run),
            seconds: 0.0,
            finished: run.status == RunStatus::Finished,
            error: (run.status == RunStatus::Failed).then(|| run.message.clone()),
            started: run.started.clone(),
        }
    }
}

/// The name under which a run's player is on the shelf.
pub(crate) fn mind_of(run: &Run) -> String {
    format!("run-{}", run.id)
}

/// The curve the store has kept, thinned to what a picture can show: each point has the means since the one before.
pub(crate) fn curve(metrics: &[Metric]) -> Vec<Point> {
    let last = metrics.last().map_or(0, |metric| metric.step);
    let width = last.div_ceil(CURVE_POINTS as u64).max(1);
    let mut bins: BTreeMap<u64, (u64, Sums)> = BTreeMap::new();
    for metric in metrics {
        let (step, sums) = bins.entry(metric.step.div_ceil(width)).or_default();
        *step = (*step).max(metric.step);
        add(sums, &metric.name, metric.value);
    }
    bins.into_values().map(|(step, sums)| Point { step, values: means(sums) }).collect()
}

/// Sum and number of each measure.
type Sums = BTreeMap<String, (f64, u32)>;

fn add(sums: &mut Sums, name: &str, value: f64) {
    if !value.is_finite() {
        return;
    }
    let (sum, count) = sums.entry(name.into()).or_default();
    *sum += value;
    *count += 1;
}

fn means(sums: Sums) -> BTreeMap<String, f64> {
    sums.into_iter().map(|(name, (sum, count))| (name, sum / f64::from(count))).collect()
}

/// Trains a run of the store from where it stands to its end, or until it is stopped.
pub(crate) struct Train<'a> {
    pub(crate) work: &'a Work<Training>,
    pub(crate) front: Arc<dyn Front>,
    pub(crate) shelf: &'a Arc<Shelf>,
    pub(crate) store: Store,
    pub(crate) run: &'a Run,
    pub(crate) parameters: &'a Parameters,
}

impl Train<'_> {
    /// Trains, measures, and writes down how it ended.
    pub(crate) fn train_on(self) -> Result<(), LabError> {
        let (run, parameters, front) = (self.run, self.parameters, self.front.clone());
        let every = Duration::from_secs_f64(parameters.checkpoint.max(0.0));
        let mut watch = Watch {
            train: self,
            sums: Sums::new(),
            measures: Measures::new(),
            measured: Vec::new(),
            kept: false,
            clock: Instant::now(),
            shown: Instant::now(),
            evaluated: Instant::now(),
            evaluation_took: Duration::ZERO,
        };
        let outcome = train(&*front, &parameters.training, &run.folder, every, &mut watch);
        let measured = outcome.as_ref().map_or(Ok(()), |trained| watch.end(trained));
        // Whatever came of the measuring, the store must know that nobody works on it any more.
        parameters.conclude(&watch.train.store, run, &outcome)?;
        // Now it stands on the shelf as finished, with the rungs of its past.
        watch.shelve()?;
        let finished = outcome?.model.is_some();
        watch.train.work.change(|state| state.finished = finished);
        measured
    }
}

struct Watch<'a> {
    train: Train<'a>,
    /// The measures since the last point.
    sums: Sums,
    measures: Measures,
    /// Our own measures, not yet in the store.
    measured: Vec<(u64, Measure)>,
    /// A checkpoint has been written that is not on the shelf yet.
    kept: bool,
    clock: Instant,
    shown: Instant,
    evaluated: Instant,
    evaluation_took: Duration,
}

impl Watcher for Watch<'_> {
    fn begin(&mut self, step: u64, steps: u64) -> Result<(), LabError> {
        let (store, run) = (&mut self.train.store, self.train.run.id);
        store.set_status(run, RunStatus::Running, "")?;
        store.forget_after(run, step)?;
        store.keep(run, step, steps, &[])?;
        self.train.work.change(|state| {
            (state.step, state.total) = (step, steps);
            state.curve.retain(|point| point.step <= step);
        });
        let model = self.shelve()?;
        if step == 0 {
            self.evaluate(0, model)?;
            self.point(0);
        }
        Ok(())
    }

    fn keep(&mut self, step: u64, steps: u64, measures: &[(u64, Measure)]) -> Result<(), LabError> {
        let mut all = std::mem::take(&mut self.measured);
        all.extend_from_slice(measures);
        // The checkpoint itself is written after this.
        self.kept = true;
        self.train.store.keep(self.train.run.id, step, steps, &all)
    }

    fn progress(&mut self, step: u64, steps: u64, measures: &[Measure]) {
        for measure in measures {
            add(&mut self.sums, &measure.name, measure.value);
        }
        let seconds = self.clock.elapsed().as_secs_f64();
        self.clock = Instant::now();
        self.train.work.change(|state| {
            state.step = step;
            state.seconds += seconds;
        });
        if std::mem::take(&mut self.kept) {
            // What cannot be shown now is shown at the next checkpoint; the training goes on.
            let shelved = self.shelve();
            if self.evaluated.elapsed() > self.evaluation_took * 8 + PACE
                && let Ok(model) = shelved
            {
                let _ = self.evaluate(step, model);
            }
        }
        // A quick training still gets a curve, a slow one still moves.
        let quick = step.is_multiple_of((steps / 80).max(1)) && self.shown.elapsed() >= QUICK_PACE;
        if quick || self.shown.elapsed() >= PACE {
            self.point(step);
        }
    }

    fn go_on(&mut self) -> bool {
        !self.train.work.stop().is_asked()
    }

    fn stop(&self) -> Stop {
        self.train.work.stop().patient(PATIENCE)
    }
}

impl Watch<'_> {
    /// Puts the newest state where it can be played.
    fn shelve(&mut self) -> Result<Option<Arc<Model>>, LabError> {
        let run = self.train.store.run(self.train.run.id)?;
        Ok(self.train.shelf.put_run(&run))
    }

    /// The last point: what the finished or stopped player is worth.
    fn end(&mut self, trained: &Trained) -> Result<(), LabError> {
        let model = self.shelve()?;
        self.look_back(trained.step)?;
        self.evaluate(trained.step, model)?;
        self.point(trained.step);
        let (run, total) = (self.train.run.id, self.train.work.read(|state| state.total));
        let measured = std::mem::take(&mut self.measured);
        self.train.store.keep(run, trained.step, total, &measured)
    }

    /// A quick training is over before it can be measured twice: its ladder is measured afterwards, rung by rung, while there is time.
    fn look_back(&mut self, end: u64) -> Result<(), LabError> {
        let begun = Instant::now();
        let mind = mind_of(self.train.run);
        self.measures.forget_past();
        for (step, path) in Places::new(&self.train.run.folder).ladder() {
            let known = self.train.work.read(|state| {
                state.curve.iter().any(|point| point.step == step && point.values.contains_key(STRENGTH))
            });
            let late = begun.elapsed() > LOOKING_BACK || self.train.work.stop().is_asked();
            if known || late || step >= end {
                continue;
            }
            let Ok(model) = Model::load(&path) else { continue };
            let values = self.measure(step, Arc::new(model), &format!("{mind}@{step}"))?;
            let point = Point { step, values };
            self.train.work.change(|state| {
                let place = state.curve.partition_point(|known| known.step <= step);
                state.curve.insert(place, point);
            });
        }
        Ok(())
    }

    /// What a model is worth, for the store and for the curve.
    fn measure(
        &mut self,
        step: u64,
        model: Arc<Model>,
        mind: &str,
    ) -> Result<BTreeMap<String, f64>, LabError> {
        let models: Arc<dyn Models> = self.train.shelf.clone();
        let stop = self.train.work.stop().within(EVALUATION_TIME);
        let taken = self.measures.take(&*self.train.front, &models, (model, mind), &stop)?;
        let values = taken.iter().map(|measure| (measure.name.to_string(), measure.value)).collect();
        self.measured.extend(taken.into_iter().map(|measure| (step, measure)));
        Ok(values)
    }

    fn point(&mut self, step: u64) {
        let values = means(std::mem::take(&mut self.sums));
        self.shown = Instant::now();
        if values.is_empty() {
            return;
        }
        self.train.work.change(|state| {
            state.curve.push(Point { step, values });
            if state.curve.len() > CURVE_POINTS {
                thin(&mut state.curve);
            }
        });
    }

    /// By a copy: measuring must not disturb the learning.
    fn evaluate(&mut self, step: u64, model: Option<Arc<Model>>) -> Result<(), LabError> {
        let Some(model) = model else { return Ok(()) };
        let begun = Instant::now();
        let taken = self.measure(step, model, &mind_of(self.train.run));
        self.evaluation_took = begun.elapsed();
        self.evaluated = Instant::now();
        for (name, value) in taken? {
            add(&mut self.sums, &name, value);
        }
        Ok(())
    }
}

/// The newest model in a run's folder: the finished one, the checkpoint, or the last rung.
pub(crate) fn newest(folder: &Path) -> Option<Model> {
    let places = Places::new(folder);
    let finished = Model::load(&places.model());
    let model = finished.or_else(|_| Model::load_checkpoint(&places.checkpoint()));
    model.or_else(|error| places.ladder().last().map_or(Err(error), |(_, path)| Model::load(path))).ok()
}

/// Every other point goes, the newest stays.
fn thin(curve: &mut Vec<Point>) {
    let mut index = 0;
    let last = curve.len() - 1;
    curve.retain(|_| {
        index += 1;
        index % 2 == 1 || index > last
    });
}
