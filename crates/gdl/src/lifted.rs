//! The lifted evaluator: answers questions straight from the rules, top down, each question once.
//!
//! It shares nothing with grounding but the parser and the removal of `or`, so that the two can be
//! held against each other, and it takes over where a game is too large to ground.

use crate::error::{GdlError, Limits};
use crate::facts::Facts;
use crate::normal::Program;
use crate::prover::Prover;
use crate::syntax::Rules;
use crate::terms::{TermId, Terms, sym};

/// A state: its facts, sorted.
pub type FactList = Box<[TermId]>;

/// A machine at one state.
#[derive(Clone, Debug)]
pub struct Lifted {
    prover: Prover,
    roles: Vec<TermId>,
    state: FactList,
}

impl Lifted {
    /// A machine at the first state.
    pub fn new(rules: &Rules, program: &Program, limits: &Limits) -> Result<Self, GdlError> {
        let mut prover = Prover::new(program, rules.terms.clone(), limits)?;
        let init = prover.ask_open(sym::INIT, &[None])?;
        let mut facts: Vec<TermId> = init.iter().map(|&t| prover.terms().args(t)[0]).collect();
        facts.sort_unstable();
        let mut lifted = Lifted { prover, roles: rules.roles.clone(), state: Box::default() };
        lifted.set_state(facts.into());
        Ok(lifted)
    }

    /// The store of its terms.
    pub fn terms(&self) -> &Terms {
        self.prover.terms()
    }

    /// The store of its terms, to make new ones.
    pub fn terms_mut(&mut self) -> &mut Terms {
        self.prover.terms_mut()
    }

    /// In the order of joint moves.
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The facts that hold.
    pub fn state(&self) -> &FactList {
        &self.state
    }

    /// Goes to another state.
    pub fn set_state(&mut self, state: FactList) {
        if state == self.state {
            return;
        }
        let mut facts = Facts::default();
        for &f in &state {
            facts.add(f, self.prover.terms());
        }
        self.prover.set_state(facts);
        self.state = state;
    }

    /// Whether the state is an end.
    pub fn is_terminal(&mut self) -> Result<bool, GdlError> {
        Ok(!self.prover.ask_open(sym::TERMINAL, &[])?.is_empty())
    }

    /// The legal moves of a role, sorted.
    pub fn legal(&mut self, role: usize) -> Result<Vec<TermId>, GdlError> {
        self.second_argument(sym::LEGAL, role)
    }

    /// The goal value of a role, if exactly one holds that is a number from 0 to 100.
    pub fn goal(&mut self, role: usize) -> Result<Option<u8>, GdlError> {
        let values = self.second_argument(sym::GOAL, role)?;
        let terms = self.prover.terms();
        let value = |t: &TermId| terms.name(terms.functor(*t)).parse::<u8>().ok().filter(|v| *v <= 100);
        let mut values = values.iter().filter_map(value);
        let first = values.next();
        Ok(first.filter(|_| values.next().is_none()))
    }

    fn second_argument(&mut self, name: u32, role: usize) -> Result<Vec<TermId>, GdlError> {
        let atoms = self.prover.ask_open(name, &[Some(self.roles[role]), None])?;
        let mut out: Vec<TermId> = atoms.iter().map(|&t| self.prover.terms().args(t)[1]).collect();
        out.sort_unstable();
        Ok(out)
    }

    /// The state after a joint move, one term a role.
    pub fn next_state(&mut self, joint: &[TermId]) -> Result<FactList, GdlError> {
        let mut does = Facts::default();
        for (&role, &action) in self.roles.iter().zip(joint) {
            let atom = self.prover.terms_mut().make(sym::DOES, &[role, action])?;
            does.add(atom, self.prover.terms());
        }
        self.prover.set_moves(does);
        let atoms = self.prover.ask_open(sym::NEXT, &[None])?;
        let mut facts: Vec<TermId> = atoms.iter().map(|&t| self.prover.terms().args(t)[0]).collect();
        facts.sort_unstable();
        Ok(facts.into())
    }
}
