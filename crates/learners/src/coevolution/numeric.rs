//! Normal numbers for mutations, from exactly rounded operations alone.

use ludens_core::Rng;
use ludens_core::math::quick::{ln, ln_f32};

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
        let radius =
            (-2.0 * ln_f32(((word >> 40) as i32 as f32 + 0.5) * (1.0 / (1u32 << 24) as f32))).max(0.0).sqrt();
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

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::math;

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
        for moment in [mean(|p| p.0), mean(|p| p.1), mean(|p| p.0 * p.1), mean(|p| math::powi(p.0, 3))] {
            assert!(moment.abs() < 0.03, "{moment}");
        }
        for (moment, truth) in [(mean(|p| p.0 * p.0), 1.0), (mean(|p| math::powi(p.1, 4)), 3.0)] {
            assert!((moment - truth).abs() < 0.1, "{moment}");
        }
    }
}
