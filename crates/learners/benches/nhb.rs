//! The speed rows of OS-ELM: CPU time of one thread, best of several. Run beside `../shared/bench/bench_oselm.py`.
use std::time::Duration;

use cpu_time::ThreadTime;
use ludens_core::Rng;
use ludens_learners::nhb::hidden_size::HiddenSizeSearch;
use ludens_learners::nhb::os_elm::{DEFAULT_RIDGE, HiddenLayer, OsElm};

fn best(rounds: u32, mut work: impl FnMut()) -> Duration {
    (0..rounds)
        .map(|_| {
            let start = ThreadTime::now();
            work();
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

fn main() {
    let mut rng = Rng::new(0);
    for inputs in [42, 64] {
        let x: Vec<f32> = (0..2000 * inputs).map(|_| rng.below(3) as f32 - 1.0).collect();
        let t: Vec<f64> = (0..2000).map(|_| rng.uniform(-1.0, 1.0)).collect();
        let mut net = OsElm::new(HiddenLayer::random(inputs, 128, 1.0, &mut rng), DEFAULT_RIDGE);
        let mut h = Vec::new();
        let hidden = best(20, || net.layer.outputs(&x, &mut h));
        let h: Vec<f64> = h.iter().map(|&h| f64::from(h)).collect();
        let gram = best(20, || net.equations.add(&h, &t, 1.0));
        let solve = best(20, || net.output = net.equations.solve(1e-3));
        println!("  hidden {hidden:?} gram {gram:?} solve {solve:?}");
        let chunk = best(30, || net.train(&x, &t));
        println!(
            "os-elm {inputs}-128-1, chunk of 2000: {chunk:?}, {:.2} M examples/s",
            2000.0 / chunk.as_secs_f64() / 1e6
        );
    }
    hidden_size();
}

/// A target that a network of some dozens of units fits well and one of a few does not.
fn hidden_size() {
    let mut rng = Rng::new(1);
    let inputs = 42;
    let x: Vec<f32> = (0..2000 * inputs).map(|_| rng.below(3) as f32 - 1.0).collect();
    let teacher = HiddenLayer::random(inputs, 24, 0.5, &mut rng);
    let mut h = Vec::new();
    teacher.outputs(&x, &mut h);
    let w: Vec<f32> = (0..24).map(|_| rng.uniform(-0.5, 0.5) as f32).collect();
    let t: Vec<f64> =
        h.chunks(24).map(|row| row.iter().zip(&w).map(|(h, w)| f64::from(h * w)).sum()).collect();
    let search = HiddenSizeSearch::default();
    let mut chosen = None;
    let time = best(3, || chosen = Some(search.run(inputs, &x, &t, &mut Rng::new(2))));
    if let Some(chosen) = chosen {
        let sizes = chosen.curve.len();
        println!(
            "cross validation, N = 2000: {time:?} for {sizes} sizes, chose {} hidden",
            chosen.layer.hidden
        );
    }
}
