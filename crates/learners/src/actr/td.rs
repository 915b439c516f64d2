//! The first comparator of the paper's table 1: TD-Gammon's network, trained by TD(λ) in games against itself.
//!
//! TD(λ) in the forward view: after each game the positions are gone through backwards, once.

use ludens_core::{
    Cost, Ctx, Game, Learner, Measure, Mind, Model, ModelError, Move, Rng, Spec, SpecError, math,
};
use ludens_games::backgammon::{Backgammon, Position};
use serde::{Deserialize, Serialize};

use super::duel::Picker;
use super::episode::{record, rehearse};
use super::net::Net;
use super::value_player::ValuePlayer;

pub const NAME: &str = "td";
pub const SETTINGS: &[(&str, &str)] = &[
    ("games", "games of the training, over which the rate falls (1000000)"),
    ("lambda", "λ (.5)"),
    ("rate", "first learning rate (.1)"),
    ("rate_end", "last learning rate (.005)"),
    ("seed", "of the first weights (1)"),
];

/// 80 hidden units, as TD-Gammon's best published.
const K: usize = 5;
/// Games of one step.
const STEP: u64 = 500;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    pub games: u64,
    pub lambda: f64,
    pub rate: f64,
    pub rate_end: f64,
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { games: 1_000_000, lambda: 0.5, rate: 0.1, rate_end: 0.005, seed: 1 }
    }
}

impl Settings {
    pub fn from_spec(spec: &mut Spec) -> Result<Settings, SpecError> {
        let default = Settings::default();
        Ok(Settings {
            games: spec.take_or("games", default.games, "a whole number")?.max(1),
            lambda: spec.take_or("lambda", default.lambda, "a number from 0 to 1")?,
            rate: spec.take_or("rate", default.rate, "a number above 0")?,
            rate_end: spec.take_or("rate_end", default.rate_end, "a number above 0")?,
            seed: spec.take_or("seed", default.seed, "a whole number")?,
        })
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Td {
    settings: Settings,
    value: ValuePlayer<K>,
    games: u64,
    plays: Vec<Move>,
}

impl Td {
    pub fn new(settings: Settings) -> Td {
        let net = Net::random(0, 0.1, &mut Rng::stream(settings.seed, u64::MAX));
        Td { settings, value: ValuePlayer::new(vec![net], false), games: 0, plays: Vec::new() }
    }
}

impl Picker for Td {
    fn pick(&mut self, state: &Position, _rng: &mut Rng) -> Move {
        self.value.decide(state, &mut self.plays).0
    }
}

impl Mind<Backgammon> for Td {
    fn choose(&mut self, _game: &Backgammon, state: &Position, ctx: &mut Ctx) -> Move {
        let (mv, examined) = self.value.decide(state, &mut self.plays);
        ctx.meter.add_states(examined as u64);
        if let Some(why) = ctx.why.as_deref_mut() {
            self.value.explain(state, &self.plays, why);
        }
        mv
    }

    fn ledger(&self) -> Cost {
        Cost { states: 0, games: self.games, chunks: 0 }
    }
}

impl Learner<Backgammon> for Td {
    fn step(&mut self, _game: &Backgammon, ctx: &mut Ctx) -> Vec<Measure> {
        let Settings { games, lambda, rate, rate_end, .. } = self.settings;
        let mut plies = 0;
        for _ in 0..STEP {
            let progress = self.games.min(games) as f64 / games as f64;
            let rate = rate * math::powf(rate_end / rate, progress);
            let (mut dice, mut rng) = (ctx.rng.split(), ctx.rng.split());
            let (mut first, mut second) = (self.value.at_table(), self.value.at_table());
            let episode = record(&mut first, &mut second, &mut dice, &mut rng);
            rehearse(&mut self.value, &episode, lambda as f32, rate as f32);
            plies += episode.moments.len();
            self.games += 1;
        }
        ctx.meter.add_games(STEP);
        vec![Measure::new("plies a game", plies as f64 / STEP as f64)]
    }

    fn default_steps(&self) -> u64 {
        self.settings.games.div_ceil(STEP)
    }

    fn save(&self) -> Model {
        let mut model = Model::new(NAME, &Backgammon.id(), self.ledger());
        model.put_meta("settings", &self.settings);
        let weights = self.value.weights(Net::<K>::HIDDEN);
        model.put_f32("weights", &[weights.len()], &weights);
        model
    }

    fn load(game: &Backgammon, model: &Model) -> Result<Td, ModelError> {
        model.expect(NAME, &game.id())?;
        let mut player = Td::new(model.meta("settings")?);
        let weights = model.f32s("weights", player.value.weight_count(Net::<K>::HIDDEN))?;
        player.value.set_weights(Net::<K>::HIDDEN, weights)?;
        player.games = model.ledger.games;
        Ok(player)
    }
}
