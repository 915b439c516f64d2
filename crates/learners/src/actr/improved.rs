//! Our best within the paper's limits: fewer than 50 chunks, 1,000 games, no lookahead.
//!
//! Each chunk is one thing a practised player sees (module `insights`, points a side may have made, and what the same thing
//! is worth to the one who leads the race) with its odds. A position brings a chunk to mind in a degree, and the chunk then
//! counts with its odds raised to that degree; all of them multiply, as in equation 5. After a game the odds of every chunk
//! move in the degree of its match, by how much the next position (in the end, the outcome) surprised: the long way of
//! counting wins and losses. What is kept in the end is the mean of the odds over the last seven tenths of the games: single games
//! push them to and fro.

use ludens_core::{
    Combine, Cost, Ctx, Game, Learner, Measure, Mind, MindError, Model, ModelError, Move, Ranking, Reason,
    Rng, Side, math, settings,
};
use ludens_games::backgammon::{Backgammon, Men, Position};

use super::duel::Picker;
use super::episode::{Estimator, Moment, record, rehearse};
use super::insights::{self, PER_SIDE};
use super::net::logistic;
use super::pubeval::Pubeval;
use super::race;

pub const NAME: &str = "actr-improved";
/// Fewer than 50.
pub const CHUNKS: usize = 48;
/// Degrees of the two sides that are seen apart; all others are seen as the difference of the sides.
const APART: [usize; 2] = [1, 2];
/// Degrees that are worth something else to the one who leads the race; those of [`APART`] are the own ones.
const LED: [usize; 8] = [1, 2, 3, 5, 6, 8, 9, 14];
/// The made points with a chunk of their own: both homes and what lies before them.
const POINTS: [u8; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 17, 18, 19, 20, 21, 22, 23, 24];
const WHOLE_FROM: usize = PER_SIDE + APART.len();
const LED_FROM: usize = WHOLE_FROM + 4;
const POINTS_FROM: usize = LED_FROM + LED.len();
const _: () = assert!(POINTS_FROM + POINTS.len() + 1 == CHUNKS);

settings! {
    /// How the odds are learnt.
    pub struct Settings {
        /// Games of the training, over which the step shrinks.
        pub games: u64 = 1_000, 1..=1_000_000_000;
        /// First step of the odds.
        pub rate: f64 = 0.1, 1e-6..=10.0;
        /// Last step.
        pub rate_end: f64 = 0.1, 1e-6..=10.0;
        /// λ: how far the outcome reaches back.
        pub lambda: f64 = 0.7, 0.0..=1.0;
        /// Share of the games after which the odds are averaged.
        pub settle: f64 = 0.3, 0.0..=1.0;
    }
}

/// In what degree each chunk comes to mind.
pub fn degrees(own: &Men, other: &Men) -> [f32; CHUNKS] {
    let seen = insights::degrees(own, other);
    let mut out = [0f32; CHUNKS];
    let mut at = 0;
    for index in 0..PER_SIDE {
        if APART.contains(&index) {
            out[at] = seen[index];
            out[at + 1] = seen[PER_SIDE + index];
            at += 2;
        } else {
            out[at] = seen[index] - seen[PER_SIDE + index];
            at += 1;
        }
    }
    out[WHOLE_FROM..LED_FROM].copy_from_slice(&seen[2 * PER_SIDE..]);
    let lead = seen[2 * PER_SIDE + 1];
    for (led, &index) in out[LED_FROM..POINTS_FROM].iter_mut().zip(&LED) {
        let other = if APART.contains(&index) { 0.0 } else { seen[PER_SIDE + index] };
        *led = lead * (seen[index] - other);
    }
    let (mine, his) = (own.made(), other.made());
    for (made, point) in out[POINTS_FROM..].iter_mut().zip(POINTS) {
        *made = ((mine >> point & 1) as f32 - (his >> point & 1) as f32) * 0.5;
    }
    out[CHUNKS - 1] = 1.0;
    out
}

/// The name of a chunk.
pub fn chunk_name(chunk: usize) -> String {
    if chunk == CHUNKS - 1 {
        return "any position".into();
    }
    if chunk >= POINTS_FROM {
        return format!("made point {}, against the other's", POINTS[chunk - POINTS_FROM]);
    }
    if chunk >= LED_FROM {
        let index = LED[chunk - LED_FROM];
        let whose = if APART.contains(&index) { "own " } else { "" };
        return format!("{whose}{} when ahead in the race", insights::SIDE_NAMES[index]);
    }
    let mut names: Vec<String> = Vec::with_capacity(LED_FROM);
    for index in 0..PER_SIDE {
        if APART.contains(&index) {
            names.push(insights::name(index));
            names.push(insights::name(PER_SIDE + index));
        } else {
            names.push(format!("{}, against the other's", insights::SIDE_NAMES[index]));
        }
    }
    names.extend(insights::WHOLE_NAMES.map(String::from));
    names.swap_remove(chunk)
}

fn sum(log_odds: &[f32; CHUNKS], degrees: &[f32; CHUNKS]) -> f32 {
    let mut sum = 0.0;
    for (log_odds, degree) in log_odds.iter().zip(degrees) {
        sum += log_odds * degree;
    }
    sum
}

/// The play whose position has the highest odds; races by rule. How many were examined comes with it.
fn decide(log_odds: &[f32; CHUNKS], state: &Position, plays: &mut Vec<Move>) -> (Move, usize) {
    state.plays(plays);
    let examined = plays.len();
    if examined == 1 {
        return (plays[0], 1);
    }
    if !state.contact() {
        return (race::best(state, plays), examined);
    }
    let side = state.mover();
    let mut best = (f32::NEG_INFINITY, plays[0]);
    for &mv in plays.iter() {
        let after = state.after(mv);
        let sum = sum(log_odds, &degrees(after.men(side), after.men(side.other())));
        if sum > best.0 {
            best = (sum, mv);
        }
    }
    (best.1, examined)
}

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

#[derive(Clone, PartialEq, Debug)]
pub struct Improved {
    settings: Settings,
    /// Logarithms of the odds of the chunks, as the last game left them.
    moving: [f32; CHUNKS],
    /// Their sums since they began to settle, and how many those are.
    sums: [f64; CHUNKS],
    summed: u64,
    /// What it plays by: their mean, or the moving ones before there is one.
    log_odds: [f32; CHUNKS],
    games: u64,
    won: u64,
    plays: Vec<Move>,
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

    /// Each chunk's part in the odds of a position, the strongest first.
    fn reasons(&self, degrees: &[f32; CHUNKS], side: Side) -> Vec<Reason> {
        let mut reasons = Vec::new();
        for (chunk, &degree) in degrees.iter().enumerate().filter(|(_, degree)| **degree != 0.0) {
            let log_odds = f64::from(self.log_odds[chunk]);
            let worth = math::exp(log_odds * f64::from(degree));
            let text = format!(
                "{}: degree {degree:.2} of a chunk with odds {:.2}",
                chunk_name(chunk),
                math::exp(log_odds)
            );
            let point = POINTS.get(chunk.wrapping_sub(POINTS_FROM));
            let cells = point.map_or_else(Vec::new, |&point| super::cells(side, &[point]));
            reasons.push(Reason::chunk(text, worth, cells));
        }
        reasons.sort_by(|a, b| math::ln(b.worth).abs().total_cmp(&math::ln(a.worth).abs()));
        reasons
    }

    /// The chunks as a person reads them, the strongest first.
    pub fn table(&self) -> String {
        let mut order: Vec<usize> = (0..CHUNKS).collect();
        order.sort_by(|&a, &b| self.log_odds[b].abs().total_cmp(&self.log_odds[a].abs()).then(a.cmp(&b)));
        let mut text = format!("{:<58} {:>8}\n", "chunk", "odds");
        for chunk in order {
            text += &format!("{:<58} {:>8.2}\n", chunk_name(chunk), math::exp_f32(self.log_odds[chunk]));
        }
        text
    }
}

impl Picker for Improved {
    fn pick(&mut self, state: &Position, _rng: &mut Rng) -> Move {
        decide(&self.log_odds, state, &mut self.plays).0
    }
}

impl Mind<Backgammon> for Improved {
    fn rank(&mut self, _: &Backgammon, state: &Position, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        state.plays(&mut self.plays);
        ctx.meter.add_states(self.plays.len() as u64);
        ctx.meter.set_chunks(CHUNKS as u64);
        if !state.contact() {
            return Ok(super::rank_race(state, &self.plays, ctx.explain));
        }
        let side = state.mover();
        let degrees_after = |mv: Move| {
            let after = state.after(mv);
            degrees(after.men(side), after.men(side.other()))
        };
        let odds = |mv: Move| math::exp(f64::from(sum(&self.log_odds, &degrees_after(mv))));
        let mut ranking = Ranking::of(self.plays.iter().map(|&mv| (mv, odds(mv))));
        if ctx.explain {
            ranking.summary =
                "the position with the highest odds: those of every chunk, raised to the degree in which \
                           the position brings it to mind, multiplied"
                    .into();
            ranking.unit = "odds of a win".into();
            ranking.combine = Combine::Product;
            for candidate in &mut ranking.moves {
                candidate.reasons = self.reasons(&degrees_after(candidate.mv), side);
            }
        }
        Ok(ranking)
    }

    fn ledger(&self) -> Cost {
        Cost { states: 0, games: self.games, chunks: CHUNKS as u64 }
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

/// Those of a model, within the limits of those that are typed.
fn loaded_settings(model: &Model) -> Result<Settings, ModelError> {
    let settings: Settings = model.meta("settings")?;
    settings.check()?;
    Ok(settings)
}
