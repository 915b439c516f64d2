//! The zoo: small trained models inside the program, so that there are trained opponents at once.
//!
//! A model's levels are its own past: the ladder of checkpoints of its training. `cargo xtask zoo` rebuilds all of them from
//! the seeds in `zoo/zoo.toml`, byte for byte, and measures their Elo in the arena.

use std::sync::Arc;

use ludens_core::{Game, Learner, MindError, Model, Spec};
use serde::Deserialize;

use crate::registry;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/zoo_files.rs"));
}

/// What `zoo/zoo.json` says of a model: written by `cargo xtask zoo`.
#[derive(Clone, PartialEq, Debug, Deserialize, serde::Serialize)]
pub struct Animal {
    /// Used as `zoo:NAME`.
    pub name: String,
    pub title: String,
    pub game: String,
    pub learner: String,
    pub steps: u64,
    pub seed: u64,
    /// Beginner first, best last.
    pub levels: Vec<Level>,
}

/// One rung of the ladder.
#[derive(Clone, PartialEq, Debug, Deserialize, serde::Serialize)]
pub struct Level {
    /// 1 is the beginner.
    pub level: usize,
    /// Steps of training behind it.
    pub step: u64,
    /// Against the other levels and the simple minds of the same game; a random player has 0.
    pub elo: f64,
    pub elo_plus_minus: f64,
    pub games: u64,
    /// CRC-32 of the model file.
    pub checksum: String,
}

/// All models, in the order of the manifest.
pub fn all() -> Vec<Animal> {
    serde_json::from_str(include_str!("../zoo/zoo.json")).unwrap_or_default()
}

/// The file of a level: `NAME.3`.
pub fn file_of(name: &str, level: usize) -> String {
    format!("{name}.{level}")
}

/// The model of a level.
pub fn model(name: &str, level: usize) -> Option<Result<Model, ludens_core::ModelError>> {
    let file = file_of(name, level);
    embedded::FILES.iter().find(|(found, _)| *found == file).map(|(_, bytes)| Model::from_bytes(bytes))
}

/// The mind `zoo:NAME,level=…`: a number, `beginner` or `best` (the default).
pub fn make<G: Game>(game: &Arc<G>, spec: &mut Spec) -> Result<Box<dyn Learner<G>>, MindError> {
    let animals = all();
    let fitting: Vec<&Animal> = animals.iter().filter(|animal| animal.game == game.id()).collect();
    let animal = match spec.take::<String>("variant", "the name of a model")? {
        // Without a name: the first that plays the game.
        None => fitting.first().copied().ok_or_else(|| MindError::WrongGame {
            mind: "zoo".into(),
            game: game.id(),
            reason: "no model of the zoo was trained on it".into(),
        })?,
        Some(name) => animals.iter().find(|animal| animal.name == name).ok_or_else(|| {
            let names: Vec<&str> = fitting.iter().map(|animal| animal.name.as_str()).collect();
            let names = if names.is_empty() { "none".into() } else { names.join(", ") };
            MindError::Other(format!(
                "the zoo has no {name:?}; for {} there is {names}. `ludens zoo` lists them all",
                game.id()
            ))
        })?,
    };
    level(game, animal, spec)
}

/// A learner named as a mind: the zoo's first model that it trained on this game.
pub fn trained_by<G: Game>(game: &Arc<G>, mut spec: Spec) -> Result<Box<dyn Learner<G>>, MindError> {
    let by_it = |animal: &&Animal| {
        animal.game == game.id() && animal.learner.split([':', ',']).next() == Some(&spec.name)
    };
    let animals = all();
    let animal = animals.iter().find(by_it).ok_or_else(|| {
        MindError::Other(format!(
            "{} learns before it plays, and the zoo has no model of it for {game}: \
             `ludens train {} --game {game} --out MODEL.safetensors`, then name that file",
            spec.name,
            spec.name,
            game = game.id()
        ))
    })?;
    let learner = level(game, animal, &mut spec)?;
    spec.finish(&["level"])?;
    Ok(learner)
}

fn level<G: Game>(game: &Arc<G>, animal: &Animal, spec: &mut Spec) -> Result<Box<dyn Learner<G>>, MindError> {
    let best = animal.levels.len();
    let wanted = spec.take_or("level", "best".to_string(), "a number, beginner or best")?;
    let number = match wanted.as_str() {
        "best" => best,
        "beginner" => 1,
        number => number.parse().unwrap_or(0),
    };
    let expected = format!("from 1 (beginner) to {best} (best)");
    match model(&animal.name, number) {
        Some(model) => registry::load_learner(game, &model?),
        None => Err(spec.wrong("level", &wanted, &expected).into()),
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::GameVisitor;

    use super::*;

    struct Plays<'a>(&'a str);

    impl GameVisitor for Plays<'_> {
        type Out = Result<(), MindError>;
        fn visit<G: Game>(self, game: Arc<G>) -> Self::Out {
            registry::make_mind(&game, self.0).map(|_| ())
        }
    }

    #[test]
    fn every_level_plays_its_game_and_no_other() {
        for animal in all() {
            for level in 1..=animal.levels.len() {
                let name = format!("zoo:{},level={level}", animal.name);
                ludens_games::with_game(&animal.game, Plays(&name)).unwrap().unwrap();
            }
            let name = format!("zoo:{}", animal.name);
            ludens_games::with_game(&animal.game, Plays(&format!("{name},level=beginner"))).unwrap().unwrap();
            let learner = animal.learner.split([':', ',']).next().unwrap();
            ludens_games::with_game(&animal.game, Plays(learner)).unwrap().unwrap();
            for wrong in ["level=0", "level=99", "level=x"] {
                let made = ludens_games::with_game(&animal.game, Plays(&format!("{name},{wrong}"))).unwrap();
                assert!(made.is_err(), "{wrong}");
            }
            let other = if animal.game == "tic-tac-toe" { "reversi" } else { "tic-tac-toe" };
            assert!(ludens_games::with_game(other, Plays(&name)).unwrap().is_err());
        }
    }

    /// Every level the list names is inside the program, whole, and of the game it says.
    #[test]
    fn the_zoo_is_complete() {
        let animals = all();
        let listed: usize = animals.iter().map(|animal| animal.levels.len()).sum();
        assert_eq!(listed, embedded::FILES.len(), "zoo.json and the files differ: run `cargo xtask zoo`");
        for animal in &animals {
            for level in &animal.levels {
                let model = model(&animal.name, level.level).unwrap().unwrap();
                assert_eq!(model.game, animal.game);
                let checksum = format!("{:08x}", crc32fast::hash(&model.to_bytes()));
                assert_eq!(checksum, level.checksum, "{} level {}", animal.name, level.level);
            }
            assert!(animal.levels.windows(2).all(|two| two[0].step < two[1].step));
        }
    }
}
