#![no_main]
//! Law: whatever is read as the name of a mind can be written and read back as the same name.

use libfuzzer_sys::fuzz_target;
use ludens_core::Spec;

fuzz_target!(|text: &str| {
    if let Ok(spec) = text.parse::<Spec>() {
        assert_eq!(spec.to_string().parse::<Spec>().as_ref(), Ok(&spec));
    }
});
