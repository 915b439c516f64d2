//! The machines against each other: the same games move for move, and the same distribution of ends.

use crate::error::GdlError;
use crate::lifted::Lifted;
use crate::machine::Machine;
use crate::playouts::{Lanes, Trace};
use crate::reasoner::{Description, Grounded};
use ludens_core::{Rng, math};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Steps after which a playout is cut.
const STEP_CAP: u32 = 2000;

/// How much of a game is replayed.
#[derive(Clone, Copy, Debug)]
pub struct Replays {
    /// Playouts of the bit-parallel machine that the incremental one repeats.
    pub incremental: usize,
    /// CPU-seconds after which the incremental machine stops.
    pub incremental_seconds: f64,
    /// Of the first of them the lifted machine was asked before; it goes on after these.
    pub lifted_before: usize,
    /// Plies that the lifted machine repeats of them at most.
    pub lifted_plies: usize,
    /// CPU-seconds after which the lifted machine stops.
    pub lifted_seconds: f64,
}

/// How much was replayed without a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Whole playouts on the incremental machine.
    pub incremental: usize,
    /// Whole playouts on the lifted machine, without those of before.
    pub lifted: usize,
    /// Plies on the lifted machine, those of a playout that was broken off included.
    pub lifted_plies: usize,
}

/// The lifted machine, and what it may still do. On some games one of its playouts takes minutes, so that it is stopped
/// between plies, not between playouts.
struct Helper {
    machine: Lifted,
    plies_left: usize,
    seconds_left: f64,
    plies: usize,
}

impl Helper {
    fn is_tired(&self) -> bool {
        self.plies_left == 0 || self.seconds_left <= 0.0
    }
}

/// Plays games on the bit-parallel machine, replays all of them on the incremental and as many as it may on the
/// lifted machine. Says where they first disagree, or how much was replayed.
pub fn disagreement(
    game: &Description,
    seed: u64,
    replays: Replays,
) -> Result<Result<Replayed, String>, GdlError> {
    let Ok(grounded) = game.grounded() else { return Ok(Ok(Replayed::default())) };
    let network = &grounded.network;
    let init: Vec<bool> = {
        let bits = network.initial_bits();
        (0..network.facts.len()).map(|i| bits[i / 64] >> (i % 64) & 1 == 1).collect()
    };
    let mut rng = Rng::stream(seed, 0);
    let mut machine = Machine::new(Arc::clone(&grounded.wiring));
    let mut helper = Helper {
        machine: game.lifted()?,
        plies_left: replays.lifted_plies,
        seconds_left: replays.lifted_seconds,
        plies: 0,
    };
    let mut done = Replayed::default();
    let clock = cpu_time::ThreadTime::now();
    let lifted_seconds = replays.lifted_seconds;
    while done.incremental < replays.incremental {
        let traces = Lanes::<1>::new(network, &grounded.code, init.clone(), &mut rng).trace(STEP_CAP);
        for trace in traces.iter().take(replays.incremental - done.incremental) {
            let asked_before = done.incremental < replays.lifted_before;
            match replay(grounded, trace, &mut machine, (!asked_before).then_some(&mut helper))? {
                Ok(with_lifted) => done.lifted += usize::from(with_lifted),
                Err(what) => return Ok(Err(what)),
            }
            done.incremental += 1;
            // Without what the lifted machine took of it.
            let of_lifted =
                if lifted_seconds.is_finite() { lifted_seconds - helper.seconds_left } else { 0.0 };
            if clock.elapsed().as_secs_f64() - of_lifted > replays.incremental_seconds {
                done.lifted_plies = helper.plies;
                return Ok(Ok(done));
            }
        }
    }
    done.lifted_plies = helper.plies;
    Ok(Ok(done))
}

/// Repeats one playout; says whether the lifted machine did all of it.
fn replay(
    grounded: &Grounded,
    trace: &Trace,
    machine: &mut Machine,
    helper: Option<&mut Helper>,
) -> Result<Result<bool, String>, GdlError> {
    let network = &grounded.network;
    machine.set_state(&network.initial_bits());
    let mut helper = helper.filter(|helper| !helper.is_tired());
    if let Some(helper) = &mut helper {
        let start: Vec<u32> = network.init.iter().map(|&i| network.facts[i as usize]).collect();
        helper.machine.set_state(start.into());
    }
    for (ply, joint) in trace.joint_moves.iter().enumerate() {
        if machine.is_terminal() {
            return Ok(Err(format!("ply {ply}: terminal for the incremental machine only")));
        }
        for (role, &m) in joint.iter().enumerate() {
            if !machine.is_legal(role, m) {
                return Ok(Err(format!("ply {ply}: move {m} is illegal for the incremental machine")));
            }
        }
        helper = helper.filter(|helper| !helper.is_tired());
        if let Some(helper) = &mut helper {
            let clock = cpu_time::ThreadTime::now();
            let difference = same_ply(grounded, joint, machine, &mut helper.machine)?;
            helper.seconds_left -= clock.elapsed().as_secs_f64();
            helper.plies_left -= 1;
            helper.plies += 1;
            if let Some(what) = difference {
                return Ok(Err(format!("ply {ply}: {what}")));
            }
        }
        machine.advance(joint);
        if helper.as_ref().is_some_and(|h| facts(grounded, machine)[..] != h.machine.state()[..]) {
            return Ok(Err(format!("ply {ply}: states differ")));
        }
    }
    if trace.ended {
        if !machine.is_terminal() || machine.goals() != trace.goals {
            return Ok(Err("the end or the goals differ on the incremental machine".into()));
        }
        if let Some(helper) = &mut helper {
            let l = &mut helper.machine;
            let goals = (0..network.roles.len()).map(|r| l.goal(r)).collect::<Result<Vec<_>, _>>()?;
            if !l.is_terminal()? || goals != trace.goals {
                return Ok(Err("the end or the goals differ on the lifted machine".into()));
            }
        }
    }
    Ok(Ok(helper.is_some()))
}

/// Holds the lifted machine against the incremental one at a state, and takes it to the next.
fn same_ply(
    grounded: &Grounded,
    joint: &[u32],
    machine: &mut Machine,
    lifted: &mut Lifted,
) -> Result<Option<String>, GdlError> {
    let network = &grounded.network;
    if lifted.is_terminal()? {
        return Ok(Some("terminal for the lifted machine only".into()));
    }
    let mut legal = Vec::new();
    for role in 0..network.roles.len() {
        machine.legal(role, &mut legal);
        let mine: Vec<u32> = legal.iter().map(|&m| network.moves[m as usize]).collect();
        if mine != lifted.legal(role)? {
            return Ok(Some(format!("legal moves of role {role} differ")));
        }
    }
    let terms: Vec<u32> = joint.iter().map(|&m| network.moves[m as usize]).collect();
    let next = lifted.next_state(&terms)?;
    lifted.set_state(next);
    Ok(None)
}

/// The facts of the incremental machine's state, as terms.
fn facts(grounded: &Grounded, machine: &Machine) -> Vec<u32> {
    let bits = machine.state();
    let list = &grounded.network.facts;
    (0..list.len()).filter(|i| bits[i / 64] >> (i % 64) & 1 == 1).map(|i| list[i]).collect()
}

/// How a playout ended: the goals, and the length.
type Ending = (Vec<Option<u8>>, usize);

/// A comparison of two samples of endings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SameDistribution {
    /// Playouts of each of the two machines.
    pub playouts: usize,
    /// How far the two samples differ, over all kinds of ending.
    pub chi_squared: f64,
    /// Its degrees of freedom.
    pub freedom: usize,
    /// The chi-squared as a standard normal variable (Wilson and Hilferty); large is different.
    pub z: f64,
}

/// Holds the endings of bit-parallel playouts against those of the incremental machine's own playouts. There are as many of
/// each as the incremental machine plays in the given CPU-seconds, at most `most`.
pub fn same_distribution(
    grounded: &Grounded,
    seed: u64,
    most: usize,
    seconds: f64,
) -> Result<SameDistribution, GdlError> {
    let mut machine = Machine::new(Arc::clone(&grounded.wiring));
    let mut single = Vec::new();
    // The number is fixed before the games that are counted, else long games would be underrated.
    let clock = cpu_time::ThreadTime::now();
    const TRIAL: u64 = 4;
    for unit in 0..TRIAL {
        one_ending(grounded, &mut machine, &mut Rng::stream(seed, unit));
    }
    let each = clock.elapsed().as_secs_f64() / TRIAL as f64;
    let playouts = ((seconds / each.max(1e-9)) as usize).clamp(64, most.max(64));
    for unit in 0..playouts as u64 {
        single.push(one_ending(grounded, &mut machine, &mut Rng::stream(seed, TRIAL + unit)));
    }
    let network = &grounded.network;
    let bits = network.initial_bits();
    let init: Vec<bool> = (0..network.facts.len()).map(|i| bits[i / 64] >> (i % 64) & 1 == 1).collect();
    let mut rng = Rng::stream(seed, u64::MAX);
    let mut many: Vec<Ending> = Vec::new();
    while many.len() < playouts {
        let traces = Lanes::<1>::new(network, &grounded.code, init.clone(), &mut rng).trace(STEP_CAP);
        many.extend(traces.into_iter().map(|t| (t.goals, t.joint_moves.len())));
    }
    many.truncate(playouts);
    Ok(compare(&many, &single))
}

fn one_ending(grounded: &Grounded, machine: &mut Machine, rng: &mut Rng) -> Ending {
    let roles = grounded.network.roles.len();
    machine.set_state(&grounded.network.initial_bits());
    let mut joint = Vec::new();
    // As in a trace: a playout that is cut has one step more than the cap.
    for length in 0..=STEP_CAP as usize {
        if machine.is_terminal() {
            return (machine.goals(), length);
        }
        joint.clear();
        joint.extend((0..roles).filter_map(|r| machine.random_move(r, rng)));
        if joint.len() < roles {
            return (Vec::new(), length);
        }
        machine.advance(&joint);
    }
    (Vec::new(), STEP_CAP as usize + 1)
}

/// Two-sample chi-squared over goals and eighths of the lengths; rare kinds of ending are one kind together.
fn compare(a: &[Ending], b: &[Ending]) -> SameDistribution {
    let mut lengths: Vec<usize> = a.iter().chain(b).map(|e| e.1).collect();
    lengths.sort_unstable();
    let cuts: Vec<usize> = (1..8).map(|i| lengths[i * lengths.len() / 8]).collect();
    let mut counts: BTreeMap<(Vec<Option<u8>>, usize), [f64; 2]> = BTreeMap::new();
    for (which, sample) in [a, b].into_iter().enumerate() {
        for (goals, length) in sample {
            let bin = cuts.iter().filter(|cut| length >= cut).count();
            counts.entry((goals.clone(), bin)).or_default()[which] += 1.0;
        }
    }
    let (common, rare): (Vec<[f64; 2]>, Vec<[f64; 2]>) =
        counts.into_values().partition(|[x, y]| x + y >= 10.0);
    let rest = rare.iter().fold([0.0; 2], |sum, c| [sum[0] + c[0], sum[1] + c[1]]);
    let kinds = common.into_iter().chain((rest[0] + rest[1] > 0.0).then_some(rest));
    let (mut chi_squared, mut number) = (0.0, 0usize);
    for [x, y] in kinds {
        chi_squared += (x - y) * (x - y) / (x + y);
        number += 1;
    }
    let freedom = number.saturating_sub(1);
    let n = freedom.max(1) as f64;
    let z = (math::cbrt(chi_squared / n) - (1.0 - 2.0 / (9.0 * n))) / (2.0 / (9.0 * n)).sqrt();
    let z = if freedom == 0 { 0.0 } else { z };
    SameDistribution { playouts: a.len(), chi_squared, freedom, z }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test must see a difference when there is one, and none in two halves of one sample.
    #[test]
    fn samples_of_different_games_differ() {
        let sample = |seed: u64, shift: usize| -> Vec<Ending> {
            let mut rng = Rng::new(seed);
            (0..2000).map(|_| (vec![Some(rng.below(3) as u8)], shift + rng.below(12) as usize)).collect()
        };
        assert!(compare(&sample(1, 5), &sample(2, 5)).z.abs() < 4.0);
        assert!(compare(&sample(1, 5), &sample(2, 6)).z > 6.0);
    }
}
