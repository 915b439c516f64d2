//! One way to train anything.
//!
//! Step number n draws from the stream (seed, n), and everything else a learner needs is in its model: a training that
//! was stopped anywhere goes on from its last checkpoint to the same bytes. On the way it leaves a ladder of models, whose
//! steps depend on the length of the training alone: the player's own past, from beginner to best.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ludens_core::{Budget, Ctx, Front, Measure, Meter, MindError, Model, ModelError, Rng, Stop, Trainee};
use serde::{Deserialize, Serialize};

use crate::LabError;

/// How many models a ladder has at most, the finished one included.
pub const LEVELS: u32 = 10;

/// Everything a trained model depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Training {
    /// `name:key=value,…`.
    pub learner: String,
    /// The name of the game.
    pub game: String,
    /// Units of experience; without it the learner's own number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// Step n draws from the stream (seed, n).
    pub seed: u64,
}

/// Who watches a training: the store and the progress bar.
pub trait Watcher {
    /// The training begins, or goes on, after `step`.
    fn begin(&mut self, step: u64, steps: u64) -> Result<(), LabError>;
    /// Keep these measures; a checkpoint at `step` follows once they are kept.
    fn keep(&mut self, step: u64, steps: u64, measures: &[(u64, Measure)]) -> Result<(), LabError>;
    /// Called after every step.
    fn progress(&mut self, step: u64, steps: u64, measures: &[Measure]);
    /// False: the user wants to leave. Asked between two steps, so that what was learnt is kept.
    fn go_on(&mut self) -> bool;
    /// Something the user should know: a damaged checkpoint, and what was done about it.
    fn word(&mut self, _word: &str) {}
    /// Who may end a step in its middle: the training stands at its last checkpoint then, and does the rest again.
    fn stop(&self) -> Stop {
        Stop::default()
    }
}

/// How a training ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trained {
    /// The last step done.
    pub step: u64,
    /// None when it was stopped: the checkpoint waits.
    pub model: Option<PathBuf>,
}

/// What a checkpoint and a finished model say about their training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingMark {
    /// What was trained, and how.
    pub training: Training,
    /// The last step done.
    pub step: u64,
    /// How many steps the training has.
    pub steps: u64,
}

const MARK: &str = "training";

impl TrainingMark {
    /// That of a model.
    pub fn of(model: &Model) -> Result<TrainingMark, ModelError> {
        model.meta(MARK)
    }
}

/// The places of a training in its folder.
#[derive(Clone, Debug)]
pub struct Places {
    folder: PathBuf,
}

impl Places {
    /// Those of a training in this folder.
    pub fn new(folder: &Path) -> Places {
        Places { folder: folder.into() }
    }

    /// The finished model.
    pub fn model(&self) -> PathBuf {
        self.folder.join("model.safetensors")
    }

    /// The newest checkpoint.
    pub fn checkpoint(&self) -> PathBuf {
        self.folder.join("checkpoint.safetensors")
    }

    /// A finished training needs its checkpoints no more: the newest, the one before, and those that were found damaged.
    fn forget_checkpoints(&self) {
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with("checkpoint.safetensors") {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    fn level(&self, step: u64) -> PathBuf {
        self.folder.join(format!("level-{step:012}.safetensors"))
    }

    /// The ladder found in the folder: steps and files, in the order of learning.
    pub fn ladder(&self) -> Vec<(u64, PathBuf)> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut levels: Vec<(u64, PathBuf)> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let step = name.strip_prefix("level-")?.strip_suffix(".safetensors")?.parse().ok()?;
                Some((step, entry.path()))
            })
            .collect();
        levels.sort();
        levels
    }
}

/// The steps after which a model is kept: 0, then halves of the whole, the last one the end.
pub fn ladder_steps(steps: u64) -> Vec<u64> {
    let mut ladder: Vec<u64> = (0..LEVELS - 1).rev().map(|halvings| steps >> halvings).collect();
    ladder.insert(0, 0);
    ladder.dedup();
    ladder
}

/// Holds a run's folder for one process; the system lets go when the process ends, however it ends.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

impl RunLock {
    /// Takes the folder, or says that another process has it.
    pub fn take(folder: &Path) -> Result<RunLock, LabError> {
        let path = folder.join("lock");
        let file = File::create(&path).map_err(LabError::file(&path))?;
        // `ludens runs` touches the lock for a moment to see who is alive: try a little longer than that.
        let mut locked = file.try_lock();
        for _ in 0..10 {
            if !matches!(locked, Err(TryLockError::WouldBlock)) {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
            locked = file.try_lock();
        }
        match locked {
            Ok(()) => {
                sweep(folder);
                Ok(RunLock { _file: file })
            }
            Err(TryLockError::WouldBlock) => Err(LabError::Busy { folder: folder.into() }),
            Err(TryLockError::Error(source)) => Err(LabError::File { path, source }),
        }
    }
}

/// A killed process may leave half-written temporaries; whoever holds the lock may throw them away.
fn sweep(folder: &Path) {
    for path in leftovers(folder) {
        let _ = std::fs::remove_file(path);
    }
}

/// The temporary files in a folder.
pub(crate) fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let inner = [folder.to_path_buf(), folder.join("units"), folder.join("artefacts")];
    let entries = inner.into_iter().filter_map(|inner| std::fs::read_dir(inner).ok()).flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tmp"))
        .collect();
    found.sort();
    found
}

/// Whether some process works in the folder.
pub(crate) fn is_locked(folder: &Path) -> bool {
    File::open(folder.join("lock")).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Trains in `folder`, from its checkpoint if there is one. `every` is the time between checkpoints.
pub fn train(
    front: &dyn Front,
    training: &Training,
    folder: &Path,
    every: Duration,
    watcher: &mut dyn Watcher,
) -> Result<Trained, LabError> {
    std::fs::create_dir_all(folder).map_err(LabError::file(folder))?;
    let _lock = RunLock::take(folder)?;
    let places = Places::new(folder);
    for finding in crate::check::ready(folder)? {
        watcher.word(&finding.to_string());
    }
    // The game by its id, not as somebody spelt it: the same rules give the same bytes from any folder.
    let training = &Training { game: front.id(), ..training.clone() };
    if let Ok(model) = Model::load(&places.model()) {
        check_mark(&model, training, &places.model())?;
        let step = model.meta::<TrainingMark>(MARK)?.step;
        return Ok(Trained { step, model: Some(places.model()) });
    }
    let mut bench = Bench::open(front, training, places)?;
    watcher.begin(bench.step, bench.steps)?;
    let mut kept = Instant::now();
    while bench.step < bench.steps && !bench.learner.finished() {
        if !watcher.go_on() {
            bench.checkpoint(watcher)?;
            return Ok(Trained { step: bench.step, model: None });
        }
        match bench.advance(watcher) {
            Err(LabError::Stopped) => {
                return Ok(Trained { step: bench.kept, model: None });
            }
            advanced => advanced?,
        }
        if kept.elapsed() >= every {
            bench.checkpoint(watcher)?;
            kept = Instant::now();
        }
    }
    bench.finish(watcher)
}

/// A training in hand.
struct Bench<'a> {
    training: &'a Training,
    places: Places,
    learner: Box<dyn Trainee>,
    step: u64,
    /// The step of the last checkpoint.
    kept: u64,
    steps: u64,
    ladder: Vec<u64>,
    unkept: Vec<(u64, Measure)>,
}

impl<'a> Bench<'a> {
    fn open(front: &dyn Front, training: &'a Training, places: Places) -> Result<Bench<'a>, LabError> {
        let path = places.checkpoint();
        let (learner, step) = if path.exists() {
            let model = Model::load_checkpoint(&path)?;
            check_mark(&model, training, &path)?;
            (front.load(&model)?, model.meta::<TrainingMark>(MARK)?.step)
        } else {
            (front.learner(training.learner.parse().map_err(MindError::from)?)?, 0)
        };
        let steps = training.steps.unwrap_or_else(|| learner.default_steps());
        let (ladder, unkept) = (ladder_steps(steps), Vec::new());
        let bench = Bench { training, places, learner, step, kept: step, steps, ladder, unkept };
        if step == 0 {
            bench.keep_level()?;
        }
        Ok(bench)
    }

    fn advance(&mut self, watcher: &mut dyn Watcher) -> Result<(), LabError> {
        let mut rng = Rng::stream(self.training.seed, self.step);
        let mut meter = Meter::watched(Budget::Unlimited, watcher.stop());
        let measures = self.learner.step(&mut Ctx::new(&mut rng, &mut meter))?;
        self.step += 1;
        if self.ladder.contains(&self.step) {
            // What went wrong is said before it is kept as a level.
            self.learner.save().check_finite()?;
        }
        watcher.progress(self.step, self.steps, &measures);
        self.unkept.extend(measures.into_iter().map(|measure| (self.step, measure)));
        // The level comes before any checkpoint that lies after it, so that none is missing on resuming.
        self.keep_level()
    }

    fn keep_level(&self) -> Result<(), LabError> {
        if self.ladder.contains(&self.step) {
            self.model().write(&self.places.level(self.step))?;
        }
        Ok(())
    }

    fn model(&self) -> Model {
        let mut model = self.learner.save();
        let mark = TrainingMark { training: self.training.clone(), step: self.step, steps: self.steps };
        model.put_meta(MARK, &mark);
        model
    }

    /// The measures first: should the process die between the two, the resumed training measures again.
    fn checkpoint(&mut self, watcher: &mut dyn Watcher) -> Result<(), LabError> {
        watcher.keep(self.step, self.steps, &self.unkept)?;
        self.unkept.clear();
        self.model().write_checkpoint(&self.places.checkpoint())?;
        self.kept = self.step;
        Ok(())
    }

    fn finish(mut self, watcher: &mut dyn Watcher) -> Result<Trained, LabError> {
        watcher.keep(self.step, self.steps, &self.unkept)?;
        self.unkept.clear();
        let model = self.model();
        model.write(&self.places.level(self.step))?;
        model.write(&self.places.model())?;
        self.places.forget_checkpoints();
        Ok(Trained { step: self.step, model: Some(self.places.model()) })
    }
}

fn check_mark(model: &Model, training: &Training, path: &Path) -> Result<(), LabError> {
    let mut mark: TrainingMark = model.meta(MARK)?;
    // Models of earlier versions say how the game was spelt.
    mark.training.game.clone_from(&training.game);
    if mark.training != *training {
        return Err(LabError::OtherTraining { path: path.into() });
    }
    Ok(())
}
