//! What a new system is.

use ludens_core::{Maybe, Spec, SpecError, Words, settings};

use super::detectors::Detectors;
use super::network::RATE;
use super::train::{System, Targets, Ways};

settings! {
    /// What a new learner is; the defaults are the paper's best system as published.
    pub struct Settings {
        /// Which system of the paper, or D1234 with all detectors.
        pub variant: String = "S4".into(), Words("S1, S2, S3, S4, D34, D134 or D1234");
        /// Towards one best move (the labelled one, as published) or all of them.
        pub targets: Targets = Targets::OneBest, Words("one or all");
        /// Files of labelled positions, joined by +; without any, the 2,000 that come with the program.
        pub labels: String = String::new(), Words("files of labelled positions");
        /// Share of the labels that are wrong: the paper's come from a program that errs.
        pub noise: f64 = 0.0, 0.0..=1.0;
        /// Postulate P2: the same network also learns how the game ends.
        pub outcome: bool = false, Words("true or false");
        /// It begins with its first kind of detectors and gets the next one at each plateau.
        pub grows: bool = false, Words("true or false");
        /// Positions between two updates.
        pub batch: usize = 1, 1..=4096;
        /// Learning rate; none: 0.1 as published, in batches times the square root of their size.
        pub rate: Maybe<f32> = Maybe(None), Words("a number above 0, at most 100");
        /// Seed of the first weights.
        pub seed: u64 = 1, 0..=u64::MAX;
    }
}

impl Settings {
    /// Reads what a name sets; what no limit says is checked here.
    pub fn from_spec(spec: &mut Spec) -> Result<Settings, SpecError> {
        let settings = Settings::read(spec, &Settings::default())?;
        let wrong = |key: &str, value: &str| {
            let list = Settings::default().list();
            let limits = list.iter().find(|about| about.key == key).map_or("", |about| &about.limits);
            Err(spec.wrong(key, value, limits))
        };
        if settings.families().is_none() {
            return wrong("variant", &settings.variant);
        }
        match settings.rate.0 {
            Some(rate) if !(rate > 0.0 && rate <= 100.0) => wrong("rate", &rate.to_string()),
            _ => Ok(settings),
        }
    }

    pub(super) fn families(&self) -> Option<Vec<Detectors>> {
        match System::named(&self.variant) {
            Some(System::Contexts(families)) => Some(families),
            _ => None,
        }
    }

    pub(super) fn ways(&self) -> Ways {
        Ways { targets: self.targets, outcome: self.outcome, grows: self.grows }
    }

    pub(super) fn first_rate(&self) -> f32 {
        self.rate.0.unwrap_or(RATE * (self.batch as f32).sqrt())
    }
}
