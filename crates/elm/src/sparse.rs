//! Normal equations of features of which few are active at a time: only the pairs that meet are touched.

use crate::os_elm::NormalEquations;

const KNOWN: f64 = 100.0;

impl NormalEquations {
    /// One example that counts `weight`: the active features in rising order, each with its value.
    pub fn add_sparse(&mut self, features: &[(u32, f32)], target: f64, weight: f64) {
        for (place, &(low, a)) in features.iter().enumerate() {
            let column = &mut self.gram[low as usize * self.size..(low as usize + 1) * self.size];
            for &(high, b) in &features[place..] {
                column[high as usize] += weight * f64::from(a * b);
            }
            self.moment[low as usize] += weight * f64::from(a) * target;
        }
        self.weight += weight;
    }

    /// The features that were ever active.
    pub fn active(&self) -> Vec<usize> {
        (0..self.size).filter(|&id| self.gram[id * (self.size + 1)] > 0.0).collect()
    }

    /// As [`NormalEquations::solve`], leaving out what was never active; its weight is 0 in any case.
    pub fn solve_active(&self, ridge: f64) -> Vec<f64> {
        let active = self.active();
        let mut dense = NormalEquations::new(active.len());
        for (column, &low) in active.iter().enumerate() {
            for (row, &high) in active.iter().enumerate().skip(column) {
                dense.gram[column * active.len() + row] = self.gram[low * self.size + high];
            }
            dense.moment[column] = self.moment[low];
        }
        let mut weights = vec![0.0; self.size];
        for (&id, w) in active.iter().zip(dense.solve(ridge)) {
            weights[id] = w;
        }
        weights
    }

    /// Sums whose solution is `weights`: where those of a training were not kept, it goes on from what they taught, as if each of these
    /// features had been met [`KNOWN`] times.
    pub fn begin_at(&mut self, weights: &[f64], features: impl Iterator<Item = usize>) {
        for id in features {
            self.gram[id * (self.size + 1)] = KNOWN;
            self.moment[id] = KNOWN * weights[id];
        }
    }

    /// Model files hold the sums in single precision; so does a learner after each step, to go on alike from a file.
    pub fn round_to_f32(&mut self) {
        self.gram.iter_mut().for_each(|x| *x = f64::from(*x as f32));
    }

    /// The lower triangle of the active features, column by column.
    pub fn triangle(&self, active: &[usize]) -> Vec<f32> {
        let column = |place: usize| {
            let low = active[place];
            active[place..].iter().map(move |&high| self.gram[low * self.size + high] as f32)
        };
        (0..active.len()).flat_map(column).collect()
    }

    /// Puts back what [`NormalEquations::triangle`] gave for the same features.
    pub fn set_triangle(&mut self, active: &[usize], triangle: &[f32]) {
        let mut values = triangle.iter();
        for (place, &low) in active.iter().enumerate() {
            for (&high, &value) in active[place..].iter().zip(&mut values) {
                self.gram[low * self.size + high] = f64::from(value);
            }
        }
    }
}
