#![no_main]
//! Law: a model is refused as labels, or is written as it was read.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("label_file", bytes));
