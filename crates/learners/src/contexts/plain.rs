//! The paper's comparators: N20, N40, N60 (42 cells, one hidden layer, 7 outputs) and C (three frames of raw cells, weights shared).

#![allow(clippy::needless_range_loop, reason = "lanes are numbered, several arrays at once")]

use ludens_core::Rng;
use ludens_games::connect_four::geometry::{HEIGHT, STEP};

use super::lanes::{Lanes, add, logistic, multiply, total, unrolled};
use super::places::OUTPUTS;

/// Bits a column.
const STRIDE: usize = STEP as usize;

/// A board as two sets of squares: the side to move, the other.
pub type Discs = (u64, u64);

/// A network on raw cells with one hidden layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Plain(Sizes);

/// One window of so many blocks of eight hidden neurons, or three windows of one.
#[derive(Debug, Clone, PartialEq)]
enum Sizes {
    Upto24(Box<Trained<1, 3>>),
    Upto40(Box<Trained<1, 5>>),
    Upto64(Box<Trained<1, 8>>),
    Frames(Box<Trained<3, 1>>),
}

/// The same call on whichever size it is.
macro_rules! with_size {
    ($plain:expr, $network:ident => $call:expr) => {
        match $plain {
            Sizes::Upto24($network) => $call,
            Sizes::Upto40($network) => $call,
            Sizes::Upto64($network) => $call,
            Sizes::Frames($network) => $call,
        }
    };
}

impl Plain {
    /// Nh: the whole board, `hidden` neurons, at most 64 of them.
    pub fn whole(hidden: usize, rng: &mut Rng) -> Plain {
        Plain(match hidden {
            0..=24 => Sizes::Upto24(Box::new(Trained::new(hidden, 7, rng))),
            25..=40 => Sizes::Upto40(Box::new(Trained::new(hidden, 7, rng))),
            _ => Sizes::Upto64(Box::new(Trained::new(hidden.min(64), 7, rng))),
        })
    }

    /// C: three frames of 6×5 cells, five neurons each.
    pub fn frames(rng: &mut Rng) -> Plain {
        Plain(Sizes::Frames(Box::new(Trained::new(5, 5, rng))))
    }

    /// How many weights it has.
    pub fn parameters(&self) -> usize {
        with_size!(&self.0, network => network.clone().each().len())
    }

    /// The seven outputs.
    pub fn outputs(&self, discs: Discs) -> [f32; OUTPUTS] {
        with_size!(&self.0, network => network.weights.forward(discs).1)
    }

    /// One step of online backpropagation; returns the error before it.
    pub fn learn(&mut self, discs: Discs, targets: &[f32; OUTPUTS], rate: f32) -> f32 {
        with_size!(&mut self.0, network => network.learn(discs, targets, rate))
    }

    /// One step down the mean gradient of several positions; returns the sum of their errors before it.
    pub fn learn_batch<'a>(
        &mut self,
        examples: impl ExactSizeIterator<Item = (Discs, &'a [f32; OUTPUTS])>,
        rate: f32,
    ) -> f32 {
        with_size!(&mut self.0, network => network.learn_batch(examples, rate))
    }

    /// Every weight, for tests.
    pub fn each(&mut self) -> Vec<&mut f32> {
        with_size!(&mut self.0, network => network.each())
    }
}

/// Eight hidden neurons at a time.
type Block = Lanes<8>;

/// `W` windows share `B` blocks of hidden neurons.
#[derive(Debug, Clone, PartialEq)]
struct Trained<const W: usize, const B: usize> {
    hidden: usize,
    weights: Weights<W, B>,
    /// The gradients of a batch.
    sums: Weights<W, B>,
}

/// All weights, or a gradient of theirs.
#[derive(Debug, Clone, PartialEq)]
struct Weights<const W: usize, const B: usize> {
    /// For each square of a window, numbered as in a bitboard, its weights into the hidden neurons.
    first: Vec<[Block; B]>,
    first_bias: [Block; B],
    output: [[[Block; B]; W]; OUTPUTS],
    output_bias: [f32; OUTPUTS],
    /// One for a neuron, zero for one that is not there.
    present: [Block; B],
}

impl<const W: usize, const B: usize> Trained<W, B> {
    fn new(hidden: usize, columns: usize, rng: &mut Rng) -> Self {
        let mut present = [Block::ZERO; B];
        for n in 0..hidden {
            present[n / 8].0[n % 8] = 1.0;
        }
        let zero = Weights {
            first: vec![[Block::ZERO; B]; STRIDE * columns],
            first_bias: [Block::ZERO; B],
            output: [[[Block::ZERO; B]; W]; OUTPUTS],
            output_bias: [0.0; OUTPUTS],
            present,
        };
        let mut trained = Trained { hidden, weights: zero.clone(), sums: zero };
        trained.each().into_iter().for_each(|w| *w = rng.uniform(-0.5, 0.5) as f32);
        trained
    }

    fn learn(&mut self, discs: Discs, targets: &[f32; OUTPUTS], rate: f32) -> f32 {
        let (hidden, out) = self.weights.forward(discs);
        let (error, misses) = misses(&out, targets);
        let deltas = self.weights.back(&hidden, &misses);
        self.weights.add_gradient(-rate, discs, &hidden, &misses, &deltas);
        error
    }

    fn learn_batch<'a>(
        &mut self,
        examples: impl ExactSizeIterator<Item = (Discs, &'a [f32; OUTPUTS])>,
        rate: f32,
    ) -> f32 {
        let step = rate / examples.len().max(1) as f32;
        let mut errors = 0.0;
        for (discs, targets) in examples {
            let (hidden, out) = self.weights.forward(discs);
            let (error, misses) = misses(&out, targets);
            let deltas = self.weights.back(&hidden, &misses);
            self.sums.add_gradient(1.0, discs, &hidden, &misses, &deltas);
            errors += error;
        }
        self.weights.step(-step, &mut self.sums);
        errors
    }

    fn each(&mut self) -> Vec<&mut f32> {
        let hidden = self.hidden;
        fn neurons<const B: usize>(blocks: &mut [Block; B], hidden: usize) -> impl Iterator<Item = &mut f32> {
            blocks.iter_mut().flat_map(|block| block.0.iter_mut()).take(hidden)
        }
        let w = &mut self.weights;
        // The seventh bit of a column is no square.
        let squares = w.first.iter_mut().enumerate().filter(|(s, _)| s % STRIDE < HEIGHT as usize);
        let first = squares.flat_map(move |(_, blocks)| neurons(blocks, hidden));
        let output = w.output.as_flattened_mut().iter_mut().flat_map(move |blocks| neurons(blocks, hidden));
        let bias = neurons(&mut w.first_bias, hidden);
        first.chain(bias).chain(output).chain(&mut w.output_bias).collect()
    }
}

#[inline(always)]
fn misses(out: &[f32; OUTPUTS], targets: &[f32; OUTPUTS]) -> (f32, [f32; OUTPUTS]) {
    let (mut error, mut misses) = (0.0, [0.0; OUTPUTS]);
    for c in 0..OUTPUTS {
        let miss = out[c] - targets[c];
        error += 0.5 * miss * miss;
        misses[c] = miss * out[c] * (1.0 - out[c]);
    }
    (error, misses)
}

impl<const W: usize, const B: usize> Weights<W, B> {
    /// The discs that window number `window` sees, numbered as its squares are.
    #[inline(always)]
    fn seen(&self, discs: u64, window: usize) -> u64 {
        discs >> (STRIDE * window) & ((1 << self.first.len()) - 1)
    }

    #[inline(never)]
    fn forward(&self, (act, pas): Discs) -> ([[Block; B]; W], [f32; OUTPUTS]) {
        let mut hidden = [[Block::ZERO; B]; W];
        for window in 0..W {
            let mut sums = self.first_bias;
            self.add_squares(&mut sums, self.seen(act, window), 1.0);
            self.add_squares(&mut sums, self.seen(pas, window), -1.0);
            for b in 0..B {
                logistics(&mut sums[b]);
                multiply(&mut hidden[window][b].0, &sums[b].0, &self.present[b].0);
            }
        }
        let mut out = Block::ZERO;
        for c in 0..OUTPUTS {
            out.0[c] = product(&self.output[c], &hidden) + self.output_bias[c];
        }
        logistics(&mut out);
        let [outputs @ .., _] = out.0;
        (hidden, outputs)
    }

    #[inline(always)]
    fn add_squares(&self, sums: &mut [Block; B], mut squares: u64, sign: f32) {
        while squares != 0 {
            let row = &self.first[squares.trailing_zeros() as usize];
            for b in 0..B {
                add(&mut sums[b].0, sign, &row[b].0);
            }
            squares &= squares - 1;
        }
    }

    /// The slopes before the hidden neurons.
    #[inline(never)]
    fn back(&self, hidden: &[[Block; B]; W], misses: &[f32; OUTPUTS]) -> [[Block; B]; W] {
        let mut deltas = [[Block::ZERO; B]; W];
        for window in 0..W {
            for b in 0..B {
                let h = &hidden[window][b].0;
                let mut sum = [0.0; 8];
                unrolled!(c in 0 1 2 3 4 5 6 => add(&mut sum, misses[c], &self.output[c][window][b].0));
                for l in 0..8 {
                    deltas[window][b].0[l] = sum[l] * (h[l] * (1.0 - h[l]));
                }
            }
        }
        deltas
    }

    /// self += factor · gradient
    #[inline(never)]
    fn add_gradient(
        &mut self,
        factor: f32,
        (act, pas): Discs,
        hidden: &[[Block; B]; W],
        misses: &[f32; OUTPUTS],
        deltas: &[[Block; B]; W],
    ) {
        for c in 0..OUTPUTS {
            let step = factor * misses[c];
            self.output_bias[c] += step;
            add_all(&mut self.output[c], step, hidden);
        }
        for window in 0..W {
            let deltas = &deltas[window];
            for b in 0..B {
                add(&mut self.first_bias[b].0, factor, &deltas[b].0);
            }
            let (act, pas) = (self.seen(act, window), self.seen(pas, window));
            self.add_to_squares(deltas, act, factor);
            self.add_to_squares(deltas, pas, -factor);
        }
    }

    #[inline(always)]
    fn add_to_squares(&mut self, deltas: &[Block; B], mut squares: u64, factor: f32) {
        while squares != 0 {
            let row = &mut self.first[squares.trailing_zeros() as usize];
            for b in 0..B {
                add(&mut row[b].0, factor, &deltas[b].0);
            }
            squares &= squares - 1;
        }
    }

    /// self += factor · sums, which are zero afterwards.
    fn step(&mut self, factor: f32, sums: &mut Self) {
        for (row, sum) in self.first.iter_mut().zip(&mut sums.first) {
            take(row, factor, sum);
        }
        take(&mut self.first_bias, factor, &mut sums.first_bias);
        for (row, sum) in self.output.as_flattened_mut().iter_mut().zip(sums.output.as_flattened_mut()) {
            take(row, factor, sum);
        }
        for (w, sum) in self.output_bias.iter_mut().zip(&mut sums.output_bias) {
            *w += factor * *sum;
            *sum = 0.0;
        }
    }
}

/// to += factor · from. Not inlined, nor the next ones: the compiler would vectorise the loop around it instead.
#[inline(never)]
fn add_all<const W: usize, const B: usize>(to: &mut [[Block; B]; W], factor: f32, from: &[[Block; B]; W]) {
    for window in 0..W {
        for b in 0..B {
            add(&mut to[window][b].0, factor, &from[window][b].0);
        }
    }
}

#[inline(never)]
fn logistics(block: &mut Block) {
    for l in 0..8 {
        block.0[l] = logistic(block.0[l]);
    }
}

#[inline(never)]
fn product<const W: usize, const B: usize>(a: &[[Block; B]; W], b: &[[Block; B]; W]) -> f32 {
    let (mut even, mut odd) = (Block::ZERO, Block::ZERO);
    for window in 0..W {
        for pair in 0..B / 2 {
            multiply(&mut even.0, &a[window][2 * pair].0, &b[window][2 * pair].0);
            multiply(&mut odd.0, &a[window][2 * pair + 1].0, &b[window][2 * pair + 1].0);
        }
        if B % 2 == 1 {
            multiply(&mut even.0, &a[window][B - 1].0, &b[window][B - 1].0);
        }
    }
    add(&mut even.0, 1.0, &odd.0);
    total(&even.0)
}

/// to += factor · from, which is zero afterwards.
#[inline(always)]
fn take<const B: usize>(to: &mut [Block; B], factor: f32, from: &mut [Block; B]) {
    for b in 0..B {
        add(&mut to[b].0, factor, &from[b].0);
        from[b] = Block::ZERO;
    }
}
