//! Our own ranker as a learner: a step is one epoch through labelled positions, the simple ones first. If it is to find chunks, it learns
//! twice: first without them, and then with the chunks it turned out to need.

use ludens_core::{Ctx, Game, Learner, Measure, Mind, MindError, Model, ModelError, Rng};
use ludens_games::connect_four::ConnectFour;

use super::moves::{Examples, MoveRanker, falling};
use super::settings::Settings;
use crate::contexts::labels;

/// The name in the catalogue.
pub const NAME: &str = "ranker";

/// The learner.
#[derive(Debug)]
pub struct RankerLearner {
    settings: Settings,
    pub(super) ranker: MoveRanker,
    /// None until a step needs them: a model that is only played with opens no file.
    examples: Option<Examples>,
    /// Whether the user named the files of labels. A model may come from anywhere, and its settings name what files they like.
    labels_named: bool,
    pub(super) epochs: u32,
    pub(super) seen: u64,
}

impl RankerLearner {
    /// One that has learnt nothing yet.
    pub fn new(settings: Settings) -> Result<RankerLearner, MindError> {
        let examples = Some(examples(&settings.labels)?);
        let ranker = MoveRanker::new(&mut Rng::stream(settings.seed, 0));
        Ok(RankerLearner { settings, ranker, examples, labels_named: true, epochs: 0, seen: 0 })
    }
}

fn examples(files: &str) -> Result<Examples, MindError> {
    Ok(Examples::simple_first(&labels::labelled(files)?))
}

impl RankerLearner {
    /// The positions to learn from: those it has, or those of its files.
    fn take_examples(&mut self) -> Result<Examples, MindError> {
        if let Some(examples) = self.examples.take() {
            return Ok(examples);
        }
        if !self.labels_named {
            return Err(labels::unnamed(&self.settings.labels));
        }
        Ok(examples(&self.settings.labels)?.with_chunks(&self.ranker.chunks))
    }
}

impl Learner<ConnectFour> for RankerLearner {
    fn step(&mut self, _game: &ConnectFour, ctx: &mut Ctx) -> Result<Vec<Measure>, MindError> {
        let mut examples = self.take_examples()?;
        let Settings { epochs, rate, chunks, .. } = self.settings;
        if chunks > 0 && self.epochs == epochs {
            let chunks = self.ranker.missing_chunks(&examples, chunks);
            examples = examples.with_chunks(&chunks);
            self.ranker = MoveRanker::with_chunks(chunks, ctx.rng);
        }
        let epoch = self.epochs % epochs;
        let first = examples.of_epoch(epoch);
        let loss = self.ranker.epoch(&examples, first, falling(rate, epoch, epochs), ctx.rng);
        self.examples = Some(examples);
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
        // Nothing is opened here: somebody else's model plays without the positions it was trained on, and must not have a file read.
        Ok(RankerLearner {
            ranker: MoveRanker::take_from(model)?,
            epochs: model.meta("epochs")?,
            seen: model.meta("seen")?,
            examples: None,
            labels_named: labels::named_in_mark(model, &settings.labels),
            settings,
        })
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Meter;

    use super::*;

    fn step(learner: &mut RankerLearner) -> Result<Vec<Measure>, MindError> {
        learner.step(&ConnectFour, &mut Ctx::new(&mut Rng::new(1), &mut Meter::unlimited()))
    }

    /// A model that names a file has it read only if the user's training named it.
    #[test]
    fn a_foreign_model_has_no_file_read() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/connect-four-labels.safetensors").to_string();
        let settings = Settings { labels: file.clone(), ..Settings::default() };
        let mut model = RankerLearner::new(settings).unwrap().save();
        let loaded = |model: &Model| RankerLearner::load(&ConnectFour, model).unwrap();
        assert!(loaded(&model).examples.is_none(), "nothing is opened for playing");
        let error = step(&mut loaded(&model)).unwrap_err();
        assert!(error.to_string().contains("nobody named"), "{error}");
        let mark = |learner: String| serde_json::json!({ "training": { "learner": learner } });
        model.put_meta("training", &mark("ranker".into()));
        assert!(step(&mut loaded(&model)).is_err());
        model.put_meta("training", &mark(format!("ranker:labels={file}")));
        step(&mut loaded(&model)).unwrap();
    }
}
