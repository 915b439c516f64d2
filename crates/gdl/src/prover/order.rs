//! Which condition of a rule is proved next.

use super::Prover;
use super::table::shape;
use crate::facts::{Bindings, find};
use crate::prepared::{Lifetime, Open, Prepared};
use crate::syntax::Pat;
use crate::terms::sym;

impl Prover {
    /// The condition with the fewest ways to go on: tests first, then facts by how many fit, then questions, by how many answers
    /// such questions had so far, or a guess from their open variables. Enumerating facts before a question that would have bound the same
    /// variables asks it once for every fact, which made chess five hundred times slower.
    pub(super) fn cheapest(&self, rule: &Prepared, mut open: Open, bindings: &Bindings) -> Option<usize> {
        let p = rule.clause.pos.len();
        let mut best: Option<(f32, usize)> = None;
        while open != 0 && best.is_none_or(|(cost, _)| cost > 0.0) {
            let i = open.trailing_zeros() as usize;
            open &= open - 1;
            let unbound = rule.vars[i].iter().filter(|v| bindings[**v as usize].is_none()).count();
            let derived = rule.derived.get(i).copied().unwrap_or(false);
            let cost = match (unbound, derived) {
                (0, true) => 3.0,
                (0, false) if i >= p => 0.0,
                (_, _) if i >= p => f32::INFINITY,
                (open, true) => self.expected(&rule.clause.pos[i], open, bindings),
                (_, false) => self.cost_of_facts(&rule.clause.pos[i], bindings),
            };
            if best.is_none_or(|(c, _)| cost < c) {
                best = Some((cost, i));
            }
        }
        best.map(|b| b.1)
    }

    /// The cost of a question to a relation with rules.
    fn expected(&self, literal: &Pat, open: usize, bindings: &Bindings) -> f32 {
        let guess = 3.0 + (4u64 << (2 * open.min(20))) as f32;
        let Pat::Fn(name, args) = literal else { return guess };
        let shape = shape(*name, args.iter().map(|a| find(a, bindings, &self.terms).is_some()));
        match self.answered.get(&shape) {
            Some((questions, answers)) => 3.0 + 2.0 * *answers as f32 / *questions as f32,
            // What does not depend on the state is answered once for all, so it is worth a try.
            None if shape.2 != 0 && self.life(shape.0, shape.1) == Lifetime::Always => {
                3.0 + 2.0 * open as f32
            }
            None => guess,
        }
    }

    /// The cost of a condition on a relation without rules.
    fn cost_of_facts(&self, literal: &Pat, bindings: &Bindings) -> f32 {
        match literal {
            Pat::Fn(sym::TRUE, inner) => self.state.cost(&inner[0], bindings),
            Pat::Fn(sym::DOES, _) => self.moves.cost(literal, bindings),
            // A test: it holds or not.
            Pat::Ground(_) => 1.0,
            _ => self.knowledge.facts.cost(literal, bindings),
        }
    }
}
