//! Ground atoms that can be looked up, and patterns matched against them.

use crate::error::GdlError;
use crate::syntax::{Pat, Predicate};
use crate::terms::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The values of a rule's variables, as far as they have any.
pub(crate) type Bindings = Vec<Option<TermId>>;

/// Ground atoms, found by relation and by the value of any one argument.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub(crate) by_relation: FxHashMap<Predicate, Vec<TermId>>,
    pub(crate) by_argument: FxHashMap<(Predicate, u32, TermId), Vec<TermId>>,
    pub(crate) all: Vec<TermId>,
    pub(crate) set: FxHashSet<TermId>,
}

impl Facts {
    /// Adds an atom, if it is new.
    pub fn add(&mut self, atom: TermId, terms: &Terms) {
        if !self.set.insert(atom) {
            return;
        }
        let args = terms.args(atom);
        let relation = (terms.functor(atom), args.len() as u32);
        self.by_relation.entry(relation).or_default().push(atom);
        for (i, &a) in args.iter().enumerate() {
            self.by_argument.entry((relation, i as u32, a)).or_default().push(atom);
        }
        self.all.push(atom);
    }

    /// What a condition costs: a little for each atom looked at, more for each that is likely to fit, as if arguments were independent.
    pub(crate) fn cost(&self, p: &Pat, bindings: &Bindings) -> f32 {
        let Pat::Fn(f, args) = p else {
            return if matches!(p, Pat::Var(_)) { 2.0 * self.all.len() as f32 } else { 1.0 };
        };
        let relation = (*f, args.len() as u32);
        let all = self.by_relation.get(&relation).map_or(0, Vec::len) as f32;
        let (mut fitting, mut looked_at) = (all, all);
        for (i, a) in args.iter().enumerate() {
            if let Some(value) = a.value(bindings) {
                let some = self.by_argument.get(&(relation, i as u32, value)).map_or(0, Vec::len) as f32;
                if some == 0.0 {
                    return 0.0;
                }
                fitting *= some / all;
                looked_at = looked_at.min(some);
            }
        }
        2.0 * fitting + looked_at / 8.0
    }

    /// Atoms that may fit a pattern, as few as one look-up can give.
    pub(crate) fn candidates(&self, p: &Pat, bindings: &Bindings, terms: &Terms) -> &[TermId] {
        let (relation, args): (Predicate, &[Pat]) = match p {
            Pat::Var(_) => return &self.all,
            Pat::Ground(t) => ((terms.functor(*t), terms.args(*t).len() as u32), &[]),
            Pat::Fn(f, args) => ((*f, args.len() as u32), args),
        };
        let mut best = self.by_relation.get(&relation).map_or(&[][..], Vec::as_slice);
        for (i, a) in args.iter().enumerate() {
            if let Some(value) = a.value(bindings) {
                let list = self.by_argument.get(&(relation, i as u32, value));
                let list = list.map_or(&[][..], Vec::as_slice);
                if list.len() < best.len() {
                    best = list;
                }
            }
        }
        best
    }
}

impl Pat {
    /// The value of an argument that is a term or a variable with a value.
    fn value(&self, bindings: &Bindings) -> Option<TermId> {
        match self {
            Pat::Ground(t) => Some(*t),
            Pat::Var(v) => bindings[*v as usize],
            Pat::Fn(..) => None,
        }
    }
}

/// Makes a pattern equal to a term if that is possible; lists the variables it gave a value.
pub(crate) fn matches(
    p: &Pat,
    t: TermId,
    bindings: &mut Bindings,
    terms: &Terms,
    bound: &mut Vec<u32>,
) -> bool {
    match p {
        Pat::Ground(g) => *g == t,
        Pat::Var(v) => match bindings[*v as usize] {
            Some(value) => value == t,
            None => {
                bindings[*v as usize] = Some(t);
                bound.push(*v);
                true
            }
        },
        Pat::Fn(f, args) => {
            terms.functor(t) == *f
                && terms.args(t).len() == args.len()
                && args.iter().enumerate().all(|(i, a)| matches(a, terms.args(t)[i], bindings, terms, bound))
        }
    }
}

pub(crate) fn build(p: &Pat, bindings: &Bindings, terms: &mut Terms) -> Result<TermId, GdlError> {
    match p {
        Pat::Ground(t) => Ok(*t),
        // Rules are safe: a variable of a head or a test has a value by now.
        Pat::Var(v) => bindings[*v as usize]
            .ok_or_else(|| GdlError::Unsuitable("a variable has no value; run `ludens gdl check`".into())),
        Pat::Fn(f, args) => {
            let args = args.iter().map(|a| build(a, bindings, terms)).collect::<Result<Vec<_>, _>>()?;
            terms.make(*f, &args)
        }
    }
}

pub(crate) fn find(p: &Pat, bindings: &Bindings, terms: &Terms) -> Option<TermId> {
    match p {
        Pat::Ground(t) => Some(*t),
        Pat::Var(v) => bindings[*v as usize],
        Pat::Fn(f, args) => {
            let args: Option<Vec<_>> = args.iter().map(|a| find(a, bindings, terms)).collect();
            terms.find(*f, &args?)
        }
    }
}
