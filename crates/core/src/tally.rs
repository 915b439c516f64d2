//! Counting results, and how sure a share is.

use serde::{Deserialize, Serialize};

/// 97.5 % quantile of the normal distribution: half of a two-sided 95 % interval.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A value's bounds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Interval {
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

impl Interval {
    /// From one bound to the other.
    pub fn new(low: f64, high: f64) -> Interval {
        Interval { low, high }
    }

    /// So far to either side.
    pub fn around(middle: f64, half: f64) -> Interval {
        Interval { low: middle - half, high: middle + half }
    }

    /// Whether a value lies within.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// Wilson's score interval for `successes` (half ones allowed, for draws) of `trials`.
pub fn wilson(successes: f64, trials: f64, z: f64) -> Interval {
    if trials <= 0.0 {
        return Interval::new(0.0, 1.0);
    }
    let share = successes / trials;
    let z2 = z * z;
    let middle = (share + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
    let half =
        z / (1.0 + z2 / trials) * (share * (1.0 - share) / trials + z2 / (4.0 * trials * trials)).sqrt();
    // The ends are exact where everything or nothing succeeded; rounding must not move them.
    let low = if successes <= 0.0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if successes >= trials { 1.0 } else { (middle + half).min(1.0) };
    Interval { low, high }
}

/// Won, drawn and lost games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Adds a game by its score as the player sees it: above 0 won, below lost.
    pub fn add(&mut self, score: f32) {
        match score {
            score if score > 0.0 => self.wins += 1,
            score if score < 0.0 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Games won of all.
    pub fn win_share(&self) -> f64 {
        self.wins as f64 / self.games().max(1) as f64
    }

    /// Points of all games, a draw half a win.
    pub fn points(&self) -> f64 {
        (self.wins as f64 + 0.5 * self.draws as f64) / self.games().max(1) as f64
    }

    /// Wilson's 95 % interval of [`Tally::points`].
    pub fn interval(&self) -> Interval {
        let games = self.games() as f64;
        wilson(self.points() * games, games, Z95)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R. G. Newcombe, 1998, table I, method 3.
    #[test]
    fn wilson_equals_newcombe() {
        for (successes, trials, low, high) in [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ] {
            let interval = wilson(successes, trials, Z95);
            assert!((interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5, "{interval:?}");
        }
    }

    #[test]
    fn counts_games() {
        let mut tally = Tally::default();
        [1.0, 0.5, 0.0, -1.0].into_iter().for_each(|score| tally.add(score));
        assert_eq!(tally, Tally { wins: 2, draws: 1, losses: 1 });
        assert_eq!((tally.games(), tally.win_share(), tally.points()), (4, 0.5, 0.625));
    }
}
