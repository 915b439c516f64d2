//! The few distributions that intervals and tests need.

use ludens_core::math;
pub use ludens_core::{Interval, Z95, wilson};

/// Logarithm of the gamma function for x > 0 (Lanczos, g = 7, nine terms).
pub fn ln_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        let pi = std::f64::consts::PI;
        return math::ln(pi / math::sin(pi * x)) - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let mut sum = COEFFICIENTS[0];
    for (index, coefficient) in COEFFICIENTS.iter().enumerate().skip(1) {
        sum += coefficient / (x + index as f64);
    }
    let t = x + 7.5;
    0.5 * math::ln(2.0 * std::f64::consts::PI) + (x + 0.5) * math::ln(t) - t + math::ln(sum)
}

/// The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction.
pub fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast below the mean; above it, use the mirror image.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front =
        math::exp(ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * math::ln(x) + b * math::ln(1.0 - x)) / a;
    front * beta_fraction(a, b, x)
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let keep = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / keep(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for m in 1..500 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / keep(1.0 + even * d);
        c = keep(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / keep(1.0 + odd * d);
        c = keep(1.0 + odd / c);
        let factor = d * c;
        fraction *= factor;
        if (factor - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

/// P(T ≤ t) for Student's t with `freedom` degrees of freedom.
pub fn student_cdf(t: f64, freedom: f64) -> f64 {
    let tail = 0.5 * incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t));
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The two-sided p value of t.
pub fn student_two_sided(t: f64, freedom: f64) -> f64 {
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

/// The t below which a share `probability` of Student's distribution lies.
pub fn student_quantile(probability: f64, freedom: f64) -> f64 {
    if probability < 0.5 {
        return -student_quantile(1.0 - probability, freedom);
    }
    let mut high = 1.0;
    while student_cdf(high, freedom) < probability && high < 1e12 {
        high *= 2.0;
    }
    bisect(0.0, high, |t| student_cdf(t, freedom) < probability)
}

/// P(Z ≤ z) for the standard normal distribution.
pub fn normal_cdf(z: f64) -> f64 {
    // Φ(−z) = ½ Q(½, z²/2), the upper incomplete gamma function.
    let tail = 0.5 * upper_gamma_half(z * z / 2.0);
    if z > 0.0 { 1.0 - tail } else { tail }
}

/// The z below which a share `probability` of the normal distribution lies.
pub fn normal_quantile(probability: f64) -> f64 {
    if probability < 0.5 {
        return -normal_quantile(1.0 - probability);
    }
    bisect(0.0, 40.0, |z| normal_cdf(z) < probability)
}

/// Q(½, x) = erfc(√x): a series near zero, a continued fraction far from it.
fn upper_gamma_half(x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = math::exp(-x + 0.5 * math::ln(x)) / std::f64::consts::PI.sqrt();
    if x < 1.5 {
        let (mut term, mut sum, mut n) = (2.0, 2.0, 0.5);
        while term > sum * 1e-17 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return 1.0 - front * sum;
    }
    let mut b = x + 0.5;
    let mut c = 1e300;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for i in 1..1_000 {
        let i = f64::from(i);
        let a = -i * (i - 0.5);
        b += 2.0;
        d = 1.0 / (a * d + b);
        c = b + a / c;
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-16 {
            break;
        }
    }
    front * fraction
}

/// The place in [low, high] where `below` turns false.
fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64, within: f64) {
        assert!((found - wanted).abs() <= within, "{found} is not {wanted}");
    }

    /// Printed tables: Abramowitz & Stegun 26.1; Student 26.10.
    #[test]
    fn distributions_equal_printed_tables() {
        near(normal_cdf(1.0), 0.841_344_746_068_543, 1e-14);
        near(normal_cdf(-2.0), 0.022_750_131_948_179, 1e-14);
        near(normal_cdf(3.5), 0.999_767_370_920_964, 1e-14);
        near(normal_cdf(0.0), 0.5, 1e-15);
        near(normal_quantile(0.975), Z95, 1e-12);
        near(normal_quantile(0.05), -1.644_853_626_951_473, 1e-12);
        near(student_quantile(0.975, 1.0), 12.706, 5e-4);
        near(student_quantile(0.975, 4.0), 2.776, 5e-4);
        near(student_quantile(0.95, 10.0), 1.812, 5e-4);
        near(student_quantile(0.995, 30.0), 2.750, 5e-4);
        near(student_quantile(0.025, 9.0), -2.262, 5e-4);
        near(student_two_sided(2.262_157, 9.0), 0.05, 1e-6);
        near(ln_gamma(10.0), math::ln(362_880.0), 1e-12);
        near(ln_gamma(0.5), math::ln(std::f64::consts::PI.sqrt()), 1e-12);
        // I_½(2, 3) = 11/16.
        near(incomplete_beta(2.0, 3.0, 0.5), 0.6875, 1e-14);
    }
}
