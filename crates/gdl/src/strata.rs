//! Exact bottom-up evaluation, stratum by stratum: of the static relations once, and of a whole
//! state by the lifted evaluator.

use crate::error::GdlError;
use crate::join::{Joiner, Plan, Reading, Sink};
use crate::normal::{Clause, Program};
use crate::relations::{FlatLiteral, Relations, ViewId};
use crate::scc;
use crate::syntax::Predicate;
use crate::terms::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Clauses of relations that depend on each other, ready to run.
#[derive(Clone, Debug)]
pub struct Stratum {
    initial: Vec<Plan>,
    triggered: FxHashMap<ViewId, Vec<Plan>>,
}

/// The clauses for the wanted relations, grouped so that each group needs only earlier ones.
pub fn order<'a>(
    program: &'a Program,
    terms: &Terms,
    wanted: impl Fn(Predicate) -> bool,
) -> Result<Vec<Vec<&'a Clause>>, GdlError> {
    let mut numbers: FxHashMap<Predicate, u32> = FxHashMap::default();
    let mut by_head: Vec<Vec<&Clause>> = Vec::new();
    for c in &program.clauses {
        if let Some(p) = c.head.predicate(terms).filter(|p| wanted(*p)) {
            let n = *numbers.entry(p).or_insert(by_head.len() as u32);
            by_head.resize(by_head.len().max(n as usize + 1), Vec::new());
            by_head[n as usize].push(c);
        }
    }
    let number = |p: &crate::syntax::Pat| numbers.get(&p.predicate(terms)?).copied();
    let edges: Vec<Vec<u32>> = by_head
        .iter()
        .map(|cs| cs.iter().flat_map(|c| c.pos.iter().chain(&c.neg)).filter_map(number).collect())
        .collect();
    let groups = scc::components(by_head.len(), |i| &edges[i]);
    let mut out = Vec::new();
    for group in groups {
        let clauses: Vec<&Clause> = group.iter().flat_map(|&n| by_head[n as usize].iter().copied()).collect();
        for p in clauses.iter().flat_map(|c| &c.neg) {
            if number(p).is_some_and(|n| group.contains(&n)) {
                return Err(GdlError::Unstratified { atom: p.show(terms, &[]) });
            }
        }
        out.push(clauses);
    }
    Ok(out)
}

impl Stratum {
    /// Plans one group of [`order`].
    pub fn new(clauses: &[&Clause], relations: &mut Relations, terms: &Terms) -> Result<Stratum, GdlError> {
        let inside: FxHashSet<Predicate> = clauses.iter().filter_map(|c| c.head.predicate(terms)).collect();
        let mut stratum = Stratum { initial: Vec::new(), triggered: FxHashMap::default() };
        for clause in clauses {
            let flat: Vec<FlatLiteral> =
                clause.pos.iter().map(|p| relations.flatten(p, terms)).collect::<Result<_, _>>()?;
            let reading = Reading {
                clause,
                flat: &flat,
                growing: vec![false; flat.len()],
                recorded: vec![false; flat.len()],
                negated: vec![false; clause.neg.len()],
            };
            stratum.initial.push(Plan::new(&reading, None, relations));
            for (i, p) in clause.pos.iter().enumerate() {
                if p.predicate(terms).is_some_and(|p| inside.contains(&p)) {
                    let plan = Plan::new(&reading, Some(i), relations);
                    stratum.triggered.entry(flat[i].view).or_default().push(plan);
                }
            }
        }
        Ok(stratum)
    }

    /// Derives everything this stratum can, and lists what was new.
    pub fn run(
        &self,
        relations: &mut Relations,
        terms: &mut Terms,
        joiner: &mut Joiner,
        derived: &mut Vec<TermId>,
    ) -> Result<(), GdlError> {
        let mut heads = Heads(Vec::new());
        let mut rows = Vec::new();
        let mut next = derived.len();
        for plan in &self.initial {
            joiner.run(plan, relations, terms, &mut heads)?;
            heads.learn(relations, derived);
        }
        while next < derived.len() {
            let atom = derived[next];
            next += 1;
            relations.insert(atom, terms, &mut rows);
            for row in &rows {
                for plan in self.triggered.get(&row.0).into_iter().flatten() {
                    joiner.run_from(plan, *row, relations, terms, &mut heads)?;
                }
            }
            heads.learn(relations, derived);
        }
        Ok(())
    }
}

struct Heads(Vec<TermId>);

impl Heads {
    fn learn(&mut self, relations: &mut Relations, derived: &mut Vec<TermId>) {
        for h in self.0.drain(..) {
            if relations.learn(h) {
                derived.push(h);
            }
        }
    }
}

impl Sink for Heads {
    fn instance(&mut self, _: &mut Terms, head: TermId, _: &[TermId], _: &[TermId]) -> Result<(), GdlError> {
        self.0.push(head);
        Ok(())
    }

    fn bytes(&self) -> u64 {
        (self.0.capacity() * size_of::<TermId>()) as u64
    }
}
