//! How it plays and rehearses.

use ludens_core::{Model, ModelError, settings};

settings! {
    /// How it plays and rehearses.
    pub struct Settings {
        /// Games of experience.
        pub games: u64 = 1_000, 1..=10_000_000;
        /// Remembered games gone through after each game, the new one included.
        pub rehearsals: u64 = 10, 1..=1_000_000;
        /// Remembered games gone through after the last one.
        pub last: u64 = 30_000, 0..=100_000_000;
        /// λ: how far the outcome reaches back.
        pub lambda: f64 = 0.4, 0.0..=1.0;
        /// First learning rate.
        pub rate: f64 = 0.05, 1e-6..=10.0;
        /// Learning rate at the last game.
        pub rate_end: f64 = 0.01, 1e-6..=10.0;
        /// Share of games against itself.
        pub own: f64 = 0.5, 0.0..=1.0;
        /// Networks that learn together and are asked together.
        pub members: usize = 3, 1..=32;
        /// Seed of the first weights.
        pub seed: u64 = 1, 0..=u64::MAX;
    }
}

/// Those of a model, within the limits of those that are typed.
pub(super) fn loaded_settings(model: &Model) -> Result<Settings, ModelError> {
    let settings: Settings = model.meta("settings")?;
    settings.check()?;
    Ok(settings)
}
