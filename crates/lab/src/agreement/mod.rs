//! When a number of ours agrees with the paper's. The one place that decides it, for every table.
//!
//! **The test of a cell** depends on what the paper gives ([`Published`]):
//!
//! | the paper gives | ours is | test of "no difference" |
//! |---|---|---|
//! | a share of so many games | a count of games | z-test of two shares, pooled |
//! | a share of so many games | a mean over trials | Welch's t; the paper's variance is that of its games |
//! | a mean with standard deviation and trials | a mean over trials | Welch's t |
//! | a standard deviation of so many trials | the same | F-test of two variances |
//! | a value with its standard error | either | Welch's t, the paper's error taken as known |
//! | a bare figure | either | Student's t of one sample; the figure is taken as exact |
//! | a count of independent events in a run of the same length | the same | exact binomial test of the two counts |
//!
//! A number counted once a run (published players, hidden units) is a mean over runs against a bare figure.
//!
//! **The level is joint**: over the independent cells of a table a true agreement is called a difference with a chance of at
//! most 1 %, by Holm's procedure. Holm and not Bonferroni: at the same joint level it rejects everything that Bonferroni
//! rejects and sometimes more, and here rejecting too little is the error that flatters us. There are no prediction
//! intervals: the paper's trial is one value, and how much such values scatter is not allowed to widen the gate.
//!
//! **Only independent cells count**: of wins, draws and losses of one row the first; nothing where both say 0; no settings.
//! The others of a row are marked as [dependent](crate::Cell::dependent) by whoever puts the paper's numbers beside ours.
//!
//! **Not told apart is not the same**: a small sample agrees with everything. So beside the count stands how far apart the
//! numbers are (the median of the differences), and how many cells are *shown* to lie within [`DELTA`] of the paper's (two
//! one-sided tests, at the same joint level).

mod compare;

use serde::{Deserialize, Serialize};

pub use compare::{Gap, compare};

use crate::stats::holm;
use crate::{Cell, PaperResult, Table};

/// How the paper gives its value, which decides the test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Published {
    /// A share of so many games.
    Share {
        /// The games behind it.
        games: u64,
    },
    /// A mean with the standard deviation of its trials.
    Mean {
        /// Of the trials, not of the mean.
        deviation: f64,
        /// How many.
        trials: u64,
    },
    /// The standard deviation of so many trials.
    Deviation {
        /// How many.
        trials: u64,
    },
    /// A value with its standard error.
    Error {
        /// The standard error of the value.
        error: f64,
    },
    /// A value and nothing else.
    Bare,
    /// How often something happened in a run as long as ours; only where each event comes by itself (Poisson).
    Count,
    /// Chosen, not found: shown beside ours and never judged.
    Setting,
}

/// The joint chance, within a table, of calling a true agreement a difference; and the level of every claim.
pub const ALPHA: f64 = 0.01;

/// Two shares nearer than this are called the same where that is shown: five points.
pub const DELTA: f64 = 0.05;

/// Whether a cell agrees with the paper's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// Not told apart at the joint level.
    Inside,
    /// Farther apart than the two errors explain.
    Outside,
    /// The paper has no value here, both say 0, or ours has no known error.
    Unknown,
}

/// The verdict on one cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Whether it agrees.
    pub agreement: Agreement,
    /// Whether it is one of the independent cells that are counted.
    pub counted: bool,
}

impl Mark {
    const NONE: Mark = Mark { agreement: Agreement::Unknown, counted: false };

    /// As tables show it: filled where it counts, hollow where it follows from its neighbours.
    pub fn sign(self) -> &'static str {
        match (self.agreement, self.counted) {
            (Agreement::Inside, true) => "●",
            (Agreement::Inside, false) => "○",
            (Agreement::Outside, true) => "▲",
            (Agreement::Outside, false) => "△",
            (Agreement::Unknown, _) => "",
        }
    }
}

/// How a table, or all tables together, agree with the paper's.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Count {
    /// Independent cells that can be compared.
    pub cells: usize,
    /// Of these: not told apart from the paper's.
    pub inside: usize,
    /// Independent cells that are shares.
    pub shares: usize,
    /// Of these: shown to lie within [`DELTA`] of the paper's.
    pub same: usize,
    /// The absolute differences of the shares.
    pub differences: Vec<f64>,
}

impl Count {
    /// The median absolute difference of the shares, none where there are none.
    pub fn median(&self) -> Option<f64> {
        let mut sorted = self.differences.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        match sorted.len() {
            0 => None,
            odd if odd % 2 == 1 => Some(sorted[middle]),
            _ => Some(f64::midpoint(sorted[middle - 1], sorted[middle])),
        }
    }

    fn add(&mut self, other: Count) {
        self.cells += other.cells;
        self.inside += other.inside;
        self.shares += other.shares;
        self.same += other.same;
        self.differences.extend(other.differences);
    }

    /// In words; none where nothing can be compared.
    pub fn words(&self) -> Option<String> {
        (self.cells > 0).then(|| {
            let mut text = format!(
                "{} of {} independent cells cannot be told from the paper's (joint level 99 % within each table, Holm)",
                self.inside, self.cells
            );
            if let Some(median) = self.median() {
                text += &format!(
                    "; the shares differ by {:.1} points in the median, and {} of {} are shown to lie within {:.0} points of the paper's.",
                    100.0 * median,
                    self.same,
                    self.shares,
                    100.0 * DELTA
                );
            } else {
                text.push('.');
            }
            text
        })
    }
}

/// The marks of a table, row by row, and their count.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// One for each cell.
    pub marks: Vec<Vec<Mark>>,
    /// Of the independent cells.
    pub count: Count,
}

/// Judges every cell of a table.
pub fn judge(table: &Table) -> Judged {
    let found: Vec<Vec<Option<Gap>>> =
        table.rows.iter().map(|row| row.cells.iter().map(compare).collect()).collect();
    let counted: Vec<(&Cell, &Gap)> = table
        .rows
        .iter()
        .zip(&found)
        .flat_map(|(row, gaps)| row.cells.iter().zip(gaps))
        .filter_map(|(cell, gap)| gap.as_ref().filter(|_| !cell.dependent).map(|gap| (cell, gap)))
        .collect();
    let corrected = holm(&counted.iter().map(|(_, gap)| gap.p()).collect::<Vec<f64>>());
    let shares: Vec<&Gap> = counted.iter().filter(|(cell, _)| cell.points).map(|(_, gap)| *gap).collect();
    // Two one-sided tests of half the level each are the 99 % interval inside ± δ.
    let within = holm(&shares.iter().map(|gap| (2.0 * gap.within(DELTA)).min(1.0)).collect::<Vec<f64>>());
    let count = Count {
        cells: counted.len(),
        inside: corrected.iter().filter(|p| **p >= ALPHA).count(),
        shares: shares.len(),
        same: within.iter().filter(|p| **p < ALPHA).count(),
        differences: shares.iter().map(|gap| gap.difference.abs()).collect(),
    };
    // A cell that follows from others is held to the strictest level of its table.
    let strictest = ALPHA / counted.len().max(1) as f64;
    let mut corrected = corrected.into_iter();
    let mark = |cell: &Cell, gap: &Option<Gap>, corrected: &mut dyn Iterator<Item = f64>| {
        let Some(gap) = gap else { return Mark::NONE };
        let differs =
            if cell.dependent { gap.p() < strictest } else { corrected.next().is_some_and(|p| p < ALPHA) };
        let agreement = if differs { Agreement::Outside } else { Agreement::Inside };
        Mark { agreement, counted: !cell.dependent }
    };
    let marks = table.rows.iter().zip(&found).map(|(row, gaps)| {
        row.cells.iter().zip(gaps).map(|(cell, gap)| mark(cell, gap, &mut corrected)).collect()
    });
    Judged { marks: marks.collect(), count }
}

/// All tables of the paper together; tables beyond the paper do not count.
pub fn of_result(result: &PaperResult) -> Count {
    let mut all = Count::default();
    for table in result.tables.iter().filter(|table| !table.beyond) {
        all.add(judge(table).count);
    }
    all
}

#[cfg(test)]
mod tests;
