//! The second layer and the outputs: forwards, backwards, and the gradients of their weights.
//!
//! Functions that are *not* inlined are so on purpose: a loop over places around them would otherwise be vectorised
//! instead of the lanes, at half the speed (measured).

#![allow(clippy::needless_range_loop, reason = "lanes and neurons are numbered, several arrays at once")]

use super::geometry::{COUNT, FRAMES, IN_FRAME, TALL, WIDE};
use super::lanes::{Lanes, add, logistic, multiply, total};

pub const SECOND: usize = 5;
pub const OUTPUTS: usize = 7;
/// Contexts of a frame that span four columns come first, then the columns'.
const WIDE_PLACES: usize = 2 * WIDE;
/// Places handled by one call.
const RUN: usize = 3;

/// The weights into the second layer from one place of a frame.
pub type Place<const L: usize> = [Lanes<L>; SECOND];
/// A number for each neuron of the second layer, frame by frame.
type PerFrame = [[f32; SECOND]; FRAMES];

/// The weights above the first layer, or a gradient of theirs.
#[derive(Debug, Clone, PartialEq)]
pub struct Top<const L: usize> {
    pub places: [Place<L>; IN_FRAME],
    pub bias: [f32; SECOND],
    /// Neuron by neuron (the bias last), the seven columns and a spare.
    pub output: [Lanes<8>; 16],
}

/// What a pass through the top leaves for the way back.
#[derive(Debug)]
pub struct Pass {
    /// The second layer, frame by frame; a one for the bias in the sixteenth place.
    second: [f32; 16],
    pub out: Lanes<8>,
}

/// The slopes of the error before the outputs and before the second layer.
#[derive(Debug)]
pub struct Slopes {
    pub error: f32,
    output: Lanes<8>,
    second: PerFrame,
}

impl<const L: usize> Top<L> {
    pub const ZERO: Self =
        Top { places: [[Lanes::ZERO; SECOND]; IN_FRAME], bias: [0.0; SECOND], output: [Lanes::ZERO; 16] };

    /// From the activations of all contexts to the outputs.
    #[inline(never)]
    pub fn forward(&self, x: &[Lanes<L>; COUNT]) -> Pass {
        let mut lanes = [[Lanes::ZERO; SECOND]; FRAMES];
        weigh::<L, WIDE>(&self.places[..WIDE_PLACES], &x[..4 * WIDE], &mut lanes);
        weigh::<L, TALL>(&self.places[WIDE_PLACES..], &x[4 * WIDE..], &mut lanes);
        let mut second = [0.0f32; 16];
        for frame in 0..FRAMES {
            for n in 0..SECOND {
                second[SECOND * frame + n] = total(&lanes[frame][n]) + self.bias[n];
            }
        }
        for j in 0..16 {
            second[j] = logistic(second[j]);
        }
        second[15] = 1.0;
        // Four chains of sums instead of one: they do not wait for each other.
        let mut chains = [Lanes::<8>::ZERO; 4];
        for j in 0..16 {
            add(&mut chains[j % 4], second[j], &self.output[j]);
        }
        let mut out = Lanes::ZERO;
        for c in 0..8 {
            out.0[c] = logistic((chains[0].0[c] + chains[1].0[c]) + (chains[2].0[c] + chains[3].0[c]));
        }
        Pass { second, out }
    }

    #[inline(always)]
    pub fn slopes(&self, pass: &Pass, targets: &[f32; OUTPUTS]) -> Slopes {
        let mut slopes = Slopes { error: 0.0, output: Lanes::ZERO, second: [[0.0; SECOND]; FRAMES] };
        for c in 0..OUTPUTS {
            let miss = pass.out.0[c] - targets[c];
            slopes.error += 0.5 * miss * miss;
            slopes.output.0[c] = miss * pass.out.0[c] * (1.0 - pass.out.0[c]);
        }
        for frame in 0..FRAMES {
            for n in 0..SECOND {
                let j = SECOND * frame + n;
                let mut products = Lanes::<8>::ZERO;
                multiply(&mut products, &self.output[j], &slopes.output);
                slopes.second[frame][n] = total(&products) * (pass.second[j] * (1.0 - pass.second[j]));
            }
        }
        slopes
    }

    /// One step down; adds to the slopes `dx` of all contexts.
    #[inline(always)]
    pub fn learn(
        &mut self,
        pass: &Pass,
        slopes: &Slopes,
        x: &[Lanes<L>; COUNT],
        dx: &mut [Lanes<L>; COUNT],
        rate: f32,
    ) {
        self.add_small_gradients(-rate, pass, slopes);
        let (wide, tall) = self.places.split_at_mut(WIDE_PLACES);
        online_run::<L, WIDE>(wide, x, dx, 0, &slopes.second, rate);
        online_run::<L, TALL>(tall, x, dx, 4 * WIDE, &slopes.second, rate);
    }

    /// The same without the step: the gradient is added to `sum`.
    #[inline(always)]
    pub fn add_gradient(
        &self,
        sum: &mut Top<L>,
        pass: &Pass,
        slopes: &Slopes,
        x: &[Lanes<L>; COUNT],
        dx: &mut [Lanes<L>; COUNT],
    ) {
        sum.add_small_gradients(1.0, pass, slopes);
        let (wide, tall) = self.places.split_at(WIDE_PLACES);
        let (wide_sums, tall_sums) = sum.places.split_at_mut(WIDE_PLACES);
        batch_run::<L, WIDE>(wide, wide_sums, x, dx, 0, &slopes.second);
        batch_run::<L, TALL>(tall, tall_sums, x, dx, 4 * WIDE, &slopes.second);
    }

    #[inline(always)]
    fn add_small_gradients(&mut self, factor: f32, pass: &Pass, slopes: &Slopes) {
        for j in 0..16 {
            add(&mut self.output[j], factor * pass.second[j], &slopes.output);
        }
        let d = &slopes.second;
        for n in 0..SECOND {
            self.bias[n] += factor * (d[0][n] + d[1][n] + d[2][n]);
        }
    }

    /// self += factor · sum
    pub fn step(&mut self, factor: f32, sum: &Top<L>) {
        for (w, sum) in self.output.iter_mut().zip(&sum.output) {
            add(w, factor, sum);
        }
        for (w, sum) in self.bias.iter_mut().zip(&sum.bias) {
            *w += factor * sum;
        }
        for (w, sum) in self.places.as_flattened_mut().iter_mut().zip(sum.places.as_flattened()) {
            add(w, factor, sum);
        }
    }
}

/// Frame f sees at place p the context p + f · STEP.
#[inline(always)]
fn weigh<const L: usize, const STEP: usize>(
    places: &[Place<L>],
    x: &[Lanes<L>],
    lanes: &mut [[Lanes<L>; SECOND]; FRAMES],
) {
    let mut sums = *lanes;
    for (p, w) in places.iter().enumerate() {
        for frame in 0..FRAMES {
            let x = &x[p + frame * STEP];
            for n in 0..SECOND {
                for l in 0..L {
                    sums[frame][n].0[l] = w[n].0[l].mul_add(x.0[l], sums[frame][n].0[l]);
                }
            }
        }
    }
    *lanes = sums;
}

/// Three mutable runs of `RUN` contexts, one for each frame.
#[inline(always)]
fn runs<const L: usize, const STEP: usize>(
    deltas: &mut [Lanes<L>; COUNT],
    first: usize,
) -> Option<[&mut [Lanes<L>; RUN]; FRAMES]> {
    let (a, rest) = deltas[first..].split_at_mut(STEP);
    let (b, c) = rest.split_at_mut(STEP);
    Some([a.first_chunk_mut()?, b.first_chunk_mut()?, c.first_chunk_mut()?])
}

/// Updates the places and adds to the deltas of the contexts they see.
#[inline(always)]
fn online_run<const L: usize, const STEP: usize>(
    places: &mut [Place<L>],
    x: &[Lanes<L>; COUNT],
    deltas: &mut [Lanes<L>; COUNT],
    first: usize,
    of_second: &PerFrame,
    rate: f32,
) {
    for (r, places) in places.as_chunks_mut::<RUN>().0.iter_mut().enumerate() {
        let first = first + RUN * r;
        if let Some(dx) = runs::<L, STEP>(deltas, first) {
            online_places(
                places,
                [&x[first..], &x[first + STEP..], &x[first + 2 * STEP..]],
                dx,
                of_second,
                rate,
            );
        }
    }
}

#[inline(never)]
fn online_places<const L: usize>(
    places: &mut [Place<L>; RUN],
    x: [&[Lanes<L>]; FRAMES],
    dx: [&mut [Lanes<L>; RUN]; FRAMES],
    of_second: &PerFrame,
    rate: f32,
) {
    let [d0, d1, d2] = dx;
    for p in 0..RUN {
        let w = &mut places[p];
        back(&mut d0[p], w, &of_second[0]);
        back(&mut d1[p], w, &of_second[1]);
        back(&mut d2[p], w, &of_second[2]);
        let x = [&x[0][p], &x[1][p], &x[2][p]];
        add_slope(&mut w[0], -rate, of_second, 0, x);
        add_slope(&mut w[1], -rate, of_second, 1, x);
        add_slope(&mut w[2], -rate, of_second, 2, x);
        add_slope(&mut w[3], -rate, of_second, 3, x);
        add_slope(&mut w[4], -rate, of_second, 4, x);
    }
}

#[inline(always)]
fn batch_run<const L: usize, const STEP: usize>(
    places: &[Place<L>],
    sums: &mut [Place<L>],
    x: &[Lanes<L>; COUNT],
    deltas: &mut [Lanes<L>; COUNT],
    first: usize,
    of_second: &PerFrame,
) {
    let both = places.as_chunks::<RUN>().0.iter().zip(sums.as_chunks_mut::<RUN>().0);
    for (r, (places, sums)) in both.enumerate() {
        let first = first + RUN * r;
        if let Some(dx) = runs::<L, STEP>(deltas, first) {
            batch_places(
                places,
                sums,
                [&x[first..], &x[first + STEP..], &x[first + 2 * STEP..]],
                dx,
                of_second,
            );
        }
    }
}

#[inline(never)]
fn batch_places<const L: usize>(
    places: &[Place<L>; RUN],
    sums: &mut [Place<L>; RUN],
    x: [&[Lanes<L>]; FRAMES],
    dx: [&mut [Lanes<L>; RUN]; FRAMES],
    of_second: &PerFrame,
) {
    let [d0, d1, d2] = dx;
    for p in 0..RUN {
        back(&mut d0[p], &places[p], &of_second[0]);
        back(&mut d1[p], &places[p], &of_second[1]);
        back(&mut d2[p], &places[p], &of_second[2]);
        let x = [&x[0][p], &x[1][p], &x[2][p]];
        add_slope(&mut sums[p][0], 1.0, of_second, 0, x);
        add_slope(&mut sums[p][1], 1.0, of_second, 1, x);
        add_slope(&mut sums[p][2], 1.0, of_second, 2, x);
        add_slope(&mut sums[p][3], 1.0, of_second, 3, x);
        add_slope(&mut sums[p][4], 1.0, of_second, 4, x);
    }
}

/// What the second layer hands back to a context.
#[inline(always)]
fn back<const L: usize>(to: &mut Lanes<L>, w: &Place<L>, of_second: &[f32; SECOND]) {
    let mut sum = *to;
    add(&mut sum, of_second[0], &w[0]);
    add(&mut sum, of_second[1], &w[1]);
    add(&mut sum, of_second[2], &w[2]);
    add(&mut sum, of_second[3], &w[3]);
    add(&mut sum, of_second[4], &w[4]);
    *to = sum;
}

/// to += factor · the gradient of a place's weights into neuron `n`, over the three frames that share them. Not a loop over
/// neurons: the compiler would vectorise that one.
#[inline(always)]
fn add_slope<const L: usize>(to: &mut Lanes<L>, factor: f32, d: &PerFrame, n: usize, x: [&Lanes<L>; FRAMES]) {
    let mut slope = Lanes::ZERO;
    for l in 0..L {
        slope.0[l] = d[0][n] * x[0].0[l];
    }
    add(&mut slope, d[1][n], x[1]);
    add(&mut slope, d[2][n], x[2]);
    add(to, factor, &slope);
}
