//! Round robins of chosen players, with a live table.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use ludens_arena::{Options, Report, Tournament, run_with};
use ludens_core::Entrant;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::App;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::sessions::blocking;
use crate::works::{Work, Works, events};

pub(crate) type Comparisons = Works<Comparison>;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewComparison {
    game: String,
    minds: Vec<String>,
    /// Games of each pairing.
    games: u32,
    #[serde(default)]
    seed: u32,
    /// States a mind may examine for one move.
    #[serde(default)]
    states: Option<u64>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Comparison {
    game: String,
    minds: Vec<String>,
    played: u64,
    total: u64,
    report: Option<Report>,
    error: Option<String>,
}

const MOST_MINDS: usize = 8;
const MOST_GAMES: u32 = 2_000;
/// A move of a mind without a limit of its own.
const MOST_STATES: u64 = 1_000_000;

fn tournament(new: &NewComparison) -> ApiResult<Tournament> {
    let minds: Vec<&str> = new.minds.iter().map(String::as_str).collect();
    if !(2..=MOST_MINDS).contains(&minds.len()) {
        return Err(ApiError::bad(format!("a comparison has from 2 to {MOST_MINDS} players")));
    }
    if !(2..=MOST_GAMES).contains(&new.games) {
        return Err(ApiError::bad(format!("a pairing has from 2 to {MOST_GAMES} games")));
    }
    if new.states.is_some_and(|states| !(1..=MOST_STATES).contains(&states)) {
        return Err(ApiError::bad(format!("a move has from 1 to {MOST_STATES} states")));
    }
    let mut tournament = Tournament::new(&new.game, &minds).games(new.games).seed(u64::from(new.seed));
    // A round robin of minds without a limit of their own would never end.
    tournament.states = Some(new.states.unwrap_or(MOST_STATES));
    tournament.check().map_err(|error| ApiError::bad(error.to_string()))?;
    Ok(tournament)
}

fn play(work: &Work<Comparison>, app: &App, tournament: &Tournament) {
    let live = Arc::new(Mutex::new(None));
    let options = Options { threads: Some(1), record: None, stop: work.stop(), live: Some(live.clone()) };
    let progress = |progress: &ludens_arena::Progress| {
        let report = live.lock().unwrap_or_else(PoisonError::into_inner).take();
        if report.is_some() || progress.games == progress.total {
            work.change(|state| {
                state.played = progress.games;
                state.report = report.or(state.report.take());
            });
        }
    };
    let entrants: Vec<Entrant> = tournament.minds.iter().cloned().map(Entrant::Named).collect();
    let played = app.catalog.front(&tournament.game).map_err(|error| error.message).and_then(|front| {
        run_with(&*front, &entrants, &app.catalog.models(), tournament, &options, &progress)
            .map_err(|error| error.to_string())
    });
    work.change(|state| match played {
        Ok(report) => {
            state.played = report.games;
            state.report = Some(report);
        }
        Err(error) => state.error = Some(error),
    });
}

pub(crate) async fn start(
    State(app): State<Arc<App>>,
    Body(new): Body<NewComparison>,
) -> ApiResult<Json<Value>> {
    blocking(move || {
        let tournament = tournament(&new)?;
        for mind in &new.minds {
            app.catalog.check_mind(&new.game, mind)?;
        }
        let state = Comparison {
            game: new.game,
            minds: new.minds,
            played: 0,
            total: tournament.total_games(),
            report: None,
            error: None,
        };
        let working = app.clone();
        let (work, _) = app
            .comparisons
            .start(crate::random_id()?, state, move |work| play(work, &working, &tournament))?;
        Ok(Json(work.view()))
    })
    .await
}

pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<Vec<Value>> {
    Json(app.comparisons.list().iter().rev().map(|work| work.view()).collect())
}

pub(crate) async fn show(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Json<Value>> {
    Ok(Json(app.comparisons.get(&id)?.view()))
}

pub(crate) async fn watch(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> ApiResult<impl IntoResponse> {
    events(app.comparisons.get(&id)?, &app.streams)
}

pub(crate) async fn stop(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Json<Value>> {
    let work = app.comparisons.get(&id)?;
    work.stop().ask();
    Ok(Json(work.view()))
}
