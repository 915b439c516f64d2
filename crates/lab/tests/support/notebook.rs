//! Who watches the trainings of these tests.

use ludens_core::{Measure, Stop};
use ludens_lab::LabError;
use ludens_lab::train::Watcher;

/// Leaves after so many steps, and remembers what it saw.
#[derive(Default)]
pub struct Notebook {
    pub leave_after: Option<u64>,
    pub begun_at: Vec<u64>,
    pub curve: Vec<(u64, Measure)>,
    pub fail_to_keep: bool,
    pub taken: u64,
    pub words: Vec<String>,
    /// Ends a step in its middle.
    pub stop: Stop,
}

impl Watcher for Notebook {
    fn begin(&mut self, step: u64, _: u64) -> Result<(), LabError> {
        self.begun_at.push(step);
        self.curve.retain(|(at, _)| *at <= step);
        self.taken = 0;
        Ok(())
    }
    fn keep(&mut self, _: u64, _: u64, measures: &[(u64, Measure)]) -> Result<(), LabError> {
        if self.fail_to_keep {
            return Err(LabError::other("the disk is full"));
        }
        self.curve.extend_from_slice(measures);
        Ok(())
    }
    fn progress(&mut self, _: u64, _: u64, _: &[Measure]) {
        self.taken += 1;
    }
    fn word(&mut self, word: &str) {
        self.words.push(word.into());
    }
    fn go_on(&mut self) -> bool {
        self.leave_after.is_none_or(|limit| self.taken < limit)
    }
    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}
