//! The concept player as a learner: each step adds random games and learns anew from all of them.

use std::sync::Arc;

use ludens_core::{
    Around, Ctx, Game, Layout, Learner, Measure, Mind, MindError, Model, ModelError, Recorder, Rng, Side,
    Spec, Stop,
};

use super::concept::Concept;
use super::facts::Vocabulary;
use super::learn::{Experience, Kind, Learnt, concepts_of_game, experience, learn, transferable, vocabulary};
use super::player::ConceptPlayer;
use super::rules::Rule;
use super::settings::Parameters;

/// As published.
pub const NAME: &str = "concepts";

/// Cells of a board that is small.
const SMALL: usize = 9;
/// Streams of the learner's own seed: the source game, then one a step.
const SOURCE: u64 = 0;
/// What the numbers of a model's facts mean.
const FACTS: &str = "marks and empty cells";

/// The player while it learns.
#[derive(Debug)]
pub struct ConceptLearner {
    game: String,
    around: Arc<Around>,
    parameters: Parameters,
    /// The relations, learnt from the source game before the first step.
    binary: Option<Vec<Concept>>,
    vocabulary: Vocabulary,
    /// All random games so far; empty after loading until a further step needs them.
    seen: Experience,
    steps: u64,
    pub(super) games: u64,
    pub(super) learnt: Learnt,
}

impl ConceptLearner {
    /// A learner that has seen nothing yet, and costs nothing until its first step. `around` is where the game of `from` is found.
    pub fn new(
        game: &dyn Recorder,
        around: &Arc<Around>,
        spec: &mut Spec,
        default: &Parameters,
    ) -> Result<ConceptLearner, MindError> {
        is_on_grid(game).map_err(|reason| MindError::WrongGame {
            mind: spec.name.clone(),
            game: game.game_id(),
            reason: reason.into(),
        })?;
        let from = Parameters::read(&mut spec.clone(), default)?.from.0;
        let cells = match from.filter(|from| *from != game.game_id()) {
            Some(from) => {
                let source = around.open(&from).map_err(|error| MindError::Other(error.to_string()))?;
                is_on_grid(source.recorder()).map_err(|reason| {
                    MindError::Other(format!("concepts cannot come from {from}: {reason}"))
                })?;
                source.recorder().start_board().squares.len()
            }
            None => game.start_board().squares.len(),
        };
        // A small board has few relations: many games of it are cheap, and show them all.
        let source = if cells <= SMALL { 10_000 } else { default.source };
        let parameters = Parameters::read(spec, &Parameters { source, ..default.clone() })?;
        Ok(ConceptLearner::with(game, around, parameters))
    }

    fn with(game: &dyn Recorder, around: &Arc<Around>, parameters: Parameters) -> ConceptLearner {
        let vocabulary = vocabulary(game);
        let seen = [Vec::new(), Vec::new()];
        let player = ConceptPlayer::new(vocabulary.clone(), Default::default());
        let learnt = Learnt { player, concepts: Vec::new(), chosen: Vec::new() };
        ConceptLearner {
            game: game.game_id(),
            around: around.clone(),
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
    fn play(&mut self, game: &dyn Recorder, step: u64, stop: &Stop) -> Result<(), MindError> {
        let mut rng = Rng::stream(self.parameters.seed, 1 + step);
        let seen = experience(game, &self.vocabulary, self.parameters.playouts, &mut rng, stop)?;
        for (all, new) in self.seen.iter_mut().zip(seen) {
            all.extend(new);
        }
        Ok(())
    }

    /// What was learnt so far.
    pub fn learnt(&self) -> &Learnt {
        &self.learnt
    }

    /// The facts that its rules speak of.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The relations between two cells; none before the first step.
    pub fn binary(&self) -> &[Concept] {
        self.binary.as_deref().unwrap_or_default()
    }

    /// One step: this step's random games, then everything learnt anew. Returns the games it cost.
    pub fn advance(&mut self, game: &dyn Recorder, stop: &Stop) -> Result<u64, MindError> {
        let before = self.games;
        if self.binary.is_none() {
            let (binary, games) = self.source_concepts(game, stop)?;
            self.binary = Some(binary);
            // A loaded learner has paid for them already.
            self.games += if self.steps == 0 { games } else { 0 };
        }
        if self.seen.iter().all(Vec::is_empty) {
            (0..self.steps).try_for_each(|step| self.play(game, step, stop))?;
        }
        self.play(game, self.steps, stop)?;
        self.steps += 1;
        self.games += 2 * self.parameters.playouts as u64;
        self.learnt = learn(self.parameters.kind, self.binary(), &self.seen, &self.vocabulary, stop)?;
        Ok(self.games - before)
    }

    /// The binary concepts it starts from, and what they cost in games.
    fn source_concepts(&self, game: &dyn Recorder, stop: &Stop) -> Result<(Vec<Concept>, u64), MindError> {
        let Parameters { kind, source, seed, from, .. } = &self.parameters;
        if matches!(kind, Kind::Plain | Kind::Subsets(_)) {
            return Ok((Vec::new(), 0));
        }
        let mut rng = Rng::stream(*seed, SOURCE);
        let games = 2 * *source as u64;
        match from.0.as_ref().filter(|from| **from != game.game_id()) {
            Some(from) => {
                let other = self.around.open(from).map_err(|error| MindError::Other(error.to_string()))?;
                let (concepts, _) = concepts_of_game(other.recorder(), *kind, *source, &mut rng, stop)?;
                Ok((transferable(&concepts), games))
            }
            None => Ok((concepts_of_game(game, *kind, *source, &mut rng, stop)?.0, games)),
        }
    }
}

fn is_on_grid(game: &dyn Recorder) -> Result<(), &'static str> {
    match game.start_board().layout {
        Layout::Points => Err("concepts speak of cells on a grid"),
        _ => Ok(()),
    }
}

impl<G: Game> Learner<G> for ConceptLearner {
    fn step(&mut self, game: &G, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let games = self.advance(game, ctx.meter.stop())?;
        ctx.meter.add_games(games);
        let rules = self.learnt.player.rules[0].rules().len() as f64;
        let mut measures = vec![Measure::new("rules", rules)];
        if !self.learnt.chosen.is_empty() {
            measures.push(Measure::new("patterns", self.learnt.chosen.len() as f64));
            let gain = self.learnt.chosen.iter().map(|chosen| chosen.gain).sum();
            measures.push(Measure::new("gain in nats", gain));
        }
        Ok(measures)
    }

    fn default_steps(&self) -> u64 {
        1
    }

    fn save(&self) -> Model {
        let mut model = Model::new(self.parameters.name(), &self.game, Mind::<G>::ledger(self));
        model.put_meta("parameters", &self.parameters);
        if !self.parameters.kind.is_ours() {
            model.put_meta("facts", &FACTS);
        }
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
        ConceptLearner::load_among(game, &Arc::default(), model)
    }
}

impl ConceptLearner {
    /// As [`Learner::load`], with the games around from which it may have its concepts.
    pub(crate) fn load_among(
        game: &dyn Recorder,
        around: &Arc<Around>,
        model: &Model,
    ) -> Result<ConceptLearner, ModelError> {
        let parameters: Parameters = model.meta("parameters")?;
        parameters.check()?;
        model.expect(parameters.name(), &game.game_id())?;
        // Before, the published method had no facts for empty cells, and its facts other numbers.
        if !parameters.kind.is_ours() && !model.meta::<String>("facts").is_ok_and(|facts| facts == FACTS) {
            return Err(ModelError::Missing { what: "facts about empty cells: train it anew".into() });
        }
        let mut learner = ConceptLearner::with(game, around, parameters);
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
        let mobility: f64 = model.meta("mobility")?;
        learner.learnt.player = ConceptPlayer::new(learner.vocabulary.clone(), rules);
        learner.learnt.player.mobility = mobility;
        Ok(learner)
    }
}
