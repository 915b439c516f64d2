//! How many labels, of how deep a search.

use ludens_core::settings;

settings! {
    /// What a new learner is.
    pub struct Settings {
        /// Labelled positions; a tenth of them is held back to measure on.
        pub labels: usize = 2_000, 10..=100_000;
        /// States that the search may look at to label one.
        pub states: u64 = 2_000, 10..=10_000_000;
        /// Learning rate.
        pub rate: f32 = 0.1, 0.0001..=10.0;
        /// Seed of the positions and the first weights.
        pub seed: u64 = 1, 0..=u64::MAX;
    }
}
