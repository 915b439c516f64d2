//! How the catalogue finds it.

use ludens_core::{About, Game, Learner, LearnerKind, MadeLearner, Model, Seat, Spec};

use super::{LineOdds, NAME, Settings};

/// The odds memory of ACT-R on any board.
#[derive(Clone, Copy, Debug)]
pub struct Odds;

impl LearnerKind for Odds {
    fn about(&self) -> About {
        About::new(NAME, "Odds", "the odds of the lines of a board, remembered from its own games")
            .beyond("actr: its memory over the lines, or the concepts, of any board instead of backgammon's features")
            .settings(Settings::default().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G> {
        let settings = Settings::read(spec, &Settings::default())?;
        Ok(Box::new(LineOdds::new(&**seat.game, settings, seat.stop)?))
    }

    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        Ok(Box::new(LineOdds::load(&**seat.game, model)?))
    }
}
