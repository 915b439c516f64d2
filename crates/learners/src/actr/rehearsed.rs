//! Free of the chunk limit, still 1,000 games and no lookahead: networks that see the board and the insights, and that rehearse.
//!
//! Half the games are against pubeval, half against itself. All games are remembered; after each one, remembered games are
//! gone through again, and once more at length when the last game is played. Every rehearsal is counted.

use ludens_core::{
    Cost, Ctx, Game, Learner, Measure, Mind, MindError, Model, ModelError, Move, Ranking, Rng, Side, math,
    settings,
};
use ludens_games::backgammon::{Backgammon, Position};

use super::duel::Picker;
use super::episode::{self, Episode, record, rehearse};
use super::insights;
use super::net::Net;
use super::pubeval::Pubeval;
use super::race;
use super::value_player::ValuePlayer;

pub const NAME: &str = "actr-rehearsed";
/// 48 hidden units a network.
const K: usize = 3;

settings! {
    /// How it plays and rehearses.
    pub struct Settings {
        /// Games of experience.
        pub games: u64 = 1_000, 1..=10_000_000;
        /// Remembered games gone through after each game, the new one included.
        pub rehearsals: u64 = 10, 1..=1_000_000;
        /// Remembered games gone through after the last one.
        pub last: u64 = 30_000, 0..=100_000_000;
        /// λ: how far the outcome reaches back.
        pub lambda: f64 = 0.4, 0.0..=1.0;
        /// First learning rate.
        pub rate: f64 = 0.05, 1e-6..=10.0;
        /// Learning rate at the last game.
        pub rate_end: f64 = 0.01, 1e-6..=10.0;
        /// Share of games against itself.
        pub own: f64 = 0.5, 0.0..=1.0;
        /// Networks that learn together and are asked together.
        pub members: usize = 3, 1..=32;
        /// Seed of the first weights.
        pub seed: u64 = 1, 0..=u64::MAX;
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Rehearsed {
    settings: Settings,
    value: ValuePlayer<K>,
    /// Emptied when the training is over.
    episodes: Vec<Episode>,
    games: u64,
    /// Games gone through again.
    rehearsed: u64,
    plays: Vec<Move>,
}

impl Rehearsed {
    pub fn new(settings: Settings) -> Rehearsed {
        let mut rng = Rng::stream(settings.seed, u64::MAX);
        let nets =
            (0..settings.members.max(1)).map(|_| Net::random(insights::COUNT, 0.1, &mut rng)).collect();
        Rehearsed {
            settings,
            value: ValuePlayer::new(nets, true),
            episodes: Vec::new(),
            games: 0,
            rehearsed: 0,
            plays: Vec::new(),
        }
    }

    /// Games of rehearsal so far.
    pub fn rehearsals(&self) -> u64 {
        self.rehearsed
    }

    /// Races by rule, everything else by the network.
    fn decide(value: &ValuePlayer<K>, state: &Position, plays: &mut Vec<Move>) -> (Move, usize) {
        if !state.contact() {
            state.plays(plays);
            return (race::best(state, plays), plays.len());
        }
        value.decide(state, plays)
    }

    fn play(&self, dice: &mut Rng, rng: &mut Rng) -> (Episode, Option<Side>) {
        let mut own = Seat { value: &self.value, plays: Vec::new() };
        if rng.chance(self.settings.own) {
            let mut other = Seat { value: &self.value, plays: Vec::new() };
            return (record(&mut own, &mut other, dice, rng), None);
        }
        let mut opponent = Pubeval::default();
        if self.games.is_multiple_of(2) {
            (record(&mut own, &mut opponent, dice, rng), Some(Side::First))
        } else {
            (record(&mut opponent, &mut own, dice, rng), Some(Side::Second))
        }
    }

    fn rehearse_random(&mut self, rate: f64, rng: &mut Rng) {
        let index = rng.below(self.episodes.len() as u32) as usize;
        rehearse(&mut self.value, &self.episodes[index], self.settings.lambda as f32, rate as f32);
        self.rehearsed += 1;
    }

    /// After the last game: at length, with a step that shrinks tenfold.
    fn rehearse_at_length(&mut self, rng: &mut Rng) {
        let last = self.settings.last;
        for pass in 0..last {
            let rate = self.settings.rate_end * math::powf(0.1, pass as f64 / last as f64);
            self.rehearse_random(rate, rng);
        }
        self.episodes = Vec::new();
    }
}

struct Seat<'a> {
    value: &'a ValuePlayer<K>,
    plays: Vec<Move>,
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
            super::rank_race(state, &self.plays, ctx.explain)
        };
        ctx.meter.add_states(ranking.moves.len() as u64);
        Ok(ranking)
    }

    fn ledger(&self) -> Cost {
        Cost { states: 0, games: self.games, chunks: self.episodes.len() as u64 }
    }
}

impl Learner<Backgammon> for Rehearsed {
    fn step(&mut self, _game: &Backgammon, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        if self.finished() {
            return Ok(Vec::new());
        }
        let (mut dice, mut rng) = (ctx.rng.split(), ctx.rng.split());
        let (episode, seat) = self.play(&mut dice, &mut rng);
        let won = seat.map(|seat| f64::from(u8::from(seat == episode.winner)));
        let Settings { rate, rate_end, games, lambda, rehearsals, .. } = self.settings;
        let rate = rate * math::powf(rate_end / rate, self.games as f64 / games as f64);
        rehearse(&mut self.value, &episode, lambda as f32, rate as f32);
        self.episodes.push(episode);
        self.games += 1;
        for _ in 1..rehearsals {
            self.rehearse_random(rate, &mut rng);
        }
        if self.finished() {
            self.rehearse_at_length(&mut rng);
        }
        ctx.meter.add_games(1);
        let mut measures = vec![Measure::new("rehearsed games", self.rehearsed as f64)];
        measures.extend(won.map(|won| Measure::new("won", won)));
        Ok(measures)
    }

    fn default_steps(&self) -> u64 {
        self.settings.games
    }

    fn finished(&self) -> bool {
        self.games >= self.settings.games
    }

    fn save(&self) -> Model {
        let mut model = Model::new(NAME, &Backgammon.id(), self.ledger());
        model.put_meta("settings", &self.settings);
        model.put_u64("counts", &[2], &[self.games, self.rehearsed]);
        let weights = self.value.weights(Net::<K>::HIDDEN);
        model.put_f32("weights", &[weights.len()], &weights);
        episode::save(&self.episodes, &mut model);
        model
    }

    fn load(game: &Backgammon, model: &Model) -> Result<Rehearsed, ModelError> {
        model.expect(NAME, &game.id())?;
        let mut player = Rehearsed::new(loaded_settings(model)?);
        let counts = model.u64s("counts", 2)?;
        (player.games, player.rehearsed) = (counts[0], counts[1]);
        let weights = model.f32s("weights", player.value.weight_count(Net::<K>::HIDDEN))?;
        player.value.set_weights(Net::<K>::HIDDEN, weights)?;
        player.episodes = episode::load(model)?;
        Ok(player)
    }
}

/// Those of a model, within the limits of those that are typed.
fn loaded_settings(model: &Model) -> Result<Settings, ModelError> {
    let settings: Settings = model.meta("settings")?;
    settings.check()?;
    Ok(settings)
}
