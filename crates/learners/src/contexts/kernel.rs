//! The context network for speed: its weights, and learning online and in batches.
//!
//! `L` is the number of lanes of a context: four for each family of detectors, three outputs and a spare that stays zero. Everything is
//! an array of lanes ([`super::lanes`]).

#![allow(clippy::needless_range_loop, reason = "lanes and neurons are numbered, several arrays at once")]

use super::geometry::{COUNT, IN_FRAME, cells_of_code, inputs};
use super::lanes::{Lanes, add, squash};
use super::places::{OUTPUTS, Top};
use super::reading::{PATTERNS, Reading, View, Views};
use super::reference::Reference;

/// The weights of a perceptron: input by input, the three outputs and the spare.
type Perceptron = [[f32; 4]; 9];

/// All weights of a system, and the room its passes work in.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel<const L: usize> {
    perceptrons: Vec<Perceptron>,
    top: Top<L>,
    views: Views,
    /// Equation 1 for every pattern.
    inputs: Vec<[f32; 9]>,
    work: Work<L>,
    batch: Batch<L>,
}

/// What one pass leaves for the next step.
#[derive(Debug, Clone, PartialEq)]
struct Work<const L: usize> {
    slots: [Lanes<L>; COUNT],
    slot_deltas: [Lanes<L>; COUNT],
    activations: [Lanes<L>; COUNT],
    deltas: [Lanes<L>; COUNT],
}

/// The slots of a whole batch, computed once, and the gradients it adds up.
#[derive(Debug, Clone, PartialEq)]
struct Batch<const L: usize> {
    /// For each (view, pattern) its number in the batch, or `ABSENT`.
    number: Vec<u16>,
    pairs: Vec<[u8; 2]>,
    slots: Vec<Lanes<L>>,
    slot_deltas: Vec<Lanes<L>>,
    top: Top<L>,
}

const ABSENT: u16 = u16::MAX;

impl<const L: usize> Kernel<L> {
    const FAMILIES: usize = L / 4;

    pub fn from_reference(from: &Reference) -> Kernel<L> {
        let views = Views::new(&from.families);
        let lane = |row: &[f64], place: usize, l: usize| {
            if l % 4 == 3 { 0.0 } else { row[3 * (Self::FAMILIES * place + l / 4) + l % 4] as f32 }
        };
        let room = [Lanes::ZERO; COUNT];
        Kernel {
            perceptrons: from
                .detectors
                .iter()
                .map(|d| {
                    std::array::from_fn(|i| {
                        std::array::from_fn(|o| if o == 3 { 0.0 } else { d[o][i] as f32 })
                    })
                })
                .collect(),
            top: Top {
                places: std::array::from_fn(|place| {
                    std::array::from_fn(|n| Lanes(std::array::from_fn(|l| lane(&from.second[n], place, l))))
                }),
                bias: std::array::from_fn(|n| from.second[n][from.second[n].len() - 1] as f32),
                output: std::array::from_fn(|j| {
                    Lanes(std::array::from_fn(|c| if c == OUTPUTS { 0.0 } else { from.output[c][j] as f32 }))
                }),
            },
            inputs: (0..PATTERNS).map(|pattern| inputs(cells_of_code(pattern))).collect(),
            work: Work { slots: room, slot_deltas: room, activations: room, deltas: room },
            batch: Batch {
                number: vec![ABSENT; views.all.len() * PATTERNS],
                pairs: Vec::new(),
                slots: Vec::new(),
                slot_deltas: Vec::new(),
                top: Top::ZERO,
            },
            views,
        }
    }

    pub fn to_reference(&self) -> Reference {
        let mut to = Reference::zero(&self.views.families);
        for (d, to) in self.perceptrons.iter().zip(&mut to.detectors) {
            *to = std::array::from_fn(|o| std::array::from_fn(|i| f64::from(d[i][o])));
        }
        for (n, row) in to.second.iter_mut().enumerate() {
            let per_place = 3 * Self::FAMILIES;
            for i in 0..IN_FRAME * per_place {
                let (place, o) = (i / per_place, i % per_place);
                row[i] = f64::from(self.top.places[place][n].0[o / 3 * 4 + o % 3]);
            }
            row[IN_FRAME * per_place] = f64::from(self.top.bias[n]);
        }
        for (c, row) in to.output.iter_mut().enumerate() {
            *row = self.top.output.iter().map(|j| f64::from(j.0[c])).collect();
        }
        to
    }

    pub fn views(&self) -> &Views {
        &self.views
    }

    /// The seven outputs, higher for a column the network prefers.
    pub fn outputs(&mut self, reading: Reading) -> [f32; OUTPUTS] {
        self.first_layer(reading);
        let pass = self.top.forward(&self.work.activations);
        std::array::from_fn(|c| pass.out.0[c])
    }

    /// Equation 2 for every slot, and the activations laid out for the second layer.
    fn first_layer(&mut self, reading: Reading) {
        let work = &mut self.work;
        let mut from = 0;
        while from < reading.slots.len() {
            let to = end_of_view(reading.slots, from);
            let weights = gathered(&self.perceptrons, &self.views.all[usize::from(reading.slots[from][0])]);
            sums(&weights, &self.inputs, &reading.slots[from..to], &mut work.slots[from..to]);
            from = to;
        }
        squash(&mut work.slots[..reading.slots.len()]);
        for (activation, &slot) in work.activations.iter_mut().zip(reading.taken) {
            *activation = work.slots[usize::from(slot)];
        }
    }

    /// One step of online backpropagation; returns the error before it.
    pub fn learn(&mut self, reading: Reading, targets: &[f32; OUTPUTS], rate: f32) -> f32 {
        self.first_layer(reading);
        let pass = self.top.forward(&self.work.activations);
        let slopes = self.top.slopes(&pass, targets);
        let work = &mut self.work;
        work.deltas = [Lanes::ZERO; COUNT];
        self.top.learn(&pass, &slopes, &work.activations, &mut work.deltas, rate);
        self.update_detectors(reading, rate);
        slopes.error
    }

    #[inline(never)]
    fn update_detectors(&mut self, reading: Reading, rate: f32) {
        let work = &mut self.work;
        work.slot_deltas[..reading.slots.len()].fill(Lanes::ZERO);
        for (delta, &slot) in work.deltas.iter().zip(reading.taken) {
            let sum = &mut work.slot_deltas[usize::from(slot)];
            add(sum, 1.0, delta);
        }
        let mut from = 0;
        while from < reading.slots.len() {
            let to = end_of_view(reading.slots, from);
            let of_view = &self.views.all[usize::from(reading.slots[from][0])];
            let mut weights = gathered(&self.perceptrons, of_view);
            let slots = work.slots[from..to].iter().zip(&work.slot_deltas[from..to]);
            for ((h, sum), [_, pattern]) in slots.zip(&reading.slots[from..to]) {
                descend(&mut weights, h, sum, &self.inputs[usize::from(*pattern)], rate);
            }
            scattered(&weights, &mut self.perceptrons, of_view);
            from = to;
        }
    }

    /// One step down the mean gradient of several positions; returns the sum of their errors before it.
    pub fn learn_batch<'a>(
        &mut self,
        examples: impl Iterator<Item = (Reading<'a>, &'a [f32; OUTPUTS])> + Clone,
        rate: f32,
    ) -> f32 {
        self.start_batch(examples.clone().map(|(reading, _)| reading));
        let (mut errors, mut count) = (0.0, 0);
        for (reading, targets) in examples {
            errors += self.add_to_batch(reading, targets);
            count += 1;
        }
        self.finish_batch(rate / count.max(1) as f32);
        errors
    }

    /// Each (view, pattern) of the whole batch once: the weights do not change within it.
    fn start_batch<'a>(&mut self, readings: impl Iterator<Item = Reading<'a>>) {
        let batch = &mut self.batch;
        for [view, pattern] in batch.pairs.drain(..) {
            batch.number[usize::from(view) * PATTERNS + usize::from(pattern)] = ABSENT;
        }
        for reading in readings {
            for &[view, pattern] in reading.slots {
                let number = &mut batch.number[usize::from(view) * PATTERNS + usize::from(pattern)];
                if *number == ABSENT {
                    *number = batch.pairs.len() as u16;
                    batch.pairs.push([view, pattern]);
                }
            }
        }
        batch.slots.resize(batch.pairs.len(), Lanes::ZERO);
        for (slot, pair) in batch.slots.iter_mut().zip(&batch.pairs) {
            let weights = gathered(&self.perceptrons, &self.views.all[usize::from(pair[0])]);
            sums(&weights, &self.inputs, &[*pair], std::slice::from_mut(slot));
        }
        squash(&mut batch.slots);
        batch.slot_deltas.clear();
        batch.slot_deltas.resize(batch.pairs.len(), Lanes::ZERO);
        batch.top = Top::ZERO;
    }

    fn add_to_batch(&mut self, reading: Reading, targets: &[f32; OUTPUTS]) -> f32 {
        let (batch, work) = (&mut self.batch, &mut self.work);
        let mut numbers = [0u16; COUNT];
        for (number, &[view, pattern]) in numbers.iter_mut().zip(reading.slots) {
            *number = batch.number[usize::from(view) * PATTERNS + usize::from(pattern)];
        }
        for (activation, &slot) in work.activations.iter_mut().zip(reading.taken) {
            *activation = batch.slots[usize::from(numbers[usize::from(slot)])];
        }
        let pass = self.top.forward(&work.activations);
        let slopes = self.top.slopes(&pass, targets);
        work.deltas = [Lanes::ZERO; COUNT];
        self.top.add_gradient(&mut batch.top, &pass, &slopes, &work.activations, &mut work.deltas);
        for (delta, &slot) in work.deltas.iter().zip(reading.taken) {
            add(&mut batch.slot_deltas[usize::from(numbers[usize::from(slot)])], 1.0, delta);
        }
        slopes.error
    }

    fn finish_batch(&mut self, rate: f32) {
        let batch = &self.batch;
        self.top.step(-rate, &batch.top);
        for ((pair, h), sum) in batch.pairs.iter().zip(&batch.slots).zip(&batch.slot_deltas) {
            let of_view = &self.views.all[usize::from(pair[0])];
            let mut weights = gathered(&self.perceptrons, of_view);
            descend(&mut weights, h, sum, &self.inputs[usize::from(pair[1])], rate);
            scattered(&weights, &mut self.perceptrons, of_view);
        }
    }
}

/// Where the slots of the view that begins at `from` end.
#[inline(always)]
fn end_of_view(slots: &[[u8; 2]], from: usize) -> usize {
    let mut to = from + 1;
    while to < slots.len() && slots[to][0] == slots[from][0] {
        to += 1;
    }
    to
}

/// The input of a family's perceptron that input `i` of the context is.
#[inline(always)]
fn input(view: &View, family: usize, i: usize) -> usize {
    if i < 4 { i ^ usize::from(view.turn[family] & 3) } else { i }
}

/// The weights of the perceptrons of a view, side by side.
#[inline(always)]
fn gathered<const L: usize>(perceptrons: &[Perceptron], of_view: &View) -> [Lanes<L>; 9] {
    let mut weights = [Lanes::ZERO; 9];
    for family in 0..L / 4 {
        let from = &perceptrons[usize::from(of_view.perceptrons[family])];
        for i in 0..9 {
            for o in 0..4 {
                weights[i].0[4 * family + o] = from[input(of_view, family, i)][o];
            }
        }
    }
    weights
}

#[inline(always)]
fn scattered<const L: usize>(weights: &[Lanes<L>; 9], perceptrons: &mut [Perceptron], of_view: &View) {
    for family in 0..L / 4 {
        let to = &mut perceptrons[usize::from(of_view.perceptrons[family])];
        for i in 0..9 {
            for o in 0..4 {
                to[input(of_view, family, i)][o] = weights[i].0[4 * family + o];
            }
        }
    }
}

/// The weighted sums of equation 2 for slots of one view.
#[inline(always)]
fn sums<const L: usize>(
    weights: &[Lanes<L>; 9],
    inputs: &[[f32; 9]],
    slots: &[[u8; 2]],
    to: &mut [Lanes<L>],
) {
    for (to, [_, pattern]) in to.iter_mut().zip(slots) {
        let v = &inputs[usize::from(*pattern)];
        let (mut even, mut odd) = (Lanes::<L>::ZERO, Lanes::<L>::ZERO);
        for l in 0..L {
            even.0[l] = weights[0].0[l] * v[0];
            odd.0[l] = weights[1].0[l] * v[1];
        }
        add(&mut even, v[2], &weights[2]);
        add(&mut odd, v[3], &weights[3]);
        add(&mut even, v[4], &weights[4]);
        add(&mut odd, v[5], &weights[5]);
        add(&mut even, v[6], &weights[6]);
        add(&mut odd, v[7], &weights[7]);
        add(&mut even, v[8], &weights[8]);
        for l in 0..L {
            to.0[l] = even.0[l] + odd.0[l];
        }
    }
}

/// A slot's share of the gradient of its perceptrons.
#[inline(always)]
fn descend<const L: usize>(
    weights: &mut [Lanes<L>; 9],
    h: &Lanes<L>,
    sum: &Lanes<L>,
    v: &[f32; 9],
    rate: f32,
) {
    let mut delta = Lanes::ZERO;
    for l in 0..L {
        delta.0[l] = (-rate * sum.0[l]) * (h.0[l] * (1.0 - h.0[l]));
    }
    for i in 0..9 {
        add(&mut weights[i], v[i], &delta);
    }
}
