//! Numbers in the docs are never typed: they stand in marked blocks that are made from the committed result files.
//!
//! ```text
//! <!-- table results/contexts/paper.json 1 -->
//! … made by `cargo xtask docs` …
//! <!-- /table -->
//! ```
//!
//! Besides `table` there are `summary`, `claims` (the paper's, with verdicts), `comparisons` (ours) and `deviations`, each with a
//! file, `figure-data` with a file and a figure's number, `gallery` with a game and a mind, `papers` with the folder of results:
//! the claims of all papers, `confirmations` with the same folder: our figures on fresh seeds, `measured` with a file of measurements and
//! the names to show, and `lines` with a file of JSON lines and the names: `<!-- lines FILE game,score,verdict -->`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use ludens_core::Games;
use ludens_core::store::{TEXT_BYTES, read_bounded};
use ludens_learners::standard::{Standard, zoo};

use crate::agreement::of_result;
use crate::gallery::{as_markdown, gallery};
use crate::measured::{Measured, cell};
use crate::papers::{completed, confirmations};
use crate::report::markdown_table;
use crate::{FigureKind, LabError, Made, PaperResult, claims, papers};

/// The page with every block made anew. `root` is the folder that paths in blocks start from.
pub fn refresh(page: &str, root: &Path) -> Result<String, LabError> {
    let mut fresh = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        fresh.push_str(line);
        fresh.push('\n');
        let Some(order) = Order::read(line) else { continue };
        let _ = write!(fresh, "\n{}\n", order.make(root)?.trim_end());
        let end = format!("<!-- /{} -->", order.kind);
        if !lines.any(|line| line.trim() == end) {
            return Err(LabError::Other(format!("{line} has no {end} after it: add that line")));
        }
        let _ = write!(fresh, "\n{end}\n");
    }
    Ok(fresh)
}

/// What a block shows.
struct Order<'a> {
    kind: &'a str,
    file: &'a str,
    id: &'a str,
}

/// The kinds of blocks that [`refresh`] makes.
pub const KINDS: [&str; 11] = [
    "table",
    "summary",
    "claims",
    "comparisons",
    "deviations",
    "figure-data",
    GALLERY,
    PAPERS,
    LINES,
    MEASURED,
    confirmations::KIND,
];
/// `<!-- lines FILE NAME,NAME -->`: a file of JSON lines as a table, a column for each name, and how often each word stands in the last.
const LINES: &str = "lines";
/// `<!-- measured FILE NAME,NAME -->`: a file of measurements as a table, a column for each name.
const MEASURED: &str = "measured";
/// `<!-- papers results -->`: the claims of every paper whose result lies in the folder.
const PAPERS: &str = "papers";
/// `<!-- gallery GAME MIND -->`: positions of play with what the mind says of its moves.
const GALLERY: &str = "gallery";
const SHOWN: usize = 10;

impl Order<'_> {
    fn read(line: &str) -> Option<Order<'_>> {
        // Only at the start of a line: indented, it is an example.
        let inner = line.trim_end().strip_prefix("<!-- ")?.strip_suffix(" -->")?;
        let mut words = inner.splitn(3, ' ');
        let (kind, file) = (words.next()?, words.next()?);
        KINDS.contains(&kind).then(|| Order { kind, file, id: words.next().unwrap_or("") })
    }

    fn make(&self, root: &Path) -> Result<String, LabError> {
        if self.kind == GALLERY {
            let games = Games::new(Standard::new().close(), zoo());
            let shown = gallery(&*games.open(self.file)?, self.id, SHOWN, 1)?;
            return Ok(as_markdown(&shown));
        }
        if self.kind == PAPERS {
            return all_papers(&root.join(self.file));
        }
        if self.kind == LINES {
            return json_lines(root, self.file, &self.id.split(',').collect::<Vec<_>>());
        }
        if self.kind == MEASURED {
            let found = Measured::read(&root.join(self.file))?;
            let names: Vec<&str> = self.id.split(',').collect();
            let lacks = || LabError::Other(format!("{}: a row lacks one of {}", self.file, self.id));
            return found.markdown(&names).ok_or_else(lacks);
        }
        if self.kind == confirmations::KIND {
            return confirmations::markdown(&root.join(self.file));
        }
        let result = read_result(&root.join(self.file))?;
        let missing =
            || LabError::Other(format!("{} has no {} {:?}; look at its JSON", self.file, self.kind, self.id));
        let body = match self.kind {
            "table" => {
                let table = result.tables.iter().find(|table| table.id == self.id).ok_or_else(missing)?;
                format!("**{}**\n\n{}", table.title, markdown_table(table))
            }
            "summary" => {
                let found = result.summary.join("\n\n");
                of_result(&result).words().map_or(found.clone(), |words| format!("{found}\n\n{words}"))
            }
            "claims" => claims::markdown(&result.paper_claims, false),
            "comparisons" => comparisons(&result),
            "deviations" => {
                let numbered = result.deviations.iter().enumerate();
                numbered.map(|(index, text)| format!("{}. {text}\n", index + 1)).collect()
            }
            _ => {
                let figure = result.figures.iter().find(|figure| figure.id == self.id).ok_or_else(missing)?;
                figure_data(&figure.kind).ok_or_else(missing)?
            }
        };
        Ok(format!("{body}\n\nMade by `{}`.", result.command()))
    }
}

/// A result of any version, as it is judged today.
pub(crate) fn read_result(path: &Path) -> Result<PaperResult, LabError> {
    let bytes = read_bounded(path, TEXT_BYTES).map_err(LabError::file(path))?;
    let result: PaperResult = serde_json::from_slice(&bytes)
        .map_err(|error| LabError::Damaged { path: path.into(), problem: error.to_string() })?;
    Ok(completed(&result))
}

/// A table of a file of JSON lines.
fn json_lines(root: &Path, shown: &str, names: &[&str]) -> Result<String, LabError> {
    let path = &root.join(shown);
    let bytes = read_bounded(path, TEXT_BYTES).map_err(LabError::file(path))?;
    let damaged = |problem: String| LabError::Damaged { path: path.into(), problem };
    let heads = names.join(" | ").replace('_', " ");
    let mut text = format!("| {heads} |\n|{}\n", "---|".repeat(names.len()));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in String::from_utf8_lossy(&bytes).lines() {
        let line: serde_json::Value =
            serde_json::from_str(line).map_err(|error| damaged(error.to_string()))?;
        let mut last = &serde_json::Value::Null;
        for name in names {
            last = line.get(name).ok_or_else(|| damaged(format!("a line has no {name:?}")))?;
            let _ = write!(text, "| {} ", cell(last));
        }
        text.push_str("|\n");
        // Verdicts are counted, measurements are not.
        if !last.is_number() {
            *counts.entry(cell(last)).or_default() += 1;
        }
    }
    if !counts.is_empty() {
        let counts: Vec<String> = counts.iter().map(|(word, count)| format!("{word}: {count}")).collect();
        let _ = writeln!(text, "\nLines by {}: {}.", names.last().unwrap_or(&""), counts.join(", "));
    }
    Ok(format!("{text}\nMade from `{shown}`."))
}

/// The claims of all papers, and how their tables agree with ours.
fn all_papers(folder: &Path) -> Result<String, LabError> {
    let mut counts = String::from(
        "| paper | independent cells | not told apart | median difference of shares | shown within 5 points | commit | CPU time, and where most of it went |\n|---|---:|---:|---:|---:|---|---|\n",
    );
    let (mut list, mut commands, mut minutes) = (Vec::new(), String::new(), 0.0);
    for experiment in papers::all() {
        let path = folder.join(experiment.about().id).join("paper.json");
        if !path.exists() {
            continue;
        }
        let result = read_result(&path)?;
        let count = of_result(&result);
        let median = count.median().map_or("–".into(), |median| format!("{:.1} points", 100.0 * median));
        let commit = result.made.as_ref().and_then(|made| made.commit.as_deref());
        let _ = writeln!(
            counts,
            "| {} | {} | {} | {median} | {} of {} | {} | {} |",
            result.paper,
            count.cells,
            count.inside,
            count.same,
            count.shares,
            commit.map_or("not kept", |commit| &commit[..commit.len().min(10)]),
            result.made.as_ref().map_or("not kept".into(), spent)
        );
        let _ = writeln!(commands, "    {}", result.command());
        minutes += result.made.as_ref().map_or(0.0, |made| made.cpu_total() / 60.0);
        list.extend(result.paper_claims);
    }
    let total = format!("All of them together took {:.0} minutes of CPU time.", minutes);
    Ok(format!("{}\n{counts}\n{total}\n\nMade by\n\n{commands}", claims::markdown(&list, true)))
}

/// All the CPU time, and the kinds of units that took most of it.
fn spent(made: &Made) -> String {
    const SHOWN: usize = 3;
    let mut kinds: Vec<(&String, f64)> =
        made.cpu_seconds.iter().map(|(kind, spent)| (kind, *spent)).collect();
    kinds.sort_by(|one, two| two.1.total_cmp(&one.1));
    let most: Vec<String> =
        kinds.iter().take(SHOWN).map(|(kind, spent)| format!("{kind} {:.1}", spent / 60.0)).collect();
    format!("{:.1} min: {}", made.cpu_total() / 60.0, most.join(", "))
}

fn comparisons(result: &PaperResult) -> String {
    let mut text = String::from("| statement | difference | p after Holm | shown |\n|---|---:|---:|---|\n");
    for claim in &result.claims {
        let _ = writeln!(
            text,
            "| {} | {:+.4} | {:.4} | {} |",
            claim.text,
            claim.test.difference,
            claim.corrected_p,
            if claim.holds { "yes" } else { "no" }
        );
    }
    text
}

fn figure_data(kind: &FigureKind) -> Option<String> {
    let FigureKind::Plot(series) = kind else { return None };
    let mut text = String::from("| series | x | y |\n|---|---:|---:|\n");
    for one in series {
        for point in &one.points {
            let _ = writeln!(text, "| {} | {} | {:.4} |", one.name, point.x, point.y);
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{About, Cell, Plan, Row, Scale, Table};

    #[test]
    fn blocks_are_made_anew_and_the_rest_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let about = About { id: "x", title: "X", citation: "" };
        let mut result = PaperResult::new(about, &Plan::new(Scale::Paper, 1));
        let cell = Cell::share(3, 4).paper(0.5);
        result.tables.push(Table::new("2", "Shares", &["share"]).row(Row::new("ours", [cell])));
        result.deviations.push("first".into());
        std::fs::write(folder.path().join("r.json"), serde_json::to_vec(&result).unwrap()).unwrap();
        let page = "# Page\n\n<!-- table r.json 2 -->\nold\n<!-- /table -->\n\nafter <!-- not ours -->\n<!-- deviations r.json -->\n<!-- /deviations -->\n";
        let fresh = refresh(page, folder.path()).unwrap();
        assert!(fresh.contains("| ours | **0.750**") && fresh.contains("1. first") && !fresh.contains("old"));
        assert!(fresh.starts_with("# Page\n") && fresh.contains("\nafter <!-- not ours -->\n"));
        assert_eq!(refresh(&fresh, folder.path()).unwrap(), fresh, "fresh stays fresh");
        let lines = "{\"game\":\"a|b\",\"score\":0.5,\"found\":[\"x\",\"y\"]}\n{\"game\":\"c\",\"score\":1,\"found\":[]}\n";
        std::fs::write(folder.path().join("g.jsonl"), lines).unwrap();
        let page =
            refresh("<!-- lines g.jsonl game,score,found -->\n<!-- /lines -->\n", folder.path()).unwrap();
        for piece in ["| a\\|b | 0.500 | x; y |", "| c | 1 | none |", "Lines by found: none: 1, x; y: 1."] {
            assert!(page.contains(piece), "{piece} in {page}");
        }
        for wrong in [
            "<!-- lines g.jsonl game,nothing -->\n<!-- /lines -->",
            "<!-- table r.json 9 -->\n<!-- /table -->",
            "<!-- table r.json 2 -->",
            "<!-- table no.json 2 -->\n<!-- /table -->",
        ] {
            assert!(refresh(wrong, folder.path()).is_err(), "{wrong}");
        }
    }
}
