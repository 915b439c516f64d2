//! The laws of the house that a machine can check.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::steps::root;

/// A reader should find the room for a line of code at once.
const LONGEST_FILE: usize = 500;

pub fn check() -> Result<(), String> {
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output()
        .map_err(|error| format!("cannot run git: {error}"))?;
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names: Vec<&str> = names.split('\0').filter(|name| !name.is_empty()).collect();
    let mut problems: Vec<String> = names.iter().flat_map(|name| faults(name)).collect();
    problems.extend(limits(&names));
    problems.extend(crate::attack::figures::faults());
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn faults(name: &str) -> Vec<String> {
    let Ok(text) = fs::read_to_string(Path::new(&root()).join(name)) else { return Vec::new() };
    let mut faults = Vec::new();
    // Packages are named, the hosts they come from never: that is the machine's business. (Cargo writes the index into its lock.)
    for host in
        [["registry.npm", "js.org"], ["pypi", ".org"], ["deb.deb", "ian.org"], ["static.crates", ".io"]]
    {
        if text.contains(&host.concat()) && name != "Cargo.lock" {
            faults.push(format!("{name} names the package host {}", host.concat()));
        }
    }
    if !name.ends_with(".rs") {
        return faults;
    }
    let lines = text.lines().count();
    if lines > LONGEST_FILE {
        faults.push(format!("{name} has {lines} lines: make two rooms of it (at most {LONGEST_FILE})"));
    }
    // Spelt in two parts, so that this file passes its own test.
    for loose in
        [["todo", "!("], ["unimplemented", "!("], ["#[ign", "ore"], ["FIX", "ME"]].map(|parts| parts.concat())
    {
        if text.contains(&loose) {
            faults.push(format!("{name} has a loose end: {loose}"));
        }
    }
    faults
}

/// The table of limits in the docs says what the code says: each row names a file, a piece of it, and what a user is told.
fn limits(names: &[&str]) -> Vec<String> {
    const PAGE: &str = "docs/reliability.md";
    let read = |name: &str| fs::read_to_string(Path::new(&root()).join(name)).unwrap_or_default();
    let page = read(PAGE);
    let sources: Vec<String> = names
        .iter()
        .filter(|name| name.starts_with("crates/") && name.ends_with(".rs"))
        .map(|name| read(name))
        .collect();
    let mut faults = Vec::new();
    for row in page.lines().filter(|line| line.starts_with('|') && line.contains("`crates/")) {
        let words: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        let [file, piece, said @ ..] = words.as_slice() else { continue };
        if !read(file).contains(piece) {
            faults.push(format!("{PAGE}: {file} has no {piece:?} any more; correct the row"));
        }
        for words in said.iter().filter(|words| !sources.iter().any(|source| source.contains(**words))) {
            faults.push(format!("{PAGE}: nobody says {words:?} any more; correct the row"));
        }
    }
    faults
}
