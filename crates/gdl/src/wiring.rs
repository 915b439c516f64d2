//! What the incremental machine knows of its network beforehand: who listens to whom, and where outputs lie.

use crate::game_network::GameNetwork;
use crate::lanes::Segment;
use crate::network::{Node, Wire, is_negated, node_of};
use std::sync::Arc;

/// Outputs that are kept as bits: the legal moves of each role, then the next state, each from a
/// whole word on.
#[derive(Clone, Debug)]
pub(crate) struct Outputs {
    /// First word of each role's moves, then of the next state, then the end.
    pub(crate) first_word: Vec<usize>,
}

/// What never changes about a network: who listens to whom.
#[derive(Debug)]
pub struct Wiring {
    /// The network itself.
    pub network: Arc<GameNetwork>,
    listener_start: Vec<u32>,
    /// Gate times two, plus one if it hears the negation.
    listeners: Vec<u32>,
    output_start: Vec<u32>,
    output_bits: Vec<u32>,
    pub(crate) outputs: Outputs,
    pub(crate) goals: Segment,
    /// The loop a node belongs to, by number, or `NONE`.
    pub(crate) loop_of: Vec<u32>,
}

pub(crate) const NONE: u32 = u32::MAX;

impl Wiring {
    /// Finds out who listens to whom.
    pub fn new(network: Arc<GameNetwork>) -> Self {
        let gates = &network.gates;
        let (legal, next) = (&network.legal, &network.next);
        let watched: Vec<Wire> = legal.iter().chain(next).copied().chain([network.terminal]).collect();
        let live = crate::lanes::cone_of(gates, &watched);
        let mut pairs: Vec<(Node, u32)> = Vec::new();
        let mut loop_of = vec![NONE; gates.len()];
        for (i, l) in gates.loops.iter().enumerate() {
            (l.variables.start..l.gates.end).for_each(|n| loop_of[n as usize] = i as u32);
        }
        for gate in gates.first_gate()..gates.len() as Node {
            if live[gate as usize] {
                pairs.extend(
                    gates.inputs(gate).iter().map(|&w| (node_of(w), gate << 1 | u32::from(is_negated(w)))),
                );
            }
        }
        // A definition may be a wire from outside, without a gate: the loop must hear it too.
        for l in &gates.loops {
            let outside = l.definitions.iter().filter(|w| node_of(**w) < l.variables.start);
            pairs.extend(outside.map(|&w| (node_of(w), l.variables.start << 1)));
        }
        let (listener_start, listeners) = compressed(gates.len(), pairs);
        let mut first_word = vec![0];
        for range in network.first_move.windows(2) {
            let words = ((range[1] - range[0]) as usize).div_ceil(64);
            first_word.push(first_word[first_word.len() - 1] + words);
        }
        first_word.push(first_word[first_word.len() - 1] + network.facts.len().div_ceil(64));
        let mut pairs: Vec<(Node, u32)> = Vec::new();
        for (role, range) in network.first_move.windows(2).enumerate() {
            for m in range[0]..range[1] {
                let bit = first_word[role] as u32 * 64 + (m - range[0]);
                pairs.push((node_of(legal[m as usize]), bit));
            }
        }
        let next_word = first_word[network.roles.len()] as u32;
        pairs.extend(next.iter().enumerate().map(|(i, &w)| (node_of(w), next_word * 64 + i as u32)));
        let (output_start, output_bits) = compressed(gates.len(), pairs);
        let goals = crate::lanes::goal_segment(&network);
        Wiring {
            network,
            listener_start,
            listeners,
            output_start,
            output_bits,
            outputs: Outputs { first_word },
            goals,
            loop_of,
        }
    }

    #[inline]
    pub(crate) fn listeners(&self, n: Node) -> &[u32] {
        &self.listeners
            [self.listener_start[n as usize] as usize..self.listener_start[n as usize + 1] as usize]
    }

    #[inline]
    pub(crate) fn output_bits(&self, n: Node) -> &[u32] {
        &self.output_bits[self.output_start[n as usize] as usize..self.output_start[n as usize + 1] as usize]
    }
}

/// Lists by first element, as starts and items.
fn compressed(n: usize, mut pairs: Vec<(u32, u32)>) -> (Vec<u32>, Vec<u32>) {
    pairs.sort_unstable();
    let mut start = vec![0u32; n + 1];
    for p in &pairs {
        start[p.0 as usize + 1] += 1;
    }
    for i in 0..n {
        start[i + 1] += start[i];
    }
    (start, pairs.into_iter().map(|p| p.1).collect())
}
