//! Counting game trees: the strictest test of rules.

use crate::error::GdlError;
use crate::reasoner::{Action, Reasoner, State};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// What is found at exactly one depth.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PerftLevel {
    /// The depth, in joint moves.
    pub depth: u32,
    /// Sequences of joint moves of this length.
    pub paths: u64,
    /// Different states they lead to.
    pub distinct_states: u64,
    /// Sequences that lead to an end.
    pub terminal_paths: u64,
    /// Different ends among the states.
    pub terminal_distinct: u64,
}

/// Counts for every depth from 1 to `depth`; terminal states are not played on.
pub fn perft(reasoner: &mut Reasoner, depth: u32, state_limit: usize) -> Result<Vec<PerftLevel>, GdlError> {
    let mut level: Vec<(State, u64)> = vec![(reasoner.state(), 1)];
    let mut out = Vec::new();
    for d in 1..=depth {
        // States are kept in the order they were found, so that the work is the same every time.
        let mut index: FxHashMap<State, usize> = FxHashMap::default();
        let mut next: Vec<(State, u64)> = Vec::new();
        for (state, paths) in &level {
            reasoner.set_state(state);
            if reasoner.is_terminal()? {
                continue;
            }
            for joint in joint_moves(reasoner)? {
                reasoner.set_state(state);
                reasoner.advance(&joint)?;
                let after = reasoner.state();
                let n = *index.entry(after.clone()).or_insert(next.len());
                if n == next.len() {
                    next.push((after, 0));
                }
                next[n].1 += paths;
                if next.len() > state_limit {
                    return Err(GdlError::TooLarge {
                        what: "distinct states at one depth",
                        limit: state_limit as u64,
                        knob: "state_limit",
                    });
                }
            }
        }
        let mut counts = PerftLevel { depth: d, distinct_states: next.len() as u64, ..Default::default() };
        for (state, paths) in &next {
            counts.paths += paths;
            reasoner.set_state(state);
            if reasoner.is_terminal()? {
                counts.terminal_paths += paths;
                counts.terminal_distinct += 1;
            }
        }
        out.push(counts);
        level = next;
    }
    Ok(out)
}

/// Every combination of one legal move a role; none if a role has no move.
pub fn joint_moves(reasoner: &mut Reasoner) -> Result<Vec<Vec<Action>>, GdlError> {
    let mut joint: Vec<Vec<Action>> = vec![Vec::new()];
    let mut legal = Vec::new();
    for role in 0..reasoner.role_count() {
        reasoner.legal(role, &mut legal)?;
        joint = joint
            .into_iter()
            .flat_map(|j| legal.iter().map(move |&m| j.iter().copied().chain([m]).collect()))
            .collect();
        if joint.len() > 4_000_000 {
            return Err(GdlError::TooLarge {
                what: "joint moves in one state",
                limit: 4_000_000,
                knob: crate::error::FIXED,
            });
        }
    }
    Ok(joint)
}
