//! It learns: a step is a game against pubeval, and every chunk moves by how much the next position surprised.

use ludens_core::{
    Ctx, Game, Learner, Measure, Memory, Mind, MindError, Model, ModelError, Move, Rng, Side, math,
};
use ludens_games::backgammon::{Backgammon, Position};

use super::chunks::{CHUNKS, degrees};
use super::player::{decide, sum};
use super::settings::{Settings, loaded_settings};
use crate::actr::duel::Picker;
use crate::actr::episode::{Estimator, Moment, record, rehearse};
use crate::actr::net::logistic;
use crate::actr::pubeval::Pubeval;

/// The name in the catalogue.
pub const NAME: &str = "actr-improved";

/// The player while it learns: by the odds as the last game left them.
struct Learning<'a> {
    log_odds: &'a [f32; CHUNKS],
    plays: Vec<Move>,
}

impl Picker for Learning<'_> {
    fn pick(&mut self, state: &Position, _rng: &mut Rng) -> Move {
        decide(self.log_odds, state, &mut self.plays).0
    }
}

/// The player.
#[derive(Clone, PartialEq, Debug)]
pub struct Improved {
    settings: Settings,
    /// Logarithms of the odds of the chunks, as the last game left them.
    moving: [f32; CHUNKS],
    /// Their sums since they began to settle, and how many those are.
    sums: [f64; CHUNKS],
    summed: u64,
    /// What it plays by: their mean, or the moving ones before there is one.
    pub(super) log_odds: [f32; CHUNKS],
    pub(super) games: u64,
    won: u64,
    pub(super) plays: Vec<Move>,
}

impl Estimator for Improved {
    fn teach(&mut self, moment: &Moment, target: f32, rate: f32) -> f32 {
        let degrees = degrees(&moment.own, &moment.other);
        let estimate = logistic(sum(&self.moving, &degrees));
        let step = rate * (target - estimate);
        for (log_odds, degree) in self.moving.iter_mut().zip(degrees) {
            *log_odds += step * degree;
        }
        estimate
    }
}

impl Improved {
    /// One whose chunks say nothing yet.
    pub fn new(settings: Settings) -> Improved {
        Improved {
            settings,
            moving: [0.0; CHUNKS],
            sums: [0.0; CHUNKS],
            summed: 0,
            log_odds: [0.0; CHUNKS],
            games: 0,
            won: 0,
            plays: Vec::new(),
        }
    }

    /// The logarithms of the odds it plays by.
    pub fn log_odds(&self) -> &[f32; CHUNKS] {
        &self.log_odds
    }

    /// What it plays by after the game: the mean since the odds began to settle.
    fn settle(&mut self) {
        if self.games as f64 >= self.settings.settle * self.settings.games as f64 {
            self.summed += 1;
            for (sum, &log_odds) in self.sums.iter_mut().zip(&self.moving) {
                *sum += f64::from(log_odds);
            }
        }
        self.log_odds = self.settled();
    }

    fn settled(&self) -> [f32; CHUNKS] {
        if self.summed == 0 {
            return self.moving;
        }
        self.sums.map(|sum| (sum / self.summed as f64) as f32)
    }
}

impl Learner<Backgammon> for Improved {
    fn step(&mut self, _game: &Backgammon, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let (mut dice, mut rng) = (ctx.rng.split(), ctx.rng.split());
        let seat = if self.games.is_multiple_of(2) { Side::First } else { Side::Second };
        let mut opponent = Pubeval::default();
        let mut learning = Learning { log_odds: &self.moving, plays: Vec::new() };
        let episode = if seat == Side::First {
            record(&mut learning, &mut opponent, &mut dice, &mut rng)
        } else {
            record(&mut opponent, &mut learning, &mut dice, &mut rng)
        };
        let Settings { rate, rate_end, lambda, games, .. } = self.settings;
        let progress = self.games.min(games) as f64 / games as f64;
        let rate = rate * math::powf(rate_end / rate, progress);
        rehearse(self, &episode, lambda as f32, rate as f32);
        self.settle();
        self.games += 1;
        let won = episode.winner == seat;
        self.won += u64::from(won);
        ctx.meter.add_games(1);
        ctx.meter.set_chunks(CHUNKS as u64);
        Ok(vec![Measure::new("won", f64::from(u8::from(won)))])
    }

    fn default_steps(&self) -> u64 {
        self.settings.games
    }

    fn memory(&self, _game: &Backgammon) -> Option<Memory> {
        Some(Memory { games: self.games, strongest: self.remembered(), ..Memory::default() })
    }

    fn save(&self) -> Model {
        let mut model = Model::new(NAME, &Backgammon.id(), self.ledger());
        model.put_meta("settings", &self.settings);
        model.put_f32("log_odds", &[CHUNKS], &self.moving);
        model.put_f64("log_odds.sums", &[CHUNKS], &self.sums);
        model.put_u64("counts", &[2], &[self.won, self.summed]);
        model
    }

    fn load(game: &Backgammon, model: &Model) -> Result<Improved, ModelError> {
        model.expect(NAME, &game.id())?;
        let mut player = Improved::new(loaded_settings(model)?);
        player.moving.copy_from_slice(model.f32s("log_odds", CHUNKS)?);
        player.sums.copy_from_slice(model.f64s("log_odds.sums", CHUNKS)?);
        let counts = model.u64s("counts", 2)?;
        (player.won, player.summed) = (counts[0], counts[1]);
        player.log_odds = player.settled();
        player.games = model.ledger.games;
        Ok(player)
    }
}
