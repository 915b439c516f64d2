#![no_main]
//! Law: any text is either a message of the GGP protocol or an error; rules within a message load or are refused; and what is read and
//! written again is read as the same.

use libfuzzer_sys::fuzz_target;
use ludens_gdl::ggp::http::decode;
use ludens_gdl::ggp::message::Message;
use ludens_gdl::sexpr::read_all;
use ludens_gdl::{Description, Limits};

fuzz_target!(|text: &str| {
    let limits = Limits {
        text_bytes: 1 << 16,
        terms: 20_000,
        ground_literals: 50_000,
        ground_work: 50_000,
        state_work: 20_000,
        ..Limits::default()
    };
    let _ = decode(text);
    if let Ok(Message::Start { rules, .. }) = Message::parse(text, &limits) {
        let _ = Description::from_exprs(&rules, &limits);
    }
    if let Ok(exprs) = read_all(text, &limits) {
        let write = |list: &[ludens_gdl::sexpr::Expr]| -> Vec<String> { list.iter().map(ToString::to_string).collect() };
        let written = write(&exprs);
        let roomy = Limits { text_bytes: 1 << 20, ..limits };
        let again = read_all(&written.join(" "), &roomy).expect("what was written can be read");
        assert_eq!(write(&again), written);
    }
});
