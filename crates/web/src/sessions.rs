//! The games going on, and the calls that play them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use ludens_core::{Move, Window};
use serde::Deserialize;
use tokio::sync::Semaphore;

use crate::App;
use crate::body::{Body, Maybe};
use crate::client::Client;
use crate::config::Limits;
use crate::error::{ApiError, ApiResult};
use crate::explain::Explained;
use crate::lock;
use crate::look;
use crate::session::{EndedBy, NewGame, Seat, Session};
use crate::thinkers::{Level, Question};

type Held = Arc<Mutex<Session>>;

/// The games in memory. It is only the nearest place: every game is kept in the log, and one that was put aside comes back when it is
/// asked for. So nobody can take all places, whatever address he has.
pub(crate) struct Sessions {
    held: Mutex<HashMap<String, Held>>,
    /// Those who wait for a mind hold their connection; they may not hold all of them.
    asking: Semaphore,
    limits: Limits,
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sessions").field("count", &lock(&self.held).len()).finish()
    }
}

impl Sessions {
    pub(crate) fn new(limits: &Limits) -> Sessions {
        let asking = Semaphore::new(limits.questions.max(1));
        Sessions { held: Mutex::default(), asking, limits: limits.clone() }
    }

    fn insert(&self, session: Session) -> ApiResult<Held> {
        let mut held = lock(&self.held);
        // Two who ask for a game that was put aside must get the same one.
        if let Some(known) = held.get(&session.id) {
            return Ok(known.clone());
        }
        let client = session.client;
        // Nobody can have more than his share while there are fewer in all.
        if held.len() >= client.share(&self.limits, self.limits.sessions) {
            self.put_aside(&mut held, client)?;
        }
        let id = session.id.clone();
        let session = Arc::new(Mutex::new(session));
        held.insert(id, session.clone());
        Ok(session)
    }

    /// Makes room where there is none: a client that has its share among its own games, else among all. Those without a move make room
    /// among themselves once they are more than half: whoever begins many cannot push out what is played. First go those the log has,
    /// and of these the one longest untouched.
    fn put_aside(&self, held: &mut HashMap<String, Held>, client: Client) -> ApiResult<()> {
        // A game that somebody holds is being played; nobody waits for its lock here either.
        let free: Vec<_> = held
            .iter()
            .filter(|(_, game)| Arc::strong_count(game) == 1)
            .map(|(id, game)| {
                let game = lock(game);
                Free { id, client: game.client, moved: game.moved(), rank: (!game.kept, game.touched) }
            })
            .collect();
        let own = free.iter().filter(|game| game.client == client).count();
        let greedy = own >= client.share(&self.limits, self.limits.sessions);
        if !greedy && held.len() < self.limits.sessions {
            return Ok(());
        }
        let may = || free.iter().filter(|game| !greedy || game.client == client);
        let unmoved = may().filter(|game| !game.moved).count() > may().count() / 2;
        let mut first: Vec<&Free<'_>> = may().filter(|game| !unmoved || !game.moved).collect();
        if first.is_empty() {
            return Err(ApiError::busy("too many games are being played at this moment; try again"));
        }
        // Looking through all of them for every new game would keep the others waiting: some go at once.
        first.sort_by_key(|game| game.rank);
        let some = (self.limits.sessions / 50).max(1);
        let gone: Vec<String> = first.into_iter().take(some).map(|game| game.id.clone()).collect();
        for id in gone {
            held.remove(&id);
        }
        Ok(())
    }

    fn get(&self, id: &str) -> Option<Held> {
        lock(&self.held).get(id).cloned()
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.held).len()
    }
}

/// A game in memory that nobody plays at this moment.
struct Free<'a> {
    id: &'a String,
    client: Client,
    moved: bool,
    /// The lowest goes first.
    rank: (bool, Instant),
}

/// Work on a table can take longer than a request's thread should be held.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    let client = Client::current();
    let done = tokio::task::spawn_blocking(move || client.work(work)).await;
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
    app.sessions.insert(session)
}

/// Ends a game whose time is up, and keeps it so.
fn flag(app: &App, session: &mut Session) {
    if session.flag() {
        keep(app, session);
    }
}

/// Ends the games in memory whose time is up, also those that nobody looks at; one that is put aside ends when it is asked for.
pub(crate) fn flag_all(app: &App) {
    let timed: Vec<Held> = {
        let held = lock(&app.sessions.held);
        // Whoever holds a game looks at its clock himself.
        held.values().filter(|game| game.try_lock().is_ok_and(|game| game.is_timed())).cloned().collect()
    };
    for game in timed {
        flag(app, &mut lock(&game));
    }
}

fn keep(app: &App, session: &mut Session) {
    // A full disk or a full log must not stop a game; it is then only in memory.
    session.kept = app.log.put(session.record()).is_ok();
}

/// The answer written out, which for a long list of moves is work too: it belongs on the thread that made it.
fn shown(app: &App, session: &Session) -> ApiResult<Response> {
    let mut view = session.view(app.config.limits.moves_listed)?;
    if view.view.score.is_some() {
        view.won = look::won(&*app.catalog.front(&session.game)?, &view.view);
    }
    Ok(Json(view).into_response())
}

pub(crate) async fn create(State(app): State<Arc<App>>, Body(new): Body<NewGame>) -> ApiResult<Response> {
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
        let mut session = Session::begin(crate::random_id()?, new, seed, table)?;
        let answer = shown(&app, &session)?;
        keep(&app, &mut session);
        app.sessions.insert(session)?;
        Ok(answer)
    })
    .await
}

pub(crate) async fn show(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Response> {
    blocking(move || {
        let held = find(&app, &id)?;
        let mut session = lock(&held);
        flag(&app, &mut session);
        shown(&app, &session)
    })
    .await
}

/// The position before ply number `ply`.
pub(crate) async fn position(
    State(app): State<Arc<App>>,
    Path((id, ply)): Path<(String, String)>,
) -> ApiResult<Response> {
    blocking(move || {
        // Read here, so that what is wrong with it is said in the shape of every other error.
        let ply = ply.parse().map_err(|_| ApiError::bad("a position has the number of a ply"))?;
        let held = find(&app, &id)?;
        let session = lock(&held);
        let table = app.catalog.open(&session.game)?;
        Ok(Json(session.position(ply, table, app.config.limits.moves_listed)?).into_response())
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
) -> ApiResult<Response> {
    blocking(move || {
        let held = find(&app, &id)?;
        let mut session = lock(&held);
        flag(&app, &mut session);
        if call.version.is_some_and(|version| version != session.version) {
            return Err(ApiError::conflict("the game has moved on since; reload it"));
        }
        session.play(Move(call.mv))?;
        keep(&app, &mut session);
        shown(&app, &session)
    })
    .await
}

/// Asks a mind, unless too many wait for one already.
pub(crate) async fn ask(app: &App, question: Question) -> ApiResult<Explained> {
    ask_seen(app, question, None).await
}

/// The same, and somebody looks on.
pub(crate) async fn ask_seen(app: &App, question: Question, window: Option<Window>) -> ApiResult<Explained> {
    let asking = app.sessions.asking.try_acquire();
    let _asking =
        asking.map_err(|_| ApiError::busy("many wait for a mind's answer; ask again in a moment"))?;
    app.thinkers.ask(question, window).await
}

/// How a mind is asked to move.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AskReply {
    /// No more states than these, however strong it is: somebody does not want to wait.
    states: Option<u64>,
}

/// The mind that is to move thinks and plays.
pub(crate) async fn reply(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Maybe(call): Maybe<AskReply>,
) -> ApiResult<Response> {
    let asked = app.clone();
    let (held, question, version) = blocking(move || {
        let held = find(&asked, &id)?;
        let session = lock(&held);
        let (mut question, version) = (session.question()?, session.version);
        drop(session);
        if let Some(states) = call.states {
            let own = question.level.states.unwrap_or(u64::MAX);
            question.level = Level { states: Some(own.min(states)), ..question.level }.checked()?;
        }
        Ok((held, question, version))
    })
    .await?;
    let explained = ask(&app, question).await?;
    blocking(move || {
        let mut session = lock(&held);
        if session.version != version {
            return Err(ApiError::conflict("the game has moved on while the opponent was thinking"));
        }
        session.answer(explained)?;
        keep(&app, &mut session);
        shown(&app, &session)
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

/// What is known already, or the question that has to be asked.
enum Wanted {
    Known(Response),
    Question(Question),
}

/// What a mind thinks of a position of this game: a hint, the reasons of a move played, the truth of a solver.
pub(crate) async fn why(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(call): Body<AskWhy>,
) -> ApiResult<Response> {
    let asked = app.clone();
    match blocking(move || wanted(&asked, &id, &call)).await? {
        Wanted::Known(answer) => Ok(answer),
        Wanted::Question(question) => Ok(Json(ask(&app, question).await?).into_response()),
    }
}

fn wanted(app: &App, id: &str, call: &AskWhy) -> ApiResult<Wanted> {
    let held = find(app, id)?;
    let mut session = lock(&held);
    session.touched = Instant::now();
    let ply = call.ply.unwrap_or(session.len());
    if call.mind.is_none()
        && let Some(decision) = session.decision(ply)
    {
        return Ok(Wanted::Known(Json(decision).into_response()));
    }
    let hint = call.mind.is_none() && session.mind_of(ply).is_none();
    let (mind, level) = asked(app, &session, call, ply)?;
    let played = session.played_by_person(ply);
    let second = if hint { app.catalog.second_advisor(&session.game) } else { None };
    let question = Question { hint, second, played, ..session.question_to(mind, level, ply)? };
    drop(session);
    app.catalog.check_mind(&question.game, &question.mind)?;
    Ok(Wanted::Question(question))
}

/// Who is asked: the mind that is named, or the one that played this ply, which thinks again as it did then. Where there is neither, a
/// hint is wanted, and the one who cannot be wrong (or is the strongest) gives it.
fn asked(app: &App, session: &Session, call: &AskWhy, ply: usize) -> ApiResult<(String, Level)> {
    let (mind, level) = match (&call.mind, session.mind_of(ply)) {
        (Some(mind), _) => (mind.clone(), Level::default()),
        (None, Some(own)) => own,
        (None, None) => (app.catalog.advisor(&session.game)?, Level::default()),
    };
    Ok((mind, call.level.unwrap_or(level).checked()?))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EndGame {
    by: EndedBy,
}

/// A person gives up, or has no time left.
pub(crate) async fn end(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(call): Body<EndGame>,
) -> ApiResult<Response> {
    blocking(move || {
        let held = find(&app, &id)?;
        let mut session = lock(&held);
        flag(&app, &mut session);
        // The clock of a page may be ahead by a moment: whoever says that time is up is right once it is.
        if !(call.by == EndedBy::Time && session.is_over_on_time()) {
            session.end(call.by)?;
        }
        keep(&app, &mut session);
        shown(&app, &session)
    })
    .await
}

pub(crate) async fn undo(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Response> {
    blocking(move || {
        let held = find(&app, &id)?;
        let mut session = lock(&held);
        session.undo()?;
        keep(&app, &mut session);
        shown(&app, &session)
    })
    .await
}
