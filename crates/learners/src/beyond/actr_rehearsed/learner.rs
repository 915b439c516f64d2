//! It learns: a game, then remembered games again.

use ludens_core::{
    Ctx, Game, Learner, Measure, Mind, MindError, Model, ModelError, Move, Rng, Side, Stop, Stopped, math,
};
use ludens_games::backgammon::Backgammon;

use super::player::Seat;
use super::settings::{Settings, loaded_settings};
use crate::actr::episode::{self, Episode, record, rehearse};
use crate::actr::net::Net;
use crate::actr::pubeval::Pubeval;
use crate::actr::value_player::ValuePlayer;
use crate::beyond::actr_improved::insights;

/// The name in the catalogue.
pub const NAME: &str = "actr-rehearsed";
/// 48 hidden units a network.
pub(super) const K: usize = 3;

/// The player.
#[derive(Clone, PartialEq, Debug)]
pub struct Rehearsed {
    settings: Settings,
    pub(super) value: ValuePlayer<K>,
    /// Emptied when the training is over.
    pub(super) episodes: Vec<Episode>,
    pub(super) games: u64,
    /// Games gone through again.
    rehearsed: u64,
    pub(super) plays: Vec<Move>,
}

impl Rehearsed {
    /// One that has played nothing yet.
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
    fn rehearse_at_length(&mut self, rng: &mut Rng, stop: &Stop) -> Result<(), Stopped> {
        let last = self.settings.last;
        for pass in 0..last {
            stop.check()?;
            let rate = self.settings.rate_end * math::powf(0.1, pass as f64 / last as f64);
            self.rehearse_random(rate, rng);
        }
        self.episodes = Vec::new();
        Ok(())
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
            ctx.meter.check()?;
            self.rehearse_random(rate, &mut rng);
        }
        if self.finished() {
            self.rehearse_at_length(&mut rng, ctx.meter.stop())?;
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
