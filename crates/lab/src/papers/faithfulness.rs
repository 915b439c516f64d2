//! Are the reasons the decision? No paper asks it of its player; the law of the house does.
//!
//! For every mind with reasons: take the cited ones away and count how often the move changes; take as many others away, for
//! comparison; keep each move's cited reasons alone and count how often the choice stays. Where reasons add up (or multiply) to the
//! values these are reckoned again; a mind that searches is asked again with the cited inputs of its judgement muted.

use ludens_arena::Share;
use ludens_core::Budget;
use ludens_learners::standard::zoo;
use serde_json::Value;

use crate::explain::{Faithfulness, faithfulness};
use crate::stats::sign_test;
use crate::{About, Cell, Experiment, LabError, Outcomes, PaperResult, Plan, Row, Table, Unit, UnitCtx};

#[derive(Clone, Copy, Debug)]
pub struct FaithfulnessStudy;

/// How many reasons of a move are shown to a person.
const CITED: usize = 3;

/// Every trained model of the zoo, and the plainest mind with a reason.
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

impl Experiment for FaithfulnessStudy {
    fn about(&self) -> About {
        About {
            id: "faithfulness",
            title: "Are the reasons the decision?",
            citation: "A study of our own: how often a decision changes when its reasons are taken away, for every trained model of the zoo and plain minds.",
        }
    }

    fn units(&self, plan: &Plan) -> Vec<Unit> {
        let name = |(game, mind): (String, String)| format!("{game}/{}", mind.replacen(':', "=", 1));
        subjects().into_iter().map(|subject| plan.unit(name(subject))).collect()
    }

    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        let (game, mind) = unit.name.split_once('/').unwrap_or((&unit.name, ""));
        let mind = mind.replacen('=', ":", 1);
        let (front, decisions) = (ctx.games().open(game)?, plan.scale.pick(60, 1_000, 10_000));
        let found = faithfulness(&*front, &mind, decisions, CITED, ctx.seed(), Budget::Unlimited)?;
        serde_json::to_value(found).map_err(LabError::other)
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        let mut result = PaperResult::new(self.about(), plan);
        let mut table = Table::new(
            "faithfulness",
            "Decisions that change or stay when reasons are taken away",
            &["judged", "changes without the cited", "changes without as many others", "stays with the cited alone"],
        )
        .note(
            "Judged are decisions with more than one legal move whose reasons make up the values exactly; a move that \
             only ties with another without its cited reasons counts as changed. Minds that search (✻) are asked again with \
             the cited inputs of their judgement muted, at every position they look at; decisions whose line ends the game rest \
             on no judgement and are not judged.",
        )
        .beyond();
        let mut claims = Vec::new();
        for unit in self.units(plan) {
            let found: Faithfulness = outcomes.get(&unit.name)?;
            if found.judged == 0 {
                continue;
            }
            let share = |share: &Share| Cell::share(share.count, found.judged).percent();
            let searches = if found.by_muting { " ✻" } else { "" };
            let name = format!("{} on {}{searches}", found.mind, found.game);
            let cells = [
                Cell::text(format!("{} of {}", found.judged, found.positions)),
                share(&found.changes_without_cited),
                share(&found.changes_without_others),
                share(&found.stays_with_cited_only),
            ];
            table = table.row(Row::new(name, cells));
            if let Some(test) = sign_test(found.only_without_cited, found.only_without_others, found.judged) {
                let text = format!(
                    "{} on {}: taking the cited reasons away changes the move more often than taking others away",
                    found.mind, found.game
                );
                claims.push((text, test));
            }
        }
        result.tables.push(table);
        result.claim_family(claims);
        result.deviations.push("There is no paper to deviate from.".into());
        result.commands.push("ludens explain GAME --mind MIND --faithfulness 1000".into());
        Ok(result)
    }
}
