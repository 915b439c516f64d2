//! Position texts: whatever is read can be written and read again. The fuzz targets state the same law.

use ludens_core::{NoModels, Rng};
use ludens_games::bare;
use proptest::prelude::*;
use std::sync::Arc;

/// The text of a position met in a random game.
fn met(name: &str, seed: u64) -> String {
    let mut table = bare().open(name).unwrap().table(Arc::new(NoModels));
    let mut rng = Rng::new(seed);
    for _ in 0..rng.below(60) {
        let nexts = table.nexts();
        if nexts.is_empty() {
            break;
        }
        table.play(nexts[rng.below(nexts.len() as u32) as usize].mv).unwrap();
    }
    table.view().text
}

fn any_game() -> impl Strategy<Value = String> {
    let mut names: Vec<String> = bare().list().iter().map(|about| about.id.clone()).collect();
    names.extend(["line-4x4x3", "gravity-4x4x3", "line-64x1x5"].map(String::from));
    prop::sample::select(names)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(name in any_game(), text in "\\PC{0,80}") {
        bare().open(&name).unwrap().check_text(&text)?;
    }

    #[test]
    fn texts_of_the_usual_letters_are_read_or_refused(name in any_game(), text in "[xXoO.\\-* 1-7]{0,70}") {
        bare().open(&name).unwrap().check_text(&text)?;
    }

    #[test]
    fn damaged_texts_are_read_or_refused(
        name in any_game(),
        seed in any::<u64>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), "[ -~é]"), 0..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut text: Vec<char> = met(&name, seed).chars().collect();
        for (place, mark) in damage {
            if !text.is_empty() {
                let place = place.index(text.len());
                text[place] = mark.chars().next().unwrap_or(' ');
            }
        }
        if let Some(cut) = cut && !text.is_empty() {
            text.truncate(cut.index(text.len()));
        }
        let text: String = text.into_iter().collect();
        bare().open(&name).unwrap().check_text(&text)?;
    }
}
