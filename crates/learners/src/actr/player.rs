//! How it decides: the odds of all features of a play, their product, a Boltzmann choice (equation 5).

use ludens_core::{Cost, Ctx, Mind, MindError, Move, Ranking, Rng, Rule, math};
use ludens_games::backgammon::{Backgammon, Position};

use super::duel::Picker;
use super::features::{self, EXPOSE};
use super::learner::ActR;
use super::memory::boltzmann;
use super::race;
use super::reasons;

impl ActR {
    /// The decision cycle of section 2.2.5: the utility of each play, then a Boltzmann choice. New features are chunked
    /// only while learning. The utilities are left in `self.utilities`.
    fn decide(&mut self, state: &Position, rng: &mut Rng) -> Move {
        state.plays(&mut self.plays);
        if self.plays.len() == 1 {
            return self.plays[0];
        }
        if self.settings.racing && !state.contact() {
            return race::best(state, &self.plays);
        }
        self.weigh(state);
        self.draw(rng)
    }

    /// The sum of the logarithms of the odds of each play's features.
    fn weigh(&mut self, state: &Position) {
        self.utilities.clear();
        for index in 0..self.plays.len() {
            let mv = self.plays[index];
            features::features(state, mv, &state.after(mv), self.settings.ahead, &mut self.found);
            let mut log_odds = 0.0;
            for &feature in &self.found {
                if self.game.learning {
                    self.memory.store_if_new(feature);
                }
                // Equation 5, as a sum of logarithms.
                log_odds += math::ln(self.memory.odds(feature));
            }
            self.utilities.push(log_odds);
        }
    }

    fn draw(&mut self, rng: &mut Rng) -> Move {
        let chosen = boltzmann(&mut self.utilities, self.settings.temperature, rng).unwrap_or(0);
        self.plays[chosen]
    }
}

impl Picker for ActR {
    fn pick(&mut self, state: &Position, rng: &mut Rng) -> Move {
        self.decide(state, rng)
    }

    fn observe(&mut self, before: &Position, mv: Move, after: &Position) {
        if !self.game.learning || (self.settings.racing && !before.contact()) {
            return;
        }
        let own_play = self.game.seat == Some(before.mover());
        if own_play || self.settings.observe {
            features::features(before, mv, after, self.settings.ahead, &mut self.found);
            let kept = if own_play { &mut self.game.own } else { &mut self.game.other };
            for &feature in &self.found {
                if self.settings.every || !kept.contains(&feature) {
                    kept.push(feature);
                }
            }
        }
        if own_play {
            self.game.exposed.clear();
            self.game.exposed.extend(self.found.iter().filter(|feature| feature.kind == EXPOSE));
        } else {
            // "When player attacked": the hitter's point p is our 25 − p.
            let hit = features::hits(before, mv);
            for index in 0..self.game.exposed.len() {
                let feature = self.game.exposed[index];
                if hit >> (25 - feature.slots[0]) & 1 == 1 {
                    self.memory.update(feature, false, self.settings.partial_loss);
                }
            }
        }
    }
}

impl Mind<Backgammon> for ActR {
    fn rank(&mut self, _: &Backgammon, state: &Position, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        self.game.learning = false;
        state.plays(&mut self.plays);
        ctx.meter.add_states(self.plays.len() as u64);
        ctx.meter.set_chunks(self.memory.chunks().len() as u64);
        if self.settings.racing && !state.contact() {
            return Ok(race::rank(state, &self.plays, ctx.explain));
        }
        self.weigh(state);
        let odds = self.plays.iter().zip(&self.utilities).map(|(&mv, log_odds)| (mv, math::exp(*log_odds)));
        let mut ranking = Ranking { rule: Rule::Drawn, ..Ranking::of(odds) };
        // An only play needs no draw.
        if self.plays.len() > 1 {
            ranking.preferred = Some(self.draw(ctx.rng));
        }
        if ctx.explain.is_wanted() {
            reasons::explain(self, state, &mut ranking, ctx.explain);
        }
        Ok(ranking)
    }

    fn ledger(&self) -> Cost {
        Cost { games: self.games, chunks: self.memory.chunks().len() as u64, ..Cost::default() }
    }
}
