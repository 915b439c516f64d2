//! Random playouts a CPU-second of every native game, and Reversi's perft.

use std::sync::Arc;

use cpu_time::ThreadTime;
use ludens_core::{Game, GameVisitor, Rng};

struct Rate;

impl GameVisitor for Rate {
    type Out = f64;

    fn visit<G: Game>(self, game: Arc<G>) -> f64 {
        let mut rng = Rng::new(1);
        let start = game.start();
        let clock = ThreadTime::now();
        let mut games = 0u32;
        while clock.elapsed().as_secs_f64() < 1.0 {
            for _ in 0..1_000 {
                std::hint::black_box(game.playout(&mut start.clone(), &mut rng));
            }
            games += 1_000;
        }
        f64::from(games) / clock.elapsed().as_secs_f64()
    }
}

fn main() {
    for entry in ludens_games::all() {
        if let Ok(rate) = ludens_games::with_game(entry.id, Rate) {
            println!("{:<16} {:>10.3} M playouts/s", entry.id, rate / 1e6);
        }
    }
    let reversi = ludens_games::reversi::Reversi::default();
    let clock = ThreadTime::now();
    let leaves = reversi.perft(&reversi.start(), 11);
    println!(
        "reversi perft 11: {leaves} leaves, {:.0} M/s",
        leaves as f64 / clock.elapsed().as_secs_f64() / 1e6
    );
}
