//! A position as the network's first layer needs it.
//!
//! A detector's output depends on what it reads (one of 81 patterns) and on nothing else, and most of the 69 contexts of a position repeat: so each
//! distinct (detector, pattern) of a position is a *slot*, computed once, and a context only says which slot it takes.

use super::detectors::Detectors;
use super::geometry::{CONTEXTS, COUNT};

/// One position, read by the detector families of a system; borrowed, as the network takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading<'a> {
    /// Distinct pairs (perceptron, pattern), in order; perceptrons are numbered through all families.
    pub slots: &'a [[u8; 2]],
    /// For each context, for each family, the slot it takes.
    pub taken: &'a [u8],
}

/// Many positions, one behind the other: a training goes through them in random order, and a position that lies in one piece is
/// there sooner.
#[derive(Debug, Clone, Default)]
pub struct Readings {
    bytes: Vec<u8>,
    starts: Vec<u32>,
    families: usize,
}

impl Readings {
    /// Read positions: for each the discs of the side to move and those of the other.
    pub fn new(families: &[Detectors], positions: impl IntoIterator<Item = (u64, u64)>) -> Readings {
        let mut readings = Readings { bytes: Vec::new(), starts: vec![0], families: families.len() };
        for (act, pas) in positions {
            readings.push(families, act, pas);
        }
        readings
    }

    pub fn get(&self, i: usize) -> Reading<'_> {
        let bytes = &self.bytes[self.starts[i] as usize..self.starts[i + 1] as usize];
        let (taken, slots) = bytes.split_at(COUNT * self.families);
        Reading { slots: slots.as_chunks::<2>().0, taken }
    }

    /// Fetches a position from memory ahead of its use; the number means nothing.
    pub fn touch(&self, i: usize) -> u8 {
        let start = self.starts[i] as usize;
        let end = self.starts[i + 1] as usize;
        self.bytes[start..end].iter().step_by(64).fold(0, |sum, byte| sum ^ byte)
    }

    fn push(&mut self, families: &[Detectors], act: u64, pas: u64) {
        let start = self.bytes.len();
        let mut slot_of = [[u8::MAX; 81]; 35];
        let mut slots: Vec<[u8; 2]> = Vec::with_capacity(80);
        for context in CONTEXTS.iter() {
            let cells = context.cells_of(act, pas);
            let depth = context.depth(act | pas);
            let mut first = 0;
            for family in families {
                let detector = first + family.index(context, depth);
                let pattern = family.reading(context, cells);
                let slot = &mut slot_of[detector][pattern];
                if *slot == u8::MAX {
                    *slot = slots.len() as u8; // far fewer than 255: most contexts repeat
                    slots.push([detector as u8, pattern as u8]);
                }
                self.bytes.push(*slot);
                first += family.count();
            }
        }
        // The slots of a perceptron side by side: its weights are then fetched and stored once.
        let mut order: Vec<u8> = (0..slots.len() as u8).collect();
        order.sort_by_key(|&slot| slots[usize::from(slot)]);
        let mut place = vec![0; slots.len()];
        for (new, &old) in (0..).zip(&order) {
            place[usize::from(old)] = new;
        }
        self.bytes[start..].iter_mut().for_each(|slot| *slot = place[usize::from(*slot)]);
        self.bytes.extend(order.iter().flat_map(|&slot| slots[usize::from(slot)]));
        self.starts.push(self.bytes.len() as u32);
    }
}
