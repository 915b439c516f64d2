//! The first comparator of the paper's table 1: TD-Gammon's network, trained by TD(λ) in games against itself.
//!
//! TD(λ) in the forward view: after each game the positions are gone through backwards, once.

use ludens_core::{
    Cost, Ctx, Game, Learner, Measure, Mind, MindError, Model, ModelError, Move, Ranking, Rng, math, settings,
};
use ludens_games::backgammon::{Backgammon, Position};

use super::duel::Picker;
use super::episode::{record, rehearse};
use super::net::Net;
use super::value_player::ValuePlayer;

/// The name in the catalogue.
pub const NAME: &str = "td";
/// 80 hidden units, as TD-Gammon's best published.
const K: usize = 5;
/// Games of one step.
const STEP: u64 = 500;

settings! {
    /// How TD(λ) is trained.
    pub struct Settings {
        /// Games of the training, over which the rate falls.
        pub games: u64 = 1_000_000, 1..=1_000_000_000;
        /// λ: how far the outcome reaches back.
        pub lambda: f64 = 0.5, 0.0..=1.0;
        /// First learning rate.
        pub rate: f64 = 0.1, 1e-6..=10.0;
        /// Last learning rate.
        pub rate_end: f64 = 0.005, 1e-6..=10.0;
        /// Seed of the first weights.
        pub seed: u64 = 1, 0..=u64::MAX;
    }
}

/// The network while it learns.
#[derive(Clone, PartialEq, Debug)]
pub struct Td {
    settings: Settings,
    value: ValuePlayer<K>,
    games: u64,
    plays: Vec<Move>,
}

impl Td {
    pub(crate) fn new(settings: Settings) -> Td {
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
    fn rank(&mut self, _: &Backgammon, state: &Position, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let ranking = self.value.rank(state, &mut self.plays, ctx.explain);
        ctx.meter.add_states(ranking.moves.len() as u64);
        Ok(ranking)
    }

    fn ledger(&self) -> Cost {
        Cost { games: self.games, ..Cost::default() }
    }
}

impl Learner<Backgammon> for Td {
    fn step(&mut self, _game: &Backgammon, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let Settings { games, lambda, rate, rate_end, .. } = self.settings;
        let mut plies = 0;
        // The last step of the schedule has the games that are left; who goes on beyond it takes whole steps.
        let count = if self.games < games { STEP.min(games - self.games) } else { STEP };
        for _ in 0..count {
            ctx.meter.check()?;
            let progress = self.games.min(games) as f64 / games as f64;
            let rate = rate * math::powf(rate_end / rate, progress);
            let (mut dice, mut rng) = (ctx.rng.split(), ctx.rng.split());
            let (mut first, mut second) = (self.value.at_table(), self.value.at_table());
            let episode = record(&mut first, &mut second, &mut dice, &mut rng);
            rehearse(&mut self.value, &episode, lambda as f32, rate as f32);
            plies += episode.moments.len();
            self.games += 1;
        }
        ctx.meter.add_games(count);
        Ok(vec![Measure::new("plies a game", plies as f64 / count as f64)])
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
        let mut player = Td::new(loaded_settings(model)?);
        let weights = model.f32s("weights", player.value.weight_count(Net::<K>::HIDDEN))?;
        player.value.set_weights(Net::<K>::HIDDEN, weights)?;
        player.games = model.ledger.games;
        Ok(player)
    }
}

/// Those of a model, within the limits of those that are typed.
fn loaded_settings(model: &Model) -> Result<Settings, ModelError> {
    let settings: Settings = model.meta("settings")?;
    settings.check()?;
    Ok(settings)
}
