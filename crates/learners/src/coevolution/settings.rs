//! What the paper fixes, what it leaves open, and the switches beyond it.

use ludens_core::{Words, settings, words};
use serde::{Deserialize, Serialize};

use super::connect_four::MAX_DEPTH;
use crate::without::Without;

/// What the network sees. Other games than Connect Four have their encoding.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Inputs {
    /// The paper's: the stones on the cells.
    #[default]
    Cells,
    /// The 69 lines of four.
    Lines,
    /// Counts of threats, open lines and stones.
    Features,
}

words!(Inputs { Cells = "cells", Lines = "lines", Features = "features" });

const YES_NO: Words = Words("true or false");

settings! {
    /// The defaults are the paper's run, with what it leaves open filled in.
    pub struct Settings {
        /// Plies of minimax. The paper does not say.
        pub depth: u32 = 2, 1..=MAX_DEPTH as u32;
        /// Parents, each with its offspring: 5 pairs are the paper's 10 players.
        pub pairs: u32 = 5, 2..=1000;
        /// Generations between two rounds of social learning.
        pub interval: u64 = 1000, 1..=1_000_000;
        /// Rounds of social learning.
        pub intervals: u64 = 200, 1..=1_000_000;
        /// "Two probabilities": how likely it is to copy from the pool rather than to start anew.
        pub copy: f64 = 0.5, 0.0..=1.0;
        /// Standard deviation of new weights.
        pub spread: f32 = 0.1, 0.001..=10.0;
        /// The first σ of the mutation.
        pub step: f32 = 0.003, 0.0001..=1.0;
        /// Beyond the paper: what the network sees of Connect Four.
        pub inputs: Inputs = Inputs::Cells, Words("cells, lines or features");
        /// Beyond: offspring of a parent in a generation. Of more than one the better half is recombined into the next parent.
        pub offspring: u32 = 1, 1..=10_000;
        /// Beyond: how far a parent moves towards the recombined, at first; it falls to a tenth over the run, so that the noise of the
        /// comparisons averages out.
        pub rate: f32 = 1.0, 0.001..=1.0;
        /// Beyond: how much a recombined parent's weights shrink in a generation.
        pub shrink: f32 = 0.0, 0.0..=0.5;
        /// Beyond: random openings a comparison is played on, both colours each; 0: from the start position only, as in the paper.
        pub openings: u32 = 0, 0..=1000;
        /// Beyond: the length of those openings.
        pub opening_plies: u32 = 4, 0..=20;
        /// Beyond: parent and offspring also meet so many players of the pool, drawn by their scores.
        pub pool_rivals: u32 = 0, 0..=100;
        /// Beyond: so many drawn evenly from all ever published.
        pub hall_rivals: u32 = 0, 0..=100;
        /// Beyond: on a tie the parent stays instead of a coin being thrown.
        pub keep_parent: bool = false, YES_NO;
        /// Beyond: a pool player must beat the player it replaces.
        pub evaluate_copy: bool = false, YES_NO;
        /// Beyond: a new random player must be no worse than the player it replaces.
        pub evaluate_new: bool = false, YES_NO;
        /// Beyond: a player must hold its own against the pool before it is published.
        pub evaluate_publish: bool = false, YES_NO;
        /// No σ falls below this.
        pub smallest_step: f32 = 1e-5, 0.0..=1.0;
        /// No σ grows beyond this.
        pub largest_step: f32 = 0.003, 0.0001..=10.0;
        /// σ belong to a period of individual learning and begin anew with each, instead of being part of what lives on.
        pub fresh_steps: bool = false, YES_NO;
        /// A pool player gets its +1.0 every time a line copied from it is best, instead of the first time only.
        pub credit_again: bool = true, YES_NO;
        /// Inputs that no player ever gets to see.
        #[left_out(usual)]
        pub without: Without = Without::default(), Words("none, or numbers of inputs: 3+17+20");
    }
}

impl Settings {
    /// The first reading: weights of size 1, Fogel's first σ, and steps that wander up to 1.
    pub fn literal() -> Settings {
        Settings { spread: 1.0, step: 0.05, largest_step: 1.0, credit_again: false, ..Settings::default() }
    }

    /// Fogel's usual settings: new weights as wide as an even draw within ±.2 (the paper says Gaussian), σ from .05, and no bound in its way.
    pub fn fogel() -> Settings {
        Settings { spread: 0.2 / 3f32.sqrt(), step: 0.05, largest_step: 10.0, ..Settings::default() }
    }

    /// The combination that the measurements in `docs/learners/coevolution.md` chose.
    pub fn improved() -> Settings {
        Settings {
            pairs: 2,
            interval: 10,
            intervals: 20,
            step: 0.05,
            largest_step: 1.0,
            inputs: Inputs::Features,
            offspring: 32,
            shrink: 0.001,
            openings: 4,
            hall_rivals: 1,
            evaluate_copy: true,
            evaluate_new: true,
            evaluate_publish: true,
            ..Settings::default()
        }
    }

    /// The generations of the whole run.
    pub fn generations(&self) -> u64 {
        self.interval * self.intervals
    }
}
