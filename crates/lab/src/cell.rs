//! One number of a table, beside the paper's.

use ludens_arena::stats::Interval;
use serde::{Deserialize, Serialize};

use crate::agreement::Published;
use crate::stats::{Mean, Z95, mean, wilson};

/// One number beside the paper's.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Cell {
    /// The paper's value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper: Option<f64>,
    /// How the paper gives it, which decides the test; a bare figure where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
    /// Follows from other cells of its row (losses from wins and draws), so that it is not counted.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dependent: bool,
    /// Our value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ours: Option<f64>,
    /// 95 %.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The standard error of our value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// Games, positions or seeds behind the value.
    #[serde(default)]
    pub trials: u64,
    /// The successes, where the value is a share of `trials` games or positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The value of each trial, where the value is their mean: what paired tests need.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<f64>,
    /// A share of one: differences are points.
    #[serde(default, skip_serializing_if = "is_false")]
    pub points: bool,
    /// Shown instead of a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Shown in percent.
    #[serde(default)]
    pub percent: bool,
    /// Digits after the point.
    #[serde(default)]
    pub decimals: u8,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl Cell {
    /// `count` of `trials`, with Wilson's interval.
    pub fn share(count: u64, trials: u64) -> Cell {
        let (successes, all) = (count as f64, trials as f64);
        // The error of an empty or full count is not zero: half a success more or less.
        let smooth = (successes + 0.5) / (all + 1.0);
        Cell {
            ours: Some(if trials == 0 { 0.0 } else { successes / all }),
            interval: Some(wilson(successes, all, Z95)),
            error: Some((smooth * (1.0 - smooth) / all.max(1.0)).sqrt()),
            trials,
            count: Some(count),
            points: true,
            decimals: 3,
            ..Cell::default()
        }
    }

    /// A mean over seeds, with Student's interval.
    pub fn mean(values: &[f64]) -> Cell {
        Cell { values: values.to_vec(), ..Cell::of_mean(mean(values)) }
    }

    /// A mean that was taken before.
    pub fn of_mean(mean: Mean) -> Cell {
        let several = mean.count > 1;
        Cell {
            ours: Some(mean.mean),
            interval: several.then_some(mean.interval),
            error: several.then_some(mean.deviation / (mean.count as f64).sqrt()),
            trials: mean.count,
            decimals: 3,
            ..Cell::default()
        }
    }

    /// A number without an error: a count, a solver's answer.
    pub fn exact(value: f64) -> Cell {
        Cell { ours: Some(value), trials: 1, decimals: 3, ..Cell::default() }
    }

    /// Words instead of a number.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell { text: Some(text.into()), ..Cell::default() }
    }

    /// Only the paper has it.
    pub fn paper_only(value: f64) -> Cell {
        Cell { decimals: 3, ..Cell::default() }.paper(value)
    }

    /// The paper's value, its error unknown.
    #[must_use]
    pub fn paper(self, value: f64) -> Cell {
        self.paper_as(value, Published::Bare)
    }

    /// The paper's value, given in this way.
    #[must_use]
    pub fn paper_as(mut self, value: f64, published: Published) -> Cell {
        self.paper = Some(value);
        self.published = Some(published);
        self.points |= matches!(published, Published::Share { .. });
        self
    }

    /// The paper's share of `games` games.
    #[must_use]
    pub fn paper_share(self, share: f64, games: u64) -> Cell {
        self.paper_as(share, Published::Share { games })
    }

    /// The paper's mean of `trials` values with their standard deviation.
    #[must_use]
    pub fn paper_mean(self, value: f64, deviation: f64, trials: u64) -> Cell {
        self.paper_as(value, Published::Mean { deviation, trials })
    }

    /// Not counted: it follows from other cells of its row.
    #[must_use]
    pub fn dependent(mut self) -> Cell {
        self.dependent = true;
        self
    }

    /// Shown in percent, with one digit after the point.
    #[must_use]
    pub fn percent(mut self) -> Cell {
        self.percent = true;
        self.decimals = 1;
        self
    }

    /// With so many digits after the point.
    #[must_use]
    pub fn decimals(mut self, decimals: u8) -> Cell {
        self.decimals = decimals;
        self
    }

    /// With so many games, positions or seeds behind it.
    #[must_use]
    pub fn trials(mut self, trials: u64) -> Cell {
        self.trials = trials;
        self
    }

    /// With a 95 % interval that is known from elsewhere.
    #[must_use]
    pub fn with_interval(mut self, low: f64, high: f64) -> Cell {
        self.interval = Some(Interval::new(low, high));
        self.error = Some((high - low) / (2.0 * Z95));
        self
    }

    /// A value as the table shows it.
    pub fn show(&self, value: f64) -> String {
        let (value, unit) = if self.percent { (100.0 * value, " %") } else { (value, "") };
        let text = format!("{}{unit}", grouped(&format!("{value:.*}", usize::from(self.decimals))));
        // A minus of its own width, and no minus before zero.
        match text.strip_prefix('-') {
            Some(rest) if rest.chars().any(|c| ('1'..='9').contains(&c)) => format!("−{rest}"),
            Some(rest) => rest.into(),
            None => text,
        }
    }

    /// Half of the interval in the unit shown, or its bounds where it is lopsided.
    pub fn show_interval(&self) -> Option<String> {
        let interval = self.interval?;
        let scale = if self.percent { 100.0 } else { 1.0 };
        let digits = usize::from(self.decimals);
        let bound = |value: f64| format!("{:.digits$}", scale * value).replace('-', "−");
        Some(format!("{} – {}", bound(interval.low), bound(interval.high)))
    }
}

/// Long whole numbers in groups of three.
fn grouped(number: &str) -> String {
    let (sign, rest) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, fraction) = rest.split_once('.').map_or((rest, None), |(whole, part)| (whole, Some(part)));
    if whole.len() < 5 {
        return number.into();
    }
    let mut text = sign.to_string();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    fraction.map_or(text.clone(), |part| format!("{text}.{part}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_people_write_them() {
        let cell = Cell::share(1, 3).percent();
        assert_eq!(cell.show(0.3333), "33.3 %");
        assert_eq!(cell.show(-0.0001), "0.0 %");
        assert_eq!(Cell::exact(0.0).decimals(0).show(200_000.0), "200,000");
        assert_eq!(Cell::exact(0.0).decimals(1).show(-1_234_567.25), "−1,234,567.2");
        assert_eq!(Cell::exact(0.0).decimals(0).show(1234.0), "1234");
        assert_eq!(Cell::exact(0.0).decimals(2).show(-1.5), "−1.50");
    }

    #[test]
    fn results_of_earlier_versions_are_read() {
        let old = r#"{"paper":0.5,"paper_error":0.1,"ours":0.4,"error":0.1,"trials":5,"percent":true,"decimals":1}"#;
        let cell: Cell = serde_json::from_str(old).unwrap();
        assert_eq!((cell.paper, cell.published, cell.dependent), (Some(0.5), None, false));
    }
}
