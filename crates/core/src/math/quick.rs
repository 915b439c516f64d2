//! Less exact and faster, each with its error; some without a branch, so that many run side by side. (The fused loops of single learners,
//! a logistic function among lanes of weights, stay beside those loops.)

/// tanh beyond this is 1 to six digits.
const SATURATED: f32 = 7.0;

/// The hyperbolic tangent as x·P(x²)/Q(x²), fitted to the least greatest error on 0..7 and held from there on:
/// wrong by less than 3e-6, odd, and never beyond ±1. No branch, so that sixteen run side by side.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let x = x.clamp(-SATURATED, SATURATED);
    let u = x * x;
    let p = 3.995_975e-6f32.mul_add(u, 2.293_119_2e-3).mul_add(u, 0.123_220_94).mul_add(u, 0.999_999);
    let q = 1.439_873_4e-4f32.mul_add(u, 2.115_177e-2).mul_add(u, 0.456_546_55).mul_add(u, 1.0);
    x * p / q
}

/// e^x for moderate x, to 1e-12 relatively.
#[inline]
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
#[inline]
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

/// ln x of a whole number (of 1 for nought), to 1e-12.
#[inline]
pub fn ln_whole(x: u32) -> f64 {
    let exponent = x.max(1).ilog2();
    let mantissa = f64::from(x.max(1)) / (1u64 << exponent) as f64;
    // ln m = 2 artanh((m − 1) / (m + 1)), with m between 1 and 2 the argument is at most 1/3.
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let square = t * t;
    let mut sum = 0.0;
    for odd in (0..13).rev() {
        sum = sum * square + 1.0 / f64::from(2 * odd + 1);
    }
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * t * sum
}

/// ln x for normal positive x, to 1e-6.
#[inline(always)]
pub fn ln_f32(x: f32) -> f32 {
    // The mantissa between 1/√2 and √2.
    let bits = x.to_bits().wrapping_sub(0x3f35_04f3);
    let exponent = (bits as i32) >> 23;
    let mantissa = f32::from_bits((bits & 0x007f_ffff).wrapping_add(0x3f35_04f3));
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let square = t * t;
    let sum = square.mul_add(2.0 / 7.0, 2.0 / 5.0).mul_add(square, 2.0 / 3.0).mul_add(square, 2.0);
    (exponent as f32).mul_add(std::f32::consts::LN_2, t * sum)
}

/// e^x for |x| below 80, to 1e-6 relatively.
#[inline(always)]
pub fn exp_f32(x: f32) -> f32 {
    const ROUNDER: f32 = 1.5 * (1u32 << 23) as f32;
    let scaled = x * std::f32::consts::LOG2_E;
    let rounded = scaled + ROUNDER;
    let y = (scaled - (rounded - ROUNDER)) * std::f32::consts::LN_2;
    let mut sum = 1.0 / 720.0;
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = y.mul_add(sum, coefficient);
    }
    f32::from_bits(sum.to_bits().wrapping_add(rounded.to_bits() << 23))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the system's functions are what ours are compared with")]
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
            let (x, y) = (x as f32, y as f32);
            assert!((f64::from(ln_f32(x)) - f64::from(x).ln()).abs() < 1e-6, "ln {x}");
            assert!((f64::from(exp_f32(y)) / f64::from(y).exp() - 1.0).abs() < 4e-6, "exp {y}");
        }
    }

    #[test]
    fn the_logarithm_of_whole_numbers() {
        for x in (1..100_000).chain([u32::MAX, u32::MAX / 2 + 1]) {
            assert!((ln_whole(x) - f64::from(x).ln()).abs() < 1e-11, "{x}");
        }
    }
}
