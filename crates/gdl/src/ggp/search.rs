//! UCT on joint moves: every role chooses by its own upper confidence bounds, whatever the others do,
//! so that simultaneous moves and any number of roles need nothing special.

use crate::error::GdlError;
use crate::reasoner::{Action, Reasoner, State};
use ludens_core::{Rng, math};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// A move of one role at one state, and how it did.
#[derive(Clone, Debug)]
struct Arm {
    action: Action,
    visits: u32,
    total: f64,
}

#[derive(Clone, Debug)]
struct Node {
    visits: u32,
    arms: Vec<Vec<Arm>>,
    /// Goals, where the game is over.
    end: Option<Vec<f64>>,
}

/// States remembered before the tree stops growing.
const MOST_NODES: usize = 300_000;
/// Weight of the doubt about a move, for goals between 0 and 1.
const DOUBT: f64 = 0.7;
const LONGEST: usize = 2_000;

/// A search from one state.
#[derive(Debug)]
pub struct JointSearch {
    reasoner: Reasoner,
    nodes: Vec<Node>,
    index: FxHashMap<State, usize>,
    root: State,
    /// The role that nature plays, uniformly.
    nature: Option<usize>,
    /// Playouts made so far.
    pub playouts: u64,
}

impl JointSearch {
    /// A search from the state the reasoner is in.
    pub fn new(reasoner: Reasoner, nature: Option<usize>) -> Self {
        let root = reasoner.state();
        JointSearch { reasoner, nodes: Vec::new(), index: FxHashMap::default(), root, nature, playouts: 0 }
    }

    /// The reasoner, at the root.
    pub fn reasoner(&mut self) -> &mut Reasoner {
        let root = self.root.clone();
        self.reasoner.set_state(&root);
        &mut self.reasoner
    }

    /// The state that is searched from.
    pub fn root(&self) -> &State {
        &self.root
    }

    /// Goes on from another state; what was found out below it is kept.
    pub fn set_root(&mut self, state: State) {
        self.root = state;
        if self.nodes.len() >= MOST_NODES {
            self.nodes.clear();
            self.index.clear();
        }
    }

    /// Goes on from the state after a joint move.
    pub fn advance(&mut self, joint: &[Action]) -> Result<(), GdlError> {
        self.reasoner().advance(joint)?;
        self.set_root(self.reasoner.state());
        Ok(())
    }

    /// The move of a role that was tried most, if any was.
    pub fn best(&self, role: usize) -> Option<Action> {
        let node = &self.nodes[*self.index.get(&self.root)?];
        let arms = node.arms.get(role)?;
        arms.iter().max_by(|a, b| a.visits.cmp(&b.visits).then(a.total.total_cmp(&b.total))).map(|a| a.action)
    }

    /// One playout from the root; nothing is learnt from one that the deadline cuts.
    pub fn simulate(&mut self, rng: &mut Rng, deadline: Option<Instant>) -> Result<(), GdlError> {
        let root = self.root.clone();
        self.reasoner.set_state(&root);
        let mut state = root;
        let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
        let values = loop {
            let known = self.index.get(&state).copied();
            let (node, is_new) = match known {
                Some(n) => (n, false),
                None if self.nodes.len() < MOST_NODES => (self.add_node(&state)?, true),
                None => match self.rollout(rng, deadline)? {
                    Some(values) => break values,
                    None => return Ok(()),
                },
            };
            if let Some(end) = &self.nodes[node].end {
                break end.clone();
            }
            let chosen = self.choose(node, rng);
            let joint: Vec<Action> =
                chosen.iter().zip(&self.nodes[node].arms).map(|(&c, arms)| arms[c].action).collect();
            path.push((node, chosen));
            self.reasoner.advance(&joint)?;
            if is_new && path.len() > 1 || path.len() > LONGEST {
                match self.rollout(rng, deadline)? {
                    Some(values) => break values,
                    None => return Ok(()),
                }
            }
            state = self.reasoner.state();
        };
        self.playouts += 1;
        for (node, chosen) in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            for (role, &c) in chosen.iter().enumerate() {
                node.arms[role][c].visits += 1;
                node.arms[role][c].total += values[role];
            }
        }
        Ok(())
    }

    fn goals(&mut self) -> Result<Vec<f64>, GdlError> {
        (0..self.reasoner.role_count())
            .map(|r| Ok(f64::from(self.reasoner.goal(r)?.unwrap_or(50)) / 100.0))
            .collect()
    }

    fn add_node(&mut self, state: &State) -> Result<usize, GdlError> {
        let roles = self.reasoner.role_count();
        let mut node = Node { visits: 0, arms: Vec::new(), end: None };
        if self.reasoner.is_terminal()? {
            node.end = Some(self.goals()?);
        } else {
            let mut legal = Vec::new();
            for role in 0..roles {
                self.reasoner.legal(role, &mut legal)?;
                let arm = |&action: &Action| Arm { action, visits: 0, total: 0.0 };
                node.arms.push(legal.iter().map(arm).collect());
            }
            if node.arms.iter().any(Vec::is_empty) {
                node.end = Some(vec![0.5; roles]);
            }
        }
        self.nodes.push(node);
        self.index.insert(state.clone(), self.nodes.len() - 1);
        Ok(self.nodes.len() - 1)
    }

    fn choose(&self, node: usize, rng: &mut Rng) -> Vec<usize> {
        let node = &self.nodes[node];
        let log = math::ln(f64::from(node.visits.max(1)));
        let one = |(role, arms): (usize, &Vec<Arm>)| {
            if arms.len() == 1 {
                return 0;
            }
            if self.nature == Some(role) {
                return rng.below(arms.len() as u32) as usize;
            }
            let untried = arms.iter().filter(|a| a.visits == 0).count();
            if untried > 0 {
                let pick = rng.below(untried as u32) as usize;
                let mut open = (0..arms.len()).filter(|&i| arms[i].visits == 0);
                return open.nth(pick).unwrap_or(0);
            }
            let bound = |a: &Arm| {
                let n = f64::from(a.visits);
                a.total / n + DOUBT * (log / n).sqrt()
            };
            (0..arms.len()).max_by(|&a, &b| bound(&arms[a]).total_cmp(&bound(&arms[b]))).unwrap_or(0)
        };
        node.arms.iter().enumerate().map(one).collect()
    }

    /// A random game from the reasoner's state; none if the time ran out.
    fn rollout(&mut self, rng: &mut Rng, deadline: Option<Instant>) -> Result<Option<Vec<f64>>, GdlError> {
        let roles = self.reasoner.role_count();
        let often = if self.reasoner.is_lifted() { 1 } else { 64 };
        let mut joint = Vec::with_capacity(roles);
        for step in 0..LONGEST {
            if self.reasoner.is_terminal()? {
                return self.goals().map(Some);
            }
            if step % often == often - 1 && deadline.is_some_and(|d| Instant::now() >= d) {
                return Ok(None);
            }
            joint.clear();
            for role in 0..roles {
                joint.extend(self.reasoner.random_move(role, rng)?);
            }
            if joint.len() < roles {
                break;
            }
            self.reasoner.advance(&joint)?;
        }
        Ok(Some(vec![0.5; roles]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Limits;
    use crate::reasoner::Description;

    /// Cross to move can win at once or lose at once.
    #[test]
    fn search_wins_when_it_can_and_blocks_when_it_must() {
        let game =
            Description::load(include_str!("../../rules/tic-tac-toe.kif"), &Limits::default()).unwrap();
        let mut search = JointSearch::new(game.reasoner().unwrap(), None);
        for (c, n) in [("(put 1 1)", "(put 3 1)"), ("(put 1 2)", "(put 3 2)")] {
            for pair in [[c, "wait"], ["wait", n]] {
                let terms = game.terms();
                let joint: Vec<Action> = pair
                    .iter()
                    .enumerate()
                    .map(|(role, text)| {
                        let written = &crate::sexpr::read_all(text, &Limits::default()).unwrap()[0];
                        search.reasoner().find_action(role, written, terms).unwrap().unwrap()
                    })
                    .collect();
                search.advance(&joint).unwrap();
            }
        }
        let mut rng = Rng::new(1);
        (0..2000).for_each(|_| search.simulate(&mut rng, None).unwrap());
        let best = search.best(0).unwrap();
        assert_eq!(search.reasoner().show_action(best, game.terms()), "(put 1 3)");
    }

    /// In matching pennies neither side can be exploited: no move is much preferred.
    #[test]
    fn simultaneous_moves_are_searched() {
        let rules = "(role a) (role b) (init s) (<= (legal ?p h) (role ?p)) (<= (legal ?p t) (role ?p)) \
                     (<= (next same) (does a ?x) (does b ?x)) (<= (next other) (does a h) (does b t)) \
                     (<= (next other) (does a t) (does b h)) (<= terminal (not (true s))) \
                     (<= (goal a 100) (true same)) (<= (goal a 0) (not (true same))) \
                     (<= (goal b 100) (true other)) (<= (goal b 0) (not (true other)))";
        let game = Description::load(rules, &Limits::default()).unwrap();
        let mut search = JointSearch::new(game.reasoner().unwrap(), None);
        let mut rng = Rng::new(2);
        (0..4000).for_each(|_| search.simulate(&mut rng, None).unwrap());
        assert_eq!(search.playouts, 4000);
        let arms = &search.nodes[search.index[&search.root]].arms[0];
        assert!(arms.iter().all(|a| a.visits > 800), "{arms:?}");
    }
}
