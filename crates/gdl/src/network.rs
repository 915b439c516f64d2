//! The propositional network: AND gates over facts and moves, with negation on the wires.
//!
//! Gates are stored once each and stand after their inputs. An OR is an AND with all wires
//! negated. Facts that depend on themselves (dynamic recursion) are variables of a *loop*, whose
//! gates are evaluated again and again, from all false, until nothing changes.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use std::ops::Range;

/// A gate, a fact or a move. Node 0 is the constant false.
pub type Node = u32;
/// A wire: twice the node, plus one if negated.
pub type Wire = u32;

/// The wire that is never on.
pub const FALSE: Wire = 0;
/// The wire that is always on.
pub const TRUE: Wire = 1;

/// The wire of a node, not negated.
pub fn wire(node: Node) -> Wire {
    node << 1
}
/// The node a wire comes from.
pub fn node_of(w: Wire) -> Node {
    w >> 1
}
/// Whether a wire says the opposite of its node.
pub fn is_negated(w: Wire) -> bool {
    w & 1 == 1
}

/// Facts that depend on themselves.
#[derive(Clone, Debug, Default)]
pub struct Loop {
    /// The variables: nodes without inputs.
    pub variables: Range<Node>,
    /// The gates between variables and their definitions.
    pub gates: Range<Node>,
    /// What each variable is defined as.
    pub definitions: Vec<Wire>,
}

/// The gates, without the meaning of the outputs.
#[derive(Clone, Debug, Default)]
pub struct Gates {
    starts: Vec<u32>,
    wires: Vec<Wire>,
    /// How many facts there are: nodes 1 to this.
    pub facts: u32,
    /// How many moves there are: the nodes after the facts.
    pub moves: u32,
    /// Where facts depend on themselves.
    pub loops: Vec<Loop>,
}

impl Gates {
    /// Number of nodes, the constant included.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is not even the constant.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The inputs of a gate; none for facts, moves and variables.
    pub fn inputs(&self, n: Node) -> &[Wire] {
        &self.wires[self.starts[n as usize] as usize..self.starts[n as usize + 1] as usize]
    }

    /// The node of a fact.
    pub fn fact(&self, i: u32) -> Node {
        1 + i
    }

    /// The node of a move.
    pub fn action(&self, i: u32) -> Node {
        1 + self.facts + i
    }

    /// The first node that is neither constant nor fact nor move.
    pub fn first_gate(&self) -> Node {
        1 + self.facts + self.moves
    }

    /// All inputs of all gates together.
    pub fn wire_count(&self) -> usize {
        self.wires.len()
    }
}

/// Makes gates, each only once, folding constants as it goes.
#[derive(Debug)]
pub struct Builder {
    gates: Gates,
    heads: FxHashMap<u64, Node>,
    chain: Vec<Node>,
    /// The role of each move: of a role's moves exactly one is made.
    role_of_move: Vec<u32>,
    moves_of_role: Vec<Vec<u32>>,
}

const NONE: u32 = u32::MAX;

impl Builder {
    /// A builder with so many facts, and a role for every move.
    pub fn new(facts: u32, role_of_move: Vec<u32>) -> Self {
        let roles = role_of_move.iter().max().map_or(0, |&r| r as usize + 1);
        let mut moves_of_role = vec![Vec::new(); roles];
        for (m, &r) in role_of_move.iter().enumerate() {
            moves_of_role[r as usize].push(m as u32);
        }
        let moves = role_of_move.len() as u32;
        let nodes = (1 + facts + moves) as usize;
        Builder {
            gates: Gates { starts: vec![0; nodes + 1], wires: Vec::new(), facts, moves, loops: Vec::new() },
            heads: FxHashMap::default(),
            chain: vec![NONE; nodes],
            role_of_move,
            moves_of_role,
        }
    }

    /// The gates made so far.
    pub fn gates(&self) -> &Gates {
        &self.gates
    }

    /// The gates, with nothing more to come.
    pub fn finish(self) -> Gates {
        self.gates
    }

    fn add_node(&mut self, inputs: &[Wire]) -> Node {
        let node = self.gates.len() as Node;
        self.gates.wires.extend_from_slice(inputs);
        self.gates.starts.push(self.gates.wires.len() as u32);
        self.chain.push(NONE);
        node
    }

    /// New variables of a loop.
    pub fn variables(&mut self, n: usize) -> Range<Node> {
        let first = self.gates.len() as Node;
        for _ in 0..n {
            self.add_node(&[]);
        }
        first..first + n as Node
    }

    /// Closes a loop: everything made since its variables belongs to it.
    pub fn close_loop(&mut self, variables: Range<Node>, definitions: Vec<Wire>) {
        let gates = variables.end..self.gates.len() as Node;
        self.gates.loops.push(Loop { variables, gates, definitions });
        // Later gates must not be found equal to gates inside, which are valid only when the
        // loop is settled; they are, after it, so sharing stays allowed.
    }

    fn move_of(&self, w: Wire) -> Option<u32> {
        let first = 1 + self.gates.facts;
        let n = node_of(w);
        (!is_negated(w) && n >= first && n < first + self.gates.moves).then(|| n - first)
    }

    /// A wire that is on if all inputs are.
    pub fn and(&mut self, mut inputs: Vec<Wire>) -> Wire {
        inputs.sort_unstable();
        inputs.dedup();
        inputs.retain(|&w| w != TRUE);
        if inputs.first() == Some(&FALSE) || inputs.windows(2).any(|p| p[0] ^ 1 == p[1]) {
            return FALSE;
        }
        let mut chosen = None;
        for &w in &inputs {
            // Two different moves of one role exclude each other.
            if let Some(m) = self.move_of(w) {
                let role = self.role_of_move[m as usize];
                if chosen == Some(role) {
                    return FALSE;
                }
                chosen = Some(role);
            }
        }
        match inputs[..] {
            [] => TRUE,
            [one] => one,
            _ => wire(self.share(&inputs)),
        }
    }

    fn share(&mut self, inputs: &[Wire]) -> Node {
        let mut h = FxHasher::default();
        inputs.iter().for_each(|&w| h.write_u32(w));
        let key = h.finish();
        let first = self.heads.get(&key).copied().unwrap_or(NONE);
        let mut at = first;
        while at != NONE {
            if self.gates.inputs(at) == inputs {
                return at;
            }
            at = self.chain[at as usize];
        }
        let node = self.add_node(inputs);
        self.chain[node as usize] = first;
        self.heads.insert(key, node);
        node
    }

    /// A wire that is on if any input is.
    pub fn or(&mut self, inputs: Vec<Wire>) -> Wire {
        let inputs = self.complement_moves(inputs);
        self.and(inputs.into_iter().map(|w| w ^ 1).collect()) ^ 1
    }

    /// "One of these moves of a role" is "none of its others", as exactly one is made; the
    /// shorter list is taken.
    fn complement_moves(&mut self, mut inputs: Vec<Wire>) -> Vec<Wire> {
        inputs.sort_unstable();
        inputs.dedup();
        let mut counts = vec![0usize; self.moves_of_role.len()];
        let mut total = 0;
        for &w in &inputs {
            if let Some(m) = self.move_of(w) {
                counts[self.role_of_move[m as usize] as usize] += 1;
                total += 1;
            }
        }
        if total < 2 {
            return inputs;
        }
        for (role, &count) in counts.iter().enumerate() {
            if count * 2 <= self.moves_of_role[role].len() {
                continue;
            }
            let in_role =
                |b: &Self, w: Wire| b.move_of(w).is_some_and(|m| b.role_of_move[m as usize] as usize == role);
            let listed: Vec<Wire> = inputs.iter().copied().filter(|&w| in_role(self, w)).collect();
            inputs.retain(|&w| !in_role(self, w));
            let first = 1 + self.gates.facts;
            let others: Vec<Wire> = self.moves_of_role[role]
                .iter()
                .map(|&m| wire(first + m))
                .filter(|w| listed.binary_search(w).is_err())
                .map(|w| w ^ 1)
                .collect();
            inputs.push(self.and(others));
        }
        inputs
    }

    /// The disjunction of conjunctions, with what they share taken out in front.
    pub fn or_of_ands(&mut self, mut cubes: Vec<Vec<Wire>>) -> Wire {
        for c in &mut cubes {
            c.sort_unstable();
            c.dedup();
        }
        cubes.sort_unstable();
        cubes.dedup();
        let mut budget = 64 * cubes.len() + 100_000;
        self.factor(cubes, &mut budget)
    }

    fn factor(&mut self, mut cubes: Vec<Vec<Wire>>, budget: &mut usize) -> Wire {
        let mut parts = Vec::new();
        while !cubes.is_empty() {
            if cubes.iter().any(Vec::is_empty) {
                return TRUE;
            }
            let size: usize = cubes.iter().map(Vec::len).sum();
            let common = if cubes.len() > 1 && *budget >= size { most_common(&cubes) } else { None };
            *budget = budget.saturating_sub(size);
            let Some(common) = common else {
                parts.extend(cubes.drain(..).map(|c| self.and(c)));
                break;
            };
            let (mut with, without): (Vec<_>, Vec<_>) =
                cubes.into_iter().partition(|c| c.binary_search(&common).is_ok());
            with.iter_mut().for_each(|c| c.retain(|&w| w != common));
            let rest = self.factor(with, budget);
            parts.push(self.and(vec![common, rest]));
            cubes = without;
        }
        self.or(parts)
    }
}

/// The wire in the most conjunctions, if it is in more than one.
fn most_common(cubes: &[Vec<Wire>]) -> Option<Wire> {
    let mut counts: FxHashMap<Wire, u32> = FxHashMap::default();
    for &w in cubes.iter().flatten() {
        *counts.entry(w).or_default() += 1;
    }
    let best = counts.into_iter().max_by_key(|&(w, n)| (n, std::cmp::Reverse(w)))?;
    (best.1 > 1).then_some(best.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_folded_and_shared() {
        let mut b = Builder::new(3, vec![0, 0, 0, 1]);
        let (x, y, z) = (wire(1), wire(2), wire(3));
        assert_eq!(b.and(vec![x, y]), b.and(vec![y, TRUE, x, x]));
        assert_eq!(b.and(vec![x, x ^ 1]), FALSE);
        assert_eq!(b.or(vec![x, x ^ 1, y]), TRUE);
        assert_eq!(b.or(vec![z]), z);
        let before = b.gates().len();
        // x and y, or x and z: one gate for "y or z", one for the rest.
        b.or_of_ands(vec![vec![x, y], vec![x, z]]);
        assert_eq!(b.gates().len(), before + 2);
    }

    #[test]
    fn of_a_roles_moves_exactly_one_is_made() {
        let mut b = Builder::new(0, vec![0, 0, 0, 1]);
        let (m0, m1, m2) = (wire(1), wire(2), wire(3));
        assert_eq!(b.and(vec![m0, m1]), FALSE);
        assert_eq!(b.or(vec![m0, m1]), m2 ^ 1);
        assert_eq!(b.or(vec![m0, m1, m2]), TRUE);
    }
}
