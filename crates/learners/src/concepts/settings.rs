//! Where the concepts come from.

use ludens_core::{Maybe, Words, settings};

use super::learn::Kind;
use super::learner::NAME;
use crate::beyond::selected_concepts;

settings! {
    /// Where the concepts come from. The defaults are the paper's.
    pub struct Parameters {
        /// Algorithm: plain, subsets1 to subsets3 (1), binary (2 and 3), ternary (4 and 3); ours: selected, wide.
        pub kind: Kind = Kind::Binary, Words("wide, selected, binary, ternary, subsets1, subsets2, subsets3 or plain");
        /// Random games won by each side, a step.
        pub playouts: usize = 100, 1..=100_000;
        /// The game whose concepts are used; none: the game itself.
        pub from: Maybe<String> = Maybe(None), Words("a game");
        /// Random games won by each side of that game; 10000 where its board has at most nine cells.
        pub source: usize = 100, 1..=100_000;
        /// Seed of the random games.
        pub seed: u64 = 1, 0..=u64::MAX;
    }
}

impl Parameters {
    /// Ours.
    pub fn selected() -> Parameters {
        Parameters { kind: Kind::Selected, ..Parameters::default() }
    }

    pub(super) fn name(&self) -> &'static str {
        if matches!(self.kind, Kind::Selected | Kind::Wide) { selected_concepts::NAME } else { NAME }
    }
}
