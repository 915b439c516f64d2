//! Random streams. Each unit of work has its own, derived from (seed, unit), so that a result does not
//! depend on how the work was spread over threads.

use crate::Move;
use crate::math;

/// xoshiro256++ (Blackman and Vigna), seeded through SplitMix64. Written here, in forty lines, because its output must
/// stay the same for ever: models and experiments are rebuilt from seeds byte for byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng {
    state: [u64; 4],
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Rng {
        let mut mix = seed;
        Rng { state: std::array::from_fn(|_| split_mix(&mut mix)) }
    }

    /// The stream of one unit of work.
    pub fn stream(seed: u64, unit: u64) -> Rng {
        let mut mix = seed;
        let seed = split_mix(&mut mix);
        let mut unit_mix = unit ^ 0x6a09_e667_f3bc_c909;
        Rng::new(seed ^ split_mix(&mut unit_mix))
    }

    /// A new stream that depends on this one's position but does not disturb it further than one draw.
    pub fn split(&mut self) -> Rng {
        Rng::new(self.next_u64())
    }

    /// The state, for checkpoints.
    pub fn state(&self) -> [u64; 4] {
        self.state
    }

    /// The stream that continues from a kept state.
    pub fn from_state(state: [u64; 4]) -> Rng {
        Rng { state }
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let mut next = [a, b, c ^ a, d ^ b];
        next[1] ^= next[2];
        next[0] ^= next[3];
        next[2] ^= b << 17;
        next[3] = next[3].rotate_left(45);
        self.state = next;
        result
    }

    /// 32 random bits.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// Uniform in 0..bound. The bias of the multiply-shift, below bound / 2³², cannot be seen in any number
    /// of draws made here.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    /// Uniform in [0, 1), 53 bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform in [low, high).
    #[inline]
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Standard normal, by the polar method of Marsaglia (the second value is thrown away so that the state is
    /// all there is).
    pub fn normal(&mut self) -> f64 {
        loop {
            let x = self.uniform(-1.0, 1.0);
            let y = self.uniform(-1.0, 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * math::ln(square) / square).sqrt();
            }
        }
    }

    /// An outcome of a chance node, drawn with its probability.
    pub fn outcome(&mut self, outcomes: &[(Move, f32)]) -> Move {
        let mut left = self.unit() as f32;
        for &(mv, probability) in outcomes {
            left -= probability;
            if left < 0.0 {
                return mv;
            }
        }
        outcomes[outcomes.len() - 1].0
    }

    /// An index drawn in proportion to non-negative weights; `None` when they sum to nothing.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().sum();
        if total.is_nan() || total <= 0.0 {
            return None;
        }
        let mut left = self.unit() * total;
        for (index, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return Some(index);
            }
        }
        weights.iter().rposition(|&weight| weight > 0.0)
    }

    /// Puts the items in a random order, every order equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with the authors' published C code for the state 1, 2, 3, 4.
    #[test]
    fn gives_the_published_sequence() {
        let mut rng = Rng::from_state([1, 2, 3, 4]);
        let drawn: Vec<u64> = (0..4).map(|_| rng.next_u64()).collect();
        assert_eq!(drawn, [41943041, 58720359, 3588806011781223, 3591011842654386]);
    }

    #[test]
    fn streams_differ_and_repeat() {
        assert_eq!(Rng::stream(7, 1), Rng::stream(7, 1));
        assert_ne!(Rng::stream(7, 1), Rng::stream(7, 2));
        assert_ne!(Rng::stream(7, 1), Rng::stream(8, 1));
    }

    #[test]
    fn below_is_even() {
        let mut rng = Rng::new(3);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        let chi2: f64 = counts.iter().map(|&n| math::square(f64::from(n) - 10_000.0) / 10_000.0).sum();
        assert!(chi2 < 22.5, "chi² {chi2} with 6 degrees of freedom");
    }

    #[test]
    fn normal_has_mean_zero_and_variance_one() {
        let mut rng = Rng::new(5);
        let draws: Vec<f64> = (0..100_000).map(|_| rng.normal()).collect();
        let mean = draws.iter().sum::<f64>() / 1e5;
        let variance = draws.iter().map(|x| math::square(x - mean)).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.015 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }
}
