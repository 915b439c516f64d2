//! What we invented, each with a name of its own and a word about what it goes beyond. The parts that are switches of a published
//! method stay in its folder; here is what they are together.
//!
//! | name                   | beyond       | how                                                                     |
//! |------------------------|--------------|-------------------------------------------------------------------------|
//! | `nhb-improved`         | nhb          | straight runs of cells, self-play with drawn moves, members             |
//! | `concepts-selected`    | concepts     | few concepts, chosen by what they say about winning                     |
//! | `coevolution-improved` | coevolution  | counts as inputs, recombination, openings, comparisons before copying   |
//! | `odds`                 | actr         | its memory over the lines, or the concepts, of any board                |
//! | `ranker`               | contexts     | second-level contexts of a move, and a network that learns to order     |
//! | `actr-improved`        | actr         | 48 chunks a practised player has, matched by degree                     |
//! | `actr-rehearsed`       | actr         | networks that rehearse remembered games                                 |

use ludens_core::{About, Entries, Game, Learner, LearnerEntry, LearnerKind, MadeLearner, Model, Seat, Spec};
use ludens_games::backgammon::Backgammon;
use ludens_games::connect_four::ConnectFour;

use crate::actr::entry::learner;
use crate::actr::{improved, lines, rehearsed};
use crate::coevolution::{self, Coevolution};
use crate::concepts::{ConceptLearner, Parameters, SELECTED};
use crate::contexts::ranker;
use crate::nhb::{self, Nhb};

/// NHB with patterns for a heuristic, self-play and members.
#[derive(Clone, Copy, Debug)]
pub struct NhbImproved;

impl LearnerKind for NhbImproved {
    fn about(&self) -> About {
        About::new(nhb::IMPROVED, "NHB, improved", "search with patterns learnt online from its own matches")
            .beyond("nhb: straight runs of cells as features, self-play with drawn moves, members that play each other")
            .settings(nhb::settings::Settings::improved().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G> {
        let settings = nhb::settings::Settings::read(spec, &nhb::settings::Settings::improved())?;
        Ok(Box::new(Nhb::new(&**seat.game, settings)))
    }

    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        Ok(Box::new(Nhb::load(&**seat.game, model)?))
    }
}

/// Few concepts, chosen by what they say about winning.
#[derive(Clone, Copy, Debug)]
pub struct SelectedConcepts;

impl LearnerKind for SelectedConcepts {
    fn about(&self) -> About {
        About::new(
            SELECTED,
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

/// Evolution that recombines and compares.
#[derive(Clone, Copy, Debug)]
pub struct CoevolutionImproved;

impl LearnerKind for CoevolutionImproved {
    fn about(&self) -> About {
        About::new(
            coevolution::IMPROVED,
            "Coevolution, improved",
            "networks evolved from many offspring, recombined",
        )
        .beyond("coevolution: counts as inputs, recombination, random openings, comparisons before copying")
        .settings(coevolution::Settings::improved().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G> {
        let settings = coevolution::Settings::read(spec, &coevolution::Settings::improved())?;
        Ok(Box::new(Coevolution::new(&**seat.game, coevolution::IMPROVED, settings)))
    }

    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        Ok(Box::new(Coevolution::load(&**seat.game, model)?))
    }
}

/// The odds memory of ACT-R on any board.
#[derive(Clone, Copy, Debug)]
pub struct Odds;

impl LearnerKind for Odds {
    fn about(&self) -> About {
        About::new(lines::NAME, "Odds", "the odds of the lines of a board, remembered from its own games")
            .beyond("actr: its memory over the lines, or the concepts, of any board instead of backgammon's features")
            .settings(lines::Settings::default().list())
    }

    fn make<G: Game>(&self, seat: &Seat<G>, spec: &mut Spec) -> MadeLearner<G> {
        let settings = lines::Settings::read(spec, &lines::Settings::default())?;
        Ok(Box::new(lines::LineOdds::new(&**seat.game, settings)?))
    }

    fn load<G: Game>(&self, seat: &Seat<G>, model: &Model) -> MadeLearner<G> {
        Ok(Box::new(lines::LineOdds::load(&**seat.game, model)?))
    }
}

/// With our ranker.
pub fn connect_four(entries: Entries<ConnectFour>) -> Entries<ConnectFour> {
    let about = About::new(ranker::NAME, "Ranker", "judges a move by the lines it touches, without search")
        .needs(crate::contexts::entry::NEEDS)
        .beyond("contexts: second-level contexts of a move, trained to order moves from perfect labels")
        .settings(ranker::Settings::default().list());
    entries.learner_entry(LearnerEntry::new(
        about,
        |_, spec| {
            let settings = ranker::Settings::read(spec, &ranker::Settings::default())?;
            Ok(Box::new(ranker::RankerLearner::new(settings)?))
        },
        |seat, model| Ok(Box::new(ranker::RankerLearner::load(seat.game, model)?)),
    ))
}

/// With our backgammon players.
pub fn backgammon(entries: Entries<Backgammon>) -> Entries<Backgammon> {
    let improved =
        About::new(improved::NAME, "ACT-R, improved", "48 chunks a practised player has, no lookahead")
            .beyond(
                "actr: 48 expert features matched by degree; all rolls of the other are looked at for hits",
            );
    let rehearsed =
        About::new(rehearsed::NAME, "ACT-R, rehearsed", "three networks that rehearse 1,000 games")
            .beyond("actr: no limit of chunks; networks that see the board and the insights, and rehearse");
    entries
        .learner_entry(learner!(improved::Improved, improved))
        .learner_entry(learner!(rehearsed::Rehearsed, rehearsed))
}
