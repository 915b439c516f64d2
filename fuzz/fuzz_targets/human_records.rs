#![no_main]
//! Law: a file is refused, or every move of it is on an empty square, whose patterns are known.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("human_records", bytes));
