#![no_main]
//! Law: settings are refused with a reason, or make a learner that can be saved and loaded again.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("learner_settings", bytes));
