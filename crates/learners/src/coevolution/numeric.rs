//! The three functions evolution needs, from exactly rounded operations alone: a library's `tanh`,
//! `exp` and `ln` may differ in the last bit from machine to machine, and one bit decides games.

use ludens_core::Rng;

/// tanh beyond this is 1 to six digits.
const SATURATED: f32 = 7.0;

/// The hyperbolic tangent as x·P(x²)/Q(x²), fitted to the least greatest error on 0..7 and held from there on:
/// wrong by less than 3e-6, odd, and never beyond ±1. No branch, so that sixteen run side by side.
#[inline]
pub fn tanh(x: f32) -> f32 {
    let x = x.clamp(-SATURATED, SATURATED);
    let u = x * x;
    let p = 3.995_975e-6f32.mul_add(u, 2.293_119_2e-3).mul_add(u, 0.123_220_94).mul_add(u, 0.999_999);
    let q = 1.439_873_4e-4f32.mul_add(u, 2.115_177e-2).mul_add(u, 0.456_546_55).mul_add(u, 1.0);
    x * p / q
}

/// e^x for moderate x, to 1e-12 relatively.
pub fn exp(x: f64) -> f64 {
    let x = x.clamp(-600.0, 600.0);
    let power = (x * std::f64::consts::LOG2_E).round();
    let rest = x - power * std::f64::consts::LN_2;
    // |rest| ≤ ln 2 / 2: eleven terms leave 1e-13.
    const INVERSE_FACTORIALS: [f64; 12] = {
        let mut terms = [1.0; 12];
        let mut n = 1;
        while n < 12 {
            terms[n] = terms[n - 1] / n as f64;
            n += 1;
        }
        terms
    };
    let mut sum = 0.0;
    for term in (0..12).rev() {
        sum = sum * rest + INVERSE_FACTORIALS[term];
    }
    sum * f64::from_bits(((1023 + power as i64) as u64) << 52)
}

/// ln x for normal positive x, to 1e-12.
pub fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = (bits >> 52) as i64 - 1023;
    let mantissa = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    // ln m = 2 artanh((m − 1) / (m + 1)); the mantissa is brought between 1/√2 and √2 first.
    let (mantissa, exponent) = if mantissa > std::f64::consts::SQRT_2 {
        (mantissa * 0.5, exponent + 1)
    } else {
        (mantissa, exponent)
    };
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let square = t * t;
    const ODD: [f64; 8] =
        [1.0, 1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0, 1.0 / 9.0, 1.0 / 11.0, 1.0 / 13.0, 1.0 / 15.0];
    let mut sum = 0.0;
    for place in (0..8).rev() {
        sum = sum * square + ODD[place];
    }
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * t * sum
}

/// Two independent standard normal numbers, by the polar method of Marsaglia.
pub fn normal_pair(rng: &mut Rng) -> (f64, f64) {
    loop {
        let x = rng.uniform(-1.0, 1.0);
        let y = rng.uniform(-1.0, 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            let scale = (-2.0 * ln(square) / square).sqrt();
            return (x * scale, y * scale);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_as_stated() {
        for step in -200_000..=200_000 {
            let x = step as f32 * 1e-4;
            assert!((f64::from(tanh(x)) - f64::from(x).tanh()).abs() < 3e-6, "tanh {x}: {}", tanh(x));
            assert_eq!(tanh(-x), -tanh(x));
            assert!(tanh(x).abs() <= 1.0);
        }
        for step in 1..100_000 {
            let x = f64::from(step) * 1e-3;
            assert!((ln(x) - x.ln()).abs() < 1e-10, "ln {x}");
            let y = x * 0.3 - 15.0;
            assert!((exp(y) / y.exp() - 1.0).abs() < 1e-11, "exp {y}");
        }
    }

    #[test]
    fn normal_pairs_are_normal() {
        let mut rng = Rng::new(8);
        let pairs: Vec<(f64, f64)> = (0..100_000).map(|_| normal_pair(&mut rng)).collect();
        let mean = |f: fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>() / 1e5;
        for moment in [mean(|p| p.0), mean(|p| p.1), mean(|p| p.0 * p.1), mean(|p| p.0.powi(3))] {
            assert!(moment.abs() < 0.03, "{moment}");
        }
        for (moment, truth) in [(mean(|p| p.0 * p.0), 1.0), (mean(|p| p.1.powi(4)), 3.0)] {
            assert!((moment - truth).abs() < 0.1, "{moment}");
        }
    }
}
