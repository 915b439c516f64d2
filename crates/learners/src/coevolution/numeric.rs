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

/// Mutations are drawn for so many weights at a time.
pub const TOGETHER: usize = 16;

/// Two standard normal numbers for each of sixteen random words, by the method of Box and Muller, in single precision and without a branch.
pub fn normals(words: &[u64; TOGETHER]) -> [[f32; TOGETHER]; 2] {
    let mut pairs = [[0.0; TOGETHER]; 2];
    for lane in 0..TOGETHER {
        let word = words[lane];
        // 24 bits for the radius, 24 for the angle within ± an eighth of a turn, two for the quarter it lies in.
        let radius = (-2.0 * narrow_ln(((word >> 40) as i32 as f32 + 0.5) * (1.0 / (1u32 << 24) as f32)))
            .max(0.0)
            .sqrt();
        let angle = ((word >> 16) as i32 & 0xff_ffff) as f32 - 8_388_607.5;
        let angle = angle * (std::f32::consts::FRAC_PI_4 / 8_388_608.0);
        let square = angle * angle;
        let sine = square.mul_add(-1.984_127e-4, 8.333_333e-3).mul_add(square, -1.666_666_7e-1);
        let sine = sine.mul_add(square, 1.0) * angle;
        let cosine = square.mul_add(2.480_158_7e-5, -1.388_888_9e-3).mul_add(square, 4.166_666_8e-2);
        let cosine = cosine.mul_add(square, -0.5).mul_add(square, 1.0);
        let cosine = f32::from_bits(cosine.to_bits() | ((word as u32 & 1) << 31));
        let swapped = word & 2 != 0;
        pairs[0][lane] = radius * if swapped { sine } else { cosine };
        pairs[1][lane] = radius * if swapped { cosine } else { sine };
    }
    pairs
}

/// ln x for normal positive x, to 1e-6.
#[inline(always)]
fn narrow_ln(x: f32) -> f32 {
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
pub fn narrow_exp(x: f32) -> f32 {
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
            assert!((f64::from(narrow_ln(x)) - f64::from(x).ln()).abs() < 1e-6, "ln {x}");
            assert!((f64::from(narrow_exp(y)) / f64::from(y).exp() - 1.0).abs() < 4e-6, "exp {y}");
        }
    }

    #[test]
    fn normal_pairs_are_normal() {
        let mut rng = Rng::new(8);
        are_normal((0..100_000).map(|_| normal_pair(&mut rng)).collect());
        let together = (0..6250).flat_map(|_| {
            let [a, b] = normals(&std::array::from_fn(|_| rng.next_u64()));
            a.into_iter().zip(b).map(|(a, b)| (f64::from(a), f64::from(b)))
        });
        are_normal(together.collect());
        // The rarest words there are.
        for word in [0, u64::MAX, 0xffff_ff00_0000_0000, 0x0000_00ff_ffff_0001] {
            assert!(normals(&[word; TOGETHER]).iter().flatten().all(|x| x.abs() < 6.0));
        }
    }

    fn are_normal(pairs: Vec<(f64, f64)>) {
        let below =
            |limit: f64| pairs.iter().flat_map(|p| [p.0, p.1]).filter(|x| *x < limit).count() as f64 / 2e5;
        for (limit, truth) in [(-2.0, 0.02275), (-1.0, 0.15866), (0.0, 0.5), (0.5, 0.69146), (1.5, 0.93319)] {
            assert!((below(limit) - truth).abs() < 0.005, "below {limit}: {}", below(limit));
        }
        let mean = |f: fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>() / 1e5;
        for moment in [mean(|p| p.0), mean(|p| p.1), mean(|p| p.0 * p.1), mean(|p| p.0.powi(3))] {
            assert!(moment.abs() < 0.03, "{moment}");
        }
        for (moment, truth) in [(mean(|p| p.0 * p.0), 1.0), (mean(|p| p.1.powi(4)), 3.0)] {
            assert!((moment - truth).abs() < 0.1, "{moment}");
        }
    }
}
