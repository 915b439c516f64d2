//! ACT-R-Gammon, section 3: the learning curve, table 1, the odds of attack, expose and block; and our players beside them.

mod ceiling;
mod claims;
mod figures;
mod fingerprint;
mod published;
mod readings;
mod tables;
mod work;

use std::sync::Arc;

use ludens_core::{Ctx, Meter, Mind, Move, Rng, Spec};
use ludens_games::backgammon::{Backgammon, Position};
use ludens_games::connect_four::ConnectFour;
use ludens_games::tictactoe::TicTacToe;
use ludens_learners::actr::duel::{Picker, Tally, duel, duel_from};
use ludens_learners::actr::features::{ATTACK, BLOCK, EXPOSE};
use ludens_learners::actr::gnubg::{self, GnubgMind};
use ludens_learners::actr::odds::{Feature, OddsMemory};
use ludens_learners::actr::pubeval::Pubeval;
use ludens_learners::actr::{ActR, Settings};
use ludens_learners::beyond::odds::{self, LineOdds};
use ludens_search::hand::Lines;
use ludens_search::{AlphaBeta, Limits, Random};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::ceiling::{CEILINGS, Ceiling, Climb};
use self::figures::{attack_figure, expose_figure, learning_curve};
use self::readings::{Reading, readings};
use self::tables::{
    block_table, confirmed_table, gnubg_table, line_table, reading_runs, reading_table, reasons_table,
    summary, table_1,
};
use self::work::{Run, against_gnubg, line_games, published_run, trained};
use crate::stats::mean;
use crate::{
    About, Cell, Experiment, Figure, FigureKind, Heat, LabError, Outcomes, PaperClaim, PaperResult, Plan,
    Point, Role, Row, Series, Table, Unit, UnitCtx,
};

/// Games of one point of the learning curve.
const BIN: usize = 20;

/// Other games that the odds memory plays.
const LINE_BOARDS: [&str; 2] = ["tic-tac-toe", "connect-four"];

/// The backgammon player with a memory of ACT-R.
#[derive(Debug)]
pub struct ActRGammon;

/// How large everything is.
struct Size {
    training: u64,
    test: u64,
    runs: u32,
    our_test: u64,
    our_runs: u32,
    reading_runs: u32,
    reading_test: u64,
    climb: Climb,
    line_games: u64,
    rehearsed_runs: u32,
    td: u64,
    hc: u64,
    gnubg: u64,
}

impl Size {
    fn of(plan: &Plan) -> Size {
        let pick = |smoke, quick, paper| plan.scale.pick(smoke, quick, paper);
        Size {
            training: pick(40, 1_000, 1_000),
            test: pick(40, 1_000, 5_000),
            runs: plan.seeds_or(plan.scale.pick(2, 5, 20)),
            our_test: pick(40, 2_000, 20_000),
            our_runs: plan.seeds_or(plan.scale.pick(1, 3, 20)),
            rehearsed_runs: plan.scale.pick(1, 1, 5),
            reading_runs: plan.scale.pick(1, 2, 20),
            reading_test: pick(20, 500, 2_000),
            climb: Climb {
                steps: pick(2, 40, 750),
                pairs: pick(2, 16, 32),
                games: pick(4, 32, 64),
                training: pick(40, 1_000, 1_000),
                test: pick(40, 2_000, 40_000),
            },
            line_games: pick(10, 200, 1_000),
            td: pick(1_000, 10_000, 400_000),
            hc: pick(200, 2_000, 100_000),
            gnubg: pick(4, 100, 1_000),
        }
    }
}

impl Experiment for ActRGammon {
    fn about(&self) -> About {
        About {
            id: "actr",
            title: "ACT-R-Gammon: backgammon from fewer than 50 chunks",
            citation: ludens_learners::citations::ACTR,
        }
    }

    fn units(&self, plan: &Plan) -> Vec<Unit> {
        let size = Size::of(plan);
        let mut units: Vec<Unit> = (0..size.runs).map(|run| plan.unit(format!("published/{run}"))).collect();
        units.extend((0..size.our_runs.min(5)).map(|run| plan.unit(format!("literal/{run}"))));
        units.extend((0..size.our_runs).map(|run| plan.unit(format!("improved/{run}"))));
        units.extend((0..size.rehearsed_runs).map(|run| plan.unit(format!("rehearsed/{run}"))));
        for reading in 0..readings().len() {
            units.extend((0..size.reading_runs).map(|run| plan.unit(format!("reading/{reading}/{run}"))));
        }
        let chosen = Unit { needs: reading_names(&units), ..plan.unit("chosen") };
        units.push(chosen);
        units.extend((0..size.reading_runs).map(|run| plan.unit(format!("confirm/{run}")).needs("chosen")));
        units.extend(CEILINGS.map(|(name, _)| plan.unit(format!("ceiling/{name}"))));
        for game in LINE_BOARDS {
            units.extend((0..size.rehearsed_runs).map(|run| plan.unit(format!("odds/{game}/{run}"))));
        }
        units.extend(["gnubg/published", "gnubg/improved", "td", "hc"].map(|name| plan.unit(name)));
        units
    }

    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        let size = Size::of(plan);
        let (group, which) = unit.name.split_once('/').unwrap_or((unit.name.as_str(), ""));
        let games = size.training;
        match (group, which) {
            ("published", _) => Ok(json!(published_run(Settings::default(), games, size.test, ctx)?)),
            ("literal", _) => Ok(json!(published_run(Settings::literal(), games, size.test, ctx)?)),
            ("reading", which) => {
                let number = which.split('/').next().and_then(|number| number.parse::<usize>().ok());
                let number = number.ok_or_else(|| LabError::other(format!("no reading {which}")))?;
                Ok(json!(published_run(reading(number)?.read()?, games, size.reading_test, ctx)?))
            }
            ("chosen", _) => Ok(json!(choose(&size, ctx.outcomes())?)),
            ("confirm", _) => {
                let settings = reading(ctx.outcomes().get("chosen")?)?.read()?;
                Ok(json!(published_run(settings, games, size.test, ctx)?))
            }
            ("ceiling", which) => Ok(json!(ceiling::climb(which == "races", size.climb, ctx)?)),
            ("odds", board) if board.starts_with("tic") => {
                line_games(&TicTacToe, games, size.line_games, ctx)
            }
            ("odds", _) => line_games(&ConnectFour, games, size.line_games, ctx),
            ("improved", run) => {
                // The first five are tested at length.
                let long = run.parse::<u32>().is_ok_and(|run| run < 5);
                let test = if long { size.our_test } else { size.test };
                trained(&format!("actr-improved:games={games}"), test, ctx)
            }
            ("rehearsed", run) => {
                let last = plan.scale.pick(20, 10_000, 30_000);
                trained(&format!("actr-rehearsed:games={games},last={last},seed={run}"), size.our_test, ctx)
            }
            ("gnubg", "published") => against_gnubg("actr", games, size.gnubg, ctx),
            ("gnubg", _) => against_gnubg(&format!("actr-improved:games={games}"), games, size.gnubg, ctx),
            ("td", _) => trained(&format!("td:games={}", size.td), size.our_test, ctx),
            _ => trained(&format!("hc:generations={}", size.hc), size.our_test, ctx),
        }
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        let size = Size::of(plan);
        let runs = |group: &str, count: u32| -> Result<Vec<Run>, LabError> {
            (0..count).map(|run| outcomes.get(&format!("{group}/{run}"))).collect()
        };
        let published = runs("published", size.runs)?;
        let literal = runs("literal", size.our_runs.min(5))?;
        let mut result = PaperResult::new(self.about(), plan);
        result.tables.push(table_1(&size, &published, &literal, outcomes)?);
        result.tables.push(gnubg_table(outcomes)?);
        let tried = reading_runs(&size, outcomes)?;
        let chosen: usize = outcomes.get("chosen")?;
        let fresh = runs("confirm", size.reading_runs)?;
        let ceilings: Vec<Ceiling> = CEILINGS
            .iter()
            .map(|(name, _)| outcomes.get(&format!("ceiling/{name}")))
            .collect::<Result<_, LabError>>()?;
        result.tables.push(ceiling::table(&ceilings));
        result.tables.push(reading_table(&readings(), &tried));
        result.tables.push(reasons_table(&readings()));
        result.tables.push(confirmed_table(&reading(chosen)?, &tried[chosen], &fresh));
        result.tables.push(line_table(&size, outcomes)?);
        result.tables.push(block_table(&published));
        result.figures.push(learning_curve(&published));
        result.figures.push(attack_figure(&published));
        result.figures.push(expose_figure("4", "Experience of expose", "counts", &published, false));
        result.figures.push(expose_figure("5", "Odds of expose", "odds", &published, true));
        result.figures.push(ceiling::figure(&ceilings));
        result.summary = summary(&published, &literal, &ceilings);
        result.deviations = DEVIATIONS.map(String::from).to_vec();
        result.commands = vec![
            "ludens train td --game backgammon --set games=400000 --out td.safetensors".into(),
            "ludens bench actr".into(),
        ];
        Ok(result)
    }

    fn publish(&self, result: &mut PaperResult) {
        claims::publish(result);
    }

    fn claims(&self, result: &PaperResult) -> Vec<PaperClaim> {
        claims::claims(result)
    }
}

/// The units of the readings among these.
fn reading_names(units: &[Unit]) -> Vec<String> {
    let names = units.iter().map(|unit| unit.name.clone());
    names.filter(|name| name.starts_with("reading/")).collect()
}

fn reading(number: usize) -> Result<Reading, LabError> {
    let reading = readings().into_iter().nth(number);
    reading.ok_or_else(|| LabError::other(format!("no reading {number}")))
}

/// The reading that won most while it learnt, of those that leave game and opponent as they are.
fn choose(size: &Size, outcomes: &Outcomes) -> Result<usize, LabError> {
    let mut best = (0, f64::NEG_INFINITY);
    for (number, (reading, runs)) in readings().iter().zip(reading_runs(size, outcomes)?).enumerate() {
        let share = mean(&runs.iter().map(Run::training_share).collect::<Vec<f64>>()).mean;
        if share > best.1 && !reading.another_game()? {
            best = (number, share);
        }
    }
    Ok(best.0)
}

const DEVIATIONS: [&str; 8] = [
    "Doubles are four moves of the die, as in the real game and in the text: two checkers the distance of each of the two dice.",
    "Opponents ahead of a point are those on higher points, and those on the bar. The paper's example of section 2.2.2 does not settle it: its ten features cannot all stand on one board (the man exposed on 12 lies within the block ⟨13, 6, 2⟩).",
    "The best run is the one that won most in the last half of its training; how the paper chose its best is not said.",
    "Every occurrence of a feature counts (the text could also mean one a game), and the opponent's features are learnt from as well, with his outcome; the row “the text word for word” of table 1 is without both.",
    "An exposed man that is hit counts as five losses of his feature; the paper gives no number.",
    "Races are played by a fixed rule; the features do not tell plays of a race apart.",
    "One is added to both counts of a chunk (eq. 4), so that a chunk met once does not decide everything.",
    "TD(λ) is trained in the forward view with our step sizes, for 400,000 games (the paper's for more than 1,000,000). HC's matches grow with the share of the climb that is done, and the size of its mutations follows their success.",
];
