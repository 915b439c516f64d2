//! The same result as Markdown, for the docs.

use std::fmt::Write;

use super::{agreement, p_text};
use crate::{Agreement, Cell, PaperResult, Table};

/// The whole report.
pub fn markdown(result: &PaperResult) -> String {
    let mut text = format!("# {}\n\n{}\n\n", result.title, result.citation);
    let (inside, judged) = agreement(result);
    let _ = writeln!(text, "Made by `{}` with Ludens {}.", result.command(), result.version);
    if judged > 0 {
        let _ = writeln!(text, "{inside} of {judged} comparable cells lie inside the joint 99 % interval.");
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
    for row in &table.rows {
        let _ = write!(text, "| {} |", clean(&row.label));
        for one in &row.cells {
            let _ = write!(text, " {} |", clean(&cell(one)));
        }
        text.push('\n');
    }
    if !table.note.is_empty() {
        let _ = write!(text, "\n{}\n", table.note);
    }
    text
}

fn cell(cell: &Cell) -> String {
    if let Some(words) = &cell.text {
        return words.clone();
    }
    let mut text = cell.ours.map_or("–".into(), |ours| format!("**{}**", cell.show(ours)));
    if let Some(range) = cell.show_interval() {
        let _ = write!(text, " [{range}]");
    }
    if let Some(paper) = cell.paper {
        let mark = match cell.agreement() {
            Agreement::Inside => " ●",
            Agreement::Outside => " ▲",
            Agreement::Unknown => "",
        };
        let _ = write!(text, " (paper {}{mark})", cell.show(paper));
    }
    text
}
