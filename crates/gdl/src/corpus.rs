//! Holding a game against facts that somebody else computed, and the machines against each other.

use crate::error::GdlError;
use crate::lifted::Lifted;
use crate::machine::Machine;
use crate::perft::{PerftLevel, perft};
use crate::playouts::{Lanes, PlayoutOptions, Tally, Trace, random_playouts};
use crate::reasoner::{Description, Grounded};
use ludens_core::Rng;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A file of reference facts, as in `../shared/data/gdl/reference.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Reference {
    pub about: String,
    pub games: BTreeMap<String, Facts>,
}

/// What is known about one game; empty where the other program did not finish.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Facts {
    pub roles: Option<Vec<String>>,
    pub initial_legal: BTreeMap<String, u64>,
    pub initial_state_size: Option<usize>,
    pub initial_terminal: Option<bool>,
    pub perft: Vec<PerftFacts>,
    pub playouts: Option<PlayoutFacts>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct PerftFacts {
    pub depth: u32,
    pub paths: u64,
    pub distinct_states: u64,
    pub terminal_paths: u64,
    pub terminal_distinct: u64,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct PlayoutFacts {
    pub n: u64,
    pub mean_length: Option<f64>,
    pub sd_length: Option<f64>,
    pub mean_goal: BTreeMap<String, f64>,
    pub sd_goal: BTreeMap<String, f64>,
}

/// Everything in which a game differs from its facts; the playout means are compared with `playouts`
/// playouts of our own.
pub fn differences(game: &Description, facts: &Facts, playouts: u64) -> Result<Vec<String>, GdlError> {
    let mut out = Vec::new();
    let names = game.role_names();
    if let Some(roles) = facts.roles.as_ref().filter(|r| **r != names) {
        out.push(format!("roles {names:?}, not {roles:?}"));
    }
    let mut reasoner = game.reasoner()?;
    let mut legal = Vec::new();
    for (role, name) in names.iter().enumerate() {
        reasoner.legal(role, &mut legal)?;
        if let Some(&want) = facts.initial_legal.get(name).filter(|w| **w != legal.len() as u64) {
            out.push(format!("{name} has {} first moves, not {want}", legal.len()));
        }
    }
    let size = reasoner.facts(game.terms()).len();
    if let Some(want) = facts.initial_state_size.filter(|w| *w != size) {
        out.push(format!("{size} facts at first, not {want}"));
    }
    if facts.initial_terminal.is_some_and(|t| Ok(t) != reasoner.is_terminal()) {
        out.push("the first state is terminal in one and not in the other".into());
    }
    let depth = facts.perft.iter().map(|p| p.depth).max().unwrap_or(0);
    let levels = perft(&mut reasoner, depth, 50_000_000)?;
    for want in &facts.perft {
        let want = PerftLevel {
            depth: want.depth,
            paths: want.paths,
            distinct_states: want.distinct_states,
            terminal_paths: want.terminal_paths,
            terminal_distinct: want.terminal_distinct,
        };
        out.extend(
            levels
                .iter()
                .filter(|l| l.depth == want.depth && **l != want)
                .map(|l| format!("{l:?}, not {want:?}")),
        );
    }
    if let Some(p) = facts.playouts.as_ref().filter(|p| p.n > 0 && playouts > 0) {
        let options = PlayoutOptions { count: playouts, seed: 1, step_cap: 2000 };
        compare_playouts(&random_playouts(game, &options)?, p, &names, &mut out);
    }
    Ok(out)
}

/// Means must lie within 4 standard errors of the difference of the two samples.
fn compare_playouts(tally: &Tally, facts: &PlayoutFacts, names: &[String], out: &mut Vec<String>) {
    let mine = tally.finished.max(1) as f64;
    let mut compare = |what: &str, got: (f64, f64), mean: Option<f64>, sd: Option<f64>| {
        let (Some(mean), Some(sd)) = (mean, sd) else { return };
        let sd = sd.max(got.1);
        let tolerance = 4.0 * sd * (1.0 / facts.n as f64 + 1.0 / mine).sqrt() + 1e-3;
        if (got.0 - mean).abs() > tolerance {
            out.push(format!("mean {what} {:.3}, not {mean:.3} ± {tolerance:.3}", got.0));
        }
    };
    compare("length", tally.length(), facts.mean_length, facts.sd_length);
    for (role, name) in names.iter().enumerate() {
        let (mean, sd) = (facts.mean_goal.get(name).copied(), facts.sd_goal.get(name).copied());
        compare(&format!("goal of {name}"), tally.goal(role), mean, sd);
    }
    if tally.stuck > 0 {
        out.push(format!("{} playouts where a role had no move", tally.stuck));
    }
}

/// Plays 64 games on the bit-parallel machine and replays some on the incremental and fewer on the
/// lifted machine. Says where they first disagree; returns the numbers replayed on the two.
pub fn disagreement(
    game: &Description,
    seed: u64,
    incremental: usize,
    lifted_steps: usize,
) -> Result<Result<(usize, usize), String>, GdlError> {
    let Ok(grounded) = game.grounded() else { return Ok(Ok((0, 0))) };
    let network = &grounded.network;
    let init: Vec<bool> = {
        let bits = network.initial_bits();
        (0..network.facts.len()).map(|i| bits[i / 64] >> (i % 64) & 1 == 1).collect()
    };
    let mut rng = Rng::stream(seed, 0);
    let mut machine = Machine::new(Arc::clone(&grounded.wiring));
    let mut lifted = game.lifted()?;
    let mut replayed = (0, 0);
    let mut steps_left = lifted_steps;
    while replayed.0 < incremental {
        let traces = Lanes::<1>::new(network, &grounded.code, init.clone(), &mut rng).trace(2000);
        for trace in traces.iter().take(incremental - replayed.0) {
            let with_lifted = steps_left > trace.joint_moves.len();
            let helper = with_lifted.then_some(&mut lifted);
            if let Err(what) = replay(grounded, trace, &mut machine, helper)? {
                return Ok(Err(what));
            }
            replayed.0 += 1;
            if with_lifted {
                steps_left -= trace.joint_moves.len();
                replayed.1 += 1;
            }
        }
    }
    Ok(Ok(replayed))
}

fn replay(
    grounded: &Grounded,
    trace: &Trace,
    machine: &mut Machine,
    mut lifted: Option<&mut Lifted>,
) -> Result<Result<(), String>, GdlError> {
    let network = &grounded.network;
    machine.set_state(&network.initial_bits());
    if let Some(l) = lifted.as_deref_mut() {
        let start: Vec<u32> = network.init.iter().map(|&i| network.facts[i as usize]).collect();
        l.set_state(start.into());
    }
    let mut legal = Vec::new();
    for (ply, joint) in trace.joint_moves.iter().enumerate() {
        if machine.is_terminal() {
            return Ok(Err(format!("ply {ply}: terminal for the incremental machine only")));
        }
        for (role, &m) in joint.iter().enumerate() {
            if !machine.is_legal(role, m) {
                return Ok(Err(format!("ply {ply}: move {m} is illegal for the incremental machine")));
            }
        }
        if let Some(l) = lifted.as_deref_mut() {
            if l.is_terminal()? {
                return Ok(Err(format!("ply {ply}: terminal for the lifted machine only")));
            }
            for role in 0..network.roles.len() {
                machine.legal(role, &mut legal);
                let mine: Vec<u32> = legal.iter().map(|&m| network.moves[m as usize]).collect();
                if mine != l.legal(role)? {
                    return Ok(Err(format!("ply {ply}: legal moves of role {role} differ")));
                }
            }
            let terms: Vec<u32> = joint.iter().map(|&m| network.moves[m as usize]).collect();
            let next = l.next_state(&terms)?;
            l.set_state(next);
        }
        machine.advance(joint);
        if let Some(l) = lifted.as_deref() {
            let bits = machine.state();
            let holds = |i: &usize| bits[i / 64] >> (i % 64) & 1 == 1;
            let facts: Vec<u32> = (0..network.facts.len()).filter(holds).map(|i| network.facts[i]).collect();
            if facts[..] != l.state()[..] {
                return Ok(Err(format!("ply {ply}: states differ")));
            }
        }
    }
    if trace.ended {
        if !machine.is_terminal() || machine.goals() != trace.goals {
            return Ok(Err("the end or the goals differ on the incremental machine".into()));
        }
        if let Some(l) = lifted {
            let goals = (0..network.roles.len()).map(|r| l.goal(r)).collect::<Result<Vec<_>, _>>()?;
            if !l.is_terminal()? || goals != trace.goals {
                return Ok(Err("the end or the goals differ on the lifted machine".into()));
            }
        }
    }
    Ok(Ok(()))
}
