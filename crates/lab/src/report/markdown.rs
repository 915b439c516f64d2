//! The same result as Markdown, for the docs.

use std::fmt::Write;

use super::p_text;
use crate::agreement::{Mark, judge, of_result};
use crate::papers::completed;
use crate::{Cell, PaperResult, Table, claims};

/// The whole report.
pub fn markdown(result: &PaperResult) -> String {
    let result = &completed(result);
    let mut text = format!("# {}\n\n{}\n\n", result.title, result.citation);
    let _ = writeln!(text, "Made by `{}` with Ludens {}.", result.command(), result.version);
    if !result.paper_claims.is_empty() {
        let _ =
            write!(text, "\n## What the paper says\n\n{}\n", claims::markdown(&result.paper_claims, false));
    }
    if let Some(words) = of_result(result).words() {
        let _ = writeln!(text, "{words}");
    }
    for sentence in &result.summary {
        let _ = write!(text, "\n{sentence}\n");
    }
    if !result.claims.is_empty() {
        text.push_str("\n## Comparisons\n\n");
        for claim in &result.claims {
            let word = if claim.holds { "shown" } else { "not shown" };
            let _ = writeln!(
                text,
                "- {}: **{word}** (difference {:+.4}, {}, {} after Holm)",
                claim.text,
                claim.test.difference,
                claim.test.name,
                p_text(claim.corrected_p)
            );
        }
    }
    text.push_str("\n## Tables\n");
    for one in &result.tables {
        let _ = write!(text, "\n### {}\n\n{}", heading(one), table(one));
    }
    if !result.deviations.is_empty() {
        text.push_str("\n## Deviations\n\n");
        for (index, deviation) in result.deviations.iter().enumerate() {
            let _ = writeln!(text, "{}. {deviation}", index + 1);
        }
    }
    text
}

fn heading(table: &Table) -> String {
    if table.beyond {
        format!("{} (beyond the paper)", table.title)
    } else if !table.id.starts_with(|c: char| c.is_ascii_digit()) {
        table.title.clone()
    } else {
        format!("Table {}: {}", table.id, table.title)
    }
}

/// One table: ours [interval] (paper's).
pub fn table(table: &Table) -> String {
    let clean = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    let mut text = String::from("| |");
    for column in &table.columns {
        let _ = write!(text, " {} |", clean(column));
    }
    text.push_str("\n|---|");
    text.push_str(&"---:|".repeat(table.columns.len()));
    text.push('\n');
    for (row, marks) in table.rows.iter().zip(judge(table).marks) {
        let _ = write!(text, "| {} |", clean(&row.label));
        for (one, mark) in row.cells.iter().zip(marks) {
            let _ = write!(text, " {} |", clean(&cell(one, mark)));
        }
        text.push('\n');
    }
    if !table.note.is_empty() {
        let _ = write!(text, "\n{}\n", table.note);
    }
    text
}

fn cell(cell: &Cell, mark: Mark) -> String {
    if let Some(words) = &cell.text {
        return words.clone();
    }
    let mut text = cell.ours.map_or("–".into(), |ours| format!("**{}**", cell.show(ours)));
    if let Some(range) = cell.show_interval() {
        let _ = write!(text, " [{range}]");
    }
    if let Some(paper) = cell.paper {
        let space = if mark.sign().is_empty() { "" } else { " " };
        let _ = write!(text, " (paper {}{space}{})", cell.show(paper), mark.sign());
    }
    text
}
