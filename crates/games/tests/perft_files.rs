//! The counts of perft/*.perft: published numbers that nobody here made.
//!
//! A line is `leaves DEPTH COUNT`, `distinct PLY COUNT` or `games COUNT`; `#` begins a comment. Every test run counts up to
//! two million; `LUDENS_PERFT=deep` counts them all.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludens_core::{Game, GameVisitor, perft};
use ludens_games::{all, with_game};

const SHALLOW: u64 = 2_000_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../perft")
}

#[derive(Debug)]
enum Count {
    Leaves(u32, u64),
    Distinct(u32, u64),
    Games(u64),
}

fn read(text: &str) -> Vec<Count> {
    let lines =
        text.lines().map(|line| line.split('#').next().unwrap_or("").split_whitespace().collect::<Vec<_>>());
    let number =
        |word: &str| word.replace('_', "").parse::<u64>().unwrap_or_else(|_| panic!("{word}: a number"));
    lines
        .filter(|words| !words.is_empty())
        .map(|words| match words[..] {
            ["leaves", depth, count] => Count::Leaves(number(depth) as u32, number(count)),
            ["distinct", ply, count] => Count::Distinct(number(ply) as u32, number(count)),
            ["games", count] => Count::Games(number(count)),
            _ => panic!("{words:?} is not a count"),
        })
        .collect()
}

struct Counts {
    counts: Vec<Count>,
    limit: u64,
}

impl GameVisitor for Counts {
    /// How many counts were compared.
    type Out = usize;

    fn visit<G: Game>(self, game: Arc<G>) -> usize {
        let start = game.start();
        let mut compared = 0;
        let deepest = self.counts.iter().filter_map(|count| match count {
            Count::Distinct(ply, count) if *count <= self.limit => Some(*ply),
            _ => None,
        });
        let layers = perft::distinct(&*game, &start, deepest.max().unwrap_or(0));
        for count in &self.counts {
            let (counted, published) = match *count {
                Count::Leaves(depth, published) if published <= self.limit => {
                    (game.perft(&start, depth), published)
                }
                Count::Distinct(ply, published) if published <= self.limit => {
                    (layers[ply as usize], published)
                }
                Count::Games(published) if published <= self.limit => {
                    (perft::games(&*game, &start), published)
                }
                _ => continue,
            };
            assert_eq!(counted, published, "{} {count:?}", game.id());
            compared += 1;
        }
        compared
    }
}

#[test]
fn every_game_counts_what_is_published() {
    let limit = if std::env::var("LUDENS_PERFT").is_ok_and(|how| how == "deep") { u64::MAX } else { SHALLOW };
    for entry in all() {
        let path = folder().join(format!("{}.perft", entry.id));
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{} needs its counts in {}: {error}", entry.id, path.display()));
        let compared = with_game(entry.id, Counts { counts: read(&text), limit }).unwrap();
        println!("{}: {compared} counts", entry.id);
        assert!(compared > 0, "{} has no shallow count", path.display());
    }
}
