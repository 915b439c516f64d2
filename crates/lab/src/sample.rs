//! One unit of a result, kept beside it: whoever has the program can run it again and must get the same.

use std::path::Path;

use ludens_core::store::write_atomic;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engine::with_needs;
use crate::folder::read_time;
use crate::{Experiment, LabError, Outcomes, Plan, Unit};

/// A unit with its outcome.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sample {
    /// The paper.
    pub paper: String,
    /// The plan of the result.
    pub plan: Plan,
    /// The unit that took the least, with what it needs.
    pub unit: String,
    /// The CPU seconds it took, with what it needs.
    pub cpu_seconds: f64,
    /// What it found.
    pub outcome: Value,
}

impl Sample {
    /// The unit that is cheapest to run again; none where the times were not kept.
    pub(crate) fn cheapest(
        experiment: &dyn Experiment,
        plan: &Plan,
        (units, outcomes): (&[Unit], &Outcomes),
        folder: &Path,
    ) -> Option<Sample> {
        let times: Vec<f64> =
            units.iter().map(|unit| read_time(folder, unit).unwrap_or(f64::INFINITY)).collect();
        let cost =
            |index: usize| with_needs(units, vec![index]).into_iter().map(|unit| times[unit]).sum::<f64>();
        let (cpu_seconds, cheapest) =
            (0..units.len()).map(|index| (cost(index), index)).min_by(|a, b| a.0.total_cmp(&b.0))?;
        let unit = units[cheapest].name.clone();
        let outcome = outcomes.values.get(&unit)?.clone();
        let paper = experiment.about().id.to_string();
        cpu_seconds.is_finite().then_some(Sample { paper, plan: plan.clone(), unit, cpu_seconds, outcome })
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), LabError> {
        let path = folder.join("unit.json");
        let json = serde_json::to_vec_pretty(self).map_err(LabError::other)?;
        write_atomic(&path, &json).map_err(LabError::file(&path))
    }
}
