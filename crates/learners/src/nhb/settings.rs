//! What can be set, with the defaults that serve every game.

use ludens_core::{Words, settings, words};
use serde::{Deserialize, Serialize};

use crate::without::Without;

/// Most heuristics that can learn side by side.
pub(crate) const MOST_MEMBERS: usize = 32;

/// Most numbers of cells with weights of their own.
pub(crate) const MOST_FEW: usize = 32;

/// How matches are played and learnt from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Variant {
    /// As published.
    Paper,
    /// Patterns, self-play with drawn moves, targets from search and outcome, fading memory.
    Improved,
}

words!(Features { Hidden = "hidden", Runs = "runs" });

/// What the linear output layer reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Features {
    /// The paper's random hidden units.
    Hidden,
    /// Straight runs of cells, where the board has them; else hidden units.
    Runs,
}

settings! {
    /// The defaults are the paper's.
    pub struct Settings {
        /// How matches are played and learnt from.
        pub variant: Variant = Variant::Paper;
        /// What the output layer reads: runs, or the paper's hidden units.
        pub features: Features = Features::Hidden, Words("runs or hidden");
        /// Runs only: the longest run of cells.
        pub run: usize = 4, 1..=6;
        /// Runs only: fewer filled cells of a side than this have weights of their own, one for each number.
        #[left_out(usual)]
        pub few: usize = 0, 0..=MOST_FEW;
        /// Runs only: parts of the game, by how full the board is, with weights of their own.
        pub phases: usize = 1, 1..=64;
        /// States a move, in training and, where no other budget is given, in play.
        pub states: u64 = 500, 1..=100_000_000;
        /// Matches a step.
        pub cycle: u32 = 20, 1..=100_000;
        /// States for backward deepening after each match.
        pub backward: u64 = 2000, 0..=100_000_000;
        /// Consistency: how near a node's value must be to its depth-1 minimax. 0 turns it off.
        pub epsilon: f32 = 0.05, 0.0..=2.0;
        /// λ of the least squares.
        pub ridge: f64 = ludens_elm::DEFAULT_RIDGE, 1e-12..=1e6;
        /// Hidden weights are uniform in ± this.
        pub range: f64 = 1.0, 1e-6..=1e3;
        /// The deepest iteration in training; 0 leaves it to the states.
        pub depth: u32 = 0, 0..=60;
        /// Improved: the share of the outcome, against the search, in a target one step back (λ of TD(λ)).
        pub lambda: f32 = 0.8, 0.0..=1.0;
        /// What earlier steps still count; the paper forgets nothing.
        pub fade: f64 = 1.0, 0.0..=1.0;
        /// Paper: the weight of the states on the ramp, against those whose value is known.
        pub ramp: f64 = 1.0, 0.0..=1.0;
        /// Matches that a new heuristic plays against the one before; it is taken only if it does not lose them. 0 takes it always.
        pub held_out: u32 = 0, 0..=10_000;
        /// Of the output weights of the step before, how much stays in the new ones.
        pub average: f64 = 0.0, 0.0..=0.999;
        /// How steps become smaller: after n of them memory and mixing reach 1 + n · settle · (1 − fade) times as far as `fade` and `average` say.
        #[left_out(usual)]
        pub settle: f64 = 0.0, 0.0..=1.0;
        /// Heuristics that learn side by side, each from its own matches, most of them against the others; the mean of their weights judges.
        #[left_out(usual)]
        pub members: usize = 1, 1..=MOST_MEMBERS;
        /// Improved: heuristics that see single cells only, learn beside the members, play against them and do not judge.
        #[left_out(usual)]
        pub sparring: usize = 0, 0..=MOST_MEMBERS;
        /// Improved: the share of drawn moves.
        pub explore: f64 = 0.1, 0.0..=1.0;
        /// Improved: whether what came of a drawn move after the first ones counts for the positions before it: the value of players who slip.
        #[left_out(usual)]
        pub slips: bool = false, Words("true or false");
        /// Improved, at one ply: moves whose values are less than this below the best are drawn by lot, in training with `depth=1` and in play.
        #[left_out(usual)]
        pub near: f32 = 0.0, 0.0..=2.0;
        /// In play, for how many of the first moves of a match `near` holds.
        #[left_out(usual)]
        pub early: u32 = 1000, 0..=1000;
        /// Improved: how many of the first moves are drawn at most.
        pub opening: u32 = 6, 0..=1000;
        /// Inputs that it never gets to see, in training or in play.
        #[left_out(usual)]
        pub without: Without = Without::default(), Words("none, or numbers of inputs: 3+17+20");
        /// The run of random numbers that the first layer and the opponents come from.
        pub seed: u64 = 0, 0..=u64::MAX;
    }
}

impl Settings {
    /// Ours: patterns, self-play with drawn moves, targets from search and outcome, fading memory.
    pub fn improved() -> Settings {
        Settings {
            variant: Variant::Improved,
            features: Features::Runs,
            cycle: 200,
            backward: 0,
            epsilon: 0.0,
            ridge: 2.0,
            fade: 0.7,
            ..Settings::default()
        }
    }

    /// `fade` and `average` after so many steps, see `settle`.
    pub fn settled(&self, steps: u64) -> (f64, f64) {
        let reach = 1.0 + steps as f64 * self.settle * (1.0 - self.fade);
        let further = |share: f64| if reach == 1.0 { share } else { 1.0 - (1.0 - share) / reach };
        (further(self.fade), further(self.average))
    }
}
