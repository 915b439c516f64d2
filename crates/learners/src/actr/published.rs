//! ACT-R-Gammon, the player of the paper: features, odds, their product, a Boltzmann choice.
//!
//! Readings of the text that it leaves open are settings; `docs/learners/actr.md` says what each is worth.

use ludens_core::{
    Combine, Cost, Ctx, Game, Learner, Measure, Mind, MindError, Model, ModelError, Move, Ranking, Reason,
    Rng, Rule, Side, Words, math, settings,
};
use ludens_games::backgammon::{Backgammon, Position};

use super::duel::{Picker, play_game};
use super::features::{self, Ahead, EXPOSE};
use super::memory::boltzmann;
use super::odds::{Feature, OddsMemory};
use super::pubeval::Pubeval;
use super::race;

/// The name in the registry.
pub const NAME: &str = "actr";
settings! {
    /// The reading of the text that plays best; what it leaves open can be set.
    pub struct Settings {
        /// Largest mismatch of a match.
        pub threshold: f64 = 0.12, 0.0..=1e6;
        /// Boltzmann temperature.
        pub temperature: f64 = 0.02, 0.0..=1e6;
        /// Losses counted for an exposed man that was hit.
        pub partial_loss: f64 = 5.0, 0.0..=1e6;
        /// Added to both counts of a chunk.
        pub prior: f64 = 1.0, 0.0..=1e6;
        /// Learn from the opponent's plays too.
        pub observe: bool = true, Words("true or false");
        /// Count every occurrence of a feature, not one a game.
        pub every: bool = true, Words("true or false");
        /// Play races by rule.
        pub racing: bool = true, Words("true or false");
        /// Most chunks.
        pub capacity: usize = 49, 1..=1_000_000;
        /// Opponents ahead of a point: after the play, or before its hits and from a block's first point.
        #[left_out(usual)]
        pub ahead: Ahead = Ahead::After, Words("after or before");
    }
}

impl Settings {
    /// The text word for word: own features only, once a game, no rule for races.
    pub fn literal() -> Settings {
        Settings { partial_loss: 1.0, observe: false, every: false, racing: false, ..Settings::default() }
    }
}

/// The player. One step of learning is one game against pubeval.
#[derive(Clone, PartialEq, Debug)]
pub struct ActR {
    pub settings: Settings,
    pub memory: OddsMemory,
    games: u64,
    won: u64,
    game: GameMemory,
    plays: Vec<Move>,
    found: Vec<Feature>,
    utilities: Vec<f64>,
}

/// What is kept of the game in progress while learning.
#[derive(Clone, PartialEq, Default, Debug)]
struct GameMemory {
    learning: bool,
    seat: Option<Side>,
    own: Vec<Feature>,
    other: Vec<Feature>,
    /// The exposed men of the position after our last play.
    exposed: Vec<Feature>,
}

impl ActR {
    pub fn new(settings: Settings) -> ActR {
        let memory = OddsMemory::new(features::kinds(settings.threshold), settings.prior, settings.capacity);
        ActR {
            settings,
            memory,
            games: 0,
            won: 0,
            game: GameMemory::default(),
            plays: Vec::new(),
            found: Vec::new(),
            utilities: Vec::new(),
        }
    }

    pub fn games(&self) -> u64 {
        self.games
    }

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

    /// The chunks that each feature of a play brings to mind, and how many those are.
    fn reasons(&mut self, state: &Position, mv: Move) -> (Vec<Reason>, u64) {
        features::features(state, mv, &state.after(mv), self.settings.ahead, &mut self.found);
        let mut evidence = 0;
        let reasons = self.found.iter().map(|&feature| {
            let recalled = self.memory.recollect(feature);
            evidence += recalled.matches.len() as u64;
            self.reason(state.mover(), feature, &recalled)
        });
        (reasons.collect(), evidence)
    }

    fn reason(&self, mover: Side, feature: Feature, recalled: &super::odds::Recollection) -> Reason {
        let mut chunks: Vec<String> = Vec::new();
        for &(index, weight) in &recalled.matches {
            let chunk = &self.memory.chunks()[index];
            let name = self.memory.feature_name(chunk.feature);
            chunks.push(format!("{name} {:.2} × {weight:.2}", self.memory.chunk_odds(chunk)));
        }
        let from = if chunks.is_empty() { "never met".into() } else { format!("from {}", chunks.join(", ")) };
        let text = format!("{}: odds {:.2}, {from}", features::words(feature), recalled.odds);
        Reason::chunk(text, recalled.odds, super::cells(mover, &features::own_points(feature)))
    }

    /// Updates all features of the game with its outcome.
    fn learn(&mut self, won: bool) {
        let own = std::mem::take(&mut self.game.own);
        let other = std::mem::take(&mut self.game.other);
        self.memory.count_game(won);
        for &feature in &own {
            self.memory.update(feature, won, 1.0);
        }
        if self.settings.observe {
            self.memory.count_game(!won);
            for &feature in &other {
                self.memory.store_if_new(feature);
                self.memory.update(feature, !won, 1.0);
            }
        }
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
            return Ok(super::rank_race(state, &self.plays, ctx.explain));
        }
        self.weigh(state);
        let odds = self.plays.iter().zip(&self.utilities).map(|(&mv, log_odds)| (mv, math::exp(*log_odds)));
        let mut ranking = Ranking { rule: Rule::Drawn, ..Ranking::of(odds) };
        // An only play needs no draw.
        if self.plays.len() > 1 {
            ranking.preferred = Some(self.draw(ctx.rng));
        }
        if ctx.explain {
            ranking.summary = format!(
                "the odds of all features of a play multiplied, and a Boltzmann choice at temperature {}",
                self.settings.temperature
            );
            ranking.unit = "odds of a win".into();
            ranking.combine = Combine::Product;
            for candidate in &mut ranking.moves {
                let (reasons, evidence) = self.reasons(state, candidate.mv);
                candidate.reasons = reasons;
                candidate.visits = Some(evidence);
            }
        }
        Ok(ranking)
    }

    fn ledger(&self) -> Cost {
        Cost { states: 0, games: self.games, chunks: self.memory.chunks().len() as u64 }
    }
}

impl Learner<Backgammon> for ActR {
    fn step(&mut self, _game: &Backgammon, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let (mut dice, mut rng) = (ctx.rng.split(), ctx.rng.split());
        let seat = if self.games.is_multiple_of(2) { Side::First } else { Side::Second };
        self.game = GameMemory { learning: true, seat: Some(seat), ..GameMemory::default() };
        let mut opponent = Pubeval::default();
        let winner = if seat == Side::First {
            play_game(self, &mut opponent, &mut dice, &mut rng)
        } else {
            play_game(&mut opponent, self, &mut dice, &mut rng)
        };
        let won = winner == Some(seat);
        self.learn(won);
        self.game.learning = false;
        self.games += 1;
        self.won += u64::from(won);
        ctx.meter.add_games(1);
        ctx.meter.set_chunks(self.memory.chunks().len() as u64);
        Ok(vec![
            Measure::new("won", f64::from(u8::from(won))),
            Measure::new("chunks", self.memory.chunks().len() as f64),
        ])
    }

    fn default_steps(&self) -> u64 {
        1_000
    }

    fn save(&self) -> Model {
        let mut model = Model::new(NAME, &Backgammon.id(), self.ledger());
        model.put_meta("settings", &self.settings);
        model.put_u64("won", &[1], &[self.won]);
        self.memory.save(&mut model);
        model
    }

    fn load(game: &Backgammon, model: &Model) -> Result<ActR, ModelError> {
        model.expect(NAME, &game.id())?;
        let mut player = ActR::new(loaded_settings(model)?);
        player.memory.load(model)?;
        player.games = model.ledger.games;
        player.won = model.u64s("won", 1)?[0];
        Ok(player)
    }
}

/// Those of a model, within the limits of those that are typed.
fn loaded_settings(model: &Model) -> Result<Settings, ModelError> {
    let settings: Settings = model.meta("settings")?;
    settings.check()?;
    Ok(settings)
}
