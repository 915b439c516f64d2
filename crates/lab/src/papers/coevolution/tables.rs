//! The tables and figures of the coevolution paper, and ours. Runs that differ in their seeds alone make one row, with every run's value in it.

use ludens_core::Tally;
use ludens_learners::coevolution::measure::Approved;

use super::runs::{self, IMPROVED, Name, READINGS, SWITCHES};
use super::{Outcomes, Run};
use crate::agreement::Gap;
use crate::stats::holm;
use crate::{Cell, Figure, FigureKind, LabError, Plan, Point, Row, Series, Table};

/// What was found of the runs that differ in their seeds alone.
pub(super) struct Level<'a, T> {
    pub(super) name: Name,
    pub(super) of: Vec<&'a T>,
}

/// In the order of the runs.
pub(super) fn levels<T>(runs: &[(Name, T)]) -> Vec<Level<'_, T>> {
    let mut levels: Vec<Level<'_, T>> = Vec::new();
    for (name, run) in runs {
        match levels.iter_mut().find(|level| level.name.level() == name.level()) {
            Some(level) => level.of.push(run),
            None => levels.push(Level { name: *name, of: vec![run] }),
        }
    }
    levels
}

impl<T> Level<'_, T> {
    /// The mean over the runs, or of one run the share itself with the error of its games.
    fn share(&self, count: impl Fn(&T) -> (f64, u64)) -> Cell {
        if let [one] = self.of[..] {
            let (share, games) = count(one);
            let wide = Cell::share((share * games as f64).round() as u64, games);
            return Cell { ours: Some(share), count: None, ..wide };
        }
        let values: Vec<f64> = self.of.iter().map(|run| count(run).0).collect();
        Cell { points: true, ..Cell::mean(&values) }
    }
}

/// The slopes are filled in by `publish`, from the points of the figures.
pub(super) fn learning(levels: &[Level<'_, Run>]) -> Table {
    let columns = [
        "runs",
        "published players",
        "slope (points a player)",
        "t over the runs",
        "p",
        "runs that rise at 99 %",
        "generations a run",
        "games a run",
    ];
    let mut table = Table::new("figure 5", "Published players and the slope of their points", &columns);
    for level in levels.iter().filter(|level| level.name.kind != IMPROVED) {
        let mean = |value: fn(&Run) -> f64| {
            Cell::mean(&level.of.iter().map(|run| value(run)).collect::<Vec<f64>>()).decimals(0)
        };
        let empty = || Cell::text("–");
        table = table.row(Row::new(
            level.name.level(),
            [
                Cell::exact(level.of.len() as f64).decimals(0),
                mean(|run| run.points.len() as f64),
                empty(),
                empty(),
                empty(),
                empty(),
                mean(|run| run.generations as f64),
                mean(|run| run.games as f64),
            ],
        ));
    }
    table.note(
        "The paper: one run, 262 players, a slope above zero at the 99 % level; its depth and its t are not given. Points of one run \
         hang together, so that the t of a run has Newey and West's error.",
    )
}

/// Filled in by `publish` as well.
pub(super) fn each_run(runs: &[(Name, Run)]) -> Table {
    let columns = ["published players", "slope (points a player)", "t (Newey–West)", "p"];
    let mut table =
        Table::new("runs", "Every run: published players and the slope of their points", &columns);
    for (name, run) in runs.iter().filter(|(name, _)| name.kind != IMPROVED) {
        let players = Cell::exact(run.points.len() as f64).decimals(0);
        let cells = [players, Cell::text("–"), Cell::text("–"), Cell::text("–")];
        table = table.row(Row::new(name.unit(), cells));
    }
    table.beyond()
}

fn points(tally: &Tally) -> (f64, u64) {
    (tally.points(), tally.games())
}

pub(super) fn strength(levels: &[Level<'_, Run>]) -> Table {
    let columns =
        ["random", "depth1", "alpha-beta, hand heuristic, equal depth", "the last published against it"];
    let title = "Wins (a draw is half) of the player that won the all-play-all, 6 random plies first";
    let mut table = Table::new("strength", title, &columns).beyond();
    for level in levels {
        let tallies: [fn(&Run) -> &Tally; 4] =
            [|run| &run.random, |run| &run.depth_one, |run| &run.hand, |run| &run.last_hand];
        let cells = tallies.map(|tally| level.share(|run| points(tally(run))));
        table = table.row(Row::new(level.name.level(), cells));
    }
    table
}

pub(super) fn blocking(levels: &[Level<'_, Run>]) -> Table {
    let columns = ["best player", "first published", "by chance"];
    let title = "Positions where two adjacent stones must be blocked: share blocked";
    let mut table = Table::new("blocking", title, &columns);
    for level in levels {
        let share = |count: fn(&Run) -> u64| {
            level.share(|run| (count(run) as f64 / run.blockable.max(1) as f64, run.blockable))
        };
        let chance = level.of.first().map_or(0.0, |run| run.blocked_by_chance);
        let cells = [share(|run| run.blocked), share(|run| run.first_blocked), Cell::exact(chance)];
        table = table.row(Row::new(level.name.level(), cells));
    }
    table.note("From depth 4 on the search itself sees the open three.")
}

pub(super) fn optimal(levels: &[Level<'_, (Approved, Approved)>]) -> Table {
    let columns = ["best move", "a move of the best outcome", "best by chance", "best outcome by chance"];
    let title = "The solver's judgement on 1,000 random positions of 14 to 26 plies";
    let mut table = Table::new("solver", title, &columns).beyond();
    for level in levels {
        let share = |count: fn(&(Approved, Approved)) -> (u64, u64)| {
            level.share(|judged| {
                let (count, positions) = count(judged);
                (count as f64 / positions.max(1) as f64, positions)
            })
        };
        let cells = [
            share(|(player, _)| (player.best, player.positions)),
            share(|(player, _)| (player.same_outcome, player.positions)),
            share(|(_, chance)| (chance.best, chance.positions)),
            share(|(_, chance)| (chance.same_outcome, chance.positions)),
        ];
        table = table.row(Row::new(level.name.level(), cells));
    }
    table
}

pub(super) fn switches(plan: &Plan, outcomes: &Outcomes) -> Result<Table, LabError> {
    let seeds = runs::switch_seeds(plan);
    let mut scores: Vec<Vec<f64>> = Vec::new();
    for (name, _) in SWITCHES {
        let score = |seed| outcomes.get::<Tally>(&format!("match/{name}/seed-{seed}"));
        scores
            .push((0..seeds).map(|seed| score(seed).map(|tally| tally.points())).collect::<Result<_, _>>()?);
    }
    // One run is no test.
    let gaps: Vec<Option<Gap>> = scores.iter().map(|scores| Gap::of_values(scores, 0.5)).collect();
    let corrected = holm(&gaps.iter().map(|gap| gap.as_ref().map_or(1.0, Gap::p)).collect::<Vec<f64>>());
    let title = "One switch at a time against the reading in use, depth 2, runs of a tenth";
    let mut table = Table::new("switches", title, &["score", "p (Holm)", "at the 5 % level"]).beyond();
    for (((_, what), scores), (p, gap)) in SWITCHES.iter().zip(&scores).zip(corrected.iter().zip(&gaps)) {
        let verdict = match gap {
            Some(gap) if *p < 0.05 && gap.difference > 0.0 => "better",
            Some(_) if *p < 0.05 => "worse",
            _ => "not told apart",
        };
        let cells = [Cell::mean(scores), Cell::exact(*p).decimals(4), Cell::text(verdict)];
        table = table.row(Row::new(*what, cells));
    }
    Ok(table.note(&format!(
        "{seeds} seeds each, the same for both; paired random openings between the best players of the two runs; Student's t over the seeds, \
         corrected for all switches."
    )))
}

pub(super) fn improved(levels: &[Level<'_, Tally>]) -> Table {
    let title = "coevolution-improved against the paper's variant of the same depth and seed";
    let mut table = Table::new("improved", title, &["runs", "score"]).beyond();
    for level in levels {
        let runs = Cell::exact(level.of.len() as f64).decimals(0);
        table = table.row(Row::new(level.name.level(), [runs, level.share(points)]));
    }
    table.note(
        "Paired random openings between the players that stand for the two runs; a draw is half a point.",
    )
}

/// Figure 5 of every reading and of the improved variant: each run is a line of its own.
pub(super) fn figures(runs: &[(Name, Run)]) -> Vec<Figure> {
    let kinds = READINGS.map(|(kind, _)| kind).into_iter().chain([IMPROVED]);
    kinds.map(|kind| figure_five(kind, runs)).collect()
}

fn figure_five(kind: &str, runs: &[(Name, Run)]) -> Figure {
    let series = runs.iter().filter(|(name, _)| name.kind == kind).map(|(name, run)| {
        let points = run.points.iter().zip(1..);
        Series::line(
            name.unit(),
            points.map(|(&points, order)| Point::new(f64::from(order), f64::from(points))),
        )
    });
    Figure {
        id: format!("5 ({kind})"),
        title: "Total points for each best player in the central pool".into(),
        caption:
            "Every published player of a run against every other, as white and as black, in the order of publication."
                .into(),
        x_label: "order of publication".into(),
        y_label: "total points".into(),
        log_x: false,
        log_y: false,
        kind: FigureKind::Plot(series.collect()),
    }
}

pub(super) fn summary(levels: &[Level<'_, Run>]) -> Vec<String> {
    let scores = levels.iter().filter(|level| level.of.len() > 1).map(|level| {
        let score = level.share(|run| points(&run.hand)).ours.unwrap_or(0.0);
        format!("{score:.3} ({}, {} runs)", level.name.level(), level.of.len())
    });
    vec![format!(
        "Against alpha-beta of equal depth with the hand heuristic the players that won their all-play-all score {}.",
        scores.collect::<Vec<_>>().join(", ")
    )]
}
