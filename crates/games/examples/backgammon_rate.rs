//! Random playouts of backgammon per CPU-second: `cargo run --release -p ludens-games --example backgammon_rate`.

use cpu_time::ThreadTime;
use ludens_core::{Game, Rng, uniform_playout};
use ludens_games::backgammon::Backgammon;

fn main() {
    let games = 20_000u64;
    for fast in [true, false, true, false] {
        let clock = ThreadTime::now();
        let mut plies = 0u64;
        for unit in 0..games {
            let mut state = Backgammon.start();
            let rng = &mut Rng::stream(1, unit);
            let playout = if fast {
                Backgammon.playout(&mut state, rng)
            } else {
                uniform_playout(&Backgammon, &mut state, rng)
            };
            plies += u64::from(playout.plies);
        }
        let seconds = clock.elapsed().as_secs_f64();
        println!(
            "fast={fast}: {:.0} games/s, {:.1} plies a game",
            games as f64 / seconds,
            plies as f64 / games as f64
        );
    }
}
