//! What the paper fixes, what it leaves open, and the switches beyond it.

use std::str::FromStr;

use ludens_core::{MindError, Spec};
use serde::{Deserialize, Serialize};

use super::connect_four::MAX_DEPTH;

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

impl FromStr for Inputs {
    type Err = ();

    fn from_str(name: &str) -> Result<Inputs, ()> {
        match name {
            "cells" => Ok(Inputs::Cells),
            "lines" => Ok(Inputs::Lines),
            "features" => Ok(Inputs::Features),
            _ => Err(()),
        }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Plies of minimax. The paper does not say.
    pub depth: u32,
    /// Parents, each with its offspring: 5 pairs are the paper's 10 players.
    pub pairs: u32,
    /// Generations between two rounds of social learning.
    pub interval: u64,
    pub intervals: u64,
    /// "Two probabilities": copy from the pool rather than start anew.
    pub copy: f64,
    /// Standard deviation of new weights, and the first σ of their mutation.
    pub spread: f32,
    pub step: f32,

    // Beyond the paper.
    #[serde(default)]
    pub inputs: Inputs,
    /// Offspring of a parent in a generation. Of more than one the better half is recombined into the next parent.
    pub offspring: u32,
    /// How far a parent moves towards the recombined, at first; it falls to a tenth over the run, so that the noise of the
    /// comparisons averages out.
    #[serde(default = "one")]
    pub rate: f32,
    /// How much a recombined parent's weights shrink in a generation.
    pub shrink: f32,
    /// Random openings a comparison is played on, both colours each; 0: from the start position only, as in the paper.
    pub openings: u32,
    pub opening_plies: u32,
    /// Parent and offspring also meet so many players of the pool, drawn by their scores …
    pub pool_rivals: u32,
    /// … or drawn evenly from all ever published.
    pub hall_rivals: u32,
    /// On a tie the parent stays instead of a coin being thrown.
    pub keep_parent: bool,
    /// A pool player must beat the player it replaces.
    pub evaluate_copy: bool,
    /// A new random player must be no worse than the player it replaces.
    pub evaluate_new: bool,
    /// A player must hold its own against the pool before it is published.
    pub evaluate_publish: bool,
    /// No σ falls below this, none grows beyond that.
    pub smallest_step: f32,
    #[serde(default = "one")]
    pub largest_step: f32,
    /// σ belong to a period of individual learning and begin anew with each, instead of being part of what lives on.
    #[serde(default)]
    pub fresh_steps: bool,
    /// A pool player gets its +1.0 every time a line copied from it is best, instead of the first time only.
    #[serde(default)]
    pub credit_again: bool,
}

fn one() -> f32 {
    1.0
}

/// The paper's run, with what it leaves open filled in.
impl Default for Settings {
    fn default() -> Settings {
        Settings {
            depth: 2,
            pairs: 5,
            interval: 1000,
            intervals: 200,
            copy: 0.5,
            spread: 0.1,
            step: 0.003,
            inputs: Inputs::Cells,
            offspring: 1,
            rate: 1.0,
            shrink: 0.0,
            openings: 0,
            opening_plies: 4,
            pool_rivals: 0,
            hall_rivals: 0,
            keep_parent: false,
            evaluate_copy: false,
            evaluate_new: false,
            evaluate_publish: false,
            smallest_step: 1e-5,
            largest_step: 0.003,
            fresh_steps: false,
            credit_again: true,
        }
    }
}

impl Settings {
    /// The first reading: weights of size 1, Fogel's first σ, and steps that wander up to 1.
    pub fn literal() -> Settings {
        Settings { spread: 1.0, step: 0.05, largest_step: 1.0, credit_again: false, ..Settings::default() }
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

    pub const KEYS: &'static [(&'static str, &'static str)] = &[
        ("variant", "paper, literal or improved (paper); the other settings change single points of it"),
        ("depth", "plies of minimax, 1 to 12 (2)"),
        ("pairs", "parents, each with its offspring (5; improved 2)"),
        ("interval", "generations between two rounds of social learning (1000; improved 10)"),
        ("intervals", "rounds of social learning (200; improved 20)"),
        ("copy", "probability to copy from the pool rather than start anew (0.5)"),
        ("spread", "standard deviation of new weights (0.1; literal 1)"),
        ("step", "first σ of the mutation (0.003; literal and improved 0.05)"),
        ("largest-step", "no σ grows beyond this (0.003; literal and improved 1)"),
        ("fresh-steps", "σ begin anew with every interval (false)"),
        (
            "credit-again",
            "a pool player gains whenever a line copied from it is best, not once (true; literal false)",
        ),
        ("inputs", "connect-four: cells, lines or features (cells; improved features)"),
        ("offspring", "offspring of a parent; the better half of several is recombined (1; improved 32)"),
        ("rate", "how far a parent moves towards the recombined, falling to a tenth of it (1)"),
        ("shrink", "how much recombined weights shrink in a generation (0; improved 0.001)"),
        ("openings", "random openings of a comparison, 0: the start position (0; improved 4)"),
        ("opening-plies", "their length (4)"),
        ("pool-rivals", "opponents drawn from the pool by their scores (0)"),
        ("hall-rivals", "opponents drawn from all ever published (0; improved 1)"),
        ("keep-parent", "the parent stays on a tie, instead of a coin (false)"),
        ("evaluate-copy", "a copy must beat whom it replaces (false; improved true)"),
        ("evaluate-new", "a new player must be no worse than whom it replaces (false; improved true)"),
        ("evaluate-publish", "the published must hold their own against the pool (false; improved true)"),
    ];

    pub fn from_spec(spec: &mut Spec) -> Result<Settings, MindError> {
        let variant: String = spec.take_or("variant", "paper".into(), "paper, literal or improved")?;
        let base = match variant.as_str() {
            "paper" => Settings::default(),
            "literal" => Settings::literal(),
            "improved" => Settings::improved(),
            other => return Err(spec.wrong("variant", other, "paper, literal or improved").into()),
        };
        const YES_NO: &str = "true or false";
        Ok(Settings {
            depth: spec.take_in("depth", base.depth, 1..=MAX_DEPTH as u32)?,
            pairs: spec.take_in("pairs", base.pairs, 2..=1000)?,
            interval: spec.take_in("interval", base.interval, 1..=1_000_000)?,
            intervals: spec.take_in("intervals", base.intervals, 1..=1_000_000)?,
            copy: spec.take_in("copy", base.copy, 0.0..=1.0)?,
            spread: spec.take_in("spread", base.spread, 0.001..=10.0)?,
            step: spec.take_in("step", base.step, 0.0001..=1.0)?,
            inputs: spec.take_or("inputs", base.inputs, "cells, lines or features")?,
            offspring: spec.take_in("offspring", base.offspring, 1..=10_000)?,
            rate: spec.take_in("rate", base.rate, 0.001..=1.0)?,
            shrink: spec.take_in("shrink", base.shrink, 0.0..=0.5)?,
            openings: spec.take_in("openings", base.openings, 0..=1000)?,
            opening_plies: spec.take_in("opening-plies", base.opening_plies, 0..=20)?,
            pool_rivals: spec.take_in("pool-rivals", base.pool_rivals, 0..=100)?,
            hall_rivals: spec.take_in("hall-rivals", base.hall_rivals, 0..=100)?,
            keep_parent: spec.take_or("keep-parent", base.keep_parent, YES_NO)?,
            evaluate_copy: spec.take_or("evaluate-copy", base.evaluate_copy, YES_NO)?,
            evaluate_new: spec.take_or("evaluate-new", base.evaluate_new, YES_NO)?,
            evaluate_publish: spec.take_or("evaluate-publish", base.evaluate_publish, YES_NO)?,
            smallest_step: base.smallest_step,
            largest_step: spec.take_in("largest-step", base.largest_step, 0.0001..=10.0)?,
            fresh_steps: spec.take_or("fresh-steps", base.fresh_steps, YES_NO)?,
            credit_again: spec.take_or("credit-again", base.credit_again, YES_NO)?,
        })
    }

    /// The generations of the whole run.
    pub fn generations(&self) -> u64 {
        self.interval * self.intervals
    }
}
