#![no_main]
//! Law: a name makes a game or is refused; a game that is made can be named again by its own id.

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use ludens_core::Games;

static GAMES: LazyLock<Arc<Games>> = LazyLock::new(ludens_games::bare);

fuzz_target!(|name: &str| {
    if let Ok(game) = GAMES.open(name) {
        let again = GAMES.open(&game.id()).expect("its own id names it");
        assert_eq!(again.id(), game.id());
    }
});
