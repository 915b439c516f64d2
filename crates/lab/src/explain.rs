//! When did it learn this? A move's value over the ladder of a training.

use std::sync::Arc;

use ludens_core::{Budget, Decision, Explain, Front, Model, Models, Move, Rng};
use serde::{Deserialize, Serialize};

use crate::LabError;

/// What a learner thought of a position at one step of its training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PastView {
    /// After how many steps.
    pub step: u64,
    /// The label of the move it chose.
    pub chosen: String,
    /// The label and value of every legal move, best first.
    pub values: Vec<(String, f64)>,
}

/// "When did it learn this?": the values of the moves over a ladder of models.
pub fn over_training(
    front: &dyn Front,
    position: Option<&str>,
    ladder: &[(u64, Arc<Model>)],
    seed: u64,
    budget: Budget,
) -> Result<Vec<PastView>, LabError> {
    /// The models of the ladder by the number of their step.
    struct Ladder(Vec<(u64, Arc<Model>)>);
    impl Models for Ladder {
        fn find(&self, name: &str) -> Option<Arc<Model>> {
            let step = name.parse::<u64>().ok()?;
            self.0.iter().find(|(of, _)| *of == step).map(|(_, model)| model.clone())
        }
        fn only_lists(&self) -> bool {
            true
        }
    }
    let mut table = front.table(Arc::new(Ladder(ladder.to_vec())));
    table.restart(position)?;
    let view = |(step, _): &(u64, Arc<Model>)| {
        let Decision { mv, why, .. } =
            table.think(&step.to_string(), &mut Rng::new(seed), budget, Explain::NOTHING)?;
        let label = |mv: Move| table.line_labels(&[mv]).pop().unwrap_or_default();
        let values = why.moves.iter().map(|candidate| (label(candidate.mv), candidate.value)).collect();
        Ok(PastView { step: *step, chosen: label(mv), values })
    };
    ladder.iter().map(view).collect()
}
