//! The difference between two numbers, its error, and what can be said of it.

use ludens_arena::stats::{Interval, incomplete_beta, student_cdf, student_quantile, student_two_sided};
use ludens_core::math;

use super::Published;
use crate::stats::{Test, two_shares};
use crate::{Cell, stats};

/// Freedom enough for Student's distribution to be the normal one.
const MANY: f64 = 1e7;

/// A difference with its standard error.
#[derive(Clone, PartialEq, Debug)]
pub struct Gap {
    /// First minus second: ours minus the paper's.
    pub difference: f64,
    /// The standard error of the difference.
    pub error: f64,
    /// The degrees of freedom of the error.
    pub freedom: f64,
    /// The test, as people call it.
    pub test: String,
    /// Where the p of "no difference" is not Student's.
    exact: Option<f64>,
}

impl Gap {
    /// A difference of known error.
    pub fn new(difference: f64, error: f64, freedom: f64, test: impl Into<String>) -> Gap {
        Gap { difference, error, freedom: freedom.clamp(1.0, MANY), test: test.into(), exact: None }
    }

    /// Of a test made elsewhere, with so many degrees of freedom.
    pub fn of_test(test: &Test, freedom: f64) -> Gap {
        let error = if test.statistic == 0.0 { 0.0 } else { (test.difference / test.statistic).abs() };
        Gap::new(test.difference, error, freedom, test.name.clone())
    }

    /// Two means with their errors, measured apart from each other (Welch); each is (mean, error, degrees of freedom).
    pub fn welch(one: (f64, f64, f64), two: (f64, f64, f64)) -> Gap {
        let (v, w) = (math::square(one.1), math::square(two.1));
        let below = math::square(v) / one.2.max(1.0) + math::square(w) / two.2.max(1.0);
        let freedom = if below > 0.0 { math::square(v + w) / below } else { one.2.min(two.2) };
        Gap::new(one.0 - two.0, (v + w).sqrt(), freedom, "Welch's t-test")
    }

    /// Two systems measured on the same trials; none with fewer than two pairs.
    pub fn paired(one: &[f64], two: &[f64]) -> Option<Gap> {
        stats::paired_t(one, two).map(|test| Gap::of_test(&test, one.len() as f64 - 1.0))
    }

    /// Values of independent trials against a number; none with fewer than two.
    pub fn of_values(values: &[f64], against: f64) -> Option<Gap> {
        let found = stats::mean(values);
        (values.len() > 1).then(|| {
            let error = found.deviation / (values.len() as f64).sqrt();
            let test = format!("Student's t-test over {} runs", values.len());
            Gap::new(found.mean - against, error, values.len() as f64 - 1.0, test)
        })
    }

    /// The same seen from the other side.
    #[must_use]
    pub fn turned(mut self) -> Gap {
        self.difference = -self.difference;
        self
    }

    fn t(&self, limit: f64) -> f64 {
        let over = self.difference - limit;
        match (self.error > 0.0, over == 0.0) {
            (true, _) => over / self.error,
            (false, true) => 0.0,
            // No error at all: certain.
            (false, false) => 1e9 * over.signum(),
        }
    }

    /// The two-sided p of "no difference".
    pub fn p(&self) -> f64 {
        self.exact.unwrap_or_else(|| student_two_sided(self.t(0.0), self.freedom))
    }

    /// The one-sided p of "not above `limit`": small where it is shown to be above.
    pub fn above(&self, limit: f64) -> f64 {
        student_cdf(-self.t(limit), self.freedom)
    }

    /// The one-sided p of "not below `limit`": small where it is shown to be below.
    pub fn below(&self, limit: f64) -> f64 {
        student_cdf(self.t(limit), self.freedom)
    }

    /// The p of "not within ± `delta`" (two one-sided tests): small where it is shown to be within.
    pub fn within(&self, delta: f64) -> f64 {
        self.above(-delta).max(self.below(delta))
    }

    /// Student's interval of the difference.
    pub fn interval(&self, confidence: f64) -> Interval {
        Interval::around(self.difference, student_quantile(0.5 + confidence / 2.0, self.freedom) * self.error)
    }
}

/// Compares a cell with the paper's value; none where there is nothing to compare.
pub fn compare(cell: &Cell) -> Option<Gap> {
    let (ours, paper) = (cell.ours?, cell.paper?);
    // Nothing happened here or there: no information about how well they agree.
    if ours == 0.0 && paper == 0.0 {
        return None;
    }
    let published = cell.published.unwrap_or(Published::Bare);
    if published == Published::Count {
        return Some(counts(ours, paper));
    }
    if let Published::Deviation { trials } = published {
        return deviations((ours, cell.trials), (paper, trials));
    }
    let error = cell.error?;
    let mean = (ours, error, cell.trials.saturating_sub(1) as f64);
    Some(match published {
        Published::Share { games } => match cell.count {
            Some(count) => shares((count, cell.trials), (paper, games))?,
            None => {
                let named = format!("Welch's t-test, {} trials and {games} games", cell.trials);
                Gap {
                    test: named,
                    ..Gap::welch(mean, (paper, share_error(paper, games), games as f64 - 1.0))
                }
            }
        },
        Published::Mean { deviation, trials } => {
            let theirs = (paper, deviation / (trials.max(1) as f64).sqrt(), trials as f64 - 1.0);
            Gap {
                test: format!("Welch's t-test, {} and {trials} trials", cell.trials),
                ..Gap::welch(mean, theirs)
            }
        }
        Published::Error { error } => Gap::welch(mean, (paper, error, MANY)),
        Published::Bare => {
            let test = format!("Student's t-test, {} trials against a bare figure", cell.trials);
            Gap::new(ours - paper, error, mean.2, test)
        }
        Published::Count | Published::Deviation { .. } | Published::Setting => return None,
    })
}

/// The error of a share is not zero where nothing or everything was won: half a success more or less.
pub(crate) fn share_error(share: f64, games: u64) -> f64 {
    let all = games as f64;
    let smooth = (share * all + 0.5) / (all + 1.0);
    (smooth * (1.0 - smooth) / all.max(1.0)).sqrt()
}

fn shares(ours: (u64, u64), (paper, games): (f64, u64)) -> Option<Gap> {
    let test = two_shares(ours, ((paper * games as f64).round() as u64, games))?;
    let share = ours.0 as f64 / ours.1.max(1) as f64;
    let error = math::hypot(share_error(share, ours.1), share_error(paper, games));
    let mut gap = Gap::new(test.difference, error, MANY, test.name);
    gap.exact = Some(test.p);
    Some(gap)
}

/// Two standard deviations, each with its number of trials; none where one is not known or was rounded away.
fn deviations(ours: (f64, u64), paper: (f64, u64)) -> Option<Gap> {
    if ours.0 <= 0.0 || paper.0 <= 0.0 || ours.1.min(paper.1) < 2 {
        return None;
    }
    let freedom = |(_, trials): (f64, u64)| trials as f64 - 1.0;
    let error = |one: (f64, u64)| one.0 / (2.0 * freedom(one)).sqrt();
    let test = format!("F-test of two variances, {} and {} trials", ours.1, paper.1);
    let mut gap = Gap::new(ours.0 - paper.0, math::hypot(error(ours), error(paper)), MANY, test);
    let ratio = math::square(ours.0 / paper.0);
    let (one, two) = (freedom(ours), freedom(paper));
    let above = incomplete_beta(two / 2.0, one / 2.0, two / (two + one * ratio));
    gap.exact = Some((2.0 * above.min(1.0 - above)).min(1.0));
    Some(gap)
}

/// Given their sum, each of two equal rates has half of the events.
fn counts(ours: f64, paper: f64) -> Gap {
    let (ours, paper) = (ours.round(), paper.round());
    let mut gap =
        Gap::new(ours - paper, (ours + paper).sqrt(), MANY, "exact binomial test of the two counts");
    let (more, fewer) = (ours.max(paper), ours.min(paper));
    let p = if more > fewer { 2.0 * incomplete_beta(more, fewer + 1.0, 0.5) } else { 1.0 };
    gap.exact = Some(p.min(1.0));
    gap
}
