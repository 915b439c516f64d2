#![no_main]
//! Law: a text is refused, or it is a message whose rules load or are refused; and what is written of it reads back.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("ggp_message", bytes));
