//! Brings rules into one simple form: a head, positive atoms, negated atoms and `distinct` pairs.
//!
//! Disjunctions become alternatives, negations with variables of their own become "there is none",
//! and variables that only some of the conditions share are projected away into helper relations
//! (a greedy tree decomposition): a rule with ten variables may have billions of instances where
//! its parts have hundreds.

use crate::decompose::{best_split, take_group};
use crate::dependence::{dynamic_predicates, relevant};
use crate::equal::make_equal;
use crate::error::{GdlError, Limits, Position};
use crate::syntax::{Condition, Pat, Predicate, Rules, Vars, too_many_rules};
use crate::terms::{Terms, sym};
use rustc_hash::{FxHashMap, FxHashSet};

/// One rule in normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clause {
    /// What follows.
    pub head: Pat,
    /// What must hold.
    pub pos: Vec<Pat>,
    /// What must not hold.
    pub neg: Vec<Pat>,
    /// Pairs that must not be equal.
    pub distinct: Vec<(Pat, Pat)>,
}

/// All clauses that can matter for play, and which relations change during it.
#[derive(Clone, Debug)]
pub struct Program {
    /// The clauses as they were before they were split into parts.
    pub whole: Vec<Clause>,
    /// The clauses split into parts, helpers included.
    pub clauses: Vec<Clause>,
    /// The relations that change during play.
    pub dynamic: FxHashSet<Predicate>,
}

impl Program {
    /// Whether the relation of an atom changes during play.
    pub fn is_dynamic(&self, p: &Pat, terms: &Terms) -> bool {
        p.predicate(terms).is_some_and(|p| self.dynamic.contains(&p))
    }
}

/// Splitting rules into parts saves work later; hostile rules could make it the work itself.
const SPLIT_WORK: usize = 20_000_000;

/// Disjunctions are multiplied out up to this many alternatives, else they become helpers.
const MULTIPLY_OUT: usize = 4;

/// Normalises all rules that matter for roles, play and its result.
pub fn normalise(rules: &mut Rules, limits: &Limits) -> Result<Program, GdlError> {
    let source = std::mem::take(&mut rules.rules);
    let mut maker = Maker {
        terms: &mut rules.terms,
        limits,
        out: Vec::new(),
        helpers: 0,
        split_work: 0,
        shared: FxHashMap::default(),
    };
    let result = source.iter().try_for_each(|rule| {
        let body = rule.body.to_vec();
        maker.expand(&rule.head, body, rule.at)
    });
    let clauses = std::mem::take(&mut maker.out);
    rules.rules = source;
    result?;
    let clauses = relevant(clauses, &rules.terms);
    let dynamic = dynamic_predicates(&clauses, &rules.terms);
    let whole = clauses.clone();
    let clauses = decompose_all(clauses, &dynamic, &mut rules.terms, limits)?;
    let dynamic = dynamic_predicates(&clauses, &rules.terms);
    for start in [(sym::ROLE, 1), (sym::INIT, 1)] {
        if dynamic.contains(&start) {
            // Needed before there is a state: what it asks for cannot wait for one.
            return Err(GdlError::Unstratified { atom: rules.terms.name(start.0).into() });
        }
    }
    Ok(Program { whole, clauses, dynamic })
}

/// Splits every clause into parts; see [`Maker::decompose`].
fn decompose_all(
    clauses: Vec<Clause>,
    dynamic: &FxHashSet<Predicate>,
    terms: &mut Terms,
    limits: &Limits,
) -> Result<Vec<Clause>, GdlError> {
    let mut maker =
        Maker { terms, limits, out: Vec::new(), helpers: 0, split_work: 0, shared: FxHashMap::default() };
    for clause in clauses {
        maker.decompose(clause, dynamic)?;
    }
    Ok(maker.out)
}

struct Maker<'a> {
    terms: &'a mut Terms,
    limits: &'a Limits,
    out: Vec<Clause>,
    helpers: usize,
    split_work: usize,
    shared: FxHashMap<Clause, Pat>,
}

impl Maker<'_> {
    fn push(&mut self, clause: Clause) -> Result<(), GdlError> {
        if self.out.len() >= self.limits.rules {
            return Err(too_many_rules(self.limits));
        }
        self.out.push(clause);
        Ok(())
    }

    /// A helper atom over the given variables; its name has a blank, so no rule text can use it.
    fn helper(&mut self, kind: &str, vars: impl IntoIterator<Item = u32>) -> Result<Pat, GdlError> {
        // Names of earlier passes are in use already.
        loop {
            self.helpers += 1;
            let name = format!("{kind} {}", self.helpers);
            if self.terms.find_symbol(&name).is_none() {
                let name = self.terms.symbol(&name);
                return self.atom(name, vars);
            }
        }
    }

    fn atom(&mut self, name: u32, vars: impl IntoIterator<Item = u32>) -> Result<Pat, GdlError> {
        let args: Box<[Pat]> = vars.into_iter().map(Pat::Var).collect();
        if args.is_empty() {
            return Ok(Pat::Ground(self.terms.make(name, &[])?));
        }
        Ok(Pat::Fn(name, args))
    }

    /// Removes `or`, `and` and nested `not` from a body and emits the clauses.
    fn expand(&mut self, head: &Pat, body: Vec<Condition>, at: Position) -> Result<(), GdlError> {
        let mut flat = Vec::new();
        for c in body {
            push_flat(c, true, &mut flat);
        }
        let alternatives = flat.iter().map(|c| match c {
            Condition::Or(list) => list.len(),
            _ => 1,
        });
        let product = alternatives.fold(1usize, |a, b| a.saturating_mul(b));
        match flat.iter().position(|c| matches!(c, Condition::Or(_))) {
            None => self.emit(head, flat, at),
            Some(i) => {
                let Condition::Or(list) = flat.remove(i) else { return Ok(()) };
                if product <= MULTIPLY_OUT {
                    for choice in list {
                        let mut body = flat.clone();
                        body.insert(i, choice);
                        self.expand(head, body, at)?;
                    }
                    return Ok(());
                }
                let helper = self.disjunction(head, &flat, list, at)?;
                flat.push(Condition::Atom(helper));
                self.expand(head, flat, at)
            }
        }
    }

    /// A helper that holds when one of the alternatives does.
    fn disjunction(
        &mut self,
        head: &Pat,
        rest: &[Condition],
        list: Vec<Condition>,
        at: Position,
    ) -> Result<Pat, GdlError> {
        let mut outer = head.vars();
        rest.iter().for_each(|c| condition_vars(c, &mut outer));
        let mut inner = Vars::new();
        list.iter().for_each(|c| condition_vars(c, &mut inner));
        let shared: Vec<u32> = inner.intersection(&outer).copied().collect();
        let helper = self.helper("or", shared.iter().copied())?;
        for choice in list {
            let mut bound = Vars::new();
            bound_vars(&choice, &mut bound);
            let mut body = vec![choice];
            for v in &shared {
                // An alternative that does not bind a variable borrows what binds it outside.
                if bound.contains(v) {
                    continue;
                }
                let binder = rest.iter().find(|c| {
                    let mut vars = Vars::new();
                    bound_vars(c, &mut vars);
                    vars.contains(v)
                });
                if let Some(binder) = binder {
                    bound_vars(binder, &mut bound);
                    body.push(binder.clone());
                }
            }
            self.expand(&helper, body, at)?;
        }
        Ok(helper)
    }

    /// Emits one clause from a body of literals.
    fn emit(&mut self, head: &Pat, body: Vec<Condition>, at: Position) -> Result<(), GdlError> {
        let mut clause =
            Clause { head: head.clone(), pos: Vec::new(), neg: Vec::new(), distinct: Vec::new() };
        let mut equal = Vec::new();
        for c in body {
            match c {
                Condition::Atom(p) => clause.pos.push(p),
                Condition::Not(inner) => match *inner {
                    Condition::Atom(p) => clause.neg.push(p),
                    Condition::Distinct(a, b) => equal.push((a, b)),
                    _ => {
                        let what = "`not` stands before something that is no relation".into();
                        return Err(GdlError::Rule { at, what });
                    }
                },
                Condition::Distinct(a, b) => clause.distinct.push((a, b)),
                Condition::Or(_) | Condition::And(_) => {}
            }
        }
        let Some(mut clause) = make_equal(clause, &equal, self.terms)? else { return Ok(()) };
        let negated = std::mem::take(&mut clause.neg);
        clause.pos.sort();
        clause.pos.dedup();
        let mut bound = Vars::new();
        clause.pos.iter().for_each(|p| p.add_vars(&mut bound));
        for p in negated {
            let vars = p.vars();
            if vars.is_subset(&bound) {
                clause.neg.push(p);
                continue;
            }
            // Variables of its own: "there is no such thing".
            let helper = self.helper("some", vars.intersection(&bound).copied())?;
            clause.neg.push(helper.clone());
            self.push(Clause { head: helper, pos: vec![p], neg: vec![], distinct: vec![] })?;
        }
        let mut needed = clause.head.vars();
        for (a, b) in &clause.distinct {
            a.add_vars(&mut needed);
            b.add_vars(&mut needed);
        }
        if !needed.is_subset(&bound) {
            return Err(GdlError::Rule {
                at,
                what: "a variable of the head or of `distinct` is bound by no positive condition".into(),
            });
        }
        self.push(clause)
    }

    /// Splits variables off as long as that makes the parts smaller than the whole.
    fn decompose(&mut self, mut clause: Clause, dynamic: &FxHashSet<Predicate>) -> Result<(), GdlError> {
        let mut pending_dynamic = dynamic.clone();
        while self.may_split(&clause)
            && let Some(split) = best_split(&clause, &pending_dynamic, self.terms)
        {
            let group = take_group(&mut clause, &split);
            let is_dynamic = group
                .pos
                .iter()
                .chain(&group.neg)
                .any(|p| p.predicate(self.terms).is_some_and(|p| pending_dynamic.contains(&p)));
            let helper = self.share(group, &split.keep, dynamic)?;
            if is_dynamic && let Some(p) = helper.predicate(self.terms) {
                pending_dynamic.insert(p);
            }
            clause.pos.push(helper);
        }
        self.push(clause)
    }

    /// Counts what looking for a split costs: every variable is held against every condition.
    fn may_split(&mut self, clause: &Clause) -> bool {
        let conditions = clause.pos.len() + clause.neg.len() + clause.distinct.len();
        let mut vars = Vars::new();
        clause_vars(clause, &mut vars);
        self.split_work += conditions * vars.len();
        self.split_work <= SPLIT_WORK
    }

    /// The helper for a group of conditions; equal groups share one.
    fn share(&mut self, group: Clause, keep: &Vars, dynamic: &FxHashSet<Predicate>) -> Result<Pat, GdlError> {
        let mut names: FxHashMap<u32, u32> = FxHashMap::default();
        for &v in keep {
            let n = names.len() as u32;
            names.insert(v, n);
        }
        let mut vars = Vars::new();
        clause_vars(&group, &mut vars);
        for v in vars {
            let n = names.len() as u32;
            names.entry(v).or_insert(n);
        }
        let mut canonical = rename_clause(&group, &names);
        canonical.head = self.atom(sym::AND, 0..keep.len() as u32)?;
        if let Some(Pat::Fn(name, _)) = self.shared.get(&canonical).cloned() {
            return self.atom(name, keep.iter().copied());
        }
        if let Some(ground) = self.shared.get(&canonical).cloned() {
            return Ok(ground);
        }
        let head = self.helper("part", 0..keep.len() as u32)?;
        self.shared.insert(canonical.clone(), head.clone());
        canonical.head = head.clone();
        self.decompose(canonical, dynamic)?;
        match head {
            Pat::Fn(name, _) => self.atom(name, keep.iter().copied()),
            ground => Ok(ground),
        }
    }
}

fn rename(p: &Pat, names: &FxHashMap<u32, u32>) -> Pat {
    match p {
        Pat::Var(v) => Pat::Var(names.get(v).copied().unwrap_or(*v)),
        Pat::Ground(t) => Pat::Ground(*t),
        Pat::Fn(f, args) => Pat::Fn(*f, args.iter().map(|a| rename(a, names)).collect()),
    }
}

fn rename_clause(c: &Clause, names: &FxHashMap<u32, u32>) -> Clause {
    let list = |l: &[Pat]| -> Vec<Pat> {
        let mut l: Vec<Pat> = l.iter().map(|p| rename(p, names)).collect();
        l.sort();
        l
    };
    Clause {
        head: c.head.clone(),
        pos: list(&c.pos),
        neg: list(&c.neg),
        distinct: c.distinct.iter().map(|(a, b)| (rename(a, names), rename(b, names))).collect(),
    }
}

pub(crate) fn clause_vars(c: &Clause, out: &mut Vars) {
    c.pos.iter().chain(&c.neg).for_each(|p| p.add_vars(out));
    for (a, b) in &c.distinct {
        a.add_vars(out);
        b.add_vars(out);
    }
}

fn condition_vars(c: &Condition, out: &mut Vars) {
    match c {
        Condition::Atom(p) => p.add_vars(out),
        Condition::Not(inner) => condition_vars(inner, out),
        Condition::Or(list) | Condition::And(list) => {
            list.iter().for_each(|c| condition_vars(c, out));
        }
        Condition::Distinct(a, b) => {
            a.add_vars(out);
            b.add_vars(out);
        }
    }
}

/// Variables that a condition gives a value in every one of its alternatives.
fn bound_vars(c: &Condition, out: &mut Vars) {
    match c {
        Condition::Atom(p) => p.add_vars(out),
        Condition::And(list) => list.iter().for_each(|c| bound_vars(c, out)),
        Condition::Or(list) => {
            let mut sets = list.iter().map(|c| {
                let mut vars = Vars::new();
                bound_vars(c, &mut vars);
                vars
            });
            if let Some(first) = sets.next() {
                out.extend(sets.fold(first, |a, b| a.intersection(&b).copied().collect()));
            }
        }
        Condition::Not(_) | Condition::Distinct(..) => {}
    }
}

/// Pushes negation inwards and joins nested conjunctions and disjunctions.
fn push_flat(c: Condition, positive: bool, out: &mut Vec<Condition>) {
    match (c, positive) {
        (Condition::Not(inner), _) => push_flat(*inner, !positive, out),
        (Condition::And(list), true) | (Condition::Or(list), false) => {
            list.into_iter().for_each(|c| push_flat(c, positive, out));
        }
        (Condition::Or(list), true) | (Condition::And(list), false) => {
            let mut choices = Vec::new();
            for c in list {
                let mut inner = Vec::new();
                push_flat(c, positive, &mut inner);
                match inner.len() {
                    1 => choices.append(&mut inner),
                    _ => choices.push(Condition::And(inner)),
                }
            }
            out.push(Condition::Or(choices));
        }
        (atom, true) => out.push(atom),
        (atom, false) => out.push(Condition::Not(Box::new(atom))),
    }
}
