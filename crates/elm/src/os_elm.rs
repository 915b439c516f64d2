//! The single-hidden-layer network (SLFN) and its online sequential training, OS-ELM (paper, section 3).
//!
//! Symbols as in the paper: P inputs, M hidden units, C the random hidden weights, H the hidden outputs of a chunk
//! (here with one row an example), T the targets, W the output weights.
//!
//! Equations 1–3 carry the matrix P = (HᵀH)⁻¹ from chunk to chunk and invert a matrix of the size of the chunk. Here the inverse is
//! never formed: K = λI + ΣHᵀH and c = ΣHᵀT are carried, and W = K⁻¹c is solved by Cholesky. By the matrix inversion lemma
//! the two are the same estimate; the tests check both against each other and against the least-squares solution of all the
//! examples at once. λ, the ridge, stands for P₀ = I/λ: it keeps K positive definite from the first example on, where
//! equation 1 needs at least M examples in general position.

use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::solvers::{Llt, Solve};
use faer::prelude::ReborrowMut;
use faer::{Accum, MatMut, MatRef, Par, Side};
use ludens_core::Rng;

use crate::logistic::logistic;

/// Examples that go through the network together: their hidden outputs stay in the second-level cache.
const BLOCK: usize = 250;

/// K is symmetric: it is computed in strips of this many columns, each a triangle and what lies below it. Wider ones compute more
/// of the upper half for nothing, narrower ones keep the multiplication short (measured: 16 to 64).
const STRIP: usize = 48;

/// Hidden outputs that are made double at a time.
const LANES: usize = 16;

/// The random first layer: hidden unit j gives φ(b_j + Σ x_i · C_ij).
///
/// It is evaluated in single precision, in training as in play, so that the heuristic meets in play the very features it was
/// fitted on; everything from K on is double precision.
#[derive(Clone, PartialEq, Debug)]
pub struct HiddenLayer {
    /// P, the number of inputs.
    pub inputs: usize,
    /// M, the number of hidden units.
    pub hidden: usize,
    /// C, input by input: `weights[i * hidden + j]`.
    pub weights: Vec<f32>,
    /// b, one a hidden unit.
    pub biases: Vec<f32>,
}

impl HiddenLayer {
    /// Weights and biases uniform in ±`range`; the paper says "a fixed interval" and not which.
    pub fn random(inputs: usize, hidden: usize, range: f64, rng: &mut Rng) -> HiddenLayer {
        let mut draw = |count| (0..count).map(|_| rng.uniform(-range, range) as f32).collect();
        HiddenLayer { inputs, hidden, weights: draw(inputs * hidden), biases: draw(hidden) }
    }

    /// H for examples laid one after the other, each `inputs` long; `out` gets one row of `hidden` an example.
    pub fn outputs(&self, examples: &[f32], out: &mut Vec<f32>) {
        self.sums(examples, out);
        for value in out.iter_mut() {
            *value = logistic(*value);
        }
    }

    /// [`HiddenLayer::outputs`] in double precision; `sums` is room to work in.
    fn wide_outputs(&self, examples: &[f32], sums: &mut Vec<f32>, out: &mut Vec<f64>) {
        self.sums(examples, sums);
        out.resize(sums.len(), 0.0);
        // Whole arrays, or the compiler makes no vectors of a loop that changes the width of its numbers.
        let (narrow, narrow_rest) = sums.as_chunks::<LANES>();
        let (wide, wide_rest) = out.as_chunks_mut::<LANES>();
        for (narrow, wide) in narrow.iter().zip(wide) {
            let mut lanes = [0.0; LANES];
            for lane in 0..LANES {
                lanes[lane] = logistic(narrow[lane]);
            }
            for lane in 0..LANES {
                wide[lane] = f64::from(lanes[lane]);
            }
        }
        for (narrow, wide) in narrow_rest.iter().zip(wide_rest) {
            *wide = f64::from(logistic(*narrow));
        }
    }

    /// What the hidden units receive.
    fn sums(&self, examples: &[f32], out: &mut Vec<f32>) {
        let count = examples.len() / self.inputs.max(1);
        out.clear();
        for _ in 0..count {
            out.extend_from_slice(&self.biases);
        }
        // Column-major views: one column an example.
        let x = MatRef::from_column_major_slice(examples, self.inputs, count);
        let c = MatRef::from_column_major_slice(self.weights.as_slice(), self.hidden, self.inputs);
        let h = MatMut::from_column_major_slice_mut(out.as_mut_slice(), self.hidden, count);
        matmul(h, Accum::Add, c, x, 1.0, Par::Seq);
    }
}

/// K and c of the normal equations, grown chunk by chunk.
#[derive(Clone, PartialEq, Debug)]
pub struct NormalEquations {
    /// The number of unknowns: hidden units, or features.
    pub size: usize,
    /// ΣHᵀH without the ridge, column by column; only the lower triangle is kept up to date.
    pub gram: Vec<f64>,
    /// ΣHᵀT.
    pub moment: Vec<f64>,
    /// How many examples went in (in units of their weight).
    pub weight: f64,
}

impl NormalEquations {
    /// Equations of `size` unknowns without examples.
    pub fn new(size: usize) -> NormalEquations {
        NormalEquations { size, gram: vec![0.0; size * size], moment: vec![0.0; size], weight: 0.0 }
    }

    /// Adds the rows `features` (each `size` long) with their targets; each counts `weight` times.
    pub fn add(&mut self, features: &[f64], targets: &[f64], weight: f64) {
        let count = targets.len();
        let h = MatRef::from_column_major_slice(features, self.size, count);
        let mut gram = MatMut::from_column_major_slice_mut(self.gram.as_mut_slice(), self.size, self.size);
        let whole = BlockStructure::Rectangular;
        for left in (0..self.size).step_by(STRIP) {
            let right = (left + STRIP).min(self.size);
            let own = h.get(left..right, ..);
            triangular::matmul(
                gram.rb_mut().get_mut(left..right, left..right),
                BlockStructure::TriangularLower,
                Accum::Add,
                own,
                whole,
                own.transpose(),
                whole,
                weight,
                Par::Seq,
            );
            if right < self.size {
                let below = gram.rb_mut().get_mut(right.., left..right);
                matmul(below, Accum::Add, h.get(right.., ..), own.transpose(), weight, Par::Seq);
            }
        }
        for (h, &t) in features.chunks_exact(self.size.max(1)).zip(targets) {
            let t = weight * t;
            self.moment.iter_mut().zip(h).for_each(|(sum, h)| *sum += t * h);
        }
        self.weight += weight * count as f64;
    }

    /// Adds what `other` has gathered.
    pub fn join(&mut self, other: &NormalEquations) {
        for (sum, more) in
            self.gram.iter_mut().zip(&other.gram).chain(self.moment.iter_mut().zip(&other.moment))
        {
            *sum += more;
        }
        self.weight += other.weight;
    }

    /// Takes `other` away again: the leave-one-fold-out trick of the cross validation.
    pub fn without(&self, other: &NormalEquations) -> NormalEquations {
        let minus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect();
        NormalEquations {
            size: self.size,
            gram: minus(&self.gram, &other.gram),
            moment: minus(&self.moment, &other.moment),
            weight: self.weight - other.weight,
        }
    }

    /// Forgetting: what was learnt so far counts `share` of what it did.
    pub fn fade(&mut self, share: f64) {
        self.gram.iter_mut().chain(&mut self.moment).for_each(|x| *x *= share);
        self.weight *= share;
    }

    /// W = (K + λI)⁻¹ c by Cholesky. A ridge too small for the rounding of K is raised tenfold until the
    /// factorisation goes through, so that a solution always comes out.
    pub fn solve(&self, ridge: f64) -> Vec<f64> {
        let mut ridge = ridge.max(f64::MIN_POSITIVE);
        let mut shifted = self.gram.clone();
        loop {
            for diagonal in 0..self.size {
                let place = diagonal * (self.size + 1);
                shifted[place] = self.gram[place] + ridge;
            }
            let k = MatRef::from_column_major_slice(shifted.as_slice(), self.size, self.size);
            if let Ok(factor) = Llt::new(k, Side::Lower) {
                let mut w = self.moment.clone();
                factor.solve_in_place(MatMut::from_column_major_slice_mut(w.as_mut_slice(), self.size, 1));
                return w;
            }
            let largest = (0..self.size).map(|d| self.gram[d * (self.size + 1)]).fold(0.0, f64::max);
            ridge = (ridge * 10.0).max(largest * 1e-14);
        }
    }
}

/// A trained, or trainable, SLFN.
#[derive(Clone, PartialEq, Debug)]
pub struct OsElm {
    /// The random first layer, which training leaves as it is.
    pub layer: HiddenLayer,
    /// What all chunks so far brought.
    pub equations: NormalEquations,
    /// λ, added to the diagonal of K.
    pub ridge: f64,
    /// W.
    pub output: Vec<f64>,
    scratch: Scratch,
}

/// λ where nothing else is said. Targets are in ±1 and hidden outputs in 0..1, so this is a thousandth of one
/// example: far below what a chunk brings, far above the rounding of K.
pub const DEFAULT_RIDGE: f64 = 1e-3;

impl OsElm {
    /// A network that has seen nothing: its output is 0 everywhere.
    pub fn new(layer: HiddenLayer, ridge: f64) -> OsElm {
        let equations = NormalEquations::new(layer.hidden);
        let output = vec![0.0; layer.hidden];
        OsElm { layer, equations, ridge, output, scratch: Scratch::default() }
    }

    /// One chunk (equations 2 and 3; the first chunk is equation 1).
    pub fn train(&mut self, examples: &[f32], targets: &[f64]) {
        self.gather(examples, targets, 1.0);
        self.solve();
    }

    /// W of all that was gathered.
    pub fn solve(&mut self) {
        self.output = self.equations.solve(self.ridge);
    }

    /// The first half of a chunk: its share of K and c, `weight` times.
    pub fn gather(&mut self, examples: &[f32], targets: &[f64], weight: f64) {
        let Scratch { narrow, wide } = &mut self.scratch;
        for (x, t) in examples.chunks(BLOCK * self.layer.inputs).zip(targets.chunks(BLOCK)) {
            self.layer.wide_outputs(x, narrow, wide);
            self.equations.add(wide, t, weight);
        }
    }

    /// H·W for examples laid one after the other.
    pub fn values(&self, examples: &[f32]) -> Vec<f64> {
        let mut h = Vec::new();
        self.layer.outputs(examples, &mut h);
        let value = |row: &[f32]| row.iter().zip(&self.output).map(|(h, w)| f64::from(*h) * w).sum();
        h.chunks(self.layer.hidden.max(1)).map(value).collect()
    }
}

/// Buffers kept between chunks; they hold nothing that matters.
#[derive(Clone, Default, Debug)]
struct Scratch {
    narrow: Vec<f32>,
    wide: Vec<f64>,
}

impl PartialEq for Scratch {
    fn eq(&self, _: &Scratch) -> bool {
        true
    }
}

#[cfg(test)]
#[path = "os_elm_tests.rs"]
mod tests;
