//! What there is to play: the games and, for each, the minds and learners that can play it. Everything comes from the
//! registries; no game is known here by name.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use ludens_core::{Game, GameVisitor, Mind, MindError, Spec, Table, TableOf, View};
use ludens_games::GameEntry;
use ludens_learners::registry;
use serde::Serialize;

use crate::error::{ApiError, ApiResult};
use crate::shelf::Shelf;

#[derive(Clone, Debug, Serialize)]
pub struct SettingInfo {
    pub key: String,
    pub meaning: String,
}

/// A mind or a learner as a list shows it.
#[derive(Clone, Debug, Serialize)]
pub struct MindInfo {
    /// The text that names it in a seat.
    pub name: String,
    pub title: String,
    pub summary: String,
    /// `classical`, `learnt` (a trained model) or `training` (still learning).
    pub kind: &'static str,
    pub settings: Vec<SettingInfo>,
}

#[derive(Clone, Debug, Serialize)]
pub struct GameInfo {
    pub id: String,
    pub title: String,
    pub summary: String,
    pub position_format: String,
    /// The start, for the picture on the list of games.
    pub start: View,
    pub minds: Vec<MindInfo>,
    pub learners: Vec<MindInfo>,
}

/// A setting that would make a mind read a file, start a program or open a connection is not for clients.
const PRIVATE_SETTINGS: &[&str] =
    &["path", "file", "model", "command", "program", "host", "port", "address", "socket", "book"];

fn is_private(settings: &[(&str, &str)]) -> bool {
    settings.iter().any(|(key, _)| PRIVATE_SETTINGS.contains(key))
}

fn info(
    name: &str,
    summary: &str,
    settings: &[(&str, &str)],
    kind: &'static str,
) -> MindInfo {
    let settings = settings
        .iter()
        .map(|(key, meaning)| SettingInfo { key: (*key).into(), meaning: (*meaning).into() })
        .collect();
    MindInfo { name: name.into(), title: title(name), summary: summary.into(), kind, settings }
}

/// `backward-deepening` → `Backward deepening`.
pub fn title(name: &str) -> String {
    let words = name.replace(['-', '_'], " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The classical mind called `text`, from the registry only: a name is never taken for a file.
pub fn registered_mind<G: Game>(game: &Arc<G>, text: &str) -> Result<Box<dyn Mind<G>>, MindError> {
    let mut spec: Spec = text.parse()?;
    let entries = registry::minds::<G>();
    let entry = entries
        .iter()
        .find(|entry| entry.name == spec.name && !is_private(entry.settings))
        .ok_or_else(|| MindError::Unknown { name: spec.name.clone(), near: None })?;
    let mind = (entry.make)(game, &mut spec)?;
    let known: Vec<&str> = entry.settings.iter().map(|(key, _)| *key).collect();
    spec.finish(&known)?;
    Ok(mind)
}

struct Listing {
    entry: GameEntry,
    table: Box<dyn Table>,
}

impl GameVisitor for Listing {
    type Out = GameInfo;

    fn visit<G: Game>(self, game: Arc<G>) -> GameInfo {
        let playable = |name: &str| registered_mind(&game, name).is_ok();
        let minds = registry::minds::<G>()
            .iter()
            .filter(|mind| !is_private(mind.settings) && playable(mind.name))
            .map(|mind| info(mind.name, mind.summary, mind.settings, "classical"))
            .collect();
        let learners = registry::learners::<G>()
            .iter()
            .filter(|learner| registry::make_learner(&game, Spec::new(learner.name)).is_ok())
            .map(|learner| info(learner.name, learner.summary, learner.settings, "learner"))
            .collect();
        GameInfo {
            id: self.entry.id.into(),
            title: self.entry.title.into(),
            summary: self.entry.summary.into(),
            position_format: self.entry.position_format.into(),
            start: self.table.view(),
            minds,
            learners,
        }
    }
}

struct Trying<'a> {
    shelf: &'a Shelf,
    mind: &'a str,
}

impl GameVisitor for Trying<'_> {
    type Out = Result<(), MindError>;

    fn visit<G: Game>(self, game: Arc<G>) -> Result<(), MindError> {
        self.shelf.mind(&game, self.mind).map(|_| ())
    }
}

struct Opening {
    shelf: Arc<Shelf>,
}

impl GameVisitor for Opening {
    type Out = Box<dyn Table>;

    fn visit<G: Game>(self, game: Arc<G>) -> Box<dyn Table> {
        let shelf = self.shelf;
        Box::new(TableOf::new(game, move |game, text| shelf.mind(game, text)))
    }
}

/// All games a client can name.
#[derive(Debug)]
pub struct Catalog {
    shelf: Arc<Shelf>,
    /// Listing a game tries every mind on it, so it is done once.
    listed: Mutex<HashMap<&'static str, Arc<GameInfo>>>,
    /// Games and minds known to go together: making a mind may be slow.
    checked: Mutex<HashSet<(String, String)>>,
}

const CHECKED_KEPT: usize = 1_000;

impl Catalog {
    pub fn new(shelf: Arc<Shelf>) -> Catalog {
        Catalog { shelf, listed: Mutex::default(), checked: Mutex::default() }
    }

    pub fn open(&self, game: &str) -> ApiResult<Box<dyn Table>> {
        let opening = Opening { shelf: self.shelf.clone() };
        ludens_games::with_game(game, opening).map_err(|_| ApiError::not_found("game"))
    }

    /// Fails, with the reason, unless `mind` can be made and plays `game`.
    pub fn check_mind(&self, game: &str, mind: &str) -> ApiResult<()> {
        let pair = (game.to_string(), mind.to_string());
        let lock = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if lock().contains(&pair) {
            return Ok(());
        }
        let trying = Trying { shelf: &self.shelf, mind };
        ludens_games::with_game(game, trying).map_err(|_| ApiError::not_found("game"))??;
        // What is on the shelf may leave it again.
        if self.shelf.get(mind).is_none() {
            let mut checked = lock();
            if checked.len() >= CHECKED_KEPT {
                checked.clear();
            }
            checked.insert(pair);
        }
        Ok(())
    }

    pub fn games(&self) -> ApiResult<Vec<GameInfo>> {
        ludens_games::all().into_iter().map(|entry| self.game(entry)).collect()
    }

    fn game(&self, entry: GameEntry) -> ApiResult<GameInfo> {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if !listed.contains_key(entry.id) {
            let listing = Listing { entry, table: self.open(entry.id)? };
            let info = ludens_games::with_game(entry.id, listing).map_err(|_| ApiError::not_found("game"))?;
            listed.insert(entry.id, Arc::new(info));
        }
        let mut info = (*listed[entry.id]).clone();
        info.minds.extend(self.shelf.minds_for(&info.id));
        Ok(info)
    }
}
