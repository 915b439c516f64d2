use faer::Mat;
use faer::linalg::solvers::SolveLstsq;
use ludens_core::math;

use super::*;

fn problem(inputs: usize, count: usize, seed: u64) -> (Vec<f32>, Vec<f64>) {
    let mut rng = Rng::new(seed);
    let x = (0..inputs * count).map(|_| rng.below(3) as f32 - 1.0).collect();
    (x, (0..count).map(|_| rng.uniform(-1.0, 1.0)).collect())
}

fn hidden_matrix(layer: &HiddenLayer, x: &[f32]) -> Mat<f64> {
    let mut h = Vec::new();
    layer.outputs(x, &mut h);
    Mat::from_fn(x.len() / layer.inputs, layer.hidden, |i, j| f64::from(h[i * layer.hidden + j]))
}

fn column(t: &[f64]) -> Mat<f64> {
    Mat::from_fn(t.len(), 1, |i, _| t[i])
}

fn largest_gap(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn inverse(m: &Mat<f64>) -> Mat<f64> {
    Llt::new(m.as_ref(), Side::Lower).unwrap().solve(Mat::<f64>::identity(m.nrows(), m.nrows()))
}

/// The estimate is the least-squares solution of all examples at once, which QR finds without ever forming HᵀH.
#[test]
fn chunks_give_the_batch_least_squares_solution() {
    let (inputs, hidden) = (42, 60);
    let (x, t) = problem(inputs, 3000, 1);
    let layer = HiddenLayer::random(inputs, hidden, 1.0, &mut Rng::new(2));
    let ridge = 1e-3;
    let mut net = OsElm::new(layer.clone(), ridge);
    let mut at = 0;
    for size in [1, 7, 500, 1000, 250, 1, 1241] {
        net.train(&x[at * inputs..(at + size) * inputs], &t[at..at + size]);
        at += size;
    }
    assert_eq!(at, 3000);
    // Ridge regression is ordinary least squares with √λ·I below H and zeros below T.
    let h = hidden_matrix(&layer, &x);
    let rows = 3000 + hidden;
    let stacked = Mat::from_fn(rows, hidden, |i, j| match i.checked_sub(3000) {
        None => h[(i, j)],
        Some(k) => f64::from(u8::from(k == j)) * f64::sqrt(ridge),
    });
    let padded = Mat::from_fn(rows, 1, |i, _| t.get(i).copied().unwrap_or(0.0));
    let exact = stacked.qr().solve_lstsq(&padded);
    let exact: Vec<f64> = (0..hidden).map(|j| exact[(j, 0)]).collect();
    let gap = largest_gap(&exact, &net.output);
    assert!(gap < 1e-8, "largest difference of a weight {gap}");
}

/// Equations 1, 2 and 3 as printed, with their inverses, against what is computed here.
#[test]
fn equals_the_papers_recursion() {
    let (inputs, hidden) = (10, 12);
    let (x, t) = problem(inputs, 400, 3);
    let layer = HiddenLayer::random(inputs, hidden, 1.0, &mut Rng::new(4));
    let chunk = |from: usize, to: usize| {
        (hidden_matrix(&layer, &x[from * inputs..to * inputs]), column(&t[from..to]))
    };
    let (h0, t0) = chunk(0, 100);
    let mut p = inverse(&(h0.transpose() * &h0)); // (1)
    let mut w = &p * h0.transpose() * &t0;
    let mut net = OsElm::new(layer.clone(), 1e-12);
    net.train(&x[..100 * inputs], &t[..100]);
    for (from, to) in [(100, 130), (130, 131), (131, 400)] {
        let (h, t1) = chunk(from, to);
        let s = Mat::<f64>::identity(to - from, to - from) + &h * &p * h.transpose();
        p = &p - &p * h.transpose() * inverse(&s) * &h * &p; // (2)
        w = &w + &p * h.transpose() * (&t1 - &h * &w); // (3)
        net.train(&x[from * inputs..to * inputs], &t[from..to]);
        let recursion: Vec<f64> = (0..hidden).map(|j| w[(j, 0)]).collect();
        let gap = largest_gap(&recursion, &net.output);
        assert!(gap < 1e-7, "after {to} examples: {gap}");
    }
}

#[test]
fn hidden_outputs_are_the_definition() {
    let layer = HiddenLayer::random(5, 3, 1.0, &mut Rng::new(5));
    let x = [1.0f32, -1.0, 0.0, 0.5, 2.0];
    let mut h = Vec::new();
    layer.outputs(&x, &mut h);
    for (j, &value) in h.iter().enumerate() {
        let sum: f64 = (0..5).map(|i| f64::from(x[i]) * f64::from(layer.weights[i * 3 + j])).sum();
        let exact = 1.0 / (1.0 + math::exp(-(sum + f64::from(layer.biases[j]))));
        assert!((f64::from(value) - exact).abs() < 1e-6);
    }
}

/// Fewer examples than hidden units, all of them equal: HᵀH has rank one and only the ridge makes it invertible.
#[test]
fn degenerate_examples_still_have_a_solution() {
    let layer = HiddenLayer::random(4, 30, 1.0, &mut Rng::new(6));
    let mut net = OsElm::new(layer, 1e-300);
    net.train(&[1.0f32, 0.0, -1.0, 1.0].repeat(5), &[0.5; 5]);
    assert!(net.output.iter().all(|w| w.is_finite()));
    let value = net.values(&[1.0, 0.0, -1.0, 1.0])[0];
    assert!((value - 0.5).abs() < 1e-3, "{value}");
}
