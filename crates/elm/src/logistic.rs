//! The logistic function of the hidden units, φ(x) = 1 / (1 + e⁻ˣ), written so that the compiler makes vector code of a loop
//! over it: no branch, no call, no table.
//!
//! e⁻ˣ = 2ᵏ · e^(f·ln 2) with k the nearest whole number to −x·log₂e. Adding 1.5·2²³ rounds to a whole number and leaves k in
//! the low bits, from where a shift puts it into the exponent. Every step is an IEEE operation, so the result
//! is the same on every machine.

/// Within 3·10⁻⁷ of the true value everywhere.
#[inline(always)]
pub fn logistic(x: f32) -> f32 {
    const ROUNDER: f32 = 1.5 * (1u32 << 23) as f32;
    let scaled = x.clamp(-40.0, 40.0) * -std::f32::consts::LOG2_E;
    let rounded = scaled + ROUNDER;
    let y = (scaled - (rounded - ROUNDER)) * std::f32::consts::LN_2;
    let mut p = 1.0 / 720.0;
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        p = y.mul_add(p, coefficient);
    }
    let power = f32::from_bits(p.to_bits().wrapping_add(rounded.to_bits() << 23));
    1.0 / (1.0 + power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::math;

    #[test]
    fn agrees_with_the_definition() {
        for step in -6000..=6000 {
            let x = f64::from(step) / 200.0;
            let exact = 1.0 / (1.0 + math::exp(-x));
            assert!((f64::from(logistic(x as f32)) - exact).abs() < 3e-7, "{x}");
        }
        assert!(logistic(1e9) == 1.0 && logistic(-1e9) < 1e-16);
    }
}
