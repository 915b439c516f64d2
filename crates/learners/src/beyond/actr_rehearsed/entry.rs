//! How the catalogue finds it.

use ludens_core::{About, Entries, Learner, LearnerEntry};
use ludens_games::backgammon::Backgammon;

use crate::actr::entry::learner;
use crate::beyond::actr_rehearsed;

/// With this player.
pub fn add(entries: Entries<Backgammon>) -> Entries<Backgammon> {
    let about =
        About::new(actr_rehearsed::NAME, "ACT-R, rehearsed", "three networks that rehearse 1,000 games")
            .beyond("actr: no limit of chunks; networks that see the board and the insights, and rehearse");
    entries.learner_entry(learner!(actr_rehearsed::Rehearsed, about))
}
