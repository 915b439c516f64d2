//! The calls that start, watch, stop and resume trainings. They are runs of the lab's store: `ludens runs` lists the same ones.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Json;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use ludens_lab::registered::Parameters;
use ludens_lab::runs::{Run, RunStatus, Store};
use ludens_lab::{Home, LabError};
use serde::Deserialize;
use serde_json::Value;

use crate::App;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::sessions::blocking;
use crate::training::{Train, Training, curve};
use crate::works::{Work, Works, events};

pub(crate) type Trainings = Works<Training>;

/// The lab's store of runs.
#[derive(Debug)]
pub(crate) struct Runs {
    home: Home,
    store: Mutex<Store>,
}

const LISTED: usize = 60;
/// Seconds between checkpoints: what is learnt is played from them.
const CHECKPOINT: f64 = 1.0;

impl Runs {
    pub(crate) fn open(home: &std::path::Path) -> Result<Runs, LabError> {
        let home = Home::open(Some(home))?;
        let store = Mutex::new(Store::open(&home)?);
        Ok(Runs { home, store })
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The trainings, newest first.
    pub(crate) fn trainings(&self) -> Result<Vec<Run>, LabError> {
        let runs = self.store().runs()?;
        Ok(runs.into_iter().filter(|run| run.kind == "train").take(LISTED).collect())
    }

    fn run(&self, id: &str) -> ApiResult<Run> {
        let run = id.parse().ok().and_then(|id| self.store().run(id).ok()).filter(|run| run.kind == "train");
        run.ok_or_else(|| ApiError::not_found("training"))
    }
}

fn internal(error: LabError) -> ApiError {
    ApiError::internal(error.to_string())
}

fn runs(app: &App) -> ApiResult<&Runs> {
    app.runs
        .as_ref()
        .ok_or_else(|| ApiError::conflict("this server keeps no runs; start it with --home FOLDER"))
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTraining {
    game: String,
    /// A learner of the catalogue, with its settings: `nhb:cycle=100`.
    learner: String,
    #[serde(default)]
    steps: Option<u64>,
    #[serde(default)]
    seed: u32,
}

fn work_on(work: &Work<Training>, app: &App, run: &Run, parameters: &Parameters) {
    let train = || -> Result<(), String> {
        let game = work.read(|state| state.game.clone());
        let runs = runs(app).map_err(|error| error.message)?;
        // A connection of its own: a long write must not hold up those who look.
        let store = Store::open(&runs.home).map_err(|error| error.to_string())?;
        let front = app.catalog.front(&game).map_err(|error| error.message)?;
        let train = Train { work, front, shelf: &app.shelf, store, run, parameters };
        train.train_on().map_err(|error| error.to_string())
    };
    let error = train().err();
    work.change(|state| state.error = error);
}

fn set_to_work(app: &Arc<App>, run: Run, parameters: Parameters) -> ApiResult<Arc<Work<Training>>> {
    let id = run.id.to_string();
    let game = game_of(app, &run);
    let metrics = runs(app)?.store().metrics(run.id).map_err(internal)?;
    let state = Training { curve: curve(&metrics), error: None, ..Training::of(&run, game) };
    let working = app.clone();
    let job = move |work: &Work<Training>| work_on(work, &working, &run, &parameters);
    if let Ok(work) = app.trainings.get(&id) {
        app.trainings.restart(&work, job)?;
        return Ok(work);
    }
    app.trainings.start(id, state, job).map(|(work, _)| work)
}

/// The game of a run by the name the page knows: a file of rules of ours goes by its id.
fn game_of(app: &App, run: &Run) -> String {
    app.catalog.rules().at(&run.game).map_or_else(|| run.game.clone(), |written| written.id)
}

pub(crate) async fn start(
    State(app): State<Arc<App>>,
    Body(new): Body<NewTraining>,
) -> ApiResult<Json<Value>> {
    blocking(move || {
        if new.steps.is_some_and(|steps| !(1..=1_000_000_000).contains(&steps)) {
            return Err(ApiError::bad("a training has from 1 to 1000000000 steps"));
        }
        app.catalog.check_learner(&new.game, &new.learner)?;
        app.trainings.room()?;
        let steps = match new.steps {
            Some(steps) => steps,
            None => app.catalog.learner(&new.game, &new.learner)?.default_steps(),
        };
        // The lab opens rules by their file; `ludens resume` finds the same game.
        let written = app.catalog.rules().find(&new.game);
        let file = written.and_then(|written| written.path).map(|path| path.display().to_string());
        let training = ludens_lab::train::Training {
            learner: new.learner,
            game: file.unwrap_or(new.game),
            steps: new.steps,
            seed: u64::from(new.seed),
        };
        let parameters = Parameters { training, out: None, checkpoint: CHECKPOINT };
        let runs = runs(&app)?;
        let run = parameters.begin(&runs.store(), &runs.home, steps).map_err(internal)?;
        let id = run.id;
        let work = set_to_work(&app, run, parameters);
        if work.is_err() {
            let _ = runs.store().set_status(id, RunStatus::Stopped, "");
        }
        Ok(Json(work?.view()))
    })
    .await
}

pub(crate) async fn resume(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Json<Value>> {
    blocking(move || {
        let run = runs(&app)?.run(&id)?;
        match run.status {
            RunStatus::Finished => {
                return Err(ApiError::conflict("it has finished; begin a new training with more steps"));
            }
            RunStatus::Running => return Err(ApiError::conflict("it is running already")),
            RunStatus::Stopped | RunStatus::Failed => {}
        }
        let parameters = Parameters::of(&run).map_err(internal)?;
        Ok(Json(set_to_work(&app, run, parameters)?.view()))
    })
    .await
}

/// The run as it is in hand, or as the store has it.
fn find(app: &App, id: &str, with_curve: bool) -> ApiResult<Arc<Work<Training>>> {
    if let Ok(work) = app.trainings.get(id) {
        return Ok(work);
    }
    let runs = runs(app)?;
    let run = runs.run(id)?;
    let mut state = Training::of(&run, game_of(app, &run));
    if with_curve {
        state.curve = curve(&runs.store().metrics(run.id).map_err(internal)?);
    }
    Ok(Arc::new(Work::still(id.into(), state)))
}

pub(crate) async fn list(State(app): State<Arc<App>>) -> ApiResult<Json<Vec<Value>>> {
    blocking(move || {
        let Some(runs) = &app.runs else { return Ok(Json(Vec::new())) };
        let all = runs.trainings().map_err(internal)?;
        let views = all.iter().map(|run| Ok(find(&app, &run.id.to_string(), false)?.view()));
        Ok(Json(views.collect::<ApiResult<_>>()?))
    })
    .await
}

pub(crate) async fn show(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Json<Value>> {
    blocking(move || Ok(Json(find(&app, &id, true)?.view()))).await
}

pub(crate) async fn watch(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> ApiResult<impl IntoResponse> {
    let streams = app.streams.clone();
    let work = blocking(move || find(&app, &id, true)).await?;
    events(work, &streams)
}

pub(crate) async fn stop(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Json<Value>> {
    let work = app.trainings.get(&id)?;
    work.stop().ask();
    Ok(Json(work.view()))
}
