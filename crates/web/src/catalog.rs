//! What there is to play: the games of the house and those whose rules were sent, and for each the minds and learners that can
//! play it. No game and no mind is known here by name.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ludens_catalogue::{House, advice};
use ludens_core::{
    About, Front, GameAbout, MindError, Models, SettingAbout, Spec, Stop, Table, Trainee, View,
};
use serde::Serialize;

use crate::error::{ApiError, ApiResult};
use crate::lock;
use crate::names;
use crate::rules::{Rules, Written};
use crate::shelf::Shelf;

/// A setting as a list shows it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SettingInfo {
    key: String,
    meaning: String,
    /// What it is when nothing is said.
    default: String,
    /// What it may be, in words.
    limits: String,
}

impl From<SettingAbout> for SettingInfo {
    fn from(about: SettingAbout) -> SettingInfo {
        let SettingAbout { key, help, default, limits } = about;
        SettingInfo { key, meaning: help, default, limits }
    }
}

/// A mind or a learner as a list shows it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MindInfo {
    /// The text that names it in a seat.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) summary: String,
    /// `classical`, `learnt` (a trained model), `training` (still learning) or `learner`.
    pub(crate) kind: &'static str,
    pub(crate) settings: Vec<SettingInfo>,
    /// The rungs of a trained player's past, beginner first.
    pub(crate) levels: Vec<LevelInfo>,
}

impl MindInfo {
    fn of(about: About, kind: &'static str) -> MindInfo {
        MindInfo {
            name: about.name,
            title: about.title,
            summary: about.summary,
            kind,
            settings: about.settings.into_iter().map(SettingInfo::from).collect(),
            levels: Vec::new(),
        }
    }
}

/// One rung: the same player at an earlier time.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LevelInfo {
    pub(crate) name: String,
    pub(crate) level: usize,
    pub(crate) step: u64,
    pub(crate) elo: Option<f64>,
    pub(crate) elo_plus_minus: Option<f64>,
}

/// A game as the page lists it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GameInfo {
    id: String,
    title: String,
    summary: String,
    position_format: String,
    /// Lines win: a search that counts them plays well although nobody was trained.
    lines: bool,
    /// The start, for the picture on the list of games.
    start: View,
    minds: Vec<MindInfo>,
    learners: Vec<MindInfo>,
}

/// How long the making of a mind may take before it is taken to fit.
const TRIAL: Duration = Duration::from_millis(250);

/// Tries to make something for a game. What does not play it says so at once; what is still at it when the trial ends is at
/// work already, so it plays.
fn fits(make: impl FnOnce(&Stop) -> Result<(), MindError>) -> Result<(), MindError> {
    let trial = Stop::new().within(TRIAL);
    // A mind from outside may panic when it is made: it must not take the others off the list with it.
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| make(&trial))) {
        Ok(Err(MindError::Stopped(_))) => Ok(()),
        Ok(made) => made,
        Err(_) => Err(MindError::Other("it fails when it is made".into())),
    }
}

fn try_learner(front: &Arc<dyn Front>, spec: Spec) -> Result<(), MindError> {
    fits(|_| front.learner(spec).map(|_| ()))
}

/// All games a client can name.
#[derive(Debug)]
pub(crate) struct Catalog {
    house: House,
    shelf: Arc<Shelf>,
    rules: Rules,
    /// Listing a game tries every mind on it, so it is done once.
    listed: Mutex<HashMap<String, Arc<GameInfo>>>,
    /// Games and minds known to go together: making a mind may be slow.
    checked: Mutex<HashSet<(String, String)>>,
}

const CHECKED_KEPT: usize = 1_000;
impl Catalog {
    pub(crate) fn new(house: House, shelf: Arc<Shelf>, rules: Rules) -> Catalog {
        Catalog { house, shelf, rules, listed: Mutex::default(), checked: Mutex::default() }
    }

    /// The game a client names: one of the house, or one whose rules were sent. Never a file and never a text of rules: those
    /// are games to the house too.
    pub(crate) fn front(&self, game: &str) -> ApiResult<Arc<dyn Front>> {
        if let Some(written) = self.rules.find(game) {
            return self.rules.open(&written);
        }
        let games = &self.house.games;
        let listed = || games.list().iter().any(|about| about.id == game);
        if names::is_plain(game) || listed() {
            Ok(games.open(game)?)
        } else {
            Err(ApiError::not_found("game"))
        }
    }

    /// The models of the shelf, as the games look for them.
    pub(crate) fn models(&self) -> Arc<dyn Models> {
        self.shelf.clone()
    }

    /// A table to play and think at.
    pub(crate) fn open(&self, game: &str) -> ApiResult<Box<dyn Table>> {
        Ok(self.front(game)?.table(self.models()))
    }

    /// Fails, with the reason, unless a learner can be made so for this game.
    pub(crate) fn check_learner(&self, game: &str, learner: &str) -> ApiResult<()> {
        names::check(learner)?;
        Ok(try_learner(&self.front(game)?, learner.parse().map_err(MindError::from)?)?)
    }

    /// The learner a client names, before its first step.
    pub(crate) fn learner(&self, game: &str, learner: &str) -> ApiResult<Box<dyn Trainee>> {
        names::check(learner)?;
        Ok(self.front(game)?.learner(learner.parse().map_err(MindError::from)?)?)
    }

    /// The mind as it must be asked when a move is drawn from its ranking: a search that leaves worse moves early gives only
    /// bounds for them, so one that can rank exactly is told to.
    pub(crate) fn for_drawing(&self, game: &str, mind: &str) -> ApiResult<String> {
        let (name, settings) = mind.split_once(':').unwrap_or((mind, ""));
        let minds = self.front(game)?.minds();
        let about = minds.iter().find(|about| about.name == name);
        if !about.is_some_and(|about| about.keys().contains(&"root")) || settings.contains("root=") {
            return Ok(mind.into());
        }
        Ok(format!("{mind}{}root=exact", if settings.is_empty() { ':' } else { ',' }))
    }

    /// Fails, with the reason, unless `mind` can be made and plays `game`.
    pub(crate) fn check_mind(&self, game: &str, mind: &str) -> ApiResult<()> {
        names::check(mind)?;
        let pair = (game.to_string(), mind.to_string());
        if lock(&self.checked).contains(&pair) {
            return Ok(());
        }
        self.try_mind(&self.front(game)?, mind)?;
        // What is on the shelf may leave it again.
        if self.shelf.get(mind).is_none() {
            let mut checked = lock(&self.checked);
            if checked.len() >= CHECKED_KEPT {
                checked.clear();
            }
            checked.insert(pair);
        }
        Ok(())
    }

    fn try_mind(&self, front: &Arc<dyn Front>, mind: &str) -> Result<(), MindError> {
        fits(|trial| front.check_mind(mind, &self.models(), trial))
    }

    /// Who gives hints: the one who cannot be wrong where there is one, else the strongest that was measured, else a search.
    pub(crate) fn advisor(&self, game: &str) -> ApiResult<String> {
        Ok(advice::advisor(&*self.front(game)?, self.house.games.zoo()))
    }

    /// Who says how the sides stand where that one cannot prove it in time.
    pub(crate) fn second_advisor(&self, game: &str) -> Option<String> {
        advice::second(&*self.front(game).ok()?, self.house.games.zoo())
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The games of the house, then those written in GDL that are ready. One that cannot be opened is left out: it must not take the
    /// others with it.
    pub(crate) fn games(&self) -> Vec<GameInfo> {
        let about = self.house.games.list();
        let mut games: Vec<_> = about.into_iter().filter_map(|about| self.listed(about).ok()).collect();
        games.extend(self.rules.all().iter().rev().filter_map(|written| self.known(&written.id)));
        games
    }

    /// Lists everything once, the slow ones too; those that cannot be read any more are left out.
    pub(crate) fn warm(&self) {
        let _ = self.games();
        for written in self.rules.all() {
            let _ = self.rules.marked(&written, || self.written(&written));
        }
    }

    /// A game written in GDL.
    pub(crate) fn written(&self, written: &Written) -> ApiResult<GameInfo> {
        self.listed(&written.about())
    }

    fn known(&self, id: &str) -> Option<GameInfo> {
        let mut info = (**lock(&self.listed).get(id)?).clone();
        info.minds.extend(self.shelf.minds_for(id));
        Some(info)
    }

    fn listed(&self, about: &GameAbout) -> ApiResult<GameInfo> {
        if let Some(known) = self.known(&about.id) {
            return Ok(known);
        }
        let info = self.list(&self.front(&about.id)?, about);
        lock(&self.listed).insert(about.id.clone(), Arc::new(info));
        self.known(&about.id).ok_or_else(|| ApiError::not_found("game"))
    }

    /// One game, also a member of a family that the list does not show; its list of minds is not kept, for there are many of them.
    pub(crate) fn one(&self, game: &str) -> ApiResult<GameInfo> {
        if let Some(info) = self.games().into_iter().find(|info| info.id == game) {
            return Ok(info);
        }
        let front = self.front(game)?;
        let mut info = self.list(&front, front.about());
        info.id = game.into();
        info.minds.extend(self.shelf.minds_for(game));
        Ok(info)
    }

    fn list(&self, front: &Arc<dyn Front>, about: &GameAbout) -> GameInfo {
        let (mut minds, mut learners) = (front.minds(), front.learners());
        // What no client could name is not offered either.
        let nameable = |about: &About| names::check(&about.name).is_ok();
        minds.retain(|mind| nameable(mind) && self.try_mind(front, &mind.name).is_ok());
        learners.retain(|learner| nameable(learner) && try_learner(front, Spec::new(&learner.name)).is_ok());
        let infos =
            |list: Vec<About>, kind| list.into_iter().map(|about| MindInfo::of(about, kind)).collect();
        let GameAbout { id, title, summary, position_format } = about.clone();
        GameInfo {
            id,
            title,
            summary,
            position_format,
            lines: !front.facts().lines.is_empty(),
            // A picture: the moves of a game may be ninety thousand.
            start: View { moves: Vec::new(), ..front.table(self.models()).view() },
            minds: infos(minds, "classical"),
            learners: infos(learners, "learner"),
        }
    }
}
