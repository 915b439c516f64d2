//! How the catalogue finds it.

use ludens_core::{About, Game, LearnerKind, MadeLearner, Model, Seat, Spec};

use super::NAME;
use crate::concepts::{ConceptLearner, Parameters};

/// Few concepts, chosen by what they say about winning.
#[derive(Clone, Copy, Debug)]
pub struct SelectedConcepts;

impl LearnerKind for SelectedConcepts {
    fn about(&self) -> About {
        About::new(
            NAME,
            "Concepts, selected",
            "one move ahead, with the few patterns that tell won from lost games",
        )
        .needs("a board with cells on a grid")
        .beyond("concepts: chosen by what they add to the likelihood of the games, threats included")
        .settings(Parameters::selected().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G> {
        Ok(Box::new(ConceptLearner::new(&**seat.game, seat.around, spec, &Parameters::selected())?))
    }

    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        Ok(Box::new(ConceptLearner::load_among(&**seat.game, seat.around, model)?))
    }
}
