//! Yaakob and Mahdin: individual and social learning in Connect Four.

use ludens_arena::sprt::{Sprt, Verdict};
use ludens_core::{Learner, Mind, Model, Rng, Tally};
use ludens_games::connect_four::ConnectFour;
use ludens_learners::coevolution::connect_four::Spent;
use ludens_learners::coevolution::contest::Fighter;
use ludens_learners::coevolution::measure::{
    Approved, against, all_play_all, approved, blockable_positions, blocked, blocked_by_chance, pair_score,
};
use ludens_learners::coevolution::{Coevolution, Inputs, Player, Settings};
use ludens_search::hand::Lines;
use ludens_search::{AlphaBeta, DepthOne, Limits, Random};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{About, Experiment, LabError, Outcomes, PaperClaim, PaperResult, Plan, Scale, Unit, UnitCtx};

mod claims;
mod tables;

#[derive(Clone, Copy, Debug)]
pub struct CoevolutionPaper;

/// The seed of the openings and test positions, the same for every player.
const EXAMINATION: u64 = 2002;
/// Seeds of the paper's variant at depth 2.
const SEEDS: u32 = 5;

/// What is beyond the paper, one switch at a time, against the paper's variant of the same length.
const SWITCHES: [(&str, &str); 10] = [
    ("evaluate-copy", "a copy must beat whom it replaces"),
    ("evaluate-new", "a new player must be no worse than whom it replaces"),
    ("evaluate-publish", "the published must hold their own against the pool"),
    ("pairs", "20 pairs instead of 5"),
    ("hall-rivals", "hall of fame: two opponents drawn from all published"),
    ("pool-rivals", "two opponents drawn from the pool by their scores"),
    ("openings", "comparisons on 8 random openings instead of the start"),
    ("offspring", "64 offspring recombined, on 4 openings, a 25th of the generations"),
    ("lines", "the lines of four as inputs, all else as in the paper"),
    ("features", "counts of threats, open lines and stones as inputs, all else as in the paper"),
];

/// Seeds of the improved variant at depth 2.
const IMPROVED_SEEDS: u32 = 5;

fn switched(name: &str, base: &Settings) -> Settings {
    let base = base.clone();
    match name {
        "evaluate-copy" => Settings { evaluate_copy: true, ..base },
        "evaluate-new" => Settings { evaluate_new: true, ..base },
        "evaluate-publish" => Settings { evaluate_publish: true, ..base },
        "pairs" => Settings { pairs: 20, ..base },
        "hall-rivals" => Settings { hall_rivals: 2, ..base },
        "pool-rivals" => Settings { pool_rivals: 2, ..base },
        "openings" => Settings { openings: 8, ..base },
        "offspring" => {
            let interval = (base.interval / 25).max(1);
            let Settings { step, largest_step, .. } = Settings::improved();
            Settings { offspring: 64, openings: 4, step, largest_step, shrink: 0.001, interval, ..base }
        }
        "lines" => Settings { inputs: Inputs::Lines, ..base },
        _ => Settings { inputs: Inputs::Features, ..base },
    }
}

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

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Sequential {
    pentanomial: [u64; 5],
    llr: f64,
    verdict: Verdict,
}

fn base_settings(plan: &Plan, depth: u32) -> Settings {
    let paper = Settings { depth, ..Settings::default() };
    match plan.scale {
        Scale::Smoke => Settings { interval: 10, intervals: 6, ..paper },
        Scale::Quick => Settings { interval: 200, intervals: 40, ..paper },
        Scale::Paper => paper,
    }
}

fn improved_settings(plan: &Plan, depth: u32) -> Settings {
    let best = Settings { depth, ..Settings::improved() };
    match plan.scale {
        Scale::Smoke => Settings { interval: 2, intervals: 4, offspring: 6, ..best },
        Scale::Quick => Settings { intervals: 4, ..best },
        // Deeper games cost more: the number of generations pays for it.
        Scale::Paper => {
            Settings { intervals: if depth <= 2 { best.intervals } else { best.intervals / 4 }, ..best }
        }
    }
}

/// Switches are compared on shorter runs, a tenth of the paper's.
fn switch_settings(plan: &Plan) -> Settings {
    let base = base_settings(plan, 2);
    Settings { intervals: (base.intervals / plan.scale.pick(1, 2, 10)).max(2), ..base }
}

fn run_names(plan: &Plan) -> Vec<(String, u32)> {
    let mut names: Vec<(String, u32)> =
        (0..plan.seeds_or(SEEDS)).map(|seed| (format!("paper/depth-2/seed-{seed}"), 2)).collect();
    names.extend([1, 3, 4].map(|depth| (format!("paper/depth-{depth}/seed-0"), depth)));
    names
}

fn improved_names(plan: &Plan) -> Vec<(String, u32)> {
    let seeds = plan.seeds_or(plan.scale.pick(1, 2, IMPROVED_SEEDS));
    let mut names: Vec<(String, u32)> =
        (0..seeds).map(|seed| (format!("improved/depth-2/seed-{seed}"), 2)).collect();
    names.extend([1, 3].map(|depth| (format!("improved/depth-{depth}/seed-0"), depth)));
    names
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

/// The sequential test: paired openings until it is decided or `most` pairs are played.
fn sequential(one: &Player, two: &Player, depth: u32, most: u32) -> Sequential {
    let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05);
    let mut one = Fighter::new(&ConnectFour, one, depth);
    let mut two = Fighter::new(&ConnectFour, two, depth);
    let mut pentanomial = [0; 5];
    for pair in 0..most {
        let mut rng = Rng::stream(EXAMINATION, u64::from(pair));
        pentanomial[pair_score(&mut one, &mut two, depth, &mut rng)] += 1;
        if pair >= 20 && sprt.verdict(&pentanomial) != Verdict::Undecided {
            break;
        }
    }
    Sequential { pentanomial, llr: sprt.llr(&pentanomial), verdict: sprt.verdict(&pentanomial) }
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
        let runs: Vec<(String, u32)> = run_names(plan).into_iter().chain(improved_names(plan)).collect();
        let (shallow, deep): (Vec<_>, Vec<_>) = runs.iter().partition(|(_, depth)| *depth <= 2);
        let evolution = |(name, _): &(String, u32)| plan.unit(name.clone());
        let mut units: Vec<Unit> = shallow.into_iter().map(evolution).collect();
        units.push(plan.unit("switch/paper"));
        for (name, _) in SWITCHES {
            units.push(plan.unit(format!("switch/{name}")));
        }
        for (name, _) in SWITCHES {
            let test = plan.unit(format!("test/{name}"));
            units.push(test.needs("switch/paper").needs(format!("switch/{name}")));
        }
        units.extend(deep.into_iter().map(evolution));
        for (name, _) in runs {
            units.push(plan.unit(format!("solver/{name}")).needs(name));
        }
        for (name, _) in improved_names(plan) {
            let paper = name.replace("improved", "paper");
            units.push(plan.unit(format!("test/{name}")).needs(name).needs(paper));
        }
        units
    }

    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        let most = plan.scale.pick(30, 2000, 10_000);
        let pair = |one: &str, two: &str, depth: u32| -> Result<Value, LabError> {
            let one = best_player(ctx.outcomes(), one)?;
            let two = best_player(ctx.outcomes(), two)?;
            Ok(json!(sequential(&one, &two, depth, most)))
        };
        let (kind, rest) = unit.name.split_once('/').unwrap_or((&unit.name, ""));
        if kind == "test" && rest.starts_with("improved/") {
            let Run { depth, .. } = ctx.outcomes().get(rest)?;
            return pair(rest, &rest.replace("improved", "paper"), depth);
        }
        if kind == "solver" {
            let Run { depth, .. } = ctx.outcomes().get(rest)?;
            let player = best_player(ctx.outcomes(), rest)?;
            return Ok(json!(approved(&player, depth, plan.scale.pick(5, 100, 1000), EXAMINATION)?));
        }
        if kind == "test" {
            return pair(&format!("switch/{rest}"), "switch/paper", 2);
        }
        let (settings, seed) = match kind {
            "switch" => {
                let base = switch_settings(plan);
                // All switches start from the same seed.
                let seed = plan.seed_of("switch");
                (if rest == "paper" { base } else { switched(rest, &base) }, seed)
            }
            _ => {
                let depth =
                    rest.trim_start_matches("depth-").chars().next().and_then(|digit| digit.to_digit(10));
                let depth = depth.unwrap_or(2);
                let improved = kind == "improved";
                let settings =
                    if improved { improved_settings(plan, depth) } else { base_settings(plan, depth) };
                (settings, ctx.seed())
            }
        };
        let learner = evolve(ctx, &unit.name, settings, seed)?;
        Ok(json!(examine(plan, &learner)?))
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        let mut result = PaperResult::new(self.about(), plan);
        let runs = load(outcomes, run_names(plan))?;
        let improved = load(outcomes, improved_names(plan))?;
        result.tables.push(tables::learning(&runs));
        result.tables.push(tables::strength(&runs, &improved));
        result.tables.push(tables::blocking(&runs, &improved));
        let judged = runs.iter().chain(&improved).map(|(name, _)| {
            let both: (Approved, Approved) = outcomes.get(&format!("solver/{name}"))?;
            Ok((name.as_str(), both))
        });
        result.tables.push(tables::optimal(&judged.collect::<Result<Vec<_>, LabError>>()?));
        result.tables.push(tables::switches(outcomes)?);
        result.tables.push(tables::improved(plan, outcomes)?);
        for (name, run) in &runs {
            result.figures.push(tables::figure_five(name, run));
        }
        result.summary = tables::summary(&runs, &improved);
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

fn load(outcomes: &Outcomes, names: Vec<(String, u32)>) -> Result<Vec<(String, Run)>, LabError> {
    names.into_iter().map(|(name, _)| Ok((name.clone(), outcomes.get(&name)?))).collect()
}

const DEVIATIONS: [&str; 10] = [
    "The depth of minimax is not given: 1 to 4 are shown, 2 is the default.",
    "The sizes of new weights and steps are not given: normal with deviation 0.1, and σ from 0.003, which it never \
     exceeds, down to 1e-5 (`literal`: 1, Fogel's 0.05, up to 1). Weights stay within ±31.",
    "The first layer is summed in whole 2⁻²⁰ths, so that every order of stones gives the same bits.",
    "The search compares the output before its tanh, which keeps the order of positions.",
    "A win in one is taken, a threat in one is met, of equal moves the most central is played: a program must choose.",
    "\"Two probabilities\" is one half each.",
    "\"Already published\" means the very same weights; a copied player's pool entry gets its +1.0 when the line it \
     began wins a later round robin, each time (`literal`: the first time).",
    "Scores B of players published in a round first fall in the next round.",
    "Where all five have the same points all are published (V is 0/0).",
    "The final tournament has a game with each colour between every two players; the paper's 261 games a player \
     would be one game.",
];
