#![no_main]
//! Law: bytes are a model if and only if writing what was read gives the same bytes.

use libfuzzer_sys::fuzz_target;
use ludens_core::Model;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(model) = Model::from_bytes(bytes) {
        assert_eq!(model.to_bytes(), bytes);
    }
});
