//! The same laws for every registered game. `cargo xtask laws` tries a million games each.

use std::sync::atomic::{AtomicU64, Ordering};

use ludens_core::{Front, laws};
use ludens_games::bare;

/// Members of the families besides the one that is registered by name.
const FAMILY: [&str; 6] =
    ["line-3x3x3", "line-5x5x4", "line-64x1x3", "gravity-5x4x4", "gravity-4x4x3", "line-8x8x5"];
const SEED: u64 = 20_261_115;

/// All laws on `games` random games; a long run is spread over the threads, and which thread plays which games changes nothing.
fn check(game: &dyn Front, games: u64) -> Result<(), laws::BrokenLaw> {
    const BATCH: u64 = 1_000;
    game.check_playouts(20 * games.min(BATCH), SEED)?;
    let next = AtomicU64::new(0);
    let work = || {
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= games {
                return Ok(());
            }
            game.check_laws(first..(first + BATCH).min(games), SEED)?;
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker only plays games"))
    })
}

fn games() -> u64 {
    std::env::var("LUDENS_LAW_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(1_000)
}

fn hold(name: &str, games: u64) {
    println!("{name}: {games} games of seed {SEED}");
    if let Err(broken) = check(&*bare().open(name).unwrap(), games) {
        panic!("{broken}");
    }
}

#[test]
fn every_registered_game_keeps_the_laws() {
    for about in bare().list() {
        hold(&about.id, games());
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
    let games = bare();
    let names = games.list().into_iter().map(|about| about.id.as_str());
    for name in names.chain(FAMILY) {
        let game = games.open(name).unwrap();
        assert_eq!((game.id().as_str(), game.about().id.as_str()), (name, name));
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
        assert!(games.open(unknown).is_err(), "{unknown}");
    }
}
