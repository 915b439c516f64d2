//! The papers' experiments, one file each. Adding one is a file and a line in [`all`].

pub mod actr;
mod coevolution;
pub mod concepts;
pub(crate) mod confirmations;
mod contexts;
mod faithfulness;
mod homo;
mod nhb;

use crate::experiment::complete;
use crate::{Experiment, LabError, PaperResult};

/// Every experiment, in the order of the papers.
pub fn all() -> Vec<Box<dyn Experiment>> {
    vec![
        Box::new(contexts::Contexts),
        Box::new(nhb::NhbPaper),
        Box::new(coevolution::CoevolutionPaper),
        Box::new(concepts::Concepts),
        Box::new(actr::ActRGammon),
        Box::new(faithfulness::FaithfulnessStudy),
        Box::new(homo::BUILT_IN),
        Box::new(homo::FROM_RULES),
        Box::new(confirmations::MOST),
        Box::new(confirmations::OF_THE_LEAGUE),
    ]
}

/// The result with the paper's numbers beside ours and its claims judged, as far as its experiment is known here. Whatever shows a
/// result shows this one: files of earlier versions do not say how the paper gives its numbers.
pub fn completed(result: &PaperResult) -> PaperResult {
    let mut whole = result.clone();
    if let Some(experiment) = all().iter().find(|experiment| experiment.about().id == whole.paper) {
        complete(&**experiment, &mut whole);
    }
    whole
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
