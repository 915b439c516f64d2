//! The page: one file, no network, light and dark, readable on a phone.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{p_text, plot};
use crate::agreement::{Agreement, Mark, judge, of_result};
use crate::papers::completed;
use crate::{Cell, Figure, PaperResult, Scale, Table, Verdict};

const STYLE: &str = include_str!("style.css");
/// The whole of the page's script: the button that changes sides.
const SCRIPT: &str = "document.querySelector('.theme').onclick=()=>{const r=document.documentElement,d=getComputedStyle(r).colorScheme.trim()==='dark'||(!r.dataset.theme&&matchMedia('(prefers-color-scheme:dark)').matches);r.dataset.theme=d?'light':'dark'}";

/// The report as one HTML document.
pub fn page(result: &PaperResult) -> String {
    let result = &completed(result);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { (result.title) " · reproduced by Ludens" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    (header(result))
                    (facts(result))
                    @if !result.paper_claims.is_empty() { (paper_claims(result)) }
                    @if !result.summary.is_empty() {
                        section id="found" {
                            h2 { "What was found" }
                            @for sentence in &result.summary { p { (sentence) } }
                        }
                    }
                    @if !result.claims.is_empty() { (claims(result)) }
                    @if !result.tables.is_empty() { (tables(result)) }
                    @if !result.figures.is_empty() {
                        section id="figures" {
                            h2 { "Figures" }
                            @for one in &result.figures { (figure(one)) }
                        }
                    }
                    @if !result.deviations.is_empty() {
                        section id="deviations" {
                            h2 { "Deviations from the paper" }
                            ol.deviations { @for deviation in &result.deviations { li { (deviation) } } }
                        }
                    }
                    (repeat(result))
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string() + "\n"
}

fn scale_words(scale: Scale) -> &'static str {
    match scale {
        Scale::Smoke => "smoke test: sizes too small to say anything about the paper",
        Scale::Quick => "quick: reduced sizes, the effect only",
        Scale::Paper => "the published size",
    }
}

fn header(result: &PaperResult) -> Markup {
    let parts = [
        ("says", "What the paper says", !result.paper_claims.is_empty()),
        ("found", "Findings", !result.summary.is_empty()),
        ("claims", "Comparisons", !result.claims.is_empty()),
        ("tables", "Tables", !result.tables.is_empty()),
        ("figures", "Figures", !result.figures.is_empty()),
        ("deviations", "Deviations", !result.deviations.is_empty()),
        ("repeat", "Repeat it", true),
    ];
    html! {
        header {
            p.kicker { "Ludens reproduces · " (result.paper) }
            h1 { (result.title) }
            p.cite { (result.citation) }
            button.theme title="light or dark" aria-label="light or dark" { "◐" }
            nav {
                @for (id, name, _) in parts.iter().filter(|part| part.2) { a href={ "#" (id) } { (name) } }
            }
        }
    }
}

fn facts(result: &PaperResult) -> Markup {
    let count = of_result(result);
    let holding = result.paper_claims.iter().filter(|claim| claim.verdict == Verdict::Holds).count();
    let cells: usize = result.tables.iter().flat_map(|table| &table.rows).map(|row| row.cells.len()).sum();
    let shown = result.claims.iter().filter(|claim| claim.holds).count();
    let words = scale_words(result.scale);
    html! {
        ul.facts {
            li {
                b { (result.scale.name()) }
                span { "scale: " (words.split_once(": ").map_or(words, |(_, words)| words)) }
            }
            @if !result.paper_claims.is_empty() {
                li { b { (holding) " of " (result.paper_claims.len()) } span { "claims of the paper hold here" } }
            }
            @if count.cells > 0 {
                li {
                    b { (count.inside) " of " (count.cells) }
                    span { "independent cells cannot be told from the paper's" }
                }
            }
            @if let Some(median) = count.median() {
                li { b { (format!("{:.1} points", 100.0 * median)) } span { "median difference of the shares" } }
            }
            @if !result.claims.is_empty() {
                li { b { (shown) " of " (result.claims.len()) } span { "comparisons shown by a test" } }
            }
            li { b { (cells) } span { "cells in " (result.tables.len()) " tables" } }
        }
    }
}

fn paper_claims(result: &PaperResult) -> Markup {
    html! {
        section id="says" {
            h2 { "What the paper says, and what became of it here" }
            div.card {
                ul.claims {
                    @for claim in &result.paper_claims {
                        @let (class, mark) = match claim.verdict {
                            Verdict::Holds => ("yes", "✓"),
                            Verdict::Fails => ("no", "✗"),
                            Verdict::CannotBeJudged => ("no", "?"),
                        };
                        li {
                            span class=(class) title=(claim.verdict.word()) { (mark) }
                            div {
                                (claim.sentence)
                                small {
                                    (claim.verdict.word()) ": " (claim.figure)
                                    @if claim.test != "none" { " · " (claim.test) " · " (claim.seeds) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn claims(result: &PaperResult) -> Markup {
    html! {
        section id="claims" {
            h2 { "Comparisons of ours, each with its test" }
            div.card {
                ul.claims {
                    @for claim in &result.claims {
                        @let (class, mark, word) =
                            if claim.holds { ("yes", "✓", "shown") } else { ("no", "○", "not shown") };
                        @let test = &claim.test;
                        li {
                            span class=(class) title=(word) { (mark) }
                            div {
                                (claim.text)
                                small {
                                    (word) ": difference " (signed(test.difference))
                                    " [" (signed(test.interval.low)) " – " (signed(test.interval.high)) "], "
                                    (test.name) "; " (p_text(claim.corrected_p)) " after Holm"
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn signed(value: f64) -> String {
    let digits = if value.abs() >= 10.0 { 1 } else { 4 };
    format!("{value:+.digits$}").replace('-', "−")
}

fn tables(result: &PaperResult) -> Markup {
    html! {
        section id="tables" {
            h2 { "Tables" }
            p.key {
                "Ours in bold, its 95 % interval below, then the paper's value. "
                span.mark.inside { "●" } " not told from the paper's at the joint 99 % level of its table, "
                span.mark.outside { "▲" } " told apart; "
                span.mark.inside { "○" } " and " span.mark.outside { "△" }
                " the same of cells that follow from others and are not counted."
            }
            @for one in &result.tables { (table(one)) }
        }
    }
}

fn table(table: &Table) -> Markup {
    let numbered = !table.beyond && table.id.starts_with(|c: char| c.is_ascii_digit());
    html! {
        div.card id={ "table-" (table.id) } {
            h3 {
                @if numbered { span.id { "Table " (table.id) } }
                (table.title)
                @if table.beyond { span.beyond { "beyond the paper" } }
            }
            div.scroll {
                table {
                    thead { tr { th {} @for column in &table.columns { th { (column) } } } }
                    tbody {
                        @for (row, marks) in table.rows.iter().zip(judge(table).marks) {
                            tr { th { (row.label) } @for (one, mark) in row.cells.iter().zip(marks) { (cell(one, mark)) } }
                        }
                    }
                }
            }
            @if !table.note.is_empty() { p.note { (table.note) } }
        }
    }
}

fn cell(cell: &Cell, mark: Mark) -> Markup {
    if let Some(text) = &cell.text {
        let words = (text.chars().count() > 12).then_some("words");
        return html! { td class=[words] { (text) } };
    }
    let trials = (cell.trials > 1).then(|| format!("{} trials", cell.trials));
    html! {
        td title=[trials] {
            @match cell.ours {
                Some(ours) => span.ours { (cell.show(ours)) },
                None => "–",
            }
            @match mark.agreement {
                Agreement::Inside => span.mark.inside title="not told from the paper's" { (mark.sign()) },
                Agreement::Outside => span.mark.outside title="told from the paper's" { (mark.sign()) },
                Agreement::Unknown => {}
            }
            @if let Some(range) = cell.show_interval() { span.range { (range) } }
            @if let Some(paper) = cell.paper { span.theirs { (cell.show(paper)) } }
        }
    }
}

fn figure(figure: &Figure) -> Markup {
    html! {
        div.card id={ "figure-" (figure.id) } {
            figure {
                h3 { span.id { "Figure " (figure.id) } (figure.title) }
                (plot::figure(figure))
                figcaption { (figure.caption) }
            }
        }
    }
}

fn repeat(result: &PaperResult) -> Markup {
    let mut commands = result.command();
    for command in &result.commands {
        commands.push('\n');
        commands.push_str(command);
    }
    html! {
        section id="repeat" {
            h2 { "Repeat it" }
            pre { (commands) }
            p.note {
                "Every unit of work draws its randomness from (seed " (result.seed) ", name of the unit); the result is "
                "the same bytes on one thread and on many, and after any interruption. Scale: "
                (scale_words(result.scale)) "."
            }
        }
        footer { "Ludens " (result.version) " · " (result.paper) }
    }
}
