#![no_main]
//! Law: a file is refused, or its pairs are numbered, its tournament is checked and its games replayed or refused.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("arena_record", bytes));
