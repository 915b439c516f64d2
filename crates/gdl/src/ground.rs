//! Grounding: every instance of every rule that any play could use.
//!
//! The reachable facts and moves are inferred by a fixpoint that ignores negated dynamic
//! conditions, so that no `base` or `input` is needed. Conditions on static relations are decided
//! here and leave no trace in the instances.

use crate::error::{GdlError, Limits};
use crate::join::{Joiner, Plan, Reading, Sink};
use crate::normal::Program;
use crate::relations::{FlatLiteral, Relations, ViewId};
use crate::strata::{self, Stratum};
use crate::terms::{TermId, Terms, sym};
use rustc_hash::FxHashMap;

/// Ground rule instances, packed.
#[derive(Clone, Debug, Default)]
pub struct Instances {
    data: Vec<u32>,
    starts: Vec<usize>,
}

/// One ground rule.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'a> {
    /// What follows.
    pub head: TermId,
    /// What must hold.
    pub pos: &'a [TermId],
    /// What must not hold.
    pub neg: &'a [TermId],
}

impl Instances {
    fn push(&mut self, head: TermId, pos: &[TermId], neg: &[TermId]) {
        self.starts.push(self.data.len());
        self.data.push(head);
        self.data.push(pos.len() as u32);
        self.data.extend_from_slice(pos);
        self.data.extend_from_slice(neg);
    }

    fn bytes(&self) -> u64 {
        (self.data.capacity() * size_of::<u32>() + self.starts.capacity() * size_of::<usize>()) as u64
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The instance of this number.
    pub fn get(&self, i: usize) -> Instance<'_> {
        let end = self.starts.get(i + 1).copied().unwrap_or(self.data.len());
        let data = &self.data[self.starts[i]..end];
        let (pos, neg) = data[2..].split_at(data[1] as usize);
        Instance { head: data[0], pos, neg }
    }
}

/// Atoms between two looks whether the work is to end.
const ATOMS_BETWEEN_LOOKS: usize = 256;

/// The ground game.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Facts that may hold in some state (the inside of `true`), in the order they were found.
    pub facts: Vec<TermId>,
    /// Facts of the first state.
    pub init: Vec<TermId>,
    /// Atoms `(does role move)` that may be chosen.
    pub does: Vec<TermId>,
    /// Every rule instance that play could use.
    pub instances: Instances,
    /// Rows looked at: the work it took.
    pub work: u64,
}

/// The static relations, evaluated for good.
#[derive(Clone, Debug)]
pub struct Statics {
    /// The relations as tables, ready to be joined with.
    pub relations: Relations,
    /// Every static atom, in the order of derivation.
    pub atoms: Vec<TermId>,
    /// The facts of the first state.
    pub init: Vec<TermId>,
}

/// Evaluates the static relations.
pub fn evaluate_statics(program: &Program, terms: &mut Terms, limits: &Limits) -> Result<Statics, GdlError> {
    let mut relations = Relations::default();
    // Views must exist before rows arrive.
    for c in &program.clauses {
        for p in &c.pos {
            relations.flatten(p, terms)?;
        }
    }
    let groups = strata::order(program, terms, |p| !program.dynamic.contains(&p))?;
    let mut joiner = Joiner::new(limits);
    let mut derived = Vec::new();
    for group in groups {
        let stratum = Stratum::new(&group, &mut relations, terms)?;
        stratum.run(&mut relations, terms, &mut joiner, &mut derived)?;
    }
    let init = derived
        .iter()
        .filter(|&&t| terms.functor(t) == sym::INIT)
        .filter_map(|&t| terms.args(t).first().copied())
        .collect();
    Ok(Statics { relations, atoms: derived, init })
}

/// Grounds the dynamic part over relations that hold the static part.
pub fn ground(
    program: &Program,
    mut relations: Relations,
    init: &[TermId],
    terms: &mut Terms,
    limits: &Limits,
) -> Result<Ground, GdlError> {
    let plans = Plans::new(program, &mut relations, terms)?;
    let mut joiner = Joiner::new(limits);
    let mut sink = Recorder {
        instances: Instances::default(),
        literal_limit: limits.ground_literals,
        heads: Vec::new(),
    };
    let mut ground = Ground {
        facts: Vec::new(),
        init: init.to_vec(),
        does: Vec::new(),
        instances: Instances::default(),
        work: 0,
    };
    let mut queue: Vec<TermId> = Vec::new();
    for &fact in init {
        let atom = terms.make(sym::TRUE, &[fact])?;
        if relations.learn(atom) {
            queue.push(atom);
        }
    }
    for plan in &plans.initial {
        joiner.run(plan, &relations, terms, &mut sink)?;
    }
    let mut rows = Vec::new();
    let mut next = 0;
    loop {
        for head in sink.heads.drain(..) {
            derive(head, &mut relations, terms, &mut queue)?;
        }
        let Some(&atom) = queue.get(next) else { break };
        next += 1;
        if next.is_multiple_of(ATOMS_BETWEEN_LOOKS) {
            limits.stop.check()?;
            limits.stop.check_bytes(sink.bytes() + terms.bytes())?;
        }
        match terms.functor(atom) {
            sym::TRUE => ground.facts.push(terms.args(atom)[0]),
            sym::DOES if terms.args(atom).len() == 2 => ground.does.push(atom),
            _ => {}
        }
        relations.insert(atom, terms, &mut rows);
        for row in &rows {
            for plan in plans.triggered.get(&row.0).into_iter().flatten() {
                joiner.run_from(plan, *row, &relations, terms, &mut sink)?;
            }
        }
    }
    ground.instances = sink.instances;
    ground.work = joiner.work;
    Ok(ground)
}

/// Marks a head as possible; `next` makes a fact possible and `legal` a move.
fn derive(
    head: TermId,
    relations: &mut Relations,
    terms: &mut Terms,
    queue: &mut Vec<TermId>,
) -> Result<(), GdlError> {
    if !relations.learn(head) {
        return Ok(());
    }
    queue.push(head);
    let twin = match (terms.functor(head), terms.args(head)) {
        (sym::NEXT, &[fact]) => terms.make(sym::TRUE, &[fact])?,
        (sym::LEGAL, &[role, action]) => terms.make(sym::DOES, &[role, action])?,
        _ => return Ok(()),
    };
    if relations.learn(twin) {
        queue.push(twin);
    }
    Ok(())
}

struct Plans {
    initial: Vec<Plan>,
    triggered: FxHashMap<ViewId, Vec<Plan>>,
}

impl Plans {
    fn new(program: &Program, relations: &mut Relations, terms: &Terms) -> Result<Self, GdlError> {
        let mut plans = Plans { initial: Vec::new(), triggered: FxHashMap::default() };
        for clause in &program.clauses {
            let is_dynamic = |p| program.is_dynamic(p, terms);
            if !is_dynamic(&clause.head) {
                continue;
            }
            let flat: Vec<FlatLiteral> =
                clause.pos.iter().map(|p| relations.flatten(p, terms)).collect::<Result<_, _>>()?;
            let reading = Reading {
                clause,
                flat: &flat,
                growing: clause.pos.iter().map(is_dynamic).collect(),
                recorded: clause.pos.iter().map(is_dynamic).collect(),
                negated: clause.neg.iter().map(is_dynamic).collect(),
            };
            for (i, literal) in flat.iter().enumerate() {
                if reading.growing[i] {
                    let plan = Plan::new(&reading, Some(i), relations);
                    plans.triggered.entry(literal.view).or_default().push(plan);
                }
            }
            if !reading.growing.contains(&true) {
                plans.initial.push(Plan::new(&reading, None, relations));
            }
        }
        Ok(plans)
    }
}

struct Recorder {
    instances: Instances,
    literal_limit: usize,
    heads: Vec<TermId>,
}

impl Sink for Recorder {
    fn instance(
        &mut self,
        _: &mut Terms,
        head: TermId,
        pos: &[TermId],
        neg: &[TermId],
    ) -> Result<(), GdlError> {
        if self.instances.data.len() > self.literal_limit {
            return Err(GdlError::TooLarge {
                what: "literals in ground rules",
                limit: self.literal_limit as u64,
                knob: "ground_literals",
            });
        }
        self.instances.push(head, pos, neg);
        self.heads.push(head);
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.instances.bytes() + (self.heads.capacity() * size_of::<TermId>()) as u64
    }
}
