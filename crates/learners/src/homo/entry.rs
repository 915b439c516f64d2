//! How the catalogue finds it.

use std::path::Path;

use ludens_core::{About, Game, Learner, LearnerKind, MadeLearner, MindError, Model, Seat, Spec};

use super::keeping::carried;
use super::{Homo, NAME, Settings};

/// The whole player.
#[derive(Clone, Copy, Debug)]
pub struct Whole;

impl LearnerKind for Whole {
    fn about(&self) -> About {
        About::new(NAME, "Homo ludens", "chunks that grow, odds, its own games and a short look ahead: the five papers in one player")
            .beyond("all five: contexts from the rules, concepts found in play, odds of chunks, judgement from its own searches, siblings on request")
            .settings(Settings::default().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G> {
        let settings = Settings::read(spec, &Settings::default())?;
        let from = settings.from.clone();
        let mut homo = Homo::new(&**seat.game, settings);
        if !from.is_empty() {
            let model = Model::load(Path::new(&from))?;
            if model.learner != NAME {
                return Err(MindError::Other(format!(
                    "{from} is a model of {}, and only one of {NAME} can be carried over",
                    model.learner
                )));
            }
            homo.carry(carried(&model)?);
        }
        Ok(Box::new(homo))
    }

    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        Ok(Box::new(Homo::load(&**seat.game, model)?))
    }
}
