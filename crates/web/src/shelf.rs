//! The models a player can be made from, held in memory: the zoo that ships inside the program, and the newest state of each
//! training. A client names them by a short word, never by a path.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use ludens_core::{Game, Mind, MindError, Model};
use ludens_learners::{registry, zoo};

use crate::catalog::{LevelInfo, MindInfo, registered_mind, title};

/// One model under a name.
#[derive(Clone, Debug)]
pub struct Shelved {
    pub model: Arc<Model>,
    pub title: String,
    pub summary: String,
    pub kind: &'static str,
    /// The rungs of its past, beginner first.
    pub levels: Vec<LevelInfo>,
    /// Grows with every new state, so that a mind made from an older one is not used again.
    pub version: u64,
}

#[derive(Default, Debug)]
pub struct Shelf {
    models: Mutex<BTreeMap<String, Shelved>>,
}

impl Shelf {
    pub fn put(&self, name: &str, shelved: Shelved) {
        self.lock().insert(name.into(), shelved);
    }

    pub fn remove(&self, name: &str) {
        self.lock().remove(name);
    }

    pub fn get(&self, name: &str) -> Option<Shelved> {
        self.lock().get(name).cloned()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Shelved>> {
        self.models.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn minds_for(&self, game: &str) -> Vec<MindInfo> {
        let models = self.lock();
        let fitting = models.iter().filter(|(_, shelved)| shelved.model.game == game);
        fitting
            .map(|(name, shelved)| MindInfo {
                name: name.clone(),
                title: if shelved.title.is_empty() { title(name) } else { shelved.title.clone() },
                summary: shelved.summary.clone(),
                kind: shelved.kind,
                settings: Vec::new(),
                levels: shelved.levels.clone(),
            })
            .collect()
    }

    /// Distinguishes two states of what bears the same name.
    pub fn version(&self, name: &str) -> u64 {
        self.lock().get(name).map_or(0, |shelved| shelved.version)
    }

    /// The mind called `text`: a model of the shelf, or a classical one.
    pub fn mind<G: Game>(&self, game: &Arc<G>, text: &str) -> Result<Box<dyn Mind<G>>, MindError> {
        match self.get(text) {
            Some(shelved) => Ok(registry::load_learner(game, &shelved.model)?),
            None => registered_mind(game, text),
        }
    }
}

impl Shelf {
    /// Puts the trained players that ship inside the program on the shelf, each with the rungs of its past.
    pub fn stock(&self) {
        for animal in zoo::all() {
            let best = animal.levels.len();
            // A model that cannot be read is left out; the zoo's own test says so.
            let Some(Ok(model)) = zoo::model(&animal.name, best) else { continue };
            let name = format!("zoo:{}", animal.name);
            let rung = |level: &zoo::Level| LevelInfo {
                name: if level.level == best {
                    name.clone()
                } else {
                    format!("{name},level={}", level.level)
                },
                level: level.level,
                step: level.step,
                elo: Some(level.elo),
                elo_plus_minus: Some(level.elo_plus_minus),
            };
            let (title, more) = animal.title.split_once(": ").unwrap_or((&animal.title, &animal.learner));
            let shelved = Shelved {
                model: Arc::new(model),
                title: title.into(),
                summary: format!("{more}; {} steps, seed {}", animal.steps, animal.seed),
                kind: "learnt",
                levels: animal.levels.iter().map(rung).collect(),
                version: 1,
            };
            self.put(&name, shelved);
        }
    }
}

/// Whether `text` can be the name of a mind at all: short, and without anything a path needs.
pub fn is_mind_name(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.:,=+@".contains(c);
    !text.is_empty() && text.len() <= 160 && text.chars().all(allowed) && !text.contains("..")
}
