//! The docs show what the committed results say. `cargo xtask docs` mends them.

use std::fs;
use std::path::{Path, PathBuf};

use ludens_lab::agreement::of_result;
use ludens_lab::docs::refresh;
use ludens_lab::papers::completed;
use ludens_lab::{PaperResult, Verdict};

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
                let result: Result<PaperResult, _> = serde_json::from_slice(&bytes);
                assert!(result.is_ok(), "{}: {:?}", file.path().display(), result.err());
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
