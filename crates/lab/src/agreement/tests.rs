//! Every kind of comparison against numbers worked out by hand or by a textbook's table.

use super::*;
use crate::{About, Plan, Row, Scale};

fn near(found: f64, wanted: f64, within: f64) {
    assert!((found - wanted).abs() <= within, "{found} is not {wanted}");
}

fn mean_cell(ours: f64, error: f64, trials: u64) -> Cell {
    Cell { ours: Some(ours), error: Some(error), trials, points: true, ..Cell::default() }
}

/// 60 of 100 against 40 of 100: z = .2/√(.5·.5·.02) = 2.8284, p = .004678.
#[test]
fn a_share_of_games_against_a_share_of_games() {
    let gap = compare(&Cell::share(60, 100).paper_share(0.4, 100)).unwrap();
    near(gap.difference, 0.2, 1e-12);
    near(gap.p(), 0.004_678, 1e-6);
}

/// Ten trials each: the two-sided 5 % point of F with 9 and 9 degrees of freedom is 4.026, and a ratio of 1 has p = 1.
#[test]
fn a_standard_deviation_against_a_standard_deviation() {
    let of = |ours: f64| {
        let cell = Cell { ours: Some(ours), trials: 10, ..Cell::default() };
        compare(&cell.paper_as(0.01, Published::Deviation { trials: 10 }))
    };
    near(of(0.01 * 4.026_f64.sqrt()).unwrap().p(), 0.05, 1e-4);
    near(of(0.01 / 4.026_f64.sqrt()).unwrap().p(), 0.05, 1e-4);
    near(of(0.01).unwrap().p(), 1.0, 1e-9);
    assert!(of(0.0).is_none(), "rounded away");
}

/// Ours .60 ± .02 over 5 trials, the paper's .5 of 100 games: its error is √(.5·.5/100) = .05. The difference is .1 with an error of
/// √(.0004 + .0025) = .053852, t = 1.85695; freedom (.0029)²/(.0004²/4 + .0025²/99) = 81.6.
#[test]
fn a_mean_over_trials_against_a_share_of_games() {
    let gap = compare(&mean_cell(0.6, 0.02, 5).paper_share(0.5, 100)).unwrap();
    near(gap.error, 0.053_852, 1e-6);
    near(gap.freedom, 81.6, 0.1);
    // Student's two-sided p of 1.857 with 82 degrees lies between those of 1.664 (.10) and 1.990 (.05).
    near(gap.p(), 0.0669, 3e-4);
}

/// Student's sleep data again, given as the other side would publish it: Welch's t = −1.8608, 17.776 degrees, p = .07939.
#[test]
fn a_mean_against_a_published_mean_with_its_deviation() {
    let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
    let gap = compare(&Cell::mean(&first).paper_mean(2.33, 2.002_249, 10)).unwrap();
    near(gap.difference, -1.58, 1e-9);
    near(gap.freedom, 17.776, 1e-3);
    near(gap.p(), 0.079_39, 1e-5);
}

/// The same error on both sides, the paper's known: freedom (2v)²/(v²/4) = 16; the table's t of 16 degrees at .05 is 2.1199.
#[test]
fn a_mean_against_a_value_with_its_error() {
    let cell = mean_cell(0.5 + 2.119_905 * 0.02 * std::f64::consts::SQRT_2, 0.02, 5);
    let gap = compare(&cell.paper_as(0.5, Published::Error { error: 0.02 })).unwrap();
    near(gap.freedom, 16.0, 1e-4);
    near(gap.p(), 0.05, 1e-6);
}

/// One sample of five: the table's t of 4 degrees at .01 is 4.604095.
#[test]
fn a_mean_against_a_bare_figure() {
    let gap = compare(&mean_cell(0.5 + 4.604_095 * 0.02, 0.02, 5).paper(0.5)).unwrap();
    near(gap.p(), 0.01, 1e-7);
    near(gap.interval(0.99).low, 0.0, 1e-7);
}

/// Nine events against one: 2 · 11/1024. 223 against 262 (485 in all): z with the half correction (39 − 1)/√485 = 1.7255, p = .0844.
#[test]
fn counts_of_events() {
    let count =
        |ours: f64, paper: f64| compare(&Cell::exact(ours).paper_as(paper, Published::Count)).unwrap().p();
    near(count(9.0, 1.0), 22.0 / 1024.0, 1e-12);
    near(count(223.0, 262.0), 0.0844, 5e-4);
    near(count(5.0, 5.0), 1.0, 1e-12);
}

#[test]
fn what_cannot_be_compared() {
    assert_eq!(compare(&Cell::share(0, 50).paper_share(0.0, 50)), None, "0 against 0 says nothing");
    assert_eq!(compare(&Cell::exact(3.0).paper(3.0)), None, "no error");
    assert_eq!(compare(&Cell::share(1, 50)), None, "no value of the paper");
    let setting = Cell::mean(&[1.0, 2.0]).paper_as(9.0, Published::Setting);
    assert_eq!(compare(&setting), None, "chosen, not found");
    // Nothing won here, something there: that can be compared.
    assert!(compare(&Cell::share(0, 1000).paper_share(0.05, 1000)).unwrap().p() < 1e-6);
    assert!(compare(&mean_cell(0.0, 0.0, 10).paper_share(0.05, 1000)).unwrap().p() < 1e-6);
}

/// Difference 1 point, error .5 points, 10 degrees: the edges ± 3 points are 4 and 8 errors away; one-sided p of t = 4 is .001260.
#[test]
fn two_one_sided_tests() {
    let gap = Gap::new(0.01, 0.005, 10.0, "");
    near(gap.within(0.03), 0.001_260, 2e-6);
    assert!(gap.within(0.01) > 0.49, "on the edge it is a coin");
    assert!(gap.within(0.005) > 0.5);
    near(gap.above(0.0) + gap.below(0.0), 1.0, 1e-12);
    near(gap.clone().turned().below(0.0), gap.above(0.0), 1e-12);
}

/// Of wins, losses and draws one cell counts, and the joint level is that of the rows.
#[test]
fn a_row_of_wins_losses_and_draws_counts_once() {
    let row = |wins: u64, paper: f64| {
        let cells = [(wins, paper), (100 - wins, 1.0 - paper), (0, 0.0)];
        let cells = cells.into_iter().enumerate().map(|(index, (count, share))| {
            let cell = Cell::share(count, 100).paper_share(share, 100);
            if index == 0 { cell } else { cell.dependent() }
        });
        Row::new("row", cells)
    };
    let table = Table::new("1", "", &["wins", "losses", "draws"]).row(row(60, 0.55)).row(row(90, 0.4));
    let judged = judge(&table);
    assert_eq!((judged.count.cells, judged.count.inside), (2, 1));
    let signs: Vec<Vec<&str>> =
        judged.marks.iter().map(|row| row.iter().map(|mark| mark.sign()).collect()).collect();
    assert_eq!(signs, [["●", "○", ""], ["▲", "△", ""]]);
    near(judged.count.median().unwrap(), 0.275, 1e-9);
}

/// A p of .004 alone tells apart; among three cells of which the others agree it does not (3 · .004 > .01); beside a clear one it is the
/// second of Holm, 2 · .004, where Bonferroni would still let it pass.
#[test]
fn the_level_is_that_of_the_table() {
    let with_p = |t: f64| mean_cell(0.5 + t * 0.01, 0.01, 1_000_000).paper(0.5);
    let count = |cells: &[f64]| {
        let rows = cells.iter().map(|t| Row::new("r", [with_p(*t)]));
        let table = rows.fold(Table::new("1", "", &["x"]), Table::row);
        judge(&table).count.inside
    };
    // z = 2.878 has p = .004.
    assert_eq!(count(&[2.878]), 0);
    assert_eq!(count(&[2.878, 0.0, 0.0]), 3);
    assert_eq!(count(&[2.878, 9.0, 0.0]), 1);
}

#[test]
fn equal_within_five_points_must_be_shown() {
    let count = |error: f64| {
        let cell = mean_cell(0.51, error, 20).paper_as(0.5, Published::Error { error });
        judge(&Table::new("1", "", &["x"]).row(Row::new("r", [cell]))).count
    };
    let (sharp, blunt) = (count(0.004), count(0.05));
    assert_eq!((sharp.inside, sharp.same), (1, 1));
    assert_eq!((blunt.inside, blunt.same), (1, 0), "few data agree with everything and show nothing");
    assert!(blunt.words().unwrap().contains("0 of 1 are shown to lie within 5 points"));
}

#[test]
fn tables_beyond_the_paper_do_not_count() {
    let about = About { id: "x", title: "x", citation: "x" };
    let mut result = PaperResult::new(about, &Plan::new(Scale::Smoke, 0));
    let table = |cell: Cell| Table::new("1", "", &["x"]).row(Row::new("r", [cell]));
    assert_eq!(of_result(&result).words(), None);
    result.tables.push(table(Cell::share(5, 10).paper_share(0.5, 10)));
    result.tables.push(table(Cell::share(5, 10).paper_share(0.5, 10)).beyond());
    assert_eq!(of_result(&result).cells, 1);
}
