#![no_main]
//! Law: any text is either a game that can be played to the end of its limits on every machine, or an error; never a panic, and
//! the machines agree.

use libfuzzer_sys::fuzz_target;
use ludens_gdl::agreement::{Replays, disagreement};
use ludens_gdl::playouts::{PlayoutOptions, random_playouts};
use ludens_gdl::{Description, GdlGame, Limits};
use std::sync::Arc;

fuzz_target!(|text: &str| {
    let limits = Limits {
        text_bytes: 1 << 16,
        terms: 20_000,
        ground_literals: 100_000,
        ground_work: 200_000,
        state_work: 50_000,
        ..Limits::default()
    };
    let Ok(game) = Description::load(text, &limits) else { return };
    let count = if game.grounded().is_ok() { 64 } else { 2 };
    let _ = random_playouts(&game, &PlayoutOptions { count, seed: 1, step_cap: 10 });
    let replays = Replays { incremental: 2, incremental_seconds: 1.0, lifted_before: 0, lifted_plies: 10, lifted_seconds: 1.0 };
    if let Ok(Err(difference)) = disagreement(&game, 1, replays) {
        panic!("the machines disagree: {difference}");
    }
    let _ = GdlGame::new("fuzz", Arc::new(game));
});
