//! The tables and figures, beside the paper's.

use ludens_core::math;
use ludens_learners::nhb::matches::Tally;
use ludens_learners::nhb::settings::Settings;

use super::published::{TABLE_1, TABLE_2};
use super::{
    BUDGETS, Curve, EVERY_GAME, LEAGUE, OTHERS, SEARCHED_BUDGETS, STEADINESS, hidden, league_seeds, size,
};
use crate::stats::{mean, paired_t};
use crate::{
    About, Cell, Figure, FigureKind, LabError, Outcomes, PaperResult, Plan, Point, Role, Row, Series, Table,
};

pub const CONNECT_FOUR_STEPS_A_POINT: u32 = 2;

/// A long memory, half of the weights before, and three that play each other: see the table of steadiness.
pub fn connect_four_settings() -> Settings {
    Settings { states: 300, fade: 0.9, average: 0.5, members: 3, ..Settings::improved() }
}

pub const LEAGUE_STEPS_A_POINT: u32 = 50;

/// One-ply play wants one-ply training. Several that play each other end near each other where each alone may end anywhere; many phases of few
/// weights make them climb; small steps, which become smaller, keep them from swinging. In training moves of nearly one value are drawn
/// by lot: else all its matches go through the same few openings. Few discs need weights by their number: no line of cells
/// shows that a side is about to be without any, and players that like to have few lost many matches so.
pub fn league_settings() -> Settings {
    Settings {
        states: 100_000,
        depth: 1,
        members: 5,
        opening: 4,
        lambda: 0.9,
        fade: 0.98,
        average: 0.9,
        settle: 0.33,
        slips: true,
        near: 0.02,
        // Chosen moves are the best ones: since few discs have weights, lots in play cost more than they steady.
        early: 0,
        run: 2,
        few: 10,
        phases: 16,
        ..Settings::improved()
    }
}

type Of<'a> = dyn Fn(&Curve) -> f64 + 'a;

struct Found<'a> {
    plan: &'a Plan,
    outcomes: &'a Outcomes,
    seeds: u32,
}

impl Found<'_> {
    fn curves(&self, name: &str) -> Result<Vec<Curve>, LabError> {
        let seeds = if name == LEAGUE { league_seeds(self.plan) } else { self.seeds };
        (0..seeds).map(|seed| self.outcomes.get(&format!("{name}/seed-{seed}"))).collect()
    }

    fn each(&self, name: &str, of: &Of) -> Result<Vec<f64>, LabError> {
        Ok(self.curves(name)?.iter().map(of).collect())
    }

    fn cell(&self, name: &str, of: &Of) -> Result<Cell, LabError> {
        Ok(Cell::mean(&self.each(name, of)?))
    }

    fn points(&self, name: &str) -> Result<usize, LabError> {
        Ok(self.curves(name)?.iter().map(|curve| curve.tallies.len()).min().unwrap_or(0))
    }

    fn series(&self, name: &str, title: &str, a_point: f64) -> Result<Series, LabError> {
        let points = (0..self.points(name)?).map(|point| {
            let shares = self.each(name, &|curve| curve.tallies[point].win_share())?;
            Ok(Point::of_mean(a_point * (point + 1) as f64, &mean(&shares)))
        });
        Ok(Series::line(title, points.collect::<Result<Vec<_>, LabError>>()?))
    }
}

fn last(curve: &Curve) -> Tally {
    curve.tallies.last().copied().unwrap_or_default()
}

pub fn assemble(about: About, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
    let found = Found { plan, outcomes, seeds: size(plan).seeds };
    let mut result = PaperResult::new(about, plan);
    result.tables.push(table_one(&found)?);
    result.tables.push(table_two(&found)?);
    result.tables.push(steadiness(&found)?);
    result.tables.push(strength(&found)?);
    result.tables.push(league(&found)?);
    result.tables.push(hidden::table(plan, outcomes)?);
    result.tables.push(best_budget(&found)?);
    result.tables.push(every_game(&found)?);
    result.figures.push(connect_four_curves(&found)?);
    result.figures.push(reversi_curves(&found)?);
    let improved = found.each("strength/connect-four", &|curve| last(curve).win_share())?;
    let published = found.each("table-1/500", &|curve| last(curve).win_share())?;
    let test = paired_t(&improved, &published);
    result.claim_family(test.map(|test| {
        ("the improved learner wins more Connect Four matches than the published one".into(), test)
    }));
    result.summary = summary(&found)?;
    result.deviations = DEVIATIONS.iter().map(|text| text.to_string()).collect();
    Ok(result)
}

fn table_one(found: &Found) -> Result<Table, LabError> {
    let titles = ["wins, 0.25 s", "draws", "wins, 0.5 s", "draws", "wins, 1 s", "draws"];
    let mut table = Table::new("1", "Connect Four against untrained opponents, by training matches", &titles);
    for point in 0..found.points("table-1/250")? {
        let mut cells = Vec::new();
        for budget in BUDGETS {
            let name = format!("table-1/{budget}");
            let wins = found.cell(&name, &|curve| curve.tallies[point].win_share())?;
            let draws = found.cell(&name, &|curve| {
                curve.tallies[point].draws as f64 / curve.tallies[point].games() as f64
            })?;
            cells.extend([wins, draws]);
        }
        let cycle = size(found.plan).cycle * (point as u32 + 1);
        table = table.row(Row::new(format!("{cycle} / {} / {}", cycle / 2, cycle / 4), cells));
    }
    let mut hidden = Vec::new();
    for budget in BUDGETS {
        let cell = found.cell(&format!("table-1/{budget}"), &|curve| curve.weights as f64)?;
        hidden.push(cell.decimals(0));
        hidden.push(Cell::text(""));
    }
    table = table.row(Row::new("hidden units", hidden));
    Ok(table.note(
        "250, 500 and 1,000 states a move stand for the move times. Mean over seeds, Student's interval.",
    ))
}

fn table_two(found: &Found) -> Result<Table, LabError> {
    let mut table = Table::new("2", "Reversi against random heuristics", &["wins", "draws"]);
    let row = |name: &str, point: usize| -> Result<[Cell; 2], LabError> {
        let wins = found.cell(name, &|curve| curve.tallies[point].win_share())?;
        let draws = found
            .cell(name, &|curve| curve.tallies[point].draws as f64 / curve.tallies[point].games() as f64)?;
        Ok([wins, draws])
    };
    for point in 0..found.points("table-2/learnt")? {
        let matches = 50 * (point as u32 + 1);
        table = table.row(Row::new(format!("NHB, {matches} matches"), row("table-2/learnt", point)?));
    }
    table = table.row(Row::new("piece-advantage", row("table-2/piece-advantage", 0)?));
    table = table.row(Row::new("positional", row("table-2/positional", 0)?));
    let hidden = found.cell("table-2/learnt", &|curve| curve.weights as f64)?.decimals(0);
    Ok(table.row(Row::new("hidden units", [hidden, Cell::text("")])))
}

/// The share of wins goes up and down from point to point: how much of that is chance, and what mends the rest.
fn steadiness(found: &Found) -> Result<Table, LabError> {
    let titles =
        ["wins, last point", "wins, mean of points", "step between points", "what chance alone gives"];
    let mut table =
        Table::new("steadiness", "How far the curves go up and down, by change of the procedure", &titles)
            .beyond();
    for change in STEADINESS {
        let name = if change == "paper" { "table-1/500".into() } else { format!("steady/{change}") };
        let shares = |curve: &Curve| curve.tallies.iter().map(Tally::win_share).collect::<Vec<f64>>();
        let jump = |curve: &Curve| {
            let shares = shares(curve);
            let squares: f64 = shares.windows(2).map(|pair| math::square(pair[1] - pair[0])).sum();
            (squares / (shares.len() as f64 - 1.0).max(1.0)).sqrt()
        };
        // Two independent tests of one network differ by √2 standard errors.
        let chance = |curve: &Curve| {
            let share = mean(&shares(curve)).mean;
            (2.0 * share * (1.0 - share) / last(curve).games() as f64).sqrt()
        };
        table = table.row(Row::new(
            change,
            [
                found.cell(&name, &|curve| last(curve).win_share())?,
                found.cell(&name, &|curve| mean(&shares(curve)).mean)?,
                found.cell(&name, &jump)?,
                found.cell(&name, &chance)?,
            ],
        ));
    }
    Ok(table.note(
        "Connect Four, 500 states a move and 10 training matches a point for all. `ridge`: λ = 10; `no-consistency`: only what follows \
         from finished games, and the ramp; `ramp`: a state on the ramp counts a tenth; `fading`: what was learnt before counts 0.7 at each \
         point; `averaged`: 0.7 of the old output weights stay (the output is linear, so this is an ensemble of the networks so far); \
         `held-out`: a network is taken only if it does not lose 20 matches against the one before; `runs`: runs of cells \
         instead of hidden units; `self-play`: our matches and targets with the paper's hidden units; `improved`: both. The step is \
         the root mean square change of the share of wins from one point to the next.",
    ))
}

fn strength(found: &Found) -> Result<Table, LabError> {
    let mut table = Table::new("strength", "The improved learner on the same tests", &["ours"]).beyond();
    let wins = |curve: &Curve| last(curve).win_share();
    let rows: [(&str, &str, &Of); 2] = [
        ("Connect Four, wins against untrained opponents, 500 states", "strength/connect-four", &wins),
        ("Reversi, wins against random heuristics, 250 states", "strength/reversi", &wins),
    ];
    for (label, name, of) in rows {
        table = table.row(Row::new(label, [found.cell(name, of)?]));
    }
    Ok(table)
}

/// The rules of the Othello League: one ply, one move in ten drawn, a coin among equals; a draw counts a half.
fn league(found: &Found) -> Result<Table, LabError> {
    let columns = ["points", "the weakest training", "the strongest"];
    let title = "Reversi, one ply by the rules of the Othello League";
    let mut table = Table::new("league", title, &columns).beyond();
    let mut row = |label: &str, of: &Of| -> Result<(), LabError> {
        let points = found.each(LEAGUE, of)?;
        let least = points.iter().copied().fold(f64::INFINITY, f64::min);
        let most = points.iter().copied().fold(0.0, f64::max);
        let cells = [Cell::mean(&points), Cell::exact(least), Cell::exact(most)];
        table.rows.push(Row::new(label, cells));
        Ok(())
    };
    row("the league's standard weights", &|curve| last(curve).points())?;
    row("the same on other matches", &|curve| curve.again.points())?;
    for (at, name) in OTHERS.into_iter().enumerate() {
        row(name, &|curve| curve.others.get(at).map_or(f64::NAN, |(_, tally)| tally.points()))?;
    }
    let seeds = league_seeds(found.plan);
    Ok(table
        .note(&format!("{seeds} trainings, one move in ten drawn on both sides, a coin among equal moves.")))
}

fn best_budget(found: &Found) -> Result<Table, LabError> {
    let title = "The best budget a move for a training of fixed cost (Connect Four, improved)";
    let mut table = Table::new("budget", title, &["wins against untrained", "training states"]).beyond();
    for budget in SEARCHED_BUDGETS {
        let name = format!("budget/{budget}");
        let states = found.cell(&name, &|curve| curve.states.last().map_or(0.0, |&states| states as f64))?;
        let wins = found.cell(&name, &|curve| last(curve).win_share())?;
        table = table.row(Row::new(format!("{budget} states a move"), [wins, states.decimals(0)]));
    }
    Ok(table.note("Tested with 500 states a move on both sides."))
}

fn every_game(found: &Found) -> Result<Table, LabError> {
    let title = "One training with the same settings for every game";
    let mut table = Table::new(
        "every-game",
        title,
        &["wins against untrained", "points (a draw a half)", "output weights"],
    )
    .beyond();
    for (game, _) in EVERY_GAME {
        let name = format!("every/{game}");
        let cells = [
            found.cell(&name, &|curve| last(curve).win_share())?,
            found.cell(&name, &|curve| last(curve).points())?,
            found.cell(&name, &|curve| curve.weights as f64)?.decimals(0),
        ];
        table = table.row(Row::new(game, cells));
    }
    Ok(table)
}

fn connect_four_curves(found: &Found) -> Result<Figure, LabError> {
    let cycle = f64::from(size(found.plan).cycle);
    let mut series = vec![
        found.series("table-1/250", "as published, 250 states", cycle)?,
        found.series("strength/connect-four", "improved (twenty times the matches)", cycle)?,
    ];
    let paper = TABLE_1[0]
        .iter()
        .enumerate()
        .map(|(point, row)| Point::share(20.0 * (point + 1) as f64, u64::from(row.2), 200));
    series.push(Series::line("the paper, 0.25 s", paper).role(Role::Paper));
    Ok(figure("connect-four", "Connect Four: wins against untrained opponents", series))
}

fn reversi_curves(found: &Found) -> Result<Figure, LabError> {
    let mut series = vec![
        found.series("table-2/learnt", "as published, 250 states", 50.0)?,
        found.series("strength/reversi", "improved (four times the matches)", 50.0)?,
    ];
    let paper = TABLE_2.iter().map(|row| Point::share(f64::from(row.0), u64::from(row.2), 100));
    series.push(Series::line("the paper", paper).role(Role::Paper));
    Ok(figure("reversi", "Reversi: wins against random heuristics", series))
}

fn figure(id: &str, title: &str, series: Vec<Series>) -> Figure {
    Figure {
        id: id.into(),
        title: title.into(),
        caption: "Means over seeds with 95 % intervals.".into(),
        x_label: "training matches (published)".into(),
        y_label: "share of wins".into(),
        log_x: false,
        log_y: false,
        kind: FigureKind::Plot(series),
    }
}

fn summary(found: &Found) -> Result<Vec<String>, LabError> {
    let share = |name: &str| -> Result<f64, LabError> {
        Ok(mean(&found.each(name, &|curve| last(curve).win_share())?).mean)
    };
    Ok(vec![
        format!(
            "Connect Four, as published, last point: {:.3} of the matches won at 250 states, {:.3} at 500, {:.3} at 1,000.",
            share("table-1/250")?,
            share("table-1/500")?,
            share("table-1/1000")?
        ),
        format!(
            "The improved learner wins {:.3} at 500 states, and {:.3} of its Reversi matches against random heuristics.",
            share("strength/connect-four")?,
            share("strength/reversi")?
        ),
    ])
}

const DEVIATIONS: [&str; 10] = [
    "Budgets are states, not seconds: 250, 500 and 1,000 for 0.25 s, 0.5 s and 1 s. Results repeat exactly.",
    "The tree of a search is kept: an iteration counts only the states that earlier ones had not generated.",
    "A state is seen by the side to move; the paper does not say how its network knows whose turn it is.",
    "K = λI + ΣHᵀH and Cholesky instead of P and its inverse (the same estimate, tested), with a ridge λ = 0.001.",
    "Values outside ±0.9 are bent to stay inside ±1, so that a learnt value never outweighs a finished game.",
    "The first training matches, between random heuristics, count among the matches of a table's first row.",
    "The cross validation starts at one hidden unit and sees at most 10,000 of the first examples.",
    "ε = 0.05; consistent nodes count from the third cycle on, and only in the trees of the learner.",
    "Backward deepening gets 2,000 states after each match.",
    "Test opponents are made anew for each pair of matches, one with either colour.",
];
