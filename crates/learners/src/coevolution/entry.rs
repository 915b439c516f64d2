//! How the catalogue finds the evolved networks.

use ludens_core::{About, Game, Learner, LearnerKind, MadeLearner, Model, Seat, Spec};

use super::learner::{Coevolution, NAME};
use super::settings::Settings;
use crate::citations;

/// Evolution as published.
#[derive(Clone, Copy, Debug)]
pub struct Published;

impl LearnerKind for Published {
    fn about(&self) -> About {
        About::new(NAME, "Coevolution", "networks evolved by individual and social learning")
            .published(citations::COEVOLUTION)
            .settings(Settings::default().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G> {
        let settings = Settings::read(spec, &Settings::default())?;
        Ok(Box::new(Coevolution::new(&**seat.game, NAME, settings)))
    }

    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        Ok(Box::new(Coevolution::load(&**seat.game, model)?))
    }
}
