#![no_main]
//! Law: bytes on a connection are refused, or a request whose body has the length its head says; and nobody waits for more.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("ggp_request", bytes));
