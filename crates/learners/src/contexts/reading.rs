//! A position as the network's first layer needs it.
//!
//! A detector's output depends on what it reads (one of 81 patterns) and on nothing else, and most of the 69 contexts of a position
//! repeat. All families look at a context together: their perceptrons are a *view*, and each distinct (view, pattern) of a
//! position is a *slot*, computed once. A context only says which slot it takes.

use super::detectors::Detectors;
use super::geometry::{CONTEXTS, COUNT, code};

/// Patterns of four cells.
pub const PATTERNS: usize = 81;
const DEPTHS: usize = 7;

/// The perceptrons that look at a context together, one of each family (at most four).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct View {
    /// Numbered through all families.
    pub perceptrons: [u8; 4],
    /// Does the family read the cells from the other end?
    pub turned: [bool; 4],
}

/// All views of a system.
#[derive(Debug, Clone, PartialEq)]
pub struct Views {
    pub families: Vec<Detectors>,
    pub all: Vec<View>,
    /// For each context and depth its view.
    view_of: Vec<[u8; DEPTHS]>,
}

impl Views {
    pub fn new(families: &[Detectors]) -> Views {
        let mut views = Views { families: families.to_vec(), all: Vec::new(), view_of: Vec::new() };
        for context in CONTEXTS.iter() {
            let mut of_context = [0; DEPTHS];
            for (depth, number) in of_context.iter_mut().enumerate() {
                let (mut view, mut first) = (View::default(), 0);
                for (place, family) in families.iter().enumerate() {
                    view.perceptrons[place] = (first + family.index(context, depth)) as u8;
                    view.turned[place] = family.mirrors(context);
                    first += family.count();
                }
                let known = views.all.iter().position(|v| *v == view);
                // At most 84: twelve by type, column and end, by depth seven.
                *number = known.unwrap_or(views.all.len()) as u8;
                if known.is_none() {
                    views.all.push(view);
                }
            }
            views.view_of.push(of_context);
        }
        views
    }

    fn slot(&self, k: usize, act: u64, pas: u64) -> [u8; 2] {
        let context = &CONTEXTS[k];
        let pattern = code(context.cells_of(act, pas));
        [self.view_of[k][context.depth(act | pas)], pattern as u8]
    }
}

/// One position, read by the detector families of a system; borrowed, as the network takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading<'a> {
    /// Distinct pairs (view, pattern), in order.
    pub slots: &'a [[u8; 2]],
    /// For each context the slot it takes.
    pub taken: &'a [u8; COUNT],
}

/// Many positions, one behind the other: a training goes through them in random order, and a position that lies in one piece is
/// there sooner.
#[derive(Debug, Clone, Default)]
pub struct Readings {
    bytes: Vec<u8>,
    starts: Vec<u32>,
}

impl Readings {
    /// Read positions: for each the discs of the side to move and those of the other.
    pub fn new(views: &Views, positions: impl IntoIterator<Item = (u64, u64)>) -> Readings {
        let mut readings = Readings { bytes: Vec::new(), starts: vec![0] };
        for (act, pas) in positions {
            let of_context: Vec<[u8; 2]> = (0..COUNT).map(|k| views.slot(k, act, pas)).collect();
            // In order: the slots of a view side by side, so that its weights are fetched and stored once.
            let mut slots = of_context.clone();
            slots.sort_unstable();
            slots.dedup();
            let place = |slot: &[u8; 2]| slots.binary_search(slot).unwrap_or(0) as u8;
            readings.bytes.extend(of_context.iter().map(place));
            readings.bytes.extend(slots.as_flattened());
            readings.starts.push(readings.bytes.len() as u32);
        }
        readings
    }

    pub fn get(&self, i: usize) -> Reading<'_> {
        let bytes = &self.bytes[self.starts[i] as usize..self.starts[i + 1] as usize];
        let (taken, slots) = bytes.split_first_chunk().unwrap_or((&[0; COUNT], &[]));
        Reading { slots: slots.as_chunks::<2>().0, taken }
    }

    /// Fetches a position from memory ahead of its use; the number means nothing.
    #[inline(always)]
    pub fn touch(&self, i: usize) -> u8 {
        let (start, end) = (self.starts[i] as usize, self.starts[i + 1] as usize);
        self.bytes[start] ^ self.bytes[(start + end) / 2] ^ self.bytes[end - 1]
    }
}
