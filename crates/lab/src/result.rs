//! What a reproduction finds: every cell with the paper's value, ours, its interval and its trials.

use serde::{Deserialize, Serialize};

use crate::stats::{Test, holm};
use crate::{About, Cell, Figure, Made, PaperClaim, Plan, Scale};

/// The whole result of one paper. Its JSON is a function of (code, plan), all but [`PaperResult::made`].
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
    /// By which commit and machine it was made; absent in results of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// What the paper says, each sentence with its test and verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paper_claims: Vec<PaperClaim>,
    /// What was found, in a few plain sentences.
    pub summary: Vec<String>,
    /// What is better than what, with the tests behind it: ours, not the paper's.
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
            made: None,
            paper_claims: Vec::new(),
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

    /// The table called so.
    pub fn table(&self, id: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.id == id)
    }

    /// The row of a table.
    pub fn row(&self, table: &str, row: &str) -> Option<&Row> {
        self.table(table)?.rows.iter().find(|one| one.label == row)
    }

    /// The cell of a table; columns count from 0.
    pub fn cell(&self, table: &str, row: &str, column: usize) -> Option<&Cell> {
        self.row(table, row)?.cells.get(column)
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

    /// Puts the paper's value beside ours, where the table has this row and column.
    pub fn set_paper(&mut self, row: &str, column: usize, paper: impl FnOnce(Cell) -> Cell) {
        let cell =
            self.rows.iter_mut().find(|one| one.label == row).and_then(|row| row.cells.get_mut(column));
        if let Some(cell) = cell {
            *cell = paper(std::mem::take(cell));
        }
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

#[cfg(test)]
mod tests {
    use ludens_arena::stats::Interval;

    use super::*;

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
