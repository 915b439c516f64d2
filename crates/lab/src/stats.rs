//! Statistics over seeds: means with intervals, tests, and the correction for many of them.

use ludens_arena::stats::{Interval, incomplete_beta, normal_cdf, student_quantile, student_two_sided};
use ludens_core::math;
use serde::{Deserialize, Serialize};

pub use ludens_arena::stats::{Z95, normal_quantile, wilson};

/// A mean over seeds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Of the sample (n − 1).
    pub deviation: f64,
    /// 95 %, by Student's t; the whole line where there is one value only.
    pub interval: Interval,
    /// How many values.
    pub count: u64,
}

/// The mean of values from different seeds; zeros for none.
pub fn mean(values: &[f64]) -> Mean {
    mean_at(values, 0.95)
}

/// As [`mean`] with another level of confidence.
pub fn mean_at(values: &[f64], confidence: f64) -> Mean {
    let count = values.len();
    let middle = values.iter().sum::<f64>() / count.max(1) as f64;
    if count < 2 {
        return Mean {
            mean: middle,
            deviation: 0.0,
            interval: Interval::around(middle, 0.0),
            count: count as u64,
        };
    }
    let squares: f64 = values.iter().map(|value| math::square(value - middle)).sum();
    let deviation = (squares / (count - 1) as f64).sqrt();
    let t = student_quantile(0.5 + confidence / 2.0, (count - 1) as f64);
    let interval = Interval::around(middle, t * deviation / (count as f64).sqrt());
    Mean { mean: middle, deviation, interval, count: count as u64 }
}

/// The outcome of a test of "no difference".
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Test {
    /// What was tested how: "paired t-test over 10 trials".
    pub name: String,
    /// First minus second.
    pub difference: f64,
    /// The 95 % interval of the difference.
    pub interval: Interval,
    /// The statistic of the test.
    pub statistic: f64,
    /// The two-sided p of the statistic.
    pub p: f64,
}

/// Two systems measured on the same seeds. None with fewer than two pairs.
pub fn paired_t(first: &[f64], second: &[f64]) -> Option<Test> {
    let differences: Vec<f64> = first.iter().zip(second).map(|(x, y)| x - y).collect();
    if differences.len() < 2 || first.len() != second.len() {
        return None;
    }
    let summary = mean(&differences);
    let error = summary.deviation / (differences.len() as f64).sqrt();
    Some(t_test(
        format!("paired t-test over {} trials", differences.len()),
        summary.mean,
        error,
        differences.len() as f64 - 1.0,
    ))
}

/// Two systems measured on different seeds, unequal variances allowed (Welch).
pub fn welch_t(first: &[f64], second: &[f64]) -> Option<Test> {
    if first.len() < 2 || second.len() < 2 {
        return None;
    }
    let (a, b) = (mean(first), mean(second));
    let (va, vb) =
        (math::square(a.deviation) / first.len() as f64, math::square(b.deviation) / second.len() as f64);
    let freedom = if va + vb > 0.0 {
        math::square(va + vb)
            / (math::square(va) / (first.len() as f64 - 1.0) + math::square(vb) / (second.len() as f64 - 1.0))
    } else {
        (first.len() + second.len()) as f64 - 2.0
    };
    let name = format!("Welch's t-test, {} and {} trials", first.len(), second.len());
    Some(t_test(name, a.mean - b.mean, (va + vb).sqrt(), freedom))
}

fn t_test(name: String, difference: f64, error: f64, freedom: f64) -> Test {
    // Equal differences in every trial: certain, unless they are all zero.
    let statistic = match (error > 0.0, difference == 0.0) {
        (true, _) => difference / error,
        (false, true) => 0.0,
        (false, false) => 1e9 * difference.signum(),
    };
    Test {
        name,
        difference,
        interval: Interval::around(difference, student_quantile(0.975, freedom) * error),
        statistic,
        p: student_two_sided(statistic, freedom),
    }
}

/// Two shares of independent trials, by the pooled z-test.
pub fn two_shares(first: (u64, u64), second: (u64, u64)) -> Option<Test> {
    let ((x, n), (y, m)) = (first, second);
    if n == 0 || m == 0 {
        return None;
    }
    let (n, m) = (n as f64, m as f64);
    let (p, q) = (x as f64 / n, y as f64 / m);
    let pooled = (x + y) as f64 / (n + m);
    let error = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
    let statistic = if error > 0.0 { (p - q) / error } else { 0.0 };
    let spread = (p * (1.0 - p) / n + q * (1.0 - q) / m).sqrt();
    Some(Test {
        name: format!("z-test of two shares, {n} and {m} games"),
        difference: p - q,
        interval: Interval::around(p - q, Z95 * spread),
        statistic,
        p: 2.0 * normal_cdf(-statistic.abs()),
    })
}

/// Two outcomes of the same trials (McNemar's exact test): how often only the first came, how often only the second.
pub fn sign_test(only_first: u64, only_second: u64, trials: u64) -> Option<Test> {
    if trials == 0 {
        return None;
    }
    let (b, c) = (only_first as f64, only_second as f64);
    let difference = (b - c) / trials as f64;
    let spread = ((b + c) / trials as f64 - difference * difference).max(0.0) / trials as f64;
    // P(X ≥ k) of n fair coins is I_½(k, n − k + 1).
    let p = if b == c { 1.0 } else { (2.0 * incomplete_beta(b.max(c), b.min(c) + 1.0, 0.5)).min(1.0) };
    Some(Test {
        name: format!("exact sign test over {trials} trials"),
        difference,
        interval: Interval::around(difference, Z95 * spread.sqrt()),
        statistic: b - c,
        p,
    })
}

/// Holm's correction: the p values a family of tests has together, in the given order.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&i, &j| p_values[i].total_cmp(&p_values[j]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut largest = 0.0f64;
    for (rank, &index) in order.iter().enumerate() {
        largest = largest.max((p_values.len() - rank) as f64 * p_values[index]).min(1.0);
        corrected[index] = largest;
    }
    corrected
}

/// A straight line through points.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Regression {
    /// How much y rises with x.
    pub slope: f64,
    /// y where x is 0.
    pub intercept: f64,
    /// The 95 % interval of the slope.
    pub slope_interval: Interval,
    /// The t of "the slope is zero".
    pub t: f64,
    /// The degrees of freedom of t.
    pub freedom: f64,
    /// The two-sided p of t.
    pub p: f64,
    /// The share of the variance of y that the line explains.
    pub r_squared: f64,
}

/// Least squares of points in the order of time, whose residuals may hang together over a few steps: the error of the slope is Newey and
/// West's (Bartlett weights over n^⅓ lags, corrected for two coefficients).
pub fn regression_in_time(points: &[(f64, f64)]) -> Option<Regression> {
    let line = regression(points)?;
    let count = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
    let sxx: f64 = points.iter().map(|(x, _)| math::square(x - mean_x)).sum();
    let scores: Vec<f64> =
        points.iter().map(|(x, y)| (x - mean_x) * (y - line.intercept - line.slope * x)).collect();
    let lags = (math::cbrt(count).ceil() as usize).min(points.len() - 1);
    let mut sum: f64 = scores.iter().map(|score| score * score).sum();
    for lag in 1..=lags {
        let weight = 1.0 - lag as f64 / (lags as f64 + 1.0);
        let product: f64 = scores.iter().zip(&scores[lag..]).map(|(one, two)| one * two).sum();
        sum += 2.0 * weight * product;
    }
    let error = (sum.max(0.0) * count / line.freedom).sqrt() / sxx;
    let t = if error > 0.0 { line.slope / error } else { 1e9 * line.slope.signum() };
    Some(Regression {
        slope_interval: Interval::around(line.slope, student_quantile(0.975, line.freedom) * error),
        t,
        p: student_two_sided(t, line.freedom),
        ..line
    })
}

/// Least squares; none with fewer than three points or all x alike.
pub fn regression(points: &[(f64, f64)]) -> Option<Regression> {
    let count = points.len() as f64;
    if points.len() < 3 {
        return None;
    }
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / count;
    let sxx: f64 = points.iter().map(|(x, _)| math::square(x - mean_x)).sum();
    let sxy: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let syy: f64 = points.iter().map(|(_, y)| math::square(y - mean_y)).sum();
    if sxx <= 0.0 {
        return None;
    }
    let slope = sxy / sxx;
    let intercept = mean_y - slope * mean_x;
    let residual: f64 = points.iter().map(|(x, y)| math::square(y - intercept - slope * x)).sum();
    let freedom = count - 2.0;
    let error = (residual / freedom / sxx).sqrt();
    let t = if error > 0.0 { slope / error } else { 1e9 * slope.signum() };
    Some(Regression {
        slope,
        intercept,
        slope_interval: Interval::around(slope, student_quantile(0.975, freedom) * error),
        t,
        freedom,
        p: student_two_sided(t, freedom),
        r_squared: if syy > 0.0 { 1.0 - residual / syy } else { 1.0 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64, within: f64) {
        assert!((found - wanted).abs() <= within, "{found} is not {wanted}");
    }

    /// Student's own sleep data (1908): the paired difference is −1.58, t = −4.062 with 9 degrees, p = .00283.
    #[test]
    fn sleep_as_student_found_it() {
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let paired = paired_t(&first, &second).unwrap();
        near(paired.difference, -1.58, 1e-12);
        near(paired.statistic, -4.0621, 5e-5);
        near(paired.p, 0.002833, 1e-6);
        near(paired.interval.low, -2.4598858, 1e-6);
        // Welch on the same data, as R prints it: t = −1.8608, p = 0.07939.
        let welch = welch_t(&first, &second).unwrap();
        near(welch.statistic, -1.8608, 5e-5);
        near(welch.p, 0.07939, 5e-6);
    }

    #[test]
    fn holm_as_in_the_textbook() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, wanted) in corrected.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            near(*found, wanted, 1e-12);
        }
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }

    /// Anscombe's first set: y = 3.000 + .500 x, t of the slope 4.241, r² .6665, p .00217.
    #[test]
    fn regression_as_anscombe_found_it() {
        let x = [10., 8., 13., 9., 11., 14., 6., 4., 12., 7., 5.];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let points: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
        let line = regression(&points).unwrap();
        near(line.slope, 0.5001, 5e-5);
        near(line.intercept, 3.0001, 5e-5);
        near(line.t, 4.241, 5e-4);
        near(line.p, 0.00217, 5e-6);
        near(line.r_squared, 0.6665, 5e-5);
    }

    /// Five points by hand: x centred −2 … 2, y = 0 1 0 1 3, slope .6, residuals .2 .6 −1 −.6 .8, scores −.4 −.6 0 −.6 1.6. With two lags:
    /// 3.44 + 2 (⅔ · −.72 + ⅓ · .36) = 2.72, error √(2.72 · 5/3)/10 = .21292, t = 2.818.
    #[test]
    fn errors_that_hang_together_are_seen() {
        let points = [(1.0, 0.0), (2.0, 1.0), (3.0, 0.0), (4.0, 1.0), (5.0, 3.0)];
        let line = regression_in_time(&points).unwrap();
        near(line.slope, 0.6, 1e-12);
        near(line.t, 2.8180, 1e-3);
        assert_eq!(line.freedom, 3.0);
    }

    #[test]
    fn means_have_students_intervals() {
        let summary = mean(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        near(summary.mean, 3.0, 1e-12);
        near(summary.deviation, 2.5f64.sqrt(), 1e-12);
        near(summary.interval.high - 3.0, 2.776_445 * (0.5f64).sqrt(), 1e-6);
        assert_eq!(mean(&[4.0]).interval, Interval::new(4.0, 4.0));
        assert!(paired_t(&[1.0], &[2.0]).is_none() && regression(&[(0.0, 1.0), (1.0, 2.0)]).is_none());
    }

    /// Five heads of five coins: two-sided 1/16. Nine of ten: 22/1024.
    #[test]
    fn coins_as_everybody_counts_them() {
        near(sign_test(5, 0, 100).unwrap().p, 0.0625, 1e-12);
        near(sign_test(1, 9, 10).unwrap().p, 22.0 / 1024.0, 1e-12);
        assert_eq!(sign_test(4, 4, 10).unwrap().p, 1.0);
        assert!(sign_test(0, 0, 0).is_none());
    }

    #[test]
    fn shares_differ_or_not() {
        let test = two_shares((60, 100), (40, 100)).unwrap();
        near(test.statistic, 2.8284, 1e-4);
        near(test.p, 0.004678, 1e-6);
        assert_eq!(two_shares((0, 10), (0, 10)).unwrap().p, 1.0);
    }
}
