//! The names under which the concept player is known.

use ludens_core::{Game, Learner};

use super::learner::{ConceptLearner, NAME, SETTINGS};
use crate::registry::{LearnerEntry, MindEntry};

pub fn mind<G: Game>() -> MindEntry<G> {
    MindEntry {
        name: NAME,
        summary: "depth 1 with explicit concepts found in random games, learnt on the spot",
        settings: SETTINGS,
        make: |game, spec| Ok(Box::new(ConceptLearner::new(&**game, spec)?)),
    }
}

pub fn learner<G: Game>() -> LearnerEntry<G> {
    LearnerEntry {
        name: NAME,
        summary: "explicit, readable concepts from random games",
        settings: SETTINGS,
        make: |game, spec| Ok(Box::new(ConceptLearner::new(&**game, spec)?)),
        load: |game, model| Ok(Box::new(<ConceptLearner as Learner<G>>::load(game, model)?)),
    }
}
