//! It decides: the play with the best chances by its networks; races by rule.

use ludens_core::{Cost, Ctx, Mind, MindError, Move, Ranking, Rng};
use ludens_games::backgammon::{Backgammon, Position};

use super::learner::{K, Rehearsed};
use crate::actr::duel::Picker;
use crate::actr::race;
use crate::actr::value_player::ValuePlayer;
use crate::beyond::actr_improved::player::rolls_after;

/// The player while it learns.
pub(super) struct Seat<'a> {
    pub(super) value: &'a ValuePlayer<K>,
    pub(super) plays: Vec<Move>,
}

impl Rehearsed {
    /// Races by rule, everything else by the network.
    fn decide(value: &ValuePlayer<K>, state: &Position, plays: &mut Vec<Move>) -> (Move, usize) {
        if !state.contact() {
            state.plays(plays);
            return (race::best(state, plays), plays.len());
        }
        value.decide(state, plays)
    }
}

impl Picker for Seat<'_> {
    fn pick(&mut self, state: &Position, _rng: &mut Rng) -> Move {
        Rehearsed::decide(self.value, state, &mut self.plays).0
    }
}

impl Picker for Rehearsed {
    fn pick(&mut self, state: &Position, _rng: &mut Rng) -> Move {
        Rehearsed::decide(&self.value, state, &mut self.plays).0
    }
}

impl Mind<Backgammon> for Rehearsed {
    fn rank(&mut self, _: &Backgammon, state: &Position, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let ranking = if state.contact() {
            self.value.rank(state, &mut self.plays, ctx.explain)
        } else {
            state.plays(&mut self.plays);
            race::rank(state, &self.plays, ctx.explain)
        };
        ctx.meter.add_states(ranking.moves.len() as u64);
        if state.contact() {
            ctx.meter.add_states(rolls_after(state, &self.plays));
        }
        Ok(ranking)
    }

    fn ledger(&self) -> Cost {
        Cost { games: self.games, chunks: self.episodes.len() as u64, ..Cost::default() }
    }
}
