//! Random games in plain Rust, for the Python package to be held against: `playouts GAME COUNT` prints games a second of processor time.

use cpu_time::ProcessTime;
use ludens::prelude::*;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let [_, game, count] = &words[..] else {
        eprintln!("playouts GAME COUNT");
        std::process::exit(2);
    };
    let house = House::from(Catalogue::standard());
    let (Ok(front), Ok(count)) = (house.games.open(game), count.parse::<u64>()) else {
        eprintln!("there is no such game, or the count is no number");
        std::process::exit(2);
    };
    front.playouts(count / 10, &mut Rng::new(0));
    let began = ProcessTime::now();
    let sum = front.playouts(count, &mut Rng::new(1));
    let seconds = began.elapsed().as_secs_f64();
    // The sum is used, so that the games are played.
    assert_eq!(sum.games, count);
    println!("{}", count as f64 / seconds);
}
