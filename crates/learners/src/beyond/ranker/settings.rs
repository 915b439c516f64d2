//! How it learns; kept in the model, so that a training can go on.

use ludens_core::{Words, settings};

settings! {
    /// How it learns; kept in the model, so that a training can go on.
    pub struct Settings {
        /// Files of labelled positions, with + between them; none: those that come with the program.
        pub labels: String = String::new(), Words("files of labelled positions");
        /// Times through them, the step falling to nothing.
        pub epochs: u32 = 8, 1..=1000;
        /// First step.
        pub rate: f32 = 0.03, 1e-9..=1.0;
        /// Pairs of tokens it may find and make tokens of their own, at most.
        pub chunks: usize = 0, 0..=10_000;
        /// Seed of the first weights.
        pub seed: u64 = 1, 0..=u64::MAX;
    }
}

impl Settings {
    pub(super) fn all_epochs(&self) -> u32 {
        if self.chunks > 0 { 2 * self.epochs } else { self.epochs }
    }
}
