//! Thinking, away from the threads that answer requests. A *desk* is a table with one mind at it, made ready; a decision takes a
//! desk, plays the game up to the position, asks the mind and puts the desk back. Few desks serve any number of games,
//! so that memory does not grow with them, and a mind that panics takes only its desk with it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ludens_core::{Budget, Move, Rng, Table};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use crate::catalog::Catalog;
use crate::config::Limits;
use crate::error::{ApiError, ApiResult};
use crate::explain::{Explained, explain};
use crate::names;
use crate::shelf::Shelf;

/// How strong an opponent is asked to be.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Level {
    /// The states it may examine; none leaves it to the mind.
    pub(crate) states: Option<u64>,
    /// 0 plays the best move it sees; above, it draws among its ranking, more freely the higher.
    pub(crate) temperature: f64,
}

impl Level {
    pub(crate) fn checked(self) -> ApiResult<Level> {
        if self.states == Some(0) || self.states.is_some_and(|states| states > 100_000_000) {
            return Err(ApiError::bad("a level has from 1 to 100000000 states"));
        }
        if !(0.0..=10.0).contains(&self.temperature) {
            return Err(ApiError::bad("a temperature lies from 0 to 10"));
        }
        Ok(self)
    }

    pub(crate) fn budget(self) -> Budget {
        self.states.map_or(Budget::Unlimited, Budget::States)
    }
}

/// A question to a mind: what do you do here, and why?
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) game: String,
    /// The position text the game began from.
    pub(crate) start: Option<String>,
    pub(crate) history: Vec<Move>,
    pub(crate) mind: String,
    pub(crate) level: Level,
    pub(crate) rng: Rng,
}

struct Desk {
    game: String,
    mind: String,
    version: u64,
    table: Box<dyn Table>,
}

pub(crate) struct Thinkers {
    permits: Semaphore,
    overdue: Overdue,
    idle: Mutex<Vec<Desk>>,
    catalog: Arc<Catalog>,
    shelf: Arc<Shelf>,
    limits: Limits,
}

impl std::fmt::Debug for Thinkers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Thinkers").field("free", &self.permits.available_permits()).finish()
    }
}

/// What a mind that does not watch the clock may take beyond its time.
const GRACE: Duration = Duration::from_secs(2);

#[derive(PartialEq, Debug)]
enum Stage {
    Thinking,
    /// Nobody waits any more, and it still thinks.
    Overdue,
    Done,
}

/// The minds that think on after everybody has left, each by name. Their places go to others: a slow oracle must not keep people
/// from playing, and is itself not asked again until it is done.
type Overdue = Arc<Mutex<Vec<String>>>;

fn names(overdue: &Overdue) -> MutexGuard<'_, Vec<String>> {
    overdue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
struct Watch {
    mind: String,
    overdue: Overdue,
    stage: Mutex<Stage>,
}

impl Watch {
    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Dropped when the request leaves.
struct Leaving(Arc<Watch>);

impl Drop for Leaving {
    fn drop(&mut self) {
        let mut stage = self.0.stage();
        if *stage == Stage::Thinking {
            *stage = Stage::Overdue;
            names(&self.0.overdue).push(self.0.mind.clone());
        }
    }
}

/// Dropped when the thread has ended, by a panic too.
struct Done(Arc<Watch>);

impl Drop for Done {
    fn drop(&mut self) {
        let mut stage = self.0.stage();
        if *stage == Stage::Overdue {
            let mut overdue = names(&self.0.overdue);
            if let Some(index) = overdue.iter().position(|mind| *mind == self.0.mind) {
                overdue.swap_remove(index);
            }
        }
        *stage = Stage::Done;
    }
}

impl Thinkers {
    pub(crate) fn new(catalog: Arc<Catalog>, shelf: Arc<Shelf>, limits: &Limits) -> Thinkers {
        let permits = Semaphore::new(limits.thinkers.max(1));
        Thinkers {
            permits,
            overdue: Arc::default(),
            idle: Mutex::default(),
            catalog,
            shelf,
            limits: limits.clone(),
        }
    }

    pub(crate) async fn ask(self: &Arc<Self>, question: Question) -> ApiResult<Explained> {
        // Also in front of games that were kept: their seats come from a file.
        names::check(&question.mind)?;
        self.check_overdue(&question.mind)?;
        let permit = tokio::time::timeout(self.limits.think_queue, self.permits.acquire());
        let Ok(Ok(_permit)) = permit.await else {
            return Err(ApiError::busy("all thinkers are busy; ask again in a moment"));
        };
        // Also when the request itself is given up, what still runs stays counted.
        let watch = Arc::new(Watch {
            mind: question.mind.clone(),
            overdue: self.overdue.clone(),
            stage: Mutex::new(Stage::Thinking),
        });
        let _leaving = Leaving(watch.clone());
        let this = self.clone();
        let thinking = tokio::task::spawn_blocking(move || {
            let _done = Done(watch);
            this.think(question)
        });
        match tokio::time::timeout(self.limits.think_time + GRACE, thinking).await {
            Ok(Ok(explained)) => explained,
            Ok(Err(_)) => Err(ApiError::internal("this mind failed while thinking; choose another opponent")),
            Err(_) => Err(ApiError::new(
                axum::http::StatusCode::GATEWAY_TIMEOUT,
                "thinking",
                "this mind needs longer here than a page should wait; ask again later in the game",
            )),
        }
    }

    fn check_overdue(&self, mind: &str) -> ApiResult<()> {
        let overdue = names(&self.overdue);
        if overdue.iter().any(|other| other == mind) {
            return Err(ApiError::busy(
                "it is still thinking about an earlier question; ask again in a while",
            ));
        }
        if overdue.len() > self.limits.thinkers.max(1) {
            return Err(ApiError::busy(
                "some minds are still thinking long after their time; ask again later",
            ));
        }
        Ok(())
    }

    fn think(&self, mut question: Question) -> ApiResult<Explained> {
        let named = question.mind.clone();
        if question.level.temperature > 0.0 {
            question.mind = self.catalog.for_drawing(&question.game, &named)?;
        }
        let mut desk = self.take_desk(&question)?;
        // A mind that failed is not put back: whoever asks next gets a new one.
        let explained = explain(&mut *desk.table, &question)?;
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(desk);
        if idle.len() > self.limits.desks {
            idle.remove(0);
        }
        Ok(Explained { mind: named, ..explained })
    }

    fn take_desk(&self, question: &Question) -> ApiResult<Desk> {
        let version = self.shelf.version(&question.mind);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|desk| desk.mind != question.mind || desk.version == version);
        let fits = |desk: &Desk| desk.game == question.game && desk.mind == question.mind;
        if let Some(index) = idle.iter().position(fits) {
            return Ok(idle.remove(index));
        }
        drop(idle);
        let mut table = self.catalog.open(&question.game)?;
        table.limit_time(Some(self.limits.think_time));
        Ok(Desk { game: question.game.clone(), mind: question.mind.clone(), version, table })
    }
}
