//! Our best within the paper's limits: fewer than 50 chunks, 1,000 games, no lookahead.
//!
//! Each chunk is one thing a practised player sees (module `insights`, and the 24 points a side may have made) with its odds.
//! A position brings a chunk to mind in a degree, and the chunk then counts with its odds raised to that degree; all of them
//! multiply, as in equation 5. After a game the odds of every chunk move in the degree of its match, by how
//! much the next position (in the end, the outcome) surprised: the long way of counting wins and losses.

use ludens_core::{
    Combine, Cost, Ctx, Game, Learner, Measure, Mind, Model, ModelError, Move, MoveValue, Reason, Rng, Side,
    Spec, SpecError, Why,
};
use ludens_games::backgammon::{Backgammon, Men, Position};
use serde::{Deserialize, Serialize};

use super::duel::Picker;
use super::episode::{Estimator, Moment, record, rehearse};
use super::insights::{self, PER_SIDE};
use super::net::logistic;
use super::pubeval::Pubeval;
use super::race;

pub const NAME: &str = "actr-improved";
pub const SETTINGS: &[(&str, &str)] = &[
    ("games", "games of the training, over which the step shrinks (1000)"),
    ("rate", "first step of the odds (.1)"),
    ("rate_end", "last step (.01)"),
    ("lambda", "λ: how far the outcome reaches back (.7)"),
];

/// Fewer than 50.
pub const CHUNKS: usize = 48;
/// Degrees of the two sides that are seen apart; all others are seen as the difference of the sides.
const APART: [usize; 2] = [1, 2];
const POINTS_FROM: usize = CHUNKS - 1 - 24;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    pub games: u64,
    pub rate: f64,
    pub rate_end: f64,
    pub lambda: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { games: 1_000, rate: 0.1, rate_end: 0.01, lambda: 0.7 }
    }
}

impl Settings {
    pub fn from_spec(spec: &mut Spec) -> Result<Settings, SpecError> {
        let default = Settings::default();
        Ok(Settings {
            games: spec.take_or("games", default.games, "a whole number")?.max(1),
            rate: spec.take_or("rate", default.rate, "a number above 0")?,
            rate_end: spec.take_or("rate_end", default.rate_end, "a number above 0")?,
            lambda: spec.take_or("lambda", default.lambda, "a number from 0 to 1")?,
        })
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
    out[at..at + 4].copy_from_slice(&seen[2 * PER_SIDE..]);
    let (mine, his) = (own.made(), other.made());
    for point in 1..=24 {
        out[POINTS_FROM + point - 1] = ((mine >> point & 1) as f32 - (his >> point & 1) as f32) * 0.5;
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
        return format!("made point {}, against the other's", chunk - POINTS_FROM + 1);
    }
    let mut names: Vec<String> = Vec::with_capacity(POINTS_FROM);
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

#[derive(Clone, PartialEq, Debug)]
pub struct Improved {
    settings: Settings,
    /// Logarithms of the odds of the chunks.
    log_odds: [f32; CHUNKS],
    games: u64,
    won: u64,
    plays: Vec<Move>,
}

impl Estimator for Improved {
    fn teach(&mut self, moment: &Moment, target: f32, rate: f32) -> f32 {
        let degrees = degrees(&moment.own, &moment.other);
        let estimate = logistic(self.sum(&degrees));
        let step = rate * (target - estimate);
        for (log_odds, degree) in self.log_odds.iter_mut().zip(degrees) {
            *log_odds += step * degree;
        }
        estimate
    }
}

impl Improved {
    pub fn new(settings: Settings) -> Improved {
        Improved { settings, log_odds: [0.0; CHUNKS], games: 0, won: 0, plays: Vec::new() }
    }

    pub fn log_odds(&self) -> &[f32; CHUNKS] {
        &self.log_odds
    }

    fn sum(&self, degrees: &[f32; CHUNKS]) -> f32 {
        let mut sum = 0.0;
        for (log_odds, degree) in self.log_odds.iter().zip(degrees) {
            sum += log_odds * degree;
        }
        sum
    }

    /// The play whose position has the highest odds; races by rule. How many were examined comes with it.
    fn decide(&mut self, state: &Position) -> (Move, usize) {
        state.plays(&mut self.plays);
        let examined = self.plays.len();
        if examined == 1 {
            return (self.plays[0], 1);
        }
        if !state.contact() {
            return (race::best(state, &self.plays), examined);
        }
        let side = state.mover();
        let mut best = (f32::NEG_INFINITY, self.plays[0]);
        for &mv in &self.plays {
            let after = state.after(mv);
            let sum = self.sum(&degrees(after.men(side), after.men(side.other())));
            if sum > best.0 {
                best = (sum, mv);
            }
        }
        (best.1, examined)
    }

    fn explain(&self, state: &Position, why: &mut Why) {
        if !state.contact() {
            super::explain_race(state, &self.plays, why);
            return;
        }
        why.summary =
            "the position with the highest odds: those of every chunk, raised to the degree in which \
                       the position brings it to mind, multiplied"
                .into();
        why.unit = "odds of a win".into();
        why.combine = Combine::Product;
        why.moves = self.plays.iter().map(|&mv| self.explain_play(state, mv)).collect();
        why.sort();
    }

    fn explain_play(&self, state: &Position, mv: Move) -> MoveValue {
        let after = state.after(mv);
        let side = state.mover();
        let degrees = degrees(after.men(side), after.men(side.other()));
        let mut value = MoveValue::new(mv, 1.0);
        for (chunk, &degree) in degrees.iter().enumerate() {
            let log_odds = f64::from(self.log_odds[chunk]);
            let worth = (log_odds * f64::from(degree)).exp();
            if degree == 0.0 {
                continue;
            }
            value.value *= worth;
            let text = format!(
                "{}: degree {degree:.2} of a chunk with odds {:.2}",
                chunk_name(chunk),
                log_odds.exp()
            );
            let point = chunk.wrapping_sub(POINTS_FROM) + 1;
            let cells = if (1..=24).contains(&point) { super::cells(side, &[point as u8]) } else { vec![] };
            value.reasons.push(Reason::chunk(text, worth, cells));
        }
        value.reasons.sort_by(|a, b| b.worth.ln().abs().total_cmp(&a.worth.ln().abs()));
        value
    }

    /// The chunks as a person reads them, the strongest first.
    pub fn table(&self) -> String {
        let mut order: Vec<usize> = (0..CHUNKS).collect();
        order.sort_by(|&a, &b| self.log_odds[b].abs().total_cmp(&self.log_odds[a].abs()).then(a.cmp(&b)));
        let mut text = format!("{:<58} {:>8}\n", "chunk", "odds");
        for chunk in order {
            text += &format!("{:<58} {:>8.2}\n", chunk_name(chunk), self.log_odds[chunk].exp());
        }
        text
    }
}

impl Picker for Improved {
    fn pick(&mut self, state: &Position, _rng: &mut Rng) -> Move {
        self.decide(state).0
    }
}

impl Mind<Backgammon> for Improved {
    fn choose(&mut self, _game: &Backgammon, state: &Position, ctx: &mut Ctx) -> Move {
        let (mv, examined) = self.decide(state);
        ctx.meter.add_states(examined as u64);
        ctx.meter.set_chunks(CHUNKS as u64);
        if let Some(why) = ctx.why.as_deref_mut() {
            self.explain(state, why);
        }
        mv
    }

    fn ledger(&self) -> Cost {
        Cost { states: 0, games: self.games, chunks: CHUNKS as u64 }
    }
}

impl Learner<Backgammon> for Improved {
    fn step(&mut self, _game: &Backgammon, ctx: &mut Ctx) -> Vec<Measure> {
        let (mut dice, mut rng) = (ctx.rng.split(), ctx.rng.split());
        let seat = if self.games.is_multiple_of(2) { Side::First } else { Side::Second };
        let mut opponent = Pubeval::default();
        let episode = if seat == Side::First {
            record(self, &mut opponent, &mut dice, &mut rng)
        } else {
            record(&mut opponent, self, &mut dice, &mut rng)
        };
        let Settings { rate, rate_end, lambda, games } = self.settings;
        let progress = self.games.min(games) as f64 / games as f64;
        let rate = rate * (rate_end / rate).powf(progress);
        rehearse(self, &episode, lambda as f32, rate as f32);
        self.games += 1;
        let won = episode.winner == seat;
        self.won += u64::from(won);
        ctx.meter.add_games(1);
        ctx.meter.set_chunks(CHUNKS as u64);
        vec![Measure::new("won", f64::from(u8::from(won)))]
    }

    fn default_steps(&self) -> u64 {
        self.settings.games
    }

    fn save(&self) -> Model {
        let mut model = Model::new(NAME, &Backgammon.id(), self.ledger());
        model.put_meta("settings", &self.settings);
        model.put_f32("log_odds", &[CHUNKS], &self.log_odds);
        model.put_u64("won", &[1], &[self.won]);
        model
    }

    fn load(game: &Backgammon, model: &Model) -> Result<Improved, ModelError> {
        model.expect(NAME, &game.id())?;
        let mut player = Improved::new(model.meta("settings")?);
        player.log_odds.copy_from_slice(model.f32s("log_odds", CHUNKS)?);
        player.games = model.ledger.games;
        player.won = model.u64s("won", 1)?[0];
        Ok(player)
    }
}
