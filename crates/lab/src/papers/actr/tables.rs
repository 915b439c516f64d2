//! The tables of Sanner, Anderson, Lebiere and Lovett, and ours beside them.

use super::ceiling::{CEILINGS, Ceiling};
use super::published::BLOCKS;
use super::readings::{Reading, readings};
use super::work::{LINE_OPPONENTS, LineGames};
use super::*;

pub(super) fn shares(runs: &[Run]) -> Vec<f64> {
    runs.iter().map(|run| run.test.win_share()).collect()
}

/// "The best training run was saved": the one that won most while it learnt.
pub(super) fn best(runs: &[Run]) -> Tally {
    let best = runs.iter().max_by(|a, b| a.training_share().total_cmp(&b.training_share()));
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
    let dearest = |group: &str, count: u32| -> Result<Cell, LabError> {
        let states = |run| outcomes.get_field::<u64>(&format!("{group}/{run}"), "most_states");
        let most = (0..count).map(states).collect::<Result<Vec<u64>, LabError>>()?.into_iter().max();
        Ok(whole(most.unwrap_or(0) as f64))
    };
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
            "ours, 48 expert features (actr-improved)",
            [
                Cell::mean(&tallies("improved", size.our_runs)?).percent(),
                whole(experience),
                whole(48.0),
                dearest("improved", size.our_runs)?,
            ],
        ))
        .row(Row::new(
            "ours, 1,000 games rehearsed (actr-rehearsed)",
            [
                Cell::mean(&tallies("rehearsed", size.rehearsed_runs)?).percent(),
                whole(experience),
                Cell::text("three networks"),
                dearest("rehearsed", size.rehearsed_runs)?,
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

/// The runs of every reading, in their order.
pub(super) fn reading_runs(size: &Size, outcomes: &Outcomes) -> Result<Vec<Vec<Run>>, LabError> {
    let runs = |number: usize| {
        (0..size.reading_runs).map(|run| outcomes.get(&format!("reading/{number}/{run}"))).collect()
    };
    (0..readings().len()).map(runs).collect()
}

/// What each reading of the text is worth, and how near it comes to the paper otherwise.
pub(super) fn reading_table(readings: &[Reading], runs: &[Vec<Run>]) -> Table {
    let title =
        "By how the text is read: games won against pubeval, and the distance from what else the paper shows";
    let columns: Vec<&str> =
        ["won", "won while it learnt", "most chunks"].into_iter().chain(fingerprint::COLUMNS).collect();
    let mut table = Table::new("readings", title, &columns).beyond();
    for (reading, runs) in readings.iter().zip(runs) {
        let training: Vec<f64> = runs.iter().map(Run::training_share).collect();
        let most = runs.iter().map(|run| run.chunks).max().unwrap_or(0);
        let cells = [
            Cell::mean(&shares(runs)).percent(),
            Cell::mean(&training).percent(),
            Cell::exact(most as f64).decimals(0),
        ];
        let distances = fingerprint::distances(runs);
        table = table.row(Row::new(reading.name.as_str(), cells.into_iter().chain(distances)));
    }
    let runs = runs.first().map_or(0, Vec::len);
    table.note(&format!(
        "{runs} runs each; won while it learnt: the last half of its games. {}",
        fingerprint::DISTANCES
    ))
}

/// How each reading is written, and why the text allows it.
pub(super) fn reasons_table(readings: &[Reading]) -> Table {
    let title = "The readings: as settings of the learner (`ludens train actr:SETTINGS`), and why the text allows them";
    let mut table = Table::new("reading list", title, &["settings", "why"]).beyond();
    for reading in readings {
        let settings =
            if reading.settings.is_empty() { "–".into() } else { format!("`{}`", reading.settings) };
        table = table.row(Row::new(reading.name.as_str(), [Cell::text(settings), Cell::text(reading.why)]));
    }
    table
}

/// The reading that won most while it learnt, on the runs that chose it and on fresh ones.
pub(super) fn confirmed_table(chosen: &Reading, choosing: &[Run], fresh: &[Run]) -> Table {
    let title =
        "The reading that won most while it learnt, of those that leave game and opponent as they are";
    let columns = ["won, seeds that chose", "won, fresh seeds", "best fresh run by its training", "runs"];
    let best = best(fresh);
    let cells = [
        Cell::mean(&shares(choosing)).percent(),
        Cell::mean(&shares(fresh)).percent(),
        Cell::share(best.wins, best.games()).percent(),
        Cell::exact(fresh.len() as f64).decimals(0),
    ];
    Table::new("confirmed", title, &columns)
        .beyond()
        .row(Row::new(chosen.name.as_str(), cells))
        .note("Chosen by the seeds of the units reading/…, confirmed on those of the units confirm/….")
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
    let distance = |a: &[u8; 3], b: &[u8; 3]| {
        let [p, n, s] = [0, 1, 2].map(|slot| f64::from(a[slot].abs_diff(b[slot])));
        (p / 23.0 + n / 15.0 + s / 5.0) / 3.0
    };
    let mut table =
        Table::new("2", "Odds of blocks ⟨point, opponents ahead, size⟩", &["odds", "nearest chunk"]);
    for (block, odds) in BLOCKS {
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

pub(super) fn summary(published: &[Run], literal: &[Run], ceilings: &[Ceiling]) -> Vec<String> {
    let level = mean(&shares(published));
    let bins = |run: &Run, from: usize, to: usize| -> f64 {
        let part = &run.curve[from.min(run.curve.len())..to.min(run.curve.len())];
        f64::from(part.iter().sum::<u32>()) / (part.len().max(1) * BIN) as f64
    };
    let early: Vec<f64> = published.iter().map(|run| bins(run, 1, 2)).collect();
    let hundred: Vec<f64> = published.iter().map(|run| bins(run, 4, 6)).collect();
    let reached = CEILINGS.iter().zip(ceilings).map(|((_, name), ceiling)| {
        format!("{:.1} % ({name}, {} games)", 100.0 * ceiling.test.win_share(), ceiling.games)
    });
    vec![
        format!(
            "The player as read here wins {:.1} % against pubeval (mean of {} runs; the one that won most while it learnt {:.1} %), the text word for word {:.1} %; the paper reports 45.2 % for its best run.",
            100.0 * level.mean,
            published.len(),
            100.0 * best(published).win_share(),
            100.0 * mean(&shares(literal)).mean
        ),
        format!(
            "Weights of the same features that are evolved for winning, and for nothing else, reach {}.",
            reached.collect::<Vec<_>>().join(", ")
        ),
        format!(
            "After 20 games it wins {:.0} % of its final level, around game 100 {:.0} % (paper: over 50 %, within 15 %).",
            100.0 * mean(&early).mean / level.mean,
            100.0 * mean(&hundred).mean / level.mean
        ),
    ]
}
