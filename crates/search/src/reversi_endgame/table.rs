//! Positions seen, with the bounds found for them.

/// Exact bounds of a position's result, and the move that gave them.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    own: u64,
    other: u64,
    pub lower: i8,
    pub upper: i8,
    /// 64 when none is known.
    pub best: u8,
    /// How much work the entry stands for, so that the dear ones stay.
    empties: u8,
}

pub const NO_MOVE: u8 = 64;
const UNKNOWN: Entry = Entry { own: 0, other: 0, lower: -64, upper: 64, best: NO_MOVE, empties: 0 };

/// Two places a bucket: the first keeps the dearer position, the second the latest.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<[Entry; 2]>,
}

impl Table {
    pub fn new(bits: u32) -> Table {
        Table { buckets: vec![[UNKNOWN; 2]; 1 << bits] }
    }

    #[inline]
    fn bucket(&self, own: u64, other: u64) -> usize {
        let mixed = (own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.rotate_left(32))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed ^ mixed >> 32) as usize & (self.buckets.len() - 1)
    }

    #[inline]
    pub fn find(&self, own: u64, other: u64) -> Option<Entry> {
        self.buckets[self.bucket(own, other)]
            .into_iter()
            .find(|entry| entry.own == own && entry.other == other)
    }

    /// Remembers that the result within the window (alpha, beta) was `score`.
    pub fn store(&mut self, (own, other): (u64, u64), (alpha, beta): (i32, i32), score: i32, best: u8) {
        let empties = (own | other).count_zeros() as u8;
        let at = self.bucket(own, other);
        let bucket = &mut self.buckets[at];
        let found = bucket.iter().position(|entry| entry.own == own && entry.other == other);
        let place = found.unwrap_or(usize::from(empties < bucket[0].empties));
        if found.is_none() {
            if place == 0 {
                bucket[1] = bucket[0];
            }
            bucket[place] = Entry { own, other, empties, ..UNKNOWN };
        }
        let entry = &mut bucket[place];
        if score < beta {
            entry.upper = entry.upper.min(score as i8);
        }
        if score > alpha {
            entry.lower = entry.lower.max(score as i8);
            entry.best = best;
        } else if entry.best == NO_MOVE {
            entry.best = best;
        }
    }
}
