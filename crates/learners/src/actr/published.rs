//! ACT-R-Gammon, the player of the paper: features, odds, their product, a Boltzmann choice.
//!
//! Readings of the text that it leaves open are settings; `docs/learners/actr.md` says what each is worth.

use ludens_core::{
    Combine, Cost, Ctx, Game, Learner, Measure, Mind, Model, ModelError, Move, MoveValue, Reason, Rng, Side,
    Spec, SpecError, Why, math,
};
use ludens_games::backgammon::{Backgammon, Position};
use serde::{Deserialize, Serialize};

use super::duel::{Picker, play_game};
use super::features::{self, Ahead, EXPOSE};
use super::memory::boltzmann;
use super::odds::{Feature, OddsMemory};
use super::pubeval::Pubeval;
use super::race;

/// The name in the registry.
pub const NAME: &str = "actr";
/// What the settings are, for the command line.
pub const SETTINGS: &[(&str, &str)] = &[
    ("variant", "published (default), or literal: the text word for word"),
    ("threshold", "largest mismatch of a match (.12)"),
    ("temperature", "Boltzmann temperature (.02)"),
    ("partial_loss", "losses counted for an exposed man that was hit (5)"),
    ("prior", "added to both counts of a chunk (1)"),
    ("observe", "true: learn from the opponent's plays too (true)"),
    ("every", "true: count every occurrence of a feature, not one a game (true)"),
    ("racing", "true: play races by rule (true)"),
    ("capacity", "most chunks (49)"),
    (
        "ahead",
        "opponents ahead of a point: after the play, or before its hits and from a block's first point (after)",
    ),
];

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    pub threshold: f64,
    pub temperature: f64,
    pub partial_loss: f64,
    pub prior: f64,
    pub observe: bool,
    pub every: bool,
    pub racing: bool,
    pub capacity: usize,
    #[serde(default, skip_serializing_if = "Ahead::is_after")]
    pub ahead: Ahead,
}

impl Settings {
    /// The reading that plays best.
    pub fn published() -> Settings {
        Settings {
            threshold: 0.12,
            temperature: 0.02,
            partial_loss: 5.0,
            prior: 1.0,
            observe: true,
            every: true,
            racing: true,
            capacity: 49,
            ahead: Ahead::After,
        }
    }

    /// The text word for word: own features only, once a game, no rule for races.
    pub fn literal() -> Settings {
        Settings { partial_loss: 1.0, observe: false, every: false, racing: false, ..Settings::published() }
    }

    pub fn from_spec(spec: &mut Spec) -> Result<Settings, SpecError> {
        let variant: String = spec.take_or("variant", "published".into(), "published or literal")?;
        let mut settings = match variant.as_str() {
            "published" => Settings::published(),
            "literal" => Settings::literal(),
            _ => return Err(spec.wrong("variant", &variant, "published or literal")),
        };
        let number = "a number of 0 or more";
        settings.threshold = spec.take_or("threshold", settings.threshold, number)?;
        settings.temperature = spec.take_or("temperature", settings.temperature, number)?;
        settings.partial_loss = spec.take_or("partial_loss", settings.partial_loss, number)?;
        settings.prior = spec.take_or("prior", settings.prior, number)?;
        settings.observe = spec.take_or("observe", settings.observe, "true or false")?;
        settings.every = spec.take_or("every", settings.every, "true or false")?;
        settings.racing = spec.take_or("racing", settings.racing, "true or false")?;
        settings.capacity = spec.take_or("capacity", settings.capacity, "a whole number")?;
        let ahead: String = spec.take_or("ahead", "after".into(), "after or before")?;
        settings.ahead = match ahead.as_str() {
            "after" => Ahead::After,
            "before" => Ahead::Before,
            _ => return Err(spec.wrong("ahead", &ahead, "after or before")),
        };
        Ok(settings)
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
    /// only while learning. How many plays were examined comes with it.
    fn decide(&mut self, state: &Position, rng: &mut Rng) -> (Move, usize) {
        state.plays(&mut self.plays);
        let examined = self.plays.len();
        if examined == 1 {
            return (self.plays[0], 1);
        }
        if self.settings.racing && !state.contact() {
            return (race::best(state, &self.plays), examined);
        }
        self.utilities.clear();
        for index in 0..examined {
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
        let chosen = boltzmann(&mut self.utilities, self.settings.temperature, rng).unwrap_or(0);
        (self.plays[chosen], examined)
    }

    fn explain(&mut self, state: &Position, why: &mut Why) {
        if self.settings.racing && !state.contact() {
            super::explain_race(state, &self.plays, why);
            return;
        }
        why.summary = format!(
            "the odds of all features of a play multiplied, and a Boltzmann choice at temperature {}",
            self.settings.temperature
        );
        why.unit = "odds of a win".into();
        why.combine = Combine::Product;
        why.moves = self.plays.clone().into_iter().map(|mv| self.explain_play(state, mv)).collect();
        why.sort();
    }

    fn explain_play(&mut self, state: &Position, mv: Move) -> MoveValue {
        features::features(state, mv, &state.after(mv), self.settings.ahead, &mut self.found);
        let mut value = MoveValue::new(mv, 1.0);
        let mut evidence = 0;
        for &feature in &self.found {
            let recalled = self.memory.recollect(feature);
            value.value *= recalled.odds;
            evidence += recalled.matches.len() as u64;
            value.reasons.push(self.reason(state.mover(), feature, &recalled));
        }
        value.visits = Some(evidence);
        value
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
        self.decide(state, rng).0
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
    fn choose(&mut self, _game: &Backgammon, state: &Position, ctx: &mut Ctx) -> Move {
        self.game.learning = false;
        let (mv, examined) = self.decide(state, ctx.rng);
        ctx.meter.add_states(examined as u64);
        ctx.meter.set_chunks(self.memory.chunks().len() as u64);
        if let Some(why) = ctx.why.as_deref_mut() {
            self.explain(state, why);
        }
        mv
    }

    fn ledger(&self) -> Cost {
        Cost { states: 0, games: self.games, chunks: self.memory.chunks().len() as u64 }
    }
}

impl Learner<Backgammon> for ActR {
    fn step(&mut self, _game: &Backgammon, ctx: &mut Ctx) -> Vec<Measure> {
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
        vec![
            Measure::new("won", f64::from(u8::from(won))),
            Measure::new("chunks", self.memory.chunks().len() as f64),
        ]
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
        let mut player = ActR::new(model.meta("settings")?);
        player.memory.load(model)?;
        player.games = model.ledger.games;
        player.won = model.u64s("won", 1)?[0];
        Ok(player)
    }
}
