//! Plans and runs the joins of rule bodies against relations.

use crate::error::{GdlError, Limits};
use crate::normal::Clause;
use crate::relations::{Cell, FlatLiteral, Relations, ViewId};
use crate::syntax::{Pat, Vars};
use crate::terms::{TermId, Terms};
use ludens_core::{Stop, math};

/// What to do with one cell of a candidate row.
#[derive(Clone, Copy, Debug)]
enum Action {
    Bind(usize, u32),
    Same(usize, u32),
    Equal(usize, TermId),
}

#[derive(Clone, Debug)]
enum Step {
    /// Go through the rows of a view that fit what is bound so far.
    Rows {
        view: ViewId,
        index: Option<(usize, Box<[Cell]>)>,
        actions: Box<[Action]>,
        /// The atom matched here is part of the instance (its relation changes during play).
        recorded: bool,
        /// Earlier literals must not match the triggering atom itself, or instances come twice.
        skip_trigger: bool,
    },
    Distinct(Pat, Pat),
    /// The atom must not be known.
    Absent(Pat),
    /// The atom's negation becomes part of the instance.
    Negate(Pat),
}

/// The order in which a clause is joined, from the start or from one atom that triggers it.
#[derive(Clone, Debug)]
pub struct Plan {
    variables: usize,
    trigger: Option<(Box<[Action]>, bool)>,
    steps: Vec<Step>,
    head: Pat,
}

/// How the literals of a clause are to be read.
#[derive(Clone, Debug)]
pub struct Reading<'a> {
    /// The clause itself.
    pub clause: &'a Clause,
    /// Positive literals, flattened.
    pub flat: &'a [FlatLiteral],
    /// Which positive literals belong to relations that are not complete yet.
    pub growing: Vec<bool>,
    /// Which positive literals are recorded in instances.
    pub recorded: Vec<bool>,
    /// Which negative literals are recorded instead of tested.
    pub negated: Vec<bool>,
}

impl Plan {
    /// Orders the literals greedily: tests as soon as they can be made, then whatever is expected
    /// to leave the fewest rows.
    pub fn new(reading: &Reading, trigger: Option<usize>, relations: &mut Relations) -> Plan {
        let clause = reading.clause;
        let mut bound = Vars::new();
        let mut plan = Plan {
            variables: variable_count(clause),
            trigger: trigger.map(|t| {
                let actions = actions_for(&reading.flat[t].cells, &mut bound);
                (actions, reading.recorded[t])
            }),
            steps: Vec::new(),
            head: clause.head.clone(),
        };
        let mut open: Vec<usize> = (0..clause.pos.len()).filter(|i| Some(*i) != trigger).collect();
        let mut tests = Tests::new(reading);
        tests.take(&bound, &mut plan.steps);
        while !open.is_empty() {
            let costs = open.iter().map(|&i| expected_rows(reading, i, &bound, relations));
            let (slot, _) = costs.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0));
            let i = open.remove(slot);
            let literal = &reading.flat[i];
            let columns: Vec<usize> = bound_columns(&literal.cells, &bound);
            let index = (!columns.is_empty()).then(|| {
                let index = relations.view_mut(literal.view).index(&columns);
                (index, columns.iter().map(|&c| literal.cells[c]).collect())
            });
            plan.steps.push(Step::Rows {
                view: literal.view,
                index,
                actions: actions_for(&literal.cells, &mut bound),
                recorded: reading.recorded[i],
                skip_trigger: trigger.is_some_and(|t| i < t),
            });
            tests.take(&bound, &mut plan.steps);
        }
        plan
    }
}

fn variable_count(clause: &Clause) -> usize {
    let mut vars = clause.head.vars();
    clause.pos.iter().chain(&clause.neg).for_each(|p| p.add_vars(&mut vars));
    vars.last().map_or(0, |&v| v as usize + 1)
}

fn bound_columns(cells: &[Cell], bound: &Vars) -> Vec<usize> {
    let is_bound = |c: &Cell| match c {
        Cell::Var(v) => bound.contains(v),
        Cell::Const(_) => true,
    };
    (0..cells.len()).filter(|&i| is_bound(&cells[i])).collect()
}

fn actions_for(cells: &[Cell], bound: &mut Vars) -> Box<[Action]> {
    let action = |(i, c): (usize, &Cell)| match *c {
        Cell::Const(t) => Action::Equal(i, t),
        Cell::Var(v) if bound.insert(v) => Action::Bind(i, v),
        Cell::Var(v) => Action::Same(i, v),
    };
    cells.iter().enumerate().map(action).collect()
}

fn expected_rows(reading: &Reading, i: usize, bound: &Vars, relations: &mut Relations) -> f64 {
    let literal = &reading.flat[i];
    let columns = bound_columns(&literal.cells, bound);
    let open = literal.cells.len() - columns.len();
    if open == 0 {
        return 0.0;
    }
    let view = relations.view_mut(literal.view);
    if reading.growing[i] || view.is_empty() {
        // Its size is not known yet: every open column may have a handful of values.
        return math::powi(6.0, open as i32) * if columns.is_empty() { 8.0 } else { 1.0 };
    }
    if columns.is_empty() {
        return view.len() as f64;
    }
    let index = view.index(&columns);
    view.len() as f64 / view.keys(index).max(1) as f64
}

/// The tests of a clause that were not made yet.
struct Tests {
    waiting: Vec<(Vars, Step)>,
}

impl Tests {
    fn new(reading: &Reading) -> Self {
        let mut waiting = Vec::new();
        for (a, b) in &reading.clause.distinct {
            let mut vars = a.vars();
            b.add_vars(&mut vars);
            waiting.push((vars, Step::Distinct(a.clone(), b.clone())));
        }
        for (p, negated) in reading.clause.neg.iter().zip(&reading.negated) {
            let step = if *negated { Step::Negate(p.clone()) } else { Step::Absent(p.clone()) };
            waiting.push((p.vars(), step));
        }
        Tests { waiting }
    }

    fn take(&mut self, bound: &Vars, steps: &mut Vec<Step>) {
        let (ready, waiting) =
            std::mem::take(&mut self.waiting).into_iter().partition(|(vars, _)| vars.is_subset(bound));
        self.waiting = waiting;
        let ready: Vec<(Vars, Step)> = ready;
        steps.extend(ready.into_iter().map(|(_, s)| s));
    }
}

/// Receives each instance of a clause.
pub trait Sink {
    /// Takes one instance: its head, and what it records as positive and negated.
    fn instance(
        &mut self,
        terms: &mut Terms,
        head: TermId,
        pos: &[TermId],
        neg: &[TermId],
    ) -> Result<(), GdlError>;

    /// What it holds by now.
    fn bytes(&self) -> u64;
}

/// The scratch memory of a join, and its meter.
#[derive(Debug, Default)]
pub struct Joiner {
    bindings: Vec<TermId>,
    pos: Vec<TermId>,
    neg: Vec<TermId>,
    /// Rows looked at so far.
    pub work: u64,
    /// How many rows may be looked at.
    pub work_limit: u64,
    stop: Stop,
}

/// Rows between two looks whether the work is to end.
const ROWS_BETWEEN_LOOKS: u64 = 4096;

impl Joiner {
    /// A joiner that gives up after as many rows as grounding may look at.
    pub fn new(limits: &Limits) -> Self {
        Joiner { work_limit: limits.ground_work, stop: limits.stop.clone(), ..Joiner::default() }
    }

    /// All instances of a plan that has no trigger.
    pub fn run(
        &mut self,
        plan: &Plan,
        relations: &Relations,
        terms: &mut Terms,
        sink: &mut impl Sink,
    ) -> Result<(), GdlError> {
        self.start(plan);
        self.step(plan, 0, None, relations, terms, sink)
    }

    /// All instances in which the triggering literal is the given row.
    pub fn run_from(
        &mut self,
        plan: &Plan,
        row: (ViewId, u32),
        relations: &Relations,
        terms: &mut Terms,
        sink: &mut impl Sink,
    ) -> Result<(), GdlError> {
        self.start(plan);
        let Some((actions, recorded)) = &plan.trigger else { return Ok(()) };
        let view = relations.view(row.0);
        if !perform(actions, view.row(row.1), &mut self.bindings) {
            return Ok(());
        }
        let atom = view.atom(row.1);
        if *recorded {
            self.pos.push(atom);
        }
        self.step(plan, 0, Some(atom), relations, terms, sink)
    }

    fn start(&mut self, plan: &Plan) {
        self.bindings.clear();
        self.bindings.resize(plan.variables, 0);
        self.pos.clear();
        self.neg.clear();
    }

    fn step(
        &mut self,
        plan: &Plan,
        k: usize,
        trigger: Option<TermId>,
        relations: &Relations,
        terms: &mut Terms,
        sink: &mut impl Sink,
    ) -> Result<(), GdlError> {
        let Some(step) = plan.steps.get(k) else {
            let head = build(&plan.head, &self.bindings, terms)?;
            return sink.instance(terms, head, &self.pos, &self.neg);
        };
        match step {
            Step::Distinct(a, b) => {
                let a = build(a, &self.bindings, terms)?;
                let b = build(b, &self.bindings, terms)?;
                if a != b {
                    self.step(plan, k + 1, trigger, relations, terms, sink)?;
                }
            }
            Step::Absent(p) => {
                let atom = find(p, &self.bindings, terms);
                if !atom.is_some_and(|a| relations.knows(a)) {
                    self.step(plan, k + 1, trigger, relations, terms, sink)?;
                }
            }
            Step::Negate(p) => {
                self.neg.push(build(p, &self.bindings, terms)?);
                self.step(plan, k + 1, trigger, relations, terms, sink)?;
                self.neg.pop();
            }
            Step::Rows { view, index, actions, recorded, skip_trigger } => {
                let view = relations.view(*view);
                let mut row = match index {
                    Some((index, key)) => {
                        let value = |c: &Cell| match *c {
                            Cell::Var(v) => self.bindings[v as usize],
                            Cell::Const(t) => t,
                        };
                        view.first(*index, key.iter().map(value))
                    }
                    None => (view.len() as u32).checked_sub(1),
                };
                while let Some(r) = row {
                    self.count_work(|| terms.bytes() + sink.bytes())?;
                    let atom = view.atom(r);
                    if !(*skip_trigger && trigger == Some(atom))
                        && perform(actions, view.row(r), &mut self.bindings)
                    {
                        if *recorded {
                            self.pos.push(atom);
                        }
                        self.step(plan, k + 1, trigger, relations, terms, sink)?;
                        if *recorded {
                            self.pos.pop();
                        }
                    }
                    row = match index {
                        Some((index, _)) => view.older(*index, r),
                        None => r.checked_sub(1),
                    };
                }
            }
        }
        Ok(())
    }

    fn count_work(&mut self, held: impl Fn() -> u64) -> Result<(), GdlError> {
        self.work += 1;
        if self.work > self.work_limit {
            return Err(GdlError::TooLarge {
                what: "steps of reasoning",
                limit: self.work_limit,
                knob: "ground_work",
            });
        }
        if self.work.is_multiple_of(ROWS_BETWEEN_LOOKS) {
            self.stop.check()?;
            self.stop.check_bytes(held())?;
        }
        Ok(())
    }
}

fn perform(actions: &[Action], row: &[TermId], bindings: &mut [TermId]) -> bool {
    actions.iter().all(|a| match *a {
        Action::Bind(c, v) => {
            bindings[v as usize] = row[c];
            true
        }
        Action::Same(c, v) => bindings[v as usize] == row[c],
        Action::Equal(c, t) => t == row[c],
    })
}

/// The ground term of a pattern, made if it is new.
fn build(p: &Pat, bindings: &[TermId], terms: &mut Terms) -> Result<TermId, GdlError> {
    match p {
        Pat::Var(v) => Ok(bindings[*v as usize]),
        Pat::Ground(t) => Ok(*t),
        Pat::Fn(f, args) => {
            let mut short = [0; 12];
            if args.len() <= short.len() {
                for (slot, a) in short.iter_mut().zip(args) {
                    *slot = build(a, bindings, terms)?;
                }
                return terms.make(*f, &short[..args.len()]);
            }
            let long: Result<Vec<_>, _> = args.iter().map(|a| build(a, bindings, terms)).collect();
            terms.make(*f, &long?)
        }
    }
}

/// The ground term of a pattern, if it exists.
fn find(p: &Pat, bindings: &[TermId], terms: &Terms) -> Option<TermId> {
    match p {
        Pat::Var(v) => Some(bindings[*v as usize]),
        Pat::Ground(t) => Some(*t),
        Pat::Fn(f, args) => {
            let args: Option<Vec<_>> = args.iter().map(|a| find(a, bindings, terms)).collect();
            terms.find(*f, &args?)
        }
    }
}
