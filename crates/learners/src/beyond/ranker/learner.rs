//! Our own ranker as a learner: a step is one epoch through labelled positions, the simple ones first. If it is to find chunks, it learns
//! twice: first without them, and then with the chunks it turned out to need.

use std::path::Path;

use ludens_core::{Ctx, Game, Learner, Measure, Mind, MindError, Model, ModelError, Rng};
use ludens_games::connect_four::ConnectFour;
use ludens_search::connect_four_labels::{self as labels, Labelled};

use super::moves::{Examples, MoveRanker, falling};
use super::settings::Settings;
use crate::contexts::shipped;

/// The name in the catalogue.
pub const NAME: &str = "ranker";

/// The learner.
#[derive(Debug)]
pub struct RankerLearner {
    settings: Settings,
    pub(super) ranker: MoveRanker,
    examples: Examples,
    epochs: u32,
    pub(super) seen: u64,
}

impl RankerLearner {
    /// One that has learnt nothing yet.
    pub fn new(settings: Settings) -> Result<RankerLearner, MindError> {
        let examples = examples(&settings.labels)?;
        let ranker = MoveRanker::new(&mut Rng::stream(settings.seed, 0));
        Ok(RankerLearner { settings, ranker, examples, epochs: 0, seen: 0 })
    }
}

fn examples(files: &str) -> Result<Examples, MindError> {
    if files.is_empty() {
        return Ok(Examples::simple_first(shipped::labelled()?));
    }
    let mut all: Vec<Labelled> = Vec::new();
    for file in files.split('+') {
        let wrong = |what: String| {
            MindError::Other(format!("labels={file}: {what}; `ludens label` makes such files"))
        };
        let (_, labelled) = labels::load(Path::new(file)).map_err(|error| wrong(error.to_string()))?;
        if labelled.is_empty() {
            return Err(wrong("it holds no position".into()));
        }
        all.extend(labelled);
    }
    Ok(Examples::simple_first(&all))
}

impl Learner<ConnectFour> for RankerLearner {
    fn step(&mut self, _game: &ConnectFour, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let Settings { epochs, rate, chunks, .. } = self.settings;
        if chunks > 0 && self.epochs == epochs {
            let chunks = self.ranker.missing_chunks(&self.examples, chunks);
            self.examples = std::mem::take(&mut self.examples).with_chunks(&chunks);
            self.ranker = MoveRanker::with_chunks(chunks, ctx.rng);
        }
        let epoch = self.epochs % epochs;
        let first = self.examples.of_epoch(epoch);
        let loss = self.ranker.epoch(&self.examples, first, falling(rate, epoch, epochs), ctx.rng);
        self.epochs += 1;
        self.seen += first as u64;
        Ok(vec![Measure::new("loss", f64::from(loss))])
    }

    fn default_steps(&self) -> u64 {
        u64::from(self.settings.all_epochs())
    }

    fn finished(&self) -> bool {
        self.epochs >= self.settings.all_epochs()
    }

    fn save(&self) -> Model {
        let mut model = Model::new(NAME, &ConnectFour.id(), self.ledger());
        self.ranker.put_into(&mut model);
        model.put_meta("settings", &self.settings);
        model.put_meta("epochs", &self.epochs);
        model.put_meta("seen", &self.seen);
        model
    }

    fn load(game: &ConnectFour, model: &Model) -> Result<Self, ModelError> {
        model.expect(NAME, &game.id())?;
        let settings: Settings = model.meta("settings")?;
        settings.check()?;
        // Somebody else's model plays without the positions it was trained on; only a training needs them.
        let ranker = MoveRanker::take_from(model)?;
        let examples = examples(&settings.labels).unwrap_or_default().with_chunks(&ranker.chunks);
        Ok(RankerLearner {
            ranker,
            epochs: model.meta("epochs")?,
            seen: model.meta("seen")?,
            examples,
            settings,
        })
    }
}
