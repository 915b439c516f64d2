//! One of our minds as gnubg's external player:
//! `cargo run --release -p ludens-learners --example external_player -- actr-improved 15599`, then in gnubg
//! `set player 0 external 127.0.0.1:15599` and, from a `-p` script, `gnubg.command('new match 1')`.

use std::net::TcpListener;
use std::sync::Arc;

use ludens_core::{
    Budget, Ctx, Game, Games, Mind, MindError, NoModels, Ranking, Rng, Stop, Table, TableError,
};
use ludens_games::backgammon::{Backgammon, Position};
use ludens_learners::actr::gnubg::answer;
use ludens_learners::standard::{Standard, zoo};

/// Whoever has this name: a mind of the list, a trained model of the zoo, a model file.
struct Named {
    name: String,
    table: Box<dyn Table>,
}

impl Mind<Backgammon> for Named {
    fn rank(&mut self, game: &Backgammon, state: &Position, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let mut think = || -> Result<Ranking, TableError> {
            self.table.restart(Some(&game.text(state)))?;
            Ok(self.table.think(&self.name, ctx.rng, Budget::Unlimited, ctx.explain)?.why)
        };
        think().map_err(|error| MindError::Other(error.to_string()))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, port] = &arguments[..] else { return Err("usage: external_player MIND PORT".into()) };
    let games = Games::new(Standard::new().close(), zoo());
    let front = games.open("backgammon")?;
    let models: Arc<dyn ludens_core::Models> = Arc::new(NoModels);
    front.check_mind(name, &models, &Stop::default())?;
    let mut mind = Named { name: name.clone(), table: front.table(models) };
    let listener = TcpListener::bind(("127.0.0.1", port.parse()?))?;
    println!("listening on port {port}; end with Ctrl-C");
    let mut rng = Rng::new(1);
    for stream in listener.incoming() {
        let asked = answer(stream?, &mut mind, &mut rng)?;
        println!("{asked} plays");
    }
    Ok(())
}
