//! The network of the paper: 42 inputs, 14 hidden nodes, one output, tanh, no biases (602 weights); for
//! another game as many inputs as its encoding has.
//!
//! It is separate from the other networks of this crate for speed: the first layer is summed in whole numbers (a weight is rounded to
//! a 2²⁰th, [`ONE`]), so that stones may be added and taken back in any order and every order gives the same bits.

use ludens_core::Rng;
use ludens_core::math::quick::{exp_f32, tanh};

use super::numeric::{TOGETHER, normal_pair, normals};
use crate::without::Without;

/// Hidden nodes: "about one third of the number of input nodes".
pub const HIDDEN: usize = 14;
/// The hidden nodes and two that stay zero: whole vector registers.
pub const LANES: usize = 16;
/// 1 in the first layer's whole numbers.
pub(crate) const ONE: f32 = (1 << 20) as f32;
/// No weight grows beyond this, so that 64 of them cannot overflow.
pub(crate) const LARGEST: f32 = 31.0;

/// The hidden nodes' sums before their tanh, in units of a 2²⁰th.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(align(64))]
pub struct Sums(pub [i32; LANES]);

impl Sums {
    #[inline]
    #[must_use]
    pub(crate) fn plus(&self, row: &Sums) -> Sums {
        let mut sums = *self;
        for lane in 0..LANES {
            sums.0[lane] = sums.0[lane].wrapping_add(row.0[lane]);
        }
        sums
    }

    #[must_use]
    pub(crate) fn negated(&self) -> Sums {
        Sums(self.0.map(|weight| -weight))
    }

    /// A row for an input of any size.
    #[must_use]
    pub fn times(&self, input: f32) -> Sums {
        Sums(self.0.map(|weight| (weight as f32 * input).round() as i32))
    }
}

/// What the output node receives: Σ w·tanh(hidden). The output's own tanh keeps the order of any two positions, so
/// the search compares these, and only people are shown the tanh.
#[inline]
pub fn output(sums: &Sums, weights: &[f32; LANES]) -> f32 {
    let mut terms = [0.0f32; LANES];
    for lane in 0..LANES {
        terms[lane] = tanh(sums.0[lane] as f32 * (1.0 / ONE)) * weights[lane];
    }
    // Added up pairwise, in one fixed order.
    let mut eight = [0.0f32; 8];
    for lane in 0..8 {
        eight[lane] = terms[lane] + terms[lane + 8];
    }
    let mut four = [0.0f32; 4];
    for lane in 0..4 {
        four[lane] = eight[lane] + eight[lane + 4];
    }
    (four[0] + four[2]) + (four[1] + four[3])
}

/// A network and the step sizes of its mutation: a player as evolution sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct Player {
    /// `HIDDEN` weights for each input, then `HIDDEN` for the output.
    pub weights: Vec<f32>,
    /// σ, one for each weight.
    pub steps: Vec<f32>,
}

impl Player {
    /// Takes the weights of some inputs away: what they say no longer counts.
    pub(crate) fn silence(&mut self, inputs: &[usize]) {
        for &input in inputs {
            self.weights[input * HIDDEN..(input + 1) * HIDDEN].fill(0.0);
        }
    }

    /// The player without the inputs that nobody gets to see.
    #[must_use]
    pub(crate) fn without(mut self, without: &Without) -> Player {
        if !without.is_empty() {
            self.silence(&without.places(self.inputs()));
        }
        self
    }

    pub(crate) fn weight_count(inputs: usize) -> usize {
        inputs * HIDDEN + HIDDEN
    }

    /// "Initially, a Gaussian random generator is used to generate all the weights."
    pub fn random(inputs: usize, spread: f32, step: f32, rng: &mut Rng) -> Player {
        let count = Player::weight_count(inputs);
        let mut weights = Vec::with_capacity(count + 1);
        while weights.len() < count {
            let (a, b) = normal_pair(rng);
            weights.extend([a as f32 * spread, b as f32 * spread]);
        }
        weights.truncate(count);
        Player { weights, steps: vec![step; count] }
    }

    /// τ = 1 / √(2·√N_w).
    fn learning_rate(&self) -> f64 {
        1.0 / (2.0 * (self.weights.len() as f64).sqrt()).sqrt()
    }

    /// Equations 1 and 2: σ' = σ·exp(τ·N), w' = w + σ'·N, each with its own normal numbers.
    #[must_use]
    pub(crate) fn mutated(&self, (smallest, largest): (f32, f32), rng: &mut Rng) -> Player {
        // Two settings may contradict each other: then the larger limit holds.
        let smallest = smallest.min(largest);
        let tau = self.learning_rate() as f32;
        let mut child = self.clone();
        for (weights, steps) in child.weights.chunks_mut(TOGETHER).zip(child.steps.chunks_mut(TOGETHER)) {
            let [for_step, for_weight] = normals(&std::array::from_fn(|_| rng.next_u64()));
            let mut factors = [0.0; TOGETHER];
            for lane in 0..TOGETHER {
                factors[lane] = exp_f32(tau * for_step[lane]);
            }
            let each = weights.iter_mut().zip(steps).zip(factors.into_iter().zip(for_weight));
            for ((weight, step), (factor, normal)) in each {
                *step = (*step * factor).clamp(smallest, largest);
                *weight = (*weight + *step * normal).clamp(-LARGEST, LARGEST);
            }
        }
        child
    }

    /// The player with `share` of a mutation added.
    #[must_use]
    pub fn moved(&self, mutation: &[f32], share: f32) -> Player {
        let mut player = self.clone();
        for (weight, change) in player.weights.iter_mut().zip(mutation) {
            *weight = (*weight + change * share).clamp(-LARGEST, LARGEST);
        }
        player
    }

    pub(crate) fn inputs(&self) -> usize {
        self.weights.len() / HIDDEN - 1
    }

    /// The row of the first layer that belongs to an input, in whole numbers.
    pub fn row(&self, input: usize) -> Sums {
        let mut row = Sums::default();
        for (lane, weight) in row.0.iter_mut().zip(&self.weights[input * HIDDEN..][..HIDDEN]) {
            *lane = (weight * ONE).round() as i32;
        }
        row
    }

    pub(crate) fn output_weights(&self) -> [f32; LANES] {
        let mut weights = [0.0; LANES];
        weights[..HIDDEN].copy_from_slice(&self.weights[self.inputs() * HIDDEN..]);
        weights
    }

    /// The whole network at once, as the paper draws it: the yardstick of the incremental evaluators.
    pub fn plain(&self, inputs: &[f32]) -> f32 {
        let mut sums = Sums::default();
        for (index, &input) in inputs.iter().enumerate() {
            sums = sums.plus(&self.row(index).times(input));
        }
        output(&sums, &self.output_weights())
    }
}
