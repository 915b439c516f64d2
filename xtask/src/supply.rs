//! What others wrote and we build in: its licences, where it comes from, that its bytes are pinned, and which crates are there twice. It
//! needs nothing but cargo, so that it is part of every run; advisories are `cargo deny`'s, where that is installed.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use crate::steps::root;

/// Crates that are built in more than one version, and why: all of them come with faer, or with what faer needs.
const TWICE: &[&str] =
    &["bitflags", "equator", "equator-macro", "hashbrown", "syn", "thiserror", "thiserror-impl"];

pub fn check() -> Result<(), String> {
    let allowed = allowed(&read("deny.toml")?);
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()
        .map_err(|error| format!("cannot run cargo metadata: {error}"))?;
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)))?;
    let mut problems = pinned(&read("Cargo.lock")?);
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let none = Vec::new();
    let foreign = metadata["packages"].as_array().unwrap_or(&none).iter().filter(|p| p["source"].is_string());
    for package in foreign {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        versions.entry(text("name")).or_default().push(text("version"));
        if !text("source").starts_with("registry+") {
            problems.push(format!("{} comes from {}, not from the registry", text("name"), text("source")));
        }
        if !permits(text("license"), &allowed) {
            let (name, license) = (text("name"), text("license"));
            problems.push(format!("{name} is under {license:?}, which deny.toml does not allow"));
        }
    }
    let twice = versions.iter().filter(|(name, versions)| versions.len() > 1 && !TWICE.contains(name));
    problems.extend(twice.map(|(name, versions)| format!("{name} is built as {}", versions.join(" and "))));
    println!("{} crates from the registry, {} licences allowed", versions.len(), allowed.len());
    if versions.is_empty() {
        problems.push("cargo metadata lists no crate: nothing was checked".into());
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn read(name: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(name)).map_err(|error| format!("cannot read {name}: {error}"))
}

/// The licences that deny.toml lists: the words in quotes between `allow = [` and `]`.
fn allowed(deny: &str) -> Vec<String> {
    let list =
        deny.split_once("allow = [").and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
    let lines = list.lines().map(|line| line.split('#').next().unwrap_or(""));
    lines.filter_map(|line| Some(line.split('"').nth(1)?.to_string())).collect()
}

/// Every crate of the lock from a registry has a checksum.
fn pinned(lock: &str) -> Vec<String> {
    let packages = lock.split("[[package]]").filter(|package| package.contains("source = "));
    let loose = packages
        .filter(|package| !package.contains("checksum = \"") || !package.contains("source = \"registry+"));
    loose
        .map(|package| format!("Cargo.lock does not pin{}", package.lines().nth(1).unwrap_or(" a crate")))
        .collect()
}

/// Whether a licence expression can be kept with these: any part of an OR, every part of an AND. An old slash is an OR.
fn permits(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = expression.split_whitespace().collect();
    let mut rest = words.as_slice();
    let permitted = either(&mut rest, allowed);
    permitted && rest.is_empty()
}

fn either(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut permitted = both(words, allowed);
    while words.first() == Some(&"OR") {
        *words = &words[1..];
        permitted |= both(words, allowed);
    }
    permitted
}

fn both(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut permitted = one(words, allowed);
    while words.first() == Some(&"AND") {
        *words = &words[1..];
        permitted &= one(words, allowed);
    }
    permitted
}

fn one(words: &mut &[&str], allowed: &[String]) -> bool {
    match words {
        ["(", rest @ ..] => {
            *words = rest;
            let permitted = either(words, allowed);
            *words = words.strip_prefix(&[")"]).unwrap_or(&["unclosed"]);
            permitted
        }
        [licence, "WITH", exception, rest @ ..] => {
            let whole = format!("{licence} WITH {exception}");
            *words = rest;
            allowed.contains(&whole)
        }
        [licence, rest @ ..] => {
            let permitted = allowed.iter().any(|known| known == licence);
            *words = rest;
            permitted
        }
        [] => {
            // What ends too early is not read as if it had ended well.
            *words = &["nothing"];
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_read_as_they_are_meant() {
        let allowed =
            allowed("[licenses]\nallow = [\n  \"MIT\", # a comment\n  \"Zlib\",\n  \"A WITH b\",\n]\n");
        assert_eq!(allowed, ["MIT", "Zlib", "A WITH b"]);
        for good in ["MIT", "GPL-3.0 OR MIT", "MIT/Apache-2.0", "(GPL OR MIT) AND Zlib", "A WITH b OR GPL"] {
            assert!(permits(good, &allowed), "{good}");
        }
        for bad in ["", "GPL", "MIT AND GPL", "(MIT OR Zlib) AND GPL", "A", "MIT OR", "(MIT", "MIT Zlib"] {
            assert!(!permits(bad, &allowed), "{bad}");
        }
    }

    #[test]
    fn a_crate_without_a_checksum_is_found() {
        let package = "[[package]]\nname = \"x\"\nsource = \"registry+https://x\"\n";
        assert_eq!(pinned(package).len(), 1);
        assert!(pinned(&format!("{package}checksum = \"00\"\n")).is_empty());
        assert_eq!(
            pinned("[[package]]\nname = \"x\"\nsource = \"git+https://x\"\nchecksum = \"0\"\n").len(),
            1
        );
    }
}
