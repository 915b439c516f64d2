//! The network of figure 6, written as the paper writes it: no tricks, double precision. The fast one
//! ([`super::network`]) is checked against this, and this against finite differences.

#![allow(clippy::needless_range_loop, reason = "neurons are numbered, several arrays at once")]

use std::sync::LazyLock;

use super::detectors::Detectors;
use super::geometry::{CONTEXTS, FRAMES, IN_FRAME, cells_of_code, inputs};
use ludens_core::math;

/// All weights of a system.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// The families of detectors that look at a context.
    pub families: Vec<Detectors>,
    /// `w^*_ij` of equation 2: detector, output i, input j.
    pub detectors: Vec<[[f64; 9]; 3]>,
    /// Second hidden layer, shared by the frames: neuron, then context and output in the frame's order; bias last.
    pub second: Vec<Vec<f64>>,
    /// Output layer: column, then the 15 neurons of the second layer; bias last. An eighth row is the second task: how the game ends.
    pub output: Vec<Vec<f64>>,
}

/// What the sums before the outputs are made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Shares {
    /// The sums with every context empty.
    pub empty: [f64; 7],
    /// What each context adds to that, by column.
    pub contexts: Vec<[f64; 7]>,
}

fn g(x: f64) -> f64 {
    1.0 / (1.0 + math::exp(-x))
}

/// The contexts of a frame, in the order of `CONTEXTS`.
pub(crate) fn contexts_of(frame: usize) -> &'static [usize] {
    static BY_FRAME: LazyLock<Vec<Vec<usize>>> = LazyLock::new(|| {
        let of = |frame| (0..CONTEXTS.len()).filter(|&k| CONTEXTS[k].frames().any(|f| f == frame)).collect();
        (1..=FRAMES).map(of).collect()
    });
    &BY_FRAME[frame - 1]
}

/// What the forward pass leaves behind.
pub(crate) struct Trace {
    first: Vec<Vec<f64>>,
    second: Vec<f64>,
    output: Vec<f64>,
}

impl Reference {
    /// All weights zero; with the second task, if it is to tell the outcome too.
    pub fn zero(families: &[Detectors], outcome: bool) -> Reference {
        let detectors = families.iter().map(|d| d.count()).sum();
        Reference {
            families: families.to_vec(),
            detectors: vec![[[0.0; 9]; 3]; detectors],
            second: vec![vec![0.0; IN_FRAME * 3 * families.len() + 1]; 5],
            output: vec![vec![0.0; 16]; 7 + usize::from(outcome)],
        }
    }

    /// Free parameters: shared ones count once.
    pub fn parameters(&self) -> usize {
        27 * self.detectors.len() + self.second.iter().chain(&self.output).map(Vec::len).sum::<usize>()
    }

    /// The detectors at work on context `k`: each with its inputs V_K.
    fn at_work(&self, k: usize, act: u64, pas: u64) -> Vec<(usize, [f64; 9])> {
        self.at_work_on(k, CONTEXTS[k].cells_of(act, pas), act | pas)
    }

    fn at_work_on(&self, k: usize, cells: [i8; 4], occupied: u64) -> Vec<(usize, [f64; 9])> {
        let context = &CONTEXTS[k];
        let depth = context.depth(occupied);
        let mut first = 0;
        self.families
            .iter()
            .map(|family| {
                let read = cells_of_code(family.reading(context, cells));
                let detector = first + family.index(context, depth);
                first += family.count();
                (detector, inputs(read).map(f64::from))
            })
            .collect()
    }

    pub(crate) fn forward(&self, act: u64, pas: u64) -> Trace {
        let mut trace = Trace { first: Vec::new(), second: Vec::new(), output: Vec::new() };
        for frame in 1..=FRAMES {
            let mut layer = Vec::new();
            for &k in contexts_of(frame) {
                for (detector, v) in self.at_work(k, act, pas) {
                    for w in &self.detectors[detector] {
                        layer.push(g(w.iter().zip(&v).map(|(w, v)| w * v).sum())); // equation 2
                    }
                }
            }
            for w in &self.second {
                let sum: f64 = w.iter().zip(&layer).map(|(w, h)| w * h).sum();
                trace.second.push(g(sum + w[layer.len()]));
            }
            trace.first.push(layer);
        }
        for w in &self.output {
            let sum: f64 = w.iter().zip(&trace.second).map(|(w, h)| w * h).sum();
            trace.output.push(g(sum + w[15]));
        }
        trace
    }

    /// The weighted sums before the seven outputs.
    pub fn sums(&self, act: u64, pas: u64) -> [f64; 7] {
        self.sums_of(&self.forward(act, pas))
    }

    pub(crate) fn sums_of(&self, trace: &Trace) -> [f64; 7] {
        self.top(&trace.second)
    }

    fn top(&self, second: &[f64]) -> [f64; 7] {
        std::array::from_fn(|c| {
            let w = &self.output[c];
            w.iter().zip(second).map(|(w, h)| w * h).sum::<f64>() + w[15]
        })
    }

    /// What each context adds to the sums, beside what it would add with its squares empty. A neuron of the second layer bends its
    /// sum: each context gets the part of the bend that its part of the sum is, so that the shares add up to the sums exactly.
    pub(crate) fn shares(&self, act: u64, pas: u64, trace: &Trace) -> Shares {
        let per_context = 3 * self.families.len();
        let mut shares = Shares { empty: [0.0; 7], contexts: vec![[0.0; 7]; CONTEXTS.len()] };
        let mut at_rest = Vec::with_capacity(15);
        for frame in 1..=FRAMES {
            let contexts = contexts_of(frame);
            let full = &trace.first[frame - 1];
            let mut empty = full.clone();
            let is_filled = |k: usize| CONTEXTS[k].cells_of(act, pas) != [0; 4];
            let filled: Vec<(usize, usize)> =
                contexts.iter().copied().enumerate().filter(|&(_, k)| is_filled(k)).collect();
            for &(place, k) in &filled {
                let outputs = empty[place * per_context..].as_chunks_mut::<3>().0;
                for (out, (d, v)) in outputs.iter_mut().zip(self.at_work_on(k, [0; 4], act | pas)) {
                    *out = self.detectors[d].map(|w| g(w.iter().zip(&v).map(|(w, v)| w * v).sum()));
                }
            }
            for (n, w) in self.second.iter().enumerate() {
                let part = |layer: &[f64], place: usize| -> f64 {
                    (place..place + per_context).map(|i| w[i] * layer[i]).sum()
                };
                let whole =
                    |layer: &[f64]| w.iter().zip(layer).map(|(w, h)| w * h).sum::<f64>() + w[layer.len()];
                let (here, rest) = (whole(full), whole(&empty));
                let slope =
                    if (here - rest).abs() > 1e-12 { (g(here) - g(rest)) / (here - rest) } else { 0.0 };
                at_rest.push(g(rest) + if slope == 0.0 { g(here) - g(rest) } else { 0.0 });
                for &(place, k) in &filled {
                    let at = place * per_context;
                    let share = slope * (part(full, at) - part(&empty, at));
                    for (column, sum) in shares.contexts[k].iter_mut().enumerate() {
                        *sum += self.output[column][5 * (frame - 1) + n] * share;
                    }
                }
            }
        }
        shares.empty = self.top(&at_rest);
        shares
    }

    /// The seven outputs, and that of the second task.
    pub fn outputs(&self, act: u64, pas: u64) -> Vec<f64> {
        self.forward(act, pas).output
    }

    /// ½ Σ (output − target)².
    pub fn error(&self, act: u64, pas: u64, targets: &[f64]) -> f64 {
        self.outputs(act, pas).iter().zip(targets).map(|(o, t)| 0.5 * (o - t) * (o - t)).sum()
    }

    /// Its gradient, in the shape of the network: every use of a shared weight adds to it.
    pub fn gradient(&self, act: u64, pas: u64, targets: &[f64]) -> Reference {
        let trace = self.forward(act, pas);
        let mut gradient = Reference::zero(&self.families, self.output.len() > 7);
        let mut of_second = [0.0; 15];
        for (column, &o) in trace.output.iter().enumerate() {
            let delta = (o - targets[column]) * o * (1.0 - o);
            for j in 0..15 {
                gradient.output[column][j] += delta * trace.second[j];
                of_second[j] += delta * self.output[column][j];
            }
            gradient.output[column][15] += delta;
        }
        for frame in 1..=FRAMES {
            let layer = &trace.first[frame - 1];
            let mut of_first = vec![0.0; layer.len()];
            for neuron in 0..5 {
                let h = trace.second[5 * (frame - 1) + neuron];
                let delta = of_second[5 * (frame - 1) + neuron] * h * (1.0 - h);
                for (i, &input) in layer.iter().enumerate() {
                    gradient.second[neuron][i] += delta * input;
                    of_first[i] += delta * self.second[neuron][i];
                }
                gradient.second[neuron][layer.len()] += delta;
            }
            let mut place = 0;
            for &k in contexts_of(frame) {
                for (detector, v) in self.at_work(k, act, pas) {
                    for output in 0..3 {
                        let delta = of_first[place] * layer[place] * (1.0 - layer[place]);
                        for j in 0..9 {
                            gradient.detectors[detector][output][j] += delta * v[j];
                        }
                        place += 1;
                    }
                }
            }
        }
        gradient
    }

    /// Every weight in one row, for tests and for the fast network.
    pub fn each(&mut self) -> impl Iterator<Item = &mut f64> {
        self.detectors
            .iter_mut()
            .flatten()
            .flatten()
            .chain(self.second.iter_mut().flatten())
            .chain(self.output.iter_mut().flatten())
    }
}
