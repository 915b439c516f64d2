//! How the catalogue finds it.

use ludens_core::{About, Entries, Learner, LearnerEntry};
use ludens_games::connect_four::ConnectFour;

use super::{NAME, RankerLearner, Settings};
use crate::contexts::entry::NEEDS;

/// With this ranker.
pub fn add(entries: Entries<ConnectFour>) -> Entries<ConnectFour> {
    let about = About::new(NAME, "Ranker", "judges a move by the lines it touches, without search")
        .needs(NEEDS)
        .beyond("contexts: second-level contexts of a move, trained to order moves from perfect labels")
        .settings(Settings::default().list());
    entries.learner_entry(LearnerEntry::new(
        about,
        |_, spec| {
            let settings = Settings::read(spec, &Settings::default())?;
            Ok(Box::new(RankerLearner::new(settings)?))
        },
        |seat, model| Ok(Box::new(RankerLearner::load(seat.game, model)?)),
    ))
}
