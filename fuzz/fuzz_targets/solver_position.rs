#![no_main]
//! Law: what is read as moves is a position that is not over, with as many discs as moves.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ludens_fuzz_laws::hold("solver_position", bytes));
