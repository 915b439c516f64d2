#![no_main]
//! Law: bytes are a model if and only if writing what was read gives the same bytes.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("model_file", bytes));
