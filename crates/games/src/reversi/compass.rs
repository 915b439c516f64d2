//! The two questions of Reversi, answered for all eight directions at once: where may I move, and what does
//! a move turn over.
//!
//! ```text
//!     a1 = bit 0 … h1 = bit 7        a direction is a rotation of the 64 bits:
//!     a2 = bit 8 … h2 = bit 15         57 56 55
//!     …                                63  ·  1
//!     a8 = bit 56 … h8 = bit 63         7  8  9
//! ```
//!
//! A rotation wraps round the edge of the board, but a disc on the edge cannot be turned over across that
//! edge. So the discs that may be turned leave the edges out, and a ray that wraps meets nothing to run on.

use std::hint::black_box;

/// What the eight lanes have in common with the eight directions.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Compass {
    /// Where discs can be turned over in this direction.
    inner: [u64; 8],
    /// One step, and two.
    step: [u64; 8],
    stride: [u64; 8],
}

const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;
const INNER_ROWS: u64 = 0x00ff_ffff_ffff_ff00;
const INNER: u64 = INNER_COLUMNS & INNER_ROWS;

impl Default for Compass {
    /// The numbers are hidden from the optimiser: when it knows them it replaces each vector of rotations by two of
    /// shifts and a shuffle.
    fn default() -> Compass {
        black_box(Compass {
            inner: [INNER_COLUMNS, INNER, INNER_ROWS, INNER, INNER_COLUMNS, INNER, INNER_ROWS, INNER],
            step: [1, 7, 8, 9, 63, 57, 56, 55],
            stride: [2, 14, 16, 18, 62, 50, 48, 46],
        })
    }
}

impl Compass {
    /// The empty squares where `own` may move.
    #[inline(always)]
    pub fn moves(&self, own: u64, other: u64) -> u64 {
        let mut ends = [0; 8];
        for (lane, end) in ends.iter_mut().enumerate() {
            *end = self.run(lane, own, other).rotate_left(self.step[lane] as u32);
        }
        fold(ends) & !(own | other)
    }

    /// The discs that turn over when `own` moves on `square`; none means that the move is not legal.
    #[inline(always)]
    pub fn flips(&self, square: u32, own: u64, other: u64) -> u64 {
        self.flips_of(1 << (square & 63), own, other)
    }

    /// The same for a move given as a bit.
    #[inline(always)]
    pub fn flips_of(&self, placed: u64, own: u64, other: u64) -> u64 {
        let mut turned = [0; 8];
        for (lane, turned) in turned.iter_mut().enumerate() {
            let run = self.run(lane, placed, other);
            let closed = run.rotate_left(self.step[lane] as u32) & own != 0;
            *turned = if closed { run } else { 0 };
        }
        fold(turned)
    }

    /// The unbroken runs of `other`'s discs that begin next to `from`: at most six long, found in steps of 1, 1,
    /// 2 and 2 (Kogge and Stone).
    #[inline(always)]
    fn run(&self, lane: usize, from: u64, other: u64) -> u64 {
        let step = self.step[lane] as u32;
        let stride = self.stride[lane] as u32;
        let discs = other & self.inner[lane];
        let mut run = discs & from.rotate_left(step);
        run |= discs & run.rotate_left(step);
        let pairs = discs & discs.rotate_left(step);
        run |= pairs & run.rotate_left(stride);
        run | pairs & run.rotate_left(stride)
    }
}

#[inline(always)]
fn fold(lanes: [u64; 8]) -> u64 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a | e) | (b | f)) | ((c | g) | (d | h))
}
