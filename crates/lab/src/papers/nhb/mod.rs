//! Tables 1 and 2 of the NHB paper, and what lies beyond them: why its curves do not rise, the improved learner on the same tests, the Othello
//! League, the best budget a move, and one training of every game.

mod claims;
mod hidden;
mod published;
mod tables;

use ludens_core::{Ctx, Game, Learner, Meter, Rng, Stop};
use ludens_games::backgammon::Backgammon;
use ludens_games::connect_four::ConnectFour;
use ludens_games::line::Line;
use ludens_games::reversi::Reversi;
use ludens_games::tictactoe::TicTacToe;
use ludens_learners::nhb::Nhb;
use ludens_learners::nhb::heuristic::Heuristic;
use ludens_learners::nhb::judge::Judge;
use ludens_learners::nhb::matches::{Disturbance, Player, Tally, test_matches};
use ludens_learners::nhb::settings::{Features, Settings};
use ludens_learners::rules::Kept;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{About, Experiment, LabError, Outcomes, PaperClaim, PaperResult, Plan, Scale, Unit, UnitCtx};

/// States a move that stand for the paper's 0.25, 0.5 and 1 second.
const BUDGETS: [u64; 3] = [250, 500, 1000];
/// Points of a learning curve in table 1.
const POINTS: u32 = 10;
/// States a move in the Reversi matches.
const REVERSI_STATES: u64 = 250;
/// Hidden units of untrained opponents.
const OPPONENT_HIDDEN: usize = 64;
/// Budgets a move among which the best is sought, and the states all of a training may cost.
const SEARCHED_BUDGETS: [u64; 5] = [30, 100, 300, 1000, 3000];
const TRAINING_STATES: u64 = 6_000_000;

/// States a move there.
const EVERY_STATES: u64 = 200;
/// Games trained with the defaults: native ones, and rules of this repository.
const EVERY_GAME: [(&str, Option<&str>); 8] = [
    ("tic-tac-toe", None),
    ("connect-four", None),
    ("reversi", None),
    ("line-9x4x4", None),
    ("backgammon", None),
    ("breakthrough.kif", Some(include_str!("../../../../gdl/rules/breakthrough.kif"))),
    ("hex-7.kif", Some(include_str!("../../../../gdl/rules/hex-7.kif"))),
    ("dice-race.kif", Some(include_str!("../../../../gdl/rules/dice-race.kif"))),
];

/// Changes to the published procedure, one at a time, and ours.
const STEADINESS: [&str; 10] = [
    "paper",
    "ridge",
    "no-consistency",
    "ramp",
    "fading",
    "averaged",
    "held-out",
    "self-play",
    "runs",
    "improved",
];

/// The trainings for the Othello League: more of them, for single ones differ much.
const LEAGUE: &str = "strength/league";

fn league_seeds(plan: &Plan) -> u32 {
    plan.seeds_or(plan.scale.pick(1, 2, 10))
}

#[derive(Clone, Copy, Debug)]
pub struct NhbPaper;

/// A learning curve: what was measured after each point.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
struct Curve {
    /// Output weights, which for the paper's network is the number of hidden units.
    weights: usize,
    /// Training states up to each point.
    states: Vec<u64>,
    tallies: Vec<Tally>,
    /// The last network tested again on other matches: what chance alone does to a point.
    again: Tally,
    /// Against other opponents of the league.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    others: Vec<(String, Tally)>,
}

/// How much work a scale is.
struct Size {
    seeds: u32,
    matches: u32,
    points: u32,
    cycle: u32,
}

fn size(plan: &Plan) -> Size {
    Size {
        seeds: plan.seeds_or(plan.scale.pick(1, 2, 5)),
        matches: plan.scale.pick(4, 100, 200),
        points: plan.scale.pick(2, 4, POINTS),
        cycle: plan.scale.pick(4, 20, 20),
    }
}

impl Experiment for NhbPaper {
    fn about(&self) -> About {
        About {
            id: "nhb",
            title: "Neural learning of heuristic functions for general game playing",
            citation: ludens_learners::citations::NHB,
        }
    }

    /// What the paper asks for comes first.
    fn units(&self, plan: &Plan) -> Vec<Unit> {
        let mut kinds: Vec<String> = BUDGETS.iter().map(|budget| format!("table-1/{budget}")).collect();
        kinds.extend(["learnt", "piece-advantage", "positional"].map(|who| format!("table-2/{who}")));
        kinds.extend(["connect-four", "reversi", "league"].map(|test| format!("strength/{test}")));
        // The first of this row is measured anyway.
        kinds.extend(STEADINESS[1..].iter().map(|change| format!("steady/{change}")));
        kinds.extend(EVERY_GAME.iter().map(|(game, _)| format!("every/{game}")));
        kinds.extend(SEARCHED_BUDGETS.iter().map(|budget| format!("budget/{budget}")));
        let named = |kind: &String| {
            let seeds = if kind == LEAGUE { league_seeds(plan) } else { size(plan).seeds };
            (0..seeds).map(|seed| plan.unit(format!("{kind}/seed-{seed}"))).collect::<Vec<_>>()
        };
        kinds.iter().flat_map(named).chain(hidden::units(plan)).collect()
    }

    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        if unit.name.starts_with(hidden::PREFIX) {
            return serde_json::to_value(hidden::run(&unit.name, plan, ctx)?).map_err(LabError::other);
        }
        let parts: Vec<&str> = unit.name.split('/').collect();
        let size = size(plan);
        let curve = match parts.as_slice() {
            ["table-1", budget, _] => table_one(budget.parse().map_err(LabError::other)?, &size, ctx)?,
            ["table-2", "learnt", _] => table_two(plan, &size, ctx)?,
            ["table-2", baseline, _] => baseline_of_table_two(baseline, plan, ctx),
            ["steady", change, _] => steady(change, &size, ctx)?,
            ["strength", "connect-four", _] => improved_connect_four(&size, ctx)?,
            ["strength", "reversi", _] => improved_reversi(plan, &size, ctx)?,
            ["strength", "league", _] => league(plan, ctx)?,
            ["budget", budget, _] => fixed_training(budget.parse().map_err(LabError::other)?, plan, ctx)?,
            ["every", name, _] => every_game(name, plan, ctx)?,
            _ => return Err(LabError::other(format!("no such unit: {}", unit.name))),
        };
        serde_json::to_value(curve).map_err(LabError::other)
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        tables::assemble(self.about(), plan, outcomes)
    }

    fn publish(&self, result: &mut PaperResult) {
        published::publish(result);
    }

    fn claims(&self, result: &PaperResult) -> Vec<PaperClaim> {
        claims::claims(result)
    }
}

/// Trains step by step and tests after each of `points`.
fn curve<G: Game>(
    game: &G,
    settings: Settings,
    points: u32,
    steps_a_point: u32,
    ctx: &UnitCtx,
    test: impl FnMut(&Nhb<G>, u64) -> Tally,
) -> Result<Curve, LabError> {
    Ok(trained(game, settings, points, steps_a_point, ctx, test)?.0)
}

/// The same with the learner at its end.
fn trained<G: Game>(
    game: &G,
    settings: Settings,
    points: u32,
    steps_a_point: u32,
    ctx: &UnitCtx,
    mut test: impl FnMut(&Nhb<G>, u64) -> Tally,
) -> Result<(Curve, Nhb<G>), LabError> {
    let mut nhb = Nhb::new(game, settings);
    let mut curve = Curve::default();
    let mut meter = Meter::unlimited();
    for point in 0..points {
        for step in 0..steps_a_point {
            ctx.go_on()?;
            let number = u64::from(point * steps_a_point + step);
            nhb.step(game, &mut Ctx::new(&mut Rng::stream(ctx.seed(), number), &mut meter))?;
        }
        curve.states.push(meter.cost().states);
        curve.tallies.push(test(&nhb, u64::from(point)));
        ctx.progress(f64::from(point + 1) / f64::from(points), "points");
    }
    curve.again = test(&nhb, u64::MAX);
    curve.weights = nhb.heuristic().map_or(0, Heuristic::weights);
    Ok((curve, nhb))
}

/// Matches against untrained opponents with the same states a move.
fn against_untrained<G: Game>(game: &G, nhb: &Nhb<G>, states: u64, matches: u32, seed: u64) -> Tally {
    let inputs = game.encoding_len();
    let mut player = Player::new(nhb.judge().clone(), states);
    test_matches(game, &mut player, matches, Disturbance::default(), seed, &mut Meter::unlimited(), |rng| {
        Player::new(Judge::untrained(inputs, OPPONENT_HIDDEN, rng), states)
    })
}

fn against_random<G: Game>(game: &G, judge: &Judge, states: u64, matches: u32, seed: u64) -> Tally {
    let mut player = Player::new(judge.clone(), states);
    test_matches(game, &mut player, matches, Disturbance::default(), seed, &mut Meter::unlimited(), |rng| {
        Player::new(Judge::Random { seed: rng.next_u64() }, states)
    })
}

fn point_seed(ctx: &UnitCtx, point: u64) -> u64 {
    Rng::stream(ctx.seed() ^ 0x7e57, point).next_u64()
}

fn table_one(budget: u64, size: &Size, ctx: &UnitCtx) -> Result<Curve, LabError> {
    // Twice the states a move, half the matches: the training costs the same.
    let cycle = (size.cycle * BUDGETS[0] as u32 / budget as u32).max(1);
    let settings = Settings { states: budget, cycle, ..Settings::default() };
    curve(&ConnectFour, settings, size.points, 1, ctx, |nhb, point| {
        against_untrained(&ConnectFour, nhb, budget, size.matches, point_seed(ctx, point))
    })
}

fn reversi_matches(plan: &Plan) -> u32 {
    plan.scale.pick(4, 60, 100)
}

fn table_two(plan: &Plan, size: &Size, ctx: &UnitCtx) -> Result<Curve, LabError> {
    let game = Reversi::default();
    let cycle = plan.scale.pick(2, 50, 50);
    let settings = Settings { states: REVERSI_STATES, cycle, ..Settings::default() };
    // 50 to 600 matches; the paper shows ten of these twelve.
    let points = if plan.scale == Scale::Paper { 12 } else { size.points };
    curve(&game, settings, points, 1, ctx, |nhb, point| {
        against_random(&game, nhb.judge(), REVERSI_STATES, reversi_matches(plan), point_seed(ctx, point))
    })
}

fn baseline_of_table_two(name: &str, plan: &Plan, ctx: &UnitCtx) -> Curve {
    let judge = if name == "positional" { Judge::positional() } else { Judge::piece_advantage(64) };
    let game = Reversi::default();
    let test =
        |point| against_random(&game, &judge, REVERSI_STATES, reversi_matches(plan), point_seed(ctx, point));
    Curve { states: vec![0], tallies: vec![test(0)], again: test(u64::MAX), ..Curve::default() }
}

/// Connect Four at 500 states a move, in test as in training, and as many matches as the published training.
fn steady(change: &str, size: &Size, ctx: &UnitCtx) -> Result<Curve, LabError> {
    const STATES: u64 = BUDGETS[1];
    let cycle = (size.cycle / 2).max(1);
    let paper = Settings { states: STATES, cycle, ..Settings::default() };
    let improved = Settings { states: STATES, cycle, ..Settings::improved() };
    let settings = match change {
        "ridge" => Settings { ridge: 10.0, ..paper },
        "no-consistency" => Settings { epsilon: 0.0, ..paper },
        "ramp" => Settings { ramp: 0.1, ..paper },
        "fading" => Settings { fade: 0.7, ..paper },
        "averaged" => Settings { average: 0.7, ..paper },
        "held-out" => Settings { held_out: 20, ..paper },
        // The paper's matches and targets with runs of cells.
        "runs" => Settings { features: Features::Runs, ridge: improved.ridge, ..paper },
        // Our matches and targets with the paper's hidden units.
        "self-play" => Settings { features: Features::Hidden, fade: 1.0, ..improved },
        _ => Settings { fade: 1.0, ..improved },
    };
    curve(&ConnectFour, settings, size.points, 1, ctx, |nhb, point| {
        against_untrained(&ConnectFour, nhb, STATES, size.matches / 2, point_seed(ctx, point))
    })
}

fn improved_connect_four(size: &Size, ctx: &UnitCtx) -> Result<Curve, LabError> {
    let settings = Settings { cycle: size.cycle * 10, ..tables::connect_four_settings() };
    curve(&ConnectFour, settings, size.points, tables::CONNECT_FOUR_STEPS_A_POINT, ctx, |nhb, point| {
        against_untrained(&ConnectFour, nhb, BUDGETS[1], size.matches, point_seed(ctx, point))
    })
}

fn improved_reversi(plan: &Plan, size: &Size, ctx: &UnitCtx) -> Result<Curve, LabError> {
    let game = Reversi::default();
    let settings = Settings { states: 100, cycle: plan.scale.pick(4, 100, 200), ..Settings::improved() };
    curve(&game, settings, size.points.min(6), 1, ctx, |nhb, point| {
        against_random(&game, nhb.judge(), REVERSI_STATES, reversi_matches(plan), point_seed(ctx, point))
    })
}

/// One-ply matches against the standard weighted piece counter, one move in ten drawn on both sides, a coin among equals: the league's rules. At
/// the end against other tables too.
fn league(plan: &Plan, ctx: &UnitCtx) -> Result<Curve, LabError> {
    let game = Reversi::default();
    let settings = Settings { cycle: plan.scale.pick(4, 50, 50), ..tables::league_settings() };
    let (points, steps) = plan.scale.pick((1, 1), (2, 10), (10, tables::LEAGUE_STEPS_A_POINT));
    let matches = plan.scale.pick(4, 500, 1000);
    let against = |nhb: &Nhb<Reversi>, other: &Judge, seed: u64| {
        let mut player = nhb.one_ply();
        let noise = Disturbance { opening: 0, epsilon: 0.1 };
        let opponent = |_: &mut Rng| Player::one_ply(other.clone());
        test_matches(&game, &mut player, matches, noise, seed, &mut Meter::unlimited(), opponent)
    };
    let (mut curve, nhb) = trained(&game, settings, points, steps, ctx, |nhb, point| {
        against(nhb, &Judge::othello_league(), point_seed(ctx, point))
    })?;
    for (number, (name, judge)) in
        (1..).zip(OTHERS.into_iter().zip([Judge::positional(), Judge::piece_advantage(64)]))
    {
        curve.others.push((name.into(), against(&nhb, &judge, point_seed(ctx, u64::MAX - number))));
    }
    Ok(curve)
}

/// Opponents besides the standard one.
const OTHERS: [&str; 2] = ["the paper's positional table", "piece advantage"];

/// As much training as a fixed number of states allows, with few states a move or many; tested alike.
fn fixed_training(budget: u64, plan: &Plan, ctx: &UnitCtx) -> Result<Curve, LabError> {
    const TEST_STATES: u64 = BUDGETS[1];
    const PLIES: u64 = 24;
    const STEPS: u32 = 10;
    let all = plan.scale.pick(20_000, TRAINING_STATES / 2, TRAINING_STATES);
    let cycle = (all / u64::from(STEPS) / (budget * PLIES)).max(2) as u32;
    let settings = Settings { states: budget, cycle, ..Settings::improved() };
    let matches = size(plan).matches / 2;
    curve(&ConnectFour, settings, 1, STEPS, ctx, |nhb, point| {
        against_untrained(&ConnectFour, nhb, TEST_STATES, matches, point_seed(ctx, point))
    })
}

/// The defaults on games of every kind.
fn every_game(name: &str, plan: &Plan, ctx: &UnitCtx) -> Result<Curve, LabError> {
    let settings =
        Settings { states: EVERY_STATES, cycle: plan.scale.pick(2, 20, 20), ..Settings::improved() };
    let (matches, steps) = (plan.scale.pick(2, 40, 50), plan.scale.pick(1, 3, 5));
    macro_rules! of {
        ($game:expr) => {{
            let game = &$game;
            curve(game, settings, 1, steps, ctx, |nhb, point| {
                against_untrained(game, nhb, EVERY_STATES, matches, point_seed(ctx, point))
            })
        }};
    }
    match name {
        "tic-tac-toe" => of!(TicTacToe),
        "connect-four" => of!(ConnectFour),
        "reversi" => of!(Reversi::default()),
        "backgammon" => of!(Backgammon),
        "line-9x4x4" => of!(Line::new(9, 4, 4).ok_or_else(|| LabError::other("no such board"))?),
        name => {
            let listed = EVERY_GAME.iter().find(|(listed, _)| *listed == name);
            let rules =
                listed.and_then(|(_, rules)| *rules).ok_or_else(|| LabError::other("no such game"))?;
            of!(*Kept::default().open(name, rules, &Stop::default())?)
        }
    }
}
