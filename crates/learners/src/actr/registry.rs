//! The backgammon players by name.

use ludens_core::{Game, Learner};
use ludens_games::backgammon::Backgammon;

use super::pubeval::Pubeval;
use super::published::{self, ActR};
use crate::registry::{LearnerEntry, MindEntry, learner_only_for, only_for};

/// Why these refuse other games.
const BACKGAMMON_ONLY: &str = "it was made for backgammon";

pub fn minds<G: Game>() -> Vec<MindEntry<G>> {
    vec![MindEntry {
        name: "pubeval",
        summary: "backgammon: Gerald Tesauro's linear benchmark player",
        settings: &[],
        make: |game, _| only_for(game, "pubeval", BACKGAMMON_ONLY, |_| Ok(Box::<Pubeval>::default())),
    }]
}

pub fn learners<G: Game>() -> Vec<LearnerEntry<G>> {
    vec![LearnerEntry {
        name: published::NAME,
        summary: "backgammon: ACT-R-Gammon of paper 004, odds of attack, expose and block",
        settings: published::SETTINGS,
        make: |game, spec| {
            let settings = published::Settings::from_spec(spec)?;
            learner_only_for(game, published::NAME, BACKGAMMON_ONLY, |_| Ok(Box::new(ActR::new(settings))))
        },
        load: |game, model| {
            learner_only_for(game, published::NAME, BACKGAMMON_ONLY, |game: std::sync::Arc<Backgammon>| {
                Ok(Box::new(ActR::load(&game, model)?))
            })
        },
    }]
}
