//! What the solver remembers: for a position, the bounds proved for its score and the move that proved them.
//!
//! One entry is one word: 44 bits of the position's hash, 6 bits a bound, 4 bits of move, 4 bits of work spent.
//! The hash is a bijection and the bucket's index holds the bits the entry does not, so an entry is never
//! mistaken for another position's. Four entries make a bucket, which lies in one cache line.
//!
//! The table starts small, in the fast caches, and grows as a search goes on; a new search starts small again.
//! So an easy position costs no misses, and the work of a search never depends on the searches before it.

const TAG_BITS: u32 = 44;
const TAG_MASK: u64 = (1 << TAG_BITS) - 1;
const LOWER_SHIFT: u32 = 44;
const UPPER_SHIFT: u32 = 50;
const MOVE_SHIFT: u32 = 56;
const WORK_SHIFT: u32 = 60;
const SIX_BITS: u64 = 63;
/// Scores run from −28 to 28 on the largest board; stored with this added.
const SCORE_OFFSET: i32 = 31;
const WAYS: usize = 4;

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// The score is at least this …
    pub lower: i32,
    /// … and at most this.
    pub upper: i32,
    /// The column that did best.
    pub column: usize,
}

#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct Bucket([u64; WAYS]);

/// The table.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    hash_mask: u64,
    hash_bits: u32,
    index_bits: u32,
    smallest_index_bits: u32,
    largest_index_bits: u32,
    stored: usize,
}

impl Table {
    /// A table for keys of `key_bits` bits that grows to at most 2^`largest_index_bits` buckets of 32 bytes.
    pub fn new(key_bits: u32, largest_index_bits: u32) -> Table {
        // Whatever the entry does not hold of the hash, the index must; small boards use a wider hash than they
        // need, so that theirs spreads over the buckets too.
        let hash_bits = key_bits.max(TAG_BITS + 10);
        let smallest = hash_bits - TAG_BITS;
        Table {
            buckets: vec![Bucket::default(); 1 << smallest],
            hash_mask: u64::MAX >> (64 - hash_bits),
            hash_bits,
            index_bits: smallest,
            smallest_index_bits: smallest,
            largest_index_bits: largest_index_bits.max(smallest),
            stored: 0,
        }
    }

    /// Forget everything and be small again.
    pub fn clear(&mut self) {
        self.buckets.truncate(1 << self.smallest_index_bits);
        self.buckets.fill(Bucket::default());
        self.index_bits = self.smallest_index_bits;
        self.stored = 0;
    }

    /// Multiplying by an odd number is a bijection, and the high bits end up well mixed.
    #[inline(always)]
    fn hash(&self, key: u64) -> u64 {
        key.wrapping_mul(0x9E37_79B9_7F4A_7C15) & self.hash_mask
    }

    #[inline(always)]
    fn index(&self, hash: u64) -> usize {
        (hash >> (self.hash_bits - self.index_bits)) as usize & (self.buckets.len() - 1)
    }

    /// Look a position up.
    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<Known> {
        let hash = self.hash(key);
        let tag = hash & TAG_MASK;
        let bucket = &self.buckets[self.index(hash)];
        for &entry in &bucket.0 {
            if entry & TAG_MASK == tag && entry != 0 {
                return Some(Known {
                    lower: ((entry >> LOWER_SHIFT) & SIX_BITS) as i32 - SCORE_OFFSET,
                    upper: ((entry >> UPPER_SHIFT) & SIX_BITS) as i32 - SCORE_OFFSET,
                    column: ((entry >> MOVE_SHIFT) & 15) as usize,
                });
            }
        }
        None
    }

    /// Remember a position. The entry least worked for makes room; the others of a full bucket age by one step,
    /// so that nothing stays for ever.
    #[inline]
    pub fn put(&mut self, key: u64, known: Known, work: u64) {
        if self.stored > self.buckets.len() * WAYS / 2 && self.index_bits < self.largest_index_bits {
            self.grow();
        }
        let work_bits = (u64::BITS - work.leading_zeros()).saturating_sub(1).min(15) as u64;
        let hash = self.hash(key);
        let entry = (hash & TAG_MASK)
            | ((known.lower + SCORE_OFFSET) as u64) << LOWER_SHIFT
            | ((known.upper + SCORE_OFFSET) as u64) << UPPER_SHIFT
            | (known.column as u64) << MOVE_SHIFT
            | work_bits << WORK_SHIFT;
        let index = self.index(hash);
        self.stored += usize::from(insert(&mut self.buckets[index], entry));
    }

    #[cold]
    fn grow(&mut self) {
        let old_bits = self.index_bits;
        self.index_bits = (self.index_bits + 3).min(self.largest_index_bits);
        let bigger = vec![Bucket::default(); 1 << self.index_bits];
        let old = std::mem::replace(&mut self.buckets, bigger);
        self.stored = 0;
        for (i, bucket) in old.iter().enumerate() {
            for &entry in bucket.0.iter().filter(|e| **e != 0) {
                // The old index gives the hash's high bits, the tag its low ones.
                let high = (i as u64) << (self.hash_bits - old_bits);
                let hash = high | (entry & TAG_MASK);
                let index = self.index(hash);
                self.stored += usize::from(insert(&mut self.buckets[index], entry));
            }
        }
    }
}

/// Put an entry in its bucket; true if it took a free place.
#[inline(always)]
fn insert(bucket: &mut Bucket, entry: u64) -> bool {
    let mut victim = 0;
    let mut least = u64::MAX;
    for (way, &old) in bucket.0.iter().enumerate() {
        if (old ^ entry) & TAG_MASK == 0 {
            bucket.0[way] = entry;
            return old == 0;
        }
        let work = if old == 0 { 0 } else { (old >> WORK_SHIFT) + 1 };
        if work < least {
            least = work;
            victim = way;
        }
    }
    let free = bucket.0[victim] == 0;
    if !free {
        for old in &mut bucket.0 {
            if *old >> WORK_SHIFT > 0 {
                *old -= 1 << WORK_SHIFT;
            }
        }
    }
    bucket.0[victim] = entry;
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_last_is_what_is_found_through_every_growth() {
        for key_bits in [20, 49, 54] {
            let mut table = Table::new(key_bits, 14);
            let mask = u64::MAX >> (64 - key_bits);
            let known = |key: u64| Known {
                lower: (key % 20) as i32 - 20,
                upper: (key % 29) as i32,
                column: (key % 7) as usize,
            };
            let mut found = 0;
            for i in 0..60_000u64 {
                let key = i.wrapping_mul(0x2545_F491_4F6C_DD1D) & mask;
                table.put(key, known(key), 1 + i % 9);
                assert_eq!(table.get(key), Some(known(key)));
                let earlier = (i / 2).wrapping_mul(0x2545_F491_4F6C_DD1D) & mask;
                if let Some(remembered) = table.get(earlier) {
                    assert_eq!(remembered, known(earlier), "an entry of another position");
                    found += 1;
                }
            }
            assert!(found > 20_000, "nearly everything was forgotten: {found}");
            table.clear();
            assert_eq!(table.get(5), None);
        }
    }
}
