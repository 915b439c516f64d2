//! Yaakob and Mahdin: individual and social learning in Connect Four.

use ludens_core::{Learner, Mind, Model, Rng, Tally};
use ludens_games::connect_four::ConnectFour;
use ludens_learners::coevolution::connect_four::Spent;
use ludens_learners::coevolution::contest::Fighter;
use ludens_learners::coevolution::measure::{
    Approved, against, all_play_all, approved, blockable_positions, blocked, blocked_by_chance, pair_score,
};
use ludens_learners::coevolution::{Coevolution, Player, Settings};
use ludens_search::hand::Lines;
use ludens_search::{AlphaBeta, DepthOne, Limits, Random};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::runs::{IMPROVED, Name, SWITCHES};
use crate::{About, Experiment, LabError, Outcomes, PaperClaim, PaperResult, Plan, Unit, UnitCtx};

mod claims;
mod runs;
mod tables;

#[derive(Clone, Copy, Debug)]
pub struct CoevolutionPaper;

/// The seed of the openings and test positions, the same for every player.
const EXAMINATION: u64 = 2002;

/// The outcome of one run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Run {
    depth: u32,
    generations: u64,
    games: u64,
    states: u64,
    /// The generation of each publication and the points of the final all-play-all, in the order of publication.
    born: Vec<u64>,
    points: Vec<i32>,
    /// Of the player with the most points.
    random: Tally,
    depth_one: Tally,
    hand: Tally,
    /// Of the last published.
    last_hand: Tally,
    blocked: u64,
    blockable: u64,
    blocked_by_chance: f64,
    /// The first published player's, for comparison.
    first_blocked: u64,
}

fn artefact(unit: &str) -> String {
    format!("{}.safetensors", unit.replace('/', "-"))
}

/// Runs a whole evolution, resumable, and keeps the model.
fn evolve(
    ctx: &UnitCtx,
    unit: &str,
    settings: Settings,
    seed: u64,
) -> Result<Coevolution<ConnectFour>, LabError> {
    let checkpoint = ctx.checkpoint("run.safetensors")?;
    let mut learner = match Model::load_checkpoint(&checkpoint) {
        Ok(model) => Coevolution::load(&ConnectFour, &model)?,
        Err(_) => {
            let mut learner = Coevolution::new(&ConnectFour, "coevolution", settings.clone());
            learner.begin(seed);
            learner
        }
    };
    let total = settings.generations();
    while learner.generation < total {
        ctx.go_on()?;
        if learner.advance(&ConnectFour, ctx.stop())?.is_some() {
            ctx.progress(learner.generation as f64 / total as f64, "evolving");
            if (learner.generation / settings.interval).is_multiple_of(10) {
                learner.save().write_checkpoint(&checkpoint)?;
            }
        }
    }
    learner.save().write(&ctx.artefact(&artefact(unit)))?;
    Ok(learner)
}

/// Everything that is asked of a finished run.
fn examine(plan: &Plan, learner: &Coevolution<ConnectFour>) -> Result<Run, LabError> {
    let depth = learner.settings.depth;
    let published: Vec<&Player> = learner.pool.players.iter().map(|published| &published.player).collect();
    let mut spent = Spent::default();
    let points = all_play_all(&ConnectFour, &published, depth, &mut spent);
    let best = published[chosen(&learner.settings, &points)];
    let last = published[published.len() - 1];
    let pairs = plan.scale.pick(5, 100, 500);
    let games = |player: &Player, mut opponent: Box<dyn Mind<ConnectFour>>| {
        against(player, depth, opponent.as_mut(), (pairs, 6), EXAMINATION)
    };
    let lines = Lines::of(&ConnectFour).ok_or_else(|| LabError::other("Connect Four has lines"))?;
    let hand = || Box::new(AlphaBeta::new(lines.clone(), Limits::depth(depth)));
    let positions = blockable_positions(plan.scale.pick(20, 200, 1000), EXAMINATION);
    Ok(Run {
        depth,
        generations: learner.generation,
        games: learner.ledger().games,
        states: learner.ledger().states,
        born: learner.pool.players.iter().map(|published| published.generation).collect(),
        random: games(best, Box::new(Random))?,
        depth_one: games(best, Box::new(DepthOne))?,
        hand: games(best, hand())?,
        last_hand: games(last, hand())?,
        blocked: blocked(best, depth, &positions)?,
        first_blocked: blocked(published[0], depth, &positions)?,
        blockable: positions.len() as u64,
        blocked_by_chance: blocked_by_chance(&positions),
        points,
    })
}

/// The player that stands for a run: with the most points in the all-play-all, the later of two. Where comparisons are made on
/// openings the last published, which has held its own on them; the all-play-all begins at the start position alone.
fn chosen(settings: &Settings, points: &[i32]) -> usize {
    let most = (0..points.len()).max_by_key(|&index| points[index]).unwrap_or(0);
    if settings.evaluate_publish && settings.openings > 0 { points.len() - 1 } else { most }
}

/// The player that stands for a kept model.
fn best_player(outcomes: &Outcomes, unit: &str) -> Result<Player, LabError> {
    let model = Model::load(&outcomes.artefact(&artefact(unit)))?;
    let learner = Coevolution::load(&ConnectFour, &model)?;
    let published: Vec<&Player> = learner.pool.players.iter().map(|published| &published.player).collect();
    let points = all_play_all(&ConnectFour, &published, learner.settings.depth, &mut Spent::default());
    Ok(published[chosen(&learner.settings, &points)].clone())
}

/// What one player scores against another over paired openings, each with both colours.
fn matched(one: &Player, two: &Player, depth: u32, pairs: u32) -> Tally {
    let mut one = Fighter::new(&ConnectFour, one, depth);
    let mut two = Fighter::new(&ConnectFour, two, depth);
    let mut tally = Tally::default();
    for pair in 0..pairs {
        let mut rng = Rng::stream(EXAMINATION, u64::from(pair));
        for score in pair_score(&mut one, &mut two, depth, &mut rng) {
            tally.add(score);
        }
    }
    tally
}

impl Experiment for CoevolutionPaper {
    fn about(&self) -> About {
        About {
            id: "coevolution",
            title: "Individual and social learning in a co-evolutionary approach to Connect Four",
            citation: ludens_learners::citations::COEVOLUTION,
        }
    }

    fn units(&self, plan: &Plan) -> Vec<Unit> {
        // Deep runs are dear and come last, so that a run that is stopped has most of its answers.
        let (shallow, deep): (Vec<Name>, Vec<Name>) =
            runs::all(plan).into_iter().partition(|name| name.depth <= 2);
        let evolution = |name: &Name| plan.unit(name.unit());
        let mut units: Vec<Unit> = shallow.iter().map(evolution).collect();
        for seed in 0..runs::switch_seeds(plan) {
            units.push(plan.unit(format!("switch/paper/seed-{seed}")));
            for (name, _) in SWITCHES {
                let switch = format!("switch/{name}/seed-{seed}");
                units.push(plan.unit(switch.clone()));
                let contest = plan.unit(format!("match/{name}/seed-{seed}"));
                units.push(contest.needs(switch).needs(format!("switch/paper/seed-{seed}")));
            }
        }
        units.extend(deep.iter().map(evolution));
        for name in runs::all(plan) {
            if name.judged() {
                units.push(plan.unit(format!("solver/{}", name.unit())).needs(name.unit()));
            }
            if name.kind == IMPROVED {
                let paper = Name { kind: "paper", ..name };
                let contest = plan.unit(format!("match/{}", name.unit()));
                units.push(contest.needs(name.unit()).needs(paper.unit()));
            }
        }
        units
    }

    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        let (kind, rest) = unit.name.split_once('/').unwrap_or((&unit.name, ""));
        if let ("match", [one, two]) = (kind, unit.needs.as_slice()) {
            let Run { depth, .. } = ctx.outcomes().get(one)?;
            let [one, two] = [one, two].map(|name| best_player(ctx.outcomes(), name));
            return Ok(json!(matched(&one?, &two?, depth, plan.scale.pick(30, 300, 2000))));
        }
        if kind == "solver" {
            let Run { depth, .. } = ctx.outcomes().get(rest)?;
            let player = best_player(ctx.outcomes(), rest)?;
            return Ok(json!(approved(&player, depth, plan.scale.pick(5, 100, 1000), EXAMINATION)?));
        }
        let settings = runs::settings(plan, &unit.name)?;
        // All switches of a seed start from the same one.
        let seed = match rest.split_once("/seed-") {
            Some((_, number)) if kind == "switch" => plan.seed_of(&format!("switch/seed-{number}")),
            _ => ctx.seed(),
        };
        let learner = evolve(ctx, &unit.name, settings, seed)?;
        Ok(json!(examine(plan, &learner)?))
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        let mut result = PaperResult::new(self.about(), plan);
        let runs: Vec<(Name, Run)> = runs::all(plan)
            .into_iter()
            .map(|name| Ok((name, outcomes.get(&name.unit())?)))
            .collect::<Result<_, LabError>>()?;
        let mut judged = Vec::new();
        for (name, _) in runs.iter().filter(|(name, _)| name.judged()) {
            let both: (Approved, Approved) = outcomes.get(&format!("solver/{}", name.unit()))?;
            judged.push((*name, both));
        }
        let contests: Vec<(Name, Tally)> = runs
            .iter()
            .filter(|(name, _)| name.kind == IMPROVED)
            .map(|(name, _)| Ok((*name, outcomes.get(&format!("match/{}", name.unit()))?)))
            .collect::<Result<_, LabError>>()?;
        let levels = tables::levels(&runs);
        result.tables.push(tables::learning(&levels));
        result.tables.push(tables::each_run(&runs));
        result.tables.push(tables::strength(&levels));
        result.tables.push(tables::blocking(&levels));
        result.tables.push(tables::optimal(&tables::levels(&judged)));
        result.tables.push(tables::switches(plan, outcomes)?);
        result.tables.push(tables::improved(&tables::levels(&contests)));
        result.figures = tables::figures(&runs);
        result.summary = tables::summary(&levels);
        result.deviations = DEVIATIONS.iter().map(|text| text.to_string()).collect();
        result.commands.push("ludens train coevolution --game connect-four".into());
        Ok(result)
    }

    fn publish(&self, result: &mut PaperResult) {
        claims::publish(result);
    }

    fn claims(&self, result: &PaperResult) -> Vec<PaperClaim> {
        claims::claims(result)
    }
}

const DEVIATIONS: [&str; 10] = [
    "The depth of minimax is not given: 1 to 4 are shown, 2 is the default.",
    "The sizes of new weights and steps are not given: normal with deviation 0.1, and σ from 0.003, which it never \
     exceeds, down to 1e-5. Fogel's settings (deviation of an even draw within ±0.2, σ from 0.05, unbounded) and the first \
     reading (1, 0.05, up to 1) stand beside it. Weights stay within ±31.",
    "The first layer is summed in whole 2⁻²⁰ths, so that every order of stones gives the same bits.",
    "The search compares the output before its tanh, which keeps the order of positions.",
    "A win in one is taken, a threat in one is met, of equal moves the most central is played: a program must choose.",
    "\"Two probabilities\" is one half each.",
    "\"Already published\" means the very same weights; a copied player's pool entry gets its +1.0 when the line it \
     began wins a later round robin, each time (the first reading: the first time).",
    "Scores B of players published in a round first fall in the next round.",
    "Where all five have the same points all are published (V is 0/0).",
    "The final tournament has a game with each colour between every two players; the paper's 261 games a player \
     would be one game.",
];
