//! Questions and what is known of their answers.

use crate::terms::{SymId, TermId};
use rustc_hash::FxHashSet;

#[derive(Clone, Debug)]
pub(super) enum Status {
    New,
    /// Being answered, at this depth.
    Open(usize),
    /// Answered as far as its leader at this depth was, in that round of the leader.
    Partial {
        leader: usize,
        round: u64,
    },
    Complete,
}

#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) status: Status,
    pub(super) answers: Vec<TermId>,
    pub(super) set: FxHashSet<TermId>,
}

/// A question: a relation, and the arguments that are given.
pub(super) type Question = Box<[Option<TermId>]>;

/// A relation, the number of its arguments, and which of them are given.
pub(super) type Shape = (SymId, u32, u64);

pub(super) fn shape(name: SymId, given: impl Iterator<Item = bool>) -> Shape {
    let (count, bits) = given.fold((0, 0), |(n, bits), g| (n + 1, bits | u64::from(g) << (n % 64)));
    (name, count, bits)
}
