//! The models a player can be made from, held in memory: the zoo that ships inside the program, and the newest state of each
//! training. A client names them by a short word, never by a path.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use ludens_catalogue::House;
use ludens_core::{Animal, Level, Model, Models, Zoo};
use ludens_lab::runs::{Run, RunStatus};
use ludens_lab::train::Places;

use crate::catalog::{LevelInfo, MindInfo};
use crate::training::{mind_of, newest};

/// One model under a name.
#[derive(Clone, Debug)]
pub(crate) struct Shelved {
    pub(crate) model: Arc<Model>,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) kind: &'static str,
    /// The rungs of its past, beginner first.
    pub(crate) levels: Vec<LevelInfo>,
    /// For a run of this machine: the steps and files of its ladder.
    pub(crate) ladder: Vec<(u64, PathBuf)>,
    /// Grows with every new state, so that a mind made from an older one is not used again.
    pub(crate) version: u64,
}

/// All models that can be played here.
#[derive(Debug)]
pub(crate) struct Shelf {
    models: Mutex<BTreeMap<String, Shelved>>,
    /// What people call each learner.
    titles: BTreeMap<String, String>,
}

/// Nothing but these models and the lists: a name a client gives is never taken for a file.
impl Models for Shelf {
    fn find(&self, name: &str) -> Option<Arc<Model>> {
        self.get(name).map(|shelved| shelved.model)
    }

    fn only_lists(&self) -> bool {
        true
    }
}

impl Shelf {
    /// With the trained players that ship inside the program.
    pub(crate) fn new(house: &House) -> Shelf {
        let (_, learners) = house.everybody();
        let titles = learners.into_iter().map(|about| (about.name, about.title)).collect();
        let (shelf, zoo) = (Shelf { models: Mutex::default(), titles }, house.games.zoo());
        for animal in zoo.animals() {
            shelf.put_animal(zoo, animal);
        }
        shelf
    }

    pub(crate) fn put(&self, name: &str, shelved: Shelved) {
        self.lock().insert(name.into(), shelved);
    }

    /// What is called `name`; `run-3@500` is what run 3 knew after 500 steps.
    pub(crate) fn get(&self, name: &str) -> Option<Shelved> {
        if let Some(found) = self.lock().get(name) {
            return Some(found.clone());
        }
        let (run, step) = name.split_once('@')?;
        let step: u64 = step.parse().ok()?;
        let whole = self.lock().get(run)?.clone();
        let (_, path) = whole.ladder.iter().find(|(rung, _)| *rung == step)?;
        let model = Arc::new(Model::load(path).ok()?);
        let summary = format!("what it knew after {step} steps");
        Some(Shelved { model, summary, levels: Vec::new(), ladder: Vec::new(), ..whole })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Shelved>> {
        self.models.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn minds_for(&self, game: &str) -> Vec<MindInfo> {
        let models = self.lock();
        let fitting = models.iter().filter(|(_, shelved)| shelved.model.game == game);
        fitting
            .map(|(name, shelved)| MindInfo {
                name: name.clone(),
                title: shelved.title.clone(),
                summary: shelved.summary.clone(),
                kind: shelved.kind,
                settings: Vec::new(),
                levels: shelved.levels.clone(),
            })
            .collect()
    }

    /// Distinguishes two states of what bears the same name.
    pub(crate) fn version(&self, name: &str) -> u64 {
        self.lock().get(name).map_or(0, |shelved| shelved.version)
    }

    /// Puts the newest state of a run on the shelf, with the rungs of its past; returns its model.
    pub(crate) fn put_run(&self, run: &Run) -> Option<Arc<Model>> {
        let model = Arc::new(newest(&run.folder)?);
        let name = mind_of(run);
        let ladder = Places::new(&run.folder).ladder();
        let measured = ludens_lab::levels::of_run(&run.folder);
        let rung = |(index, (step, _)): (usize, &(u64, PathBuf))| {
            let found = measured.iter().find(|level| level.step == *step);
            LevelInfo {
                name: format!("{name}@{step}"),
                level: index + 1,
                step: *step,
                elo: found.map(|level| level.elo),
                elo_plus_minus: found.map(|level| level.elo_plus_minus),
            }
        };
        let finished = run.status == RunStatus::Finished;
        let learner = run.name.split(':').next().unwrap_or(&run.name);
        // A run of a learner that this house does not have still has its name.
        let learner = self.titles.get(learner).map_or(learner, String::as_str);
        let state = if finished {
            "learnt on this machine"
        } else {
            "learning on this machine; you play what it knows now"
        };
        let shelved = Shelved {
            model: model.clone(),
            title: format!("{learner}, run {}", run.id),
            summary: format!("{state}; {} of {} steps, seed {}", run.step, run.steps, run.seed),
            kind: if finished { "learnt" } else { "training" },
            levels: if finished { ladder.iter().enumerate().map(rung).collect() } else { Vec::new() },
            ladder,
            version: self.version(&name) + 1,
        };
        self.put(&name, shelved);
        Some(model)
    }

    /// Puts a trained player of the zoo on the shelf, with the rungs of its past.
    fn put_animal(&self, zoo: &Zoo, animal: &Animal) {
        let best = animal.levels.len();
        // A model that cannot be read is left out; the zoo's own test says so.
        let Some(Ok(model)) = zoo.model(&animal.name, best) else { return };
        let name = format!("zoo:{}", animal.name);
        let rung = |level: &Level| LevelInfo {
            name: if level.level == best { name.clone() } else { format!("{name},level={}", level.level) },
            level: level.level,
            step: level.step,
            elo: Some(level.elo),
            elo_plus_minus: Some(level.elo_plus_minus),
        };
        // A short name, and a line below it.
        let learner = animal.learner_name();
        let title = self.titles.get(learner).map_or(learner, String::as_str);
        let shelved = Shelved {
            model: Arc::new(model),
            title: title.into(),
            summary: animal.title.clone(),
            kind: "learnt",
            levels: animal.levels.iter().map(rung).collect(),
            ladder: Vec::new(),
            version: 1,
        };
        self.put(&name, shelved);
    }
}
