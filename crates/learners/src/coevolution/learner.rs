//! The whole run as a learner: a step is a generation, and every thousandth ends with social learning.

use ludens_core::{
    Cost, Ctx, Game, Learner, Measure, Mind, MindError, Model, ModelError, Rng, Stop, Stopped,
};
use rayon::prelude::*;

use super::connect_four::Spent;
use super::individual::{Pair, generation};
use super::network::Player;
use super::settings::{Inputs, Settings};
use super::social::{Pool, Published, Round, social_learning};
use crate::beyond::coevolution_improved::{self, FEATURES, LINES};

/// The name in the catalogue.
pub const NAME: &str = "coevolution";
/// Published players that are shipped with a model to be played against.
const SHIPPED: usize = 20;
/// More pairs than the paper's are spread over the cores; a pair has its own random stream, so the result is the same.
const ALONE: usize = 5;

/// The run.
pub struct Coevolution<G: Game> {
    /// As the catalogue and the model files call it.
    name: &'static str,
    /// What was set.
    pub settings: Settings,
    /// The parents with their offspring.
    pub pairs: Vec<Pair>,
    /// All that were published.
    pub pool: Pool,
    /// Generations done.
    pub generation: u64,
    game_id: String,
    seed: u64,
    pub(super) inputs: usize,
    pub(super) ledger: Cost,
    /// Generations of this interval whose games were decided, over all pairs.
    decided: u64,
    /// The player that plays, made when it is asked.
    pub(super) mind: Option<Box<dyn Mind<G>>>,
    /// Inputs it is to do without.
    pub(super) muted: Vec<usize>,
}

impl<G: Game> std::fmt::Debug for Coevolution<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct(self.name)
            .field("settings", &self.settings)
            .field("generation", &self.generation)
            .field("published", &self.pool.players.len())
            .finish_non_exhaustive()
    }
}

impl<G: Game> Coevolution<G> {
    /// A run that has not begun.
    pub fn new(game: &G, name: &'static str, settings: Settings) -> Coevolution<G> {
        let inputs = match settings.inputs {
            Inputs::Lines if game.is_connect_four() => LINES,
            Inputs::Features if game.is_connect_four() => FEATURES,
            _ => game.encoding_len(),
        };
        Coevolution {
            name,
            settings,
            pairs: Vec::new(),
            pool: Pool::default(),
            generation: 0,
            game_id: game.id(),
            seed: 0,
            inputs,
            ledger: Cost::default(),
            decided: 0,
            mind: None,
            muted: Vec::new(),
        }
    }

    /// A new run. All its randomness comes from `seed`.
    pub fn begin(&mut self, seed: u64) {
        self.seed = seed;
        let Settings { pairs, spread, step, .. } = self.settings;
        self.pairs = (0..pairs)
            .map(|pair| {
                let mut rng = Rng::stream(seed, u64::from(pair));
                let parent =
                    Player::random(self.inputs, spread, step, &mut rng).without(&self.settings.without);
                Pair::of(parent, &self.settings, None, &mut rng)
            })
            .collect();
    }

    /// The stream of one pair in one generation; pair 0 … are the pairs, the last is social learning.
    fn stream(&self, pair: u64) -> Rng {
        let streams = u64::from(self.settings.pairs) + 1;
        Rng::stream(self.seed, (self.generation + 1) * streams + pair)
    }

    /// One generation of every pair, and social learning where it is due; what `stop` ends is of no use.
    pub fn advance(&mut self, game: &G, stop: &Stop) -> Result<Option<Round>, Stopped> {
        self.mind = None;
        let rngs: Vec<Rng> = (0..self.pairs.len()).map(|pair| self.stream(pair as u64)).collect();
        let (settings, pool) = (&self.settings, &self.pool);
        let done = self.generation as f32 / settings.generations() as f32;
        let rate = settings.rate * (1.0 - 0.9 * done.min(1.0));
        let one = |(pair, mut rng): (&mut Pair, Rng)| {
            let mut spent = Spent::watched(stop);
            if stop.check().is_err() {
                return (0, spent);
            }
            let decided = generation(game, (settings, rate), pair, pool, &mut rng, &mut spent);
            (u64::from(decided), spent)
        };
        let results: Vec<(u64, Spent)> = if self.pairs.len() > ALONE {
            self.pairs.par_iter_mut().zip(rngs).map(one).collect()
        } else {
            self.pairs.iter_mut().zip(rngs).map(one).collect()
        };
        stop.check()?;
        for (decided, spent) in results {
            self.decided += decided;
            self.pay(spent);
        }
        let mut rng = self.stream(self.pairs.len() as u64);
        self.generation += 1;
        if !self.generation.is_multiple_of(self.settings.interval) {
            stop.check()?;
            return Ok(None);
        }
        let mut spent = Spent::watched(stop);
        let round = social_learning(
            game,
            &self.settings,
            (&mut self.pairs, &mut self.pool),
            (self.inputs, self.generation),
            &mut rng,
            &mut spent,
        );
        self.pay(spent);
        stop.check()?;
        Ok(Some(round))
    }

    fn pay(&mut self, spent: Spent) {
        self.ledger.games += spent.games;
        self.ledger.states += spent.states;
    }

    /// The player that plays for the run: the last published, or before the first publication the first parent.
    pub fn champion(&self) -> Option<&Player> {
        let published = self.pool.players.last().map(|published| &published.player);
        published.or_else(|| self.pairs.first().map(|pair| &pair.parent))
    }

    fn measures(&mut self, round: &Round) -> Vec<Measure> {
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            let (mut sum, mut count) = (0.0, 0u32);
            for value in values {
                sum += value;
                count += 1;
            }
            sum / f64::from(count.max(1))
        };
        let mut steps =
            self.pairs.iter().flat_map(|pair| pair.parent.steps.iter().map(|&step| f64::from(step)));
        let step = mean(&mut steps);
        let decided = self.decided as f64 / (self.settings.interval * self.pairs.len() as u64) as f64;
        self.decided = 0;
        vec![
            Measure::new("published", self.pool.players.len() as f64),
            Measure::new("decided", decided),
            Measure::new("mean step", step),
            Measure::new("copied", f64::from(round.copied)),
            Measure::new("renewed", f64::from(round.renewed)),
        ]
    }
}

impl<G: Game> Learner<G> for Coevolution<G> {
    fn step(&mut self, game: &G, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        if self.pairs.is_empty() {
            self.begin(ctx.rng.next_u64());
        }
        let before = self.ledger;
        let round = self.advance(game, ctx.meter.stop())?;
        ctx.meter.add_states(self.ledger.states - before.states);
        ctx.meter.add_games(self.ledger.games - before.games);
        Ok(round.map(|round| self.measures(&round)).unwrap_or_default())
    }

    fn default_steps(&self) -> u64 {
        self.settings.generations()
    }

    fn finished(&self) -> bool {
        self.generation >= self.settings.generations()
    }

    fn save(&self) -> Model {
        let mut model = Model::new(self.name, &self.game_id, self.ledger);
        model.put_meta("settings", &self.settings);
        model.put_meta("generation", &self.generation);
        model.put_meta("decided", &self.decided);
        model.put_u64("seed", &[1], &[self.seed]);
        let count = Player::weight_count(self.inputs);
        let parents: Vec<&Player> = self.pairs.iter().map(|pair| &pair.parent).collect();
        let offspring: Vec<&Player> = self.pairs.iter().map(|pair| &pair.offspring).collect();
        let pool: Vec<&Player> = self.pool.players.iter().map(|published| &published.player).collect();
        for (name, players) in [("parents", parents), ("offspring", offspring), ("pool", pool)] {
            let weights: Vec<f32> = players.iter().flat_map(|player| player.weights.clone()).collect();
            let steps: Vec<f32> = players.iter().flat_map(|player| player.steps.clone()).collect();
            model.put_f32(&format!("{name}.weights"), &[players.len(), count], &weights);
            model.put_f32(&format!("{name}.steps"), &[players.len(), count], &steps);
        }
        let origins: Vec<i32> =
            self.pairs.iter().map(|pair| pair.origin.map_or(-1, |origin| origin as i32)).collect();
        model.put_i32("origins", &[origins.len()], &origins);
        let scores: Vec<f64> = self.pool.players.iter().map(|published| published.score).collect();
        model.put_f64("pool.scores", &[scores.len()], &scores);
        let born: Vec<u64> = self.pool.players.iter().map(|published| published.generation).collect();
        model.put_u64("pool.generations", &[born.len()], &born);
        model
    }

    /// Of hundreds that a long run publishes, the newest: the champion is the last of them.
    fn save_for_play(&self) -> Model {
        let all = &self.pool.players;
        if all.len() <= SHIPPED {
            return self.save();
        }
        let without_origin = |pair: &Pair| Pair { origin: None, ..pair.clone() };
        let newest = Coevolution {
            name: self.name,
            settings: self.settings.clone(),
            pairs: self.pairs.iter().map(without_origin).collect(),
            pool: Pool { players: all[all.len() - SHIPPED..].to_vec() },
            generation: self.generation,
            game_id: self.game_id.clone(),
            seed: self.seed,
            inputs: self.inputs,
            ledger: self.ledger,
            decided: self.decided,
            mind: None::<Box<dyn Mind<G>>>,
            muted: Vec::new(),
        };
        newest.save()
    }

    fn load(game: &G, model: &Model) -> Result<Coevolution<G>, ModelError> {
        let name =
            if model.learner == coevolution_improved::NAME { coevolution_improved::NAME } else { NAME };
        model.expect(name, &game.id())?;
        let settings: Settings = model.meta("settings")?;
        settings.check()?;
        let mut learner = Coevolution::new(game, name, settings);
        learner.generation = model.meta("generation")?;
        learner.decided = model.meta("decided")?;
        learner.seed = model.u64s("seed", 1)?[0];
        learner.ledger = model.ledger;
        let count = Player::weight_count(learner.inputs);
        let players = |name: &str, many: usize| -> Result<Vec<Player>, ModelError> {
            let weights = model.f32s(&format!("{name}.weights"), many * count)?;
            let steps = model.f32s(&format!("{name}.steps"), many * count)?;
            let each = weights.chunks(count).zip(steps.chunks(count));
            Ok(each.map(|(weights, steps)| Player { weights: weights.into(), steps: steps.into() }).collect())
        };
        let origins = model.i32s("origins", model.len_of("origins"))?;
        let parents = players("parents", origins.len())?;
        let offspring = players("offspring", origins.len())?;
        let each = parents.into_iter().zip(offspring).zip(origins);
        learner.pairs = each
            .map(|((parent, offspring), &origin)| Pair {
                parent,
                offspring,
                origin: usize::try_from(origin).ok(),
            })
            .collect();
        let scores = model.f64s("pool.scores", model.len_of("pool.scores"))?;
        let born = model.u64s("pool.generations", scores.len())?;
        let each = players("pool", scores.len())?.into_iter().zip(scores).zip(born);
        learner.pool.players =
            each.map(|((player, &score), &generation)| Published { player, score, generation }).collect();
        Ok(learner)
    }
}
