//! The second layer and the outputs: forwards, backwards, and the gradients of their weights.
//!
//! What the detectors say lies packed, context behind context, in blocks of eight numbers. The contexts that begin in one column are a
//! *group* of whole blocks ([`Layout`]), so a frame sees whole blocks too, and the same weights meet the same blocks one group further on:
//!
//! ```text
//!   groups of four squares across    1 2 3 4         groups of columns    1 2 3 4 5 6 7
//!   frame 1                          x x             frame 1              x x x x x
//!   frame 2                            x x           frame 2                x x x x x
//!   frame 3                              x x         frame 3                  x x x x x
//! ```
//!
//! What is left over in the last block of a group stays zero.

#![allow(clippy::needless_range_loop, reason = "lanes and neurons are numbered, several arrays at once")]

use super::geometry::{FRAMES, TALL, WIDE};
use super::lanes::{add, logistic, multiply, total, unrolled};

pub const SECOND: usize = 5;
pub const OUTPUTS: usize = 7;
/// The lane of the second task: how the game ends.
pub const OUTCOME: usize = 7;
const WIDE_GROUPS: usize = 4;
/// Groups that a frame sees.
const WIDE_SEEN: usize = 2;
const TALL_SEEN: usize = 5;
/// Blocks of the largest system, and room for what is written past the end.
const BLOCKS: usize = 112;

/// Eight numbers, computed together.
pub type Block = [f32; 8];
/// The weights of a block of a frame's inputs into each neuron of the second layer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub struct Row(pub [Block; SECOND]);

impl Row {
    const ZERO: Row = Row([[0.0; 8]; SECOND]);
}

/// A number for each neuron of the second layer, frame by frame.
type PerFrame = [[f32; SECOND]; FRAMES];

/// Where the outputs of the detectors lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Outputs a context.
    outputs: usize,
    /// Blocks of a group of contexts across, and of a group of columns.
    wide: usize,
    tall: usize,
}

impl Layout {
    pub const fn new(outputs: usize) -> Layout {
        Layout { outputs, wide: (WIDE * outputs).div_ceil(8), tall: (TALL * outputs).div_ceil(8) }
    }

    /// The first of a context's numbers.
    pub const fn start(self, context: usize) -> usize {
        self.place(context, WIDE_GROUPS)
    }

    /// The weight of a frame's input, as block and lane.
    pub const fn weight(self, place: usize, output: usize) -> (usize, usize) {
        let at = self.place(place, WIDE_SEEN) + output;
        (at / 8, at % 8)
    }

    const fn place(self, place: usize, wide_groups: usize) -> usize {
        if place < wide_groups * WIDE {
            place / WIDE * (8 * self.wide) + place % WIDE * self.outputs
        } else {
            let tall = place - wide_groups * WIDE;
            8 * wide_groups * self.wide + tall / TALL * (8 * self.tall) + tall % TALL * self.outputs
        }
    }

    /// Blocks of the weights.
    const fn weights(self) -> usize {
        WIDE_SEEN * self.wide + TALL_SEEN * self.tall
    }
}

/// The numbers of all contexts.
#[derive(Debug, Clone, PartialEq)]
#[repr(align(64))]
pub struct Packed(pub [Block; BLOCKS]);

impl Packed {
    pub const ZERO: Self = Packed([[0.0; 8]; BLOCKS]);
}

/// The weights above the first layer, or a gradient of theirs.
#[derive(Debug, Clone, PartialEq)]
pub struct Top {
    layout: Layout,
    pub blocks: Vec<Row>,
    pub bias: [f32; SECOND],
    /// Neuron by neuron (the bias last), the seven columns and the second task.
    pub output: [Block; 16],
    /// A one for each output that learns: the second task only where it is asked for.
    pub tasks: Block,
}

/// What a pass through the top leaves for the way back.
#[derive(Debug)]
pub struct Pass {
    /// The second layer, frame by frame; a one for the bias in the sixteenth place.
    second: [f32; 16],
    pub out: Block,
}

/// The slopes of the error before the outputs and before the second layer.
#[derive(Debug)]
pub struct Slopes {
    pub error: f32,
    output: Block,
    second: PerFrame,
}

impl Top {
    pub fn zero(layout: Layout) -> Top {
        Top {
            layout,
            blocks: vec![Row::ZERO; layout.weights()],
            bias: [0.0; SECOND],
            output: [[0.0; 8]; 16],
            tasks: [0.0; 8],
        }
    }

    /// Zero again.
    pub fn clear(&mut self) {
        self.blocks.fill(Row::ZERO);
        self.bias = [0.0; SECOND];
        self.output = [[0.0; 8]; 16];
    }

    /// From the activations of all contexts to the outputs.
    #[inline(never)]
    pub fn forward(&self, x: &Packed) -> Pass {
        let mut sums = [[[0.0; 8]; SECOND]; FRAMES];
        let (wide_weights, tall_weights) = self.blocks.split_at(WIDE_SEEN * self.layout.wide);
        let (wide, tall) = x.0.split_at(WIDE_GROUPS * self.layout.wide);
        weigh(wide_weights, wide, self.layout.wide, &mut sums);
        weigh(tall_weights, tall, self.layout.tall, &mut sums);
        let mut second = [0.0f32; 16];
        for frame in 0..FRAMES {
            for n in 0..SECOND {
                second[SECOND * frame + n] = total(&sums[frame][n]) + self.bias[n];
            }
        }
        for j in 0..16 {
            second[j] = logistic(second[j]);
        }
        second[15] = 1.0;
        // Four chains of sums instead of one: they do not wait for each other.
        let mut chains = [[0.0; 8]; 4];
        for j in 0..16 {
            add(&mut chains[j % 4], second[j], &self.output[j]);
        }
        let mut out = [0.0; 8];
        for c in 0..8 {
            out[c] = logistic((chains[0][c] + chains[1][c]) + (chains[2][c] + chains[3][c]));
        }
        Pass { second, out }
    }

    #[inline(always)]
    pub fn slopes(&self, pass: &Pass, targets: &Block) -> Slopes {
        let mut slopes = Slopes { error: 0.0, output: [0.0; 8], second: [[0.0; SECOND]; FRAMES] };
        for c in 0..8 {
            let miss = self.tasks[c] * (pass.out[c] - targets[c]);
            slopes.error += 0.5 * miss * miss;
            slopes.output[c] = miss * pass.out[c] * (1.0 - pass.out[c]);
        }
        for frame in 0..FRAMES {
            for n in 0..SECOND {
                let j = SECOND * frame + n;
                let mut products = [0.0; 8];
                multiply(&mut products, &self.output[j], &slopes.output);
                slopes.second[frame][n] = total(&products) * (pass.second[j] * (1.0 - pass.second[j]));
            }
        }
        slopes
    }

    /// One step down; `dx` becomes the slopes of all contexts.
    #[inline(never)]
    pub fn learn(&mut self, pass: &Pass, slopes: &Slopes, x: &Packed, dx: &mut Packed, rate: f32) {
        self.add_small_gradients(-rate, pass, slopes);
        let mut steps = slopes.second;
        for frame in 0..FRAMES {
            for n in 0..SECOND {
                steps[frame][n] *= -rate;
            }
        }
        let Layout { wide, tall, .. } = self.layout;
        let (wide_rows, tall_rows) = self.blocks.split_at_mut(WIDE_SEEN * wide);
        let (wide_x, tall_x) = x.0.split_at(WIDE_GROUPS * wide);
        let (wide_dx, tall_dx) = dx.0.split_at_mut(WIDE_GROUPS * wide);
        step_back(wide_rows, wide_x, wide_dx, wide, &slopes.second, &steps);
        step_back(tall_rows, tall_x, tall_dx, tall, &slopes.second, &steps);
    }

    /// The same without the step: the gradient is added to `sum`.
    #[inline(never)]
    pub fn add_gradient(&self, sum: &mut Top, pass: &Pass, slopes: &Slopes, x: &Packed, dx: &mut Packed) {
        sum.add_small_gradients(1.0, pass, slopes);
        let Layout { wide, tall, .. } = self.layout;
        let (wide_rows, tall_rows) = self.blocks.split_at(WIDE_SEEN * wide);
        let (wide_sums, tall_sums) = sum.blocks.split_at_mut(WIDE_SEEN * wide);
        let (wide_x, tall_x) = x.0.split_at(WIDE_GROUPS * wide);
        let (wide_dx, tall_dx) = dx.0.split_at_mut(WIDE_GROUPS * wide);
        sum_back(wide_rows, wide_sums, wide_x, wide_dx, wide, &slopes.second);
        sum_back(tall_rows, tall_sums, tall_x, tall_dx, tall, &slopes.second);
    }

    #[inline(always)]
    fn add_small_gradients(&mut self, factor: f32, pass: &Pass, slopes: &Slopes) {
        unrolled!(j in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
            add(&mut self.output[j], factor * pass.second[j], &slopes.output);
        });
        let d = &slopes.second;
        for n in 0..SECOND {
            self.bias[n] += factor * (d[0][n] + d[1][n] + d[2][n]);
        }
    }

    /// self += factor · sum
    pub fn step(&mut self, factor: f32, sum: &Top) {
        for (w, sum) in self.output.iter_mut().zip(&sum.output) {
            add(w, factor, sum);
        }
        for (w, sum) in self.bias.iter_mut().zip(&sum.bias) {
            *w += factor * sum;
        }
        for (w, sum) in self.blocks.iter_mut().zip(&sum.blocks) {
            for n in 0..SECOND {
                add(&mut w.0[n], factor, &sum.0[n]);
            }
        }
    }
}

/// Adds what the frames make of their blocks; frame f sees those from f · `group` on.
#[inline(always)]
fn weigh(rows: &[Row], x: &[Block], group: usize, sums: &mut [[Block; SECOND]; FRAMES]) {
    let mut local = *sums;
    let count = rows.len();
    let (x0, x1, x2) = (&x[..count], &x[group..][..count], &x[2 * group..][..count]);
    for b in 0..count {
        let w = &rows[b].0;
        for n in 0..SECOND {
            multiply(&mut local[0][n], &w[n], &x0[b]);
            multiply(&mut local[1][n], &w[n], &x1[b]);
            multiply(&mut local[2][n], &w[n], &x2[b]);
        }
    }
    *sums = local;
}

/// The way back with a step of the weights.
#[inline(always)]
fn step_back(
    rows: &mut [Row],
    x: &[Block],
    dx: &mut [Block],
    group: usize,
    slopes: &PerFrame,
    steps: &PerFrame,
) {
    let count = rows.len();
    for block in &mut dx[..count + 2 * group] {
        *block = [0.0; 8];
    }
    let (x0, x1, x2) = (&x[..count], &x[group..][..count], &x[2 * group..][..count]);
    for b in 0..count {
        if let Ok([dx0, dx1, dx2]) = dx.get_disjoint_mut([b, b + group, b + 2 * group]) {
            hand_back(dx0, dx1, dx2, &rows[b], slopes);
        }
        add_slopes(&mut rows[b], steps, [&x0[b], &x1[b], &x2[b]]);
    }
}

/// The way back, adding to a gradient instead.
#[inline(always)]
fn sum_back(rows: &[Row], sums: &mut [Row], x: &[Block], dx: &mut [Block], group: usize, slopes: &PerFrame) {
    let count = rows.len().min(sums.len());
    for block in &mut dx[..count + 2 * group] {
        *block = [0.0; 8];
    }
    let (x0, x1, x2) = (&x[..count], &x[group..][..count], &x[2 * group..][..count]);
    for b in 0..count {
        if let Ok([dx0, dx1, dx2]) = dx.get_disjoint_mut([b, b + group, b + 2 * group]) {
            hand_back(dx0, dx1, dx2, &rows[b], slopes);
        }
        add_slopes(&mut sums[b], slopes, [&x0[b], &x1[b], &x2[b]]);
    }
}

/// What the second layer hands back to a block of each frame. Not inlined, nor the next one: the compiler would mix their lanes.
#[inline(never)]
fn hand_back(dx0: &mut Block, dx1: &mut Block, dx2: &mut Block, w: &Row, d: &PerFrame) {
    let (mut s0, mut s1, mut s2) = (*dx0, *dx1, *dx2);
    unrolled!(n in 0 1 2 3 4 => add(&mut s0, d[0][n], &w.0[n]));
    unrolled!(n in 0 1 2 3 4 => add(&mut s1, d[1][n], &w.0[n]));
    unrolled!(n in 0 1 2 3 4 => add(&mut s2, d[2][n], &w.0[n]));
    (*dx0, *dx1, *dx2) = (s0, s1, s2);
}

/// The gradient of a block's weights, over the three frames that share them.
#[inline(never)]
fn add_slopes(to: &mut Row, d: &PerFrame, x: [&Block; FRAMES]) {
    unrolled!(n in 0 1 2 3 4 => {
        add(&mut to.0[n], d[0][n], x[0]);
        add(&mut to.0[n], d[1][n], x[1]);
        add(&mut to.0[n], d[2][n], x[2]);
    });
}
