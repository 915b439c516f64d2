//! One front for both ways of reasoning: the incremental machine on the network, or the lifted
//! evaluator where a game is too large to ground.

use crate::check::{self, Report};
use crate::error::{GdlError, Limits};
use crate::game_network::{self, GameNetwork};
use crate::ground;
use crate::lanes::LaneCode;
use crate::lifted::Lifted;
use crate::machine::Machine;
use crate::normal::{self, Program};
use crate::sexpr::Expr;
use crate::syntax::Rules;
use crate::terms::{TermId, Terms};
use crate::wiring::Wiring;
use ludens_core::{Rng, Stopped};
use std::sync::Arc;

/// A game made from rules: shared and immutable.
#[derive(Debug)]
pub struct Description {
    rules: Rules,
    program: Program,
    limits: Limits,
    grounded: Result<Grounded, GdlError>,
    /// Warnings of the checker.
    pub report: Report,
}

/// The game as a network, ready for both machines.
#[derive(Debug)]
pub struct Grounded {
    /// The gates, and what their outputs mean.
    pub network: Arc<GameNetwork>,
    /// The network as the incremental machine needs it.
    pub wiring: Arc<Wiring>,
    /// The network as the bit-parallel machine needs it.
    pub code: LaneCode,
    /// Ground rule instances before they became gates.
    pub instances: usize,
    /// Atoms that hold in every state: numbers, neighbours, directions.
    pub statics: Vec<TermId>,
}

impl Description {
    /// Reads, checks and, if it is not too large, grounds a game.
    pub fn load(text: &str, limits: &Limits) -> Result<Self, GdlError> {
        Description::from_rules(Rules::parse(text, limits)?, limits)
    }

    /// The same for rules that came as expressions, as the GGP protocol sends them.
    pub fn from_exprs(exprs: &[Expr], limits: &Limits) -> Result<Self, GdlError> {
        Description::from_rules(Rules::from_exprs(exprs, limits)?, limits)
    }

    /// The same, left to the lifted evaluator: there at once, where grounding may take seconds.
    pub fn ungrounded(exprs: &[Expr], limits: &Limits) -> Result<Self, GdlError> {
        Description::with_grounding(Rules::from_exprs(exprs, limits)?, limits, |_, _, _| {
            Err(GdlError::NotGrounded)
        })
    }

    fn from_rules(rules: Rules, limits: &Limits) -> Result<Self, GdlError> {
        Description::with_grounding(rules, limits, ground_all)
    }

    fn with_grounding(
        mut rules: Rules,
        limits: &Limits,
        ground: impl Fn(&mut Rules, &Program, &Limits) -> Result<Grounded, GdlError>,
    ) -> Result<Self, GdlError> {
        let report = check::check(&rules);
        if let Some(error) = report.first_error() {
            return Err(error);
        }
        let program = normal::normalise(&mut rules, limits)?;
        let grounded = ground(&mut rules, &program, limits);
        match &grounded {
            // The rules are too large, or grounding was not asked for; anything else says that they are wrong, or that nobody wants
            // them any more.
            Ok(_) | Err(GdlError::TooLarge { .. } | GdlError::NotGrounded) => {}
            Err(GdlError::Stopped(Stopped::Memory(_))) => {}
            Err(e) => return Err(e.clone()),
        }
        let mut description = Description { rules, program, limits: limits.clone(), grounded, report };
        if description.grounded.is_err() {
            // Say now, not in the middle of a game, if the lifted evaluator cannot do it either.
            let mut lifted = description.lifted()?;
            lifted.is_terminal()?;
            for role in 0..description.roles().len() {
                lifted.legal(role)?;
            }
        }
        // Reading had a time; playing has another.
        description.limits.stop = limits.stop.untimed();
        Ok(description)
    }

    /// The rules as they were read.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The store of all terms.
    pub fn terms(&self) -> &Terms {
        &self.rules.terms
    }

    /// In the order of joint moves.
    pub fn roles(&self) -> &[TermId] {
        &self.rules.roles
    }

    /// The names of the roles, in order.
    pub fn role_names(&self) -> Vec<String> {
        self.rules.roles.iter().map(|&r| self.rules.terms.show(r)).collect()
    }

    /// The network, or why there is none.
    pub fn grounded(&self) -> Result<&Grounded, &GdlError> {
        self.grounded.as_ref()
    }

    /// A lifted evaluator at the first state.
    pub fn lifted(&self) -> Result<Lifted, GdlError> {
        Lifted::new(&self.rules, &self.program, &self.limits)
    }

    /// The best machine for this game, at the first state.
    pub fn reasoner(&self) -> Result<Reasoner, GdlError> {
        Ok(match &self.grounded {
            Ok(g) => Reasoner::Network(Box::new(NetworkReasoner {
                machine: Machine::new(Arc::clone(&g.wiring)),
                network: Arc::clone(&g.network),
            })),
            Err(_) => Reasoner::Lifted(Box::new(self.lifted()?)),
        })
    }
}

fn ground_all(rules: &mut Rules, program: &Program, limits: &Limits) -> Result<Grounded, GdlError> {
    // A failed attempt must not leave its millions of terms behind.
    let mut terms = rules.terms.clone();
    let statics = ground::evaluate_statics(program, &mut terms, limits)?;
    let ground = ground::ground(program, statics.relations, &statics.init, &mut terms, limits)?;
    let network = Arc::new(game_network::build(&ground, &rules.roles, &terms)?);
    limits.stop.check()?;
    rules.terms = terms;
    Ok(Grounded {
        wiring: Arc::new(Wiring::new(Arc::clone(&network))),
        code: LaneCode::new(&network),
        network,
        instances: ground.instances.len(),
        statics: statics.atoms,
    })
}

/// A state as numbers that only its reasoner can read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State(pub Box<[u64]>);

/// A move of a role as a number that only its reasoner can read.
pub type Action = u32;

/// The incremental machine and its network.
#[derive(Clone, Debug)]
pub struct NetworkReasoner {
    /// The machine, at its state.
    pub machine: Machine,
    /// What its numbers mean.
    pub network: Arc<GameNetwork>,
}

/// A machine at one state.
#[derive(Clone, Debug)]
pub enum Reasoner {
    /// On the network of a game that was grounded.
    Network(Box<NetworkReasoner>),
    /// Straight from the rules.
    Lifted(Box<Lifted>),
}

impl Reasoner {
    /// How many roles the game has.
    pub fn role_count(&self) -> usize {
        match self {
            Reasoner::Network(n) => n.network.roles.len(),
            Reasoner::Lifted(l) => l.roles().len(),
        }
    }

    /// Whether it answers straight from the rules.
    pub fn is_lifted(&self) -> bool {
        matches!(self, Reasoner::Lifted(_))
    }

    /// The present state, to come back to.
    pub fn state(&self) -> State {
        match self {
            Reasoner::Network(n) => State(n.machine.state().into()),
            Reasoner::Lifted(l) => State(l.state().iter().map(|&t| u64::from(t)).collect()),
        }
    }

    /// Goes to a state that this reasoner, or a clone of it, gave.
    pub fn set_state(&mut self, state: &State) {
        match self {
            Reasoner::Network(n) => n.machine.set_state(&state.0),
            Reasoner::Lifted(l) => l.set_state(state.0.iter().map(|&t| t as TermId).collect()),
        }
    }

    /// The facts of the present state, in KIF, sorted.
    pub fn facts(&self, terms: &Terms) -> Vec<String> {
        let mut facts: Vec<String> = match self {
            Reasoner::Network(n) => {
                let bits = n.machine.state();
                let holds = |i: &usize| bits[i / 64] >> (i % 64) & 1 == 1;
                (0..n.network.facts.len()).filter(holds).map(|i| terms.show(n.network.facts[i])).collect()
            }
            Reasoner::Lifted(l) => l.state().iter().map(|&t| l.terms().show(t)).collect(),
        };
        facts.sort_unstable();
        facts
    }

    /// Whether the state is an end.
    pub fn is_terminal(&mut self) -> Result<bool, GdlError> {
        match self {
            Reasoner::Network(n) => Ok(n.machine.is_terminal()),
            Reasoner::Lifted(l) => l.is_terminal(),
        }
    }

    /// Replaces `out` by the legal moves of a role.
    pub fn legal(&mut self, role: usize, out: &mut Vec<Action>) -> Result<(), GdlError> {
        match self {
            Reasoner::Network(n) => n.machine.legal(role, out),
            Reasoner::Lifted(l) => *out = l.legal(role)?,
        }
        Ok(())
    }

    /// Plays a joint move, one legal move a role.
    pub fn advance(&mut self, joint: &[Action]) -> Result<(), GdlError> {
        match self {
            Reasoner::Network(n) => n.machine.advance(joint),
            Reasoner::Lifted(l) => {
                let next = l.next_state(joint)?;
                l.set_state(next);
            }
        }
        Ok(())
    }

    /// The goal value of a role, if exactly one holds.
    pub fn goal(&mut self, role: usize) -> Result<Option<u8>, GdlError> {
        match self {
            Reasoner::Network(n) => Ok(n.machine.goal(role)),
            Reasoner::Lifted(l) => l.goal(role),
        }
    }

    /// A uniformly random legal move of a role; none if it has none.
    pub fn random_move(&mut self, role: usize, rng: &mut Rng) -> Result<Option<Action>, GdlError> {
        match self {
            Reasoner::Network(n) => Ok(n.machine.random_move(role, rng)),
            Reasoner::Lifted(l) => {
                let moves = l.legal(role)?;
                Ok(match moves.len() {
                    0 => None,
                    1 => Some(moves[0]),
                    n => Some(moves[rng.below(n as u32) as usize]),
                })
            }
        }
    }

    /// A move in KIF. `terms` are those of the description.
    pub fn show_action(&self, action: Action, terms: &Terms) -> String {
        match self {
            Reasoner::Network(n) => terms.show(n.network.moves[action as usize]),
            Reasoner::Lifted(l) => l.terms().show(action),
        }
    }

    /// The legal move of a role that is written so, if there is one.
    pub fn find_action(
        &mut self,
        role: usize,
        written: &Expr,
        terms: &Terms,
    ) -> Result<Option<Action>, GdlError> {
        let mut legal = Vec::new();
        self.legal(role, &mut legal)?;
        let wanted = plain(written);
        Ok(legal.into_iter().find(|&a| self.show_action(a, terms) == wanted))
    }
}

/// An expression as [`Terms::show`] writes terms; `(noop)` is `noop`.
pub fn plain(e: &Expr) -> String {
    match e.list() {
        None => e.word().unwrap_or_default().to_string(),
        Some([one]) if one.word().is_some() => plain(one),
        Some(items) => {
            let items: Vec<String> = items.iter().map(plain).collect();
            format!("({})", items.join(" "))
        }
    }
}
