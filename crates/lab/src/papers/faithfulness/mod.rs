//! Are the reasons the decision? No paper asks it of its player; the law of the house does.
//!
//! Every mind with reasons goes through the protocol of [`crate::faithfulness`]; learners that train in seconds are trained again without the inputs that
//! their reasons cite most.

mod retraining;
mod tables;
mod teaches;

use ludens_core::Budget;
use ludens_learners::standard::zoo;
use serde_json::Value;

use crate::faithfulness::{Effort, Faithfulness, Protocol, faithfulness};
use crate::{About, Experiment, LabError, Outcomes, PaperResult, Plan, Unit, UnitCtx};
use retraining::Retrained;

#[derive(Clone, Copy, Debug)]
pub struct FaithfulnessStudy;

/// How many reasons of a move are shown to a person.
const CITED: usize = 3;
/// The number of decisions after which the table compares the students.
const TAUGHT: usize = 300;

/// Every trained model of the zoo, and plain minds with reasons.
fn subjects() -> Vec<(String, String)> {
    let trained = zoo()
        .animals()
        .iter()
        .map(|animal| (animal.game.clone(), format!("zoo:{}", animal.name)))
        .collect::<Vec<_>>();
    let plain = [
        ("tic-tac-toe", "depth1"),
        ("connect-four", "depth1"),
        ("connect-four", "alphabeta:depth=3"),
        ("reversi", "alphabeta:depth=2"),
    ];
    plain.map(|(game, mind)| (game.to_string(), mind.to_string())).into_iter().chain(trained).collect()
}

/// The units that take minds apart; those of the retraining have a folder of their own.
fn mind_units(plan: &Plan) -> Vec<Unit> {
    let name = |(game, mind): (String, String)| format!("{game}/{}", mind.replacen(':', "=", 1));
    subjects().into_iter().map(|subject| plan.unit(name(subject))).collect()
}

fn protocol(plan: &Plan, seed: u64) -> Protocol {
    let scale = plan.scale;
    Protocol {
        summed: Effort { decisions: scale.pick(20, 400, 4_000), draws: 8, orders: scale.pick(2, 16, 64) },
        searched: Effort {
            decisions: scale.pick(3, 200, 1_000),
            draws: scale.pick(1, 4, 8),
            orders: scale.pick(1, 5, 16),
        },
        cited: CITED,
        taught: scale.pick(vec![20], vec![50, 100, TAUGHT, 1_000], vec![50, 100, TAUGHT, 1_000, 3_000]),
        tested: scale.pick(20, 500, 3_000),
        seed,
        budget: Budget::Unlimited,
    }
}

impl Experiment for FaithfulnessStudy {
    fn about(&self) -> About {
        About {
            id: "faithfulness",
            title: "Are the reasons the decision?",
            citation: "A study of our own: what decisions lose without their reasons, and what the reasons teach a student, for every trained model of the zoo and plain minds.",
        }
    }

    fn units(&self, plan: &Plan) -> Vec<Unit> {
        mind_units(plan).into_iter().chain(retraining::units(plan)).collect()
    }

    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        if let Some(name) = unit.name.strip_prefix(retraining::FOLDER) {
            let found = retraining::run(plan, name, ctx)?;
            return serde_json::to_value(found).map_err(LabError::other);
        }
        let (game, mind) = unit.name.split_once('/').unwrap_or((&unit.name, ""));
        let mind = mind.replacen('=', ":", 1);
        let front = ctx.games().open(game)?;
        let tell = |done: f64| ctx.progress(done, "decisions");
        let found = faithfulness(&*front, &mind, &protocol(plan, ctx.seed()), ctx.stop(), &tell)?;
        serde_json::to_value(found).map_err(LabError::other)
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        let mut minds: Vec<Faithfulness> = Vec::new();
        for unit in mind_units(plan) {
            minds.push(outcomes.get(&unit.name)?);
        }
        let retrained: Vec<Retrained> = retraining::gather(plan, outcomes)?;
        let mut result = PaperResult::new(self.about(), plan);
        result.tables.push(tables::comprehensiveness(&minds));
        result.tables.push(tables::sufficiency(&minds));
        result.tables.push(tables::students(&minds));
        result.tables.push(retraining::table(&retrained));
        result.tables.push(tables::flips(&minds));
        result.figures.extend(tables::figures(&minds));
        let families = tables::claims(&minds, &retrained, &mut result);
        result.summary = teaches::sentences(&minds, &families);
        result.deviations.push("There is no paper to deviate from.".into());
        result.commands.push("ludens faithfulness GAME MIND".into());
        Ok(result)
    }
}
