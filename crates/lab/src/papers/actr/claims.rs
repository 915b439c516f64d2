//! What the ACT-R-Gammon paper says, judged by its tables and figures.

use ludens_arena::stats::student_quantile;
use ludens_core::math;

use super::readings::capped;
use crate::agreement::{Gap, Published};
use crate::claims::{Judge, Part, Says};
use crate::stats::regression;
use crate::{Cell, FigureKind, Heat, PaperClaim, PaperResult, Point};

const BEST: &str = "ACT-R-Gammon, best run";
const MEAN: &str = "ACT-R-Gammon, mean of the runs";
const TD: &str = "TD(λ) network";
const HC: &str = "HC-Gammon";
/// "45.23 %" is met within two points.
const LEVEL: f64 = 0.02;

/// Table 1: "± 0.71 %" is the standard error of 5,000 games, "± 3.46 %" that of 200, "± 0.15 %" that of more than 100,000.
pub(super) fn publish(result: &mut PaperResult) {
    let Some(table) = result.tables.iter_mut().find(|table| table.id == "1") else { return };
    for (row, share, error) in [(BEST, 0.4523, 0.0071), (TD, 0.5925, 0.0015), (HC, 0.40, 0.0346)] {
        table.set_paper(row, 0, |mut cell| {
            cell.points = true;
            cell.paper_as(share, Published::Error { error })
        });
    }
}

pub(super) fn claims(result: &PaperResult) -> Vec<PaperClaim> {
    let mut judge = Judge::new(result);
    let won = |row: &str| result.cell("1", row, 0);
    let runs = won(MEAN).map_or(0, |cell| cell.trials);
    let seeds = format!("{runs} runs");
    let games = won(BEST).map_or(0, |cell| cell.trials);
    let one_run = format!("best of {runs} runs by its training, {games} games");
    judge.shares(
        "The best run wins 45.23 % against pubeval",
        Says::Within(LEVEL),
        vec![Part::new("best run − 45.23 %", won(BEST).and_then(crate::agreement::compare))],
        &one_run,
    );
    judge.shares(
        "It plays better than HC-Gammon, from a hundredth of its games",
        Says::Above(0.0),
        vec![Part::new("best run − HC-Gammon", judge.apart(won(BEST), won(HC)))],
        &one_run,
    );
    judge.shares(
        "A network trained by TD(λ) plays better",
        Says::Above(0.0),
        vec![Part::new("TD − best run", judge.apart(won(TD), won(BEST)))],
        &one_run,
    );
    curve(&mut judge, result, &seeds);
    limits(&mut judge, result, &seeds);
    odds(&mut judge, result, &seeds);
    judge.finish()
}

fn points<'a>(result: &'a PaperResult, figure: &str) -> &'a [Point] {
    let found = result.figures.iter().find(|one| one.id == figure).map(|one| &one.kind);
    match found {
        Some(FigureKind::Plot(series)) => series.first().map_or(&[], |one| &one.points),
        _ => &[],
    }
}

/// A point of a figure as a cell: mean and error over the runs.
fn at(points: &[Point], x: f64, runs: u64) -> Option<Cell> {
    let point = points.iter().find(|point| point.x == x)?;
    let interval = point.interval.filter(|_| runs > 1)?;
    let half = (interval.high - interval.low) / 2.0;
    let error = half / student_quantile(0.975, runs as f64 - 1.0);
    Some(Cell { ours: Some(point.y), error: Some(error), trials: runs, ..Cell::default() })
}

/// The learning curve against the level of the same runs after it.
fn curve(judge: &mut Judge, result: &PaperResult, seeds: &str) {
    let level = result.cell("1", MEAN, 0);
    let runs = level.map_or(0, |cell| cell.trials);
    let points = points(result, "2");
    // Half of the level is the level with half its error.
    let part_of = |share: f64| {
        level.map(|cell| Cell {
            ours: cell.ours.map(|ours| share * ours),
            error: cell.error.map(|error| share * error),
            ..cell.clone()
        })
    };
    let bin = |judge: &Judge, x: f64, share: f64| {
        judge.apart(at(points, x, runs).as_ref(), part_of(share).as_ref())
    };
    judge.shares(
        "Learning is quick: the share of wins rises from the first 20 games to the final level",
        Says::Below(0.0),
        vec![Part::new("games 1–20 − final level", bin(judge, 20.0, 1.0))],
        seeds,
    );
    judge.shares(
        "After 20 games it plays at over half of its final level (games 21–40)",
        Says::Above(0.0),
        vec![Part::new("games 21–40 − half the level", bin(judge, 40.0, 0.5))],
        seeds,
    );
    judge.shares(
        "After 100 games it is within 15 % of its final level (games 101–120)",
        Says::Above(0.0),
        vec![Part::new("games 101–120 − 85 % of the level", bin(judge, 120.0, 0.85))],
        seeds,
    );
}

fn limits(judge: &mut Judge, result: &PaperResult, seeds: &str) {
    let [capped, free] = capped().map(|name| result.cell("readings", &name, 0));
    let tried = format!("{} runs each", free.map_or(0, |cell| cell.trials));
    judge.shares(
        "Fewer than 50 chunks are enough: with 49 it plays as well as without a cap",
        Says::Within(LEVEL),
        vec![Part::new("capped − without a cap", judge.apart(capped, free))],
        &tried,
    );
    match result.cell("1", MEAN, 3).and_then(|cell| cell.ours) {
        Some(most) => judge.counted(
            "No decision looks at more than a few hundred plays",
            "largest number of states in a decision, at most 500",
            most <= 500.0,
            format!("{most:.0} states"),
            seeds,
        ),
        None => {
            judge.unjudged("No decision looks at more than a few hundred plays", "the states are not kept")
        }
    }
}

fn odds(judge: &mut Judge, result: &PaperResult, seeds: &str) {
    let runs = result.cell("1", MEAN, 0).map_or(0, |cell| cell.trials);
    let attack = points(result, "3");
    let of = |x: f64| at(attack, x, runs);
    judge.numbers(
        "The odds of an attack are higher on point 13 than on point 6 and than on point 24",
        Says::Above(0.0),
        [6.0, 24.0]
            .map(|x| {
                Part::new(format!("point 13 − point {x}"), judge.apart(of(13.0).as_ref(), of(x).as_ref()))
            })
            .into(),
        seeds,
    );
    let expose = result.figures.iter().find(|one| one.id == "5").map(|one| &one.kind);
    match expose {
        Some(FigureKind::Heat(heat)) => {
            let (above, all) = above_one(heat);
            judge.counted(
                "Exposing is never an advantage: no odds above 1",
                "cells of figure 5 above 1, means over the runs",
                above == 0,
                format!("{above} of {all} cells above 1"),
                seeds,
            );
        }
        _ => judge.unjudged("Exposing is never an advantage: no odds above 1", "figure 5 is not kept"),
    }
    judge.numbers(
        "Blocks on higher points have higher odds (the chunks of table 2)",
        Says::Above(0.0),
        vec![Part::new("log odds by point", block_slope(result))],
        "one run, eleven chunks",
    );
}

fn above_one(heat: &Heat) -> (usize, usize) {
    let known: Vec<f64> = heat.values.iter().flatten().filter_map(|value| *value).collect();
    (known.iter().filter(|odds| **odds > 1.0).count(), known.len())
}

/// The slope of our log odds over the point of the block, among the paper's eleven.
fn block_slope(result: &PaperResult) -> Option<Gap> {
    let rows = &result.table("2")?.rows;
    let points: Vec<(f64, f64)> = rows
        .iter()
        .filter_map(|row| {
            let point: f64 = row.label.trim_start_matches('[').split(',').next()?.trim().parse().ok()?;
            let odds = row.cells.first()?.ours.filter(|odds| *odds > 0.0)?;
            Some((point, math::ln(odds)))
        })
        .collect();
    let line = regression(&points)?;
    let error = if line.t == 0.0 { 0.0 } else { (line.slope / line.t).abs() };
    Some(Gap::new(line.slope, error, line.freedom, "t-test of the slope"))
}
