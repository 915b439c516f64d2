//! The zoo: small trained models inside the program, so that there are trained opponents at once.
//!
//! A model's levels are its own past: the ladder of checkpoints of its training.

use serde::{Deserialize, Serialize};

use crate::{MindError, Model, ModelError, Spec};

/// One trained player.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
pub struct Animal {
    /// Used as `zoo:NAME`.
    pub name: String,
    /// As people call it.
    pub title: String,
    /// The game it was trained on.
    pub game: String,
    /// The learner and its settings.
    pub learner: String,
    /// Steps of its training.
    pub steps: u64,
    /// Seed of its training.
    pub seed: u64,
    /// Beginner first, best last.
    pub levels: Vec<Level>,
}

impl Animal {
    /// The name of the learner, without its settings.
    pub fn learner_name(&self) -> &str {
        self.learner.split([':', ',']).next().unwrap_or(&self.learner)
    }
}

/// One rung of the ladder.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
pub struct Level {
    /// 1 is the beginner.
    pub level: usize,
    /// Steps of training behind it.
    pub step: u64,
    /// Against the other levels and the simple minds of the same game; a random player has 0.
    pub elo: f64,
    /// The half-width of its interval.
    pub elo_plus_minus: f64,
    /// Games of the measurement.
    pub games: u64,
    /// CRC-32 of the model file.
    pub checksum: String,
}

/// The models and what is known of them.
#[derive(Clone, Default, Debug)]
pub struct Zoo {
    animals: Vec<Animal>,
    /// `NAME.3` and the bytes of level 3.
    files: Vec<(&'static str, &'static [u8])>,
}

/// The file of a level: `NAME.3`.
pub fn level_file(name: &str, level: usize) -> String {
    format!("{name}.{level}")
}

impl Zoo {
    /// A zoo from its list and its files, named as [`level_file`] says.
    pub fn new(animals: Vec<Animal>, files: Vec<(&'static str, &'static [u8])>) -> Zoo {
        Zoo { animals, files }
    }

    /// All models, in the order of the manifest.
    pub fn animals(&self) -> &[Animal] {
        &self.animals
    }

    /// How many files there are.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The model of a level.
    pub fn model(&self, name: &str, level: usize) -> Option<Result<Model, ModelError>> {
        let file = level_file(name, level);
        self.files.iter().find(|(found, _)| *found == file).map(|(_, bytes)| Model::from_bytes(bytes))
    }

    /// The first model that this learner trained on this game.
    pub fn trained_by(&self, learner: &str, game: &str) -> Option<&Animal> {
        self.animals.iter().find(|animal| animal.game == game && animal.learner_name() == learner)
    }

    /// What `zoo:NAME,level=…` names; without a name the first that plays the game.
    pub(crate) fn named(&self, game: &str, spec: &mut Spec) -> Result<Model, MindError> {
        let mut fitting = self.animals.iter().filter(|animal| animal.game == game);
        let animal = match spec.take::<String>("variant", "the name of a model")? {
            None => fitting.next().ok_or_else(|| MindError::WrongGame {
                mind: "zoo".into(),
                game: game.into(),
                reason: "no model of the zoo was trained on it".into(),
            })?,
            Some(name) => self.animals.iter().find(|animal| animal.name == name).ok_or_else(|| {
                let names: Vec<&str> = fitting.map(|animal| animal.name.as_str()).collect();
                let names = if names.is_empty() { "none".into() } else { names.join(", ") };
                MindError::Other(format!(
                    "the zoo has no {name:?}; for {game} there is {names}. `ludens zoo` lists them all"
                ))
            })?,
        };
        self.level(animal, spec)
    }

    /// The level a name asks for: a number, `beginner` or `best` (the default).
    pub(crate) fn level(&self, animal: &Animal, spec: &mut Spec) -> Result<Model, MindError> {
        let best = animal.levels.len();
        let wanted = spec.take_or("level", "best".to_string(), "a number, beginner or best")?;
        let number = match wanted.as_str() {
            "best" => best,
            "beginner" => 1,
            number => number.parse().unwrap_or(0),
        };
        match self.model(&animal.name, number) {
            Some(model) => Ok(model?),
            None => Err(spec.wrong("level", &wanted, &format!("from 1 (beginner) to {best} (best)")).into()),
        }
    }
}
