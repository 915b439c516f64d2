//! The tables of Sanner, Anderson, Lebiere and Lovett, and ours beside them.

use super::readings::{READING_RUNS, readings};
use super::work::{LINE_OPPONENTS, LineGames};
use super::*;

pub(super) fn shares(runs: &[Run]) -> Vec<f64> {
    runs.iter().map(|run| run.test.win_share()).collect()
}

pub(super) fn best(runs: &[Run]) -> Tally {
    let best = runs.iter().max_by(|a, b| a.test.win_share().total_cmp(&b.test.win_share()));
    best.map_or(Tally::default(), |run| run.test)
}

/// Table 1, with the paper's other rows and ours.
pub(super) fn table_1(
    size: &Size,
    published: &[Run],
    literal: &[Run],
    outcomes: &Outcomes,
) -> Result<Table, LabError> {
    let tallies = |group: &str, count: u32| -> Result<Vec<f64>, LabError> {
        let tally = |run| outcomes.get_field::<Tally>(&format!("{group}/{run}"), "test");
        (0..count).map(|run| tally(run).map(|tally| tally.win_share())).collect()
    };
    let most = |runs: &[Run]| runs.iter().map(|run| run.chunks).max().unwrap_or(0) as f64;
    let states = published.iter().map(|run| run.most_states).max().unwrap_or(0) as f64;
    let one = |unit: &str| -> Result<Cell, LabError> {
        let tally: Tally = outcomes.get_field(unit, "test")?;
        Ok(Cell::share(tally.wins, tally.games()))
    };
    let whole = |value: f64| Cell::exact(value).decimals(0);
    let experience = size.training as f64;
    let best = best(published);
    let mut table = Table::new(
        "1",
        "Share of games won against pubeval",
        &["won", "games of experience", "most chunks", "most states a move"],
    );
    table = table
        .row(Row::new(
            "ACT-R-Gammon, best run",
            [
                Cell::share(best.wins, best.games()).percent(),
                whole(experience),
                whole(most(published)),
                whole(states),
            ],
        ))
        .row(Row::new(
            "ACT-R-Gammon, mean of the runs",
            [
                Cell::mean(&shares(published)).percent(),
                whole(experience),
                whole(most(published)),
                whole(states),
            ],
        ))
        .row(Row::new(
            "the text word for word",
            [
                Cell::mean(&shares(literal)).percent(),
                whole(experience),
                whole(most(literal)),
                Cell::text("–"),
            ],
        ))
        .row(Row::new(
            "ours, fewer than 50 chunks (actr-improved)",
            [
                Cell::mean(&tallies("improved", size.our_runs)?).percent(),
                whole(experience),
                whole(48.0),
                Cell::text("–"),
            ],
        ))
        .row(Row::new(
            "ours, 1,000 games rehearsed (actr-rehearsed)",
            [
                Cell::mean(&tallies("rehearsed", size.rehearsed_runs)?).percent(),
                whole(experience),
                Cell::text("a network"),
                Cell::text("–"),
            ],
        ))
        .row(Row::new(
            "TD(λ) network",
            [one("td")?.percent(), whole(size.td as f64), Cell::text("a network"), Cell::text("–")],
        ))
        .row(Row::new(
            "HC-Gammon",
            [
                one("hc")?.percent(),
                whole(outcomes.get_field::<u64>("hc", "games")? as f64),
                Cell::text("a network"),
                Cell::text("–"),
            ],
        ));
    Ok(table)
}

/// What each reading of the text is worth.
pub(super) fn reading_table(outcomes: &Outcomes) -> Result<Table, LabError> {
    let title = "Share of games won against pubeval by how the text is read";
    let mut table = Table::new("readings", title, &["won", "most chunks"]).beyond();
    for (number, (name, _)) in readings().into_iter().enumerate() {
        let (mut shares, mut chunks) = (Vec::new(), 0);
        for run in 0..READING_RUNS {
            let unit = format!("reading/{number}/{run}");
            shares.push(outcomes.get_field::<Tally>(&unit, "test")?.win_share());
            chunks = chunks.max(outcomes.get_field::<usize>(&unit, "chunks")?);
        }
        let cells = [Cell::mean(&shares).percent(), Cell::exact(chunks as f64).decimals(0)];
        table = table.row(Row::new(name, cells));
    }
    Ok(table.note("one switch at a time, from either end"))
}

/// The same memory over the lines of other boards.
pub(super) fn line_table(size: &Size, outcomes: &Outcomes) -> Result<Table, LabError> {
    let title =
        "The odds memory over lines: points (a draw is half a point) after 1,000 games against itself";
    let columns: Vec<String> = LINE_OPPONENTS.iter().map(|name| format!("against {name}")).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).chain(["most chunks"]).collect();
    let mut table = Table::new("odds", title, &columns).beyond();
    for board in LINE_BOARDS {
        let mut points = vec![Vec::new(); LINE_OPPONENTS.len()];
        let mut chunks = 0;
        for run in 0..size.rehearsed_runs {
            let outcome: LineGames = outcomes.get(&format!("odds/{board}/{run}"))?;
            chunks = chunks.max(outcome.chunks);
            for (points, [won, drawn, lost]) in points.iter_mut().zip(outcome.results) {
                points.push((won as f64 + drawn as f64 / 2.0) / (won + drawn + lost).max(1) as f64);
            }
        }
        let mut cells: Vec<Cell> = points.iter().map(|points| Cell::mean(points).percent()).collect();
        cells.push(Cell::exact(chunks as f64).decimals(0));
        table = table.row(Row::new(board, cells));
    }
    Ok(table.note("two plies at random before each game; both seats"))
}

pub(super) fn gnubg_table(outcomes: &Outcomes) -> Result<Table, LabError> {
    let mut table = Table::new("gnubg", "Share of games won against gnubg 0-ply", &["won"]).beyond();
    for name in ["published", "improved"] {
        let tally: Option<Tally> = outcomes.get_field(&format!("gnubg/{name}"), "test")?;
        let cell = match tally {
            Some(tally) => Cell::share(tally.wins, tally.games()).percent(),
            None => Cell::text("gnubg is not installed here"),
        };
        table = table.row(Row::new(name, [cell]));
    }
    Ok(table)
}

/// The paper's table 2: its chunks, with our odds of the same feature in the first run, as far as it met something like it.
pub(super) fn block_table(runs: &[Run]) -> Table {
    let paper = [
        ([1, 10, 1], 0.17),
        ([4, 5, 1], 0.13),
        ([7, 9, 1], 0.63),
        ([12, 0, 1], 0.63),
        ([12, 7, 1], 1.79),
        ([16, 5, 2], 2.48),
        ([20, 3, 2], 2.54),
        ([21, 5, 1], 6.94),
        ([22, 4, 3], 3.86),
        ([24, 1, 5], 1.22),
        ([24, 3, 4], 3.79),
    ];
    let distance = |a: &[u8; 3], b: &[u8; 3]| {
        let [p, n, s] = [0, 1, 2].map(|slot| f64::from(a[slot].abs_diff(b[slot])));
        (p / 23.0 + n / 15.0 + s / 5.0) / 3.0
    };
    let mut table =
        Table::new("2", "Odds of blocks ⟨point, opponents ahead, size⟩", &["odds", "nearest chunk"]);
    for (block, odds) in paper {
        let chunks = runs.first().map_or(&[][..], |run| &run.blocks);
        let nearest = chunks.iter().min_by(|a, b| distance(&a.0, &block).total_cmp(&distance(&b.0, &block)));
        let cells = match nearest {
            Some((chunk, ours)) => {
                [Cell::exact(*ours).paper(odds).decimals(2), Cell::text(format!("{chunk:?}"))]
            }
            None => [Cell::paper_only(odds).decimals(2), Cell::text("–")],
        };
        table = table.row(Row::new(format!("{block:?}"), cells));
    }
    table.note("one run, as in the paper; ours is the chunk nearest to the paper's")
}

pub(super) fn summary(published: &[Run], literal: &[Run]) -> Vec<String> {
    let level = mean(&shares(published));
    let bins = |run: &Run, from: usize, to: usize| -> f64 {
        let part = &run.curve[from.min(run.curve.len())..to.min(run.curve.len())];
        f64::from(part.iter().sum::<u32>()) / (part.len().max(1) * BIN) as f64
    };
    let early: Vec<f64> = published.iter().map(|run| bins(run, 1, 2)).collect();
    let hundred: Vec<f64> = published.iter().map(|run| bins(run, 4, 6)).collect();
    vec![
        format!(
            "The player as read here wins {:.1} % against pubeval (mean of {} runs, best {:.1} %), the text word for word {:.1} %; the paper reports 45.2 % for its best run.",
            100.0 * level.mean,
            published.len(),
            100.0 * best(published).win_share(),
            100.0 * mean(&shares(literal)).mean
        ),
        format!(
            "After 20 games it wins {:.0} % of its final level, around game 100 {:.0} % (paper: over 50 %, within 15 %).",
            100.0 * mean(&early).mean / level.mean,
            100.0 * mean(&hundred).mean / level.mean
        ),
    ]
}
