//! How the odds are learnt.

use ludens_core::{Model, ModelError, settings};

settings! {
    /// How the odds are learnt.
    pub struct Settings {
        /// Games of the training, over which the step shrinks.
        pub games: u64 = 1_000, 1..=1_000_000_000;
        /// First step of the odds.
        pub rate: f64 = 0.1, 1e-6..=10.0;
        /// Last step.
        pub rate_end: f64 = 0.1, 1e-6..=10.0;
        /// λ: how far the outcome reaches back.
        pub lambda: f64 = 0.7, 0.0..=1.0;
        /// Share of the games after which the odds are averaged.
        pub settle: f64 = 0.3, 0.0..=1.0;
    }
}

/// Those of a model, within the limits of those that are typed.
pub(super) fn loaded_settings(model: &Model) -> Result<Settings, ModelError> {
    let settings: Settings = model.meta("settings")?;
    settings.check()?;
    Ok(settings)
}
