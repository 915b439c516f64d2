//! The counts of perft/*.perft: published numbers that nobody here made.
//!
//! A line is `leaves DEPTH COUNT`, `distinct PLY COUNT` or `games COUNT`; `#` begins a comment. Every test run counts up to
//! two million; `LUDENS_PERFT=deep` counts them all.

use std::path::{Path, PathBuf};

use ludens_core::{Count, Front};
use ludens_games::bare;

const SHALLOW: u64 = 2_000_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../perft")
}

/// What is counted, and what is published.
fn read(text: &str) -> Vec<(Count, u64)> {
    let lines =
        text.lines().map(|line| line.split('#').next().unwrap_or("").split_whitespace().collect::<Vec<_>>());
    let number =
        |word: &str| word.replace('_', "").parse::<u64>().unwrap_or_else(|_| panic!("{word}: a number"));
    lines
        .filter(|words| !words.is_empty())
        .map(|words| match words[..] {
            ["leaves", depth, count] => (Count::Sequences(number(depth) as u32), number(count)),
            ["distinct", ply, count] => (Count::Distinct(number(ply) as u32), number(count)),
            ["games", count] => (Count::Games, number(count)),
            _ => panic!("{words:?} is not a count"),
        })
        .collect()
}

/// How many counts were compared.
fn compare(game: &dyn Front, counts: &[(Count, u64)], limit: u64) -> usize {
    let within: Vec<&(Count, u64)> = counts.iter().filter(|(_, published)| *published <= limit).collect();
    // All layers come with the deepest one.
    let plies =
        within.iter().filter_map(|(what, _)| if let Count::Distinct(ply) = what { Some(*ply) } else { None });
    let layers = game.count(None, Count::Distinct(plies.max().unwrap_or(0))).unwrap();
    for (what, published) in &within {
        let counted = match what {
            Count::Distinct(ply) => layers[*ply as usize],
            _ => game.count(None, *what).unwrap()[0],
        };
        assert_eq!(counted, *published, "{} {what:?}", game.id());
    }
    within.len()
}

#[test]
fn every_game_counts_what_is_published() {
    let limit = if std::env::var("LUDENS_PERFT").is_ok_and(|how| how == "deep") { u64::MAX } else { SHALLOW };
    let games = bare();
    for about in games.list() {
        let path = folder().join(format!("{}.perft", about.id));
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{} needs its counts in {}: {error}", about.id, path.display()));
        let compared = compare(&*games.open(&about.id).unwrap(), &read(&text), limit);
        println!("{}: {compared} counts", about.id);
        assert!(compared > 0, "{} has no shallow count", path.display());
    }
}
