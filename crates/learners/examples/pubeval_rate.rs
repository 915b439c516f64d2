//! Whole games of pubeval against itself per CPU-second: `cargo run --release -p ludens-learners --example pubeval_rate`.

use cpu_time::ThreadTime;
use ludens_core::{Game, Rng, Side};
use ludens_games::backgammon::Backgammon;
use ludens_learners::actr::pubeval::Pubeval;

fn main() {
    let games = 30_000u64;
    for _ in 0..2 {
        let clock = ThreadTime::now();
        let (mut plies, mut plays, mut first) = (0u64, 0u64, 0u64);
        let mut mind = Pubeval::default();
        for unit in 0..games {
            let mut rng = Rng::stream(1, unit);
            let mut state = Backgammon.start();
            let winner = loop {
                if let Some(winner) = state.winner() {
                    break winner;
                }
                state.roll_dice(&mut rng);
                let (mv, examined) = mind.best(&state);
                plays += examined as u64;
                plies += 1;
                Backgammon.apply(&mut state, mv);
            };
            first += u64::from(winner == Side::First);
        }
        let per = |count: u64| count as f64 / games as f64;
        let rate = games as f64 / clock.elapsed().as_secs_f64();
        println!(
            "{rate:.0} games/s, {:.1} plies and {:.0} evaluations a game, first wins {:.4}",
            per(plies),
            per(plays),
            per(first)
        );
    }
}
