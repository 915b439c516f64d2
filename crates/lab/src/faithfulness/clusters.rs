//! Means over decisions, with intervals that know that the decisions of one game are not independent: games are drawn again, not decisions.

use ludens_arena::stats::{Interval, student_two_sided};
use ludens_core::{Rng, math};
use serde::{Deserialize, Serialize};

use crate::Cell;
use crate::stats::Test;

/// What is nearer to zero is rounding: sums of the same numbers in another order.
const ROUNDING: f64 = 1e-9;
/// How often the games are drawn again.
const RESAMPLES: usize = 1_000;

/// A mean over decisions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// 95 %, by drawing whole games again.
    pub interval: Interval,
    /// The standard error by the same draws, corrected for few games.
    pub error: f64,
    /// The decisions behind it.
    pub decisions: u64,
    /// The games they come from.
    pub games: u64,
}

impl Estimate {
    /// The mean of numbers that carry the game they come from. Nothing is known of none.
    pub fn of(values: &[(u32, f64)], seed: u64) -> Estimate {
        let games = by_game(values);
        let mean = ratio(games.iter().copied());
        let mut rng = Rng::stream(seed, games.len() as u64);
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|_| ratio((0..games.len()).map(|_| games[rng.below(games.len().max(1) as u32) as usize])))
            .collect();
        means.sort_by(f64::total_cmp);
        let middle = means.iter().sum::<f64>() / means.len() as f64;
        let squares: f64 = means.iter().map(|one| math::square(one - middle)).sum();
        let unbiased = games.len() as f64 / games.len().saturating_sub(1).max(1) as f64;
        let end = |share: f64| means[((share * RESAMPLES as f64) as usize).min(RESAMPLES - 1)];
        Estimate {
            mean,
            interval: Interval::new(end(0.025), end(0.975)),
            // Drawing n games again shows (n − 1)/n of their variance.
            error: (squares / (means.len() - 1) as f64 * unbiased).sqrt(),
            decisions: values.len() as u64,
            games: games.len() as u64,
        }
    }

    /// The whole interval lies above zero.
    pub fn is_above_zero(&self) -> bool {
        self.games > 1 && self.interval.low > 0.0
    }

    /// The whole interval lies below zero.
    pub fn is_below_zero(&self) -> bool {
        self.games > 1 && self.interval.high < 0.0
    }

    /// The test of "it is zero": the mean over its error, by Student's t with as many degrees as games but one. None with fewer than two games.
    pub fn test(&self) -> Option<Test> {
        if self.games < 2 {
            return None;
        }
        // Equal in every game: certain, unless it is zero everywhere.
        let statistic = match (self.error > 0.0, self.mean == 0.0) {
            (true, _) => self.mean / self.error,
            (false, true) => 0.0,
            (false, false) => 1e9 * self.mean.signum(),
        };
        Some(Test {
            name: format!("t-test of {} decisions, games drawn again, {} games", self.decisions, self.games),
            difference: self.mean,
            interval: self.interval,
            statistic,
            p: student_two_sided(statistic, (self.games - 1) as f64),
        })
    }

    /// As a cell of a table.
    pub fn cell(&self) -> Cell {
        let cell = Cell::exact(self.mean).trials(self.decisions);
        if self.games > 1 { cell.with_interval(self.interval.low, self.interval.high) } else { cell }
    }
}

/// The sum and the count of each game, in the order of the games.
fn by_game(values: &[(u32, f64)]) -> Vec<(f64, f64)> {
    let mut games: std::collections::BTreeMap<u32, (f64, f64)> = Default::default();
    for (game, value) in values {
        let of_game = games.entry(*game).or_default();
        of_game.0 += if value.abs() < ROUNDING { 0.0 } else { *value };
        of_game.1 += 1.0;
    }
    games.into_values().collect()
}

fn ratio(games: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (sum, count) = games.fold((0.0, 0.0), |all, game| (all.0 + game.0, all.1 + game.1));
    if count > 0.0 { sum / count } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten decisions of one game say no more than one: the interval is as wide as that of the games.
    #[test]
    fn decisions_of_one_game_are_one_observation() {
        let alone: Vec<(u32, f64)> = (0..40).map(|game| (game, f64::from(game % 2))).collect();
        let tenfold: Vec<(u32, f64)> = alone.iter().flat_map(|one| [*one; 10]).collect();
        let (alone, tenfold) = (Estimate::of(&alone, 1), Estimate::of(&tenfold, 1));
        assert_eq!((alone.mean, tenfold.decisions), (0.5, 400));
        assert_eq!(alone.interval, tenfold.interval);
        // √(¼/40).
        assert!((alone.error - 0.079).abs() < 0.008, "{alone:?}");
    }

    #[test]
    fn nothing_is_claimed_of_nothing() {
        let none = Estimate::of(&[], 1);
        assert_eq!((none.mean, none.games), (0.0, 0));
        assert!(none.test().is_none() && !none.is_above_zero());
        let zeros = Estimate::of(&[(0, 0.0), (1, 0.0), (2, 0.0)], 1);
        assert_eq!(zeros.test().unwrap().p, 1.0);
        let rounded = Estimate::of(&[(0, 1e-16), (1, 2e-16), (2, 1e-16)], 1);
        assert_eq!((rounded.mean, rounded.test().unwrap().p), (0.0, 1.0), "rounding is no difference");
        let ones = Estimate::of(&[(0, 1.0), (1, 1.0), (2, 1.0)], 1);
        assert!(ones.is_above_zero() && ones.test().unwrap().p < 1e-6);
    }
}
