//! What the text of the paper leaves open; `docs/learners/actr.md` says what each is worth.

use ludens_core::{Model, ModelError, Words, settings};

use super::features::Ahead;

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
    }
}

impl Settings {
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
