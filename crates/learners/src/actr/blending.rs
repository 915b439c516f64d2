//! The inner loops of the memory, separate from it for speed: plain loops over blocks of eight chunks, which become vector instructions.

// Indices over fixed arrays, on purpose: chains of iterators are not always inlined and vectorised.
#![allow(clippy::needless_range_loop)]

const LANES: usize = 8;

/// What a slot that was asked for takes from the activations.
#[derive(Clone, Copy, Debug)]
pub enum Row {
    /// |value − wanted| · weight.
    Distance { wanted: f64, weight: f64 },
    /// `loss` wherever the value is another.
    Differs { wanted: f64, loss: f64 },
}

/// Takes the mismatch of one slot from the activations.
pub fn subtract(activations: &mut [f64], column: &[f64], row: Row) {
    match row {
        Row::Distance { wanted, weight } => {
            let (blocks, rest) = activations.as_chunks_mut::<LANES>();
            let (values, values_rest) = column.as_chunks::<LANES>();
            for index in 0..blocks.len().min(values.len()) {
                let (block, value) = (&mut blocks[index], &values[index]);
                for lane in 0..LANES {
                    block[lane] -= (value[lane] - wanted).abs() * weight;
                }
            }
            for index in 0..rest.len().min(values_rest.len()) {
                rest[index] -= (values_rest[index] - wanted).abs() * weight;
            }
        }
        Row::Differs { wanted, loss } => {
            for index in 0..activations.len().min(column.len()) {
                if column[index] != wanted {
                    activations[index] -= loss;
                }
            }
        }
    }
}

/// Σ wᵢvᵢ / Σ wᵢ with wᵢ = exp((aᵢ − highest) / t); also Σ wᵢ and the highest activation. A total of 0: nothing to blend.
pub fn blend(activations: &[f64], values: &[f64], temperature: f64) -> (f64, f64, f64) {
    let highest = highest(activations);
    if highest == f64::NEG_INFINITY {
        return (0.0, 0.0, highest);
    }
    let cold = 1.0 / temperature;
    let (blocks, rest) = activations.as_chunks::<LANES>();
    let (value_blocks, value_rest) = values.as_chunks::<LANES>();
    let mut weights = [0f64; LANES];
    let mut sums = [0f64; LANES];
    for index in 0..blocks.len().min(value_blocks.len()) {
        let (block, value) = (&blocks[index], &value_blocks[index]);
        for lane in 0..LANES {
            let weight = exp((block[lane] - highest) * cold);
            weights[lane] += weight;
            sums[lane] += weight * value[lane];
        }
    }
    let (mut total, mut sum) = (0.0, 0.0);
    for lane in 0..LANES {
        total += weights[lane];
        sum += sums[lane];
    }
    for index in 0..rest.len().min(value_rest.len()) {
        let weight = exp((rest[index] - highest) * cold);
        total += weight;
        sum += weight * value_rest[index];
    }
    (sum / total, total, highest)
}

fn highest(activations: &[f64]) -> f64 {
    let (blocks, rest) = activations.as_chunks::<LANES>();
    let mut best = [f64::NEG_INFINITY; LANES];
    for block in blocks {
        for lane in 0..LANES {
            best[lane] = if block[lane] > best[lane] { block[lane] } else { best[lane] };
        }
    }
    let mut highest = f64::NEG_INFINITY;
    for &activation in best.iter().chain(rest) {
        highest = highest.max(activation);
    }
    highest
}

/// e^x for x ≤ 0 without a branch, so that it spreads over vector lanes; relative error below 4e-16 · (1 + |x| / 50).
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    /// 1.5 · 2⁵²: adding it rounds to a whole number and leaves that in the low bits.
    const ROUNDER: f64 = 6_755_399_441_055_744.0;
    let x = if x > -708.0 { x } else { -708.0 };
    let rounded = x * std::f64::consts::LOG2_E + ROUNDER;
    let whole = rounded - ROUNDER;
    let part = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    // The series of e^part on |part| ≤ ½·ln 2, to the twelfth power.
    const SERIES: [f64; 12] = [
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ];
    let mut power = 1.0 / 479_001_600.0;
    for index in 0..SERIES.len() {
        power = power * part + SERIES[index];
    }
    power * f64::from_bits((rounded.to_bits() << 52).wrapping_add(1023 << 52))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::math;

    #[test]
    fn the_exponential_is_as_good_as_the_systems() {
        let mut x = 0.0;
        while x > -700.0 {
            let (ours, theirs) = (exp(x), math::exp(x));
            assert!((ours / theirs - 1.0).abs() < 1e-14, "e^{x}: {ours} {theirs}");
            x -= 0.137;
        }
        assert_eq!(exp(0.0), 1.0);
    }

    #[test]
    fn blends_of_any_length_are_the_plain_sum() {
        for length in [1, 7, 8, 9, 50, 1000] {
            let activations: Vec<f64> = (0..length).map(|i| -((i * 37 % 11) as f64) / 3.0).collect();
            let values: Vec<f64> = (0..length).map(|i| (i * 13 % 17) as f64).collect();
            let (blended, total, highest) = blend(&activations, &values, 0.4);
            assert_eq!(highest, 0.0);
            let weight = |a: &f64| math::exp(a / 0.4);
            let plain_total: f64 = activations.iter().map(weight).sum();
            let plain: f64 = activations.iter().zip(&values).map(|(a, v)| weight(a) * v).sum();
            assert!((total - plain_total).abs() < 1e-12 * plain_total);
            assert!((blended - plain / plain_total).abs() < 1e-12);
        }
    }
}
