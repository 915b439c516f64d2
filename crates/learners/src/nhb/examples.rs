//! Training examples taken from matches and their search trees (paper, section 4).

use std::collections::hash_map::Entry;

use ludens_core::{Game, Move, Score, Side, Turn, math};
use ludens_search::Backed;
use rustc_hash::FxHashMap;

use super::tree::Tree;

/// How far an example can be trusted; of two for one state the more trusted stays, of equals the newer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Trust {
    /// A state of a match, its value on the quadratic ramp.
    Played,
    /// Carried up from nodes on which the heuristic agrees with itself.
    Consistent,
    /// Carried up from finished games.
    Finished,
}

/// A position with the value it should be given.
#[derive(Clone, PartialEq, Debug)]
pub struct Example<S> {
    /// The position.
    pub state: S,
    /// The side whose inputs and whose value these are.
    pub view: Side,
    /// What it is worth, −1 to 1.
    pub value: f32,
    /// Where the value comes from.
    pub trust: Trust,
}

/// Examples without duplicates, in the order in which their states first came.
#[derive(Clone, Debug)]
pub struct Examples<G: Game> {
    /// The examples.
    pub list: Vec<Example<G::State>>,
    places: FxHashMap<G::State, usize>,
}

impl<G: Game> Default for Examples<G> {
    fn default() -> Examples<G> {
        Examples { list: Vec::new(), places: FxHashMap::default() }
    }
}

impl<G: Game> Examples<G> {
    /// Takes an example; of two of one state the more trusted stays, of equals the later.
    pub fn add(&mut self, example: Example<G::State>) {
        match self.places.entry(example.state.clone()) {
            Entry::Vacant(place) => {
                place.insert(self.list.len());
                self.list.push(example);
            }
            Entry::Occupied(place) => {
                let held = &mut self.list[*place.get()];
                if example.trust >= held.trust {
                    *held = example;
                }
            }
        }
    }

    /// Every node of a search whose value follows from finished games, and with `epsilon` also from consistent nodes.
    pub fn add_tree(&mut self, tree: &Tree<G>, epsilon: Option<f32>) {
        for (node, known) in tree.nodes.iter().zip(propagate(tree, epsilon)) {
            if let Some((value, trust)) = known {
                self.add(Example { state: node.state.clone(), view: node.view, value, trust });
            }
        }
    }

    /// The states of a match: from 0 at the start to the outcome at the end, rising with the square of the time.
    pub fn add_ramp(&mut self, states: &[(G::State, Side)], score: Score) {
        let last = states.len().saturating_sub(1).max(1) as f32;
        for (time, (state, view)) in states.iter().enumerate() {
            let value = score.of(*view) * math::square(time as f32 / last);
            self.add(Example { state: state.clone(), view: *view, value, trust: Trust::Played });
        }
    }

    /// What backward deepening found. A finished game is filed under the side that lost it, who would be to move.
    pub(crate) fn add_backed(&mut self, game: &G, state: &G::State, backed: Backed) {
        let view = match game.turn(state) {
            Turn::Player(side) => side,
            Turn::Chance => Side::First,
            Turn::Over(Score(score)) => {
                if score > 0.0 {
                    Side::Second
                } else {
                    Side::First
                }
            }
        };
        let trust = if backed.certain { Trust::Finished } else { Trust::Consistent };
        self.add(Example { state: state.clone(), view, value: Score(backed.value).of(view), trust });
    }

    /// Puts the examples whose value is known before those on the ramp, otherwise in their order, and counts them.
    pub(crate) fn known_first(&mut self) -> usize {
        self.list.sort_by_key(|example| example.trust == Trust::Played);
        self.places = self.list.iter().enumerate().map(|(at, example)| (example.state.clone(), at)).collect();
        self.list.partition_point(|example| example.trust != Trust::Played)
    }

    /// Inputs one after the other, and the targets.
    pub fn matrix(&self, game: &G, range: std::ops::Range<usize>) -> (Vec<f32>, Vec<f64>) {
        let (mut inputs, mut x, mut t) = (Vec::new(), Vec::new(), Vec::new());
        for example in &self.list[range] {
            game.encode(&example.state, example.view, &mut x);
            inputs.extend_from_slice(&x);
            t.push(f64::from(example.value));
        }
        (inputs, t)
    }
}

/// The value of every node that has one, as its own view sees it. Sources are finished games and, with `epsilon`, nodes whose judged
/// value is within it of a depth-1 minimax; they are carried up where they decide: by a win, or when all children are known.
fn propagate<G: Game>(tree: &Tree<G>, epsilon: Option<f32>) -> Vec<Option<(f32, Trust)>> {
    let mut known: Vec<Option<(f32, Trust)>> = vec![None; tree.nodes.len()];
    // Children always come after their parents.
    for index in (0..tree.nodes.len()).rev() {
        let node = &tree.nodes[index];
        if node.over {
            known[index] = Some((node.judged, Trust::Finished));
            continue;
        }
        if !node.expanded() {
            continue;
        }
        known[index] = carried_up(tree, index, &known);
        // The root was never judged.
        if let (None, Some(epsilon), 1..) = (known[index], epsilon, index)
            && (node.judged - depth_one(tree, index)).abs() <= epsilon
        {
            known[index] = Some((node.judged, Trust::Consistent));
        }
    }
    known
}

fn carried_up<G: Game>(tree: &Tree<G>, node: usize, known: &[Option<(f32, Trust)>]) -> Option<(f32, Trust)> {
    let chance = tree.nodes[node].chance;
    let mut all = Some(Trust::Finished);
    let (mut best, mut mean) = (f32::NEG_INFINITY, 0.0);
    for child in tree.children(node) {
        let Some((value, trust)) = known[child] else {
            all = None;
            continue;
        };
        let value = tree.seen(node, child, value);
        if value >= 1.0 && trust == Trust::Finished && !chance {
            return Some((value, trust));
        }
        all = all.map(|least| least.min(trust));
        best = best.max(value);
        mean += tree.nodes[child].probability * value;
    }
    all.map(|trust| (if chance { mean } else { best }, trust))
}

fn depth_one<G: Game>(tree: &Tree<G>, node: usize) -> f32 {
    let values = tree.children(node).map(|child| {
        let value = tree.seen(node, child, tree.nodes[child].judged);
        (value, tree.nodes[child].probability * value)
    });
    if tree.nodes[node].chance {
        values.map(|(_, share)| share).sum()
    } else {
        values.map(|(value, _)| value).fold(f32::NEG_INFINITY, f32::max)
    }
}

/// A finished match, as examples are taken from it.
#[derive(Clone, Debug)]
pub struct Played<S> {
    /// The states in which a player was to move, and at last the end, each with the side that looks at it.
    pub states: Vec<(S, Side)>,
    /// All moves, dice included.
    pub moves: Vec<Move>,
    /// What the search said of each of `states` but the last, as its side sees it.
    pub values: Vec<f32>,
    /// Whether the move there was drawn instead of chosen.
    pub drawn: Vec<bool>,
    /// The result.
    pub score: Score,
}
