//! What the coevolution paper says, judged by the points of its figure 5 and by the positions that want blocking.

use crate::agreement::{Gap, Published};
use crate::claims::{Judge, Part, Says};
use crate::stats::{Regression, Test, regression_in_time};
use crate::{Cell, FigureKind, PaperClaim, PaperResult, Row, Table};

const LEARNING: &str = "figure 5";
/// The runs of the paper's variant at the depth that has several seeds.
const SEEDS: &str = "paper/depth-2/seed-";
/// The row made of them.
const MEAN: &str = "mean of the runs at depth 2";
const SLOPES: &str = "The slope is above zero";

/// The line through the points of a run, where its figure is kept.
fn line_of(result: &PaperResult, run: &str) -> Option<(Regression, usize)> {
    let figure = result.figures.iter().find(|figure| figure.id == format!("5 ({run})"))?;
    let FigureKind::Plot(series) = &figure.kind else { return None };
    let points: Vec<(f64, f64)> = series.first()?.points.iter().map(|point| (point.x, point.y)).collect();
    Some((regression_in_time(&points)?, points.len()))
}

fn runs(result: &PaperResult) -> Vec<String> {
    let rows = result.table(LEARNING).map_or(&[][..], |table| &table.rows);
    rows.iter().map(|row| row.label.clone()).filter(|label| label != MEAN).collect()
}

/// The paper's numbers, and everything that follows from the points: slopes, tests, the first sentence of the summary.
pub(super) fn publish(result: &mut PaperResult) {
    let lines: Vec<(String, Option<(Regression, usize)>)> =
        runs(result).into_iter().map(|run| (run.clone(), line_of(result, &run))).collect();
    let Some(table) = result.tables.iter_mut().find(|table| table.id == LEARNING) else { return };
    if let [_, _, t, p, ..] = table.columns.as_mut_slice() {
        (*t, *p) = ("t (Newey–West)".into(), "p".into());
    }
    for (row, (_, line)) in table.rows.iter_mut().zip(&lines) {
        fill(row, line.as_ref().map(|line| &line.0));
    }
    for (run, _) in &lines {
        table.set_paper(run, 4, |cell| cell.paper_as(200_000.0, Published::Setting));
    }
    mean_of_runs(table);
    let known: Vec<(&String, &Regression, usize)> = lines
        .iter()
        .filter_map(|(run, line)| line.as_ref().map(|(line, count)| (run, line, *count)))
        .collect();
    let rising = known.iter().filter(|(_, line, _)| line.slope > 0.0 && line.p < 0.01).count();
    result.summary.retain(|sentence| !sentence.starts_with(SLOPES));
    let sentence = format!(
        "{SLOPES} at the 99 % level in {rising} of the {} runs whose points are kept (Newey–West).",
        known.len()
    );
    result.summary.insert(0, sentence);
    result.claims.clear();
    result.claim_family(known.into_iter().map(|(run, line, count)| {
        let name = format!("t-test of the slope, {count} players, Newey–West");
        let Regression { slope: difference, slope_interval: interval, t: statistic, p, .. } = *line;
        let test = Test { name, difference, interval, statistic, p };
        (format!("{run}: later published players score more points"), test)
    }));
}

/// The paper's one number stands beside the mean of our runs. As a count of rare events it would agree with each of them, but it is none:
/// the counts of our runs scatter far less than such events do.
fn mean_of_runs(table: &mut Table) {
    table.rows.retain(|row| row.label != MEAN);
    let of_seeds = table.rows.iter().filter(|row| row.label.starts_with(SEEDS));
    let counts: Vec<f64> = of_seeds.filter_map(|row| row.cells.first()?.ours).collect();
    for cell in table.rows.iter_mut().filter_map(|row| row.cells.first_mut()) {
        (cell.paper, cell.published) = (None, None);
    }
    if !counts.is_empty() {
        let empty = table.columns.len().saturating_sub(1);
        let cells = [Cell::mean(&counts).decimals(0).paper(262.0)].into_iter();
        table.rows.push(Row::new(MEAN, cells.chain((0..empty).map(|_| Cell::text("")))));
    }
}

fn fill(row: &mut Row, line: Option<&Regression>) {
    let [_, slope, t, p, ..] = row.cells.as_mut_slice() else { return };
    match line {
        Some(line) => {
            let interval = line.slope_interval;
            *slope = Cell::exact(line.slope).decimals(4).with_interval(interval.low, interval.high);
            *t = Cell::exact(line.t).decimals(2);
            *p = Cell::exact(line.p).decimals(4);
        }
        // The slope is known from the run; its error is not without the points.
        None => {
            (slope.interval, slope.error) = (None, None);
            (*t, *p) = (Cell::text("points not kept"), Cell::text("–"));
        }
    }
}

pub(super) fn claims(result: &PaperResult) -> Vec<PaperClaim> {
    let mut judge = Judge::new(result);
    let rows = result.table(LEARNING).map_or(&[][..], |table| &table.rows);
    let seeds: Vec<&Row> = rows.iter().filter(|row| row.label.starts_with(SEEDS)).collect();
    let slopes: Vec<f64> = seeds.iter().filter_map(|row| row.cells.get(1)?.ours).collect();
    let several = format!("{} runs at depth 2", slopes.len());
    judge.numbers(
        "Learning takes place: later published players score more points (over independent runs)",
        Says::Above(0.0),
        vec![Part::new("mean slope, points a player", Gap::of_values(&slopes, 0.0))],
        &several,
    );
    let kept: Vec<Part> = runs(result)
        .into_iter()
        .filter_map(|run| {
            let (line, _) = line_of(result, &run)?;
            let error = if line.t == 0.0 { 0.0 } else { (line.slope / line.t).abs() };
            let test = "t-test of the slope, Newey–West";
            Some(Part::new(format!("slope of {run}"), Some(Gap::new(line.slope, error, line.freedom, test))))
        })
        .collect();
    let count = format!("{} runs whose points are kept", kept.len());
    if kept.is_empty() {
        judge.unjudged("One run shows it at the 99 % level", "no run keeps its points");
    } else {
        judge.numbers("One run shows it at the 99 % level (every run does)", Says::Above(0.0), kept, &count);
    }
    blocking(&mut judge, result);
    judge.unjudged(
        "It cannot beat a commercial program at beginner level",
        "the paper does not name the program",
    );
    judge.finish()
}

/// Shares of blocked positions, run by run.
fn blocking(judge: &mut Judge, result: &PaperResult) {
    let rows = result.table("blocking").map_or(&[][..], |table| &table.rows);
    let differences = |column: usize| -> Vec<f64> {
        let of = |row: &Row| Some(row.cells.first()?.ours? - row.cells.get(column)?.ours?);
        rows.iter().filter(|row| row.label.starts_with(SEEDS)).filter_map(of).collect()
    };
    let (first, chance) = (differences(1), differences(2));
    let seeds = format!("{} runs at depth 2", chance.len());
    judge.shares(
        "The evolved player can block two adjacent stones: more often than chance",
        Says::Above(0.0),
        vec![Part::new("best player − chance", Gap::of_values(&chance, 0.0))],
        &seeds,
    );
    judge.shares(
        "Evolution brings this: more often than the first published player",
        Says::Above(0.0),
        vec![Part::new("best player − first published", Gap::of_values(&first, 0.0))],
        &seeds,
    );
}
