//! It learns: the first step watches random games, every further step plays a round of its own, goes through what it remembers, makes new chunks
//! where it erred, and lets the siblings hear of each other.

use ludens_core::{Cost, Ctx, Game, Learner, Measure, Memory, MindError, Model, ModelError, NO_CELL, Rng};

use super::chunks::{Chunk, Chunks, Is};
use super::eye::Eye;
use super::growth::grow;
use super::inclination::{Choice, Inclination};
use super::judgement::{By, Example, Judge, Weights, chance};
use super::look::{Tools, Tree};
use super::own_games::play;
use super::settings::Settings;
use super::watching::watch;
use super::whole::Whole;

/// As the catalogue and the model files call it.
pub const NAME: &str = "homo";

/// Rounds between two looks for new pairs.
const BETWEEN_GROWTH: u32 = 10;
/// How far the weakest sibling of a round goes towards the strongest.
const HEARSAY: f32 = 0.5;
/// The share of what all remember that each of several siblings learns from: so they stay different.
const OWN_SHARE: f64 = 0.7;
/// Positions that it remembers at most, by whole rounds; the last round always.
const MOST_REMEMBERED: usize = 90_000;

/// The player, and the learner it is.
#[derive(Debug)]
pub struct Homo<G: Game> {
    pub(super) game: String,
    /// What was set.
    pub settings: Settings,
    pub(super) eye: Eye,
    pub(super) chunks: Chunks,
    pub(super) siblings: Vec<Weights>,
    /// Where the weights of forms begin, by what they look like: what was carried over.
    pub(super) carried: Vec<(u64, f32)>,
    pub(super) memory: Vec<Example>,
    pub(super) inclination: Inclination,
    pub(super) choices: Vec<Choice>,
    pub(super) rounds: u32,
    pub(super) games: u32,
    pub(super) ledger: Cost,
    /// The weights it judges by.
    pub(super) settled: Vec<f32>,
    pub(super) settled_whole: Whole,
    pub(super) judge: Judge,
    pub(super) tree: Tree<G::State>,
}

impl<G: Game> Homo<G> {
    /// One that has seen nothing yet.
    pub fn new(game: &G, settings: Settings) -> Homo<G> {
        let board = game.board(&game.start());
        let eye =
            Eye::new(&board, &game.facts(), Vec::new(), vec![NO_CELL; board.squares.len()], false, &settings);
        let chunks = Chunks::new(&eye);
        let mut homo = Homo {
            game: game.id(),
            siblings: vec![Weights::default(); settings.siblings],
            settings,
            chunks,
            carried: Vec::new(),
            memory: Vec::new(),
            inclination: Inclination::new(&eye),
            choices: Vec::new(),
            eye,
            rounds: 0,
            games: 0,
            ledger: Cost::default(),
            settled: Vec::new(),
            settled_whole: Whole::default(),
            judge: Judge::default(),
            tree: Tree::default(),
        };
        homo.settle();
        homo
    }

    /// Begins with the forms of another.
    pub fn carry(&mut self, forms: Vec<(u64, f32)>) {
        self.carried = forms;
    }

    /// Weights for new chunks, and the judgement of all siblings together.
    pub(super) fn settle(&mut self) {
        self.chunks.resolve(&self.eye, &self.settings);
        let start = self.starts();
        for sibling in &mut self.siblings {
            sibling.grow(&self.chunks, &|number| start[number]);
        }
        let count = self.siblings.len() as f32;
        let mean = |chunk: usize| self.siblings.iter().map(|sibling| sibling.of[chunk]).sum::<f32>() / count;
        // What was judged before stays in part: one round alone swings too far.
        let before = |chunk: usize| self.settled.get(chunk).copied();
        let weights =
            (0..self.chunks.list.len()).map(|chunk| before(chunk).unwrap_or_else(|| mean(chunk))).collect();
        self.judge = Judge::new(&self.chunks, weights, self.settled_whole.clone());
    }

    /// The judgement moves towards what all siblings learnt in this round.
    fn judge_anew(&mut self) {
        let count = self.siblings.len() as f32;
        let stays = if self.rounds == 0 { 0.0 } else { self.settings.steady };
        for chunk in 0..self.chunks.list.len() {
            let mean = self.siblings.iter().map(|sibling| sibling.of[chunk]).sum::<f32>() / count;
            match self.settled.get_mut(chunk) {
                Some(settled) => *settled = stays * *settled + (1.0 - stays) * mean,
                None => self.settled.push(mean),
            }
        }
        let mut whole = self.siblings[0].whole.clone();
        for (sibling, number) in self.siblings.iter().zip(1u8..).skip(1) {
            whole.approach(&sibling.whole, 1.0 / f32::from(number));
        }
        self.settled_whole.approach(&whole, 1.0 - stays);
        self.settle();
    }

    fn starts(&self) -> Vec<f32> {
        let of = |chunk: &super::chunks::Chunk| {
            let carried = match chunk.is {
                super::chunks::Is::Form(form) => self.carried.iter().find(|(other, _)| *other == form),
                _ => None,
            };
            carried.map_or(0.0, |(_, weight)| *weight)
        };
        self.chunks.list.iter().map(of).collect()
    }

    /// Meets examples: new chunks, and the evidence of those it has.
    fn meet(&mut self, from: usize) {
        for place in from..self.memory.len() {
            self.chunks.meet(&self.eye, &self.settings, &self.memory[place].seen, self.rounds);
        }
        self.settle();
        let mut active = Default::default();
        for place in from..self.memory.len() {
            let Example { seen, chance, .. } = &self.memory[place];
            self.chunks.activate(&self.eye, &self.settings, seen, &mut active);
            let mut met = Vec::new();
            self.chunks.each(seen, &mut active, |chunk, sign| met.push((chunk, sign)));
            for (chunk, sign) in met {
                let chunk = &mut self.chunks.list[chunk as usize];
                chunk.met = chunk.met.saturating_add(1);
                chunk.won += if sign < 0.0 { 1.0 - chance } else { *chance };
                chunk.used = self.rounds;
            }
        }
    }

    /// What was not met for long is forgotten bit by bit.
    fn forget(&mut self) {
        let Settings { remembers, fades, .. } = self.settings;
        for (number, chunk) in self.chunks.list.iter().enumerate() {
            if chunk.used.saturating_add(remembers) < self.rounds {
                self.siblings.iter_mut().for_each(|sibling| sibling.of[number] *= fades);
            }
        }
    }

    /// What a remembered position is worth is thought anew, by what the judgement says now of what came after it.
    fn rethink(&mut self) {
        if !self.eye.dice || !self.settings.rethinks {
            return;
        }
        let share = self.settings.lambda_anew;
        let (tools, mut active) = ((&self.eye, &self.settings, &self.chunks), Default::default());
        let mut after = (0.5, 0.5);
        for example in &mut self.memory {
            let value = chance(self.judge.log_odds(tools, &example.seen, &mut active));
            match example.by {
                By::Kept => {}
                By::Before => example.chance = after.0 + share * (after.1 - after.0),
                By::Judged => example.chance = value,
            }
            after = (value, example.chance);
        }
    }

    /// Goes through what it remembers; the error before, as a root mean square.
    fn rehearse(&mut self, rng: &mut Rng, ctx: &Ctx) -> Result<f64, MindError> {
        self.rethink();
        let mut error = 0.0;
        let several = self.siblings.len() > 1;
        for sibling in &mut self.siblings {
            sibling.fade();
            for epoch in 0..self.settings.epochs {
                ctx.meter.check()?;
                let own: Vec<Example>;
                let examples = if several {
                    own = self.memory.iter().filter(|_| rng.chance(OWN_SHARE)).cloned().collect();
                    &own
                } else {
                    &self.memory
                };
                let squares = sibling.learn((&self.eye, &self.settings, &self.chunks), examples, rng);
                if epoch == 0 {
                    error += squares;
                }
            }
        }
        for _ in 0..self.settings.epochs {
            ctx.meter.check()?;
            self.inclination.learn(&self.eye, &self.settings, &self.choices, rng);
        }
        Ok((error / self.siblings.len() as f64).sqrt())
    }

    fn watch(&mut self, game: &G, rng: &mut Rng, ctx: &mut Ctx) -> Result<(), MindError> {
        let impression = watch(game, &self.settings, rng, ctx.meter)?;
        self.eye = impression.eye;
        self.chunks = Chunks::new(&self.eye);
        self.inclination = Inclination::new(&self.eye);
        let whole =
            if self.settings.whole && self.eye.dice { Whole::new(&self.eye) } else { Whole::default() };
        self.siblings = vec![Weights { whole: whole.clone(), ..Weights::default() }; self.settings.siblings];
        self.settled.clear();
        self.settled_whole = whole;
        self.memory = impression.examples;
        self.games = self.settings.watched.min(self.settings.games);
        self.meet(0);
        Ok(())
    }

    /// A round of its own games; how strong each sibling was.
    fn play_round(&mut self, game: &G, rng: &mut Rng, ctx: &mut Ctx) -> Result<Vec<f32>, MindError> {
        let count = self.siblings.len();
        let judges: Vec<Judge> = self
            .siblings
            .iter()
            .map(|sibling| Judge::new(&self.chunks, sibling.of.clone(), sibling.whole.clone()))
            .collect();
        let mut points = vec![0.0; count];
        let known = self.memory.len();
        let mut new = Vec::new();
        let games = self.settings.round.min(self.settings.games.saturating_sub(self.games));
        for number in 0..games as usize {
            ctx.meter.check()?;
            let (first, second) =
                (number % count, (number + 1 + number / count % count.max(2).saturating_sub(1)) % count);
            let progress = self.games as f32 / self.settings.games as f32;
            let tools = Tools { eye: &self.eye, settings: &self.settings, chunks: &self.chunks };
            let minds = ([&judges[first], &judges[second]], &mut self.inclination);
            let played = play(game, tools, minds, (progress, self.rounds), rng, ctx.meter);
            points[first] += played.points;
            points[second] += 1.0 - played.points;
            new.extend(played.examples);
            self.choices.extend(played.choices);
            self.games += 1;
        }
        self.memory.extend(new);
        self.meet(known);
        let rounds = self.rounds;
        // Whole rounds are forgotten: what came after a position is remembered as long as the position.
        let most =
            self.memory.len().checked_sub(MOST_REMEMBERED).map_or(0, |over| self.memory[over].round + 1);
        let oldest = most.max(rounds.saturating_sub(self.settings.remembers)).min(rounds);
        self.memory.retain(|example| example.round >= oldest);
        self.choices.retain(|choice| choice.round + self.settings.remembers >= rounds);
        Ok(points)
    }

    /// The weakest hears what the strongest found.
    fn publish(&mut self, points: &[f32]) {
        let by = |a: &usize, b: &usize| points[*a].total_cmp(&points[*b]).then(b.cmp(a));
        let (Some(best), Some(worst)) = ((0..points.len()).max_by(by), (0..points.len()).min_by(by)) else {
            return;
        };
        if best != worst {
            let published = self.siblings[best].clone();
            self.siblings[worst].approach(&published, HEARSAY);
        }
    }

    fn grow(&mut self) -> usize {
        let is_together = |chunk: &&Chunk| matches!(chunk.is, Is::Together(_));
        let together = self.chunks.list.iter().filter(is_together).count();
        let room = (self.settings.pairs as usize).saturating_sub(together);
        if room == 0 || self.rounds == 0 || !self.rounds.is_multiple_of(BETWEEN_GROWTH) {
            return 0;
        }
        let made =
            grow((&self.eye, &self.settings, &mut self.chunks), &self.judge, &self.memory, room, self.rounds);
        self.settle();
        made
    }
}

impl<G: Game> Learner<G> for Homo<G> {
    fn step(&mut self, game: &G, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let mut rng = Rng::stream(ctx.rng.next_u64(), self.settings.seed);
        let before = ctx.meter.cost().states;
        let mut points = Vec::new();
        let games = self.games;
        if self.rounds == 0 {
            self.watch(game, &mut rng, ctx)?;
        } else {
            points = self.play_round(game, &mut rng, ctx)?;
        }
        self.forget();
        let error = self.rehearse(&mut rng, ctx)?;
        self.publish(&points);
        self.judge_anew();
        let made = self.grow();
        self.rounds += 1;
        let played = u64::from(self.games - games);
        let chunks = self.chunks.list.len() as u64;
        self.ledger += Cost {
            states: ctx.meter.cost().states - before,
            games: played,
            chunks,
            weights: chunks * self.siblings.len() as u64 + self.inclination.len() as u64,
            labels: 0,
        };
        ctx.meter.add_games(played);
        ctx.meter.set_chunks(chunks);
        Ok(vec![
            Measure::new("error", error),
            Measure::new("chunks", chunks as f64),
            Measure::new("new pairs", made as f64),
            Measure::new("positions remembered", self.memory.len() as f64),
        ])
    }

    fn default_steps(&self) -> u64 {
        let own = self.settings.games.saturating_sub(self.settings.watched);
        1 + u64::from(own.div_ceil(self.settings.round))
    }

    fn finished(&self) -> bool {
        self.games >= self.settings.games
    }

    fn save(&self) -> Model {
        self.model(true)
    }

    fn save_for_play(&self) -> Model {
        self.model(false)
    }

    fn memory(&self, game: &G) -> Option<Memory> {
        Some(self.remembered(game))
    }

    fn load(game: &G, model: &Model) -> Result<Homo<G>, ModelError> {
        Homo::from_model(game, model)
    }
}
