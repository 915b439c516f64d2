//! Random games of a game written in GDL, hundreds at a time, from its bit-parallel machine.

use std::any::Any;

use ludens_core::{Game, Rng, Score, Side};
use ludens_gdl::GdlGame;
use ludens_gdl::recorded::{GAMES_AT_A_TIME, RecordedGame};

use super::facts::{LONGEST, Seen, TRIES, Vocabulary};

/// `count` random games won by each side; none where the game is not written in GDL or its machine cannot tell whose turn it is.
pub fn games_won<G: Game>(
    game: &G,
    vocabulary: &Vocabulary,
    count: usize,
    rng: &mut Rng,
) -> Option<[Vec<Seen>; 2]> {
    let rules = (game as &dyn Any).downcast_ref::<GdlGame>()?;
    let mut won = [Vec::new(), Vec::new()];
    for _ in 0..=count.saturating_mul(TRIES) / GAMES_AT_A_TIME {
        for recorded in rules.recorded_games(LONGEST as u32, rng)? {
            let score = recorded.score.unwrap_or(Score::DRAW);
            let Some(side) = Side::BOTH.into_iter().find(|side| score.of(*side) > 0.0) else { continue };
            let list: &mut Vec<Seen> = &mut won[side.index()];
            if list.len() < count {
                list.push(seen(&recorded, score, vocabulary));
            }
        }
        if won.iter().all(|list| list.len() == count) {
            break;
        }
    }
    Some(won)
}

fn seen(game: &RecordedGame, score: Score, vocabulary: &Vocabulary) -> Seen {
    let facts = |board: &Vec<u8>| {
        let mut facts = Vec::new();
        vocabulary.read_pieces(board.iter().copied(), &mut facts);
        facts
    };
    Seen {
        positions: game.boards.iter().map(facts).collect(),
        movers: std::iter::once(None)
            .chain(game.to_move.iter().copied().map(Some))
            .take(game.boards.len())
            .collect(),
        choices: game.choices.clone(),
        score,
    }
}
