//! The sequential probability ratio test on pairs of games, as fastchess and Fishtest run it.
//!
//! The five classes of a pair (0, ½, 1, 1½, 2 points) are a multinomial. Its distribution is unknown under
//! both hypotheses, so each is represented by the distribution nearest to the data that has the hypothesis' strength
//! (Michel Van den Bergh's generalised test): LLR = Σ nᵢ ln(pᵢ under H1 / pᵢ under H0).

use ludens_core::math;
use serde::{Deserialize, Serialize};

/// Which Elo the hypotheses are stated in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtModel {
    /// The usual Elo of the mean score.
    #[default]
    Logistic,
    /// Elo measured in standard deviations of a game: the length of a test does not depend on drawishness.
    Normalized,
}

/// H0: the first mind is at most `elo0` better; H1: it is at least `elo1` better.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The Elo of H0.
    pub elo0: f64,
    /// The Elo of H1, above `elo0`.
    pub elo1: f64,
    /// The chance of accepting H1 when H0 holds.
    pub alpha: f64,
    /// The chance of accepting H0 when H1 holds.
    pub beta: f64,
    /// Which Elo these are.
    #[serde(default)]
    pub model: SprtModel,
}

impl Default for Sprt {
    fn default() -> Sprt {
        Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: SprtModel::Logistic }
    }
}

/// What a sequential test says of the results so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The first mind is not `elo1` better.
    AcceptH0,
    /// The first mind is more than `elo0` better.
    AcceptH1,
    /// More games are needed.
    Undecided,
}

impl Sprt {
    /// A test in the usual Elo.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Sprt {
        Sprt { elo0, elo1, alpha, beta, model: SprtModel::Logistic }
    }

    /// What is wrong with the numbers, if anything.
    pub fn check(&self) -> Result<(), String> {
        let error_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !error_rate(self.alpha) || !error_rate(self.beta) {
            return Err(
                "alpha and beta of a sequential test must lie between 0 and 0.5; 0.05 is usual".into()
            );
        }
        if !(self.elo0 < self.elo1 && self.elo0.is_finite() && self.elo1.is_finite()) {
            return Err("elo0 of a sequential test must be below elo1; 0 and 10 are usual".into());
        }
        Ok(())
    }

    /// The test stops below the first with H0 and above the second with H1 (Wald).
    pub fn bounds(&self) -> (f64, f64) {
        (math::ln(self.beta / (1.0 - self.alpha)), math::ln((1.0 - self.beta) / self.alpha))
    }

    /// What the test says of pairs counted by their points.
    pub fn verdict(&self, pentanomial: &[u64; 5]) -> Verdict {
        let (lower, upper) = self.bounds();
        let llr = self.llr(pentanomial);
        if llr >= upper {
            Verdict::AcceptH1
        } else if llr <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Undecided
        }
    }

    /// The log-likelihood ratio of H1 to H0.
    pub fn llr(&self, pentanomial: &[u64; 5]) -> f64 {
        let total: u64 = pentanomial.iter().sum();
        if total == 0 {
            return 0.0;
        }
        // A class not seen yet is rare, not impossible.
        let counts = pentanomial.map(|count| (count as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let (null, alternative) = match self.model {
            SprtModel::Logistic => {
                (with_mean(&shares, score_of_elo(self.elo0)), with_mean(&shares, score_of_elo(self.elo1)))
            }
            SprtModel::Normalized => {
                // A pair's score has half the variance of a game's, so its t is √2 as large.
                let t = |elo: f64| elo * std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2;
                (with_t(&shares, t(self.elo0)), with_t(&shares, t(self.elo1)))
            }
        };
        (0..5).map(|class| counts[class] * math::ln(alternative[class] / null[class])).sum()
    }
}

/// The expected score of a mind that is `elo` better.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + math::powf(10.0, -elo / 400.0))
}

/// The Elo difference that makes a score; infinite at 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * math::log10(1.0 / score - 1.0)
}

const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The distribution with mean `mean` under which the observed shares are most likely.
fn with_mean(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    tilted(shares, &POINTS.map(|points| points - mean))
}

/// pᵢ / (1 + θ aᵢ) with the θ that makes Σ aᵢ pᵢ / (1 + θ aᵢ) = 0.
fn tilted(shares: &[f64; 5], a: &[f64; 5]) -> [f64; 5] {
    let least = a.iter().copied().fold(f64::INFINITY, f64::min);
    let most = a.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return *shares;
    }
    // 1 + θ aᵢ > 0 for all i bounds θ; the sum falls with θ.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..80 {
        let theta = 0.5 * (low + high);
        let sum: f64 = (0..5).map(|i| a[i] * shares[i] / (1.0 + theta * a[i])).sum();
        if sum > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = 0.5 * (low + high);
    std::array::from_fn(|i| shares[i] / (1.0 + theta * a[i]))
}

/// The distribution with (mean − ½) / σ = t, by repeated linearisation of that constraint.
fn with_t(shares: &[f64; 5], t: f64) -> [f64; 5] {
    let mut distribution = [0.2; 5];
    for _ in 0..20 {
        let mean: f64 = (0..5).map(|i| POINTS[i] * distribution[i]).sum();
        let variance: f64 = (0..5).map(|i| math::square(POINTS[i] - mean) * distribution[i]).sum();
        let sigma = variance.sqrt();
        let a = POINTS
            .map(|points| points - 0.5 - 0.5 * t * sigma * (1.0 + math::square((mean - points) / sigma)));
        let next = tilted(shares, &a);
        let change: f64 = (0..5).map(|i| (next[i] - distribution[i]).abs()).sum();
        distribution = next;
        if change < 1e-12 {
            break;
        }
    }
    distribution
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Rng;

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = Sprt::default().bounds();
        assert!((upper - 2.944_438_979_166_44).abs() < 1e-12 && (lower + upper).abs() < 1e-12);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        assert!((score_of_elo(100.0) - 0.640_064_999_802_887_6).abs() < 1e-12);
        assert!((elo_of_score(0.75) - 190.848_501_887_865).abs() < 1e-9);
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
    }

    /// With a trinomial hidden in the five classes (0, 1, 2 points only) and small differences the test is close to the
    /// normal approximation LLR ≈ n (s₁ − s₀)(2 x̄ − s₀ − s₁) / 2σ².
    #[test]
    fn llr_is_near_its_normal_approximation() {
        let pentanomial = [800, 2100, 4200, 2200, 850];
        let sprt = Sprt::new(0.0, 4.0, 0.05, 0.05);
        let total: f64 = pentanomial.iter().sum::<u64>() as f64;
        let mean: f64 = (0..5).map(|i| POINTS[i] * pentanomial[i] as f64).sum::<f64>() / total;
        let variance: f64 =
            (0..5).map(|i| math::square(POINTS[i] - mean) * pentanomial[i] as f64).sum::<f64>() / total;
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(4.0));
        let approximate = total * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let exact = sprt.llr(&pentanomial);
        assert!((exact - approximate).abs() < 0.02, "{exact} {approximate}");
        // Both models agree when the bounds name the same strengths.
        let sigma_game = (2.0 * variance).sqrt();
        let t_per_elo = std::f64::consts::LN_10 / 800.0;
        let normalized =
            Sprt { elo1: (s1 - 0.5) / sigma_game / t_per_elo, model: SprtModel::Normalized, ..sprt };
        assert!((normalized.llr(&pentanomial) - exact).abs() < 0.05, "{}", normalized.llr(&pentanomial));
    }

    /// The tilted distributions have the strength they stand for.
    #[test]
    fn hypotheses_have_their_strength() {
        let shares = [0.1, 0.2, 0.4, 0.2, 0.1];
        for elo in [-200.0, -10.0, 0.0, 35.0, 300.0] {
            let tilted = with_mean(&shares, score_of_elo(elo));
            let mean: f64 = (0..5).map(|i| POINTS[i] * tilted[i]).sum();
            assert!((tilted.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((mean - score_of_elo(elo)).abs() < 1e-9);
        }
        for t in [-0.5, 0.0, 0.1, 0.4] {
            let d = with_t(&shares, t);
            let mean: f64 = (0..5).map(|i| POINTS[i] * d[i]).sum();
            let sigma = (0..5).map(|i| math::square(POINTS[i] - mean) * d[i]).sum::<f64>().sqrt();
            assert!(((mean - 0.5) / sigma - t).abs() < 1e-6, "{t}: {}", (mean - 0.5) / sigma);
        }
    }

    /// Simulated matches at exactly H0 and H1: each error must stay near its 5 %.
    #[test]
    fn error_rates_are_kept() {
        let sprt = Sprt::new(0.0, 40.0, 0.05, 0.05);
        for (elo, wrong) in [(0.0, Verdict::AcceptH1), (40.0, Verdict::AcceptH0)] {
            let mean = score_of_elo(elo);
            // Game scores by a draw rate of .4; pairs as two independent games.
            let win = mean - 0.2;
            let mut errors = 0;
            let matches = 600;
            for number in 0..matches {
                let mut rng = Rng::stream(11, number);
                let mut pentanomial = [0u64; 5];
                let verdict = loop {
                    let mut points = 0;
                    for _ in 0..2 {
                        let x = rng.unit();
                        points += if x < win { 2 } else { usize::from(x < win + 0.4) };
                    }
                    pentanomial[points] += 1;
                    match sprt.verdict(&pentanomial) {
                        Verdict::Undecided => {}
                        verdict => break verdict,
                    }
                };
                errors += u32::from(verdict == wrong);
            }
            let rate = f64::from(errors) / matches as f64;
            // 5 % ± 3 standard errors of 600 matches, and not absurdly below.
            assert!((0.01..0.077).contains(&rate), "elo {elo}: error rate {rate}");
        }
    }
}
