//! The second comparator of table 1: HC-Gammon (Pollack, Blair and Land), hill climbing from a network of zeros.
//!
//! Each generation the champion meets a mutant of itself, in pairs of games with the same dice and seats swapped. If the
//! mutant wins all but one of them or more, the champion moves a twentieth of the way towards it. The match
//! grows from 4 games to 6 and 8 as the champion gets harder to tell apart from its mutants.
//!
//! With mutations of one fixed size the climb stalls at once (68 of 100,000 mutants won, 13 % against pubeval): while its weights
//! are small only their proportions matter, and a champion that is a little good loses everything to so much
//! noise. So the size follows the mutants' success, as in evolution strategies. Their success is the share of single games they win, which
//! falls from a half to nothing as the noise grows. Matches won would mislead: mutants that are too alike split every pair of games
//! and win no match either, so the size would fall to nothing (27 % against pubeval, instead of 40 %).

use ludens_core::{
    Cost, Ctx, Game, Learner, Measure, Mind, MindError, Model, ModelError, Move, Ranking, Rng, Side, math,
    settings,
};
use ludens_games::backgammon::{Backgammon, Position};

use super::duel::{Picker, play_game};
use super::net::Net;
use super::value_player::ValuePlayer;

/// The name in the catalogue.
pub const NAME: &str = "hc";
/// Room for 32 hidden units, of which [`HIDDEN`] are used.
const K: usize = 2;
const HIDDEN: usize = 20;
/// Generations of one step.
const STEP: u64 = 100;

settings! {
    /// How the hill is climbed.
    pub struct Settings {
        /// Mutants met.
        pub generations: u64 = 100_000, 1..=1_000_000_000;
        /// Games after which it ends, and by which its matches grow; 0: after so many mutants.
        #[left_out(usual)]
        pub games: u64 = 0, 0..=1_000_000_000;
        /// Standard deviation of the first mutations.
        pub noise: f64 = 0.05, 1e-6..=100.0;
        /// How far the champion moves towards a winner.
        pub share: f64 = 0.05, 0.0..=1.0;
        /// Share of single games that mutants should win: the noise follows it; 0: the noise stays.
        pub wins: f64 = 0.35, 0.0..=1.0;
    }
}

/// The champion, and how big its mutations are.
#[derive(Clone, PartialEq, Debug)]
pub struct HillClimber {
    settings: Settings,
    champion: ValuePlayer<K>,
    /// The standard deviation of the next mutation.
    noise: f64,
    generation: u64,
    games: u64,
    moved: u64,
    plays: Vec<Move>,
}

impl HillClimber {
    pub(crate) fn new(settings: Settings) -> HillClimber {
        let champion = ValuePlayer::new(vec![Net::zero(0)], false);
        let noise = settings.noise;
        HillClimber { settings, champion, noise, generation: 0, games: 0, moved: 0, plays: Vec::new() }
    }

    /// Games of a match: 4, from a tenth of the climb on 6, from seven tenths on 8.
    fn match_length(&self) -> u64 {
        let tenths = match self.settings.games {
            0 => 10 * self.generation / self.settings.generations,
            games => 10 * self.games / games,
        };
        match tenths {
            0 => 4,
            1..=6 => 6,
            _ => 8,
        }
    }

    /// It was told how many games, and has played them. A match that has begun is played to its end.
    fn has_played_its_games(&self) -> bool {
        self.settings.games > 0 && self.games >= self.settings.games
    }

    fn mutant(&self, rng: &mut Rng) -> Vec<f32> {
        let mut weights = self.champion.weights(HIDDEN);
        for weight in &mut weights {
            *weight += (rng.normal() * self.noise) as f32;
        }
        weights
    }

    /// Whether the mutant loses at most one game of the match, which ends as soon as that is decided; and how many of the
    /// first pair of games it lost.
    fn wins_match(&mut self, mutant: &ValuePlayer<K>, rng: &mut Rng) -> (bool, u32) {
        let (mut lost, mut lost_first_pair) = (0, 0);
        for pair in 0..self.match_length() / 2 {
            let dice = rng.split();
            for seat in Side::BOTH {
                let (mut mutant, mut champion) = (mutant.at_table(), self.champion.at_table());
                let (first, second): (&mut dyn Picker, &mut dyn Picker) = if seat == Side::First {
                    (&mut mutant, &mut champion)
                } else {
                    (&mut champion, &mut mutant)
                };
                let winner = play_game(Backgammon.start(), first, second, &mut dice.clone(), rng);
                self.games += 1;
                lost += u32::from(winner != Some(seat));
                if pair == 0 {
                    lost_first_pair = lost;
                }
                if lost > 1 {
                    return (false, lost_first_pair);
                }
            }
        }
        (true, lost_first_pair)
    }

    fn generation(&mut self, rng: &mut Rng) {
        let weights = self.mutant(rng);
        let mut mutant = self.champion.clone();
        if mutant.set_weights(HIDDEN, &weights).is_err() {
            return;
        }
        let (won, lost_first_pair) = self.wins_match(&mutant, rng);
        if won {
            let share = self.settings.share as f32;
            let mut own = self.champion.weights(HIDDEN);
            for (own, other) in own.iter_mut().zip(&weights) {
                *own += share * (other - *own);
            }
            if self.champion.set_weights(HIDDEN, &own).is_ok() {
                self.moved += 1;
            }
        }
        if self.settings.wins > 0.0 {
            // Balanced when mutants win the wanted share of the first two games, which are always played.
            let step = 1.0 - f64::from(lost_first_pair) / 2.0 - self.settings.wins;
            self.noise = (self.noise * math::exp(0.1 * step)).clamp(1e-4, 10.0);
        }
        self.generation += 1;
    }
}

impl Picker for HillClimber {
    fn pick(&mut self, state: &Position, _rng: &mut Rng) -> Move {
        self.champion.decide(state, &mut self.plays).0
    }
}

impl Mind<Backgammon> for HillClimber {
    fn rank(&mut self, _: &Backgammon, state: &Position, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let ranking = self.champion.rank(state, &mut self.plays, ctx.explain);
        ctx.meter.add_states(ranking.moves.len() as u64);
        Ok(ranking)
    }

    fn ledger(&self) -> Cost {
        Cost { games: self.games, ..Cost::default() }
    }
}

impl Learner<Backgammon> for HillClimber {
    fn step(&mut self, _game: &Backgammon, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let before = (self.games, self.moved, self.generation);
        for _ in 0..STEP {
            ctx.meter.check()?;
            if self.has_played_its_games() {
                break;
            }
            let mut rng = ctx.rng.split();
            self.generation(&mut rng);
        }
        ctx.meter.add_games(self.games - before.0);
        let mutants = (self.generation - before.2).max(1);
        Ok(vec![Measure::new("mutants that won", (self.moved - before.1) as f64 / mutants as f64)])
    }

    fn default_steps(&self) -> u64 {
        match self.settings.games {
            0 => self.settings.generations.div_ceil(STEP),
            // A mutant is met in two games at least; most often the games end it earlier.
            games => games.div_ceil(2 * STEP),
        }
    }

    fn finished(&self) -> bool {
        self.has_played_its_games()
    }

    fn save(&self) -> Model {
        let mut model = Model::new(NAME, &Backgammon.id(), self.ledger());
        model.put_meta("settings", &self.settings);
        model.put_f64("noise", &[1], &[self.noise]);
        model.put_u64("counts", &[3], &[self.generation, self.games, self.moved]);
        let weights = self.champion.weights(HIDDEN);
        model.put_f32("weights", &[weights.len()], &weights);
        model
    }

    fn load(game: &Backgammon, model: &Model) -> Result<HillClimber, ModelError> {
        model.expect(NAME, &game.id())?;
        let mut player = HillClimber::new(loaded_settings(model)?);
        player.noise = model.f64s("noise", 1)?[0];
        let counts = model.u64s("counts", 3)?;
        (player.generation, player.games, player.moved) = (counts[0], counts[1], counts[2]);
        let weights = model.f32s("weights", player.champion.weight_count(HIDDEN))?;
        player.champion.set_weights(HIDDEN, weights)?;
        Ok(player)
    }
}

/// Those of a model, within the limits of those that are typed.
fn loaded_settings(model: &Model) -> Result<Settings, ModelError> {
    let settings: Settings = model.meta("settings")?;
    settings.check()?;
    Ok(settings)
}
