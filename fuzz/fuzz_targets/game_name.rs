#![no_main]
//! Law: a name makes a game or is refused; a game that is made can be named again by its own id.

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use ludens_core::{Game, GameVisitor};

struct Id;

impl GameVisitor for Id {
    type Out = String;
    fn visit<G: Game>(self, game: Arc<G>) -> String {
        game.id()
    }
}

fuzz_target!(|name: &str| {
    if let Ok(id) = ludens_games::with_game(name, Id) {
        assert_eq!(ludens_games::with_game(&id, Id).as_deref(), Ok(id.as_str()));
    }
});
