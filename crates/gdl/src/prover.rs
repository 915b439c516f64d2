//! Tabled top-down proofs: every question is answered once and remembered, and questions that depend
//! on themselves are asked again until no new answer comes.

mod order;
mod table;

use self::table::{Question, Shape, Status, Table, shape};
use crate::error::{GdlError, Limits};
use crate::facts::{Bindings, Facts, build, find, matches};
use crate::normal::{Clause, Program};
use crate::prepared::{Lifetime, Open, Prepared, lifetimes, prepare};
use crate::syntax::{Pat, Predicate};
use crate::terms::{SymId, TermId, Terms, sym};
use ludens_core::Stop;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

#[derive(Clone, Debug)]
struct Knowledge {
    rules: FxHashMap<Predicate, Vec<Prepared>>,
    lifetime: FxHashMap<Predicate, Lifetime>,
    facts: Facts,
}

/// Steps between two looks whether the work is to end.
const STEPS_BETWEEN_LOOKS: u64 = 4096;

/// Answers questions about one state at a time.
#[derive(Clone, Debug)]
pub struct Prover {
    terms: Terms,
    knowledge: Arc<Knowledge>,
    state: Arc<Facts>,
    moves: Arc<Facts>,
    numbers: [FxHashMap<(SymId, Question), usize>; 3],
    tables: [Vec<Table>; 3],
    /// The round of each open question, by depth.
    rounds: Vec<u64>,
    round: u64,
    nested: usize,
    /// The variables that were given values, the latest last.
    bound: Vec<u32>,
    new_answers: u64,
    /// Questions of each shape and their answers together.
    answered: FxHashMap<Shape, (u64, u64)>,
    work: u64,
    work_limit: u64,
    stop: Stop,
}

const INDEPENDENT: usize = usize::MAX;
/// Open questions within one another.
const MAX_DEPTH: usize = 1_000;
/// Conditions being proved within one another: they lie on the stack, of which a thread has 2 MB.
const MAX_NESTED: usize = 3_000;

impl Prover {
    /// A prover that knows the rules and no state yet.
    pub fn new(program: &Program, terms: Terms, limits: &Limits) -> Result<Self, GdlError> {
        let mut rules: FxHashMap<Predicate, Vec<Clause>> = FxHashMap::default();
        let mut facts = Facts::default();
        for clause in &program.whole {
            match (&clause.head, clause.head.predicate(&terms)) {
                (Pat::Ground(t), _)
                    if clause.pos.is_empty() && clause.neg.is_empty() && clause.distinct.is_empty() =>
                {
                    facts.add(*t, &terms);
                }
                (_, Some(p)) => rules.entry(p).or_default().push(clause.clone()),
                _ => {}
            }
        }
        let lifetime = lifetimes(&rules, &terms);
        let names: FxHashSet<Predicate> = rules.keys().copied().collect();
        let rules = rules
            .into_iter()
            .map(|(p, list)| {
                Ok((p, list.into_iter().map(|c| prepare(c, &names, &terms)).collect::<Result<_, _>>()?))
            })
            .collect::<Result<FxHashMap<_, Vec<Prepared>>, GdlError>>()?;
        Ok(Prover {
            terms,
            knowledge: Arc::new(Knowledge { rules, lifetime, facts }),
            state: Arc::default(),
            moves: Arc::default(),
            numbers: Default::default(),
            tables: Default::default(),
            rounds: Vec::new(),
            round: 0,
            nested: 0,
            bound: Vec::new(),
            new_answers: 0,
            answered: FxHashMap::default(),
            work: 0,
            work_limit: limits.state_work,
            stop: limits.stop.clone(),
        })
    }

    /// The store of its terms.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The store of its terms, to make new ones.
    pub fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// Facts are the insides of `true`.
    pub fn set_state(&mut self, facts: Facts) {
        self.state = Arc::new(facts);
        self.forget(Lifetime::State);
        self.forget(Lifetime::Moves);
        self.work = 0;
    }

    /// Atoms `(does role move)`.
    pub fn set_moves(&mut self, does: Facts) {
        self.moves = Arc::new(does);
        self.forget(Lifetime::Moves);
    }

    fn life(&self, name: SymId, arity: u32) -> Lifetime {
        self.knowledge.lifetime.get(&(name, arity)).copied().unwrap_or(Lifetime::Always)
    }

    fn forget(&mut self, lifetime: Lifetime) {
        self.numbers[lifetime as usize].clear();
        self.tables[lifetime as usize].clear();
    }

    /// All atoms of a relation with the given arguments.
    pub fn ask_open(&mut self, name: SymId, args: &[Option<TermId>]) -> Result<Vec<TermId>, GdlError> {
        self.rounds.clear();
        self.nested = 0;
        self.bound.clear();
        match self.solve(name, args.into()) {
            Ok((life, table, _)) => Ok(self.tables[life][table].answers.clone()),
            Err(e) => {
                // Questions that were given up in the middle must not look answered.
                [Lifetime::Always, Lifetime::State, Lifetime::Moves].into_iter().for_each(|l| self.forget(l));
                Err(e)
            }
        }
    }

    /// Answers a question; the last number is the depth of the open question that the answers still
    /// depend on, if any.
    fn solve(&mut self, name: SymId, args: Question) -> Result<(usize, usize, usize), GdlError> {
        let relation = (name, args.len() as u32);
        let life = self.life(name, relation.1) as usize;
        let key = (name, args);
        let table = match self.numbers[life].get(&key) {
            Some(known) => *known,
            None => {
                let table = Table { status: Status::New, answers: Vec::new(), set: FxHashSet::default() };
                self.tables[life].push(table);
                self.numbers[life].insert(key.clone(), self.tables[life].len() - 1);
                self.tables[life].len() - 1
            }
        };
        match self.tables[life][table].status {
            Status::Complete => return Ok((life, table, INDEPENDENT)),
            Status::Open(depth) => return Ok((life, table, depth)),
            Status::Partial { leader, round } if self.rounds.get(leader) == Some(&round) => {
                return Ok((life, table, leader));
            }
            Status::Partial { .. } | Status::New => {}
        }
        let args = key.1;
        let depth = self.rounds.len();
        if depth >= MAX_DEPTH {
            return Err(GdlError::TooLarge {
                what: "questions within one another",
                limit: MAX_DEPTH as u64,
                knob: crate::error::FIXED,
            });
        }
        self.tables[life][table].status = Status::Open(depth);
        self.rounds.push(0);
        let knowledge = Arc::clone(&self.knowledge);
        self.add_facts(&knowledge.facts, relation, &args, (life, table));
        let lowest = loop {
            self.round += 1;
            self.rounds[depth] = self.round;
            let before = self.new_answers;
            let mut lowest = INDEPENDENT;
            for clause in knowledge.rules.get(&relation).into_iter().flatten() {
                lowest = lowest.min(self.apply(clause, &args, (life, table))?);
            }
            if lowest == INDEPENDENT || self.new_answers == before {
                break lowest;
            }
        };
        let seen = self.answered.entry(shape(name, args.iter().map(Option::is_some))).or_default();
        seen.0 += 1;
        seen.1 += self.tables[life][table].answers.len() as u64;
        let round = self.rounds.pop();
        let lowest = if lowest < depth { lowest } else { INDEPENDENT };
        self.tables[life][table].status = match lowest {
            INDEPENDENT => Status::Complete,
            leader => {
                Status::Partial { leader, round: self.rounds.get(leader).copied().or(round).unwrap_or(0) }
            }
        };
        Ok((life, table, lowest))
    }

    fn add_facts(&mut self, facts: &Facts, relation: Predicate, args: &Question, table: (usize, usize)) {
        let Some(all) = facts.by_relation.get(&relation) else { return };
        let first = args.iter().enumerate().find_map(|(i, a)| a.map(|a| (relation, i as u32, a)));
        let list = match first {
            Some(key) => facts.by_argument.get(&key).map_or(&[][..], Vec::as_slice),
            None => all,
        };
        for &atom in list {
            if fits(self.terms.args(atom), args) {
                self.add_answer(atom, table);
            }
        }
    }

    fn add_answer(&mut self, atom: TermId, table: (usize, usize)) {
        let table = &mut self.tables[table.0][table.1];
        if table.set.insert(atom) {
            table.answers.push(atom);
            self.new_answers += 1;
        }
    }

    /// Finds the answers that one rule gives.
    fn apply(&mut self, rule: &Prepared, args: &Question, table: (usize, usize)) -> Result<usize, GdlError> {
        let mut bindings: Bindings = vec![None; rule.variables];
        if let Pat::Fn(_, head_args) = &rule.clause.head {
            for (p, a) in head_args.iter().zip(args) {
                if a.is_some_and(|a| !matches(p, a, &mut bindings, &self.terms, &mut Vec::new())) {
                    return Ok(INDEPENDENT);
                }
            }
        } else if let Pat::Ground(t) = rule.clause.head
            && !fits(self.terms.args(t), args)
        {
            return Ok(INDEPENDENT);
        }
        let open = !(Open::MAX.checked_shl(rule.vars.len() as u32).unwrap_or(0));
        self.body(rule, open, &mut bindings, args, table)
    }

    /// Proves the conditions that are still open, the cheapest first.
    fn body(
        &mut self,
        rule: &Prepared,
        open: Open,
        bindings: &mut Bindings,
        args: &Question,
        table: (usize, usize),
    ) -> Result<usize, GdlError> {
        self.work += 1;
        if self.work > self.work_limit {
            return Err(GdlError::TooLarge {
                what: "steps of reasoning about one state",
                limit: self.work_limit,
                knob: "state_work",
            });
        }
        if self.work.is_multiple_of(STEPS_BETWEEN_LOOKS) {
            self.stop.check()?;
            self.stop.check_bytes(self.terms.bytes())?;
        }
        if self.nested >= MAX_NESTED {
            return Err(GdlError::TooLarge {
                what: "conditions within one another",
                limit: MAX_NESTED as u64,
                knob: crate::error::FIXED,
            });
        }
        self.nested += 1;
        let found = self.next_condition(rule, open, bindings, args, table);
        self.nested -= 1;
        found
    }

    fn next_condition(
        &mut self,
        rule: &Prepared,
        open: Open,
        bindings: &mut Bindings,
        args: &Question,
        table: (usize, usize),
    ) -> Result<usize, GdlError> {
        let Some(best) = self.cheapest(rule, open, bindings) else {
            let atom = build(&rule.clause.head, bindings, &mut self.terms)?;
            if fits(self.terms.args(atom), args) {
                self.add_answer(atom, table);
            }
            return Ok(INDEPENDENT);
        };
        let open = open & !(1 << best);
        let (p, n) = (rule.clause.pos.len(), rule.clause.neg.len());
        if best < p {
            return self.positive(rule, best, open, bindings, args, table);
        }
        let holds = if best < p + n {
            !self.holds(&rule.clause.neg[best - p], bindings)?
        } else {
            let (a, b) = &rule.clause.distinct[best - p - n];
            build(a, bindings, &mut self.terms)? != build(b, bindings, &mut self.terms)?
        };
        if holds { self.body(rule, open, bindings, args, table) } else { Ok(INDEPENDENT) }
    }

    /// Whether a ground atom holds.
    fn holds(&mut self, p: &Pat, bindings: &Bindings) -> Result<bool, GdlError> {
        let atom = build(p, bindings, &mut self.terms)?;
        let name = self.terms.functor(atom);
        match (name, self.terms.args(atom)) {
            (sym::TRUE, &[fact]) => return Ok(self.state.set.contains(&fact)),
            (sym::DOES, _) => return Ok(self.moves.set.contains(&atom)),
            _ => {}
        }
        let args: Question = self.terms.args(atom).iter().map(|&a| Some(a)).collect();
        let (life, table, depends) = self.solve(name, args)?;
        if depends != INDEPENDENT {
            return Err(GdlError::Unstratified { atom: self.terms.show(atom) });
        }
        Ok(!self.tables[life][table].answers.is_empty())
    }

    /// Goes through the answers to a positive condition.
    fn positive(
        &mut self,
        rule: &Prepared,
        which: usize,
        open: Open,
        bindings: &mut Bindings,
        args: &Question,
        table: (usize, usize),
    ) -> Result<usize, GdlError> {
        let literal = &rule.clause.pos[which];
        let name = literal.predicate(&self.terms).map(|p| p.0);
        if name == Some(sym::TRUE) || name == Some(sym::DOES) {
            let (facts, pattern) = match literal {
                Pat::Fn(sym::TRUE, inner) => (Arc::clone(&self.state), &inner[0]),
                Pat::Ground(_) => {
                    let go_on = self.holds(literal, bindings)?;
                    return if go_on {
                        self.body(rule, open, bindings, args, table)
                    } else {
                        Ok(INDEPENDENT)
                    };
                }
                _ => (Arc::clone(&self.moves), literal),
            };
            let mut lowest = INDEPENDENT;
            for &atom in facts.candidates(pattern, bindings, &self.terms) {
                lowest = lowest.min(self.try_answer(rule, (pattern, atom), open, bindings, args, table)?);
            }
            return Ok(lowest);
        }
        let (name, question) = self.question(literal, bindings);
        let (life, found, mut lowest) = self.solve(name, question)?;
        // Answers that come while these are used are seen in the next round.
        for i in 0..self.tables[life][found].answers.len() {
            let atom = self.tables[life][found].answers[i];
            lowest = lowest.min(self.try_answer(rule, (literal, atom), open, bindings, args, table)?);
        }
        Ok(lowest)
    }

    /// Goes on with the variables that one answer binds, and frees them again.
    fn try_answer(
        &mut self,
        rule: &Prepared,
        (pattern, atom): (&Pat, TermId),
        open: Open,
        bindings: &mut Bindings,
        args: &Question,
        table: (usize, usize),
    ) -> Result<usize, GdlError> {
        let before = self.bound.len();
        let lowest = if matches(pattern, atom, bindings, &self.terms, &mut self.bound) {
            self.body(rule, open, bindings, args, table)?
        } else {
            INDEPENDENT
        };
        self.bound.drain(before..).for_each(|v| bindings[v as usize] = None);
        Ok(lowest)
    }

    fn question(&self, literal: &Pat, bindings: &Bindings) -> (SymId, Question) {
        match literal {
            Pat::Var(_) => (sym::AND, Box::default()),
            Pat::Ground(t) => {
                (self.terms.functor(*t), self.terms.args(*t).iter().map(|&a| Some(a)).collect())
            }
            Pat::Fn(f, args) => (*f, args.iter().map(|a| find(a, bindings, &self.terms)).collect()),
        }
    }
}

fn fits(values: &[TermId], args: &Question) -> bool {
    values.iter().zip(args).all(|(t, a)| a.is_none_or(|a| a == *t))
}
