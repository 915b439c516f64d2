//! What the coevolution paper says, judged by the points of its figure 5 and by the positions that want blocking; once for every reading of
//! what it leaves open.

use super::runs::{Name, READINGS};
use crate::agreement::{ALPHA, Gap, Published};
use crate::claims::{Judge, Part, Says};
use crate::stats::{Regression, regression_in_time};
use crate::{Cell, FigureKind, PaperClaim, PaperResult, Row};

const LEARNING: &str = "figure 5";
const RUNS: &str = "runs";
const SLOPES: &str = "The slope is above zero";

/// The lines through the points of the runs that the figures keep, by the names of the runs.
fn lines(result: &PaperResult) -> Vec<(String, Regression)> {
    let mut lines = Vec::new();
    for figure in result.figures.iter().filter(|figure| figure.id.starts_with("5 (")) {
        let FigureKind::Plot(series) = &figure.kind else { continue };
        for one in series {
            let points: Vec<(f64, f64)> = one.points.iter().map(|point| (point.x, point.y)).collect();
            lines.extend(regression_in_time(&points).map(|line| (one.name.clone(), line)));
        }
    }
    lines
}

fn rises(line: &Regression) -> bool {
    line.slope > 0.0 && line.p < ALPHA
}

/// The runs of a reading at the depth that has several seeds.
fn of_kind<'a>(lines: &'a [(String, Regression)], kind: &str) -> Vec<&'a (String, Regression)> {
    let start = format!("{kind}/depth-2/");
    lines.iter().filter(|(run, _)| run.starts_with(&start)).collect()
}

fn level(kind: &'static str) -> String {
    Name { kind, depth: 2, seed: 0 }.level()
}

/// The paper's numbers, and everything that follows from the points: slopes, tests, the first sentence of the summary.
pub(super) fn publish(result: &mut PaperResult) {
    let lines = lines(result);
    if let Some(table) = result.tables.iter_mut().find(|table| table.id == RUNS) {
        for row in &mut table.rows {
            let line = lines.iter().find(|(run, _)| *run == row.label);
            fill(row, line.map(|(_, line)| line));
        }
    }
    let mut counts = Vec::new();
    if let Some(table) = result.tables.iter_mut().find(|table| table.id == LEARNING) {
        let labels: Vec<String> = table.rows.iter().map(|row| row.label.clone()).collect();
        for label in &labels {
            table.set_paper(label, 6, |cell| cell.paper_as(200_000.0, Published::Setting));
        }
        for (kind, _) in READINGS {
            let label = level(kind);
            table.set_paper(&label, 1, |cell| cell.paper(262.0));
            let Some(row) = table.rows.iter_mut().find(|row| row.label == label) else { continue };
            let runs = of_kind(&lines, kind);
            fill_level(row, &runs);
            let rising = runs.iter().filter(|(_, line)| rises(line)).count();
            counts.push(format!("{rising} of {} ({label})", runs.len()));
        }
    }
    result.summary.retain(|sentence| !sentence.starts_with(SLOPES));
    let sentence = format!("{SLOPES} at the 99 % level in these runs (Newey–West): {}.", counts.join(", "));
    result.summary.insert(0, sentence);
}

fn fill(row: &mut Row, line: Option<&Regression>) {
    let ([_, slope, t, p], Some(line)) = (row.cells.as_mut_slice(), line) else { return };
    let interval = line.slope_interval;
    *slope = Cell::exact(line.slope).decimals(3).with_interval(interval.low, interval.high);
    *t = Cell::exact(line.t).decimals(2);
    *p = Cell::exact(line.p).decimals(4);
}

fn slopes(runs: &[&(String, Regression)]) -> Vec<f64> {
    runs.iter().map(|(_, line)| line.slope).collect()
}

fn fill_level(row: &mut Row, runs: &[&(String, Regression)]) {
    let [_, _, slope, t, p, rising, ..] = row.cells.as_mut_slice() else { return };
    let slopes = slopes(runs);
    *slope = Cell::mean(&slopes);
    if let Some(gap) = Gap::of_values(&slopes, 0.0) {
        let statistic = if gap.error > 0.0 { gap.difference / gap.error } else { 0.0 };
        *t = Cell::exact(statistic).decimals(2);
        *p = Cell::exact(gap.p()).decimals(4);
    }
    *rising = Cell::exact(runs.iter().filter(|(_, line)| rises(line)).count() as f64).decimals(0);
}

pub(super) fn claims(result: &PaperResult) -> Vec<PaperClaim> {
    let mut judge = Judge::new(result);
    let lines = lines(result);
    for (kind, words) in READINGS {
        let runs = of_kind(&lines, kind);
        let seeds = format!("{} runs at depth 2", runs.len());
        judge.numbers(
            &format!("Learning takes place: later published players score more points ({words})"),
            Says::Above(0.0),
            vec![Part::new("mean slope, points a player", Gap::of_values(&slopes(&runs), 0.0))],
            &seeds,
        );
        let each = runs.iter().map(|(run, line)| {
            let error = if line.t == 0.0 { 0.0 } else { (line.slope / line.t).abs() };
            let gap = Gap::new(line.slope, error, line.freedom, "t-test of the slope, Newey–West");
            Part::new(format!("slope of {run}"), Some(gap))
        });
        judge.numbers(
            &format!("Every run shows it at the 99 % level, as the paper's one does ({words})"),
            Says::Above(0.0),
            each.collect(),
            &seeds,
        );
        blocking(&mut judge, &level(kind), words, &seeds);
    }
    judge.unjudged(
        "It cannot beat a commercial program at beginner level",
        "the paper does not name the program",
    );
    judge.finish()
}

/// Shares of blocked positions, run by run.
fn blocking(judge: &mut Judge, row: &str, words: &str, seeds: &str) {
    let cell = |column| judge.cell("blocking", row, column);
    let chance = cell(2).and_then(|chance| chance.ours);
    let (best, first) = (cell(0), cell(1));
    let against_chance = chance.and_then(|chance| Gap::of_values(&best?.values, chance));
    let against_first = judge.together(best, first);
    judge.shares(
        &format!("The evolved player can block two adjacent stones: more often than chance ({words})"),
        Says::Above(0.0),
        vec![Part::new("best player − chance", against_chance)],
        seeds,
    );
    judge.shares(
        &format!("Evolution brings this: more often than the first published player ({words})"),
        Says::Above(0.0),
        vec![Part::new("best player − first published", against_first)],
        seeds,
    );
}
