//! Figures: what is drawn, not how.

use ludens_arena::stats::Interval;
use serde::{Deserialize, Serialize};

use crate::stats::{Mean, Z95, wilson};

/// A figure, redrawn from our data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Figure {
    /// As the paper numbers it, "2"; ours have names.
    pub id: String,
    /// What stands above it.
    pub title: String,
    /// What stands below it.
    pub caption: String,
    /// What x is.
    pub x_label: String,
    /// What y is.
    pub y_label: String,
    /// x on a logarithmic scale.
    #[serde(default)]
    pub log_x: bool,
    /// y on a logarithmic scale.
    #[serde(default)]
    pub log_y: bool,
    /// What is drawn.
    pub kind: FigureKind,
}

/// What a figure shows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FigureKind {
    /// Lines and points over a number.
    Plot(Vec<Series>),
    /// Groups of bars; every series has one point for each category, in order (its x is not used).
    Bars {
        /// The names below the groups.
        categories: Vec<String>,
        /// One bar of each group, the same one in all.
        series: Vec<Series>,
    },
    /// A surface as coloured cells.
    Heat(Heat),
    /// A drawing made by the experiment: boards, concepts. It may use `currentColor` and the classes of the report.
    Svg(String),
}

/// Whose data a series shows, which decides how it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// What we measured.
    #[default]
    Ours,
    /// Dashed: the paper's.
    Paper,
    /// Thin: chance, a comparator, a fitted line.
    Reference,
}

/// Points that belong together, under one name.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// Whose data it is.
    pub role: Role,
    /// Joined by a line, or points alone.
    pub line: bool,
    /// In the order in which a line joins them.
    pub points: Vec<Point>,
}

impl Series {
    /// Our data, joined by a line.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Series {
        Series { name: name.into(), role: Role::Ours, line: true, points: points.into_iter().collect() }
    }

    /// Our data as points alone.
    pub fn points(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Series {
        Series { line: false, ..Series::line(name, points) }
    }

    /// The same as somebody else's data.
    #[must_use]
    pub fn role(mut self, role: Role) -> Series {
        self.role = role;
        self
    }
}

/// One point of a series.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    /// Where it lies from left to right.
    pub x: f64,
    /// Where it lies from bottom to top.
    pub y: f64,
    /// 95 %, drawn as a band along a line and as a whisker at a point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}

impl Point {
    /// A point without an interval.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, interval: None }
    }

    /// A mean over seeds, with its interval where there are several.
    pub fn of_mean(x: f64, mean: &Mean) -> Point {
        Point { x, y: mean.mean, interval: (mean.count > 1).then_some(mean.interval) }
    }

    /// The share `count` of `trials`, with Wilson's interval.
    pub fn share(x: f64, count: u64, trials: u64) -> Point {
        let interval = wilson(count as f64, trials as f64, Z95);
        Point { x, y: count as f64 / trials.max(1) as f64, interval: Some(interval) }
    }
}

/// Values over two lists of names.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Heat {
    /// The columns, from the left.
    pub x_names: Vec<String>,
    /// The rows, from the top.
    pub y_names: Vec<String>,
    /// `values[y][x]`.
    pub values: Vec<Vec<Option<f64>>>,
    /// What a value is.
    pub unit: String,
    /// The value shown in the neutral colour (odds of 1, chance); the scale goes both ways from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub middle: Option<f64>,
    /// Colours by the logarithm, for odds.
    #[serde(default)]
    pub log: bool,
}
