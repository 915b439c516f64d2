//! How the catalogue finds the context networks, and the perfect player of the same board.

use ludens_core::{About, Entries, Learner, LearnerEntry, Maybe, MindEntry, Words, settings};
use ludens_games::connect_four::ConnectFour;
use ludens_search::connect_four_solver::{LIMIT, SolverMind};

use super::{ContextsLearner, NAME, Settings};
use crate::beyond::ranker::{SolverOrder, move_ranker};
use crate::citations;

/// What these need of a game.
pub(crate) const NEEDS: &str = "Connect Four on seven columns and six rows";

settings! {
    /// Of the perfect player.
    struct Solving {
        /// Positions examined for a move before it gives up and plays its ranker's move; none: it never gives up.
        limit: Maybe<u64> = Maybe(Some(LIMIT)), Words("a number of positions, or none");
    }
}

/// With the systems of the paper and the perfect player.
pub fn add(entries: Entries<ConnectFour>) -> Entries<ConnectFour> {
    entries.mind_entry(solver()).learner_entry(systems())
}

fn solver() -> MindEntry<ConnectFour> {
    let summary = "the perfect player; too early in the game it plays the move of the ranker, and says so";
    let about =
        About::new("solver", "Perfect player", summary).needs(NEEDS).settings(Solving::default().list());
    MindEntry::new(about, |_, spec| {
        // 0 was how one said "never" before.
        let limit = Solving::read(spec, &Solving::default())?.limit.0.filter(|limit| *limit > 0);
        // A hundredth of a preference counts.
        let order = SolverOrder::new(move_ranker()?, 100.0);
        Ok(Box::new(SolverMind::limited(limit.unwrap_or(u64::MAX), Box::new(order))))
    })
}

fn systems() -> LearnerEntry<ConnectFour> {
    let about =
        About::new(NAME, "Contexts", "ranks the moves by a network over lines of four, without search")
            .needs(NEEDS)
            .published(citations::CONTEXTS)
            .settings(Settings::default().list());
    LearnerEntry::new(
        about,
        |_, spec| Ok(Box::new(ContextsLearner::new(&Settings::from_spec(spec)?)?)),
        |seat, model| Ok(Box::new(ContextsLearner::load(seat.game, model)?)),
    )
}
