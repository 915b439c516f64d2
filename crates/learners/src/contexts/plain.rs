//! The paper's comparators: N20, N40, N60 (42 cells, one hidden layer, 7 outputs) and C (three frames of raw cells, weights shared).

#![allow(clippy::needless_range_loop, reason = "lanes are numbered, several arrays at once")]

use ludens_core::Rng;

use super::network::logistic;

const LANES: usize = 8;

/// A network on raw cells with one hidden layer: `windows` equal views of the board share `hidden` neurons each.
#[derive(Debug, Clone, PartialEq)]
pub struct Plain {
    hidden: usize,
    /// For each window, the squares it sees.
    windows: Vec<Vec<usize>>,
    /// Input by input (the bias last), a padded row of hidden neurons.
    first: Vec<f32>,
    /// Column by column, a padded row of all windows' neurons; the bias after the last of them.
    output: Vec<f32>,
    row: usize,
    wide_row: usize,
    work: Vec<f32>,
    deltas: Vec<f32>,
}

impl Plain {
    /// Nh: the whole board, `hidden` neurons.
    pub fn whole(hidden: usize, rng: &mut Rng) -> Plain {
        Plain::new(hidden, vec![(0..42).collect()], rng)
    }

    /// C: three frames of 6×5 cells, five neurons each.
    pub fn frames(rng: &mut Rng) -> Plain {
        let window = |left: usize| (0..42).filter(|c| (left..left + 5).contains(&(c % 7))).collect();
        Plain::new(5, (0..3).map(window).collect(), rng)
    }

    fn new(hidden: usize, windows: Vec<Vec<usize>>, rng: &mut Rng) -> Plain {
        let row = hidden.next_multiple_of(LANES);
        let all = windows.len() * row;
        let wide_row = all + LANES;
        let mut plain = Plain {
            hidden,
            row,
            wide_row,
            first: vec![0.0; (windows[0].len() + 1) * row],
            output: vec![0.0; 7 * wide_row],
            work: vec![0.0; wide_row],
            deltas: vec![0.0; wide_row],
            windows,
        };
        for input in plain.first.chunks_mut(row) {
            input[..hidden].fill_with(|| rng.uniform(-0.5, 0.5) as f32);
        }
        for column in plain.output.chunks_mut(wide_row) {
            for window in column[..all].chunks_mut(row) {
                window[..hidden].fill_with(|| rng.uniform(-0.5, 0.5) as f32);
            }
            column[all] = rng.uniform(-0.5, 0.5) as f32;
        }
        plain
    }

    pub fn parameters(&self) -> usize {
        self.first.len() / self.row * self.hidden + 7 * (self.windows.len() * self.hidden + 1)
    }

    /// The seven outputs for cells +1, 0, −1, bottom row first.
    pub fn outputs(&mut self, cells: &[i8; 42]) -> [f32; 7] {
        let (row, all) = (self.row, self.windows.len() * self.row);
        let bias = self.windows[0].len();
        for (window, sums) in self.windows.iter().zip(self.work[..all].chunks_exact_mut(row)) {
            sums.copy_from_slice(&self.first[bias * row..]);
            for (input, &cell) in window.iter().enumerate() {
                let v = f32::from(cells[cell]);
                if v != 0.0 {
                    add(sums, v, &self.first[input * row..][..row]);
                }
            }
            for h in sums {
                *h = logistic(*h);
            }
        }
        self.work[all] = 1.0;
        std::array::from_fn(|c| {
            let mut sum = [0.0; LANES];
            let w = &self.output[c * self.wide_row..][..self.wide_row];
            for (w, h) in w.as_chunks::<LANES>().0.iter().zip(self.work.as_chunks::<LANES>().0) {
                for l in 0..LANES {
                    sum[l] = w[l].mul_add(h[l], sum[l]);
                }
            }
            logistic(sum.iter().sum())
        })
    }

    /// One step of online backpropagation; returns the error before it.
    pub fn learn(&mut self, cells: &[i8; 42], targets: &[f32; 7], rate: f32) -> f32 {
        let outputs = self.outputs(cells);
        let (row, all) = (self.row, self.windows.len() * self.row);
        self.deltas.fill(0.0);
        let mut error = 0.0;
        for (c, &o) in outputs.iter().enumerate() {
            let miss = o - targets[c];
            error += 0.5 * miss * miss;
            let delta = miss * o * (1.0 - o);
            let w = &mut self.output[c * self.wide_row..][..self.wide_row];
            add(&mut self.deltas, delta, w);
            add(w, -rate * delta, &self.work);
        }
        for (delta, &h) in self.deltas[..all].iter_mut().zip(&self.work) {
            *delta *= h * (1.0 - h);
        }
        let bias = self.windows[0].len();
        for (window, deltas) in self.windows.iter().zip(self.deltas[..all].chunks_exact(row)) {
            for (input, &cell) in window.iter().enumerate() {
                let v = f32::from(cells[cell]);
                if v != 0.0 {
                    add(&mut self.first[input * row..][..row], -rate * v, deltas);
                }
            }
            add(&mut self.first[bias * row..][..row], -rate, deltas);
        }
        self.clear_padding();
        error
    }

    /// Neurons that are not there: their outgoing weights stay zero, so nothing flows to or from them.
    fn clear_padding(&mut self) {
        if self.hidden < self.row {
            for column in self.output.chunks_exact_mut(self.wide_row) {
                for window in column.chunks_exact_mut(self.row).take(self.windows.len()) {
                    window[self.hidden..].fill(0.0);
                }
            }
        }
    }

    /// Every weight, for tests.
    pub fn each(&mut self) -> Vec<&mut f32> {
        let (hidden, row, all) = (self.hidden, self.row, self.windows.len() * self.row);
        let first = self.first.chunks_mut(row).flat_map(|r| r[..hidden].iter_mut());
        let output = self.output.chunks_mut(self.wide_row).flat_map(move |c| {
            let (neurons, bias) = c.split_at_mut(all);
            neurons.chunks_mut(row).flat_map(move |w| w[..hidden].iter_mut()).chain(bias[..1].iter_mut())
        });
        first.chain(output).collect()
    }
}

/// to += factor · from
#[inline(always)]
fn add(to: &mut [f32], factor: f32, from: &[f32]) {
    for (to, from) in to.as_chunks_mut::<LANES>().0.iter_mut().zip(from.as_chunks::<LANES>().0) {
        for l in 0..LANES {
            to[l] = factor.mul_add(from[l], to[l]);
        }
    }
}
