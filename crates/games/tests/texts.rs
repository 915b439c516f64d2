//! Position texts: whatever is read can be written and read again. The fuzz targets state the same law.

use std::sync::Arc;

use ludens_core::{Game, GameVisitor, Rng, Turn, laws};
use ludens_games::{all, with_game};
use proptest::prelude::*;

struct Text<'a>(&'a str);

impl GameVisitor for Text<'_> {
    type Out = Result<(), laws::BrokenLaw>;

    fn visit<G: Game>(self, game: Arc<G>) -> Self::Out {
        laws::check_text(&*game, self.0)
    }
}

/// The text of a position met in a random game.
struct Met(u64);

impl GameVisitor for Met {
    type Out = String;

    fn visit<G: Game>(self, game: Arc<G>) -> String {
        let mut rng = Rng::new(self.0);
        let mut state = game.start();
        let mut moves = Vec::new();
        let mut outcomes = Vec::new();
        for _ in 0..rng.below(60) {
            let mv = match game.turn(&state) {
                Turn::Over(_) => break,
                Turn::Chance => {
                    game.chance(&state, &mut outcomes);
                    rng.outcome(&outcomes)
                }
                Turn::Player(_) => {
                    game.moves(&state, &mut moves);
                    moves[rng.below(moves.len() as u32) as usize]
                }
            };
            game.apply(&mut state, mv);
        }
        game.text(&state)
    }
}

fn any_game() -> impl Strategy<Value = &'static str> {
    let mut names: Vec<&str> = all().iter().map(|entry| entry.id).collect();
    names.extend(["line-4x4x3", "gravity-4x4x3", "line-64x1x5"]);
    prop::sample::select(names)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(name in any_game(), text in "\\PC{0,80}") {
        with_game(name, Text(&text)).unwrap()?;
    }

    #[test]
    fn texts_of_the_usual_letters_are_read_or_refused(name in any_game(), text in "[xXoO.\\-* 1-7]{0,70}") {
        with_game(name, Text(&text)).unwrap()?;
    }

    #[test]
    fn damaged_texts_are_read_or_refused(
        name in any_game(),
        seed in any::<u64>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), "[ -~é]"), 0..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut text: Vec<char> = with_game(name, Met(seed)).unwrap().chars().collect();
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
        with_game(name, Text(&text)).unwrap()?;
    }
}
