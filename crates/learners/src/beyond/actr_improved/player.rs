//! It decides: the play whose position has the highest odds; races by rule.

use ludens_core::{Cost, Ctx, Mind, MindError, Move, Ranking, Rng, math};
use ludens_games::backgammon::{Backgammon, Position};

use super::chunks::{CHUNKS, degrees};
use super::insights;
use super::learner::Improved;
use super::reasons;
use crate::actr::duel::Picker;
use crate::actr::race;

/// The logarithm of the odds of a position with these degrees.
#[inline]
pub(super) fn sum(log_odds: &[f32; CHUNKS], degrees: &[f32; CHUNKS]) -> f32 {
    let mut sum = 0.0;
    for (log_odds, degree) in log_odds.iter().zip(degrees) {
        sum += log_odds * degree;
    }
    sum
}

/// The play whose position has the highest odds; races by rule. How many were examined comes with it.
pub(super) fn decide(log_odds: &[f32; CHUNKS], state: &Position, plays: &mut Vec<Move>) -> (Move, usize) {
    state.plays(plays);
    let examined = plays.len();
    if examined == 1 {
        return (plays[0], 1);
    }
    if !state.contact() {
        return (race::best(state, plays), examined);
    }
    let side = state.mover();
    let mut best = (f32::NEG_INFINITY, plays[0]);
    for &mv in plays.iter() {
        let after = state.after(mv);
        let sum = sum(log_odds, &degrees(after.men(side), after.men(side.other())));
        if sum > best.0 {
            best = (sum, mv);
        }
    }
    (best.1, examined)
}

/// The rolls that are looked at after these plays.
pub(crate) fn rolls_after(state: &Position, plays: &[Move]) -> u64 {
    let side = state.mover();
    let after = |mv: &Move| {
        let after = state.after(*mv);
        insights::rolls(after.men(side), after.men(side.other()))
    };
    plays.iter().map(after).sum()
}

impl Picker for Improved {
    fn pick(&mut self, state: &Position, _rng: &mut Rng) -> Move {
        decide(&self.log_odds, state, &mut self.plays).0
    }
}

impl Mind<Backgammon> for Improved {
    fn rank(&mut self, _: &Backgammon, state: &Position, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        state.plays(&mut self.plays);
        ctx.meter.add_states(self.plays.len() as u64);
        ctx.meter.set_chunks(CHUNKS as u64);
        if !state.contact() {
            return Ok(race::rank(state, &self.plays, ctx.explain));
        }
        let side = state.mover();
        // To count hits it looks at what rolls bring: no play is made for them, but they are states all the same.
        ctx.meter.add_states(rolls_after(state, &self.plays));
        let degrees_after = |mv: Move| {
            let after = state.after(mv);
            degrees(after.men(side), after.men(side.other()))
        };
        let odds = |mv: Move| math::exp(f64::from(sum(&self.log_odds, &degrees_after(mv))));
        let mut ranking = Ranking::of(self.plays.iter().map(|&mv| (mv, odds(mv))));
        if ctx.explain.is_wanted() {
            reasons::explain(self, &degrees_after, side, (&mut ranking, ctx.explain));
        }
        Ok(ranking)
    }

    fn ledger(&self) -> Cost {
        Cost { games: self.games, chunks: CHUNKS as u64, ..Cost::default() }
    }
}
