//! Checks every game of a corpus against its reference facts and the machines against each other:
//!
//!     cargo run --release -p ludens-gdl --example reference -- ../shared/data/gdl 1000 20000 [GAME…]
//!
//! The numbers are the playouts replayed on the incremental machine and the plies replayed on the
//! lifted one, for each game.

use ludens_gdl::corpus::{Reference, differences, disagreement};
use ludens_gdl::{Description, Limits};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let dir = args.next().ok_or("usage: reference DIR PLAYOUTS LIFTED_PLIES [GAME…]")?;
    let playouts: usize = args.next().map_or(Ok(100), |a| a.parse())?;
    let plies: usize = args.next().map_or(Ok(1000), |a| a.parse())?;
    let only: Vec<String> = args.collect();
    let reference: Reference =
        serde_json::from_str(&std::fs::read_to_string(format!("{dir}/reference.json"))?)?;
    let (mut wrong, mut grounded, mut total) = (0, 0, 0);
    for (name, facts) in &reference.games {
        if !only.is_empty() && !only.contains(name) {
            continue;
        }
        total += 1;
        let text = std::fs::read_to_string(format!("{dir}/games/{name}.kif"))?;
        let clock = cpu_time::ThreadTime::now();
        let game = match Description::load(&text, &Limits::default()) {
            Ok(game) => game,
            Err(e) => {
                println!("{name:28} DOES NOT LOAD: {e}");
                wrong += 1;
                continue;
            }
        };
        let load = clock.elapsed().as_secs_f64();
        grounded += usize::from(game.grounded().is_ok() && load <= 10.0);
        let count = if game.grounded().is_ok() { 2048 } else { 2 };
        let mut problems = differences(&game, facts, count).unwrap_or_else(|e| vec![e.to_string()]);
        let machines = match disagreement(&game, 7, playouts, plies) {
            Ok(Ok((a, b))) => format!("{a} replayed, {b} on the lifted machine"),
            Ok(Err(what)) => {
                problems.push(what);
                String::new()
            }
            Err(e) => {
                problems.push(e.to_string());
                String::new()
            }
        };
        let all = clock.elapsed().as_secs_f64();
        let how = if game.grounded().is_ok() { "network" } else { "lifted" };
        println!("{name:28} {how:8} load {load:7.3} s, checks {:7.3} s; {machines}", all - load);
        if !problems.is_empty() {
            wrong += 1;
            println!("    DIFFERS: {problems:?}");
        }
    }
    println!("{total} games, {grounded} grounded within 10 CPU-seconds, {wrong} with differences");
    Ok(())
}
