//! The context players by name.

use ludens_core::{Game, Learner};
use ludens_games::connect_four::ConnectFour;
use ludens_search::connect_four_solver::{LIMIT as SOLVER_LIMIT, SolverMind};

use super::learner::{ContextsLearner, NAME, SETTINGS, Settings};
use super::mind::{ContextsMind, SolverOrder};
use super::ranker::{self, RankerLearner};
use crate::registry::{LearnerEntry, MindEntry, learner_only_for, only_for};

/// Why these refuse other games.
const CONNECT_FOUR_ONLY: &str = "it knows Connect Four on seven columns and six rows only";

pub fn minds<G: Game>() -> Vec<MindEntry<G>> {
    vec![
        MindEntry {
            name: "solver",
            summary: "Connect Four: the perfect player",
            settings: &[(
                "limit",
                "positions examined for a move before it gives up and plays its ranker's move; 20000000, 0 for no limit",
            )],
            make: |game, spec| {
                let limit = match spec.take_or("limit", SOLVER_LIMIT, "a number of positions")? {
                    0 => u64::MAX,
                    limit => limit,
                };
                only_for(game, "solver", CONNECT_FOUR_ONLY, |_| {
                    // A hundredth of a preference counts.
                    let order = SolverOrder::new(super::shipped::move_ranker()?, 100.0);
                    Ok(Box::new(SolverMind::limited(limit, Box::new(order))))
                })
            },
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
    vec![systems(), rankers()]
}

/// Our own ranker.
fn rankers<G: Game>() -> LearnerEntry<G> {
    LearnerEntry {
        name: ranker::NAME,
        summary: "Connect Four: our own ranker, which judges a move by its contexts",
        settings: ranker::SETTINGS,
        make: |game, spec| {
            let settings = ranker::Settings::from_spec(spec)?;
            learner_only_for(game, ranker::NAME, CONNECT_FOUR_ONLY, |_| {
                Ok(Box::new(RankerLearner::new(settings)?))
            })
        },
        load: |game, model| {
            learner_only_for(game, ranker::NAME, CONNECT_FOUR_ONLY, |game: std::sync::Arc<ConnectFour>| {
                Ok(Box::new(RankerLearner::load(&game, model)?))
            })
        },
    }
}

/// The systems of the paper.
fn systems<G: Game>() -> LearnerEntry<G> {
    LearnerEntry {
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
    }
}
