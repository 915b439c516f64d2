#![no_main]
//! Law: what is read as the name of a mind can be written and read back as the same name.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("mind_spec", bytes));
