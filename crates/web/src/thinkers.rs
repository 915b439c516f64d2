//! Thinking, away from the threads that answer requests. A *desk* is a table with one mind at it, made ready; a decision takes a
//! desk, plays the game up to the position, asks the mind and puts the desk back. Few desks serve any number of games,
//! so that memory does not grow with them, and a mind that panics takes only its desk with it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ludens_core::words::Voice;
use ludens_core::{Budget, Move, Rng, Stop, Table, Window};
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;

use crate::catalog::Catalog;
use crate::config::Limits;
use crate::error::{ApiError, ApiResult};
use crate::explain::{Explained, explain};
use crate::lock;
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
    /// It plays nothing after which the other side wins at once while another move keeps that from happening, whatever it ranks first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) careful: bool,
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
    /// Who is told.
    pub(crate) voice: Voice,
    /// A hint: quick, and never a move that loses at once where another does not.
    pub(crate) hint: bool,
    /// Who says how the sides stand where a hint proves nothing.
    pub(crate) second: Option<String>,
    /// The move a person made here, to be judged.
    pub(crate) played: Option<Move>,
}

struct Desk {
    game: String,
    mind: String,
    version: u64,
    table: Box<dyn Table>,
}

pub(crate) struct Thinkers {
    permits: Arc<Semaphore>,
    /// One place more for minds that were quick last time, so that a crowd of slow ones keeps nobody from playing.
    quick: Arc<Semaphore>,
    /// What a mind took for its last decision in a game.
    took: Mutex<HashMap<(String, String), Duration>>,
    deaf: Deaf,
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

/// What a mind may take beyond its time before it counts as deaf.
const GRACE: Duration = Duration::from_secs(2);
/// A decision that takes no longer is quick.
const QUICK: Duration = Duration::from_millis(500);
/// How long somebody waits for a hint.
pub(crate) const HINT_TIME: Duration = Duration::from_secs(1);
/// What one thought may hold: its tree, its tables.
const THOUGHT_BYTES: u64 = 256 << 20;
/// Minds whose last time is remembered.
const TIMES_KEPT: usize = 1_000;

/// The kinds of minds that think on although they were told to end. Ours all listen; a mind from outside may not, and then its kind is not
/// asked again until it is done, and its place goes to others.
type Deaf = Arc<Mutex<Vec<String>>>;

/// The name of a mind without its settings.
fn kind(mind: &str) -> &str {
    mind.split(':').next().unwrap_or(mind)
}

/// Waits for a thought. One that goes on beyond its time is left to itself, its place given to others, until it is done.
async fn watch(
    mut thinking: JoinHandle<ApiResult<Explained>>,
    mind: String,
    place: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
    deaf: Deaf,
    time: Duration,
) -> ApiResult<Explained> {
    match tokio::time::timeout(time, &mut thinking).await {
        Ok(Ok(explained)) => explained,
        Ok(Err(_)) => Err(ApiError::internal("this mind failed while thinking; choose another opponent")),
        Err(_) => {
            lock(&deaf).push(mind.clone());
            lock(&place).take();
            tokio::spawn(async move {
                let _ = thinking.await;
                let mut deaf = lock(&deaf);
                if let Some(index) = deaf.iter().position(|other| *other == mind) {
                    deaf.swap_remove(index);
                }
            });
            Err(ApiError::thinking())
        }
    }
}

/// Asks the work to end when whoever waited for it has left.
pub(crate) struct Leaving(pub(crate) Stop);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.ask();
    }
}

impl Thinkers {
    pub(crate) fn new(catalog: Arc<Catalog>, shelf: Arc<Shelf>, limits: &Limits) -> Thinkers {
        Thinkers {
            permits: Arc::new(Semaphore::new(limits.thinkers.max(1))),
            quick: Arc::new(Semaphore::new(1)),
            took: Mutex::default(),
            deaf: Arc::default(),
            idle: Mutex::default(),
            catalog,
            shelf,
            limits: limits.clone(),
        }
    }

    /// What a mind decides; whoever looks through the window sees it think.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        question: Question,
        window: Option<Window>,
    ) -> ApiResult<Explained> {
        // Also in front of games that were kept: their seats come from a file.
        names::check(&question.mind)?;
        self.check_deaf(&question.mind)?;
        let place = Arc::new(Mutex::new(Some(self.permit(&question).await?)));
        let time =
            if question.hint { (2 * HINT_TIME).min(self.limits.think_time) } else { self.limits.think_time };
        let stop = Stop::new().within(time).holding(THOUGHT_BYTES);
        let _leaving = Leaving(stop.clone());
        let (this, mind, held) = (self.clone(), question.mind.clone(), place.clone());
        let thinking = tokio::task::spawn_blocking(move || {
            let explained = this.think(question, &stop, window);
            // A thought is not over when nobody waits for it any more: the place is the thread's.
            lock(&held).take();
            explained
        });
        // Beside the request, which may be given up: somebody has to notice that a mind does not end.
        let watched =
            tokio::spawn(watch(thinking, mind, place, self.deaf.clone(), self.limits.think_time + GRACE));
        watched.await.unwrap_or_else(|_| Err(ApiError::internal("the server is going down")))
    }

    /// A place to think at.
    async fn permit(&self, question: &Question) -> ApiResult<OwnedSemaphorePermit> {
        let key = (question.game.clone(), question.mind.clone());
        let is_quick = lock(&self.took).get(&key).is_some_and(|took| *took <= QUICK);
        let usual = self.permits.clone().acquire_owned();
        let any = async {
            if is_quick {
                tokio::select! { biased; permit = usual => permit, permit = self.quick.clone().acquire_owned() => permit }
            } else {
                usual.await
            }
        };
        match tokio::time::timeout(self.limits.think_queue, any).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(ApiError::busy("all thinkers are busy; ask again in a moment")),
        }
    }

    /// A place for work that is no answer to one question.
    pub(crate) async fn place(&self) -> ApiResult<OwnedSemaphorePermit> {
        match tokio::time::timeout(self.limits.think_queue, self.permits.clone().acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(ApiError::busy("all thinkers are busy; ask again in a moment")),
        }
    }

    fn check_deaf(&self, mind: &str) -> ApiResult<()> {
        if lock(&self.deaf).iter().any(|other| kind(other) == kind(mind)) {
            return Err(ApiError::busy(
                "it is still thinking about an earlier question; ask again in a while",
            ));
        }
        Ok(())
    }

    fn remember(&self, key: (String, String), took: Duration) {
        let mut times = lock(&self.took);
        if times.len() >= TIMES_KEPT {
            times.clear();
        }
        times.insert(key, took);
    }

    fn think(&self, mut question: Question, stop: &Stop, window: Option<Window>) -> ApiResult<Explained> {
        let named = question.mind.clone();
        let (key, begun) = ((question.game.clone(), named.clone()), Instant::now());
        if question.level.temperature > 0.0 {
            question.mind = self.catalog.for_drawing(&question.game, &named)?;
        }
        let mut desk = self.take_desk(&question)?;
        desk.table.watched(stop.clone());
        if let Some(window) = window {
            desk.table.seen_through(window);
        }
        // A mind that failed is not put back: whoever asks next gets a new one.
        let explained = explain(&mut *desk.table, &question)?;
        self.remember(key, begun.elapsed());
        let mut idle = lock(&self.idle);
        idle.push(desk);
        if idle.len() > self.limits.desks {
            idle.remove(0);
        }
        Ok(Explained { mind: named, ..explained })
    }

    fn take_desk(&self, question: &Question) -> ApiResult<Desk> {
        let version = self.shelf.version(&question.mind);
        let mut idle = lock(&self.idle);
        idle.retain(|desk| desk.mind != question.mind || desk.version == version);
        let fits = |desk: &Desk| desk.game == question.game && desk.mind == question.mind;
        if let Some(index) = idle.iter().position(fits) {
            return Ok(idle.remove(index));
        }
        drop(idle);
        let table = self.catalog.open(&question.game)?;
        Ok(Desk { game: question.game.clone(), mind: question.mind.clone(), version, table })
    }
}
