//! Ground terms, each stored once, so that equal terms have equal numbers.

use crate::error::{GdlError, Limits};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// The number of a symbol.
pub type SymId = u32;
/// The number of a ground term; constants are terms without arguments.
pub type TermId = u32;

/// Keywords have fixed numbers.
pub mod sym {
    use super::SymId;
    /// `(role r)`: r takes part.
    pub const ROLE: SymId = 0;
    /// `(init f)`: f holds in the first state.
    pub const INIT: SymId = 1;
    /// `(true f)`: f holds in the present state.
    pub const TRUE: SymId = 2;
    /// `(does r m)`: r makes the move m.
    pub const DOES: SymId = 3;
    /// `(next f)`: f holds in the next state.
    pub const NEXT: SymId = 4;
    /// `(legal r m)`: r may make the move m.
    pub const LEGAL: SymId = 5;
    /// `(goal r n)`: the end is worth n to r.
    pub const GOAL: SymId = 6;
    /// `terminal`: the state is an end.
    pub const TERMINAL: SymId = 7;
    /// `(base f)`: f may hold in some state.
    pub const BASE: SymId = 8;
    /// `(input r m)`: m may be a move of r in some state.
    pub const INPUT: SymId = 9;
    /// `(distinct a b)`: a and b are not equal.
    pub const DISTINCT: SymId = 10;
    /// `(not c)`: c does not hold.
    pub const NOT: SymId = 11;
    /// `(or c d)`: c or d holds.
    pub const OR: SymId = 12;
    /// `(and c d)`: c and d hold.
    pub const AND: SymId = 13;
    /// `(<= h c)`: h follows from c.
    pub const IMPLIES: SymId = 14;
    /// In the order of their numbers.
    pub const NAMES: [&str; 15] = [
        "role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input", "distinct",
        "not", "or", "and", "<=",
    ];
}

const NONE: u32 = u32::MAX;

/// The store of symbols and terms.
#[derive(Clone, Debug)]
pub struct Terms {
    names: Vec<Box<str>>,
    by_name: FxHashMap<Box<str>, SymId>,
    functor: Vec<SymId>,
    start: Vec<u32>,
    depth: Vec<u16>,
    /// The bytes of each term when it is written out: shared parts count as often as they occur.
    written: Vec<u32>,
    pool: Vec<TermId>,
    // Terms with the same hash are chained, newest first.
    heads: FxHashMap<u64, u32>,
    chain: Vec<u32>,
    max_terms: usize,
    max_depth: u16,
    max_written: u32,
}

fn hash_of(functor: SymId, args: &[TermId]) -> u64 {
    let mut h = FxHasher::default();
    h.write_u32(functor);
    for &a in args {
        h.write_u32(a);
    }
    h.finish()
}

impl Terms {
    /// A store that knows the keywords.
    pub fn new(limits: &Limits) -> Self {
        let mut terms = Terms {
            names: Vec::new(),
            by_name: FxHashMap::default(),
            functor: Vec::new(),
            start: vec![0],
            depth: Vec::new(),
            written: Vec::new(),
            pool: Vec::new(),
            heads: FxHashMap::default(),
            chain: Vec::new(),
            max_terms: limits.terms.min(NONE as usize - 1),
            max_depth: limits.term_depth,
            max_written: limits.term_bytes,
        };
        for name in sym::NAMES {
            terms.symbol(name);
        }
        terms
    }

    /// The number of a symbol, new or old.
    pub fn symbol(&mut self, name: &str) -> SymId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = self.names.len() as SymId;
        self.names.push(name.into());
        self.by_name.insert(name.into(), id);
        id
    }

    /// The number of a symbol, if it was ever used.
    pub fn find_symbol(&self, name: &str) -> Option<SymId> {
        self.by_name.get(name).copied()
    }

    /// The name of a symbol.
    pub fn name(&self, id: SymId) -> &str {
        &self.names[id as usize]
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.functor.len()
    }

    /// About what they take in memory, with a row of a relation for each.
    pub(crate) fn bytes(&self) -> u64 {
        const EACH: usize = 128;
        (self.functor.len() * EACH + self.pool.len() * 2 * size_of::<TermId>()) as u64
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.functor.is_empty()
    }

    /// The symbol a term begins with.
    pub fn functor(&self, t: TermId) -> SymId {
        self.functor[t as usize]
    }

    /// The arguments of a term.
    pub fn args(&self, t: TermId) -> &[TermId] {
        &self.pool[self.start[t as usize] as usize..self.start[t as usize + 1] as usize]
    }

    /// The number of a term, if it was ever made.
    pub fn find(&self, functor: SymId, args: &[TermId]) -> Option<TermId> {
        let mut at = *self.heads.get(&hash_of(functor, args))?;
        while at != NONE {
            if self.functor[at as usize] == functor && self.args(at) == args {
                return Some(at);
            }
            at = self.chain[at as usize];
        }
        None
    }

    /// The number of a term, new or old.
    pub fn make(&mut self, functor: SymId, args: &[TermId]) -> Result<TermId, GdlError> {
        if let Some(found) = self.find(functor, args) {
            return Ok(found);
        }
        if self.len() >= self.max_terms {
            return Err(GdlError::TooLarge {
                what: "ground terms",
                limit: self.max_terms as u64,
                knob: "terms",
            });
        }
        let depth = args.iter().map(|&a| self.depth[a as usize] + 1).max().unwrap_or(0);
        if depth > self.max_depth {
            return Err(GdlError::TooLarge {
                what: "levels in one term",
                limit: self.max_depth.into(),
                knob: "term_depth",
            });
        }
        let written = self.written_size(functor, args);
        // A constant's name is text that somebody wrote already.
        if !args.is_empty() && written > self.max_written {
            return Err(GdlError::TooLarge {
                what: "bytes to write out one term",
                limit: self.max_written.into(),
                knob: "term_bytes",
            });
        }
        let id = self.len() as TermId;
        self.functor.push(functor);
        self.depth.push(depth);
        self.written.push(written);
        self.pool.extend_from_slice(args);
        self.start.push(self.pool.len() as u32);
        let old = self.heads.insert(hash_of(functor, args), id);
        self.chain.push(old.unwrap_or(NONE));
        Ok(id)
    }

    /// A name, and for each argument a blank and itself; brackets around them.
    fn written_size(&self, functor: SymId, args: &[TermId]) -> u32 {
        let name = u32::try_from(self.name(functor).len()).unwrap_or(u32::MAX);
        let brackets = if args.is_empty() { 0 } else { 2 };
        args.iter().fold(name.saturating_add(brackets), |sum, &a| {
            sum.saturating_add(1).saturating_add(self.written[a as usize])
        })
    }

    /// A constant.
    pub fn constant(&mut self, name: &str) -> Result<TermId, GdlError> {
        let s = self.symbol(name);
        self.make(s, &[])
    }

    /// A term in KIF, with no blanks inside the brackets' edges.
    pub fn show(&self, t: TermId) -> String {
        let mut out = String::new();
        self.write(t, &mut out);
        out
    }

    fn write(&self, t: TermId, out: &mut String) {
        let args = self.args(t);
        if args.is_empty() {
            out.push_str(self.name(self.functor(t)));
            return;
        }
        out.push('(');
        out.push_str(self.name(self.functor(t)));
        for &a in args {
            out.push(' ');
            self.write(a, out);
        }
        out.push(')');
    }
}
