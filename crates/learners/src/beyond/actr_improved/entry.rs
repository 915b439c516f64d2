//! How the catalogue finds it.

use ludens_core::{About, Entries, Learner, LearnerEntry};
use ludens_games::backgammon::Backgammon;

use crate::actr::entry::learner;
use crate::beyond::actr_improved;

/// With this player.
pub fn add(entries: Entries<Backgammon>) -> Entries<Backgammon> {
    let about = About::new(
        actr_improved::NAME,
        "ACT-R, improved",
        "48 features of an expert; all rolls are looked at for hits",
    )
    .beyond("actr: 48 expert features matched by degree; all rolls of the other are looked at for hits");
    entries.learner_entry(learner!(actr_improved::Improved, about))
}
