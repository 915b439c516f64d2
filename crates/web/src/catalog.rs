//! What there is to play: the games and, for each, the minds and learners that can play it. Everything comes from the
//! registries; no game is known here by name.

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ludens_core::{Game, GameVisitor, Mind, MindError, Spec, Table, TableOf, View};
use ludens_games::GameEntry;
use ludens_learners::registry;
use serde::Serialize;

use crate::error::{ApiError, ApiResult};
use crate::rules::{Rules, Written};
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
    /// The rungs of a trained player's past, beginner first.
    pub levels: Vec<LevelInfo>,
}

/// One rung: the same player at an earlier time.
#[derive(Clone, Debug, Serialize)]
pub struct LevelInfo {
    pub name: String,
    pub level: usize,
    pub step: u64,
    pub elo: Option<f64>,
    pub elo_plus_minus: Option<f64>,
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
const PRIVATE_SETTINGS: &[&str] = &[
    "path", "file", "model", "data", "labels", "command", "program", "host", "port", "address", "socket",
    "book",
];

fn without_private(text: &str) -> Result<(), MindError> {
    let settings = text.split_once(':').map_or("", |(_, settings)| settings);
    let mut pairs =
        settings.split(',').map(|setting| setting.split_once('=').unwrap_or(("variant", setting)));
    match pairs.find(|(key, value)| PRIVATE_SETTINGS.contains(&key.trim()) || names_a_file(value)) {
        Some((key, _)) => {
            Err(MindError::Other(format!("{key} cannot be set so from here; use the command line")))
        }
        None => Ok(()),
    }
}

/// A path, or a name with an extension: settings such as `heuristic` and `from` take files on the command line.
fn names_a_file(value: &str) -> bool {
    let extension = value.rsplit_once('.').map_or("", |(_, extension)| extension);
    value.contains(['/', '\\']) || extension.contains(|letter: char| letter.is_alphabetic())
}

fn info(name: &str, summary: &str, settings: &[(&str, &str)], kind: &'static str) -> MindInfo {
    let settings = settings
        .iter()
        .map(|(key, meaning)| SettingInfo { key: (*key).into(), meaning: (*meaning).into() })
        .collect();
    MindInfo {
        name: name.into(),
        title: title(name),
        summary: summary.into(),
        kind,
        settings,
        levels: Vec::new(),
    }
}

/// Names that people know in another spelling.
const KNOWN_NAMES: &[(&str, &str)] = &[
    ("uct", "UCT"),
    ("alphabeta", "Alpha-beta"),
    ("depth1", "One move ahead"),
    ("actr", "ACT-R"),
    ("nhb", "NHB"),
    ("td", "TD(λ)"),
    ("solver", "Perfect player"),
];

/// `backward-deepening` → `Backward deepening`.
pub fn title(name: &str) -> String {
    if let Some((_, known)) = KNOWN_NAMES.iter().find(|(key, _)| *key == name) {
        return (*known).into();
    }
    let words = name.replace(['-', '_'], " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The classical mind called `text`, from the registry only: a name is never taken for a file.
pub fn registered_mind<G: Game>(game: &Arc<G>, text: &str) -> Result<Box<dyn Mind<G>>, MindError> {
    without_private(text)?;
    let mut spec: Spec = text.parse()?;
    let entries = registry::minds::<G>();
    let entry = entries
        .iter()
        .find(|entry| entry.name == spec.name)
        .ok_or_else(|| MindError::Unknown { name: spec.name.clone(), near: None })?;
    let mind = (entry.make)(game, &mut spec)?;
    let known: Vec<&str> = entry.settings.iter().map(|(key, _)| *key).collect();
    spec.finish(&known)?;
    Ok(mind)
}

/// How long a mind is waited for before it is taken to fit.
const TRIAL: Duration = Duration::from_millis(250);

/// Tries to make something for a game. What does not play it says so at once; what takes longer than a trial is at
/// work already, so it plays.
fn fits<G: Game>(
    game: &Arc<G>,
    name: &str,
    make: impl FnOnce(&Arc<G>, &str) -> Result<(), MindError> + Send + 'static,
) -> Result<(), MindError> {
    let (told, wait) = mpsc::channel();
    let (game, name) = (game.clone(), name.to_string());
    std::thread::spawn(move || {
        let _ = told.send(make(&game, &name));
    });
    match wait.recv_timeout(TRIAL) {
        Ok(made) => made,
        Err(RecvTimeoutError::Timeout) => Ok(()),
        Err(RecvTimeoutError::Disconnected) => Err(MindError::Other("it fails when it is made".into())),
    }
}

fn try_learner<G: Game>(game: &Arc<G>, text: &str) -> Result<(), MindError> {
    without_private(text)?;
    registry::make_learner(game, text.parse()?).map(|_| ())
}

struct Listing {
    id: String,
    title: String,
    summary: String,
    position_format: String,
    table: Box<dyn Table>,
}

impl GameVisitor for Listing {
    type Out = GameInfo;

    fn visit<G: Game>(self, game: Arc<G>) -> GameInfo {
        let minds = registry::minds::<G>()
            .iter()
            .filter(|mind| {
                fits(&game, mind.name, |game, name| registered_mind(game, name).map(|_| ())).is_ok()
            })
            .map(|mind| info(mind.name, mind.summary, mind.settings, "classical"))
            .collect();
        let learners = registry::learners::<G>()
            .iter()
            .filter(|learner| fits(&game, learner.name, try_learner).is_ok())
            .map(|learner| info(learner.name, learner.summary, learner.settings, "learner"))
            .collect();
        GameInfo {
            id: self.id,
            title: self.title,
            summary: self.summary,
            position_format: self.position_format,
            start: self.table.view(),
            minds,
            learners,
        }
    }
}

struct Trying<'a> {
    shelf: Arc<Shelf>,
    mind: &'a str,
}

impl GameVisitor for Trying<'_> {
    type Out = Result<(), MindError>;

    fn visit<G: Game>(self, game: Arc<G>) -> Result<(), MindError> {
        let shelf = self.shelf;
        fits(&game, self.mind, move |game, mind| shelf.mind(game, mind).map(|_| ()))
    }
}

struct TryingLearner<'a>(&'a str);

impl GameVisitor for TryingLearner<'_> {
    type Out = Result<(), MindError>;

    fn visit<G: Game>(self, game: Arc<G>) -> Result<(), MindError> {
        fits(&game, self.0, try_learner)
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
    rules: Rules,
    /// Listing a game tries every mind on it, so it is done once.
    listed: Mutex<HashMap<String, Arc<GameInfo>>>,
    /// Games and minds known to go together: making a mind may be slow.
    checked: Mutex<HashSet<(String, String)>>,
}

const CHECKED_KEPT: usize = 1_000;

impl Catalog {
    pub fn new(shelf: Arc<Shelf>, rules: Rules) -> Catalog {
        Catalog { shelf, rules, listed: Mutex::default(), checked: Mutex::default() }
    }

    /// Runs `visitor` on the game a client names.
    pub fn visit<V: GameVisitor>(&self, game: &str, visitor: V) -> ApiResult<V::Out> {
        match self.rules.find(game) {
            Some(written) => self.rules.visit(&written, visitor),
            None => ludens_games::with_game(game, visitor).map_err(|_| ApiError::not_found("game")),
        }
    }

    pub fn open(&self, game: &str) -> ApiResult<Box<dyn Table>> {
        self.visit(game, Opening { shelf: self.shelf.clone() })
    }

    /// Fails, with the reason, unless a learner can be made so for this game.
    pub fn check_learner(&self, game: &str, learner: &str) -> ApiResult<()> {
        Ok(self.visit(game, TryingLearner(learner))??)
    }

    /// The mind as it must be asked when a move is drawn from its ranking: a search that leaves worse moves early gives only
    /// bounds for them, so one that can rank exactly is told to.
    pub fn for_drawing(&self, mind: &str) -> String {
        let name = mind.split(':').next().unwrap_or(mind);
        let ranks_exactly =
            ludens_games::all().first().and_then(|entry| self.native(*entry).ok()).is_some_and(|game| {
                let entry = game.minds.iter().find(|known| known.name == name);
                entry.is_some_and(|known| known.settings.iter().any(|setting| setting.key == "root"))
            });
        match (ranks_exactly, mind.split_once(':')) {
            (true, None) => format!("{mind}:root=exact"),
            (true, Some((_, settings))) if !settings.contains("root=") => format!("{mind},root=exact"),
            _ => mind.into(),
        }
    }

    /// Fails, with the reason, unless `mind` can be made and plays `game`.
    pub fn check_mind(&self, game: &str, mind: &str) -> ApiResult<()> {
        let pair = (game.to_string(), mind.to_string());
        let lock = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if lock().contains(&pair) {
            return Ok(());
        }
        let trying = Trying { shelf: self.shelf.clone(), mind };
        self.visit(game, trying)??;
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

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The games of the registry, then those written in GDL that are ready.
    pub fn games(&self) -> ApiResult<Vec<GameInfo>> {
        let mut games =
            ludens_games::all().into_iter().map(|entry| self.native(entry)).collect::<ApiResult<Vec<_>>>()?;
        games.extend(self.rules.all().iter().rev().filter_map(|written| self.known(&written.id)));
        Ok(games)
    }

    /// Lists everything once, the slow ones too; those that cannot be read any more are left out.
    pub fn warm(&self) {
        let _ = self.games();
        for written in self.rules.all() {
            let _ = self.written(&written);
        }
    }

    fn native(&self, entry: GameEntry) -> ApiResult<GameInfo> {
        self.listed(entry.id, entry.title, entry.summary, entry.position_format)
    }

    /// A game written in GDL.
    pub fn written(&self, written: &Written) -> ApiResult<GameInfo> {
        self.listed(&written.id, &written.title, "your own rules, in GDL", "the facts that hold, in brackets")
    }

    fn known(&self, id: &str) -> Option<GameInfo> {
        let listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut info = (**listed.get(id)?).clone();
        info.minds.extend(self.shelf.minds_for(id));
        Some(info)
    }

    fn listed(&self, id: &str, title: &str, summary: &str, format: &str) -> ApiResult<GameInfo> {
        if let Some(known) = self.known(id) {
            return Ok(known);
        }
        let listing = Listing {
            id: id.into(),
            title: title.into(),
            summary: summary.into(),
            position_format: format.into(),
            table: self.open(id)?,
        };
        let info = self.visit(id, listing)?;
        self.listed.lock().unwrap_or_else(PoisonError::into_inner).insert(id.into(), Arc::new(info));
        self.known(id).ok_or_else(|| ApiError::not_found("game"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_name_no_files() {
        for wrong in [
            "alphabeta:heuristic=x.safetensors",
            "alphabeta:depth=2,heuristic=/etc/passwd",
            "concepts:from=rules.kif",
            "concepts:from=..\\rules",
            "solver:book=1",
            "zoo:../x",
        ] {
            assert!(without_private(wrong).is_err(), "{wrong}");
        }
        for right in ["alphabeta", "uct:states=100,c=0.5", "zoo:actr-backgammon,level=2", "nhb:ridge=1e-3"] {
            assert!(without_private(right).is_ok(), "{right}");
        }
    }
}
