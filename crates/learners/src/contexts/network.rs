//! The same network as [`super::reference`], made for speed: about a microsecond for a position, forwards, backwards and updated.
//!
//! - The first layer is computed slot by slot ([`super::reading`]), four lanes for a perceptron's three outputs.
//! - Contexts lie in such an order that each frame is two unbroken runs of activations: one of contexts that span four columns, one
//!   of column contexts. The second layer is then dot products over runs that overlap from frame to frame.
//! - All loops run over blocks of eight lanes, which the compiler turns into vector instructions. `mul_add` rounds once on
//!   every machine, so the bytes are the same everywhere.

#![allow(clippy::needless_range_loop, reason = "lanes and neurons are numbered, several arrays at once")]

use ludens_core::{Model, ModelError, Rng};

use super::detectors::Detectors;
use super::geometry::{COUNT, FRAMES, TALL, WIDE, cells_of_code, inputs};
use super::reading::{Reading, Readings};
use super::reference::Reference;

const LANES: usize = 8;
/// Runs are padded to whole pairs of blocks.
const PADDED: usize = 2 * LANES;
/// Nine inputs of four lanes, in blocks of eight lanes.
const HALVES: usize = 5;
pub const SECOND: usize = 5;
pub const OUTPUTS: usize = 7;

/// The learning rate of the paper.
pub const RATE: f32 = 0.1;

/// A system of the paper: S1 is `[D1]`, S4 `[D1, D4]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    pub families: Vec<Detectors>,
    /// Perceptron by perceptron: the weights of each input, output by output (the fourth lane stays zero), two inputs a block.
    detectors: Vec<[[f32; LANES]; HALVES]>,
    /// For each neuron the weights of the wide run, then those of the tall one, each padded to whole blocks with zeros.
    second: Vec<Vec<f32>>,
    second_bias: [f32; SECOND],
    /// Column, then neuron; the bias in the sixteenth place.
    output: [[f32; 16]; OUTPUTS],
    shape: Shape,
    work: Work,
}

/// Lengths of the runs.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Shape {
    /// Outputs a context has: three for each family.
    per_context: usize,
    /// Of one starting column, and of a frame (two of them).
    wide_step: usize,
    wide: usize,
    /// Of one column, and of a frame (five of them).
    tall_step: usize,
    tall: usize,
    /// Padded lengths.
    wide_padded: usize,
    tall_padded: usize,
}

impl Shape {
    fn new(families: usize) -> Shape {
        let per_context = 3 * families;
        let (wide_step, tall_step) = (WIDE * per_context, TALL * per_context);
        let (wide, tall) = (2 * wide_step, 5 * tall_step);
        let padded = |n: usize| n.next_multiple_of(PADDED);
        Shape {
            per_context,
            wide_step,
            wide,
            tall_step,
            tall,
            wide_padded: padded(wide),
            tall_padded: padded(tall),
        }
    }
}

/// What one pass leaves for the next step.
#[derive(Debug, Clone, PartialEq, Default)]
struct Work {
    slots: Vec<[f32; 4]>,
    slot_deltas: Vec<[f32; 4]>,
    /// Activations: the wide contexts, then the tall ones, with room to read a padded run at the end.
    wide: Vec<f32>,
    tall: Vec<f32>,
    wide_deltas: Vec<f32>,
    tall_deltas: Vec<f32>,
    second: [f32; 16],
    output: [f32; OUTPUTS],
}

/// The inputs of every pattern, laid out as the weights are.
fn patterns() -> &'static [[[f32; LANES]; HALVES]; 81] {
    static PATTERNS: std::sync::LazyLock<[[[f32; LANES]; HALVES]; 81]> = std::sync::LazyLock::new(|| {
        std::array::from_fn(|code| {
            let v = inputs(cells_of_code(code));
            std::array::from_fn(|half| {
                std::array::from_fn(|l| v.get(2 * half + l / 4).copied().unwrap_or(0.0))
            })
        })
    });
    &PATTERNS
}

/// The logistic function, the same bits everywhere: e^x by splitting off a power of two.
#[inline(always)]
pub fn logistic(x: f32) -> f32 {
    let x = x.clamp(-80.0, 80.0);
    let t = -x * std::f32::consts::LOG2_E;
    let rounded = t + 12_582_912.0; // 1.5 · 2^23: the nearest integer is now in the lowest bits
    let f = t - (rounded - 12_582_912.0);
    // 2^f for |f| ≤ ½, error below 3e-7
    let p = 0.000_154_035_3_f32
        .mul_add(f, 0.001_333_355_8)
        .mul_add(f, 0.009_618_13)
        .mul_add(f, 0.055_504_11)
        .mul_add(f, 0.240_226_5)
        .mul_add(f, std::f32::consts::LN_2)
        .mul_add(f, 1.0);
    let power = f32::from_bits(rounded.to_bits().wrapping_add(127) << 23);
    1.0 / (1.0 + p * power)
}

#[inline(always)]
fn blocks(run: &[f32]) -> &[[f32; LANES]] {
    run.as_chunks::<LANES>().0
}

/// The products of two runs, added up in lanes. Not inlined: what is done with the lanes afterwards would make the compiler take
/// them apart.
#[inline(never)]
fn products(a: &[f32], b: &[f32], lanes: &mut [f32; LANES]) {
    let (mut even, mut odd) = (*lanes, [0.0f32; LANES]);
    for (a, b) in blocks(a).as_chunks::<2>().0.iter().zip(blocks(b).as_chunks::<2>().0) {
        for l in 0..LANES {
            even[l] = a[0][l].mul_add(b[0][l], even[l]);
        }
        for l in 0..LANES {
            odd[l] = a[1][l].mul_add(b[1][l], odd[l]);
        }
    }
    for l in 0..LANES {
        lanes[l] = even[l] + odd[l];
    }
}

#[inline(always)]
fn total(s: &[f32; LANES]) -> f32 {
    ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

/// to += Σ factor · row, over rows of the same length.
#[inline(always)]
fn add_rows<const N: usize>(to: &mut [f32], factors: [f32; N], rows: [&[f32]; N]) {
    let to = to.as_chunks_mut::<LANES>().0;
    let rows = rows.map(|row| &blocks(row)[..to.len()]);
    for (b, to) in to.iter_mut().enumerate() {
        let mut sum = *to;
        for n in 0..N {
            let row = rows[n][b];
            for l in 0..LANES {
                sum[l] = row[l].mul_add(factors[n], sum[l]);
            }
        }
        *to = sum;
    }
}

impl Network {
    /// Uniform random weights in ±½.
    pub fn new(families: &[Detectors], rng: &mut Rng) -> Network {
        let mut start = Reference::zero(families);
        for weight in start.each() {
            *weight = f64::from(rng.uniform(-0.5, 0.5) as f32);
        }
        Network::from_reference(&start)
    }

    pub fn from_reference(from: &Reference) -> Network {
        let shape = Shape::new(from.families.len());
        let mut second = Vec::new();
        for row in &from.second {
            let mut run = vec![0.0; shape.wide_padded + shape.tall_padded];
            for (i, &w) in row[..shape.wide + shape.tall].iter().enumerate() {
                run[if i < shape.wide { i } else { shape.wide_padded + i - shape.wide }] = w as f32;
            }
            second.push(run);
        }
        let mut network = Network {
            families: from.families.clone(),
            detectors: from
                .detectors
                .iter()
                .map(|d| {
                    let weight = |input: usize, output: usize| {
                        if input < 9 && output < 3 { d[output][input] as f32 } else { 0.0 }
                    };
                    std::array::from_fn(|half| std::array::from_fn(|l| weight(2 * half + l / 4, l % 4)))
                })
                .collect(),
            second,
            second_bias: std::array::from_fn(|n| from.second[n][shape.wide + shape.tall] as f32),
            output: std::array::from_fn(|c| std::array::from_fn(|j| from.output[c][j] as f32)),
            shape,
            work: Work::default(),
        };
        network.work.wide = vec![0.0; 4 * shape.wide_step + PADDED];
        network.work.tall = vec![0.0; 7 * shape.tall_step + PADDED];
        network.work.wide_deltas = network.work.wide.clone();
        network.work.tall_deltas = network.work.tall.clone();
        network
    }

    pub fn to_reference(&self) -> Reference {
        let mut to = Reference::zero(&self.families);
        let s = self.shape;
        for (d, to) in self.detectors.iter().zip(&mut to.detectors) {
            *to = std::array::from_fn(|o| std::array::from_fn(|i| f64::from(d[i / 2][i % 2 * 4 + o])));
        }
        for (n, row) in to.second.iter_mut().enumerate() {
            for i in 0..s.wide + s.tall {
                let place = if i < s.wide { i } else { s.wide_padded + i - s.wide };
                row[i] = f64::from(self.second[n][place]);
            }
            row[s.wide + s.tall] = f64::from(self.second_bias[n]);
        }
        for (row, to) in self.output.iter().zip(&mut to.output) {
            *to = row.iter().map(|&w| f64::from(w)).collect();
        }
        to
    }

    pub fn read(&self, act: u64, pas: u64) -> Readings {
        Readings::new(&self.families, [(act, pas)])
    }

    /// The seven outputs, higher for a column the network prefers.
    pub fn outputs(&mut self, reading: Reading) -> [f32; OUTPUTS] {
        self.forward(reading);
        self.work.output
    }

    fn forward(&mut self, reading: Reading) {
        self.first_layer(reading);
        let s = self.shape;
        let work = &mut self.work;
        for frame in 0..FRAMES {
            let wide = &work.wide[frame * s.wide_step..][..s.wide_padded];
            let tall = &work.tall[frame * s.tall_step..][..s.tall_padded];
            for neuron in 0..SECOND {
                let (w_wide, w_tall) = self.second[neuron].split_at(s.wide_padded);
                let mut lanes = [0.0; LANES];
                products(wide, w_wide, &mut lanes);
                products(tall, w_tall, &mut lanes);
                work.second[SECOND * frame + neuron] = total(&lanes) + self.second_bias[neuron];
            }
        }
        for h in &mut work.second {
            *h = logistic(*h);
        }
        work.second[15] = 1.0;
        let mut sums = [0.0; LANES];
        for (sum, w) in sums.iter_mut().zip(&self.output) {
            let mut lanes = [0.0; LANES];
            products(&work.second, w, &mut lanes);
            *sum = total(&lanes);
        }
        let outputs = sums.map(logistic);
        work.output.copy_from_slice(&outputs[..OUTPUTS]);
    }

    /// Equation 2 for every slot, and the activations laid out for the second layer.
    fn first_layer(&mut self, reading: Reading) {
        let patterns = patterns();
        let work = &mut self.work;
        work.slots.resize(reading.slots.len(), [0.0; 4]);
        for (slot, &[detector, pattern]) in work.slots.iter_mut().zip(reading.slots) {
            let weights = &self.detectors[usize::from(detector)];
            let v = &patterns[usize::from(pattern)];
            let mut sum = [0.0; LANES];
            for half in 0..HALVES {
                for l in 0..LANES {
                    sum[l] = weights[half][l].mul_add(v[half][l], sum[l]);
                }
            }
            for o in 0..4 {
                slot[o] = sum[o] + sum[o + 4];
            }
        }
        for h in work.slots.as_flattened_mut() {
            *h = logistic(*h);
        }
        let s = self.shape;
        let (wide, tall) = reading.taken.split_at(4 * WIDE * self.families.len());
        for (run, taken) in [(&mut work.wide, wide), (&mut work.tall, tall)] {
            for (place, &slot) in taken.iter().enumerate() {
                // Four values where three belong: the next write, or the spare room, takes the fourth.
                run[3 * place..3 * place + 4].copy_from_slice(&work.slots[usize::from(slot)]);
            }
        }
        work.wide[4 * s.wide_step..].fill(0.0);
        work.tall[7 * s.tall_step..].fill(0.0);
    }

    /// One step of online backpropagation; returns the error before it.
    pub fn learn(&mut self, reading: Reading, targets: &[f32; OUTPUTS], rate: f32) -> f32 {
        self.forward(reading);
        let mut of_second = [0.0f32; 16];
        let mut error = 0.0;
        for column in 0..OUTPUTS {
            let o = self.work.output[column];
            let miss = o - targets[column];
            error += 0.5 * miss * miss;
            let delta = miss * o * (1.0 - o);
            let w = &mut self.output[column];
            for j in 0..16 {
                of_second[j] = delta.mul_add(w[j], of_second[j]);
                w[j] = (-rate * delta).mul_add(self.work.second[j], w[j]);
            }
        }
        for j in 0..15 {
            let h = self.work.second[j];
            of_second[j] *= h * (1.0 - h);
        }
        self.back_to_first(&of_second);
        self.update_second(&of_second, rate);
        self.update_detectors(reading, rate);
        error
    }

    /// The deltas of all activations of the first layer, summed over the frames that use them.
    fn back_to_first(&mut self, deltas: &[f32; 16]) {
        let s = self.shape;
        self.work.wide_deltas.fill(0.0);
        self.work.tall_deltas.fill(0.0);
        for frame in 0..FRAMES {
            let mut d = [0.0; SECOND];
            d.copy_from_slice(&deltas[SECOND * frame..SECOND * (frame + 1)]);
            let row = |n: usize| &self.second[n][..s.wide_padded];
            let to = &mut self.work.wide_deltas[frame * s.wide_step..][..s.wide_padded];
            add_rows(to, d, std::array::from_fn(row));
            let row = |n: usize| &self.second[n][s.wide_padded..];
            let to = &mut self.work.tall_deltas[frame * s.tall_step..][..s.tall_padded];
            add_rows(to, d, std::array::from_fn(row));
        }
    }

    fn update_second(&mut self, deltas: &[f32; 16], rate: f32) {
        let s = self.shape;
        for neuron in 0..SECOND {
            let d = [0, 1, 2].map(|f| -rate * deltas[SECOND * f + neuron]);
            self.second_bias[neuron] += d[0] + d[1] + d[2];
            let (w_wide, w_tall) = self.second[neuron].split_at_mut(s.wide_padded);
            add_rows(w_wide, d, std::array::from_fn(|f| &self.work.wide[f * s.wide_step..]));
            add_rows(w_tall, d, std::array::from_fn(|f| &self.work.tall[f * s.tall_step..]));
            // The padding read what belongs to the next column: it must stay zero.
            self.second[neuron][s.wide..s.wide_padded].fill(0.0);
            self.second[neuron][s.wide_padded + s.tall..].fill(0.0);
        }
    }

    fn update_detectors(&mut self, reading: Reading, rate: f32) {
        let work = &mut self.work;
        work.slot_deltas.clear();
        work.slot_deltas.resize(reading.slots.len(), [0.0; 4]);
        let (wide, tall) = reading.taken.split_at(4 * WIDE * self.families.len());
        for (run, taken) in [(&work.wide_deltas, wide), (&work.tall_deltas, tall)] {
            for (place, &slot) in taken.iter().enumerate() {
                let sum = &mut work.slot_deltas[usize::from(slot)];
                if let Some(&from) = run[3 * place..].first_chunk::<4>() {
                    let mut more = *sum; // a copy, so that the four lanes stay together
                    for o in 0..4 {
                        more[o] += from[o];
                    }
                    *sum = more;
                }
            }
        }
        let patterns = patterns();
        let mut deltas = work.slots.iter().zip(&work.slot_deltas);
        // The fourth lane carries a neighbour's value; its weight is zero and must stay so.
        let rates = [-rate, -rate, -rate, 0.0, -rate, -rate, -rate, 0.0];
        for uses in reading.slots.chunk_by(|a, b| a[0] == b[0]) {
            let mut weights = self.detectors[usize::from(uses[0][0])];
            for (&[_, pattern], (h, sum)) in uses.iter().zip(&mut deltas) {
                let v = &patterns[usize::from(pattern)];
                // Plain loops: the closures of `array::from_fn` are not inlined in a large build, at a third of the speed.
                let mut delta = rates;
                for o in 0..4 {
                    let slope = sum[o] * (h[o] * (1.0 - h[o]));
                    delta[o] *= slope;
                    delta[o + 4] *= slope;
                }
                for half in 0..HALVES {
                    for l in 0..LANES {
                        weights[half][l] = delta[l].mul_add(v[half][l], weights[half][l]);
                    }
                }
            }
            self.detectors[usize::from(uses[0][0])] = weights;
        }
    }

    /// Free parameters.
    pub fn parameters(&self) -> usize {
        27 * self.detectors.len()
            + SECOND * (self.shape.per_context * super::geometry::IN_FRAME + 1)
            + OUTPUTS * 16
    }

    pub fn put_into(&self, model: &mut Model) {
        let flat: Vec<f32> = self.to_reference().each().map(|w| *w as f32).collect();
        model.put_meta("families", &self.families);
        model.put_f32("weights", &[flat.len()], &flat);
    }

    pub fn take_from(model: &Model) -> Result<Network, ModelError> {
        let families: Vec<Detectors> = model.meta("families")?;
        let mut weights = Reference::zero(&families);
        let count = weights.parameters();
        let flat = model.f32s("weights", count)?;
        weights.each().zip(flat).for_each(|(w, &f)| *w = f64::from(f));
        Ok(Network::from_reference(&weights))
    }
}

// A position has 69 contexts; `taken` holds them all.
const _: () = assert!(COUNT == 4 * WIDE + 7 * TALL);
