//! What the text leaves open, one switch at a time: the account of what lifts the published player.

use ludens_learners::actr::features::Ahead;

use super::*;

/// Runs of each reading.
pub(super) const READING_RUNS: u32 = 3;

/// A reading of the text, in words, with its settings; the first is the text word for word, the last is the one used here.
pub(super) fn readings() -> Vec<(&'static str, Settings)> {
    let (literal, best) = (Settings::literal, Settings::default);
    vec![
        ("the text word for word: own features, once a game, partial loss 1", literal()),
        ("and every occurrence counts", Settings { every: true, ..literal() }),
        ("and a partial loss of 5", Settings { partial_loss: 5.0, ..literal() }),
        ("and the opponent's features with his outcome", Settings { observe: true, ..literal() }),
        ("and races by rule", Settings { racing: true, ..literal() }),
        ("and opponents ahead as in the paper's example", Settings { ahead: Ahead::Before, ..literal() }),
        ("all together but one occurrence a game", Settings { every: false, ..best() }),
        ("all together but a partial loss of 1", Settings { partial_loss: 1.0, ..best() }),
        ("all together but own features only", Settings { observe: false, ..best() }),
        ("all together but races by the features", Settings { racing: false, ..best() }),
        (
            "all together, opponents ahead as in the paper's example",
            Settings { ahead: Ahead::Before, ..best() },
        ),
        ("all together, threshold .06 and 200 chunks", Settings { threshold: 0.06, capacity: 200, ..best() }),
        ("all together, temperature .1", Settings { temperature: 0.1, ..best() }),
        ("all together (actr)", best()),
    ]
}
