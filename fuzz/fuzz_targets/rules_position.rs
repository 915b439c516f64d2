#![no_main]
//! Law: a text of facts is refused, or it is a position that can be written, read back and played to its end.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("rules_position", bytes));
