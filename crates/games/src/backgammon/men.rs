//! The men of one side, bit-sliced: bit `p` of plane `k` is bit `k` of the number of men on point `p`.
//!
//! Sixteen bytes hold a side, the masks the move generator lives on (occupied, blots, made points) are two or
//! three instructions away, and adding a man to a point is a ripple of four half-adders over all points at once.
//! Points are numbered as the side itself counts them: 24 → 1, 25 is its bar and 0 its tray of men borne off.

/// The bar of either side, in its own numbering.
pub const BAR: u8 = 25;
/// The tray of men borne off.
pub const OFF: u8 = 0;
/// How many men a side has.
pub const MEN: u8 = 15;

/// The bits of points 1 to 24.
pub(super) const POINTS: u32 = 0x01ff_fffe;
/// The bits of points 1 to 6.
pub(super) const HOME: u32 = 0x7e;

/// The eight bits of a byte, each as a byte of its own.
static SPREAD: [u64; 256] = spread_bits();

const fn spread_bits() -> [u64; 256] {
    let mut table = [0u64; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte as u64) >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// The fifteen men of one side: bit `p` of plane `b` is bit `b` of the number of men on point `p`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct Men {
    planes: [u32; 4],
}

impl Men {
    /// The men counted on points 0 (off) to 25 (bar); counts above 15 cannot occur with 15 men.
    pub fn from_counts(counts: &[u8; 26]) -> Men {
        let mut planes = [0; 4];
        for (point, &count) in counts.iter().enumerate() {
            for (bit, plane) in planes.iter_mut().enumerate() {
                *plane |= (u32::from(count) >> bit & 1) << point;
            }
        }
        Men { planes }
    }

    /// How many men on each point, 0 (off) to 25 (bar).
    #[inline]
    pub fn counts(&self) -> [u8; 26] {
        let mut counts = [0u8; 26];
        for (eight, chunk) in counts.chunks_mut(8).enumerate() {
            let mut together = 0u64;
            for (bit, plane) in self.planes.iter().enumerate() {
                together |= SPREAD[(plane >> (8 * eight) & 0xff) as usize] << bit;
            }
            chunk.copy_from_slice(&together.to_le_bytes()[..chunk.len()]);
        }
        counts
    }

    /// How many men on one point.
    #[inline]
    pub fn count(&self, point: u8) -> u8 {
        let [a, b, c, d] = self.planes;
        let bit = |plane: u32| (plane >> point) as u8 & 1;
        bit(a) | bit(b) << 1 | bit(c) << 2 | bit(d) << 3
    }

    /// The points, bar and tray that hold a man.
    #[inline]
    pub fn occupied(&self) -> u32 {
        let [a, b, c, d] = self.planes;
        a | b | c | d
    }

    /// The points, bar and tray on which the two have a different number of men.
    #[inline]
    pub fn differences(&self, other: &Men) -> u32 {
        let mut different = 0;
        for (own, other) in self.planes.iter().zip(other.planes) {
            different |= own ^ other;
        }
        different
    }

    /// Two men or more.
    #[inline]
    pub fn made(&self) -> u32 {
        let [_, b, c, d] = self.planes;
        b | c | d
    }

    /// Exactly one man.
    #[inline]
    pub fn single(&self) -> u32 {
        self.planes[0] & !self.made()
    }

    /// Men off: a side that has borne off all has won.
    #[inline]
    pub fn all_off(&self) -> bool {
        let [a, b, c, d] = self.planes;
        a & b & c & d & 1 == 1
    }

    /// How many men are off.
    #[inline]
    pub fn off(&self) -> u8 {
        self.count(OFF)
    }

    /// How many men are on the bar.
    #[inline]
    pub fn bar(&self) -> u8 {
        self.count(BAR)
    }

    /// Pips left to bring everybody home and off.
    pub fn pips(&self) -> u32 {
        (1..=BAR).map(|point| u32::from(point) * u32::from(self.count(point))).sum()
    }

    /// The highest occupied point (25 = bar), 0 when everybody is off.
    #[inline]
    pub fn rearmost(&self) -> u8 {
        31 - (self.occupied() | 1).leading_zeros() as u8
    }

    /// Counts are kept modulo 16 on each point, so a man may leave a point before he arrives there: the two
    /// cancel, and the hops of a play can be applied in any order.
    #[inline]
    pub(super) fn shift(&mut self, from: u8, to: u8) {
        self.remove(from);
        self.add(to);
    }

    #[inline]
    pub(super) fn add(&mut self, point: u8) {
        let mut carry = 1u32 << point;
        for plane in &mut self.planes {
            let before = *plane;
            *plane ^= carry;
            carry &= before;
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, point: u8) {
        let mut borrow = 1u32 << point;
        for plane in &mut self.planes {
            *plane ^= borrow;
            borrow &= *plane;
        }
    }
}

/// A mask of points as the other side counts them: point p is his 25 − p.
#[inline]
pub(super) fn mirrored(mask: u32) -> u32 {
    (mask & POINTS).reverse_bits() >> 6
}

/// The numbers of the bits of a mask, lowest first.
#[inline]
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros() as u8;
        mask &= mask - 1;
        Some(bit)
    })
}
