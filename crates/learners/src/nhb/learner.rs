//! The whole training procedure (paper, section 4.2) as a learner.

use ludens_core::{
    Budget, Cost, Ctx, Game, Learner, Measure, Meter, MindError, Model, ModelError, Rng, Stop, Stopped, math,
};
use ludens_elm::{HiddenSizeSearch, OsElm};

use super::examples::Examples;
use super::heuristic::Heuristic;
use super::judge::Judge;
use super::matches::{Disturbance, Lots, Player, test_matches};
use super::memory::Memory;
use super::settings::{Features, Settings, Variant};
use super::tree::Tree;
use crate::beyond::nhb_improved::{self, Patterns, Population};

/// As the catalogue and the model files call it.
pub const NAME: &str = "nhb";

/// The name of a learner with these settings.
fn name_of(settings: &Settings) -> &'static str {
    match settings.variant {
        Variant::Paper => NAME,
        Variant::Improved => nhb_improved::NAME,
    }
}
/// Examples that the cross validation looks at: enough to tell sizes apart, few enough to be quick.
const VALIDATION_EXAMPLES: usize = 10_000;
/// Chunks of OS-ELM.
const CHUNK: usize = 2000;
/// Drawn first moves of a held-out match.
const HELD_OUT_OPENING: u32 = 4;

/// A member before it learns, to go back to.
struct Before {
    outputs: Vec<Vec<f64>>,
    judge: Judge,
}

/// The learner, and the player it becomes.
#[derive(Debug)]
pub struct Nhb<G: Game> {
    game: String,
    /// What was set.
    pub settings: Settings,
    pub(super) population: Population,
    pub(super) memory: Memory,
    pub(super) ledger: Cost,
    pub(super) steps: u64,
    pub(super) judge: Judge,
    pub(super) tree: Tree<G>,
}

impl<G: Game> Nhb<G> {
    /// One that has learnt nothing yet.
    pub fn new(game: &G, settings: Settings) -> Nhb<G> {
        Nhb {
            game: game.id(),
            settings,
            population: Population::default(),
            memory: Memory::default(),
            ledger: Cost::default(),
            steps: 0,
            judge: Judge::Random { seed: 0 },
            tree: Tree::default(),
        }
    }

    /// What judges the ends of its lines.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// What was learnt: that of the only member, or the mean of all.
    pub fn heuristic(&self) -> Option<&Heuristic> {
        self.population.heuristic()
    }

    /// Those of the members, one by one, then those of the sparring partners.
    pub fn judges(&self) -> Vec<Judge> {
        self.population.judges().into_iter().map(|judge| self.without(judge)).collect()
    }

    /// The judge without the inputs that it never gets to see.
    fn without(&self, mut judge: Judge) -> Judge {
        let without = &self.settings.without;
        if !without.is_empty() {
            judge.mute(&|input| without.takes(input));
        }
        judge
    }

    pub(super) fn judge_by_what_was_learnt(&mut self) {
        if let Some(heuristic) = self.population.heuristic() {
            self.judge = self.without(heuristic.judge());
        }
    }

    /// As it plays in the Othello League: one ply ahead, a lot among equal moves, and early among those it hardly tells apart.
    pub fn one_ply(&self) -> Player<G> {
        let Settings { near, early, .. } = self.settings;
        let player = Player::one_ply(self.judge.clone());
        Player { lots: Lots { near, early, ..player.lots }, ..player }
    }

    pub(crate) fn player(&self, judge: Judge) -> Player<G> {
        let mut player = Player::new(judge, self.settings.states);
        if self.settings.depth > 0 {
            player.tree = Tree::with_depth(self.settings.depth);
        }
        player
    }

    fn model(&self, whole: bool) -> Model {
        let mut model = Model::new(name_of(&self.settings), &self.game, self.ledger);
        model.put_meta("settings", &self.settings);
        model.put_meta("steps", &self.steps);
        self.memory.save(&mut model);
        self.population.save(&mut model, whole);
        model
    }

    /// Kept only where held-out matches will need it.
    fn before(&mut self, member: usize, judges: &[Judge]) -> Option<Before> {
        let judge = judges.get(member).filter(|_| self.settings.held_out > 0)?.clone();
        let outputs = self.population.learning(member)?.outputs();
        Some(Before { outputs, judge })
    }

    /// One member learns; what it got wrong before, as a sum of squares.
    fn learn(
        &mut self,
        game: &G,
        member: usize,
        mut examples: Examples<G>,
        rng: &mut Rng,
        stop: &Stop,
    ) -> Result<f64, Stopped> {
        let inputs = game.encoding_len();
        if self.population.heuristic().is_none() {
            let first = self.first_heuristic(game, &examples, rng, stop);
            stop.check()?;
            let sparring = self.sparring_partners(game, &first);
            self.population.begin(first, self.settings.members, sparring);
        }
        let Some(heuristic) = self.population.learning(member) else { return Ok(0.0) };
        let (fade, average) = self.settings.settled(self.steps);
        heuristic.fade(fade);
        let mut squares = 0.0;
        let count = examples.list.len();
        let ramp = self.settings.ramp;
        // Where the two kinds weigh differently they come one kind after the other; else as they were met.
        let known = if ramp == 1.0 || self.settings.variant == Variant::Improved {
            count
        } else {
            examples.known_first()
        };
        for (kind, weight) in [(0..known, 1.0), (known..count, ramp)] {
            for from in kind.clone().step_by(CHUNK) {
                stop.check()?;
                let (mut x, t) = examples.matrix(game, from..(from + CHUNK).min(kind.end));
                self.settings.without.clear(inputs, &mut x);
                let before = x.chunks_exact(inputs).zip(&t).step_by(16);
                squares += before.map(|(x, t)| math::square(heuristic.value(x) - t)).sum::<f64>() * 16.0;
                heuristic.gather(inputs, &x, &t, weight);
                if self.settings.variant == Variant::Paper {
                    heuristic.fit(average);
                }
            }
        }
        if self.settings.variant == Variant::Improved {
            heuristic.fit(average);
        }
        self.memory.add(game, &examples, rng);
        Ok(squares)
    }

    /// A member's new heuristic against the one before, from drawn openings, one match with either colour; if it loses, the old one stays.
    fn hold_out(&mut self, game: &G, member: usize, before: &Before, rng: &mut Rng, meter: &mut Meter) {
        let Some(heuristic) = self.population.learning(member) else { return };
        let noise = Disturbance { opening: HELD_OUT_OPENING, epsilon: 0.0 };
        let judge = heuristic.judge();
        let mut player = self.player(self.without(judge));
        let seed = rng.next_u64();
        let tally = test_matches(game, &mut player, self.settings.held_out, noise, seed, meter, |_| {
            self.player(before.judge.clone())
        });
        if let Some(heuristic) = self.population.learning(member)
            && tally.points() < 0.5
        {
            heuristic.set_outputs(before.outputs.clone());
        }
    }

    /// Single cells, one set of weights for the whole game; where the inputs are not the cells of a grid, the features of the members.
    pub(super) fn sparring_partners(&self, game: &G, first: &Heuristic) -> Vec<Heuristic> {
        let Settings { sparring, ridge, .. } = self.settings;
        if sparring == 0 {
            return Vec::new();
        }
        let one = match Patterns::of(game, 1) {
            Some(cells) => Heuristic::runs(cells, 1, ridge),
            None => first.blank(),
        };
        vec![one; sparring]
    }

    fn first_heuristic(&self, game: &G, examples: &Examples<G>, rng: &mut Rng, stop: &Stop) -> Heuristic {
        if self.settings.features == Features::Runs
            && let Some(patterns) = Patterns::of(game, self.settings.run)
        {
            return Heuristic::runs(
                patterns.counting(self.settings.few),
                self.settings.phases,
                self.settings.ridge,
            );
        }
        let inputs = game.encoding_len();
        let mut sample: Vec<usize> = (0..examples.list.len()).collect();
        rng.shuffle(&mut sample);
        sample.truncate(VALIDATION_EXAMPLES);
        let (mut x, mut t) = (Vec::new(), Vec::new());
        for index in sample {
            let (inputs, target) = examples.matrix(game, index..index + 1);
            x.extend(inputs);
            t.extend(target);
        }
        self.settings.without.clear(inputs, &mut x);
        let search = HiddenSizeSearch {
            ridge: self.settings.ridge,
            range: self.settings.range,
            stop: stop.clone(),
            ..HiddenSizeSearch::default()
        };
        let chosen = search.run(inputs, &x, &t, rng);
        Heuristic::Hidden(OsElm::new(chosen.layer, self.settings.ridge))
    }
}

impl<G: Game> Learner<G> for Nhb<G> {
    fn step(&mut self, game: &G, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let mut rng = Rng::stream(ctx.rng.next_u64(), self.settings.seed);
        let mut meter = ctx.meter.part(Budget::Unlimited);
        let judges = self.judges();
        let (mut count, mut squares) = (0, 0.0);
        let learning = self.settings.members + self.settings.sparring;
        for member in 0..learning {
            let examples = match self.settings.variant {
                Variant::Paper => self.published_cycle(game, judges.get(member), &mut rng, &mut meter),
                Variant::Improved => self.improved_cycle(game, member, &judges, &mut rng, &mut meter),
            };
            meter.check()?;
            let before = self.before(member, &judges);
            count += examples.list.len();
            squares += self.learn(game, member, examples, &mut rng, meter.stop())?;
            if let Some(before) = before {
                self.hold_out(game, member, &before, &mut rng, &mut meter);
            }
        }
        self.population.average();
        self.judge_by_what_was_learnt();
        self.steps += 1;
        let weights = self.heuristic().map_or(0, Heuristic::weights);
        let games = u64::from(self.settings.cycle) * learning as u64;
        let chunks = self.memory.len() as u64;
        let held = Cost { games, chunks, weights: weights as u64, ..Cost::default() };
        self.ledger += Cost { states: meter.cost().states, ..held };
        ctx.meter.add_states(meter.cost().states);
        ctx.meter.add_games(games);
        ctx.meter.set_chunks(chunks);
        Ok(vec![
            Measure::new("examples", count as f64),
            Measure::new("error before learning", (squares / count.max(1) as f64).sqrt()),
            Measure::new("weights", weights as f64),
        ])
    }

    fn default_steps(&self) -> u64 {
        10
    }

    fn save(&self) -> Model {
        self.model(true)
    }

    fn save_for_play(&self) -> Model {
        self.model(false)
    }

    fn load(game: &G, model: &Model) -> Result<Nhb<G>, ModelError> {
        let settings: Settings = model.meta("settings")?;
        settings.check()?;
        model.expect(name_of(&settings), &game.id())?;
        let mut nhb = Nhb::new(game, settings);
        nhb.ledger = model.ledger;
        nhb.steps = model.meta("steps")?;
        nhb.memory = Memory::load(game.encoding_len(), model)?;
        if nhb.steps > 0 {
            nhb.population = Population::load(game, model, nhb.settings.members)?;
            let sparring = nhb.population.heuristic().map(|first| nhb.sparring_partners(game, first));
            nhb.population.load_sparring(game, model, sparring.unwrap_or_default())?;
            nhb.judge_by_what_was_learnt();
        }
        Ok(nhb)
    }
}
