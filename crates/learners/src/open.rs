//! Opening a game by the name a user gives: a native one, or a file of GDL rules.
//!
//! This is the one place that knows both kinds; the arena, the lab, the web and the command line come here.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use ludens_core::GameVisitor;
use ludens_games::UnknownGame;
use ludens_gdl::{Description, GdlError, GdlGame, Limits, is_rule_file, read_rules};
use thiserror::Error;

#[derive(Clone, PartialEq, Debug, Error)]
pub enum OpenError {
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    #[error("{name}: {error}")]
    Rules { name: String, error: GdlError },
}

/// Runs `visitor` on the game called `name`, native or a file of rules (`.kif`, `.gdl`).
pub fn with_game<V: GameVisitor>(name: &str, visitor: V) -> Result<V::Out, OpenError> {
    if !is_rule_file(name) {
        return Ok(ludens_games::with_game(name, visitor)?);
    }
    let text = read_rules(Path::new(name)).map_err(|error| OpenError::Rules { name: name.into(), error })?;
    with_rules(name, &text, visitor)
}

/// Runs `visitor` on the game of a text of rules, called `name`.
pub fn with_rules<V: GameVisitor>(name: &str, text: &str, visitor: V) -> Result<V::Out, OpenError> {
    Ok(visitor.visit(rules(name, text, &Limits::default())?))
}

/// Games from rules that were opened last: every question of a page or a command opens its game anew, and grounding one may
/// take seconds.
static KEPT: Mutex<Vec<Arc<GdlGame>>> = Mutex::new(Vec::new());
const MOST_KEPT: usize = 8;

/// The id of the game of a text of rules: the name without folders and a checksum of the text. A model belongs to the rules it
/// was trained on, wherever their file lies.
pub fn rules_id(name: &str, text: &str) -> String {
    let file = Path::new(name).file_name().map_or_else(|| name.into(), |file| file.to_string_lossy());
    format!("{file}@{:08x}", crc32fast::hash(text.as_bytes()))
}

/// The game of a text of rules.
pub fn rules(name: &str, text: &str, limits: &Limits) -> Result<Arc<GdlGame>, OpenError> {
    let id = rules_id(name, text);
    let kept = |id: &str| {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|game| ludens_core::Game::id(&**game) == id)?;
        let game = kept.remove(at);
        kept.push(game.clone());
        Some(game)
    };
    if let Some(game) = kept(&id) {
        return Ok(game);
    }
    let loaded = Description::load(text, limits)
        .and_then(|description| GdlGame::new(&id, Arc::new(description)))
        .map_err(|error| OpenError::Rules { name: name.into(), error })?;
    let game = Arc::new(loaded);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() >= MOST_KEPT {
        kept.remove(0);
    }
    kept.push(game.clone());
    Ok(game)
}

#[cfg(test)]
mod tests {
    use ludens_core::Game;

    use super::*;

    struct Id;

    impl GameVisitor for Id {
        type Out = String;
        fn visit<G: Game>(self, game: Arc<G>) -> String {
            game.id()
        }
    }

    fn rule_file(name: &str) -> String {
        format!("{}/../gdl/rules/{name}.kif", env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn names_and_files_are_games_and_nothing_else_is() {
        assert_eq!(with_game("reversi", Id).unwrap(), "reversi");
        let id = with_game(&rule_file("breakthrough"), Id).unwrap();
        assert!(id.starts_with("breakthrough.kif@"), "{id}");
        assert!(matches!(with_game("no-such-game", Id), Err(OpenError::Unknown(_))));
        for (wrong, said) in [("no/such.kif", "cannot read"), (&rule_file("chase"), "ludens ggp")] {
            let error = with_game(wrong, Id).unwrap_err().to_string();
            assert!(error.contains(said) && error.starts_with(wrong), "{error}");
        }
    }

    /// The same rules are the same game in any folder; other rules of the same name are another game.
    #[test]
    fn a_game_is_its_rules() {
        let text = read_rules(Path::new(&rule_file("tic-tac-toe"))).unwrap();
        let here = rules("here/a.kif", &text, &Limits::default()).unwrap();
        let there = rules("there/a.kif", &text, &Limits::default()).unwrap();
        assert!(Arc::ptr_eq(&here, &there), "it was kept");
        let changed = rules("a.kif", &(text + "\n"), &Limits::default()).unwrap();
        assert_ne!(here.id(), changed.id());
    }
}
