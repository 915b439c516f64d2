//! The tables and figures of the coevolution paper, and ours.

use ludens_arena::sprt::Verdict;
use ludens_core::Tally;
use ludens_learners::coevolution::measure::Approved;

use super::{Run, SWITCHES, Sequential, improved_names};
use crate::stats::regression_in_time;
use crate::{Cell, Figure, FigureKind, LabError, Outcomes, Plan, Point, Role, Row, Series, Table};

/// The slopes are filled in by `publish`, from the points of the figures.
pub fn learning(runs: &[(String, Run)]) -> Table {
    let columns = ["published players", "slope (points a player)", "t", "p", "generations", "games"];
    let mut table = Table::new("figure 5", "Published players and the slope of their points", &columns);
    for (name, run) in runs {
        table = table.row(Row::new(
            name.as_str(),
            [
                Cell::exact(run.points.len() as f64).decimals(0),
                Cell::text("–"),
                Cell::text("–"),
                Cell::text("–"),
                Cell::exact(run.generations as f64).decimals(0),
                Cell::exact(run.games as f64).decimals(0),
            ],
        ));
    }
    table.note(
        "The paper: 262 players, a slope above zero at the 99 % level; its depth and its t are not given. Points of one run hang together, \
         so that t has Newey and West's error.",
    )
}

pub fn strength(runs: &[(String, Run)], improved: &[(String, Run)]) -> Table {
    let columns =
        ["random", "depth1", "alpha-beta, hand heuristic, equal depth", "the last published against it"];
    let title = "Wins (a draw is half) of the player that won the all-play-all, 6 random plies first";
    let mut table = Table::new("strength", title, &columns).beyond();
    for (name, run) in runs.iter().chain(improved) {
        let cells = [run.random, run.depth_one, run.hand, run.last_hand].map(|tally| share(&tally));
        table = table.row(Row::new(name.as_str(), cells));
    }
    table
}

/// Draws count half; the interval is Wilson's for that share.
fn share(tally: &Tally) -> Cell {
    let mut cell = Cell::share(2 * tally.wins + tally.draws, 2 * tally.games());
    let wide = Cell::share(tally.wins + tally.draws / 2, tally.games());
    cell.interval = wide.interval;
    cell.error = wide.error;
    cell.trials = tally.games();
    cell
}

pub fn blocking(runs: &[(String, Run)], improved: &[(String, Run)]) -> Table {
    let columns = ["best player", "first published", "by chance"];
    let mut table = Table::new(
        "blocking",
        "Positions where two adjacent stones must be blocked: share blocked",
        &columns,
    );
    for (name, run) in runs.iter().chain(improved) {
        table = table.row(Row::new(
            name.as_str(),
            [
                Cell::share(run.blocked, run.blockable),
                Cell::share(run.first_blocked, run.blockable),
                Cell::exact(run.blocked_by_chance),
            ],
        ));
    }
    table.note("From depth 4 on the search itself sees the open three.")
}

pub fn optimal(judged: &[(&str, (Approved, Approved))]) -> Table {
    let columns = ["best move", "a move of the best outcome", "best by chance", "best outcome by chance"];
    let title = "The solver's judgement on 1,000 random positions of 14 to 26 plies";
    let mut table = Table::new("solver", title, &columns).beyond();
    for (name, (player, chance)) in judged {
        let shares = |approved: &Approved| {
            [approved.best, approved.same_outcome].map(|count| Cell::share(count, approved.positions))
        };
        table = table.row(Row::new(*name, shares(player).into_iter().chain(shares(chance))));
    }
    table
}

fn verdict_cells(test: &Sequential) -> [Cell; 4] {
    let pairs: u64 = test.pentanomial.iter().sum();
    let halves: u64 = test.pentanomial.iter().zip(0..).map(|(count, score)| count * score).sum();
    let verdict = match test.verdict {
        Verdict::AcceptH1 => "better",
        Verdict::AcceptH0 => "not better",
        Verdict::Undecided => "undecided",
    };
    let mut share = Cell::share(halves / 2, 2 * pairs);
    share.ours = Some(halves as f64 / (4 * pairs.max(1)) as f64);
    let counts: Vec<String> = test.pentanomial.iter().map(u64::to_string).collect();
    [share, Cell::text(counts.join(" ")), Cell::exact(test.llr).decimals(2), Cell::text(verdict)]
}

const TEST_COLUMNS: [&str; 4] = ["score", "pairs scoring 0 … 4 halves", "LLR", "verdict"];

pub fn switches(outcomes: &Outcomes) -> Result<Table, LabError> {
    let title = "One switch at a time against the paper's variant, depth 2, runs of a tenth";
    let mut table = Table::new("switches", title, &TEST_COLUMNS).beyond();
    for (name, what) in SWITCHES {
        let test: Sequential = outcomes.get(&format!("test/{name}"))?;
        table = table.row(Row::new(what, verdict_cells(&test)));
    }
    Ok(table.note("Sequential test on paired openings, Elo 0 against 20, α = β = .05; one run each."))
}

pub fn improved(plan: &Plan, outcomes: &Outcomes) -> Result<Table, LabError> {
    let title = "coevolution:improved against the paper's variant";
    let mut table = Table::new("improved", title, &TEST_COLUMNS).beyond();
    for (name, _) in improved_names(plan) {
        let test: Sequential = outcomes.get(&format!("test/{name}"))?;
        table = table.row(Row::new(name, verdict_cells(&test)));
    }
    Ok(table.note("Sequential test on paired openings, Elo 0 against 20, α = β = .05."))
}

pub fn figure_five(name: &str, run: &Run) -> Figure {
    let order = |index: usize| index as f64 + 1.0;
    let points =
        run.points.iter().enumerate().map(|(index, &points)| Point::new(order(index), f64::from(points)));
    let mut series = vec![Series::line("total points", points)];
    let pairs: Vec<(f64, f64)> = series[0].points.iter().map(|point| (point.x, point.y)).collect();
    if let Some(line) = regression_in_time(&pairs) {
        let ends = [1.0, run.points.len() as f64].map(|x| Point::new(x, line.intercept + line.slope * x));
        series.push(Series::line("regression", ends).role(Role::Reference));
    }
    Figure {
        id: format!("5 ({name})"),
        title: "Total points for each best player in the central pool".into(),
        caption:
            "Every published player against every other, as white and as black, in the order of publication."
                .into(),
        x_label: "order of publication".into(),
        y_label: "total points".into(),
        log_x: false,
        log_y: false,
        kind: FigureKind::Plot(series),
    }
}

pub fn summary(runs: &[(String, Run)], improved: &[(String, Run)]) -> Vec<String> {
    let best = |runs: &[(String, Run)]| runs.iter().map(|(_, run)| run.hand.points()).fold(0.0, f64::max);
    vec![format!(
        "Against alpha-beta of equal depth with the hand heuristic the best player of the paper's variant \
         scores {:.3}, that of the improved one {:.3}.",
        best(runs),
        best(improved)
    )]
}
