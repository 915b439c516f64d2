#![no_main]
//! Law: a whole file with any content is refused with a reason, or is loaded and saved again as a whole file.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("forged_model", bytes));
