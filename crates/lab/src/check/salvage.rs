//! What only the store had, learning curves and the page's games, taken over from a damaged one as far as it can be read.

use std::path::Path;

use super::{Finding, Round, State};
use crate::runs::Store;

/// Rows whose values are of the right types; what a damaged page makes of a row may be anything.
const TABLES: [(&str, &str); 2] = [
    (
        "points of learning curves",
        "INSERT OR IGNORE INTO metrics (run, step, name, value)
         SELECT run, step, name, value FROM old.metrics
         WHERE run IN (SELECT id FROM main.runs) AND typeof(step) = 'integer' AND typeof(name) = 'text'
             AND typeof(value) = 'real'",
    ),
    (
        "games of the page",
        "INSERT OR IGNORE INTO games (id, game, first, second, result, created, updated, line, record)
         SELECT id, game, first, second, result, created, updated, line, record FROM old.games
         WHERE typeof(id) = 'text' AND typeof(game) = 'text' AND typeof(first) = 'text' AND typeof(second) = 'text'
             AND typeof(result) IN ('real', 'null') AND typeof(created) = 'real' AND typeof(updated) = 'real'
             AND typeof(line) = 'text' AND typeof(record) = 'text'",
    ),
];

/// All of a table that can be read, or nothing: what cannot be had stays in the damaged file.
pub(super) fn salvage(round: &mut Round, store: &Store, damaged: &Path) {
    let connection = store.connection();
    if connection.execute("ATTACH ?1 AS old", [crate::runs::uri(damaged, "mode=ro")]).is_err() {
        return;
    }
    for (what, statement) in TABLES {
        let taken = connection.execute(statement, []).unwrap_or(0);
        if taken > 0 {
            round.found.push(Finding {
                path: damaged.into(),
                problem: format!("still had {taken} {what}"),
                remedy: "taken over into the new store".into(),
                state: State::Mended,
            });
        }
    }
    // It goes with the connection if not now.
    let _ = connection.execute("DETACH old", []);
}
