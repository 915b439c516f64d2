//! The docs show what the committed results say. `cargo xtask docs` mends them.

use std::fs;
use std::path::{Path, PathBuf};

use ludens_lab::docs::refresh;

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
                let result: Result<ludens_lab::PaperResult, _> = serde_json::from_slice(&bytes);
                assert!(result.is_ok(), "{}: {:?}", file.path().display(), result.err());
            }
        }
    }
}
