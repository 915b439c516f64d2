//! The figures of Sanner, Anderson, Lebiere and Lovett: the learning curve, the odds of attack, the surfaces of expose.

use super::*;

pub(super) fn learning_curve(runs: &[Run]) -> Figure {
    let bins = runs.first().map_or(0, |run| run.curve.len());
    let mut points = Vec::new();
    for bin in 0..bins {
        let values: Vec<f64> = runs.iter().map(|run| f64::from(run.curve[bin]) / BIN as f64).collect();
        points.push(Point::of_mean(((bin + 1) * BIN) as f64, &mean(&values)));
    }
    let level = points.last().map_or(0.0, |last| last.x);
    let paper = [Point::new(0.0, 0.4523), Point::new(level, 0.4523)];
    Figure {
        id: "2".into(),
        title: "Learning curve".into(),
        caption: format!(
            "Share of games won against pubeval while learning, bins of {BIN} games, mean and 95 % band"
        ),
        x_label: "games".into(),
        y_label: "share won".into(),
        log_x: false,
        log_y: false,
        kind: FigureKind::Plot(vec![
            Series::line("ACT-R-Gammon", points),
            Series::line("the paper's level", paper).role(Role::Paper),
        ]),
    }
}

pub(super) fn attack_figure(runs: &[Run]) -> Figure {
    let mut points = Vec::new();
    for point in 0..24 {
        let odds: Vec<f64> = runs.iter().filter_map(|run| run.attack[point]).collect();
        if !odds.is_empty() {
            points.push(Point::of_mean((point + 1) as f64, &mean(&odds)));
        }
    }
    Figure {
        id: "3".into(),
        title: "Odds of attack by point".into(),
        caption: "Mean of the runs with its 95 % band".into(),
        x_label: "point".into(),
        y_label: "odds".into(),
        log_x: false,
        log_y: false,
        kind: FigureKind::Plot(vec![Series::line("attack", points)]),
    }
}

pub(super) fn expose_figure(id: &str, title: &str, unit: &str, runs: &[Run], odds: bool) -> Figure {
    let value = |ahead: usize, point: usize| -> Option<f64> {
        let values: Vec<f64> = if odds {
            runs.iter().filter_map(|run| run.expose[ahead][point]).collect()
        } else {
            runs.iter().map(|run| run.experience[ahead][point]).filter(|&count| count > 0.0).collect()
        };
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    Figure {
        id: id.into(),
        title: title.into(),
        caption: "Mean of the runs; empty where no run met anything like it".into(),
        x_label: "point".into(),
        y_label: "opponents ahead".into(),
        log_x: false,
        log_y: false,
        kind: FigureKind::Heat(Heat {
            x_names: (1..=24).map(|point| point.to_string()).collect(),
            y_names: (0..=15).map(|ahead| ahead.to_string()).collect(),
            values: (0..=15).map(|ahead| (0..24).map(|point| value(ahead, point)).collect()).collect(),
            unit: unit.into(),
            middle: odds.then_some(1.0),
            log: odds,
        }),
    }
}
