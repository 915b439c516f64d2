//! Which relations depend on which: what matters for play, and what is known before it.

use crate::normal::Clause;
use crate::scc;
use crate::syntax::Predicate;
use crate::terms::{Terms, sym};
use rustc_hash::{FxHashMap, FxHashSet};

/// The clauses that roles, start, play and result depend on.
pub(crate) fn relevant(clauses: Vec<Clause>, terms: &Terms) -> Vec<Clause> {
    let mut by_head: FxHashMap<Predicate, Vec<usize>> = FxHashMap::default();
    for (i, c) in clauses.iter().enumerate() {
        if let Some(p) = c.head.predicate(terms) {
            by_head.entry(p).or_default().push(i);
        }
    }
    let mut todo: Vec<Predicate> = vec![
        (sym::ROLE, 1),
        (sym::INIT, 1),
        (sym::NEXT, 1),
        (sym::LEGAL, 2),
        (sym::GOAL, 2),
        (sym::TERMINAL, 0),
    ];
    let mut seen: FxHashSet<Predicate> = todo.iter().copied().collect();
    let mut wanted = vec![false; clauses.len()];
    while let Some(p) = todo.pop() {
        for &i in by_head.get(&p).into_iter().flatten() {
            wanted[i] = true;
            let body = clauses[i].pos.iter().chain(&clauses[i].neg);
            todo.extend(body.filter_map(|b| b.predicate(terms)).filter(|p| seen.insert(*p)));
        }
    }
    clauses.into_iter().zip(wanted).filter_map(|(c, keep)| keep.then_some(c)).collect()
}

/// Relations that are evaluated in every state: those that depend on the state or on the moves, and those that depend on their own
/// negation, for which only the network of ground atoms tells whether some atom does.
pub(crate) fn dynamic_predicates(clauses: &[Clause], terms: &Terms) -> FxHashSet<Predicate> {
    let mut dynamic: FxHashSet<Predicate> =
        [(sym::TRUE, 1), (sym::DOES, 2), (sym::NEXT, 1), (sym::LEGAL, 2), (sym::GOAL, 2), (sym::TERMINAL, 0)]
            .into_iter()
            .chain(on_negative_cycles(clauses, terms))
            .collect();
    loop {
        let before = dynamic.len();
        for c in clauses {
            let body = c.pos.iter().chain(&c.neg);
            if body.filter_map(|b| b.predicate(terms)).any(|p| dynamic.contains(&p))
                && let Some(p) = c.head.predicate(terms)
            {
                dynamic.insert(p);
            }
        }
        if dynamic.len() == before {
            return dynamic;
        }
    }
}

/// Heads of clauses that negate something which depends on them.
fn on_negative_cycles(clauses: &[Clause], terms: &Terms) -> Vec<Predicate> {
    let mut numbers: FxHashMap<Predicate, u32> = FxHashMap::default();
    for p in clauses.iter().filter_map(|c| c.head.predicate(terms)) {
        let next = numbers.len() as u32;
        numbers.entry(p).or_insert(next);
    }
    let number = |p: &crate::syntax::Pat| numbers.get(&p.predicate(terms)?).copied();
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); numbers.len()];
    for c in clauses {
        if let Some(head) = number(&c.head) {
            edges[head as usize].extend(c.pos.iter().chain(&c.neg).filter_map(number));
        }
    }
    let mut group_of = vec![0; numbers.len()];
    for (group, members) in scc::components(numbers.len(), |i| &edges[i]).iter().enumerate() {
        members.iter().for_each(|&n| group_of[n as usize] = group);
    }
    let is_cyclic = |c: &&Clause| {
        number(&c.head).is_some_and(|head| {
            c.neg.iter().filter_map(number).any(|n| group_of[n as usize] == group_of[head as usize])
        })
    };
    clauses.iter().filter(is_cyclic).filter_map(|c| c.head.predicate(terms)).collect()
}
