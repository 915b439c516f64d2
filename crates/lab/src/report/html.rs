//! The page: one file, no network, light and dark, readable on a phone.

use std::fmt::Write;

use super::{agreement, p_text, plot};
use crate::{Agreement, Cell, Figure, PaperResult, Scale, Table};

const STYLE: &str = include_str!("style.css");
/// The whole of the page's script: the button that changes sides.
const SCRIPT: &str = "document.querySelector('.theme').onclick=()=>{const r=document.documentElement,d=getComputedStyle(r).colorScheme.trim()==='dark'||(!r.dataset.theme&&matchMedia('(prefers-color-scheme:dark)').matches);r.dataset.theme=d?'light':'dark'}";

/// The report as one HTML document.
pub fn page(result: &PaperResult) -> String {
    let mut body = String::new();
    header(&mut body, result);
    facts(&mut body, result);
    if !result.summary.is_empty() {
        body.push_str("<section id=\"found\"><h2>What was found</h2>");
        for sentence in &result.summary {
            let _ = write!(body, "<p>{}</p>", escape(sentence));
        }
        body.push_str("</section>");
    }
    claims(&mut body, result);
    tables(&mut body, result);
    if !result.figures.is_empty() {
        body.push_str("<section id=\"figures\"><h2>Figures</h2>");
        for one in &result.figures {
            figure(&mut body, one);
        }
        body.push_str("</section>");
    }
    deviations(&mut body, result);
    repeat(&mut body, result);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{} · reproduced by Ludens</title><style>{STYLE}</style></head><body><main>{body}</main><script>{SCRIPT}</script></body></html>\n",
        escape(&result.title)
    )
}

fn scale_words(scale: Scale) -> &'static str {
    match scale {
        Scale::Smoke => "smoke test: sizes too small to say anything about the paper",
        Scale::Quick => "quick: reduced sizes, the effect only",
        Scale::Paper => "the published size",
    }
}

fn header(body: &mut String, result: &PaperResult) {
    let _ = write!(
        body,
        "<header><p class=\"kicker\">Ludens reproduces · {}</p><h1>{}</h1><p class=\"cite\">{}</p><button class=\"theme\" title=\"light or dark\" aria-label=\"light or dark\">◐</button><nav>",
        escape(&result.paper),
        escape(&result.title),
        escape(&result.citation)
    );
    let parts = [
        ("found", "Findings", !result.summary.is_empty()),
        ("claims", "Comparisons", !result.claims.is_empty()),
        ("tables", "Tables", !result.tables.is_empty()),
        ("figures", "Figures", !result.figures.is_empty()),
        ("deviations", "Deviations", !result.deviations.is_empty()),
        ("repeat", "Repeat it", true),
    ];
    for (id, name, _) in parts.iter().filter(|part| part.2) {
        let _ = write!(body, "<a href=\"#{id}\">{name}</a>");
    }
    body.push_str("</nav></header>");
}

fn facts(body: &mut String, result: &PaperResult) {
    let (inside, judged) = agreement(result);
    let cells: usize = result.tables.iter().flat_map(|table| &table.rows).map(|row| row.cells.len()).sum();
    let shown = result.claims.iter().filter(|claim| claim.holds).count();
    body.push_str("<ul class=\"facts\">");
    let _ = write!(
        body,
        "<li><b>{}</b><span>scale: {}</span></li>",
        result.scale.name(),
        scale_words(result.scale).split_once(": ").map_or(scale_words(result.scale), |(_, words)| words)
    );
    if judged > 0 {
        let _ = write!(
            body,
            "<li><b>{inside} of {judged}</b><span>comparable cells inside the joint 99 % interval</span></li>"
        );
    }
    if !result.claims.is_empty() {
        let _ = write!(
            body,
            "<li><b>{shown} of {}</b><span>comparisons shown by a test</span></li>",
            result.claims.len()
        );
    }
    let _ = write!(body, "<li><b>{cells}</b><span>cells in {} tables</span></li></ul>", result.tables.len());
}

fn claims(body: &mut String, result: &PaperResult) {
    if result.claims.is_empty() {
        return;
    }
    body.push_str("<section id=\"claims\"><h2>Comparisons, each with its test</h2><div class=\"card\"><ul class=\"claims\">");
    for claim in &result.claims {
        let (class, mark, word) =
            if claim.holds { ("yes", "✓", "shown") } else { ("no", "○", "not shown") };
        let test = &claim.test;
        let _ = write!(
            body,
            "<li><span class=\"{class}\" title=\"{word}\">{mark}</span><div>{}<small>{word}: difference {} [{} – {}], {}; {} after Holm</small></div></li>",
            escape(&claim.text),
            signed(test.difference),
            signed(test.interval.low),
            signed(test.interval.high),
            escape(&test.name),
            p_text(claim.corrected_p)
        );
    }
    body.push_str("</ul></div></section>");
}

fn signed(value: f64) -> String {
    let digits = if value.abs() >= 10.0 { 1 } else { 4 };
    format!("{value:+.digits$}").replace('-', "−")
}

fn tables(body: &mut String, result: &PaperResult) {
    if result.tables.is_empty() {
        return;
    }
    body.push_str(
        "<section id=\"tables\"><h2>Tables</h2><p class=\"key\">Ours in bold, its 95 % interval below, then the paper's value. <span class=\"mark inside\">●</span> inside the joint 99 % interval, <span class=\"mark outside\">▲</span> outside.</p>",
    );
    for one in &result.tables {
        table(body, one);
    }
    body.push_str("</section>");
}

fn table(body: &mut String, table: &Table) {
    let numbered = !table.beyond && table.id.starts_with(|c: char| c.is_ascii_digit());
    let name = if !numbered {
        String::new()
    } else {
        format!("<span class=\"id\">Table {}</span>", escape(&table.id))
    };
    let beyond = if table.beyond { "<span class=\"beyond\">beyond the paper</span>" } else { "" };
    let _ = write!(
        body,
        "<div class=\"card\" id=\"table-{}\"><h3>{name}{}{beyond}</h3><div class=\"scroll\"><table><thead><tr><th></th>",
        escape(&table.id),
        escape(&table.title)
    );
    for column in &table.columns {
        let _ = write!(body, "<th>{}</th>", escape(column));
    }
    body.push_str("</tr></thead><tbody>");
    for row in &table.rows {
        let _ = write!(body, "<tr><th>{}</th>", escape(&row.label));
        for one in &row.cells {
            cell(body, one);
        }
        body.push_str("</tr>");
    }
    body.push_str("</tbody></table></div>");
    if !table.note.is_empty() {
        let _ = write!(body, "<p class=\"note\">{}</p>", escape(&table.note));
    }
    body.push_str("</div>");
}

fn cell(body: &mut String, cell: &Cell) {
    if let Some(text) = &cell.text {
        let class = if text.chars().count() > 12 { " class=\"words\"" } else { "" };
        let _ = write!(body, "<td{class}>{}</td>", escape(text));
        return;
    }
    let trials = if cell.trials > 1 { format!(" title=\"{} trials\"", cell.trials) } else { String::new() };
    let _ = write!(body, "<td{trials}>");
    match cell.ours {
        Some(ours) => {
            let _ = write!(body, "<span class=\"ours\">{}</span>", cell.show(ours));
        }
        None => body.push('–'),
    }
    body.push_str(match cell.agreement() {
        Agreement::Inside => "<span class=\"mark inside\" title=\"inside the joint 99 % interval\">●</span>",
        Agreement::Outside => {
            "<span class=\"mark outside\" title=\"outside the joint 99 % interval\">▲</span>"
        }
        Agreement::Unknown => "",
    });
    if let Some(range) = cell.show_interval() {
        let _ = write!(body, "<span class=\"range\">{range}</span>");
    }
    if let Some(paper) = cell.paper {
        let _ = write!(body, "<span class=\"theirs\">{}</span>", cell.show(paper));
    }
    body.push_str("</td>");
}

fn figure(body: &mut String, figure: &Figure) {
    let _ = write!(
        body,
        "<div class=\"card\" id=\"figure-{}\"><figure><h3><span class=\"id\">Figure {}</span>{}</h3>{}<figcaption>{}</figcaption></figure></div>",
        escape(&figure.id),
        escape(&figure.id),
        escape(&figure.title),
        plot::figure(figure),
        escape(&figure.caption)
    );
}

fn deviations(body: &mut String, result: &PaperResult) {
    if result.deviations.is_empty() {
        return;
    }
    body.push_str("<section id=\"deviations\"><h2>Deviations from the paper</h2><ol class=\"deviations\">");
    for deviation in &result.deviations {
        let _ = write!(body, "<li>{}</li>", escape(deviation));
    }
    body.push_str("</ol></section>");
}

fn repeat(body: &mut String, result: &PaperResult) {
    let mut commands = result.command();
    for command in &result.commands {
        commands.push('\n');
        commands.push_str(command);
    }
    let _ = write!(
        body,
        "<section id=\"repeat\"><h2>Repeat it</h2><pre>{}</pre><p class=\"note\">Every unit of work draws its randomness from (seed {}, name of the unit); the result is the same bytes on one thread and on many, and after any interruption. Scale: {}.</p></section><footer>Ludens {} · {}</footer>",
        escape(&commands),
        result.seed,
        scale_words(result.scale),
        escape(&result.version),
        escape(&result.paper)
    );
}

/// Text made safe inside HTML.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(c),
        }
    }
    safe
}
