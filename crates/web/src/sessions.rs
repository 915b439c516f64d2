//! The games going on, and the calls that play them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Path, State};
use ludens_core::{Move, View};
use serde::Deserialize;

use crate::App;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::explain::Explained;
use crate::session::{NewGame, Seat, Session, SessionView};
use crate::thinkers::Level;

type Held = Arc<Mutex<Session>>;

#[derive(Default)]
pub(crate) struct Sessions {
    held: Mutex<HashMap<String, Held>>,
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sessions").field("count", &lock(&self.held).len()).finish()
    }
}

/// A thread that panicked while it held a game has done whole steps only; the game goes on.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A game untouched for this long makes room for a new one; it stays in the log and comes back when asked for.
const IDLE: Duration = Duration::from_secs(120);

impl Sessions {
    fn insert(&self, session: Session, limit: usize) -> ApiResult<Held> {
        let mut held = lock(&self.held);
        if held.len() >= limit {
            let oldest = held.iter().min_by_key(|(_, session)| lock(session).touched);
            let idle = oldest.filter(|(_, session)| lock(session).touched.elapsed() > IDLE);
            let Some(id) = idle.map(|(id, _)| id.clone()) else {
                return Err(ApiError::full("too many games are going on; try again in two minutes"));
            };
            held.remove(&id);
        }
        let id = session.id.clone();
        let session = Arc::new(Mutex::new(session));
        held.insert(id, session.clone());
        Ok(session)
    }

    fn get(&self, id: &str) -> Option<Held> {
        lock(&self.held).get(id).cloned()
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.held).len()
    }
}

/// Work on a table can take longer than a request's thread should be held.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(ApiError::internal("the game's rules failed at this; begin a new game")))
}

fn is_id(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The session, from memory or from the log.
fn find(app: &App, id: &str) -> ApiResult<Held> {
    if let Some(held) = app.sessions.get(id) {
        return Ok(held);
    }
    let kept = if is_id(id) { app.log.get(id).map_err(ApiError::internal)? } else { None };
    let record = kept.ok_or_else(|| ApiError::not_found("game"))?;
    let session = Session::restore(&record, app.catalog.open(&record.game)?)?;
    app.sessions.insert(session, app.config.limits.sessions)
}

fn keep(app: &App, session: &Session) {
    // A full disk must not stop a game; the store says so itself when it is opened.
    let _ = app.log.put(session.record());
}

pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Body(new): Body<NewGame>,
) -> ApiResult<Json<SessionView>> {
    blocking(move || {
        let table = app.catalog.open(&new.game)?;
        for seat in &new.seats {
            if let Seat::Mind { mind, .. } = seat {
                app.catalog.check_mind(&new.game, mind)?;
            }
        }
        let seed = match new.seed {
            Some(seed) => seed,
            None => crate::random_u32()?,
        };
        let session = Session::begin(crate::random_id()?, new, seed, table)?;
        let held = app.sessions.insert(session, app.config.limits.sessions)?;
        let session = lock(&held);
        keep(&app, &session);
        Ok(Json(session.view()))
    })
    .await
}

pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> ApiResult<Json<SessionView>> {
    blocking(move || Ok(Json(lock(&*find(&app, &id)?).view()))).await
}

/// The position before ply number `ply`.
pub(crate) async fn position(
    State(app): State<Arc<App>>,
    Path((id, ply)): Path<(String, usize)>,
) -> ApiResult<Json<View>> {
    blocking(move || {
        let held = find(&app, &id)?;
        let session = lock(&held);
        let game = app.catalog.open(&session.game)?;
        Ok(Json(session.position(ply, game)?))
    })
    .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayMove {
    mv: u32,
    /// The version of the game the player was looking at.
    #[serde(default)]
    version: Option<u64>,
}

pub(crate) async fn play(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(call): Body<PlayMove>,
) -> ApiResult<Json<SessionView>> {
    blocking(move || {
        let held = find(&app, &id)?;
        let mut session = lock(&held);
        if call.version.is_some_and(|version| version != session.version) {
            return Err(ApiError::conflict("the game has moved on since; reload it"));
        }
        session.play(Move(call.mv))?;
        keep(&app, &session);
        Ok(Json(session.view()))
    })
    .await
}

/// The mind that is to move thinks and plays.
pub(crate) async fn reply(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> ApiResult<Json<SessionView>> {
    let held = {
        let app = app.clone();
        blocking(move || find(&app, &id)).await?
    };
    let (question, version) = {
        let session = lock(&held);
        (session.question()?, session.version)
    };
    let explained = app.thinkers.ask(question).await?;
    blocking(move || {
        let mut session = lock(&held);
        if session.version != version {
            return Err(ApiError::conflict("the game has moved on while the opponent was thinking"));
        }
        session.answer(explained)?;
        keep(&app, &session);
        Ok(Json(session.view()))
    })
    .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskWhy {
    /// The position before this ply; the present one when absent.
    #[serde(default)]
    ply: Option<usize>,
    /// Who is asked; the mind that played that ply, or the opponent, when absent.
    #[serde(default)]
    mind: Option<String>,
    #[serde(default)]
    level: Option<Level>,
}

/// What a mind thinks of a position of this game: a hint, the reasons of a move played, the truth of a solver.
pub(crate) async fn why(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(call): Body<AskWhy>,
) -> ApiResult<Json<Explained>> {
    let held = {
        let app = app.clone();
        blocking(move || find(&app, &id)).await?
    };
    let question = {
        let mut session = lock(&held);
        session.touched = Instant::now();
        let ply = call.ply.unwrap_or(session.view().plies.len());
        if call.mind.is_none()
            && let Some(decision) = session.decision(ply)
        {
            return Ok(Json(decision));
        }
        let (mind, level) = asked(&session, &call, ply)?;
        session.question_to(mind, level, ply)?
    };
    let (catalog, game, mind) = (app.catalog.clone(), question.game.clone(), question.mind.clone());
    // Making a mind may take a while: never on a thread that answers everybody.
    blocking(move || catalog.check_mind(&game, &mind)).await?;
    Ok(Json(app.thinkers.ask(question).await?))
}

fn asked(session: &Session, call: &AskWhy, ply: usize) -> ApiResult<(String, Level)> {
    let of_seats = session.seats.iter().rev().find_map(|seat| match seat {
        Seat::Mind { mind, level } => Some((mind.clone(), *level)),
        Seat::Human {} => None,
    });
    let (mind, level) = match (&call.mind, session.mind_of(ply).or(of_seats)) {
        (Some(mind), _) => (mind.clone(), Level::default()),
        // The mind that played this ply thinks again as it did then.
        (None, Some(own)) if session.mind_of(ply).is_some() => own,
        // A hint is the opponent's own ranking, without its slips.
        (None, Some((mind, level))) => (mind, Level { temperature: 0.0, ..level }),
        (None, None) => return Err(ApiError::bad("say which mind to ask: nobody but people plays here")),
    };
    Ok((mind, call.level.unwrap_or(level).checked()?))
}

pub(crate) async fn undo(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> ApiResult<Json<SessionView>> {
    blocking(move || {
        let held = find(&app, &id)?;
        let mut session = lock(&held);
        session.undo()?;
        keep(&app, &session);
        Ok(Json(session.view()))
    })
    .await
}
