//! The backgammon players by name.

use std::sync::Arc;

use ludens_core::{Game, Learner, MindError};
use ludens_games::backgammon::Backgammon;

use super::gnubg::Gnubg;
use super::lines::LineOdds;
use super::pubeval::Pubeval;
use super::{gnubg, hc, improved, lines, published, rehearsed, td};
use crate::registry::{LearnerEntry, MindEntry, learner_only_for, only_for};

/// Why these refuse other games.
const BACKGAMMON_ONLY: &str = "it was made for backgammon";

/// An entry for a learner that plays backgammon only and is made from its module's `Settings`.
macro_rules! learner {
    ($module:ident :: $player:ident, $summary:literal) => {
        LearnerEntry {
            name: $module::NAME,
            summary: $summary,
            settings: $module::SETTINGS,
            make: |game, spec| {
                let settings = $module::Settings::from_spec(spec)?;
                learner_only_for(game, $module::NAME, BACKGAMMON_ONLY, |_: Arc<Backgammon>| {
                    Ok(Box::new($module::$player::new(settings)))
                })
            },
            load: |game, model| {
                learner_only_for(game, $module::NAME, BACKGAMMON_ONLY, |game: Arc<Backgammon>| {
                    Ok(Box::new($module::$player::load(&game, model)?))
                })
            },
        }
    };
}

pub fn minds<G: Game>() -> Vec<MindEntry<G>> {
    vec![
        MindEntry {
            name: "pubeval",
            summary: "backgammon: Gerald Tesauro's linear benchmark player",
            settings: &[],
            make: |game, _| only_for(game, "pubeval", BACKGAMMON_ONLY, |_| Ok(Box::<Pubeval>::default())),
        },
        MindEntry {
            name: "gnubg",
            summary: "backgammon: GNU Backgammon, started and asked over its socket",
            settings: gnubg::SETTINGS,
            make: |game, spec| {
                let plies: u8 = spec.take_or("plies", 0, "0 to 3")?;
                only_for(game, "gnubg", BACKGAMMON_ONLY, |_| {
                    let started = Gnubg::start(plies.min(3));
                    Ok(Box::new(started.map_err(|error| MindError::Other(error.to_string()))?))
                })
            },
        },
    ]
}

pub fn learners<G: Game>() -> Vec<LearnerEntry<G>> {
    vec![
        learner!(published::ActR, "backgammon: ACT-R-Gammon of paper 004, odds of attack, expose and block"),
        learner!(improved::Improved, "backgammon: our best with fewer than 50 chunks and 1,000 games"),
        learner!(rehearsed::Rehearsed, "backgammon: our best with 1,000 games, which it rehearses"),
        learner!(td::Td, "backgammon: a network trained by TD(λ) against itself"),
        learner!(hc::HillClimber, "backgammon: HC-Gammon, hill climbing from a network of zeros"),
        LearnerEntry {
            name: lines::NAME,
            summary: "the odds memory of actr over the lines of any board",
            settings: lines::SETTINGS,
            make: |game, spec| Ok(Box::new(LineOdds::new(&**game, lines::Settings::from_spec(spec)?))),
            load: |game, model| Ok(Box::new(LineOdds::load(&**game, model)?)),
        },
    ]
}
