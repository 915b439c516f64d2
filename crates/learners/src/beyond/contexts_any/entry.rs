//! How the catalogue finds it.

use ludens_core::{About, Game, Learner, LearnerKind, MadeLearner, Model, Seat, Spec};

use super::{ContextsAny, NAME, Settings};

/// The context network on any board.
#[derive(Clone, Copy, Debug)]
pub struct AnyContexts;

impl LearnerKind for AnyContexts {
    fn about(&self) -> About {
        About::new(NAME, "Contexts anywhere", "ranks the moves by a network over the sets of cells that decide the game")
            .beyond("contexts: the same network over the lines of any line game, or over what is read from rules written in GDL")
            .needs("a game that lines or other sets of cells decide")
            .settings(Settings::default().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G> {
        Ok(Box::new(ContextsAny::new(&**seat.game, Settings::read(spec, &Settings::default())?)?))
    }

    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        Ok(Box::new(ContextsAny::load(&**seat.game, model)?))
    }
}
