//! The size of the hidden layer by 10-fold cross validation (paper, section 4.2): "hidden layers of increasing sizes are explored until
//! for 10 iterations in a row the best average validation error doesn't decrease"; three random initialisations a size, the best one kept.
//!
//! Fitting ten times on nine tenths of the examples would cost ten passes over H. Here each fold's share of the normal equations is
//! computed once, and the equations without a fold are the sum of all minus that fold's: one pass for H, and ten small Cholesky solves.

use ludens_core::{Rng, Stop, math};

use crate::os_elm::{HiddenLayer, NormalEquations};

/// How the size of the hidden layer is searched for.
#[derive(Clone, Debug)]
pub struct HiddenSizeSearch {
    /// Parts the examples are divided into, each held back once.
    pub folds: usize,
    /// Sizes in a row without a better mean error that end the search.
    pub patience: usize,
    /// Random initialisations tried at each size.
    pub tries: usize,
    /// The first size tried.
    pub first: usize,
    /// Hidden units more from one size to the next.
    pub step: usize,
    /// No size above this is tried.
    pub largest: usize,
    /// λ of every fit.
    pub ridge: f64,
    /// Hidden weights are uniform in ± this.
    pub range: f64,
    /// Who may end the search; what it found by then is of no use.
    pub stop: Stop,
}

impl Default for HiddenSizeSearch {
    fn default() -> HiddenSizeSearch {
        HiddenSizeSearch {
            folds: 10,
            patience: 10,
            tries: 3,
            first: 1,
            step: 1,
            largest: 256,
            ridge: crate::os_elm::DEFAULT_RIDGE,
            range: 1.0,
            stop: Stop::default(),
        }
    }
}

/// The layer that was chosen, and the error at every size that was tried.
#[derive(Clone, PartialEq, Debug)]
pub struct HiddenSize {
    /// The hidden layer of the best try.
    pub layer: HiddenLayer,
    /// Its mean square error on examples held back.
    pub error: f64,
    /// (size, the best mean square validation error of its tries).
    pub curve: Vec<(usize, f64)>,
}

impl HiddenSizeSearch {
    /// `examples` one after the other, each `inputs` long.
    pub fn run(&self, inputs: usize, examples: &[f32], targets: &[f64], rng: &mut Rng) -> HiddenSize {
        let (examples, targets) = shuffled(inputs, examples, targets, rng);
        let mut best: Option<(HiddenLayer, f64)> = None;
        let mut curve = Vec::new();
        let mut stale = 0;
        let mut size = self.first.max(1);
        while stale < self.patience && size <= self.largest && self.stop.check().is_ok() {
            let (layer, error) = self.best_try(inputs, size, &examples, &targets, rng);
            curve.push((size, error));
            if best.as_ref().is_none_or(|(_, least)| error < *least) {
                best = Some((layer, error));
                stale = 0;
            } else {
                stale += 1;
            }
            size += self.step.max(1);
        }
        let (layer, error) =
            best.unwrap_or_else(|| (HiddenLayer::random(inputs, 1, self.range, rng), f64::NAN));
        HiddenSize { layer, error, curve }
    }

    fn best_try(
        &self,
        inputs: usize,
        size: usize,
        x: &[f32],
        t: &[f64],
        rng: &mut Rng,
    ) -> (HiddenLayer, f64) {
        let mut one = || {
            let layer = HiddenLayer::random(inputs, size, self.range, rng);
            let error = self.validation_error(&layer, x, t);
            (layer, error)
        };
        let mut best = one();
        for _ in 1..self.tries {
            if self.stop.check().is_err() {
                break;
            }
            let other = one();
            if other.1 < best.1 {
                best = other;
            }
        }
        best
    }

    /// The mean square error on each fold of the network fitted on all the others, averaged over the examples.
    pub fn validation_error(&self, layer: &HiddenLayer, examples: &[f32], targets: &[f64]) -> f64 {
        let mut narrow = Vec::new();
        layer.outputs(examples, &mut narrow);
        let h: Vec<f64> = narrow.iter().map(|&h| f64::from(h)).collect();
        let bounds = fold_bounds(targets.len(), self.folds);
        let rows = |fold: usize| {
            let (from, to) = (bounds[fold], bounds[fold + 1]);
            (&h[from * layer.hidden..to * layer.hidden], &targets[from..to])
        };
        let mut all = NormalEquations::new(layer.hidden);
        let mut parts = Vec::with_capacity(self.folds);
        for fold in 0..bounds.len() - 1 {
            let (h, t) = rows(fold);
            let mut part = NormalEquations::new(layer.hidden);
            part.add(h, t, 1.0);
            all.join(&part);
            parts.push(part);
        }
        let mut squares = 0.0;
        for (fold, part) in parts.iter().enumerate() {
            let w = all.without(part).solve(self.ridge);
            let (h, t) = rows(fold);
            for (row, target) in h.chunks_exact(layer.hidden).zip(t) {
                let value: f64 = row.iter().zip(&w).map(|(h, w)| h * w).sum();
                squares += math::square(value - target);
            }
        }
        squares / targets.len().max(1) as f64
    }
}

/// Folds of sizes that differ by one at most; fewer folds where there are fewer examples.
fn fold_bounds(count: usize, folds: usize) -> Vec<usize> {
    let folds = folds.clamp(1, count.max(1));
    (0..=folds).map(|fold| fold * count / folds).collect()
}

/// Neighbouring examples come from one match; shuffling keeps a match from being a fold.
fn shuffled(inputs: usize, examples: &[f32], targets: &[f64], rng: &mut Rng) -> (Vec<f32>, Vec<f64>) {
    let mut order: Vec<usize> = (0..targets.len()).collect();
    rng.shuffle(&mut order);
    let x = order.iter().flat_map(|&i| &examples[i * inputs..(i + 1) * inputs]).copied().collect();
    (x, order.iter().map(|&i| targets[i]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::os_elm::OsElm;

    fn problem() -> (Vec<f32>, Vec<f64>) {
        let mut rng = Rng::new(1);
        let x: Vec<f32> = (0..6 * 300).map(|_| rng.below(3) as f32 - 1.0).collect();
        let t = x.chunks(6).map(|x| f64::from((x[0] * x[1] + x[2]) / 2.0)).collect();
        (x, t)
    }

    /// The published way: for each fold a network trained anew on the others.
    #[test]
    fn leave_fold_out_equations_give_the_naive_error() {
        let (x, t) = problem();
        let search = HiddenSizeSearch::default();
        let layer = HiddenLayer::random(6, 15, 1.0, &mut Rng::new(2));
        let mut squares = 0.0;
        for fold in 0..10 {
            let held = fold * 30..(fold + 1) * 30;
            let (mut tx, mut tt) = (Vec::new(), Vec::new());
            for i in (0..300).filter(|i| !held.contains(i)) {
                tx.extend_from_slice(&x[i * 6..(i + 1) * 6]);
                tt.push(t[i]);
            }
            let mut net = OsElm::new(layer.clone(), search.ridge);
            net.train(&tx, &tt);
            let values = net.values(&x[held.start * 6..held.end * 6]);
            squares += values.iter().zip(&t[held]).map(|(v, t)| math::square(v - t)).sum::<f64>();
        }
        let fast = search.validation_error(&layer, &x, &t);
        assert!((fast - squares / 300.0).abs() < 1e-9, "{fast} {}", squares / 300.0);
    }

    #[test]
    fn stops_after_ten_sizes_without_gain_and_repeats() {
        let (x, t) = problem();
        let search = HiddenSizeSearch { largest: 400, ..HiddenSizeSearch::default() };
        let chosen = search.run(6, &x, &t, &mut Rng::new(3));
        assert_eq!(chosen, search.run(6, &x, &t, &mut Rng::new(3)));
        let at = chosen.curve.iter().position(|(size, _)| *size == chosen.layer.hidden).unwrap();
        assert_eq!(chosen.curve.len(), at + 11);
        assert!(chosen.curve[at + 1..].iter().all(|(_, error)| *error >= chosen.error));
        assert!(chosen.error < 0.05, "a product of two inputs is learnt: {}", chosen.error);
    }
}
