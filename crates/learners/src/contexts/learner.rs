//! A system of the paper as a learner: a step is one epoch through the labelled positions that come with the program.

use ludens_core::{Ctx, Game, Learner, Maybe, Measure, Mind, MindError, Model, ModelError, Rng};
use ludens_games::connect_four::ConnectFour;

use super::detectors::Detectors;
use super::labels;
use super::network::Network;
use super::settings::Settings;
use super::train::{Ranker, System, Training};

/// The name in the catalogue.
pub const NAME: &str = "contexts";

/// The learner.
#[derive(Debug)]
pub struct ContextsLearner {
    settings: Settings,
    pub(super) training: Training,
    /// How many positions it learns from.
    pub(super) labels: usize,
    /// Whether the training has them: a model that is only played with opens no file.
    has_labels: bool,
    /// Whether the user named the files. A model may come from anywhere, and its settings name what files they like.
    labels_named: bool,
}

/// The streams of the seed: what the first weights and the errors of the labels are drawn from.
const WEIGHTS: u64 = 0;
const ERRORS: u64 = 1;

impl ContextsLearner {
    /// One whose weights are drawn and that has seen nothing yet.
    pub fn new(settings: &Settings) -> Result<ContextsLearner, MindError> {
        let families = settings.families().unwrap_or_else(|| vec![Detectors::D1, Detectors::D4]);
        let rng = &mut Rng::stream(settings.seed, WEIGHTS);
        let mut training = Training::new(&System::Contexts(families), &[], settings.ways(), rng);
        training.batch = settings.batch;
        training.rate = settings.first_rate();
        let settings = settings.clone();
        let mut learner =
            ContextsLearner { settings, training, labels: 0, has_labels: false, labels_named: true };
        learner.take_labels()?;
        Ok(learner)
    }

    /// Reads the positions, if that is still to be done.
    fn take_labels(&mut self) -> Result<(), MindError> {
        if self.has_labels {
            return Ok(());
        }
        let Settings { labels: files, targets, noise, seed, .. } = &self.settings;
        if !self.labels_named {
            return Err(labels::unnamed(files));
        }
        let examples = labels::labelled(files)?;
        let examples = labels::with_noise(&examples, *noise, &mut Rng::stream(*seed, ERRORS));
        self.labels = examples.len();
        self.training.learn_from(&examples, *targets);
        self.has_labels = true;
        Ok(())
    }

    pub(super) fn network(&self) -> &Network {
        match &self.training.ranker {
            Ranker::Contexts(network) => network,
            // A learner is always made with context detectors.
            Ranker::Plain(_) => unreachable!("the learner trains context networks only"),
        }
    }
}

/// What a model was trained with; earlier versions wrote it down part by part.
fn saved_settings(model: &Model) -> Result<Settings, ModelError> {
    model.meta("settings").or_else(|_| {
        let rate = Maybe(Some(model.meta("rate")?));
        Ok(Settings {
            targets: model.meta("targets")?,
            batch: model.meta("batch")?,
            rate,
            ..Settings::default()
        })
    })
}

impl Learner<ConnectFour> for ContextsLearner {
    fn step(&mut self, _game: &ConnectFour, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        self.take_labels()?;
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
        model.put_meta("settings", &self.settings);
        model.put_meta("labels", &self.labels);
        model.put_meta("epochs", &self.training.epochs);
        if self.settings.grows {
            model.put_meta("grown", &self.training.grown);
        }
        model.put_f32("errors", &[self.training.errors.len()], &self.training.errors);
        model
    }

    fn load(game: &ConnectFour, model: &Model) -> Result<Self, ModelError> {
        model.expect(NAME, &game.id())?;
        let settings = saved_settings(model)?;
        settings.check()?;
        let network = Network::take_from(model)?;
        let rng = &mut Rng::stream(settings.seed, WEIGHTS);
        let system = System::Contexts(settings.families().unwrap_or_else(|| network.families.clone()));
        let mut training = Training::new(&system, &[], settings.ways(), rng);
        training.batch = settings.batch;
        training.rate = settings.first_rate();
        training.to_come.truncate((1 + training.to_come.len()).saturating_sub(network.families.len()));
        training.grown = model.meta("grown").unwrap_or(0);
        training.ranker = Ranker::Contexts(Box::new(network));
        training.epochs = model.meta("epochs")?;
        training.errors = model.f32s("errors", model.len_of("errors"))?.to_vec();
        let labels_named = labels::named_in_mark(model, &settings.labels);
        let shipped = || labels::labelled("").map_or(0, |labels| labels.len());
        let labels = model.meta("labels").unwrap_or_else(|_| shipped());
        Ok(ContextsLearner { settings, training, labels, has_labels: false, labels_named })
    }
}
