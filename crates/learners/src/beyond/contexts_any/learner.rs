//! It learns: the first step labels its positions, every step goes through them once.

use ludens_core::{Cost, Ctx, Game, Learner, Measure, MindError, Model, ModelError, Rng};

use super::labels::{Example, example};
use super::network::Net;
use super::settings::Settings;
use super::shapes::Shapes;

/// The name in the catalogue.
pub const NAME: &str = "contexts-any";

/// Streams of the seed: the first weights, then one a label.
const WEIGHTS: u64 = 0;
/// One of so many labels is held back.
const HELD_BACK: usize = 10;

/// The player while it learns.
#[derive(Debug)]
pub struct ContextsAny {
    game: String,
    settings: Settings,
    pub(super) shapes: Shapes,
    pub(super) net: Net,
    /// Empty after loading until a further step needs them.
    examples: Vec<Example>,
    epochs: u64,
    pub(super) ledger: Cost,
}

impl ContextsAny {
    /// One that has seen nothing yet.
    pub fn new<G: Game>(game: &G, settings: Settings) -> Result<ContextsAny, MindError> {
        let shapes = Shapes::of(&game.board(&game.start()), &game.facts()).ok_or_else(|| {
            let reason = "no line or other small set of cells decides it".into();
            MindError::WrongGame { mind: NAME.into(), game: game.id(), reason }
        })?;
        let net = Net::new(&shapes, &mut Rng::stream(settings.seed, WEIGHTS));
        let ledger = Cost { weights: net.weights() as u64, ..Cost::default() };
        let (game, examples) = (game.id(), Vec::new());
        Ok(ContextsAny { game, settings, shapes, net, examples, epochs: 0, ledger })
    }

    /// The labels come from the learner's own seed, so that a loaded one has the same.
    fn label<G: Game>(&mut self, game: &G, ctx: &mut Ctx) -> Result<(), MindError> {
        let before = ctx.meter.cost().states;
        let mut examples = Vec::new();
        for number in 0..self.settings.labels {
            ctx.meter.check()?;
            let mut rng = Rng::stream(self.settings.seed, 1 + number as u64);
            examples.extend(example(game, &self.settings, &mut rng, ctx.meter)?);
        }
        self.examples = examples;
        if self.epochs == 0 {
            self.ledger.labels = self.examples.len() as u64;
            self.ledger.states = ctx.meter.cost().states - before;
        }
        Ok(())
    }

    /// The share of held-back positions in which the labelled move comes first.
    fn first(&self, held_back: &[Example]) -> f64 {
        let hit = |example: &&Example| {
            let trace = self.net.forward(&self.shapes, &example.cells);
            let of = |ends| self.net.value(&trace, ends);
            let labelled = of(&example.moves[example.best]);
            example.moves.iter().enumerate().all(|(at, ends)| at == example.best || of(ends) < labelled)
        };
        held_back.iter().filter(hit).count() as f64 / held_back.len().max(1) as f64
    }
}

impl<G: Game> Learner<G> for ContextsAny {
    fn step(&mut self, game: &G, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        if self.examples.is_empty() {
            self.label(game, ctx)?;
        }
        let held_back = self.examples.len() / HELD_BACK;
        let mut order: Vec<usize> = (held_back..self.examples.len()).collect();
        ctx.rng.shuffle(&mut order);
        let mut error = 0.0;
        for at in &order {
            ctx.meter.check()?;
            let Example { cells, moves, best } = &self.examples[*at];
            error += f64::from(self.net.learn(&self.shapes, cells, moves, *best, self.settings.rate));
        }
        self.epochs += 1;
        Ok(vec![
            Measure::new("error", error / order.len().max(1) as f64),
            Measure::new("labelled move first", self.first(&self.examples[..held_back])),
        ])
    }

    fn default_steps(&self) -> u64 {
        100
    }

    fn save(&self) -> Model {
        let mut model = Model::new(NAME, &self.game, self.ledger);
        model.put_meta("settings", &self.settings);
        model.put_meta("epochs", &self.epochs);
        self.net.save(&mut model);
        model
    }

    fn load(game: &G, model: &Model) -> Result<ContextsAny, ModelError> {
        model.expect(NAME, &game.id())?;
        let settings: Settings = model.meta("settings")?;
        settings.check()?;
        let mut learner = ContextsAny::new(game, settings)
            .map_err(|error| ModelError::Missing { what: error.to_string() })?;
        learner.net = Net::load(&learner.shapes, model)?;
        learner.epochs = model.meta("epochs")?;
        learner.ledger = model.ledger;
        Ok(learner)
    }
}
