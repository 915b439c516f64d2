//! The choice rule and its fit: a conditional logit with shared and personal weights.
//!
//! A person p picks square s of a position with the chance exp(u) ÷ Σ exp(u), u = Σ (wᵢ + dₚᵢ) xᵢ(s). The fit minimises
//! the nats of the records plus λ/2 Σ wᵢ² + μ/2 Σ dₚᵢ²: a convex problem with one answer.

use super::patterns::{PATTERNS, describe_pattern};
use ludens_core::math;

/// The patterns of a square, each with how often it is there.
pub type Square = Vec<(usize, f32)>;

/// A position, its empty squares, and the one that was taken.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The empty squares.
    pub squares: Vec<Square>,
    /// Which of them was taken.
    pub taken: usize,
    /// The number of the player.
    pub person: u32,
    /// The part of the records it belongs to; each part is held out once.
    pub fold: u32,
}

/// How the weights are fitted.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// λ: how much large shared weights cost.
    pub shared: f64,
    /// μ: how much it costs to be different from the others.
    pub personal: f64,
    /// Passes over all records.
    pub passes: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { shared: 2.0, personal: 20.0, passes: 200 }
    }
}

/// Fitted weights: the shared ones first, then a block for each person.
#[derive(Clone, Debug)]
pub struct Fit {
    weights: Vec<f64>,
}

impl Fit {
    /// Adam on the whole sum, with a step that shrinks to nothing: it ends at the minimum, whatever the scale of a pattern.
    pub fn to<'a>(choices: impl Iterator<Item = &'a Choice>, settings: &Settings) -> Fit {
        const STEP: f64 = 0.05;
        let choices: Vec<&Choice> = choices.collect();
        let people = choices.iter().map(|choice| choice.person as usize + 1).max().unwrap_or(0);
        let mut fit = Fit { weights: vec![0.0; PATTERNS * (1 + people)] };
        let mut slope = vec![0.0; fit.weights.len()];
        let mut mean = slope.clone();
        let mut square = slope.clone();
        for pass in 1..=settings.passes {
            fit.slope(&choices, settings, &mut slope);
            let step = STEP * (1.0 - f64::from(pass - 1) / f64::from(settings.passes));
            let (unbias_mean, unbias_square) =
                (1.0 - math::powi(0.9, pass as i32), 1.0 - math::powi(0.99, pass as i32));
            for index in 0..slope.len() {
                mean[index] += 0.1 * (slope[index] - mean[index]);
                square[index] += 0.01 * (slope[index] * slope[index] - square[index]);
                let scale = (square[index] / unbias_square).sqrt() + 1e-9;
                fit.weights[index] -= step * mean[index] / unbias_mean / scale;
            }
        }
        fit
    }

    /// The chance of each square.
    pub fn chances(&self, choice: &Choice, personal: bool) -> Vec<f64> {
        // A person nobody saw before is like all.
        let own = self.block(choice.person).filter(|_| personal);
        let mut chances: Vec<f64> = choice
            .squares
            .iter()
            .map(|square| {
                let weight = |pattern: usize| self.weights[pattern] + own.map_or(0.0, |own| own[pattern]);
                square.iter().map(|&(pattern, times)| weight(pattern) * f64::from(times)).sum()
            })
            .collect();
        let most = chances.iter().copied().fold(f64::MIN, f64::max);
        chances.iter_mut().for_each(|chance| *chance = math::exp(*chance - most));
        let sum: f64 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= sum);
        chances
    }

    fn block(&self, person: u32) -> Option<&[f64]> {
        let first = PATTERNS.checked_mul(1 + person as usize)?;
        self.weights.get(first..first.checked_add(PATTERNS)?)
    }

    /// The gradient of what the fit minimises.
    fn slope(&self, choices: &[&Choice], settings: &Settings, slope: &mut [f64]) {
        for (index, (slope, weight)) in slope.iter_mut().zip(&self.weights).enumerate() {
            *slope = weight * if index < PATTERNS { settings.shared } else { settings.personal };
        }
        for choice in choices {
            let first = PATTERNS * (1 + choice.person as usize);
            let chances = self.chances(choice, true);
            for (index, (square, chance)) in choice.squares.iter().zip(chances).enumerate() {
                let surprise = chance - f64::from(u8::from(index == choice.taken));
                for &(pattern, times) in square {
                    let change = surprise * f64::from(times);
                    slope[pattern] += change;
                    slope[first + pattern] += change;
                }
            }
        }
    }

    /// The shared weights, strongest first.
    pub fn in_words(&self) -> Vec<(String, f64)> {
        let mut words: Vec<(String, f64)> =
            (0..PATTERNS).map(|pattern| (describe_pattern(pattern), self.weights[pattern])).collect();
        words.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        words
    }

    /// What the fit minimises: for the tests.
    #[cfg(test)]
    fn cost(&self, choices: &[&Choice], settings: &Settings) -> f64 {
        let nats: f64 =
            choices.iter().map(|choice| -math::ln(self.chances(choice, true)[choice.taken])).sum();
        let square = |weights: &[f64]| weights.iter().map(|weight| weight * weight).sum::<f64>() / 2.0;
        let (shared, personal) = self.weights.split_at(PATTERNS);
        nats + settings.shared * square(shared) + settings.personal * square(personal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_choices() -> Vec<Choice> {
        let mut rng = ludens_core::Rng::stream(7, 0);
        (0..40)
            .map(|index| {
                let square = |_| {
                    let mut square: Square = (0..5)
                        .map(|_| (rng.below(PATTERNS as u32) as usize, 1.0 + rng.below(2) as f32))
                        .collect();
                    square.sort_by_key(|&(pattern, _)| pattern);
                    square.dedup_by_key(|(pattern, _)| *pattern);
                    square
                };
                let squares: Vec<Square> = (0..6).map(square).collect();
                Choice { squares, taken: index % 6, person: index as u32 % 3, fold: 0 }
            })
            .collect()
    }

    #[test]
    fn the_slope_equals_finite_differences() {
        let choices = some_choices();
        let choices: Vec<&Choice> = choices.iter().collect();
        let settings = Settings { shared: 0.7, personal: 1.9, passes: 5 };
        let mut fit = Fit::to(choices.iter().copied(), &settings);
        let mut slope = vec![0.0; fit.weights.len()];
        fit.slope(&choices, &settings, &mut slope);
        const SMALL: f64 = 1e-5;
        for (index, slope) in slope.iter().enumerate() {
            let weight = fit.weights[index];
            fit.weights[index] = weight + SMALL;
            let above = fit.cost(&choices, &settings);
            fit.weights[index] = weight - SMALL;
            let below = fit.cost(&choices, &settings);
            fit.weights[index] = weight;
            assert!(((above - below) / (2.0 * SMALL) - slope).abs() < 1e-6, "weight {index}");
        }
    }

    #[test]
    fn the_fit_ends_where_the_slope_is_flat() {
        let choices = some_choices();
        let choices: Vec<&Choice> = choices.iter().collect();
        let settings = Settings { passes: 400, ..Settings::default() };
        let fit = Fit::to(choices.iter().copied(), &settings);
        let mut slope = vec![0.0; fit.weights.len()];
        fit.slope(&choices, &settings, &mut slope);
        assert!(slope.iter().all(|slope| slope.abs() < 0.05), "{slope:?}");
    }
}
