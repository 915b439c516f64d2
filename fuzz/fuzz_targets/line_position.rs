#![no_main]
//! Law: on any board, whatever text is read as a position can be written, read back as the same position, and played to
//! its end.

use libfuzzer_sys::fuzz_target;
use ludens_core::laws;
use ludens_games::line::{Gravity, Line};

fuzz_target!(|input: (u8, u8, u8, &str)| {
    let (width, height, length, text) = input;
    let [width, height, length] = [width, height, length].map(u32::from);
    let free = Line::new(width, height, length).map(|game| laws::check_text(&game, text));
    let falling = Gravity::new(width, height, length).map(|game| laws::check_text(&game, text));
    for broken in [free, falling].into_iter().flatten().filter_map(Result::err) {
        panic!("{broken}");
    }
});
