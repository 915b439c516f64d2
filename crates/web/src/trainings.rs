//! The calls that start, watch, stop and resume trainings.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::Value;

use crate::App;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::sessions::blocking;
use crate::shelf::is_mind_name;
use crate::training::{Train, Training};
use crate::works::{Work, Works, events};

pub type Trainings = Works<Training>;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewTraining {
    game: String,
    /// A learner of the catalogue, with its settings: `actr:variant=improved`.
    learner: String,
    #[serde(default)]
    steps: Option<u64>,
    #[serde(default)]
    seed: u32,
}

fn run(work: &Work<Training>, app: &App, steps: Option<u64>) {
    let game = work.read(|state| state.game.clone());
    let trained = app.catalog.visit(&game, Train { work, shelf: &app.shelf, steps });
    let error = match trained {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(error.to_string()),
        Err(error) => Some(error.message),
    };
    work.change(|state| state.error = error);
}

pub async fn start(State(app): State<Arc<App>>, Body(new): Body<NewTraining>) -> ApiResult<Json<Value>> {
    blocking(move || {
        if !is_mind_name(&new.learner) {
            return Err(ApiError::bad("this cannot be the name of a learner; the catalogue lists them"));
        }
        if new.steps.is_some_and(|steps| !(1..=1_000_000_000).contains(&steps)) {
            return Err(ApiError::bad("a training has from 1 to 1000000000 steps"));
        }
        app.catalog.check_learner(&new.game, &new.learner)?;
        let id = crate::random_id()?;
        let state = Training {
            game: new.game,
            learner: new.learner,
            seed: new.seed,
            step: 0,
            total: new.steps.unwrap_or(0),
            curve: Vec::new(),
            mind: format!("training-{}", &id[..8]),
            seconds: 0.0,
            finished: false,
            error: None,
            model: None,
        };
        let working = app.clone();
        let (work, forgotten) = app.trainings.start(id, state, move |work| run(work, &working, new.steps))?;
        if let Some(old) = forgotten {
            old.read(|state| app.shelf.remove(&state.mind));
        }
        Ok(Json(work.view()))
    })
    .await
}

pub async fn resume(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Json<Value>> {
    let work = app.trainings.get(&id)?;
    if work.read(|state| state.finished) {
        return Err(ApiError::conflict("it has finished; begin a new training with more steps"));
    }
    let total = work.read(|state| state.total);
    let working = app.clone();
    app.trainings.restart(&work, move |work| run(work, &working, Some(total).filter(|total| *total > 0)))?;
    Ok(Json(work.view()))
}

pub async fn list(State(app): State<Arc<App>>) -> Json<Vec<Value>> {
    Json(app.trainings.list().iter().rev().map(|work| work.view()).collect())
}

pub async fn show(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Json<Value>> {
    Ok(Json(app.trainings.get(&id)?.view()))
}

pub async fn watch(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<impl IntoResponse> {
    events(app.trainings.get(&id)?, &app.streams)
}

pub async fn stop(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Json<Value>> {
    let work = app.trainings.get(&id)?;
    work.stop.store(true, Ordering::SeqCst);
    Ok(Json(work.view()))
}
