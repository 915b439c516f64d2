//! The lines of the registry.

use std::path::Path;

use ludens_core::{Game, Learner, MindError, Model, Rng, Spec, SpecError};

use super::judge::Judge;
use super::leaf::Leaf;
use super::learner::{Judged, NAME, Nhb};
use super::settings::{KEYS, Settings};
use crate::registry::{LearnerEntry, MindEntry};

pub fn learner<G: Game>() -> LearnerEntry<G> {
    LearnerEntry {
        name: NAME,
        summary: "search with a heuristic learnt online from its own matches; plays every game",
        settings: KEYS,
        make: |game, spec| Ok(Box::new(Nhb::new(&**game, Settings::read(spec)?))),
        load: |game, model| Ok(Box::new(Nhb::load(&**game, model)?)),
    }
}

/// What a model learnt, for the leaves of the common alpha-beta: of a file, or of the zoo's best for the game.
pub fn learnt<G: Game>(game: &G, file: Option<&str>) -> Result<Leaf<G::State>, MindError> {
    let (name, model) = match file {
        Some(file) => (file.to_string(), Model::load(Path::new(file))?),
        None => {
            let of_this_game = |animal: &crate::zoo::Animal| {
                animal.game == game.id() && animal.learner.split(':').next() == Some(NAME)
            };
            let animal =
                crate::zoo::all().into_iter().find(of_this_game).ok_or_else(|| MindError::WrongGame {
                    mind: "heuristic=learnt".into(),
                    game: game.id(),
                    reason: "the zoo has no model of nhb for it; train one and give its file".into(),
                })?;
            let missing = || MindError::Other(format!("the zoo lacks the best level of {}", animal.name));
            let model = crate::zoo::model(&animal.name, animal.levels.len()).ok_or_else(missing)??;
            (animal.name, model)
        }
    };
    Ok(Leaf::new(name, Nhb::load(game, &model)?.judge().clone()))
}

fn states(spec: &mut Spec) -> Result<u64, SpecError> {
    spec.take_in("states", 500, 1..=100_000_000)
}

/// The opponents of the paper's experiments.
pub fn minds<G: Game>() -> [MindEntry<G>; 2] {
    [
        MindEntry {
            name: "nhb-random",
            summary: "NHB's search with random values for a heuristic",
            settings: &[("states", "states a move (500)"), ("seed", "of the random values (0)")],
            make: |_, spec| {
                let seed = spec.take_in("seed", 0, 0..=u64::MAX)?;
                Ok(Box::new(Judged::new(Judge::Random { seed }, states(spec)?)))
            },
        },
        MindEntry {
            name: "nhb-untrained",
            summary: "NHB's search with a randomly initialised network",
            settings: &[
                ("states", "states a move (500)"),
                ("hidden", "hidden units (64)"),
                ("seed", "of the network (0)"),
            ],
            make: |game, spec| {
                let hidden = spec.take_in("hidden", 64, 1..=4096)?;
                let mut rng = Rng::new(spec.take_in("seed", 0, 0..=u64::MAX)?);
                let judge = Judge::untrained(game.encoding_len(), hidden, &mut rng);
                Ok(Box::new(Judged::new(judge, states(spec)?)))
            },
        },
    ]
}
