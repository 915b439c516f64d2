//! Games from files of rules, as one family: a name that is a file of GDL.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use ludens_core::{Entries, Family, Game, GameAbout, OpenError, Stop};
use ludens_gdl::{Description, GdlError, GdlGame, Limits, is_rule_file, read_rules};

/// Games opened last are kept: every question of a page or a command opens its game anew, and grounding one may take seconds.
#[derive(Default, Debug)]
pub struct Kept(Mutex<Vec<Arc<GdlGame>>>);

const MOST_KEPT: usize = 8;

/// The games from rules: a name is a file (`.kif`, `.gdl`).
pub fn family(entries: Entries<GdlGame>) -> Family<GdlGame> {
    let about = GameAbout::new(
        "FILE.kif",
        "Games from rules",
        "any game for two in turn, written in GDL",
        "the facts that hold, in brackets",
    );
    let kept = Arc::new(Kept::default());
    let of_files = kept.clone();
    let by_name = move |name: &str| {
        let open = |text: String| of_files.open(name, &text, &Stop::default());
        is_rule_file(name)
            .then(|| read_rules(Path::new(name)).map_err(|error| wrong(name, error)).and_then(open))
    };
    Family::new(about, entries, by_name)
        .from_text(move |name, text, stop| kept.open(name, text, stop))
        .unlisted()
}

fn wrong(name: &str, error: GdlError) -> OpenError {
    OpenError::Rules { name: name.into(), error: Arc::new(error) }
}

/// The id of the game of a text of rules: the name without folders and a checksum of the text. A model belongs to the rules it
/// was trained on, wherever their file lies.
pub fn rules_id(name: &str, text: &str) -> String {
    let file = Path::new(name).file_name().map_or_else(|| name.into(), |file| file.to_string_lossy());
    format!("{file}@{:08x}", crc32fast::hash(text.as_bytes()))
}

impl Kept {
    /// The game of a text of rules.
    pub fn open(&self, name: &str, text: &str, stop: &Stop) -> Result<Arc<GdlGame>, OpenError> {
        let id = rules_id(name, text);
        if let Some(game) = self.find(&id) {
            return Ok(game);
        }
        let limits = Limits { stop: stop.clone(), ..Limits::default() };
        let loaded = Description::load(text, &limits)
            .and_then(|description| GdlGame::new(&id, Arc::new(description), stop))
            .map_err(|error| wrong(name, error))?;
        let game = Arc::new(loaded);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        kept.push(game.clone());
        Ok(game)
    }

    fn find(&self, id: &str) -> Option<Arc<GdlGame>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|game| game.id() == id)?;
        let game = kept.remove(at);
        kept.push(game.clone());
        Some(game)
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::{Games, Zoo};

    use super::*;

    fn rule_file(name: &str) -> String {
        format!("{}/../gdl/rules/{name}.kif", env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn files_are_games_and_nothing_else_is() {
        let games = Games::new(vec![family(Entries::default()).close()], Zoo::default());
        let id = games.open(&rule_file("breakthrough")).unwrap().id();
        assert!(id.starts_with("breakthrough.kif@"), "{id}");
        assert!(matches!(games.open("no-such-game"), Err(OpenError::Unknown { .. })));
        for (wrong, said) in [("no/such.kif", "cannot read"), (&rule_file("chase"), "ludens ggp")] {
            let error = games.open(wrong).unwrap_err().to_string();
            assert!(error.contains(said) && error.starts_with(wrong), "{error}");
        }
        assert!(games.list().is_empty(), "files are not listed");
    }

    /// The same rules are the same game in any folder; other rules of the same name are another game.
    #[test]
    fn a_game_is_its_rules() {
        let text = read_rules(Path::new(&rule_file("tic-tac-toe"))).unwrap();
        let (kept, stop) = (Kept::default(), Stop::default());
        let here = kept.open("here/a.kif", &text, &stop).unwrap();
        let there = kept.open("there/a.kif", &text, &stop).unwrap();
        assert!(Arc::ptr_eq(&here, &there), "it was kept");
        let changed = kept.open("a.kif", &(text + "\n"), &stop).unwrap();
        assert_ne!(here.id(), changed.id());
    }
}
