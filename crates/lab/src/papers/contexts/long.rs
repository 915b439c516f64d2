//! As long as the text says: "a few thousand epochs" instead of a plateau, with the shares of the best move on the way.

use ludens_core::Rng;
use ludens_learners::contexts::train::{System, Targets, Training, measure};
use ludens_search::connect_four_labels::Labelled;
use serde::{Deserialize, Serialize};

use super::{OURS, Outcomes, Plan, UnitCtx, problem};
use crate::stats::mean;
use crate::{Cell, Figure, FigureKind, LabError, Point, Row, Series, Table};

/// What the names of these units begin with.
pub(super) const PREFIX: &str = "long-";
/// Sets that are trained so long; fewer than the tables have, for these take hours.
const SETS: usize = 3;
/// Epochs after which the shares are looked at.
const LOOKS: [u32; 11] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];

/// Sets and looks of a plan.
pub(super) fn size(plan: &Plan, sets: usize) -> (usize, Vec<u32>) {
    let most = plan.scale.pick(2, 20, 2000);
    (SETS.min(sets), LOOKS.into_iter().filter(|&epochs| epochs <= most).collect())
}

/// The share of positions whose best move came first.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Look {
    epochs: u32,
    train: f64,
    test: f64,
}

pub(super) fn run(
    system: &str,
    (train, test): (&[Labelled], &[Labelled]),
    looks: &[u32],
    (rng, ctx): (&mut Rng, &UnitCtx),
) -> Result<Vec<Look>, LabError> {
    let system = System::named(system).ok_or_else(|| problem(format!("no system {system}")))?;
    let mut training = Training::new(&system, train, Targets::OneBest, rng);
    let last = looks.last().copied().unwrap_or(1);
    let mut found = Vec::new();
    for &epochs in looks {
        while training.epochs < epochs {
            ctx.go_on()?;
            training.epoch(rng);
            ctx.progress(f64::from(training.epochs) / f64::from(last), "epochs");
        }
        let ranker = &mut training.ranker;
        let mut first =
            |set| measure(set, |e| ranker.outputs(e.position.mine(), e.position.theirs())).places[0];
        found.push(Look { epochs, train: first(train), test: first(test) });
    }
    Ok(found)
}

/// The curves as a table and as a figure.
pub(super) fn shown(
    outcomes: &Outcomes,
    (sets, looks): &(usize, Vec<u32>),
) -> Result<(Table, Figure), LabError> {
    let names: Vec<String> = looks.iter().map(u32::to_string).collect();
    let columns: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut table =
        Table::new("long", "Share of test positions whose best move comes first, by epochs", &columns)
            .beyond()
            .note(&format!("{sets} of the sets; the tables above stop at a plateau."));
    let mut series = Vec::new();
    for system in OURS {
        let runs = (0..*sets).map(|set| outcomes.get(&format!("{PREFIX}{system}/set-{set}")));
        let runs = runs.collect::<Result<Vec<Vec<Look>>, _>>()?;
        for (part, of) in [("test", (|look| look.test) as fn(&Look) -> f64), ("training", |look| look.train)]
        {
            let at = |place: usize| runs.iter().map(|looks| of(&looks[place])).collect::<Vec<f64>>();
            let points = (0..looks.len()).map(|at_| Point::of_mean(f64::from(looks[at_]), &mean(&at(at_))));
            series.push(Series::line(format!("{system}, {part}"), points));
            if part == "test" {
                table = table.row(Row::new(system, (0..looks.len()).map(|place| Cell::mean(&at(place)))));
            }
        }
    }
    let figure = Figure {
        id: "long".into(),
        title: "How long to train".into(),
        caption: "Share of positions whose best move comes first, mean of the sets and 95 % band".into(),
        x_label: "epochs".into(),
        y_label: "best move first".into(),
        log_x: true,
        log_y: false,
        kind: FigureKind::Plot(series),
    };
    Ok((table, figure))
}
