//! Functions whose bits are the same on every machine. The standard library's `exp`, `ln`, `tanh` and `powf` are those of the
//! system, and one bit decides games: `clippy.toml` forbids them. Additions, products, quotients, square roots and fused
//! multiply-adds are exactly rounded everywhere, and everything here is made of them.
//!
//! The plain names are right to the last bit or the one before (the `libm` crate); [`quick`] has what inner loops use.

pub mod quick;

/// e to the power x.
#[inline]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// e to the power x, in single precision.
#[inline]
pub fn exp_f32(x: f32) -> f32 {
    libm::expf(x)
}

/// The natural logarithm.
#[inline]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// The natural logarithm, in single precision.
#[inline]
pub fn ln_f32(x: f32) -> f32 {
    libm::logf(x)
}

/// The logarithm to base 10.
#[inline]
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// The hyperbolic tangent.
#[inline]
pub fn tanh(x: f64) -> f64 {
    libm::tanh(x)
}

/// The sine of an angle in radians.
#[inline]
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// The cube root, negative for negative x.
#[inline]
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// √(x² + y²), without overflow between.
#[inline]
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

/// x to a power that need not be whole.
#[inline]
pub fn powf(x: f64, power: f64) -> f64 {
    libm::pow(x, power)
}

/// x to a whole power, by squaring and multiplying.
#[inline]
pub fn powi(x: f64, power: i32) -> f64 {
    let (mut left, mut squared, mut product) = (power.unsigned_abs(), x, 1.0);
    loop {
        if left & 1 == 1 {
            product *= squared;
        }
        left >>= 1;
        if left == 0 {
            return if power < 0 { 1.0 / product } else { product };
        }
        squared *= squared;
    }
}

/// x times itself.
#[inline]
pub fn square<T: Copy + std::ops::Mul<Output = T>>(x: T) -> T {
    x * x
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the system's functions are what ours are compared with")]
mod tests {
    use super::*;
    use crate::Rng;

    fn near(ours: f64, systems: f64, what: &str) {
        assert!((ours - systems).abs() <= 4.0 * f64::EPSILON * systems.abs(), "{what}: {ours} {systems}");
    }

    #[test]
    fn they_are_the_systems_to_a_few_bits() {
        let mut rng = Rng::new(5);
        for _ in 0..50_000 {
            let x = rng.uniform(-30.0, 30.0);
            near(exp(x), x.exp(), "exp");
            near(tanh(x), x.tanh(), "tanh");
            near(sin(x), x.sin(), "sin");
            near(cbrt(x), x.cbrt(), "cbrt");
            near(hypot(x, 3.0), x.hypot(3.0), "hypot");
            let positive = exp(x);
            near(ln(positive), positive.ln(), "ln");
            near(log10(positive), positive.log10(), "log10");
            near(powf(positive, -0.7), positive.powf(-0.7), "powf");
            near(powi(x, 7), x.powi(7), "powi");
            near(powi(x, -3), x.powi(-3), "powi");
            let narrow = x as f32;
            assert!((exp_f32(narrow) / narrow.exp() - 1.0).abs() < 4e-7);
            let positive = positive as f32;
            assert!((ln_f32(positive) - positive.ln()).abs() < 4e-6);
        }
        assert_eq!((powi(3.0, 0), powi(2.0, 10), powi(2.0, -2)), (1.0, 1024.0, 0.25));
    }

    /// These bits were computed once; a machine or a version of libm that gives others would train other models.
    #[test]
    fn the_bits_are_these() {
        let mut sum = 0u64;
        let mut rng = Rng::new(6);
        for _ in 0..10_000 {
            let x = rng.uniform(1e-6, 20.0);
            for y in
                [exp(x), ln(x), log10(x), tanh(x), sin(x), cbrt(x), hypot(x, 1.0), powf(x, 0.3), powi(x, 5)]
            {
                sum = sum.rotate_left(5) ^ y.to_bits();
            }
            for y in [exp_f32(x as f32), ln_f32(x as f32), quick::tanh(x as f32)] {
                sum = sum.rotate_left(5) ^ u64::from(y.to_bits());
            }
            for y in [quick::exp(x), quick::ln(x), quick::ln_whole(rng.below(1 << 30))] {
                sum = sum.rotate_left(5) ^ y.to_bits();
            }
        }
        assert_eq!(sum, SUM);
    }

    const SUM: u64 = 15_821_931_121_128_632_758;
}
