//! How the catalogue finds the concept player.

use ludens_core::{About, Game, LearnerKind, MadeLearner, Model, Seat, Spec};

use super::{ConceptLearner, NAME, Parameters};

/// The learner of explicit concepts, as published.
#[derive(Clone, Copy, Debug)]
pub struct Published;

impl LearnerKind for Published {
    fn about(&self) -> About {
        About::new(NAME, "Concepts", "one move ahead, with explicit, readable concepts found in random games")
            .needs("a board with cells on a grid")
            .published(crate::citations::CONCEPTS)
            .settings(Parameters::default().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G> {
        Ok(Box::new(ConceptLearner::new(&**seat.game, seat.around, spec, &Parameters::default())?))
    }

    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        Ok(Box::new(ConceptLearner::load_among(&**seat.game, seat.around, model)?))
    }
}
