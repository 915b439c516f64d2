//! The docs show what the committed results say. `cargo xtask docs` mends them.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use ludens_lab::agreement::of_result;
use ludens_lab::docs::{KINDS, refresh};
use ludens_lab::measured::Measured;
use ludens_lab::papers::completed;
use ludens_lab::{PaperResult, Sample, Verdict};

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

#[test]
fn no_page_has_drifted_from_the_results() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = vec![root.join("README.md")];
    pages(&root.join("docs"), &mut found);
    let mend = std::env::var_os("LUDENS_MEND_DOCS").is_some();
    for path in found.iter().filter(|path| path.exists()) {
        let page = fs::read_to_string(path).unwrap();
        let fresh = refresh(&page, &root).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // A last line without its end is no drift.
        if fresh.trim_end() != page.trim_end() {
            assert!(mend, "{} has drifted: run `cargo xtask docs` and commit", path.display());
            fs::write(path, fresh).unwrap();
        }
    }
}

#[test]
fn every_committed_result_can_be_read() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    for paper in fs::read_dir(results).into_iter().flatten().flatten() {
        for file in fs::read_dir(paper.path()).into_iter().flatten().flatten() {
            if file.path().extension().is_some_and(|extension| extension == "json") {
                let bytes = fs::read(file.path()).unwrap();
                let problem = if file.file_name() == "unit.json" {
                    serde_json::from_slice::<Sample>(&bytes).err()
                } else if paper.file_name() == "measured" {
                    serde_json::from_slice::<Measured>(&bytes).err()
                } else {
                    serde_json::from_slice::<PaperResult>(&bytes).err()
                };
                assert!(problem.is_none(), "{}: {problem:?}", file.path().display());
            }
        }
    }
}

/// The verdicts are made of the numbers: other numbers, other verdicts.
#[test]
fn verdicts_flip_with_the_data() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/contexts/paper.json");
    let result: PaperResult = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let verdict = |result: &PaperResult, words: &str| {
        let claims = completed(result).paper_claims;
        claims.into_iter().find(|claim| claim.sentence.contains(words)).unwrap().verdict
    };
    let words = "all find the best move in over 52.7 %";
    assert_eq!(verdict(&result, words), Verdict::Holds);
    let mut other = result.clone();
    let cell = &mut other.tables[1].rows[0].cells[0];
    cell.ours = Some(0.45);
    assert_eq!(verdict(&other, words), Verdict::Fails);
    other.tables[1].rows[0].cells[0].ours = Some(0.53);
    assert_eq!(verdict(&other, words), Verdict::CannotBeJudged);
    other.tables.remove(1);
    assert_eq!(verdict(&other, words), Verdict::CannotBeJudged);
}

/// Every paper is judged by the one rule: its claims are there, and some cells can be compared.
#[test]
fn every_paper_is_judged() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    for paper in ["contexts", "nhb", "coevolution", "concepts", "actr"] {
        let bytes = fs::read(results.join(paper).join("paper.json")).unwrap();
        let result = completed(&serde_json::from_slice(&bytes).unwrap());
        assert!(result.paper_claims.len() >= 5, "{paper}");
        assert!(of_result(&result).cells > 0, "{paper}");
        assert_eq!(completed(&result), result, "{paper}: judged once is judged");
    }
}

/// A sentence about an outcome is made of the outcome: it has a number in it. (It cannot be checked that it is the right one; that none is a
/// constant can, roughly.)
#[test]
fn summaries_are_made_of_numbers() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    for paper in ["contexts", "nhb", "coevolution", "concepts", "actr"] {
        let bytes = fs::read(results.join(paper).join("paper.json")).unwrap();
        let result: PaperResult = serde_json::from_slice(&bytes).unwrap();
        for sentence in completed(&result).summary {
            assert!(sentence.contains(|c: char| c.is_ascii_digit()), "{paper}: {sentence}");
        }
    }
}

/// Pages that still have typed measurements. Clean one and take it off; nothing may be added.
const NOT_YET: &[&str] = &[];
/// Bytes a learner's page may have outside its generated blocks, and a page of tables.
const PAGE_BYTES: usize = 8 << 10;
const TABLES_BYTES: usize = 2 << 10;
/// A line with this marker and a reason after it may have a number: a definition or a setting, never an outcome.
const TYPED: &str = "<!-- typed: ";

/// A number is a measurement when one of these follows.
const UNITS: [&str; 30] = [
    "%",
    "per cent",
    "points",
    "/s",
    "s",
    "ms",
    "µs",
    "min",
    "h",
    "seconds",
    "minutes",
    "hours",
    "CPU-s",
    "CPU-second",
    "CPU-seconds",
    "CPU-minutes",
    "CPU-hours",
    "KB",
    "MB",
    "GB",
    "kilobytes",
    "megabytes",
    "gigabytes",
    "GHz",
    "Elo",
    "times faster",
    "times slower",
    "times fewer",
    "times more",
    "times as fast",
];
/// … or one of these within the next few words.
const RATES: [&str; 6] =
    ["/s", " a second", " per second", " a CPU-second", " per CPU-second", " each second"];
const RATE_WITHIN: usize = 40;

/// The lines of a page; none where a block was made.
fn outside(page: &str) -> Vec<Option<&str>> {
    let mut block: Option<&str> = None;
    let line_by_line = page.lines().map(|line| {
        if let Some(kind) = block {
            if line.trim() == format!("<!-- /{kind} -->") {
                block = None;
            }
            return None;
        }
        // `attack` is made and checked by `cargo xtask attack`.
        let mut kinds = KINDS.iter().chain(&["attack:"]);
        block = kinds
            .find(|kind| line.starts_with(&format!("<!-- {kind} ")))
            .map(|kind| kind.trim_end_matches(':'));
        if block.is_some() { None } else { Some(line) }
    });
    line_by_line.collect()
}

/// The lines of a page that are neither made nor code; the others are empty.
fn prose(page: &str) -> Vec<&str> {
    let (mut fence, mut code, mut before) = (false, false, "");
    let line_by_line = outside(page).into_iter().map(|line| {
        let line = line.unwrap_or_default();
        let trimmed = line.trim();
        let mark = trimmed.starts_with("```");
        fence ^= mark;
        code = line.starts_with("    ") && (code || before.is_empty());
        before = trimmed;
        if fence || mark || code { "" } else { line }
    });
    line_by_line.collect()
}

/// Without what stands in backticks, in comments and in the targets of links.
fn plain(line: &str) -> String {
    let mut text: String =
        line.split('`').enumerate().map(|(index, piece)| if index % 2 == 0 { piece } else { "·" }).collect();
    for (start, end) in [("<!--", "-->"), ("](", ")")] {
        while let Some(from) = text.find(start) {
            let to = text[from..].find(end).map_or(text.len(), |to| from + to + end.len());
            text.replace_range(from..to, "");
        }
    }
    text
}

/// What is typed and looks measured, as (line, what it is, the line). The rule: a number in digits
///
/// - before a per cent sign, a unit of time, memory, points or speed, or a rate within the next words,
/// - after ±, or one of two numbers alone in square brackets,
/// - that begins with its point (.95), or has two or more digits behind it.
fn typed_measurements(page: &str) -> Vec<(usize, &'static str, String)> {
    let lines = prose(page);
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let reason = line
            .split_once(TYPED)
            .map_or("", |(_, rest)| rest.split("-->").next().unwrap_or_default().trim());
        if !reason.is_empty() {
            continue;
        }
        let text = plain(line);
        // A unit may stand at the start of the next line.
        let next = if text.starts_with('|') {
            String::new()
        } else {
            lines.get(index + 1).map_or(String::new(), |next| plain(next))
        };
        let whole = format!("{text} {}", next.trim_start());
        if let Some(why) = numbers(&text).into_iter().find_map(|(from, to)| measured(&whole, from, to)) {
            found.push((index + 1, why, line.trim().to_string()));
        }
    }
    found
}

/// Where numbers stand, in bytes: 12, 1,000, 0.5, .95; not the digits of S4 or of 127.0.0.1.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let (mut at, mut found) = (0, Vec::new());
    while at < bytes.len() {
        let start = digit(at) || (bytes[at] == b'.' && digit(at + 1));
        if !start {
            at += 1;
            continue;
        }
        let from = at;
        while digit(at) || (at < bytes.len() && matches!(bytes[at], b'.' | b',') && digit(at + 1)) {
            at += 1;
        }
        let within = text[..from].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        if !within && text[from..at].matches('.').count() < 2 {
            found.push((from, at));
        }
    }
    found
}

fn measured(text: &str, from: usize, to: usize) -> Option<&'static str> {
    let number = &text[from..to];
    if number.split_once('.').is_some_and(|(whole, digits)| whole.is_empty() || digits.len() > 1) {
        return Some("a share");
    }
    let (before, after) = (text[..from].trim_end(), &text[to..]);
    if before.ends_with('±') {
        return Some("a spread");
    }
    if let Some((open, _)) =
        before.char_indices().rev().find(|(_, c)| !is_of_interval(*c)).filter(|(_, c)| *c == '[')
    {
        let inside = text[open + 1..].split(']').next().unwrap_or_default();
        if inside.chars().all(is_of_interval) && numbers(inside).len() == 2 {
            return Some("an interval");
        }
    }
    let mut rest = after.trim_start();
    for many in ["k ", "M ", "million ", "thousand "] {
        rest = rest.strip_prefix(many).unwrap_or(rest);
    }
    let unit = |unit: &&str| {
        let end = rest.strip_prefix(*unit)?.chars().next();
        (!end.is_some_and(char::is_alphanumeric)).then_some(())
    };
    if UNITS.iter().any(|one| unit(one).is_some()) {
        return Some("a number with a unit");
    }
    let near: String = after.chars().take(RATE_WITHIN).take_while(|c| !".;:|(".contains(*c)).collect();
    RATES.iter().any(|rate| near.contains(rate)).then_some("a rate")
}

fn is_of_interval(c: char) -> bool {
    c.is_ascii_digit() || " .,;–-−+%".contains(c)
}

#[test]
fn a_typed_measurement_is_found() {
    for typed in [
        "It wins 45 % of its games.",
        "It wins 45.2% of them.",
        "Some 30 per cent.",
        "| ours | 0.5 [0.4 – 0.6] |",
        "58.8 ± 0.7 here",
        "It plays 2,600 games a second.",
        "about 31 M evaluations/s",
        "206 positions a second and core",
        "took 26.7 CPU-seconds",
        "in 2.4 s.",
        "needs 52 MB",
        "It came to .798 then.",
        "a mean of 1.937 nats",
        "t = 2.10 on that seed",
        "ten shares of 12\n% of all",
        "44 times fewer",
        "<!-- typed: --> 5 %",
        "<!-- nobody knows this kind -->\n5 %\n<!-- /nobody -->",
    ] {
        assert_eq!(typed_measurements(typed).len(), 1, "{typed}");
    }
    for settled in [
        "A level of 99 % is asked for. <!-- typed: the level is a setting -->",
        "<!-- table r.json 1 -->\n\n5 %\n\n<!-- /table -->",
        "<!-- attack: made from x -->\n| 5 MB |\n<!-- /attack -->",
        "```sh\nludens bench --seconds 5 # 5 s\n```",
        "Run\n\n    ludens bench # 5 s\n    ludens bench # 6 s\n\nor not.",
        "`ludens bench --seconds 0.6 s` and [a page](page-5%.md)",
        "S4 has 1,000 games and 48 chunks, block [1, 10, 1], at 127.0.0.1, CRC-32, depth 2.5",
        "a second game, and 3 sides",
    ] {
        assert_eq!(typed_measurements(settled), [], "{settled}");
    }
    let page = "# Page\n\nfirst\n5 %\n\n<!-- table r.json 1 -->\n7 %\n<!-- /table -->\n8 %\n";
    let lines: Vec<usize> = typed_measurements(page).iter().map(|found| found.0).collect();
    assert_eq!(lines, [4, 9]);
}

/// Numbers worth keeping stand in blocks made from results; the rest goes.
#[test]
fn no_measurement_is_typed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = vec![root.join("README.md")];
    pages(&root.join("docs"), &mut found);
    let (mut faults, mut clean) = (String::new(), Vec::new());
    for path in found {
        let page = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        let typed = typed_measurements(&page);
        if NOT_YET.contains(&name.as_str()) {
            if typed.is_empty() {
                clean.push(name);
            }
            continue;
        }
        for (line, why, text) in typed {
            let _ = writeln!(faults, "{name}:{line}: {why}: {text}");
        }
    }
    assert!(
        faults.is_empty(),
        "measurements are typed: make a block of them from a result, delete them, or say why not \
         ({TYPED}reason -->):\n{faults}"
    );
    assert!(clean.is_empty(), "take off the list NOT_YET: {clean:?}");
}

/// A page says it shortly; tables have pages of their own, and those are made.
#[test]
fn pages_of_learners_are_short() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/learners");
    let mut found = Vec::new();
    pages(&folder, &mut found);
    assert!(found.len() >= 5);
    for path in found {
        let page = fs::read_to_string(&path).unwrap();
        let bytes: usize = outside(&page).into_iter().flatten().map(|line| line.len() + 1).sum();
        let tables = path.file_stem().is_some_and(|name| name.to_string_lossy().ends_with("-tables"));
        let most = if tables { TABLES_BYTES } else { PAGE_BYTES };
        assert!(
            bytes <= most,
            "{} has {bytes} bytes outside its generated blocks, {most} are allowed",
            path.display()
        );
    }
}

/// Links between pages lead to files that are there.
#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = vec![root.join("README.md")];
    pages(&root.join("docs"), &mut found);
    for path in found {
        let page = fs::read_to_string(&path).unwrap();
        for link in page.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let there = link.contains("://") || path.parent().unwrap().join(link).exists();
            assert!(there, "{}: {link} is not there", path.display());
        }
    }
}
