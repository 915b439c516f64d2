#![no_main]
//! Law: a text is refused, or it is a result of which both reports can be made.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("result_file", bytes));
