//! The tables and the figure.

use ludens_arena::{Sprt, Tally, Verdict};

use super::{Met, POSTULATES, RIVALS, Rise, UCT, Whole, size};
use ludens_core::Z95;

use crate::stats::{mean, paired_t};
use crate::{
    Cell, Experiment, Figure, FigureKind, LabError, Outcomes, PaperResult, Plan, Point, Row, Series, Table,
};

/// Better or not by so many Elo, at the usual error rates.
const TEST: (f64, f64) = (0.0, 50.0);

fn all<T: serde::de::DeserializeOwned>(
    plan: &Plan,
    outcomes: &Outcomes,
    kind: &str,
) -> Result<Vec<T>, LabError> {
    (0..size(plan).seeds).map(|seed| outcomes.get(&format!("{kind}/seed-{seed}"))).collect()
}

fn tallies(met: &[Met], opponent: &str) -> Vec<Tally> {
    let of = |met: &Met| met.tallies.iter().find(|(name, _)| name == opponent).map(|(_, tally)| *tally);
    met.iter().filter_map(of).collect()
}

/// The games of all seeds together.
fn together(tallies: &[Tally]) -> Tally {
    let mut all = Tally::default();
    for tally in tallies {
        all.wins += tally.wins;
        all.draws += tally.draws;
        all.losses += tally.losses;
        all.pentanomial.iter_mut().zip(tally.pentanomial).for_each(|(sum, count)| *sum += count);
    }
    all
}

/// What a sequential test says of the pairs of all seeds together: better, worse, or not decided.
fn verdict(tallies: &[Tally]) -> &'static str {
    let pairs = together(tallies).pentanomial;
    let mut turned = pairs;
    turned.reverse();
    let test = Sprt { elo0: TEST.0, elo1: TEST.1, ..Sprt::default() };
    match (test.verdict(&pairs), test.verdict(&turned)) {
        (Verdict::AcceptH1, _) => "better",
        (_, Verdict::AcceptH1) => "worse",
        _ => "not decided",
    }
}

fn points(tallies: &[Tally]) -> Cell {
    let all = together(tallies);
    let (score, half) = (all.score(), Z95 * all.standard_error());
    let cell = Cell::exact(score).with_interval((score - half).max(0.0), (score + half).min(1.0));
    cell.trials(all.games()).percent()
}

pub fn assemble(whole: Whole, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
    let mut result = PaperResult::new(whole.about(), plan);
    result.tables.push(rivals(whole, plan, outcomes)?);
    if !whole.rules {
        result.tables.push(truth(plan, outcomes)?);
        let (rise, figure) = rising(plan, outcomes)?;
        result.tables.push(rise);
        result.figures.push(figure);
        result.tables.push(postulates(plan, outcomes)?);
    }
    result.deviations = DEVIATIONS.iter().map(|text| text.to_string()).collect();
    result.summary = summary(whole, &result);
    Ok(result)
}

/// Points against each, and what the test says.
fn rivals(whole: Whole, plan: &Plan, outcomes: &Outcomes) -> Result<Table, LabError> {
    let mut table =
        Table::new("rivals", "Points against our single methods and UCT", &["points", "sequential test"])
            .beyond();
    for game in whole.games() {
        let met: Vec<Met> = all(plan, outcomes, &format!("rivals/{game}"))?;
        let names = RIVALS.iter().map(|(name, _)| name.split(':').next().unwrap_or(name)).chain(UCT);
        for name in names {
            let tallies = tallies(&met, name);
            if !tallies.is_empty() {
                let cells = [points(&tallies), Cell::text(verdict(&tallies))];
                table = table.row(Row::new(format!("{game}: {name}"), cells));
            }
        }
    }
    Ok(table.note(
        "Everybody may look at 300 states a move, the second UCT at 3,000; four random plies first. Methods that learn from games had as many as homo; concepts learn from playouts, with their own defaults. Points in the games of all trainings together, with the interval that the pairs of games \
         give; trainings differ besides. The test is of 0 against 50 Elo, 5 % each, on the same pairs.",
    ))
}

fn truth(plan: &Plan, outcomes: &Outcomes) -> Result<Table, LabError> {
    let met: Vec<Met> = all(plan, outcomes, "rivals/connect-four")?;
    let kept: Vec<[f64; 2]> = met.iter().filter_map(|met| met.kept).collect();
    let of = |at: usize| Cell::mean(&kept.iter().map(|kept| kept[at]).collect::<Vec<_>>()).decimals(3);
    let backgammon: Vec<Met> = all(plan, outcomes, "backgammon")?;
    let chunks =
        |met: &[Met]| Cell::mean(&met.iter().map(|met| met.chunks as f64).collect::<Vec<_>>()).decimals(0);
    let title = "Against what is known: the outcome kept on Pons' L2_R2 where it is not lost, and pubeval";
    Ok(Table::new("truth", title, &["share", "chunks of memory"])
        .beyond()
        .row(Row::new("Connect Four, outcome kept, no lookahead", [of(0), chunks(&met)]))
        .row(Row::new("Connect Four, outcome kept, 300 states", [of(1), chunks(&met)]))
        .row(Row::new(
            "backgammon, points against pubeval, no lookahead",
            [points(&tallies(&backgammon, "pubeval")).decimals(1), chunks(&backgammon)],
        )))
}

/// The first number of games from which on it has more than half of the points twice in a row; none.
fn reached(rise: &Rise) -> Option<u64> {
    rise.points.windows(2).find(|two| two.iter().all(|(_, points)| *points > 0.5)).map(|two| two[0].0)
}

fn rising(plan: &Plan, outcomes: &Outcomes) -> Result<(Table, Figure), LabError> {
    let [fresh, carried] = ["rise/fresh", "rise/carried"].map(|kind| all::<Rise>(plan, outcomes, kind));
    let (fresh, carried) = (fresh?, carried?);
    let whole = |rises: &[Rise]| -> Vec<f64> {
        rises
            .iter()
            .map(|rise| mean(&rise.points.iter().map(|(_, points)| *points).collect::<Vec<_>>()).mean)
            .collect()
    };
    let games = |rises: &[Rise]| {
        let of = |rise: &Rise| reached(rise).map_or_else(|| "never".into(), |games| games.to_string());
        Cell::text(rises.iter().map(of).collect::<Vec<String>>().join(", "))
    };
    let columns = ["points over the whole training", "games until it is ahead, by training"];
    let title = "Connect Four against alpha-beta four plies deep with open lines, with and without what other games taught";
    let mut table = Table::new("rise", title, &columns)
        .beyond()
        .row(Row::new("from nothing", [Cell::mean(&whole(&fresh)).percent(), games(&fresh)]))
        .row(Row::new(
            "after tic-tac-toe and 4×9",
            [Cell::mean(&whole(&carried)).percent(), games(&carried)],
        ));
    if let Some(test) = paired_t(&whole(&carried), &whole(&fresh)) {
        let words = format!(
            "The mean of the curve differs by {:+.1} points, p = {:.3} (paired t-test over trainings).",
            100.0 * test.difference,
            test.p
        );
        table = table.note(&words);
    }
    let series = |name: &str, rises: &[Rise]| {
        let longest = rises.iter().map(|rise| rise.points.len()).min().unwrap_or(0);
        let points = (0..longest).map(|at| {
            let values: Vec<f64> = rises.iter().map(|rise| rise.points[at].1).collect();
            Point::of_mean(rises[0].points[at].0 as f64, &mean(&values))
        });
        Series::line(name, points.collect::<Vec<_>>())
    };
    let figure = Figure {
        id: "rise".into(),
        title: title.into(),
        caption: "Points after so many games, the mean over trainings.".into(),
        x_label: "games of experience".into(),
        y_label: "points".into(),
        log_x: false,
        log_y: false,
        kind: FigureKind::Plot(vec![
            series("from nothing", &fresh),
            series("after tic-tac-toe and 4×9", &carried),
        ]),
    };
    Ok((table, figure))
}

fn postulates(plan: &Plan, outcomes: &Outcomes) -> Result<Table, LabError> {
    let mut table = Table::new(
        "postulates",
        "The whole player against itself without a postulate, Connect Four",
        &["points of the whole", "sequential test"],
    )
    .beyond();
    for (number, (words, _)) in POSTULATES.iter().enumerate() {
        let met: Vec<Met> = all(plan, outcomes, &format!("without/{}", number + 1))?;
        let tallies = tallies(&met, "without");
        table = table.row(Row::new(*words, [points(&tallies), Cell::text(verdict(&tallies))]));
    }
    let note = format!(
        "Both trained with {} games from the same seeds, 300 states a move. P2: the whole has learnt 4×9 before.",
        size(plan).fewer
    );
    Ok(table.note(&note))
}

fn summary(whole: Whole, result: &PaperResult) -> Vec<String> {
    let word = |table: &str, word: &str| {
        let rows = result.table(table).map_or(&[][..], |table| &table.rows[..]);
        (
            rows.iter()
                .filter(|row| row.cells.get(1).is_some_and(|cell| cell.text.as_deref() == Some(word)))
                .count(),
            rows.len(),
        )
    };
    let (better, all) = word("rivals", "better");
    let (worse, _) = word("rivals", "worse");
    let (loses, postulates) = word("postulates", "better");
    let games = whole.games().count();
    let mut said = vec![format!(
        "Of {all} opponents on {games} games it is better than {better} and worse than {worse}; the others are not decided."
    )];
    if postulates > 0 {
        said.push(format!(
            "Of {postulates} parts that were taken away, {loses} cost strength by the sequential test."
        ));
    }
    said
}

const DEVIATIONS: [&str; 4] = [
    "Weights are learnt by logistic regression, one position after the other, not by least squares: the sum of the weights are log odds.",
    "A dice game is played without looking ahead: one throw has more plays than a budget of 300 states.",
    "Games that are watched count among its games.",
    "The sequential test looks once, at all pairs of games, and does not stop early.",
];
