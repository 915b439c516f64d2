//! How the catalogue finds it.

use ludens_core::{About, Game, Learner, LearnerKind, MadeLearner, Model, Seat, Spec};

use super::NAME;
use crate::coevolution::{Coevolution, Settings};

/// Evolution that recombines and compares.
#[derive(Clone, Copy, Debug)]
pub struct CoevolutionImproved;

impl LearnerKind for CoevolutionImproved {
    fn about(&self) -> About {
        About::new(NAME, "Coevolution, improved", "networks evolved from many offspring, recombined")
            .beyond(
                "coevolution: counts as inputs, recombination, random openings, comparisons before copying",
            )
            .settings(Settings::improved().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G> {
        let settings = Settings::read(spec, &Settings::improved())?;
        Ok(Box::new(Coevolution::new(&**seat.game, NAME, settings)))
    }

    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        Ok(Box::new(Coevolution::load(&**seat.game, model)?))
    }
}
