//! Contexts from the rules alone: the sets of cells that jointly decide the end and the result.
//!
//! `terminal` and the goals are followed down the network. A conjunction of facts about squares,
//! wherever it is met, is a context; where what conjunctions share was taken out in front of a
//! disjunction, it is put back.

use crate::board::BoardMap;
use crate::game_network::GameNetwork;
use crate::network::{Node, Wire, is_negated, node_of};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A set of facts that hold together.
type Cube = Vec<u32>;

/// Conjunctions per gate beyond which a part of the rules is not about lines (a count, a sum).
const MOST: usize = 5_000;
/// Facts in all conjunctions together: the work that is put into one game.
const WORK: usize = 3_000_000;

/// Gates within one another that are followed.
const DEEPEST: usize = 400;

/// The conjunctions under a wire; none if there are too many.
type Found = Option<Rc<Vec<Cube>>>;

/// The contexts, as sorted lists of squares, each once, smallest first.
pub fn contexts(network: &GameNetwork, board: &BoardMap) -> Vec<Vec<u16>> {
    let mut reader = Reader { network, known: FxHashMap::default(), work: 0, depth: 0 };
    let mut found: BTreeSet<Vec<u16>> = BTreeSet::new();
    let goals = network.goals.iter().flatten().map(|g| g.1);
    for wire in goals.chain([network.terminal]) {
        for cube in reader.cubes(wire).unwrap_or_default().iter() {
            // All of one context hold the same piece, or at least pieces, not blanks.
            let squares: Option<BTreeSet<u16>> = cube
                .iter()
                .filter_map(|&f| board.squares[f as usize])
                .map(|(square, piece)| (piece != 0).then_some(square))
                .collect();
            if let Some(squares) = squares.filter(|s| s.len() > 1) {
                found.insert(squares.into_iter().collect());
            }
        }
    }
    let mut list: Vec<Vec<u16>> = found.into_iter().collect();
    list.sort_by_key(|c| c.len());
    list
}

struct Reader<'a> {
    network: &'a GameNetwork,
    known: FxHashMap<Wire, Found>,
    work: usize,
    depth: usize,
}

impl Reader<'_> {
    /// The conjunctions of positive facts found under a wire.
    fn cubes(&mut self, wire: Wire) -> Found {
        if let Some(known) = self.known.get(&wire) {
            return known.clone();
        }
        if self.depth >= DEEPEST || self.work > WORK {
            return None;
        }
        self.depth += 1;
        // A loop comes back to itself; what is being read counts as empty until then.
        self.known.insert(wire, Some(Rc::default()));
        let node = node_of(wire);
        let gates = &self.network.gates;
        let found: Option<Vec<Cube>> = if node >= 1 && node <= gates.facts {
            Some(if is_negated(wire) { Vec::new() } else { vec![vec![node - 1]] })
        } else if is_negated(wire) {
            let inputs = gates.inputs(node).to_vec();
            self.disjunction(&inputs)
        } else {
            self.conjunction(node)
        };
        let found = found.and_then(|mut list| {
            list.sort_unstable();
            list.dedup();
            self.work += list.iter().map(Vec::len).sum::<usize>();
            (list.len() <= MOST && self.work <= WORK).then(|| Rc::new(list))
        });
        self.depth -= 1;
        self.known.insert(wire, found.clone());
        found
    }

    /// Alternatives that are too many are left out, unless all are.
    fn disjunction(&mut self, inputs: &[Wire]) -> Option<Vec<Cube>> {
        let (mut out, mut too_many) = (Vec::new(), false);
        for &w in inputs {
            match self.cubes(w ^ 1) {
                Some(list) => gather(&mut out, &list)?,
                None => too_many = true,
            }
        }
        (!too_many || !out.is_empty()).then_some(out)
    }

    fn conjunction(&mut self, node: Node) -> Option<Vec<Cube>> {
        let (mut facts, mut disjunctions) = (Vec::new(), Vec::new());
        self.flatten(node, &mut facts, &mut disjunctions, &mut FxHashSet::default(), 0);
        facts.sort_unstable();
        facts.dedup();
        let parts: Vec<Found> = disjunctions.into_iter().map(|w| self.cubes(w)).collect();
        let parts: Vec<Found> =
            parts.into_iter().filter(|p| p.as_ref().is_none_or(|l| !l.is_empty())).collect();
        Some(match &parts[..] {
            [] if facts.is_empty() => Vec::new(),
            [] => vec![facts],
            [one] => one
                .as_ref()?
                .iter()
                .map(|cube| {
                    let mut all: Cube = facts.iter().chain(cube).copied().collect();
                    all.sort_unstable();
                    all.dedup();
                    all
                })
                .collect(),
            // Several alternatives at once: each is a matter of its own.
            many => {
                let mut out = Vec::from_iter((!facts.is_empty()).then_some(facts));
                for list in many.iter().flatten() {
                    gather(&mut out, list)?;
                }
                out
            }
        })
    }

    /// The positive facts of a conjunction and of the conjunctions within it; the rest are disjunctions.
    fn flatten(
        &self,
        node: Node,
        facts: &mut Cube,
        disjunctions: &mut Vec<Wire>,
        seen: &mut FxHashSet<Node>,
        depth: u32,
    ) {
        if !seen.insert(node) {
            return;
        }
        let gates = &self.network.gates;
        for &w in gates.inputs(node) {
            let n = node_of(w);
            match (is_negated(w), n >= 1 && n <= gates.facts) {
                (false, true) => facts.push(n - 1),
                (true, true) => {}
                (false, false) if !gates.inputs(n).is_empty() && depth < 100 => {
                    self.flatten(n, facts, disjunctions, seen, depth + 1);
                }
                (_, false) => disjunctions.push(w),
            }
        }
    }
}

/// Adds conjunctions to others; none if there are too many. A gate of alexChess has thousands of inputs with thousands of
/// conjunctions each: to count them only when all are there took ten gigabytes.
fn gather(out: &mut Vec<Cube>, more: &[Cube]) -> Option<()> {
    out.extend_from_slice(more);
    if out.len() > 4 * MOST {
        out.sort_unstable();
        out.dedup();
    }
    (out.len() <= 4 * MOST).then_some(())
}
