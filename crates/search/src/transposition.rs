//! A transposition table that is valid for one decision, so that a choice never depends on earlier ones.

use std::hash::{Hash, Hasher};

use ludens_core::Move;
use rustc_hash::FxHasher;

/// What a stored value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    Exact,
    /// The true value is this or more: the search was cut off above.
    Lower,
    /// The true value is this or less: no move reached the window.
    Upper,
}

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub value: f32,
    pub best: Move,
    pub depth: u16,
    pub bound: Bound,
    /// No heuristic was asked below: the value holds at any greater depth.
    pub complete: bool,
    generation: u32,
    key: u64,
}

const EMPTY: Entry = Entry {
    value: 0.0,
    best: Move(u32::MAX),
    depth: 0,
    bound: Bound::Exact,
    complete: false,
    generation: 0,
    key: 0,
};

/// Buckets of two: one keeps the deepest search, the other the latest.
#[derive(Clone, Debug)]
pub struct Transpositions {
    slots: Vec<[Entry; 2]>,
    generation: u32,
    bits: u32,
}

impl Transpositions {
    /// 2^bits buckets, allocated at first use.
    pub fn new(bits: u32) -> Transpositions {
        Transpositions { slots: Vec::new(), generation: 0, bits }
    }

    /// Forgets everything without touching the memory.
    pub fn forget(&mut self) {
        if self.slots.is_empty() {
            self.slots = vec![[EMPTY; 2]; 1 << self.bits];
        }
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill([EMPTY; 2]);
            self.generation = 1;
        }
    }

    /// 64 bits of a state. Two different states of one search share them with a probability that no number of
    /// searches run here would bring to light.
    #[inline]
    pub fn key(state: &impl Hash) -> u64 {
        let mut hasher = FxHasher::default();
        state.hash(&mut hasher);
        let mixed = hasher.finish();
        (mixed ^ (mixed >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<&Entry> {
        let bucket = &self.slots[(key >> (64 - self.bits)) as usize];
        bucket.iter().find(|entry| entry.key == key && entry.generation == self.generation)
    }

    #[inline]
    pub fn put(&mut self, key: u64, depth: u16, value: f32, bound: Bound, complete: bool, best: Move) {
        let entry = Entry { value, best, depth, bound, complete, generation: self.generation, key };
        let bucket = &mut self.slots[(key >> (64 - self.bits)) as usize];
        let deep = &bucket[0];
        let slot = usize::from(deep.generation == self.generation && deep.key != key && deep.depth > depth);
        bucket[slot] = entry;
    }
}
