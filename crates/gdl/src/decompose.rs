//! Which conditions of a rule are best split off into a helper relation.

use crate::normal::{Clause, clause_vars};
use crate::syntax::{Pat, Predicate, Vars};
use crate::terms::Terms;
use rustc_hash::FxHashSet;

/// A way to split a clause: the conditions that go, and the variables their helper keeps.
pub(crate) struct Split {
    pos: Vec<usize>,
    neg: Vec<usize>,
    distinct: Vec<usize>,
    pub(crate) keep: Vars,
}

/// The split after which the fewest variables are left in the helper, if any is worth it.
pub(crate) fn best_split(clause: &Clause, dynamic: &FxHashSet<Predicate>, terms: &Terms) -> Option<Split> {
    let mut all = Vars::new();
    clause_vars(clause, &mut all);
    let head = clause.head.vars();
    all.difference(&head)
        .filter_map(|&v| split_off(clause, v, dynamic, terms))
        .min_by_key(|s| (s.keep.len(), s.pos.len()))
}

fn split_off(clause: &Clause, v: u32, dynamic: &FxHashSet<Predicate>, terms: &Terms) -> Option<Split> {
    let is_dynamic = |p: &Pat| p.predicate(terms).is_some_and(|p| dynamic.contains(&p));
    let pos_vars: Vec<Vars> = clause.pos.iter().map(Pat::vars).collect();
    let neg_vars: Vec<Vars> = clause.neg.iter().map(Pat::vars).collect();
    let dis_vars: Vec<Vars> = clause
        .distinct
        .iter()
        .map(|(a, b)| {
            let mut vars = a.vars();
            b.add_vars(&mut vars);
            vars
        })
        .collect();
    let having = |list: &[Vars]| -> Vec<bool> { list.iter().map(|l| l.contains(&v)).collect() };
    let (mut pos, mut neg, mut dis) = (having(&pos_vars), having(&neg_vars), having(&dis_vars));
    let mut bound = Vars::new();
    for (vars, _) in pos_vars.iter().zip(&pos).filter(|(_, inside)| **inside) {
        bound.extend(vars);
    }
    // Tests over variables that are bound anyway come along: they make the helper smaller.
    for (i, vars) in pos_vars.iter().enumerate() {
        pos[i] |= !is_dynamic(&clause.pos[i]) && vars.is_subset(&bound);
    }
    for (i, vars) in neg_vars.iter().enumerate() {
        neg[i] |= !is_dynamic(&clause.neg[i]) && vars.is_subset(&bound);
    }
    for (i, vars) in dis_vars.iter().enumerate() {
        dis[i] |= vars.is_subset(&bound);
    }
    let members = |list: &[bool]| -> Vec<usize> { (0..list.len()).filter(|&i| list[i]).collect() };
    let safe = neg_vars.iter().zip(&neg).chain(dis_vars.iter().zip(&dis));
    if !safe.into_iter().all(|(vars, &inside)| !inside || vars.is_subset(&bound)) {
        return None;
    }
    if pos.iter().chain(&neg).chain(&dis).all(|&inside| inside) {
        return None;
    }
    let mut outside = clause.head.vars();
    let all = pos_vars.iter().zip(&pos).chain(neg_vars.iter().zip(&neg)).chain(dis_vars.iter().zip(&dis));
    for (vars, _) in all.filter(|(_, inside)| !**inside) {
        outside.extend(vars);
    }
    let keep: Vars = bound.intersection(&outside).copied().collect();
    Some(Split { pos: members(&pos), neg: members(&neg), distinct: members(&dis), keep })
}

/// Takes the conditions of a split out of a clause.
pub(crate) fn take_group(clause: &mut Clause, split: &Split) -> Clause {
    fn take<T: Clone>(list: &mut Vec<T>, which: &[usize]) -> Vec<T> {
        let taken = which.iter().map(|&i| list[i].clone()).collect();
        let mut i = 0;
        list.retain(|_| {
            i += 1;
            !which.contains(&(i - 1))
        });
        taken
    }
    Clause {
        head: Pat::Ground(0),
        pos: take(&mut clause.pos, &split.pos),
        neg: take(&mut clause.neg, &split.neg),
        distinct: take(&mut clause.distinct, &split.distinct),
    }
}
