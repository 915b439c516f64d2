//! The same laws for every registered game. `cargo xtask laws` tries a million games each.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ludens_core::{Game, GameVisitor, laws};
use ludens_games::{all, with_game};

/// Members of the families besides the one that is registered by name.
const FAMILY: [&str; 6] =
    ["line-3x3x3", "line-5x5x4", "line-64x1x3", "gravity-5x4x4", "gravity-4x4x3", "line-8x8x5"];
const SEED: u64 = 20_261_115;

struct Laws {
    games: u64,
    seed: u64,
}

impl GameVisitor for Laws {
    type Out = Result<(), laws::BrokenLaw>;

    fn visit<G: Game>(self, game: Arc<G>) -> Self::Out {
        const BATCH: u64 = 1_000;
        laws::check(&*game, self.games.min(BATCH), self.seed)?;
        // A long run is spread over the threads; which thread plays which games changes nothing.
        let next = AtomicU64::new(BATCH);
        let work = || {
            loop {
                let first = next.fetch_add(BATCH, Ordering::Relaxed);
                if first >= self.games {
                    return Ok(());
                }
                laws::check_games(&*game, first..(first + BATCH).min(self.games), self.seed)?;
            }
        };
        std::thread::scope(|scope| {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker only plays games"))
        })
    }
}

fn games() -> u64 {
    std::env::var("LUDENS_LAW_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(1_000)
}

fn hold(name: &str, games: u64) {
    println!("{name}: {games} games of seed {SEED}");
    if let Err(broken) = with_game(name, Laws { games, seed: SEED }).unwrap() {
        panic!("{broken}");
    }
}

#[test]
fn every_registered_game_keeps_the_laws() {
    for entry in all() {
        hold(entry.id, games());
    }
}

#[test]
fn the_families_keep_the_laws() {
    for name in FAMILY {
        hold(name, games() / 10);
    }
}

#[test]
fn a_game_is_known_by_the_name_it_gives_itself() {
    struct Id;
    impl GameVisitor for Id {
        type Out = String;
        fn visit<G: Game>(self, game: Arc<G>) -> String {
            game.id()
        }
    }
    for name in all().iter().map(|entry| entry.id).chain(FAMILY) {
        assert_eq!(with_game(name, Id).unwrap(), name);
    }
    for unknown in [
        "",
        "chess",
        "line-",
        "line-0x4x4",
        "line-9x9x4",
        "line-3x3x4",
        "line-3x3",
        "gravity-3x3x1",
        "line-3x3x3x3",
    ] {
        assert!(with_game(unknown, Id).is_err(), "{unknown}");
    }
}
