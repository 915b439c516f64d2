//! What the text of the paper leaves open; `docs/learners/actr.md` says what each is worth.

use ludens_core::{Maybe, Model, ModelError, Words, settings};

use super::features::{Ahead, BLOCK, EXPOSE};
use super::reading::{Reading, WORDS};

settings! {
    /// The reading of the text that plays best; what it leaves open can be set.
    pub struct Settings {
        /// Largest mismatch of a match.
        pub threshold: f64 = 0.12, 0.0..=1e6;
        /// Boltzmann temperature.
        pub temperature: f64 = 0.02, 0.0..=1e6;
        /// Losses counted for an exposed man that was hit.
        pub partial_loss: f64 = 5.0, 0.0..=1e6;
        /// Added to both counts of a chunk.
        pub prior: f64 = 1.0, 0.0..=1e6;
        /// Learn from the opponent's plays too.
        pub observe: bool = true, Words("true or false");
        /// Count every occurrence of a feature, not one a game.
        pub every: bool = true, Words("true or false");
        /// Play races by rule.
        pub racing: bool = true, Words("true or false");
        /// Most chunks.
        pub capacity: usize = 49, 1..=1_000_000;
        /// Opponents ahead of a point: after the play, or before its hits and from a block's first point.
        #[left_out(usual)]
        pub ahead: Ahead = Ahead::After, Words("after or before");
        /// Largest mismatch at which an exposed man is not chunked anew, where it is not the threshold of all kinds.
        #[left_out(usual)]
        pub expose: Maybe<f64> = Maybe(None), Words("a number, or none");
        /// The same for blocks.
        #[left_out(usual)]
        pub block: Maybe<f64> = Maybe(None), Words("a number, or none");
        /// Largest mismatch at which a chunk is asked and counts, where it is another than that of chunking.
        #[left_out(usual)]
        pub retrieval: Maybe<f64> = Maybe(None), Words("a number, or none");
        /// Other points in which the text can be read otherwise.
        #[left_out(usual)]
        pub reading: Reading = Reading::default(), Words(WORDS);
    }
}

impl Settings {
    /// The threshold of a kind of features.
    pub(super) fn threshold_of(&self, kind: u8) -> f64 {
        let own = match kind {
            EXPOSE => self.expose,
            BLOCK => self.block,
            _ => Maybe(None),
        };
        own.0.unwrap_or(self.threshold)
    }

    /// The text word for word: own features only, once a game, no rule for races.
    pub fn literal() -> Settings {
        Settings { partial_loss: 1.0, observe: false, every: false, racing: false, ..Settings::default() }
    }
}

/// Those of a model, within the limits of those that are typed.
pub(super) fn loaded_settings(model: &Model) -> Result<Settings, ModelError> {
    let settings: Settings = model.meta("settings")?;
    settings.check()?;
    Ok(settings)
}
