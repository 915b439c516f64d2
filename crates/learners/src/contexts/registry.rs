//! The context players by name.

use ludens_core::{Game, Learner};
use ludens_games::connect_four::ConnectFour;
use ludens_search::connect_four_solver::SolverMind;

use super::learner::{ContextsLearner, NAME, SETTINGS, Settings};
use super::mind::ContextsMind;
use crate::registry::{LearnerEntry, MindEntry, learner_only_for, only_for};

/// Why these refuse other games.
const CONNECT_FOUR_ONLY: &str = "it knows Connect Four on seven columns and six rows only";

pub fn minds<G: Game>() -> Vec<MindEntry<G>> {
    vec![
        MindEntry {
            name: "solver",
            summary: "Connect Four: the perfect player",
            settings: &[],
            make: |game, _| only_for(game, "solver", CONNECT_FOUR_ONLY, |_| Ok(Box::<SolverMind>::default())),
        },
        MindEntry {
            name: NAME,
            summary: "Connect Four: ranks the moves by their contexts, without search",
            settings: &[],
            make: |game, _| {
                only_for(game, NAME, CONNECT_FOUR_ONLY, |_| Ok(Box::new(ContextsMind::shipped()?)))
            },
        },
    ]
}

pub fn learners<G: Game>() -> Vec<LearnerEntry<G>> {
    vec![LearnerEntry {
        name: NAME,
        summary: "Connect Four: the context network of paper 000, systems S1–S4",
        settings: SETTINGS,
        make: |game, spec| {
            let settings = Settings::from_spec(spec)?;
            learner_only_for(game, NAME, CONNECT_FOUR_ONLY, |_| {
                Ok(Box::new(ContextsLearner::new(&settings)?))
            })
        },
        load: |game, model| {
            learner_only_for(game, NAME, CONNECT_FOUR_ONLY, |game: std::sync::Arc<ConnectFour>| {
                Ok(Box::new(ContextsLearner::load(&game, model)?))
            })
        },
    }]
}
