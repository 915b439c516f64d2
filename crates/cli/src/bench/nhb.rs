//! `ludens bench nhb`: OS-ELM and the cross validation of the hidden size, each beside a plain program that does the same, measured in the
//! same run. `bench_oselm.py` of the shared benches measures numpy on the same work.

use ludens_core::Rng;
use ludens_elm::{DEFAULT_RIDGE, HiddenLayer, HiddenSize, HiddenSizeSearch, OsElm};

use super::{Args, Row};

const HIDDEN: usize = 128;
const CHUNK: usize = 2000;

pub fn rows(args: &Args) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for inputs in [42, 64] {
        let mut rng = Rng::new(args.seed);
        let x = draw_inputs(inputs, CHUNK, &mut rng);
        let t: Vec<f64> = (0..CHUNK).map(|_| rng.uniform(-1.0, 1.0)).collect();
        let layer = HiddenLayer::random(inputs, HIDDEN, 1.0, &mut rng);
        let mut plain = Plain::new(&layer);
        let name = |who: &str| format!("{who} {inputs}–{HIDDEN}–1, chunks of {CHUNK}");
        let reference = Row::measure(name("plain loops"), "examples", args.seconds, || {
            plain.train(&x, &t);
            CHUNK as u64
        });
        let mut net = OsElm::new(layer, DEFAULT_RIDGE);
        let mut row = Row::measure(name("OS-ELM"), "examples", args.seconds, || {
            net.train(&x, &t);
            CHUNK as u64
        });
        row.note = format!("{:.1} × the plain loops", row.rate / reference.rate);
        rows.extend([reference, if inputs == 42 { row.against(1.5e6, 3e6) } else { row }]);
    }
    rows.extend(sweeps(args));
    Ok(rows)
}

fn draw_inputs(inputs: usize, count: usize, rng: &mut Rng) -> Vec<f32> {
    (0..count * inputs).map(|_| rng.below(3) as f32 - 1.0).collect()
}

/// The sweep on 2,000 examples of a network that some dozens of hidden units fit and a few do not.
fn sweeps(args: &Args) -> [Row; 2] {
    let inputs = 42;
    let mut rng = Rng::new(args.seed);
    let x = draw_inputs(inputs, CHUNK, &mut rng);
    let teacher = HiddenLayer::random(inputs, 24, 0.5, &mut rng);
    let mut h = Vec::new();
    teacher.outputs(&x, &mut h);
    let w: Vec<f32> = (0..24).map(|_| rng.uniform(-0.5, 0.5) as f32).collect();
    let t: Vec<f64> =
        h.chunks(24).map(|row| row.iter().zip(&w).map(|(h, w)| f64::from(h * w)).sum()).collect();
    let search = HiddenSizeSearch::default();
    let mut chosen = search.run(inputs, &x, &t, &mut Rng::new(2));
    let mut row = Row::measure("10-fold sweep, N = 2,000", "sweeps", args.seconds, || {
        chosen = search.run(inputs, &x, &t, &mut Rng::new(2));
        1
    });
    let naive = Row::measure("the same, every fold fitted anew", "sweeps", 0.0, || {
        fit_every_fold(inputs, &x, &t, &chosen);
        1
    });
    row.note = format!(
        "{:.3} s for {} sizes, {} hidden chosen; {:.1} × the naive way",
        1.0 / row.rate,
        chosen.curve.len(),
        chosen.layer.hidden,
        row.rate / naive.rate
    );
    // Seconds a sweep: 0.9 and 0.3.
    [row.against(1.0 / 0.9, 1.0 / 0.3), naive]
}

/// Ten networks for each of three tries of each size that the sweep looked at, every one trained on its nine tenths.
fn fit_every_fold(inputs: usize, x: &[f32], t: &[f64], chosen: &HiddenSize) {
    let fold = t.len() / 10;
    for &(size, _) in &chosen.curve {
        for number in 0..3 {
            let layer = HiddenLayer::random(inputs, size, 1.0, &mut Rng::stream(number, size as u64));
            for held in 0..10 {
                let (from, to) = (held * fold, (held + 1) * fold);
                let mut net = OsElm::new(layer.clone(), DEFAULT_RIDGE);
                net.gather(&x[..from * inputs], &t[..from], 1.0);
                net.train(&x[to * inputs..], &t[to..]);
                std::hint::black_box(net.values(&x[from * inputs..to * inputs]));
            }
        }
    }
}

/// The information form of OS-ELM as one would first write it, double precision throughout.
struct Plain {
    inputs: usize,
    weights: Vec<f64>,
    biases: Vec<f64>,
    gram: Vec<f64>,
    moment: Vec<f64>,
    hidden: Vec<f64>,
}

impl Plain {
    fn new(layer: &HiddenLayer) -> Plain {
        let wide = |from: &[f32]| from.iter().map(|&x| f64::from(x)).collect();
        Plain {
            inputs: layer.inputs,
            weights: wide(&layer.weights),
            biases: wide(&layer.biases),
            gram: vec![0.0; HIDDEN * HIDDEN],
            moment: vec![0.0; HIDDEN],
            hidden: Vec::new(),
        }
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "a plain program takes the system's exp; nothing is kept of it"
    )]
    fn train(&mut self, x: &[f32], t: &[f64]) {
        for (x, &t) in x.chunks_exact(self.inputs).zip(t) {
            self.hidden.clone_from(&self.biases);
            for (&x, weights) in x.iter().zip(self.weights.chunks_exact(HIDDEN)) {
                self.hidden.iter_mut().zip(weights).for_each(|(h, w)| *h += f64::from(x) * w);
            }
            self.hidden.iter_mut().for_each(|h| *h = 1.0 / (1.0 + (-*h).exp()));
            for (i, row) in self.gram.chunks_exact_mut(HIDDEN).enumerate() {
                let h = self.hidden[i];
                row[..=i].iter_mut().zip(&self.hidden).for_each(|(k, other)| *k += h * other);
                self.moment[i] += h * t;
            }
        }
        std::hint::black_box(solve(self.gram.clone(), self.moment.clone()));
    }
}

/// Cholesky on the lower triangle, row by row, and two substitutions.
fn solve(mut k: Vec<f64>, mut w: Vec<f64>) -> Vec<f64> {
    let n = w.len();
    for i in 0..n {
        k[i * n + i] += DEFAULT_RIDGE;
        for j in 0..=i {
            let dot: f64 = (0..j).map(|l| k[i * n + l] * k[j * n + l]).sum();
            let rest = k[i * n + j] - dot;
            k[i * n + j] = if i == j { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / k[j * n + j] };
        }
        let dot: f64 = (0..i).map(|l| k[i * n + l] * w[l]).sum();
        w[i] = (w[i] - dot) / k[i * n + i];
    }
    for i in (0..n).rev() {
        let dot: f64 = (i + 1..n).map(|l| k[l * n + i] * w[l]).sum();
        w[i] = (w[i] - dot) / k[i * n + i];
    }
    w
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference does the same work: it finds the same weights.
    #[test]
    fn the_plain_loops_solve_the_same_problem() {
        let mut rng = Rng::new(3);
        let x = draw_inputs(42, 400, &mut rng);
        let t: Vec<f64> = (0..400).map(|_| rng.uniform(-1.0, 1.0)).collect();
        let layer = HiddenLayer::random(42, HIDDEN, 1.0, &mut rng);
        let mut plain = Plain::new(&layer);
        plain.train(&x, &t);
        let mut net = OsElm::new(layer, DEFAULT_RIDGE);
        net.train(&x, &t);
        let found = solve(plain.gram, plain.moment);
        let gap = found.iter().zip(&net.output).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // One of them has its hidden layer in single precision.
        assert!(gap < 1e-2, "{gap}");
    }
}
