//! Many random playouts on the bit-parallel machine.

// Loops over the words of a lane group are written by index: the compiler makes vector code of them.
#![allow(clippy::needless_range_loop)]

use crate::choice::{Chooser, LaneRng};
use crate::error::GdlError;
use crate::game_network::GameNetwork;
use crate::lanes::{LaneCode, Word, any, read};
use crate::reasoner::{Description, Grounded, Reasoner};
use ludens_core::Rng;

pub use crate::tally::Tally;

/// One playout, move by move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The joint moves, as move numbers of [`GameNetwork::moves`], role by role.
    pub joint_moves: Vec<Vec<u32>>,
    /// Whether it came to an end before the step limit.
    pub ended: bool,
    /// The goal of each role at the end.
    pub goals: Vec<Option<u8>>,
}

/// A group of lanes at work.
#[derive(Debug)]
pub struct Lanes<'a, const L: usize> {
    pub(crate) network: &'a GameNetwork,
    pub(crate) code: &'a LaneCode,
    pub(crate) values: Vec<Word<L>>,
    next: Vec<Word<L>>,
    init: Vec<bool>,
    chooser: Chooser<L>,
    rng: LaneRng<L>,
    pub(crate) active: Word<L>,
    waiting: Word<L>,
    started: Vec<u32>,
}

impl<'a, const L: usize> Lanes<'a, L> {
    /// Lanes that all start in the state whose facts are marked.
    pub fn new(network: &'a GameNetwork, code: &'a LaneCode, init: Vec<bool>, rng: &mut Rng) -> Self {
        Lanes {
            network,
            code,
            values: vec![[0; L]; code.slots],
            next: vec![[0; L]; init.len()],
            init,
            chooser: Chooser::new(),
            rng: LaneRng::new(rng),
            active: [0; L],
            waiting: [0; L],
            started: vec![0; 64 * L],
        }
    }

    pub(crate) fn reset(&mut self) {
        for (value, &holds) in self.values[1..].iter_mut().zip(&self.init) {
            *value = [if holds { !0 } else { 0 }; L];
        }
        self.values[0] = [0; L];
        self.started.fill(0);
        self.waiting = [0; L];
    }

    pub(crate) fn activate(&mut self, lanes: usize) {
        self.active = [0; L];
        for lane in 0..lanes.min(64 * L) {
            self.active[lane / 64] |= 1 << (lane % 64);
        }
    }

    /// Plays `count` games from the start to their end; each that is begun is finished, so that long
    /// games are not underrated.
    pub fn play(&mut self, count: u64, step_cap: u32) -> Tally {
        let mut tally = Tally::new(self.network.roles.len());
        self.reset();
        self.activate(count.min(64 * L as u64) as usize);
        let mut left = count.saturating_sub(64 * L as u64);
        let goal_share = self.code.goals.ops() * 4 > self.code.ops_per_step();
        let mut now = 0u32;
        let mut oldest = 0u32;
        while any(&self.active) {
            self.code.terminal.run(&mut self.values);
            let ended = self.lanes_that(read(&self.values, self.network.terminal));
            self.note_lengths(&ended, now, &mut tally);
            let mut restart = [0; L];
            let waiting: u32 = self.waiting.iter().map(|w| w.count_ones()).sum();
            let active: u32 = self.active.iter().map(|w| w.count_ones()).sum();
            if waiting > 0 && (!goal_share || waiting * 3 >= active) {
                restart = self.waiting;
                self.count_goals(&restart, &mut tally);
                self.waiting = [0; L];
            }
            let mut live = self.lanes_that([!0; L]);
            (0..L).for_each(|i| live[i] &= !restart[i]);
            if now - oldest >= step_cap {
                oldest = now;
                let cut = self.over_age(&live, now, step_cap, &mut oldest);
                tally.capped += u64::from(ones(&cut));
                (0..L).for_each(|i| {
                    live[i] &= !cut[i];
                    restart[i] |= cut[i];
                });
            }
            let stuck = self.step(&live);
            tally.stuck += u64::from(ones(&stuck));
            (0..L).for_each(|i| {
                live[i] &= !stuck[i];
                restart[i] |= stuck[i];
            });
            now += 1;
            self.restart(&mut restart, &mut left, now);
            self.commit(&live, &restart);
        }
        tally
    }

    /// Lanes at work, not waiting, for which the word holds.
    pub(crate) fn lanes_that(&self, mut w: Word<L>) -> Word<L> {
        for i in 0..L {
            w[i] &= self.active[i] & !self.waiting[i];
        }
        w
    }

    fn note_lengths(&mut self, ended: &Word<L>, now: u32, tally: &mut Tally) {
        for (i, &bits) in ended.iter().enumerate() {
            self.waiting[i] |= bits;
            for_each_bit(bits, |b| tally.add_length(now - self.started[64 * i + b]));
        }
    }

    fn count_goals(&mut self, lanes: &Word<L>, tally: &mut Tally) {
        self.code.goals.run(&mut self.values);
        for (role, goals) in self.network.goals.iter().enumerate() {
            let (mut once, mut twice) = ([0; L], [0; L]);
            for &(_, w) in goals {
                let value = read(&self.values, w);
                for i in 0..L {
                    twice[i] |= once[i] & value[i];
                    once[i] |= value[i];
                }
            }
            let mut defined = [0; L];
            (0..L).for_each(|i| defined[i] = lanes[i] & once[i] & !twice[i]);
            tally.goal_undefined[role] += u64::from(ones(lanes) - ones(&defined));
            for &(v, w) in goals {
                let mut value = read(&self.values, w);
                (0..L).for_each(|i| value[i] &= defined[i]);
                tally.goals[role][usize::from(v)] += u64::from(ones(&value));
            }
        }
    }

    /// Lanes that have gone on for too long; `oldest` becomes the start of the oldest other one.
    fn over_age(&self, live: &Word<L>, now: u32, cap: u32, oldest: &mut u32) -> Word<L> {
        let mut cut = [0; L];
        for i in 0..L {
            for_each_bit(live[i], |b| {
                let start = self.started[64 * i + b];
                if now - start >= cap {
                    cut[i] |= 1 << b;
                } else {
                    *oldest = (*oldest).min(start);
                }
            });
        }
        cut
    }

    /// Chooses moves and computes the next state, without taking it over.
    pub(crate) fn step(&mut self, live: &Word<L>) -> Word<L> {
        self.code.legal.run(&mut self.values);
        let mut stuck = [0; L];
        let first_action = self.network.gates.action(0) as usize;
        for range in self.network.first_move.windows(2) {
            let (from, to) = (range[0] as usize, range[1] as usize);
            let legal = &self.network.legal[from..to];
            let none = self.chooser.choose(&mut self.values, legal, first_action + from, live, &mut self.rng);
            (0..L).for_each(|i| stuck[i] |= none[i]);
        }
        self.code.next.run(&mut self.values);
        for (next, &w) in self.next.iter_mut().zip(&self.network.next) {
            *next = read(&self.values, w);
        }
        stuck
    }

    /// Gives lanes a new game as long as there are any left to begin, else retires them.
    fn restart(&mut self, restart: &mut Word<L>, left: &mut u64, now: u32) {
        for i in 0..L {
            let mut kept = 0;
            for_each_bit(restart[i], |b| {
                if *left > 0 {
                    *left -= 1;
                    kept |= 1 << b;
                    self.started[64 * i + b] = now;
                }
            });
            self.active[i] &= !(restart[i] & !kept);
            restart[i] = kept;
        }
    }

    pub(crate) fn commit(&mut self, live: &Word<L>, restart: &Word<L>) {
        for ((value, next), &holds) in self.values[1..].iter_mut().zip(&self.next).zip(&self.init) {
            let init = 0u64.wrapping_sub(u64::from(holds));
            for i in 0..L {
                let keep = !(live[i] | restart[i]);
                value[i] = (next[i] & live[i]) | (init & restart[i]) | (value[i] & keep);
            }
        }
    }

    /// One game in every lane, recorded move by move.
    pub fn trace(&mut self, step_cap: u32) -> Vec<Trace> {
        self.reset();
        self.activate(64 * L);
        let mut traces = vec![Trace::default(); 64 * L];
        for _ in 0..=step_cap {
            self.code.terminal.run(&mut self.values);
            let ended = self.lanes_that(read(&self.values, self.network.terminal));
            for i in 0..L {
                self.active[i] &= !ended[i];
            }
            self.trace_goals(&ended, &mut traces);
            let mut live = self.active;
            if !any(&live) {
                break;
            }
            let stuck = self.step(&live);
            for i in 0..L {
                live[i] &= !stuck[i];
                self.active[i] = live[i];
                for_each_bit(live[i], |b| traces[64 * i + b].joint_moves.push(Vec::new()));
            }
            let first = self.network.gates.action(0) as usize;
            for m in 0..self.network.moves.len() {
                for i in 0..L {
                    for_each_bit(self.values[first + m][i] & live[i], |b| {
                        if let Some(joint) = traces[64 * i + b].joint_moves.last_mut() {
                            joint.push(m as u32);
                        }
                    });
                }
            }
            self.commit(&live, &[0; L]);
        }
        traces
    }
}

impl<const L: usize> Lanes<'_, L> {
    fn trace_goals(&mut self, ended: &Word<L>, traces: &mut [Trace]) {
        if !any(ended) {
            return;
        }
        self.code.goals.run(&mut self.values);
        for (i, &bits) in ended.iter().enumerate() {
            for_each_bit(bits, |b| {
                let holds = |w| read(&self.values, w)[i] >> b & 1 == 1;
                let goal = |goals: &Vec<(u8, u32)>| {
                    let mut held = goals.iter().filter(|g| holds(g.1));
                    match (held.next(), held.next()) {
                        (Some(g), None) => Some(g.0),
                        _ => None,
                    }
                };
                let trace = &mut traces[64 * i + b];
                trace.ended = true;
                trace.goals = self.network.goals.iter().map(goal).collect();
            });
        }
    }
}

fn ones<const L: usize>(w: &Word<L>) -> u32 {
    w.iter().map(|w| w.count_ones()).sum()
}

pub(crate) fn for_each_bit(mut bits: u64, mut f: impl FnMut(usize)) {
    while bits != 0 {
        f(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// How many playouts, and from where their chance comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutOptions {
    /// How many playouts.
    pub count: u64,
    /// All of them follow from it.
    pub seed: u64,
    /// Playouts longer than this are cut and counted apart.
    pub step_cap: u32,
}

/// Playouts of one unit of work; each unit has its own random stream.
const UNIT: u64 = 1 << 16;

/// Uniformly random playouts from the first state, on the fastest machine the game has.
pub fn random_playouts(game: &Description, options: &PlayoutOptions) -> Result<Tally, GdlError> {
    let Ok(grounded) = game.grounded() else { return lifted_playouts(game, options) };
    let network = &grounded.network;
    playouts_from(grounded, &network.initial_bits(), options)
}

/// The same from any state of the network.
pub fn playouts_from(
    grounded: &Grounded,
    state: &[u64],
    options: &PlayoutOptions,
) -> Result<Tally, GdlError> {
    let network = &grounded.network;
    let init: Vec<bool> = (0..network.facts.len()).map(|i| state[i / 64] >> (i % 64) & 1 == 1).collect();
    let mut tally = Tally::new(network.roles.len());
    let mut left = options.count;
    let mut unit = 0;
    while left > 0 {
        let now = left.min(UNIT);
        let mut rng = Rng::stream(options.seed, unit);
        // A handful of playouts does not fill the wide lanes.
        let part = if now <= 64 {
            Lanes::<1>::new(network, &grounded.code, init.clone(), &mut rng).play(now, options.step_cap)
        } else {
            Lanes::<8>::new(network, &grounded.code, init.clone(), &mut rng).play(now, options.step_cap)
        };
        tally.merge(&part);
        left -= now;
        unit += 1;
    }
    Ok(tally)
}

fn lifted_playouts(game: &Description, options: &PlayoutOptions) -> Result<Tally, GdlError> {
    let mut reasoner = game.reasoner()?;
    one_by_one(&mut reasoner, options)
}

/// Playouts one after the other on any machine, from the state it is in.
pub fn one_by_one(reasoner: &mut Reasoner, options: &PlayoutOptions) -> Result<Tally, GdlError> {
    let roles = reasoner.role_count();
    let start = reasoner.state();
    let mut tally = Tally::new(roles);
    let mut joint = Vec::new();
    for unit in 0..options.count {
        let mut rng = Rng::stream(options.seed, unit);
        reasoner.set_state(&start);
        let mut length = 0;
        loop {
            if reasoner.is_terminal()? {
                tally.add_length(length);
                for role in 0..roles {
                    match reasoner.goal(role)? {
                        Some(v) => tally.goals[role][usize::from(v)] += 1,
                        None => tally.goal_undefined[role] += 1,
                    }
                }
                break;
            }
            if length >= options.step_cap {
                tally.capped += 1;
                break;
            }
            joint.clear();
            for role in 0..roles {
                joint.extend(reasoner.random_move(role, &mut rng)?);
            }
            if joint.len() < roles {
                tally.stuck += 1;
                break;
            }
            reasoner.advance(&joint)?;
            length += 1;
        }
    }
    Ok(tally)
}
