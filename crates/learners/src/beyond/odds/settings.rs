//! What is remembered, and how it is used.

use ludens_core::{Model, ModelError, Words, settings, words};
use serde::{Deserialize, Serialize};

/// What the memory is about.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Features {
    /// The lines of the board.
    #[default]
    Lines,
    /// Patterns chosen in random games.
    Concepts,
}

words!(Features { Lines = "lines", Concepts = "concepts" });

settings! {
    /// What is remembered, and how it is used.
    pub struct Settings {
        /// Squares of a line; 0: 3 on boards up to 3×3, else 4.
        pub length: u16 = 0, 0..=64;
        /// Lines, or concepts: patterns chosen in random games of the game.
        pub features: Features = Features::Lines, Words("lines or concepts");
        /// Boltzmann temperature.
        pub temperature: f64 = 0.5, 0.0..=1e6;
        /// Added to both counts of a chunk.
        pub prior: f64 = 1.0, 0.0..=1e6;
        /// Games of a training.
        pub games: u64 = 1_000, 1..=1_000_000_000;
    }
}

/// Those of a model, within the limits of those that are typed.
pub(super) fn loaded_settings(model: &Model) -> Result<Settings, ModelError> {
    let settings: Settings = model.meta("settings")?;
    settings.check()?;
    Ok(settings)
}
