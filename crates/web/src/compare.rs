//! Round robins of chosen players, with a live table.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use ludens_arena::{ArenaError, Entrant, Options, Report, Tournament, run_entrants};
use ludens_core::{Game, GameVisitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::App;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::sessions::blocking;
use crate::shelf::{Shelf, is_mind_name};
use crate::works::{Work, Works, events};

pub type Comparisons = Works<Comparison>;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewComparison {
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
pub struct Comparison {
    game: String,
    minds: Vec<String>,
    played: u64,
    total: u64,
    report: Option<Report>,
    error: Option<String>,
}

const MOST_MINDS: usize = 8;
const MOST_GAMES: u32 = 2_000;

/// Limits of time a move keep a tournament of slow minds from going on for ever.
fn tournament(new: &NewComparison) -> ApiResult<Tournament> {
    let minds: Vec<&str> = new.minds.iter().map(String::as_str).collect();
    if !(2..=MOST_MINDS).contains(&minds.len()) {
        return Err(ApiError::bad(format!("a comparison has from 2 to {MOST_MINDS} players")));
    }
    if !(2..=MOST_GAMES).contains(&new.games) {
        return Err(ApiError::bad(format!("a pairing has from 2 to {MOST_GAMES} games")));
    }
    if new.states.is_some_and(|states| !(1..=1_000_000).contains(&states)) {
        return Err(ApiError::bad("a move has from 1 to 1000000 states"));
    }
    if let Some(wrong) = minds.iter().find(|mind| !is_mind_name(mind)) {
        return Err(ApiError::bad(format!("{wrong:?} cannot be the name of a mind")));
    }
    let mut tournament = Tournament::new(&new.game, &minds).games(new.games).seed(u64::from(new.seed));
    tournament.states = new.states;
    tournament.check().map_err(|error| ApiError::bad(error.to_string()))?;
    Ok(tournament)
}

struct Playing<'a> {
    shelf: Arc<Shelf>,
    tournament: &'a Tournament,
    options: &'a Options,
    progress: &'a (dyn Fn(&ludens_arena::Progress) + Sync),
}

impl GameVisitor for Playing<'_> {
    type Out = Result<Report, ArenaError>;

    fn visit<G: Game>(self, game: Arc<G>) -> Self::Out {
        let entrants: Vec<Entrant<G>> = self
            .tournament
            .minds
            .iter()
            .map(|name| {
                let (shelf, game, text) = (self.shelf.clone(), game.clone(), name.clone());
                Entrant::new(name, move || shelf.mind(&game, &text))
            })
            .collect();
        run_entrants(&game, &entrants, self.tournament, self.options, self.progress)
    }
}

fn play(work: &Work<Comparison>, app: &App, tournament: &Tournament) {
    let live = Arc::new(Mutex::new(None));
    let options =
        Options { threads: Some(1), record: None, stop: Some(work.stop.clone()), live: Some(live.clone()) };
    let progress = |progress: &ludens_arena::Progress| {
        let report = live.lock().unwrap_or_else(PoisonError::into_inner).take();
        if report.is_some() || progress.games == progress.total {
            work.change(|state| {
                state.played = progress.games;
                state.report = report.or(state.report.take());
            });
        }
    };
    let playing = Playing { shelf: app.shelf.clone(), tournament, options: &options, progress: &progress };
    let played = app.catalog.visit(&tournament.game, playing);
    work.change(|state| match played {
        Ok(Ok(report)) => {
            state.played = report.games;
            state.report = Some(report);
        }
        Ok(Err(error)) => state.error = Some(error.to_string()),
        Err(error) => state.error = Some(error.message),
    });
}

pub async fn start(State(app): State<Arc<App>>, Body(new): Body<NewComparison>) -> ApiResult<Json<Value>> {
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

pub async fn list(State(app): State<Arc<App>>) -> Json<Vec<Value>> {
    Json(app.comparisons.list().iter().rev().map(|work| work.view()).collect())
}

pub async fn show(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Json<Value>> {
    Ok(Json(app.comparisons.get(&id)?.view()))
}

pub async fn watch(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<impl IntoResponse> {
    events(app.comparisons.get(&id)?, &app.streams)
}

pub async fn stop(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Json<Value>> {
    let work = app.comparisons.get(&id)?;
    work.stop.store(true, std::sync::atomic::Ordering::SeqCst);
    Ok(Json(work.view()))
}
