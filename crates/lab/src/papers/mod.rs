//! The papers' experiments, one file each. Adding one is a file and a line in [`all`].

pub mod actr;
pub mod concepts;
mod faithfulness;
mod nhb;

use crate::{Experiment, LabError};

/// Every experiment, in the order of the papers.
pub fn all() -> Vec<Box<dyn Experiment>> {
    vec![
        Box::new(nhb::NhbPaper),
        Box::new(concepts::Concepts),
        Box::new(actr::ActRGammon),
        Box::new(faithfulness::FaithfulnessStudy),
    ]
}

/// The experiments called `name`; `all` means every one.
pub fn named(name: &str) -> Result<Vec<Box<dyn Experiment>>, LabError> {
    let experiments = all();
    if name == "all" {
        return Ok(experiments);
    }
    let known: Vec<&str> = experiments.iter().map(|experiment| experiment.about().id).collect();
    let known = format!("{} and all", known.join(", "));
    let found: Vec<_> = experiments.into_iter().filter(|experiment| experiment.about().id == name).collect();
    if found.is_empty() { Err(LabError::UnknownPaper { name: name.into(), known }) } else { Ok(found) }
}
