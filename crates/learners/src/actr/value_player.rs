//! A player that asks a network for the chances of every position it could reach: what the comparators and the
//! rehearsed player have in common.

use ludens_core::words::{How, Scale};
use ludens_core::{Explain, ModelError, Move, Ranking, Rng};
use ludens_games::backgammon::{Men, Position};

use super::duel::Picker;
use super::episode::{Estimator, Moment};
use super::net::{INPUTS, Inputs, Lane, Net};
use crate::beyond::actr_improved::insights;
use crate::beyond::actr_rehearsed::reasons;

/// A network, or several that are asked together, with or without the insights among their inputs.
#[derive(Clone, PartialEq, Debug)]
pub struct ValuePlayer<const K: usize> {
    nets: Vec<Net<K>>,
    insights: bool,
}

/// The position before a play: the plays differ from it in a few inputs only, so what the hidden units add up there is kept.
struct Prepared<const K: usize> {
    own: Men,
    other: Men,
    degrees: [f32; insights::COUNT],
    sums: Vec<[Lane; K]>,
}

impl<const K: usize> ValuePlayer<K> {
    pub fn new(nets: Vec<Net<K>>, insights: bool) -> ValuePlayer<K> {
        ValuePlayer { nets, insights }
    }

    /// The weights of all networks, one after the other.
    pub fn weights(&self, hidden: usize) -> Vec<f32> {
        self.nets.iter().flat_map(|net| net.weights(hidden)).collect()
    }

    pub fn set_weights(&mut self, hidden: usize, weights: &[f32]) -> Result<(), ModelError> {
        let one = self.nets.first().map_or(0, |net| net.weight_count(hidden));
        if weights.len() != one * self.nets.len() {
            return Err(ModelError::Missing { what: format!("{} network weights", one * self.nets.len()) });
        }
        for (net, weights) in self.nets.iter_mut().zip(weights.chunks(one.max(1))) {
            net.set_weights(hidden, weights)?;
        }
        Ok(())
    }

    pub fn weight_count(&self, hidden: usize) -> usize {
        self.nets.iter().map(|net| net.weight_count(hidden)).sum()
    }

    /// What the networks say on average.
    #[inline]
    pub(crate) fn evaluate(&self, inputs: &Inputs) -> f32 {
        let mut sum = 0.0;
        for net in &self.nets {
            sum += net.evaluate(inputs).value;
        }
        sum / self.nets.len() as f32
    }

    pub fn inputs(&self, own: &Men, other: &Men, inputs: &mut Inputs) {
        inputs.set(own, other);
        if self.insights {
            for (index, degree) in insights::degrees(own, other).into_iter().enumerate() {
                if degree != 0.0 {
                    inputs.push(INPUTS + index, degree);
                }
            }
        }
    }

    /// The position before a play, ready for all that a play can reach.
    fn prepare(&self, own: &Men, other: &Men) -> Prepared<K> {
        let mut inputs = Inputs::default();
        self.inputs(own, other, &mut inputs);
        let degrees = if self.insights { insights::degrees(own, other) } else { [0.0; insights::COUNT] };
        let sums = self.nets.iter().map(|net| net.sums(&inputs)).collect();
        Prepared { own: *own, other: *other, degrees, sums }
    }

    /// The chances after a play, reckoned from the few inputs it changes.
    #[inline]
    fn chances(&self, before: &Prepared<K>, own: &Men, other: &Men, changes: &mut Inputs) -> f32 {
        if own.all_off() {
            return 1.0;
        }
        changes.set_changes([&before.own, &before.other], [own, other]);
        if self.insights {
            for (index, degree) in insights::degrees(own, other).into_iter().enumerate() {
                let change = degree - before.degrees[index];
                if change != 0.0 {
                    changes.push(INPUTS + index, change);
                }
            }
        }
        let mut sum = 0.0;
        for (net, sums) in self.nets.iter().zip(&before.sums) {
            sum += net.evaluate_changed(sums, changes);
        }
        sum / self.nets.len() as f32
    }

    /// The play with the best chances, the first of equals, and how many were examined.
    pub fn decide(&self, state: &Position, plays: &mut Vec<Move>) -> (Move, usize) {
        state.plays(plays);
        if plays.len() == 1 {
            return (plays[0], 1);
        }
        let side = state.mover();
        let before = self.prepare(state.men(side), state.men(side.other()));
        let mut changes = Inputs::default();
        let mut best = (f32::NEG_INFINITY, plays[0]);
        for &mv in plays.iter() {
            let after = state.after(mv);
            let chances = self.chances(&before, after.men(side), after.men(side.other()), &mut changes);
            if chances > best.0 {
                best = (chances, mv);
            }
        }
        (best.1, plays.len())
    }

    /// The chances of every play. What single inputs did is shown as the chances lost when they are taken away.
    pub fn rank(&self, state: &Position, plays: &mut Vec<Move>, explain: Explain) -> Ranking {
        state.plays(plays);
        let side = state.mover();
        let before = self.prepare(state.men(side), state.men(side.other()));
        let mut inputs = Inputs::default();
        let valued = plays.iter().map(|&mv| {
            let after = state.after(mv);
            let chances = self.chances(&before, after.men(side), after.men(side.other()), &mut inputs);
            (mv, f64::from(chances))
        });
        let mut ranking = Ranking::of(valued);
        if explain.is_wanted() {
            ranking.how = How::Chances;
            ranking.scale = Scale::Chance;
            for place in ranking.wanted(explain) {
                let candidate = &mut ranking.moves[place];
                let after = state.after(candidate.mv);
                let (own, other) = (after.men(side), after.men(side.other()));
                if self.insights && !own.all_off() {
                    self.inputs(own, other, &mut inputs);
                    candidate.reasons = reasons::without(self, &inputs, candidate.value as f32);
                }
            }
        }
        ranking
    }
}

impl<const K: usize> Estimator for ValuePlayer<K> {
    fn teach(&mut self, moment: &Moment, target: f32, rate: f32) -> f32 {
        let mut inputs = Inputs::default();
        self.inputs(&moment.own, &moment.other, &mut inputs);
        let mut sum = 0.0;
        for net in &mut self.nets {
            let at = net.evaluate(&inputs);
            net.learn(&inputs, &at, target, rate, true);
            sum += at.value;
        }
        sum / self.nets.len() as f32
    }
}

/// A [`ValuePlayer`] at the table.
#[derive(Debug)]
pub struct AtTable<'a, const K: usize> {
    pub player: &'a ValuePlayer<K>,
    pub plays: Vec<Move>,
}

impl<const K: usize> ValuePlayer<K> {
    pub fn at_table(&self) -> AtTable<'_, K> {
        AtTable { player: self, plays: Vec::new() }
    }
}

impl<const K: usize> Picker for AtTable<'_, K> {
    fn pick(&mut self, state: &Position, _rng: &mut Rng) -> Move {
        self.player.decide(state, &mut self.plays).0
    }
}
