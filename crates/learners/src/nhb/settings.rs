//! What can be set, with the defaults that serve every game.

use ludens_core::{Spec, SpecError};
use serde::{Deserialize, Serialize};

pub const MOST_MEMBERS: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Variant {
    /// As published.
    Paper,
    /// Patterns, self-play with drawn moves, targets from search and outcome, fading memory.
    Improved,
}

/// What the linear output layer reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Features {
    /// The paper's random hidden units.
    Hidden,
    /// Straight runs of cells, where the board has them; else hidden units.
    Runs,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    pub variant: Variant,
    pub features: Features,
    /// Runs only: the longest run of cells.
    pub run: usize,
    /// Runs only: parts of the game, by how full the board is, with weights of their own.
    pub phases: usize,
    /// States a move, in training and, where no other budget is given, in play.
    pub states: u64,
    /// Matches a step.
    pub cycle: u32,
    /// States for backward deepening after each match.
    pub backward: u64,
    /// Consistency: how near a node's value must be to its depth-1 minimax. 0 turns it off.
    pub epsilon: f32,
    pub ridge: f64,
    /// Hidden weights are uniform in ± this.
    pub range: f64,
    /// The deepest iteration in training; 0 leaves it to the states.
    pub depth: u32,
    /// Improved: the share of the outcome, against the search, in a target one step back (λ of TD(λ)).
    pub lambda: f32,
    /// What earlier steps still count; the paper forgets nothing.
    pub fade: f64,
    /// Paper: the weight of the states on the ramp, against those whose value is known.
    pub ramp: f64,
    /// Matches that a new heuristic plays against the one before; it is taken only if it does not lose them. 0 takes it always.
    pub held_out: u32,
    /// Of the output weights of the step before, how much stays in the new ones.
    pub average: f64,
    /// How steps become smaller: after n of them memory and mixing reach 1 + n · settle · (1 − fade) times as far as `fade` and `average` say.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub settle: f64,
    /// Heuristics that learn side by side, each from its own matches, most of them against the others; the mean of their weights judges.
    #[serde(default = "alone", skip_serializing_if = "is_alone")]
    pub members: usize,
    /// Improved: the share of drawn moves, and how many of the first are drawn at most.
    pub explore: f64,
    pub opening: u32,
    /// The run of random numbers that the first layer and the opponents come from.
    pub seed: u64,
}

// Left out where they change nothing, so that files of earlier trainings keep their bytes.
fn is_zero(settle: &f64) -> bool {
    *settle == 0.0
}

fn alone() -> usize {
    1
}

fn is_alone(members: &usize) -> bool {
    *members == 1
}

impl Settings {
    pub fn new(variant: Variant) -> Settings {
        let paper = variant == Variant::Paper;
        Settings {
            variant,
            features: if paper { Features::Hidden } else { Features::Runs },
            run: 4,
            phases: 1,
            states: 500,
            cycle: if paper { 20 } else { 200 },
            backward: if paper { 2000 } else { 0 },
            epsilon: if paper { 0.05 } else { 0.0 },
            ridge: if paper { ludens_elm::DEFAULT_RIDGE } else { 2.0 },
            range: 1.0,
            depth: 0,
            lambda: 0.8,
            fade: if paper { 1.0 } else { 0.7 },
            ramp: 1.0,
            held_out: 0,
            average: 0.0,
            settle: 0.0,
            members: 1,
            explore: 0.1,
            opening: 6,
            seed: 0,
        }
    }

    /// `fade` and `average` after so many steps, see `settle`.
    pub fn settled(&self, steps: u64) -> (f64, f64) {
        let reach = 1.0 + steps as f64 * self.settle * (1.0 - self.fade);
        let further = |share: f64| if reach == 1.0 { share } else { 1.0 - (1.0 - share) / reach };
        (further(self.fade), further(self.average))
    }

    /// Every setting by the name `KEYS` gives it.
    pub fn read(spec: &mut Spec) -> Result<Settings, SpecError> {
        let variant = match spec.take::<String>("variant", "paper or improved")?.as_deref() {
            None | Some("improved") => Variant::Improved,
            Some("paper") => Variant::Paper,
            Some(other) => return Err(spec.wrong("variant", other, "paper or improved")),
        };
        let default = Settings::new(variant);
        let features = match spec.take::<String>("features", "runs or hidden")?.as_deref() {
            None => default.features,
            Some("runs") => Features::Runs,
            Some("hidden") => Features::Hidden,
            Some(other) => return Err(spec.wrong("features", other, "runs or hidden")),
        };
        Ok(Settings {
            variant,
            features,
            run: spec.take_in("run", default.run, 2..=6)?,
            phases: spec.take_in("phases", default.phases, 1..=64)?,
            states: spec.take_in("states", default.states, 1..=100_000_000)?,
            cycle: spec.take_in("cycle", default.cycle, 1..=100_000)?,
            backward: spec.take_in("backward", default.backward, 0..=100_000_000)?,
            epsilon: spec.take_in("epsilon", default.epsilon, 0.0..=2.0)?,
            ridge: spec.take_in("ridge", default.ridge, 1e-12..=1e6)?,
            range: spec.take_in("range", default.range, 1e-6..=1e3)?,
            depth: spec.take_in("depth", default.depth, 0..=60)?,
            lambda: spec.take_in("lambda", default.lambda, 0.0..=1.0)?,
            fade: spec.take_in("fade", default.fade, 0.0..=1.0)?,
            ramp: spec.take_in("ramp", default.ramp, 0.0..=1.0)?,
            held_out: spec.take_in("held-out", default.held_out, 0..=10_000)?,
            average: spec.take_in("average", default.average, 0.0..=0.999)?,
            settle: spec.take_in("settle", default.settle, 0.0..=1.0)?,
            members: spec.take_in("members", default.members, 1..=MOST_MEMBERS)?,
            explore: spec.take_in("explore", default.explore, 0.0..=1.0)?,
            opening: spec.take_in("opening", default.opening, 0..=1000)?,
            seed: spec.take_in("seed", default.seed, 0..=u64::MAX)?,
        })
    }
}

/// For the registry.
pub const KEYS: &[(&str, &str)] = &[
    ("variant", "improved (default), or paper: as published"),
    ("states", "states a move in training, and in play where no budget is given (500)"),
    ("cycle", "matches a step (paper 20, improved 200)"),
    ("backward", "states of backward deepening after each match (paper 2000, improved 0)"),
    (
        "epsilon",
        "consistency of a node: its value this near its depth-1 minimax; 0 is off (paper 0.05, improved 0)",
    ),
    ("ridge", "λ of the least squares (paper 0.001, improved 2)"),
    ("range", "hidden weights are uniform in ± this (1)"),
    ("depth", "deepest iteration in training, 0 for no limit but the states (0)"),
    ("lambda", "improved: share of the outcome against the search in a target (0.8)"),
    ("fade", "what earlier steps still count (paper 1, improved 0.7)"),
    ("ramp", "paper: weight of the states on the ramp, against known values (1)"),
    (
        "held-out",
        "matches a new heuristic must not lose to the one before, to be taken; 0 takes it always (0)",
    ),
    ("features", "runs (improved) or hidden (paper): what the output layer reads"),
    ("run", "runs: the longest run of cells (4)"),
    ("phases", "runs: parts of the game, by how full the board is, with weights of their own (1)"),
    ("average", "how much of the output weights before stays in the new ones (0)"),
    (
        "settle",
        "after n steps fade and average reach 1 + n · settle · (1 − fade) times as far, so that steps become smaller (0)",
    ),
    (
        "members",
        "heuristics that learn side by side and, when improved, play each other; the mean of their weights judges (1)",
    ),
    ("explore", "improved: share of drawn moves (0.1)"),
    ("opening", "improved: up to this many first moves are drawn (6)"),
    ("seed", "of the run of random numbers of the opponents (0)"),
];
