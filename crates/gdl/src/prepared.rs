//! Rules as the prover keeps them: with what the order of their conditions and the life of their answers depend on.

use crate::error::GdlError;
use crate::normal::Clause;
use crate::syntax::{Pat, Predicate};
use crate::terms::{Terms, sym};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a relation's answers depend on: when they must be forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lifetime {
    Always,
    State,
    Moves,
}

/// A clause with what the order of its conditions is decided by.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub(crate) clause: Clause,
    pub(crate) variables: usize,
    /// The variables of each condition: positive ones, then negated ones, then `distinct`.
    pub(crate) vars: Vec<Box<[u32]>>,
    /// Whether a positive or negated condition asks for a relation with rules.
    pub(crate) derived: Vec<bool>,
}

/// Conditions of one clause that are still open.
pub(crate) type Open = u128;

/// Looks at a clause once, before it is used.
pub(crate) fn prepare(
    clause: Clause,
    names: &FxHashSet<Predicate>,
    terms: &Terms,
) -> Result<Prepared, GdlError> {
    let atoms = clause.pos.iter().chain(&clause.neg).map(Pat::vars);
    let distinct = clause.distinct.iter().map(|(a, b)| {
        let mut vars = a.vars();
        b.add_vars(&mut vars);
        vars
    });
    let vars: Vec<Box<[u32]>> = atoms.chain(distinct).map(|v| v.into_iter().collect()).collect();
    if vars.len() > Open::BITS as usize {
        return Err(GdlError::TooLarge {
            what: "conditions in one rule",
            limit: Open::BITS.into(),
            knob: crate::error::FIXED,
        });
    }
    let derived = |p: &Pat| p.predicate(terms).is_some_and(|p| names.contains(&p));
    Ok(Prepared {
        variables: variable_count(&clause),
        derived: clause.pos.iter().chain(&clause.neg).map(derived).collect(),
        vars,
        clause,
    })
}

fn variable_count(clause: &Clause) -> usize {
    let mut vars = clause.head.vars();
    clause.pos.iter().chain(&clause.neg).for_each(|p| p.add_vars(&mut vars));
    vars.last().map_or(0, |&v| v as usize + 1)
}

pub(crate) fn lifetimes(
    rules: &FxHashMap<Predicate, Vec<Clause>>,
    terms: &Terms,
) -> FxHashMap<Predicate, Lifetime> {
    let mut out: FxHashMap<Predicate, Lifetime> = FxHashMap::default();
    out.insert((sym::TRUE, 1), Lifetime::State);
    out.insert((sym::DOES, 2), Lifetime::Moves);
    loop {
        let mut changed = false;
        for (p, clauses) in rules {
            let body = clauses.iter().flat_map(|c| c.pos.iter().chain(&c.neg));
            let longest = body.filter_map(|b| out.get(&b.predicate(terms)?).copied()).max();
            let mine = out.entry(*p).or_insert(Lifetime::Always);
            if let Some(longest) = longest.filter(|l| *l > *mine) {
                *mine = longest;
                changed = true;
            }
        }
        if !changed {
            return out;
        }
    }
}
