//! Who plays every game: the list of the general minds and learners. Adding one is a folder and a line here.

use ludens_core::{Entries, Game};

use crate::beyond::{coevolution_improved, contexts_any, nhb_improved, odds, selected_concepts};
use crate::search_minds::{AlphaBetaKind, DepthOneKind, ExpectimaxKind, RandomKind, UctKind};
use crate::{coevolution, concepts, homo, nhb};

/// Everybody who plays or learns any game, simple ones first. What one needs of a game it says when it is made.
pub fn general<G: Game>() -> Entries<G> {
    Entries::default()
        .mind(RandomKind)
        .mind(DepthOneKind)
        .mind(AlphaBetaKind)
        .mind(ExpectimaxKind)
        .mind(UctKind)
        .mind(nhb::entry::RandomJudge)
        .mind(nhb::entry::UntrainedJudge)
        .learner(nhb::entry::Published)
        .learner(concepts::entry::Published)
        .learner(coevolution::entry::Published)
        .learner(nhb_improved::entry::NhbImproved)
        .learner(selected_concepts::entry::SelectedConcepts)
        .learner(coevolution_improved::entry::CoevolutionImproved)
        .learner(odds::entry::Odds)
        .learner(contexts_any::entry::AnyContexts)
        .learner(homo::entry::Whole)
}
