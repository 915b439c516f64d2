//! Lanes of numbers that are computed together: what the kernels are separate for. Plain loops over arrays, which the compiler turns
//! into vector instructions; `mul_add` rounds once on every machine, so the bytes are the same everywhere.

#![allow(clippy::needless_range_loop, reason = "lanes are numbered, several arrays at once")]

/// The same statement for each of these numbers. A loop would be vectorised over them instead of over the lanes, at half the speed.
macro_rules! unrolled {
    ($name:ident in $($number:literal)+ => $statement:expr) => {
        $({
            let $name: usize = $number;
            $statement;
        })+
    };
}
pub(super) use unrolled;

/// So many numbers, placed so that a vector load never straddles two cache lines.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub struct Lanes<const L: usize>(pub [f32; L]);

impl<const L: usize> Lanes<L> {
    pub const ZERO: Self = Lanes([0.0; L]);
}

impl<const L: usize> Default for Lanes<L> {
    fn default() -> Self {
        Self::ZERO
    }
}

/// The logistic function, the same bits everywhere: e^x by splitting off a power of two.
#[inline(always)]
pub fn logistic(x: f32) -> f32 {
    let x = x.clamp(-80.0, 80.0);
    let t = -x * std::f32::consts::LOG2_E;
    let rounded = t + 12_582_912.0; // 1.5 · 2^23: the nearest integer is now in the lowest bits
    let f = t - (rounded - 12_582_912.0);
    // 2^f for |f| ≤ ½, error below 3e-7
    let p = 0.000_154_035_3_f32
        .mul_add(f, 0.001_333_355_8)
        .mul_add(f, 0.009_618_13)
        .mul_add(f, 0.055_504_11)
        .mul_add(f, 0.240_226_5)
        .mul_add(f, std::f32::consts::LN_2)
        .mul_add(f, 1.0);
    let power = f32::from_bits(rounded.to_bits().wrapping_add(127) << 23);
    1.0 / (1.0 + p * power)
}

/// to += factor · from
#[inline(always)]
pub fn add<const L: usize>(to: &mut [f32; L], factor: f32, from: &[f32; L]) {
    for l in 0..L {
        to[l] = from[l].mul_add(factor, to[l]);
    }
}

#[inline(always)]
pub fn total<const L: usize>(v: &[f32; L]) -> f32 {
    let mut four = [0.0f32; 4];
    for l in 0..L {
        four[l % 4] += v[l];
    }
    (four[0] + four[2]) + (four[1] + four[3])
}

/// to += a · b, lane by lane
#[inline(always)]
pub fn multiply<const L: usize>(to: &mut [f32; L], a: &[f32; L], b: &[f32; L]) {
    for l in 0..L {
        to[l] = a[l].mul_add(b[l], to[l]);
    }
}
