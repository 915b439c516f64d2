//! The games that were kept: listed, shown, exported.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::App;
use crate::error::{ApiError, ApiResult};
use crate::gamelog::{GameLine, GameRecord, Sheet};
use crate::sessions::blocking;

const LISTED: usize = 200;

pub(crate) async fn list(State(app): State<Arc<App>>) -> ApiResult<Json<Vec<GameLine>>> {
    blocking(move || Ok(Json(app.log.list(LISTED).map_err(ApiError::internal)?))).await
}

fn find(app: &App, id: &str) -> ApiResult<GameRecord> {
    app.log.get(id).map_err(ApiError::internal)?.ok_or_else(|| ApiError::not_found("game"))
}

pub(crate) async fn show(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Json<GameRecord>> {
    blocking(move || Ok(Json(find(&app, &id)?))).await
}

fn unwritten(error: csv::Error) -> ApiError {
    ApiError::internal(error.to_string())
}

fn as_csv(text: String, name: &str) -> Response {
    let disposition = format!("attachment; filename=\"{name}.csv\"");
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_string()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    (headers, text).into_response()
}

pub(crate) async fn export(State(app): State<Arc<App>>, Path(id): Path<String>) -> ApiResult<Response> {
    blocking(move || {
        let record = find(&app, &id)?;
        let mut sheet = Sheet::new().map_err(unwritten)?;
        sheet.add(&record).map_err(unwritten)?;
        Ok(as_csv(sheet.text(), &format!("ludens-{}", record.id)))
    })
    .await
}

/// The newest games in one file, one row a move.
pub(crate) async fn export_all(State(app): State<Arc<App>>) -> ApiResult<Response> {
    blocking(move || {
        let mut sheet = Sheet::new().map_err(unwritten)?;
        for line in app.log.list(LISTED).map_err(ApiError::internal)? {
            sheet.add(&find(&app, &line.id)?).map_err(unwritten)?;
        }
        Ok(as_csv(sheet.text(), "ludens-games"))
    })
    .await
}
