//! A system of the paper as a learner: a step is one epoch through the labelled positions that come with the program.

use ludens_core::{Ctx, Game, Learner, Measure, Mind, MindError, Model, ModelError, Rng};
use ludens_games::connect_four::ConnectFour;

use super::detectors::Detectors;
use super::network::{Network, RATE};
use super::settings::Settings;
use super::train::{Ranker, System, Targets, Training};

/// The name in the catalogue.
pub const NAME: &str = "contexts";

/// The learner.
#[derive(Debug)]
pub struct ContextsLearner {
    targets: Targets,
    pub(super) training: Training,
}

impl ContextsLearner {
    /// One whose weights are drawn and that has seen nothing yet.
    pub fn new(settings: &Settings) -> Result<ContextsLearner, ModelError> {
        let families = settings.families().unwrap_or_else(|| vec![Detectors::D1, Detectors::D4]);
        let mut learner = ContextsLearner::with(&families, settings.targets, settings.seed)?;
        learner.training.batch = settings.batch;
        learner.training.rate = settings.first_rate();
        Ok(learner)
    }

    fn with(families: &[Detectors], targets: Targets, seed: u64) -> Result<ContextsLearner, ModelError> {
        let system = System::Contexts(families.to_vec());
        let examples = super::shipped::labelled()?;
        let training = Training::new(&system, examples, targets, &mut Rng::stream(seed, 0));
        Ok(ContextsLearner { targets, training })
    }

    pub(super) fn network(&self) -> &Network {
        match &self.training.ranker {
            Ranker::Contexts(network) => network,
            // A learner is always made with context detectors.
            Ranker::Plain(_) => unreachable!("the learner trains context networks only"),
        }
    }
}

impl Learner<ConnectFour> for ContextsLearner {
    fn step(&mut self, _game: &ConnectFour, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let error = self.training.epoch(ctx.rng);
        Ok(vec![Measure::new("error", f64::from(error))])
    }

    fn default_steps(&self) -> u64 {
        200
    }

    fn finished(&self) -> bool {
        self.training.on_plateau()
    }

    fn save(&self) -> Model {
        let mut model = Model::new(NAME, &ConnectFour.id(), self.ledger());
        self.network().put_into(&mut model);
        model.put_meta("targets", &self.targets);
        model.put_meta("epochs", &self.training.epochs);
        model.put_meta("batch", &self.training.batch);
        model.put_meta("rate", &self.training.rate);
        model.put_f32("errors", &[self.training.errors.len()], &self.training.errors);
        model
    }

    fn load(game: &ConnectFour, model: &Model) -> Result<Self, ModelError> {
        model.expect(NAME, &game.id())?;
        let network = Network::take_from(model)?;
        let targets = model.meta("targets")?;
        let mut learner = ContextsLearner::with(&network.families, targets, 1)?;
        learner.training.batch = model.meta("batch").unwrap_or(1);
        learner.training.rate = model.meta("rate").unwrap_or(RATE);
        if !(1..=4096).contains(&learner.training.batch) || !(0.0..=100.0).contains(&learner.training.rate) {
            return Err(ModelError::Damaged { problem: "its batch or its rate is beyond the limits".into() });
        }
        learner.training.ranker = Ranker::Contexts(Box::new(network));
        learner.training.epochs = model.meta("epochs")?;
        learner.training.errors = model.f32s("errors", model.len_of("errors"))?.to_vec();
        Ok(learner)
    }
}
