//! How the catalogue finds it.

use ludens_core::{About, Game, Learner, LearnerKind, MadeLearner, Model, Seat, Spec};

use super::NAME;
use crate::nhb::Nhb;
use crate::nhb::settings::Settings;

/// NHB with patterns for a heuristic, self-play and members.
#[derive(Clone, Copy, Debug)]
pub struct NhbImproved;

impl LearnerKind for NhbImproved {
    fn about(&self) -> About {
        About::new(NAME, "NHB, improved", "search with patterns learnt online from its own matches")
            .beyond("nhb: straight runs of cells as features, self-play with drawn moves, members that play each other")
            .settings(Settings::improved().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G> {
        let settings = Settings::read(spec, &Settings::improved())?;
        Ok(Box::new(Nhb::new(&**seat.game, settings)))
    }

    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        Ok(Box::new(Nhb::load(&**seat.game, model)?))
    }
}
