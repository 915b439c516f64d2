//! What a reproduction finds: every cell with the paper's value, ours, its interval and its trials.

use ludens_arena::stats::Interval;
use ludens_core::math;
use serde::{Deserialize, Serialize};

use crate::stats::{Mean, Test, Z95, holm, mean, wilson};
use crate::{About, Figure, Plan, Scale};

/// The whole result of one paper. Its JSON is a function of (code, plan): no clock, no host.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PaperResult {
    /// The short name of the paper, as on the command line.
    pub paper: String,
    /// The title of the paper.
    pub title: String,
    /// Authors, journal, year.
    pub citation: String,
    /// How large it was run.
    pub scale: Scale,
    /// The seed of the plan.
    pub seed: u64,
    /// How many seeds, where the plan said so.
    pub seeds: Option<u32>,
    /// The version of Ludens.
    pub version: String,
    /// What was found, in a few plain sentences.
    pub summary: Vec<String>,
    /// What is better than what, with the tests behind it.
    pub claims: Vec<Claim>,
    /// The tables of the paper and ours.
    pub tables: Vec<Table>,
    /// The figures of the paper and ours.
    pub figures: Vec<Figure>,
    /// Where we do it otherwise than the paper, and where its text leaves it open; the report numbers them.
    pub deviations: Vec<String>,
    /// Commands besides `ludens reproduce` that belong to it.
    pub commands: Vec<String>,
}

impl PaperResult {
    /// A result with nothing in it yet.
    pub fn new(about: About, plan: &Plan) -> PaperResult {
        PaperResult {
            paper: about.id.into(),
            title: about.title.into(),
            citation: about.citation.into(),
            scale: plan.scale,
            seed: plan.seed,
            seeds: plan.seeds,
            version: env!("CARGO_PKG_VERSION").into(),
            summary: Vec::new(),
            claims: Vec::new(),
            tables: Vec::new(),
            figures: Vec::new(),
            deviations: Vec::new(),
            commands: Vec::new(),
        }
    }

    /// Adds "A is better than B" statements that stand or fall together: their p values are corrected by Holm,
    /// and each holds only if its test says so at 5 %.
    pub fn claim_family(&mut self, claims: impl IntoIterator<Item = (String, Test)>) {
        let claims: Vec<(String, Test)> = claims.into_iter().collect();
        let p_values: Vec<f64> = claims.iter().map(|(_, test)| test.p).collect();
        let corrected = holm(&p_values);
        self.claims.extend(claims.into_iter().zip(corrected).map(|((text, test), p)| Claim {
            text,
            holds: p < 0.05 && test.difference > 0.0,
            corrected_p: p,
            test,
        }));
    }

    /// The command that repeats this result.
    pub fn command(&self) -> String {
        let seeds = self.seeds.map(|seeds| format!(" --seeds {seeds}")).unwrap_or_default();
        format!("ludens reproduce {} --scale {} --seed {}{seeds}", self.paper, self.scale.name(), self.seed)
    }
}

/// A statement that the first of two is better, with the test behind it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// The statement in words.
    pub text: String,
    /// Whether the test says so at 5 %.
    pub holds: bool,
    /// After Holm's correction within its family.
    pub corrected_p: f64,
    /// The test behind it.
    pub test: Test,
}

/// A table of the paper, or one of ours.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Table {
    /// As the paper numbers it, "3"; ours have names.
    pub id: String,
    /// What stands above it.
    pub title: String,
    /// The heads of the columns, without the one of the row labels.
    pub columns: Vec<String>,
    /// From the top.
    pub rows: Vec<Row>,
    /// What stands below it.
    pub note: String,
    /// Not in the paper: "beyond the paper".
    #[serde(default)]
    pub beyond: bool,
}

impl Table {
    /// A table without rows; `columns` leaves out the one of the row labels.
    pub fn new(id: &str, title: &str, columns: &[&str]) -> Table {
        Table {
            id: id.into(),
            title: title.into(),
            columns: columns.iter().map(|column| column.to_string()).collect(),
            rows: Vec::new(),
            note: String::new(),
            beyond: false,
        }
    }

    /// With one more row.
    #[must_use]
    pub fn row(mut self, row: Row) -> Table {
        self.rows.push(row);
        self
    }

    /// With this below it.
    #[must_use]
    pub fn note(mut self, note: &str) -> Table {
        self.note = note.into();
        self
    }

    /// Marks a table that the paper does not have.
    #[must_use]
    pub fn beyond(mut self) -> Table {
        self.beyond = true;
        self
    }
}

/// One line of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// What the line is about.
    pub label: String,
    /// One a column.
    pub cells: Vec<Cell>,
}

impl Row {
    /// A line called `label`.
    pub fn new(label: impl Into<String>, cells: impl IntoIterator<Item = Cell>) -> Row {
        Row { label: label.into(), cells: cells.into_iter().collect() }
    }
}

/// Whether a cell agrees with the paper's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// Inside the joint 99 % interval.
    Inside,
    /// Farther apart than the two errors explain.
    Outside,
    /// The paper has no value here, or ours has no known error.
    Unknown,
}

/// One number beside the paper's.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Cell {
    /// The paper's value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper: Option<f64>,
    /// The standard error of the paper's value, where it can be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper_error: Option<f64>,
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
            decimals: 3,
            ..Cell::default()
        }
    }

    /// A mean over seeds, with Student's interval.
    pub fn mean(values: &[f64]) -> Cell {
        Cell::of_mean(mean(values))
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
    pub fn paper(mut self, value: f64) -> Cell {
        self.paper = Some(value);
        self
    }

    /// The paper's share of `trials` games.
    #[must_use]
    pub fn paper_share(mut self, share: f64, trials: u64) -> Cell {
        let all = trials as f64;
        let smooth = (share * all + 0.5) / (all + 1.0);
        self.paper = Some(share);
        self.paper_error = Some((smooth * (1.0 - smooth) / all.max(1.0)).sqrt());
        self
    }

    /// The paper's mean of `trials` values with their standard deviation.
    #[must_use]
    pub fn paper_mean(mut self, value: f64, deviation: f64, trials: u64) -> Cell {
        self.paper = Some(value);
        self.paper_error = Some(deviation / (trials.max(1) as f64).sqrt());
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

    /// Whether the paper's value lies inside the joint 99 % interval.
    pub fn agreement(&self) -> Agreement {
        const Z99: f64 = 2.575_829_303_548_9;
        match (self.paper, self.ours, self.error) {
            (Some(paper), Some(ours), Some(error)) => {
                let joint = math::hypot(error, self.paper_error.unwrap_or(0.0));
                if (paper - ours).abs() <= Z99 * joint { Agreement::Inside } else { Agreement::Outside }
            }
            _ => Agreement::Unknown,
        }
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
    fn cells_agree_within_their_joint_interval() {
        let cell = Cell::share(810, 1000).paper_share(0.8073, 10_000);
        assert_eq!(cell.agreement(), Agreement::Inside);
        assert_eq!(Cell::share(700, 1000).paper_share(0.8073, 10_000).agreement(), Agreement::Outside);
        assert_eq!(Cell::share(0, 50).paper_share(0.0, 50).agreement(), Agreement::Inside);
        assert_eq!(Cell::exact(3.0).paper(3.0).agreement(), Agreement::Unknown);
        assert_eq!(Cell::mean(&[0.5, 0.6, 0.7]).paper(0.61).agreement(), Agreement::Inside);
    }

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
    fn a_claim_holds_only_if_its_family_lets_it() {
        let test = |difference: f64, p: f64| Test {
            name: "made up".into(),
            difference,
            interval: Interval::new(0.0, 1.0),
            statistic: 0.0,
            p,
        };
        let about = About { id: "x", title: "x", citation: "x" };
        let mut result = PaperResult::new(about, &Plan::new(Scale::Smoke, 0));
        result.claim_family([
            ("clear".into(), test(1.0, 0.001)),
            ("lost in the family".into(), test(1.0, 0.03)),
            ("the wrong way".into(), test(-1.0, 0.001)),
        ]);
        let holds: Vec<bool> = result.claims.iter().map(|claim| claim.holds).collect();
        assert_eq!(holds, [true, true, false]);
        assert_eq!(result.claims[1].corrected_p, 0.03);
        result.claim_family([("a".into(), test(1.0, 0.03)), ("b".into(), test(1.0, 0.04))]);
        assert!(!result.claims[3].holds && !result.claims[4].holds);
    }
}
