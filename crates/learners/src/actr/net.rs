//! The value network of the comparators: TD-Gammon's inputs, one hidden layer, one output, all logistic.
//!
//! It is asked about the position after a play, as the player who made it sees it: how likely does he win? The inputs of
//! a point are one, two, three men and half of those beyond, for either side; men on the bar / 2, men off / 15. That is
//! 196; the two inputs that say whose turn it is are constant in this view and fold into the bias.
//!
//! It is separate from the other networks of this crate for speed: inputs are sparse and mostly 1, so the hidden sums are additions
//! of rows of weights, sixteen lanes at a time.

// Plain loops over fixed arrays: they become vector instructions wherever they are inlined, chains of iterators do not.
#![allow(clippy::needless_range_loop)]

use ludens_core::{ModelError, Rng};
use ludens_games::backgammon::{BAR, Men, OFF};

const LANES: usize = 16;
pub type Lane = [f32; LANES];

/// 24 points × 4 units, the bar and the tray, for both sides.
pub const INPUTS: usize = 196;
const SIDE_INPUTS: usize = INPUTS / 2;

/// The most inputs that can be active: three units and a rest a point for 30 men on 16 points at most, bars, trays, and room
/// for inputs beyond the board's.
const ROOM: usize = 96;

/// The inputs of a position that are not 0.
#[derive(Clone, Debug)]
pub struct Inputs {
    length: usize,
    active: [(u16, f32); ROOM],
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs { length: 0, active: [(0, 0.0); ROOM] }
    }
}

impl Inputs {
    #[inline]
    pub fn set(&mut self, own: &Men, other: &Men) {
        self.length = 0;
        self.set_side(own, 0);
        self.set_side(other, SIDE_INPUTS);
    }

    #[inline]
    fn set_side(&mut self, men: &Men, base: usize) {
        let counts = men.counts();
        let mut occupied = men.occupied();
        while occupied != 0 {
            let point = occupied.trailing_zeros() as usize;
            occupied &= occupied - 1;
            let count = counts[point];
            if point == usize::from(OFF) {
                self.push(base + 97, f32::from(count) / 15.0);
            } else if point == usize::from(BAR) {
                self.push(base + 96, f32::from(count) / 2.0);
            } else {
                let unit = base + 4 * (point - 1);
                self.push(unit, 1.0);
                if count > 1 {
                    self.push(unit + 1, 1.0);
                }
                if count > 2 {
                    self.push(unit + 2, 1.0);
                }
                if count > 3 {
                    self.push(unit + 3, f32::from(count - 3) / 2.0);
                }
            }
        }
    }

    /// The inputs in which a position differs from the one before the play, with what is added to each.
    #[inline]
    pub fn set_changes(&mut self, before: [&Men; 2], after: [&Men; 2]) {
        self.length = 0;
        for (side, base) in [(0, 0), (1, SIDE_INPUTS)] {
            let mut different = before[side].differences(after[side]);
            while different != 0 {
                let point = different.trailing_zeros() as u8;
                different &= different - 1;
                self.push_change(base, point, before[side].count(point), after[side].count(point));
            }
        }
    }

    #[inline]
    fn push_change(&mut self, base: usize, point: u8, before: u8, after: u8) {
        let more = f32::from(after) - f32::from(before);
        match point {
            OFF => self.push(base + 97, more / 15.0),
            BAR => self.push(base + 96, more / 2.0),
            _ => {
                let unit = base + 4 * (usize::from(point) - 1);
                for men in 0..3u8 {
                    let change = i8::from(after > men) - i8::from(before > men);
                    if change != 0 {
                        self.push(unit + usize::from(men), f32::from(change));
                    }
                }
                let change = f32::from(after.max(3)) - f32::from(before.max(3));
                if change != 0.0 {
                    self.push(unit + 3, change / 2.0);
                }
            }
        }
    }

    #[inline]
    pub fn active(&self) -> &[(u16, f32)] {
        &self.active[..self.length]
    }

    /// Adds an input; one beyond the board's needs a network with room for it.
    #[inline]
    pub fn push(&mut self, index: usize, value: f32) {
        if self.length < ROOM {
            self.active[self.length] = (index as u16, value);
            self.length += 1;
        }
    }
}

/// A network of 16·K hidden units over `inputs` inputs.
#[derive(Clone, PartialEq, Debug)]
pub struct Net<const K: usize> {
    inputs: usize,
    /// One row an input, the last one the biases.
    rows: Vec<[Lane; K]>,
    output: [Lane; K],
    output_bias: f32,
}

/// The hidden values and the output of one evaluation, for learning.
#[derive(Clone, Copy, Debug)]
pub struct Activation<const K: usize> {
    hidden: [Lane; K],
    pub value: f32,
}

impl<const K: usize> Net<K> {
    pub const HIDDEN: usize = K * LANES;

    /// All weights zero; `extra` inputs beyond the board's.
    pub fn zero(extra: usize) -> Net<K> {
        let inputs = INPUTS + extra;
        Net { inputs, rows: vec![[[0.0; LANES]; K]; inputs + 1], output: [[0.0; LANES]; K], output_bias: 0.0 }
    }

    /// Weights drawn evenly from ±`spread`; the output starts at zero, which says one half everywhere.
    pub fn random(extra: usize, spread: f64, rng: &mut Rng) -> Net<K> {
        let mut net = Net::zero(extra);
        for weight in net.rows.iter_mut().flatten().flatten() {
            *weight = rng.uniform(-spread, spread) as f32;
        }
        for weight in net.output.iter_mut().flatten() {
            *weight = rng.uniform(-spread, spread) as f32;
        }
        net
    }

    /// What each hidden unit adds up.
    #[inline]
    pub fn sums(&self, inputs: &Inputs) -> [Lane; K] {
        let mut sums = self.rows[self.inputs];
        for &(index, value) in inputs.active() {
            add_scaled(&mut sums, &self.rows[usize::from(index)], value);
        }
        sums
    }

    #[inline]
    pub fn evaluate(&self, inputs: &Inputs) -> Activation<K> {
        self.squash(self.sums(inputs))
    }

    /// The value of a position that differs from one with known sums by a few inputs.
    #[inline]
    pub fn evaluate_changed(&self, sums: &[Lane; K], changes: &Inputs) -> f32 {
        let mut sums = *sums;
        for &(index, value) in changes.active() {
            add_scaled(&mut sums, &self.rows[usize::from(index)], value);
        }
        self.squash(sums).value
    }

    #[inline(always)]
    fn squash(&self, mut hidden: [Lane; K]) -> Activation<K> {
        let mut sums = [0f32; LANES];
        for k in 0..K {
            for lane in 0..LANES {
                hidden[k][lane] = logistic(hidden[k][lane]);
                sums[lane] += hidden[k][lane] * self.output[k][lane];
            }
        }
        let mut total = self.output_bias;
        for sum in sums {
            total += sum;
        }
        Activation { hidden, value: logistic(total) }
    }

    /// One step of gradient descent on the squared error (`cross_entropy`: on the log loss) towards `target`.
    #[inline]
    pub fn learn(
        &mut self,
        inputs: &Inputs,
        at: &Activation<K>,
        target: f32,
        rate: f32,
        cross_entropy: bool,
    ) {
        let slope = if cross_entropy { 1.0 } else { at.value * (1.0 - at.value) };
        let delta = rate * (target - at.value) * slope;
        let mut deltas = [[0f32; LANES]; K];
        for k in 0..K {
            for lane in 0..LANES {
                let unit = at.hidden[k][lane];
                deltas[k][lane] = delta * self.output[k][lane] * unit * (1.0 - unit);
                self.output[k][lane] += delta * unit;
            }
        }
        self.output_bias += delta;
        for &(index, value) in inputs.active() {
            add_scaled(&mut self.rows[usize::from(index)], &deltas, value);
        }
        add_scaled(&mut self.rows[self.inputs], &deltas, 1.0);
    }

    /// All weights in one list, for models and mutations; `hidden` may be less than the network's width.
    pub fn weights(&self, hidden: usize) -> Vec<f32> {
        let lanes = |row: &[Lane; K]| row.iter().flatten().copied().take(hidden).collect::<Vec<f32>>();
        let mut weights: Vec<f32> = self.rows.iter().flat_map(lanes).collect();
        weights.extend(lanes(&self.output));
        weights.push(self.output_bias);
        weights
    }

    pub fn weight_count(&self, hidden: usize) -> usize {
        (self.rows.len() + 1) * hidden + 1
    }

    pub fn set_weights(&mut self, hidden: usize, weights: &[f32]) -> Result<(), ModelError> {
        if weights.len() != self.weight_count(hidden) {
            return Err(ModelError::Missing {
                what: format!("{} network weights", self.weight_count(hidden)),
            });
        }
        let mut rest = weights.iter().copied();
        for row in self.rows.iter_mut().chain([&mut self.output]) {
            for (weight, value) in row.iter_mut().flatten().take(hidden).zip(&mut rest) {
                *weight = value;
            }
        }
        self.output_bias = weights[weights.len() - 1];
        Ok(())
    }
}

#[inline(always)]
fn add_scaled<const K: usize>(row: &mut [Lane; K], deltas: &[Lane; K], value: f32) {
    for k in 0..K {
        for lane in 0..LANES {
            row[k][lane] += deltas[k][lane] * value;
        }
    }
}

/// 1 / (1 + e^−x) with an exponential that the compiler can spread over vector lanes; relative error below 3e-7.
#[inline(always)]
pub fn logistic(x: f32) -> f32 {
    let scaled = (-x).clamp(-80.0, 80.0) * std::f32::consts::LOG2_E;
    // Adding 1.5·2²³ rounds to a whole number and leaves it in the low bits.
    const ROUNDER: f32 = 12_582_912.0;
    let rounded = scaled + ROUNDER;
    let part = scaled - (rounded - ROUNDER);
    // 2^part on [−½, ½]: the series of e^(part·ln 2).
    let mut power = 0.000_154_035_3;
    for coefficient in
        [0.001_333_355_8, 0.009_618_129, 0.055_504_11, 0.240_226_5, std::f32::consts::LN_2, 1.0]
    {
        power = power * part + coefficient;
    }
    let exponent = f32::from_bits((rounded.to_bits() << 23).wrapping_add(127 << 23));
    1.0 / (1.0 + power * exponent)
}
