#![no_main]
//! Law: whatever text is read as a position can be written, read back as the same position, and played to its end.

use libfuzzer_sys::fuzz_target;
use ludens_core::laws;
use ludens_games::reversi::Reversi;

fuzz_target!(|text: &str| {
    if let Err(broken) = laws::check_text(&Reversi::default(), text) {
        panic!("{broken}");
    }
});
