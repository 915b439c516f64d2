//! Figures: what is drawn, not how.

use ludens_arena::stats::Interval;
use serde::{Deserialize, Serialize};

use crate::stats::{Mean, Z95, wilson};

/// A figure, redrawn from our data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Figure {
    pub id: String,
    pub title: String,
    pub caption: String,
    pub x_label: String,
    pub y_label: String,
    #[serde(default)]
    pub log_x: bool,
    #[serde(default)]
    pub log_y: bool,
    pub kind: FigureKind,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FigureKind {
    /// Lines and points over a number.
    Plot(Vec<Series>),
    /// Groups of bars; every series has one point for each category, in order (its x is not used).
    Bars { categories: Vec<String>, series: Vec<Series> },
    /// A surface as coloured cells.
    Heat(Heat),
    /// A drawing made by the experiment: boards, concepts. It may use `currentColor` and the classes of the report.
    Svg(String),
}

/// Whose data a series shows, which decides how it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    #[default]
    Ours,
    /// Dashed: the paper's.
    Paper,
    /// Thin: chance, a comparator, a fitted line.
    Reference,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Series {
    pub name: String,
    pub role: Role,
    /// Joined by a line, or points alone.
    pub line: bool,
    pub points: Vec<Point>,
}

impl Series {
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Series {
        Series { name: name.into(), role: Role::Ours, line: true, points: points.into_iter().collect() }
    }

    pub fn points(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Series {
        Series { line: false, ..Series::line(name, points) }
    }

    #[must_use]
    pub fn role(mut self, role: Role) -> Series {
        self.role = role;
        self
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    /// 95 %, drawn as a band along a line and as a whisker at a point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}

impl Point {
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, interval: None }
    }

    pub fn of_mean(x: f64, mean: &Mean) -> Point {
        Point { x, y: mean.mean, interval: (mean.count > 1).then_some(mean.interval) }
    }

    pub fn share(x: f64, count: u64, trials: u64) -> Point {
        let interval = wilson(count as f64, trials as f64, Z95);
        Point { x, y: count as f64 / trials.max(1) as f64, interval: Some(interval) }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Heat {
    pub x_names: Vec<String>,
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
