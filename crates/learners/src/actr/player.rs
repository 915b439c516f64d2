//! How it decides: the odds of all features of a play, their product, a Boltzmann choice (equation 5).

use ludens_core::{Cost, Ctx, Mind, MindError, Move, Ranking, Rng, Rule, math};
use ludens_games::backgammon::{Backgammon, Position};

use super::duel::Picker;
use super::features::{self, EXPOSE};
use super::learner::ActR;
use super::memory::boltzmann;
use super::race;
use super::reading::Twist;
use super::reasons;
use super::settings::Settings;

/// Games over which a temperature that cools falls to its setting.
const COOLED: u64 = 1_000;

impl ActR {
    /// The decision cycle of section 2.2.5: the utility of each play, then a Boltzmann choice. New features are chunked
    /// only while learning. The utilities are left in `self.utilities`.
    fn decide(&mut self, state: &Position, rng: &mut Rng) -> Move {
        let most = if self.settings.reading.has(Twist::TwoMoves) { 2 } else { 4 };
        state.plays_within(most, &mut self.plays);
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
        let chunks = self.game.learning && !self.settings.reading.has(Twist::Chosen);
        self.utilities.clear();
        for index in 0..self.plays.len() {
            let mv = self.plays[index];
            features::features(state, mv, &state.after(mv), &self.settings, &mut self.found);
            let mut log_odds = 0.0;
            for &feature in &self.found {
                if chunks {
                    self.memory.store_if_new(feature);
                }
                // Equation 5, as a sum of logarithms.
                log_odds += math::ln(self.memory.odds(feature));
            }
            self.utilities.push(log_odds);
        }
    }

    fn draw(&mut self, rng: &mut Rng) -> Move {
        let temperature = self.temperature();
        let chosen = boltzmann(&mut self.utilities, temperature, rng).unwrap_or(0);
        self.plays[chosen]
    }

    /// That of the choice at hand.
    fn temperature(&self) -> f64 {
        let Settings { temperature, reading, .. } = &self.settings;
        if !self.game.learning && reading.has(Twist::Greedy) {
            return 0.0;
        }
        let done = self.games as f64 / COOLED as f64;
        if reading.has(Twist::Cooling) && done < 1.0 { math::powf(*temperature, done) } else { *temperature }
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
            features::features(before, mv, after, &self.settings, &mut self.found);
            if own_play {
                self.game.exposed.clear();
                self.game.exposed.extend(self.found.iter().filter(|feature| feature.kind == EXPOSE));
            }
            if self.settings.reading.has(Twist::CountMade) {
                features::keep_made(before, &self.settings, &mut self.found);
            }
            let kept = if own_play { &mut self.game.own } else { &mut self.game.other };
            for &feature in &self.found {
                if own_play && self.settings.reading.has(Twist::Chosen) {
                    self.memory.store_if_new(feature);
                }
                if self.settings.every || !kept.contains(&feature) {
                    kept.push(feature);
                }
            }
        }
        if !own_play {
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
