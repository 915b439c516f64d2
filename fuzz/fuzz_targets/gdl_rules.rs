#![no_main]
//! Law: a text is refused, or it is a game that every machine plays alike, to the end of its limits.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("gdl_rules", bytes));
