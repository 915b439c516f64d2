//! Long work that people watch: trainings and tournaments. Each has a state that a stream of events shows while it changes, a stop,
//! and a bound on how many run and how many are remembered.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use ludens_core::Stop;
use serde::Serialize;
use tokio::sync::watch;

use crate::client::Client;
use crate::error::{ApiError, ApiResult};
use crate::lock;
use crate::streams::{Streams, Watcher};

/// The shortest time between two events of a stream.
const PACE: Duration = Duration::from_millis(200);

#[derive(Debug)]
pub(crate) struct Work<T> {
    pub(crate) id: String,
    state: Mutex<T>,
    changed: watch::Sender<u64>,
    stop: Mutex<Stop>,
    running: AtomicBool,
}

impl<T: Serialize> Work<T> {
    /// Work that nobody does now, only to be looked at.
    pub(crate) fn still(id: String, state: T) -> Work<T> {
        Work {
            id,
            state: Mutex::new(state),
            changed: watch::Sender::new(0),
            stop: Mutex::new(Stop::new()),
            running: AtomicBool::new(false),
        }
    }

    pub(crate) fn read<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        look(&lock(&self.state))
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut T)) {
        change(&mut lock(&self.state));
        self.changed.send_modify(|version| *version += 1);
    }

    pub(crate) fn is_running(&self) -> bool {
        self.running.load(Ordering::SeqCst)
    }

    /// Who may end it.
    pub(crate) fn stop(&self) -> Stop {
        lock(&self.stop).clone()
    }

    /// The state with its name, as clients get it.
    pub(crate) fn view(&self) -> serde_json::Value {
        let mut view = self.read(|state| serde_json::to_value(state).unwrap_or_default());
        view["id"] = self.id.clone().into();
        view["running"] = self.is_running().into();
        view
    }
}

type Held<T> = Arc<Work<T>>;

/// All works of one kind.
#[derive(Debug)]
pub(crate) struct Works<T> {
    items: Mutex<Vec<Held<T>>>,
    running: usize,
    kept: usize,
}

impl<T: Serialize + Send + 'static> Works<T> {
    pub(crate) fn new(running: usize, kept: usize) -> Works<T> {
        Works { items: Mutex::default(), running, kept: kept.max(running) }
    }

    pub(crate) fn list(&self) -> Vec<Held<T>> {
        lock(&self.items).clone()
    }

    pub(crate) fn get(&self, id: &str) -> ApiResult<Held<T>> {
        let items = lock(&self.items);
        items.iter().find(|work| work.id == id).cloned().ok_or_else(|| ApiError::not_found("work"))
    }

    /// Starts a new work on a thread of its own. Returns what was forgotten to make room.
    pub(crate) fn start(
        &self,
        id: String,
        state: T,
        run: impl FnOnce(&Work<T>) + Send + 'static,
    ) -> ApiResult<(Held<T>, Option<Held<T>>)> {
        let mut items = lock(&self.items);
        self.check_room(&items)?;
        let work = Arc::new(Work::still(id, state));
        work.running.store(true, Ordering::SeqCst);
        spawn(&work, run)?;
        items.push(work.clone());
        let surplus = items.len() > self.kept;
        let oldest = items.iter().position(|work| !work.is_running()).filter(|_| surplus);
        Ok((work, oldest.map(|index| items.remove(index))))
    }

    /// Fails when as many run as may.
    pub(crate) fn room(&self) -> ApiResult<()> {
        self.check_room(&lock(&self.items))
    }

    /// Starts a stopped work again.
    pub(crate) fn restart(
        &self,
        work: &Held<T>,
        run: impl FnOnce(&Work<T>) + Send + 'static,
    ) -> ApiResult<()> {
        let items = lock(&self.items);
        if work.is_running() {
            return Err(ApiError::conflict("it is running already"));
        }
        self.check_room(&items)?;
        *lock(&work.stop) = Stop::new();
        work.running.store(true, Ordering::SeqCst);
        spawn(work, run)
    }

    fn check_room(&self, items: &[Held<T>]) -> ApiResult<()> {
        if items.iter().filter(|work| work.is_running()).count() >= self.running {
            return Err(ApiError::full("as many are running as this machine should bear; stop one first"));
        }
        Ok(())
    }
}

fn spawn<T: Serialize + Send + 'static>(
    work: &Arc<Work<T>>,
    run: impl FnOnce(&Work<T>) + Send + 'static,
) -> ApiResult<()> {
    /// Says that the work has ended even when it ended in a panic.
    struct Ending<T: Serialize>(Arc<Work<T>>);
    impl<T: Serialize> Drop for Ending<T> {
        fn drop(&mut self) {
            self.0.running.store(false, Ordering::SeqCst);
            self.0.change(|_| ());
        }
    }
    let ending = Ending(work.clone());
    let thread = std::thread::Builder::new().name("ludens-work".into()).spawn(move || {
        let ending = ending;
        run(&ending.0);
    });
    thread.map(|_| ()).map_err(|error| ApiError::busy(format!("no thread can be started: {error}")))
}

/// The events of a work: its whole state, again whenever it has changed, until it ends or somebody else needs the place.
pub(crate) fn events<T: Serialize + Send + 'static>(
    work: Arc<Work<T>>,
    streams: &Arc<Streams>,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>> + use<T>>> {
    let watcher = streams.enter(Client::current());
    let changed = work.changed.subscribe();
    let watching = Watching { work, changed, first: true, ended: false, watcher };
    let stream = futures_util::stream::unfold(watching, |mut watching| async move {
        let event = watching.next().await?;
        Some((Ok(event), watching))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

struct Watching<T> {
    work: Arc<Work<T>>,
    changed: watch::Receiver<u64>,
    first: bool,
    ended: bool,
    watcher: Watcher,
}

impl<T: Serialize> Watching<T> {
    async fn next(&mut self) -> Option<Event> {
        if self.ended {
            return None;
        }
        if !self.first {
            tokio::select! {
                changed = self.changed.changed() => changed.ok()?,
                () = self.watcher.wanted() => return None,
            }
            tokio::time::sleep(PACE).await;
        }
        self.first = false;
        self.changed.mark_unchanged();
        // Looked at before the state is read: what changes after this is seen in the next round.
        self.ended = !self.work.is_running();
        let name = if self.ended { "end" } else { "state" };
        Some(Event::default().event(name).data(self.work.view().to_string()))
    }
}
