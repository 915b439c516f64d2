//! Learners that train in seconds, trained again without inputs.

use ludens_core::{Model, Rng};
use ludens_learners::without::Without;
use serde::{Deserialize, Serialize};

use crate::faithfulness::retrain::{
    Strength, Taken, inputs_of, mind_of, most_cited, strength, taken, train_without,
};
use crate::stats::{Test, mean, paired_t};
use crate::{Cell, LabError, Outcomes, Plan, Row, Table, Unit, UnitCtx};

/// Where the names of these units begin.
pub const FOLDER: &str = "retrain/";

/// What is trained, how long, and whom it must beat.
struct Recipe {
    name: &'static str,
    learner: &'static str,
    game: &'static str,
    steps: u64,
    opponent: &'static str,
}

const RECIPES: [Recipe; 3] = [
    Recipe { name: "nhb", learner: "nhb", game: "connect-four", steps: 10, opponent: "alphabeta:depth=2" },
    Recipe {
        name: "nhb-improved",
        learner: "nhb-improved:states=100",
        game: "connect-four",
        steps: 6,
        opponent: "alphabeta:depth=2",
    },
    Recipe {
        name: "coevolution-improved",
        learner: "coevolution-improved:intervals=5",
        game: "connect-four",
        steps: 50,
        opponent: "alphabeta:depth=2",
    },
];

/// The shares of the inputs that are taken away, in percent.
const SHARES: [u32; 2] = [10, 30];
const WAYS: [(Taken, &str); 2] = [(Taken::Cited, "cited"), (Taken::Random, "random")];

fn trials(plan: &Plan) -> u32 {
    plan.seeds_or(plan.scale.pick(1, 12, 30))
}

fn name(recipe: &Recipe, trial: u32, part: &str) -> String {
    format!("{FOLDER}{}/trial-{trial}/{part}", recipe.name)
}

fn parts() -> Vec<(Taken, u32, String)> {
    let part = |share: u32| WAYS.map(|(way, word)| (way, share, format!("{word}-{share}")));
    SHARES.into_iter().flat_map(part).collect()
}

/// For each trial the whole player first, then those without inputs.
pub fn units(plan: &Plan) -> Vec<Unit> {
    let mut units = Vec::new();
    for recipe in &RECIPES {
        for trial in 0..trials(plan) {
            let full = name(recipe, trial, "full");
            units.push(plan.unit(&full));
            let without = |(_, _, part): (_, _, String)| plan.unit(name(recipe, trial, &part)).needs(&full);
            units.extend(parts().into_iter().map(without));
        }
    }
    units
}

/// What became of one player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// The inputs that it does without.
    pub without: Without,
    /// How many inputs there are.
    pub inputs: u32,
    /// All inputs by how often the whole player cites them; empty for the others.
    pub cited: Vec<u32>,
    /// Against the fixed opponent.
    pub against_opponent: Strength,
    /// Against the whole player of the same trial.
    pub against_full: Option<Strength>,
}

/// Runs `NAME/trial-N/PART`.
pub fn run(plan: &Plan, unit: &str, ctx: &UnitCtx) -> Result<Player, LabError> {
    let unknown = || LabError::Other(format!("{unit:?} is no unit of the retraining"));
    let mut words = unit.split('/');
    let (of, trial, part) = (words.next(), words.next(), words.next());
    let recipe = RECIPES.iter().find(|recipe| Some(recipe.name) == of).ok_or_else(unknown)?;
    let (trial, part) = (trial.ok_or_else(unknown)?, part.ok_or_else(unknown)?);
    let front = ctx.games().open(recipe.game)?;
    // Everybody of a trial is trained from the same seed, and meets the opponent on the same openings.
    let seed = plan.seed_of(&format!("retrain {}/{trial}", recipe.name));
    let full = format!("{FOLDER}{}/{trial}/full", recipe.name);
    let file = |part: &str| ctx.artefact(&format!("{}-{trial}-{part}.safetensors", recipe.name));
    let (mut inputs, mut without) = (0, Without::default());
    if let Some((way, share, _)) = parts().into_iter().find(|(_, _, name)| name == part) {
        let whole: Player = ctx.outcomes().get(&full)?;
        inputs = whole.inputs;
        without = taken(inputs, f64::from(share) / 100.0, way, &whole.cited, &mut ctx.rng());
    }
    let steps = plan.scale.pick(1, recipe.steps, recipe.steps);
    let model: Model = train_without(&*front, recipe.learner, (steps, seed), &without, ctx.stop())?;
    model.write(&file(part))?;
    let (mind, stop) = (mind_of(&file(part))?, ctx.stop());
    let games = plan.scale.pick(2, 100, 400);
    let opening = Rng::stream(seed, 1).next_u64();
    let meet = |opponent: &str| strength(&*front, (&mind, opponent), games, opening, stop);
    let against_opponent = meet(recipe.opponent)?;
    if part == "full" {
        let inputs = inputs_of(&*front, &mind)?.ok_or_else(unknown)?;
        let cited = most_cited(&*front, &mind, plan.scale.pick(10, 300, 1_000), seed, stop)?;
        return Ok(Player { without, inputs, cited, against_opponent, against_full: None });
    }
    let against_full = Some(meet(&mind_of(&file("full"))?)?);
    Ok(Player { without, inputs, cited: Vec::new(), against_opponent, against_full })
}

/// A recipe with one share of its inputs taken away, over all trials.
#[derive(Clone, Debug)]
pub struct Retrained {
    /// As a table calls it.
    pub label: String,
    /// Points of the whole player against the opponent.
    full: Vec<f64>,
    /// Points against the opponent and against the whole player, without the cited inputs.
    cited: [Vec<f64>; 2],
    /// The same without drawn ones.
    random: [Vec<f64>; 2],
}

impl Retrained {
    /// By how much more the player loses without the cited inputs than without drawn ones, against the opponent.
    pub fn test(&self) -> Option<Test> {
        paired_t(&self.random[0], &self.cited[0])
    }
}

/// All trials put together.
pub fn gather(plan: &Plan, outcomes: &Outcomes) -> Result<Vec<Retrained>, LabError> {
    let mut all = Vec::new();
    for recipe in &RECIPES {
        for share in SHARES {
            let label = format!("{} on {}, {share} % of the inputs", recipe.learner, recipe.game);
            let (cited, random) = Default::default();
            let mut one = Retrained { label, full: Vec::new(), cited, random };
            for trial in 0..trials(plan) {
                let player = |part: &str| outcomes.get::<Player>(&name(recipe, trial, part));
                one.full.push(player("full")?.against_opponent.score);
                for (way, word) in WAYS {
                    let found = player(&format!("{word}-{share}"))?;
                    let points = if way == Taken::Cited { &mut one.cited } else { &mut one.random };
                    points[0].push(found.against_opponent.score);
                    points[1].extend(found.against_full.map(|strength| strength.score));
                }
            }
            all.push(one);
        }
    }
    Ok(all)
}

/// What they lose.
pub fn table(all: &[Retrained]) -> Table {
    let mut table = Table::new(
        "retraining",
        "Points per game of learners trained again without inputs",
        &[
            "whole, against the opponent",
            "without the cited",
            "without drawn ones",
            "drawn less cited",
            "without the cited, against the whole",
            "without drawn ones, against the whole",
        ],
    )
    .note(
        "The opponent is alphabeta:depth=2. Cited are the inputs that the whole player's reasons name most often for its moves; as many are drawn among all. \
         Every trial has its own seed, the same for the whole player and for those without inputs; intervals are Student's over the trials. An input that is \
         absent from the start is no surprise to the player: what it loses then, the input was good for.",
    )
    .beyond();
    for one in all {
        let points = |values: &[f64]| Cell::exact(mean(values).mean).trials(values.len() as u64).percent();
        let differences: Vec<f64> =
            one.random[0].iter().zip(&one.cited[0]).map(|(random, cited)| random - cited).collect();
        let cells = [
            points(&one.full),
            points(&one.cited[0]),
            points(&one.random[0]),
            Cell::mean(&differences).percent(),
            points(&one.cited[1]),
            points(&one.random[1]),
        ];
        table = table.row(Row::new(&one.label, cells));
    }
    table
}
