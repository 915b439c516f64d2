//! One of our minds as gnubg's external player:
//! `cargo run --release -p ludens-learners --example external_player -- actr:improved 15599`, then in gnubg
//! `set player 0 external 127.0.0.1:15599` and, from a `-p` script, `gnubg.command('new match 1')`.

use std::net::TcpListener;
use std::sync::Arc;

use ludens_core::Rng;
use ludens_games::backgammon::Backgammon;
use ludens_learners::actr::gnubg::answer;
use ludens_learners::registry::make_mind;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [mind, port] = &arguments[..] else { return Err("usage: external_player MIND PORT".into()) };
    let mut mind = make_mind(&Arc::new(Backgammon), mind)?;
    let listener = TcpListener::bind(("127.0.0.1", port.parse()?))?;
    println!("listening on port {port}; end with Ctrl-C");
    let mut rng = Rng::new(1);
    for stream in listener.incoming() {
        let asked = answer(stream?, &mut *mind, &mut rng)?;
        println!("{asked} plays");
    }
    Ok(())
}
