#![no_main]
//! Law: a name is refused, or its game is named again by its own id.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("game_name", bytes));
