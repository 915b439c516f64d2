#![no_main]
//! Law: a name is refused with a reason, or makes a mind, and so does the same name written again.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("mind_settings", bytes));
