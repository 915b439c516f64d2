//! The concept player as a learner: each step adds random games and learns anew from all of them.

use std::sync::Arc;

use ludens_core::{
    Cost, Ctx, Game, Layout, Learner, Measure, Mind, MindError, Model, ModelError, Move, Rng, Side, Spec,
};
use serde::{Deserialize, Serialize};

use super::concept::Concept;
use super::facts::Vocabulary;
use super::learn::{Experience, Kind, Learnt, concepts_of_game, experience, learn, transferable};
use super::rules::Rule;

pub const NAME: &str = "concepts";

pub const SETTINGS: &[(&str, &str)] = &[
    ("kind", "wide, selected, binary, ternary, subsets1, subsets2, subsets3 or plain (selected)"),
    ("playouts", "random games won by each side, a step (100)"),
    ("from", "the game whose concepts are used (the game itself)"),
    ("source", "random games won by each side of that game (10000 of tic-tac-toe, 100 of others)"),
    ("seed", "of the random games (1)"),
];

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Parameters {
    kind: Kind,
    playouts: usize,
    from: Option<String>,
    source: usize,
    seed: u64,
}

/// Streams of the learner's own seed: the source game, then one a step.
const SOURCE: u64 = 0;

#[derive(Debug)]
pub struct ConceptLearner {
    game: String,
    parameters: Parameters,
    /// The relations, learnt from the source game before the first step.
    binary: Option<Vec<Concept>>,
    vocabulary: Vocabulary,
    /// All random games so far; empty after loading until a further step needs them.
    seen: Experience,
    steps: u64,
    games: u64,
    learnt: Learnt,
}

impl ConceptLearner {
    /// A learner that has seen nothing yet, and costs nothing until its first step.
    pub fn new<G: Game>(game: &G, spec: &mut Spec) -> Result<ConceptLearner, MindError> {
        is_on_grid(game).map_err(|reason| MindError::WrongGame {
            mind: NAME.into(),
            game: game.id(),
            reason: reason.into(),
        })?;
        let from: Option<String> = spec.take("from", "a game")?;
        if let Some(from) = from.as_ref().filter(|from| **from != game.id()) {
            let source = crate::open::with_game(from, IsOnGrid)
                .map_err(|error| MindError::Other(error.to_string()))?;
            source
                .map_err(|reason| MindError::Other(format!("concepts cannot come from {from}: {reason}")))?;
        }
        let is_small = from.as_deref().unwrap_or(&game.id()) == "tic-tac-toe";
        let parameters = Parameters {
            kind: spec.take_or("kind", Kind::Selected, SETTINGS[0].1)?,
            playouts: spec.take_in("playouts", 100, 1..=100_000)?,
            source: spec.take_in("source", if is_small { 10_000 } else { 100 }, 1..=100_000)?,
            seed: spec.take_or("seed", 1, "a whole number")?,
            from,
        };
        Ok(ConceptLearner::with(game, parameters))
    }

    fn with<G: Game>(game: &G, parameters: Parameters) -> ConceptLearner {
        let vocabulary = parameters.kind.vocabulary(game);
        let seen = [Vec::new(), Vec::new()];
        let learnt = learn(Kind::Plain, &[], &seen, &vocabulary);
        ConceptLearner {
            game: game.id(),
            parameters,
            binary: None,
            vocabulary,
            seen,
            steps: 0,
            games: 0,
            learnt,
        }
    }

    /// Plays this step's random games. They come from the learner's own seed, so that a loaded learner can play them again.
    fn play<G: Game>(&mut self, game: &G, step: u64) {
        let mut rng = Rng::stream(self.parameters.seed, 1 + step);
        let [first, second] = experience(game, &self.vocabulary, self.parameters.playouts, &mut rng);
        self.seen[0].extend(first);
        self.seen[1].extend(second);
    }

    /// The player, after learning if it has not learnt yet.
    pub fn ready<G: Game>(&mut self, game: &G) -> &super::player::ConceptPlayer {
        if self.steps == 0 {
            self.advance(game);
        }
        &self.learnt.player
    }

    pub fn learnt(&self) -> &Learnt {
        &self.learnt
    }

    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The relations between two cells; none before the first step.
    pub fn binary(&self) -> &[Concept] {
        self.binary.as_deref().unwrap_or_default()
    }

    /// One step: this step's random games, then everything learnt anew. Returns the games it cost.
    fn advance<G: Game>(&mut self, game: &G) -> u64 {
        let before = self.games;
        if self.binary.is_none() {
            let (binary, games) = source_concepts(game, &self.parameters);
            self.binary = Some(binary);
            // A loaded learner has paid for them already.
            self.games += if self.steps == 0 { games } else { 0 };
        }
        if self.seen.iter().all(Vec::is_empty) {
            (0..self.steps).for_each(|step| self.play(game, step));
        }
        self.play(game, self.steps);
        self.steps += 1;
        self.games += 2 * self.parameters.playouts as u64;
        self.learnt = learn(self.parameters.kind, self.binary(), &self.seen, &self.vocabulary);
        self.games - before
    }
}

fn is_on_grid<G: Game>(game: &G) -> Result<(), &'static str> {
    match game.board(&game.start()).layout {
        Layout::Points => Err("concepts speak of cells on a grid"),
        _ => Ok(()),
    }
}

struct IsOnGrid;

impl ludens_core::GameVisitor for IsOnGrid {
    type Out = Result<(), &'static str>;
    fn visit<H: Game>(self, game: Arc<H>) -> Self::Out {
        is_on_grid(&*game)
    }
}

/// The binary concepts a learner starts from, and what they cost in games.
fn source_concepts<G: Game>(game: &G, parameters: &Parameters) -> (Vec<Concept>, u64) {
    if matches!(parameters.kind, Kind::Plain | Kind::Subsets(_)) {
        return (Vec::new(), 0);
    }
    struct Source(usize, Rng);
    impl ludens_core::GameVisitor for Source {
        type Out = Vec<Concept>;
        fn visit<H: Game>(mut self, game: Arc<H>) -> Vec<Concept> {
            transferable(&concepts_of_game(&*game, self.0, &mut self.1).0)
        }
    }
    let rng = Rng::stream(parameters.seed, SOURCE);
    let games = 2 * parameters.source as u64;
    let other = parameters.from.as_ref().filter(|from| **from != game.id());
    let transferred =
        other.and_then(|from| crate::open::with_game(from, Source(parameters.source, rng.clone())).ok());
    match transferred {
        Some(concepts) => (concepts, games),
        None => (concepts_of_game(game, parameters.source, &mut rng.clone()).0, games),
    }
}

impl<G: Game> Mind<G> for ConceptLearner {
    fn choose(&mut self, game: &G, state: &G::State, ctx: &mut Ctx) -> Move {
        if self.steps == 0 {
            // Named as a mind, it learns on the spot.
            self.advance(game);
        }
        self.learnt.player.choose(game, state, ctx)
    }

    fn ledger(&self) -> Cost {
        let rules = self.learnt.player.rules.iter().map(|rules| rules.rules().len() as u64).sum();
        Cost { games: self.games, chunks: rules, ..Cost::default() }
    }
}

impl<G: Game> Learner<G> for ConceptLearner {
    fn step(&mut self, game: &G, ctx: &mut Ctx) -> Vec<Measure> {
        ctx.meter.add_games(self.advance(game));
        let rules = self.learnt.player.rules[0].rules().len() as f64;
        let mut measures = vec![Measure::new("rules", rules)];
        if !self.learnt.chosen.is_empty() {
            measures.push(Measure::new("patterns", self.learnt.chosen.len() as f64));
            let gain = self.learnt.chosen.iter().map(|chosen| chosen.gain).sum();
            measures.push(Measure::new("gain in nats", gain));
        }
        measures
    }

    fn default_steps(&self) -> u64 {
        1
    }

    fn save(&self) -> Model {
        let mut model = Model::new(NAME, &self.game, Mind::<G>::ledger(self));
        model.put_meta("parameters", &self.parameters);
        model.put_meta("steps", &self.steps);
        model.put_meta("mobility", &self.learnt.player.mobility);
        for (side, evaluation) in Side::BOTH.into_iter().zip(&self.learnt.player.rules) {
            let rules = evaluation.rules();
            let sizes: Vec<i32> = rules.iter().map(|rule| rule.body.len() as i32).collect();
            let bodies: Vec<i32> =
                rules.iter().flat_map(|rule| rule.body.iter().map(|&fact| fact as i32)).collect();
            let values: Vec<f64> = rules.iter().map(|rule| rule.value).collect();
            model.put_i32(&format!("{side}.sizes"), &[sizes.len()], &sizes);
            model.put_i32(&format!("{side}.bodies"), &[bodies.len()], &bodies);
            model.put_f64(&format!("{side}.values"), &[values.len()], &values);
        }
        model
    }

    fn load(game: &G, model: &Model) -> Result<ConceptLearner, ModelError> {
        model.expect(NAME, &game.id())?;
        let parameters: Parameters = model.meta("parameters")?;
        let mut learner = ConceptLearner::with(game, parameters);
        learner.steps = model.meta("steps")?;
        learner.games = model.ledger.games;
        let universe = learner.vocabulary.len();
        let mut rules = [Vec::new(), Vec::new()];
        for (side, rules) in Side::BOTH.into_iter().zip(&mut rules) {
            let count = model.len_of(&format!("{side}.sizes"));
            let sizes = model.i32s(&format!("{side}.sizes"), count)?;
            let values = model.f64s(&format!("{side}.values"), count)?;
            let total = model.len_of(&format!("{side}.bodies"));
            let mut bodies = model.i32s(&format!("{side}.bodies"), total)?.iter();
            for (&size, &value) in sizes.iter().zip(values) {
                let body: Vec<u32> =
                    bodies.by_ref().take(size.max(0) as usize).map(|&fact| fact as u32).collect();
                if body.len() != size as usize || body.iter().any(|&fact| fact as usize >= universe) {
                    return Err(ModelError::Missing { what: format!("whole rules of the {side} player") });
                }
                rules.push(Rule { body, value });
            }
        }
        let summary = learner.learnt.player.summary.clone();
        let mobility: f64 = model.meta("mobility")?;
        learner.learnt.player =
            super::player::ConceptPlayer::new(learner.vocabulary.clone(), rules, &summary);
        learner.learnt.player.mobility = mobility;
        Ok(learner)
    }
}
