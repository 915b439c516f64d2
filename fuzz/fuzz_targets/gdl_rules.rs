#![no_main]
//! Law: any text is either rules or an error, never a panic.

use libfuzzer_sys::fuzz_target;
use ludens_gdl::error::Limits;
use ludens_gdl::syntax::Rules;

fuzz_target!(|text: &str| {
    let _ = Rules::parse(text, &Limits::default());
});
