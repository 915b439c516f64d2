//! Every call of the interface, in one table: the router and its OpenAPI description are both made from it.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::Method;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router, middleware};
use serde::Serialize;

use crate::catalog::GameInfo;
use crate::config::Limits;
use crate::error::ApiResult;
use crate::{
    App, assets, compare, guard, inside, look, openapi, papers, puzzles, records, rules, sessions, thinking,
    trainings,
};

type Handler = MethodRouter<Arc<App>>;

/// One call.
pub(crate) struct Route {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    /// The schema of the body, if it has one.
    pub(crate) takes: Option<&'static str>,
    /// The schema of the answer, or a media type.
    pub(crate) gives: &'static str,
    pub(crate) handler: Handler,
}

fn read(path: &'static str, summary: &'static str, gives: &'static str, handler: Handler) -> Route {
    Route { method: Method::GET, path, summary, takes: None, gives, handler }
}

fn change(
    path: &'static str,
    summary: &'static str,
    takes: Option<&'static str>,
    gives: &'static str,
    handler: Handler,
) -> Route {
    Route { method: Method::POST, path, summary, takes, gives, handler }
}

pub(crate) fn table() -> Vec<Route> {
    let mut table = play();
    table.extend(works());
    table
}

/// Games: begun, played, explained, kept.
fn play() -> Vec<Route> {
    vec![
        read("/api/openapi.json", "This description", "Object", get(openapi::serve)),
        read("/api/health", "Whether the server is well", "Health", get(health)),
        read("/api/catalog", "The games, their minds and learners", "Catalog", get(catalog)),
        read("/api/catalog/{name}", "One game, also of a family: line-5x5x4", "Game", get(one_game)),
        change(
            "/api/look",
            "A position after any moves, without a game",
            Some("Position"),
            "Look",
            post(look::show),
        ),
        change(
            "/api/look/why",
            "Ask a mind what it thinks of such a position",
            Some("AskMind"),
            "Explained",
            post(look::why),
        ),
        change(
            "/api/look/think",
            "Watch a mind think about such a position: a line of JSON for every glimpse, the answer last",
            Some("AskMind"),
            "application/x-ndjson",
            post(thinking::think),
        ),
        change(
            "/api/puzzles",
            "A position with just one move that wins, and who misses it",
            Some("NewPuzzle"),
            "Puzzle",
            post(puzzles::create),
        ),
        change("/api/sessions", "Begin a game", Some("NewGame"), "Session", post(sessions::create)),
        read("/api/sessions/{id}", "A game as it stands", "Session", get(sessions::show)),
        read(
            "/api/sessions/{id}/positions/{ply}",
            "The position before a ply, for looking back",
            "View",
            get(sessions::position),
        ),
        change(
            "/api/sessions/{id}/move",
            "Play a person's move",
            Some("PlayMove"),
            "Session",
            post(sessions::play),
        ),
        change(
            "/api/sessions/{id}/reply",
            "Let the mind that is to move think and play",
            Some("AskReply"),
            "Session",
            post(sessions::reply),
        ),
        change(
            "/api/sessions/{id}/why",
            "Ask a mind what it thinks of a position of this game, and why",
            Some("AskWhy"),
            "Explained",
            post(sessions::why),
        ),
        change(
            "/api/sessions/{id}/end",
            "Give up, or run out of time",
            Some("EndGame"),
            "Session",
            post(sessions::end),
        ),
        change(
            "/api/sessions/{id}/undo",
            "Take back your last move and what followed",
            None,
            "Session",
            post(sessions::undo),
        ),
        change(
            "/api/rules",
            "Read the rules of a game written in GDL; ?name= is its title",
            Some("text/plain"),
            "Game",
            post(rules::add).layer(DefaultBodyLimit::max(Limits::default().rules_bytes)),
        ),
        read("/api/minds/{name}", "What a learnt player holds", "Inside", get(inside::show)),
        read("/api/papers", "The reproduction reports", "Papers", get(papers::list)),
        read("/papers/{name}", "A reproduction report", "text/html", get(papers::report)),
        read("/api/games", "The games that were kept, newest first", "GameLines", get(records::list)),
        read("/api/games.csv", "The moves of all kept games", "text/csv", get(records::export_all)),
        read("/api/games/{id}", "A kept game", "GameRecord", get(records::show)),
        read("/api/games/{id}/csv", "The moves of a kept game", "text/csv", get(records::export)),
    ]
}

/// Trainings and tournaments: started, watched, stopped.
fn works() -> Vec<Route> {
    vec![
        change("/api/trainings", "Start a training", Some("NewTraining"), "Training", post(trainings::start)),
        read("/api/trainings", "The trainings, newest first", "Trainings", get(trainings::list)),
        read("/api/trainings/{id}", "A training with its curve", "Training", get(trainings::show)),
        read(
            "/api/trainings/{id}/events",
            "A training as it goes on",
            "text/event-stream",
            get(trainings::watch),
        ),
        change("/api/trainings/{id}/stop", "Stop a training", None, "Training", post(trainings::stop)),
        change("/api/trainings/{id}/resume", "Go on with it", None, "Training", post(trainings::resume)),
        change("/api/matches", "Start a round robin", Some("NewMatch"), "Match", post(compare::start)),
        read("/api/matches", "The round robins, newest first", "Matches", get(compare::list)),
        read("/api/matches/{id}", "A round robin with its table", "Match", get(compare::show)),
        read(
            "/api/matches/{id}/events",
            "A round robin as it goes on",
            "text/event-stream",
            get(compare::watch),
        ),
        change("/api/matches/{id}/stop", "Stop a round robin", None, "Match", post(compare::stop)),
    ]
}

pub(crate) fn router(app: Arc<App>) -> Router {
    let limit = DefaultBodyLimit::max(app.config.limits.body_bytes);
    table()
        .into_iter()
        .fold(Router::new(), |router, route| router.route(route.path, route.handler))
        .fallback(get(assets::page))
        .layer(limit)
        .layer(middleware::from_fn_with_state(app.clone(), guard::check))
        .with_state(app)
}

#[derive(Serialize)]
pub(crate) struct Health {
    ok: bool,
    version: &'static str,
    sessions: usize,
}

async fn health(State(app): State<Arc<App>>) -> Json<Health> {
    Json(Health { ok: true, version: env!("CARGO_PKG_VERSION"), sessions: app.sessions.len() })
}

#[derive(Serialize)]
pub(crate) struct CatalogView {
    games: Vec<GameInfo>,
}

async fn one_game(State(app): State<Arc<App>>, Path(name): Path<String>) -> ApiResult<Json<GameInfo>> {
    sessions::blocking(move || Ok(Json(app.catalog.one(&name)?))).await
}

async fn catalog(State(app): State<Arc<App>>) -> ApiResult<Response> {
    // Written out there too: the list is long.
    sessions::blocking(move || Ok(Json(CatalogView { games: app.catalog.games() }).into_response())).await
}
