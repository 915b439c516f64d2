//! The whole training procedure (paper, section 4.2) as a learner, and the player it makes.

use ludens_core::{
    Budget, Cost, Ctx, Game, Learner, Measure, Meter, Mind, Model, ModelError, Move, Rng, Side, Turn,
};
use ludens_search::backward_deepening;

use super::examples::{Example, Examples, Played, Trust};
use super::heuristic::Heuristic;
use super::hidden_size::HiddenSizeSearch;
use super::judge::Judge;
use super::matches::{Disturbance, Player, Sides, play_match, test_matches};
use super::memory::Memory;
use super::os_elm::OsElm;
use super::patterns::Patterns;
use super::settings::{Features, Settings, Variant};
use super::tree::Tree;

/// As the registry and the model files call it.
pub const NAME: &str = "nhb";
/// Examples that the cross validation looks at: enough to tell sizes apart, few enough to be quick.
const VALIDATION_EXAMPLES: usize = 10_000;
/// Chunks of OS-ELM.
const CHUNK: usize = 2000;
/// Drawn first moves of a held-out match.
const HELD_OUT_OPENING: u32 = 4;
/// Hidden units of an opponent made before the own size is known.
const OPPONENT_HIDDEN: usize = 64;

#[derive(Debug)]
pub struct Nhb<G: Game> {
    game: String,
    pub settings: Settings,
    pub heuristic: Option<Heuristic>,
    pub memory: Memory,
    ledger: Cost,
    steps: u64,
    judge: Judge,
    tree: Tree<G>,
}

impl<G: Game> Nhb<G> {
    pub fn new(game: &G, settings: Settings) -> Nhb<G> {
        Nhb {
            game: game.id(),
            settings,
            heuristic: None,
            memory: Memory::default(),
            ledger: Cost::default(),
            steps: 0,
            judge: Judge::Random { seed: 0 },
            tree: Tree::default(),
        }
    }

    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    fn player(&self) -> Player<G> {
        let mut player = Player::new(self.judge.clone(), self.settings.states);
        if self.settings.depth > 0 {
            player.tree = Tree::with_depth(self.settings.depth);
        }
        player
    }

    fn model(&self, whole: bool) -> Model {
        let mut model = Model::new(NAME, &self.game, self.ledger);
        model.put_meta("settings", &self.settings);
        model.put_meta("steps", &self.steps);
        self.memory.save(&mut model);
        if let Some(heuristic) = &self.heuristic {
            heuristic.save(&mut model, whole);
        }
        model
    }

    /// The paper's cycle: at first random heuristics against each other; later against randomly initialised networks, and once
    /// against itself.
    fn published_cycle(&self, game: &G, rng: &mut Rng, meter: &mut Meter) -> Examples<G> {
        let mut examples = Examples::default();
        let inputs = game.encoding_len();
        let epsilon = (self.steps > 1 && self.settings.epsilon > 0.0).then_some(self.settings.epsilon);
        for number in 0..self.settings.cycle {
            let mut rng = rng.split();
            let mut own = self.player();
            let mut other = self.player();
            let itself = self.heuristic.is_some() && number == 0;
            if self.heuristic.is_none() {
                own.judge = Judge::Random { seed: rng.next_u64() };
                other.judge = Judge::Random { seed: rng.next_u64() };
            } else {
                other.judge = Judge::untrained(inputs, OPPONENT_HIDDEN, &mut rng);
            }
            let mut sides = match (itself, number % 2) {
                (true, _) => Sides::Itself(&mut own),
                (_, 0) => Sides::Two(&mut own, &mut other),
                _ => Sides::Two(&mut other, &mut own),
            };
            let own_side = if number % 2 == 0 { Side::First } else { Side::Second };
            let both = itself || self.heuristic.is_none();
            let played =
                play_match(game, &mut sides, Disturbance::default(), &mut rng, meter, |side, tree| {
                    // The opponent's heuristic means nothing: its nodes are consistent by accident only.
                    let trusted = epsilon.filter(|_| both || side == own_side);
                    examples.add_tree(tree, trusted);
                });
            examples.add_ramp(&played.states, played.score);
            self.look_back(game, &played, &mut examples, meter);
        }
        examples
    }

    fn look_back(&self, game: &G, played: &Played<G::State>, examples: &mut Examples<G>, meter: &mut Meter) {
        if self.settings.backward == 0 {
            return;
        }
        let mut own = Meter::new(Budget::States(self.settings.backward));
        backward_deepening(
            game,
            &game.start(),
            &played.moves,
            &mut own,
            |_| None,
            |state, backed| {
                examples.add_backed(game, state, backed);
            },
        );
        meter.add_states(own.cost().states);
    }

    /// Ours: self-play with drawn moves; a state's target is what the search says there, mixed with what came of it.
    fn improved_cycle(&self, game: &G, rng: &mut Rng, meter: &mut Meter) -> Examples<G> {
        let mut examples = Examples::default();
        for _ in 0..self.settings.cycle {
            let mut rng = rng.split();
            let mut own = self.player();
            let mut lambda = self.settings.lambda;
            if self.heuristic.is_none() {
                own.judge = Judge::Random { seed: rng.next_u64() };
                lambda = 1.0;
            }
            let opening = rng.below(self.settings.opening + 1);
            let disturbance = Disturbance { opening, epsilon: self.settings.explore };
            let played =
                play_match(game, &mut Sides::Itself(&mut own), disturbance, &mut rng, meter, |_, _| {});
            let targets = mixed_targets(&played, lambda);
            for ((state, view), value) in played.states.iter().zip(targets) {
                examples.add(Example { state: state.clone(), view: *view, value, trust: Trust::Played });
            }
            self.look_back(game, &played, &mut examples, meter);
        }
        examples
    }

    fn learn(&mut self, game: &G, mut examples: Examples<G>, rng: &mut Rng) -> Vec<Measure> {
        let inputs = game.encoding_len();
        if self.heuristic.is_none() {
            self.heuristic = Some(self.first_heuristic(game, &examples, rng));
        }
        let Some(heuristic) = &mut self.heuristic else { return Vec::new() };
        heuristic.fade(self.settings.fade);
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
                let (x, t) = examples.matrix(game, from..(from + CHUNK).min(kind.end));
                let before = x.chunks_exact(inputs).zip(&t).step_by(16);
                squares += before.map(|(x, t)| (heuristic.value(x) - t).powi(2)).sum::<f64>() * 16.0;
                heuristic.gather(inputs, &x, &t, weight);
                if self.settings.variant == Variant::Paper {
                    heuristic.fit(self.settings.average);
                }
            }
        }
        if self.settings.variant == Variant::Improved {
            heuristic.fit(self.settings.average);
        }
        self.judge = heuristic.judge();
        self.memory.add(game, &examples, rng);
        vec![
            Measure::new("examples", count as f64),
            Measure::new("error before learning", (squares / count.max(1) as f64).sqrt()),
            Measure::new("weights", heuristic.weights() as f64),
        ]
    }

    /// The new heuristic against the one before, from drawn openings, one match with either colour; if it loses, the old one stays.
    fn hold_out(&mut self, game: &G, before: (Vec<Vec<f64>>, Judge), rng: &mut Rng, meter: &mut Meter) {
        let (outputs, old) = before;
        let noise = Disturbance { opening: HELD_OUT_OPENING, epsilon: 0.0 };
        let mut player = self.player();
        let seed = rng.next_u64();
        let tally = test_matches(game, &mut player, self.settings.held_out, noise, seed, meter, |_| {
            let mut other = self.player();
            other.judge = old.clone();
            other
        });
        if let Some(heuristic) = &mut self.heuristic
            && tally.points() < 0.5
        {
            heuristic.set_outputs(outputs);
            self.judge = heuristic.judge();
        }
    }

    fn first_heuristic(&self, game: &G, examples: &Examples<G>, rng: &mut Rng) -> Heuristic {
        if self.settings.features == Features::Runs
            && let Some(patterns) = Patterns::of(game, self.settings.run)
        {
            return Heuristic::runs(patterns, self.settings.phases, self.settings.ridge);
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
        let search = HiddenSizeSearch {
            ridge: self.settings.ridge,
            range: self.settings.range,
            ..HiddenSizeSearch::default()
        };
        let chosen = search.run(inputs, &x, &t, rng);
        Heuristic::Hidden(OsElm::new(chosen.layer, self.settings.ridge))
    }
}

/// The mix of search and outcome, backwards from the end; a drawn move says nothing of the position it left.
fn mixed_targets<S>(played: &Played<S>, lambda: f32) -> Vec<f32> {
    let mut ahead = played.score.0;
    let mut targets = vec![0.0; played.values.len()];
    for place in (0..played.values.len()).rev() {
        let sign = if played.states[place].1 == Side::First { 1.0 } else { -1.0 };
        let searched = sign * played.values[place];
        let certain = searched.abs() >= 1.0;
        ahead = if certain || (played.drawn[place] && lambda < 1.0) {
            searched
        } else {
            (1.0 - lambda) * searched + lambda * ahead
        };
        targets[place] = sign * ahead;
    }
    targets
}

impl<G: Game> Mind<G> for Nhb<G> {
    fn choose(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Move {
        if ctx.meter.budget() == Budget::Unlimited {
            ctx.meter.limit_states(self.settings.states);
        }
        let found = self.tree.search(game, state, &mut self.judge, ctx.meter);
        if let Some(why) = ctx.why.as_deref_mut() {
            super::reasons::explain(game, &self.tree, &found, self.heuristic.as_ref(), &self.memory, why);
        }
        found.mv
    }

    fn mute(&mut self, muted: &dyn Fn(u32) -> bool) -> bool {
        let Some(heuristic) = &self.heuristic else { return false };
        self.judge = heuristic.judge();
        self.judge.mute(muted);
        true
    }

    fn ledger(&self) -> Cost {
        self.ledger
    }
}

impl<G: Game> Learner<G> for Nhb<G> {
    fn step(&mut self, game: &G, ctx: &mut Ctx) -> Vec<Measure> {
        let mut rng = Rng::stream(ctx.rng.next_u64(), self.settings.seed);
        let mut meter = Meter::unlimited();
        let examples = match self.settings.variant {
            Variant::Paper => self.published_cycle(game, &mut rng, &mut meter),
            Variant::Improved => self.improved_cycle(game, &mut rng, &mut meter),
        };
        let before = match &self.heuristic {
            Some(heuristic) if self.settings.held_out > 0 => Some((heuristic.outputs(), self.judge.clone())),
            _ => None,
        };
        let measures = self.learn(game, examples, &mut rng);
        if let Some(before) = before {
            self.hold_out(game, before, &mut rng, &mut meter);
        }
        self.steps += 1;
        let weights = self.heuristic.as_ref().map_or(0, Heuristic::weights) as u64;
        let chunks = weights + self.memory.len() as u64;
        self.ledger += Cost { states: meter.cost().states, games: u64::from(self.settings.cycle), chunks };
        ctx.meter.add_states(meter.cost().states);
        ctx.meter.add_games(u64::from(self.settings.cycle));
        ctx.meter.set_chunks(chunks);
        measures
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
        model.expect(NAME, &game.id())?;
        let mut nhb = Nhb::new(game, model.meta("settings")?);
        nhb.ledger = model.ledger;
        nhb.steps = model.meta("steps")?;
        nhb.memory = Memory::load(game.encoding_len(), model)?;
        if nhb.steps > 0 {
            let heuristic = Heuristic::load(game, model)?;
            nhb.judge = heuristic.judge();
            nhb.heuristic = Some(heuristic);
        }
        Ok(nhb)
    }
}

/// A mind that searches as NHB does, with a judge that learns nothing: the paper's opponents and baselines.
#[derive(Debug)]
pub struct Judged<G: Game> {
    player: Player<G>,
}

impl<G: Game> Judged<G> {
    pub fn new(judge: Judge, states: u64) -> Judged<G> {
        Judged { player: Player::new(judge, states) }
    }
}

impl<G: Game> Mind<G> for Judged<G> {
    fn choose(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Move {
        debug_assert!(matches!(game.turn(state), Turn::Player(_)));
        if ctx.meter.budget() == Budget::Unlimited {
            ctx.meter.limit_states(self.player.states);
        }
        let found = self.player.tree.search(game, state, &mut self.player.judge, ctx.meter);
        if let Some(why) = ctx.why.as_deref_mut() {
            super::reasons::explain(game, &self.player.tree, &found, None, &Memory::default(), why);
        }
        found.mv
    }
}
