//! Counting results: win/draw/loss by game, five classes by pair.

use ludens_core::math;
use serde::{Deserialize, Serialize};

/// The results of one pairing as its first mind sees them.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by their points: 0, ½, 1, 1½, 2.
    pub pentanomial: [u64; 5],
    /// Wins, draws and losses while moving first.
    pub as_first: [u64; 3],
}

impl Tally {
    /// Adds a pair: the score (−1 … 1) of the game in which the mind moved first, then of the other.
    pub fn add_pair(&mut self, scores: [f32; 2]) {
        let classes = scores.map(class);
        for class in classes {
            match class {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
        }
        self.as_first[2 - classes[0]] += 1;
        self.pentanomial[classes[0] + classes[1]] += 1;
    }

    /// All games counted.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// All pairs counted.
    pub fn pairs(&self) -> u64 {
        self.pentanomial.iter().sum()
    }

    /// Points per game: a win 1, a draw ½.
    pub fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (self.wins as f64 + 0.5 * self.draws as f64) / self.games() as f64
    }

    /// The standard error of [`Tally::score`] from the spread of the pairs, which holds what the shared
    /// opening and dice make equal.
    pub fn standard_error(&self) -> f64 {
        let pairs = self.pairs() as f64;
        if pairs < 2.0 {
            return 0.5;
        }
        let mean = self.score();
        let sum: f64 = self
            .pentanomial
            .iter()
            .enumerate()
            .map(|(points, &count)| count as f64 * math::square(points as f64 / 4.0 - mean))
            .sum();
        (sum / (pairs - 1.0) / pairs).sqrt()
    }
}

/// 0 a loss, 1 a draw, 2 a win.
fn class(score: f32) -> usize {
    if score > 0.0 {
        2
    } else if score < 0.0 {
        0
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_games_and_pairs() {
        let mut tally = Tally::default();
        for pair in [[1.0, 1.0], [1.0, -1.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]] {
            tally.add_pair(pair);
        }
        assert_eq!((tally.wins, tally.draws, tally.losses), (4, 4, 2));
        assert_eq!(tally.pentanomial, [0, 1, 2, 1, 1]);
        assert_eq!(tally.as_first, [3, 1, 1]);
        assert_eq!(tally.score(), 0.6);
        // Pair means 1, ½, ½, ¼, ¾: sum of squares about .6 is .325, over 4 · 5.
        assert!((tally.standard_error() - (0.325f64 / 20.0).sqrt()).abs() < 1e-12);
    }
}
