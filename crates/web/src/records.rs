//! The games that were kept: listed, shown, exported.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::App;
use crate::error::{ApiError, ApiResult};
use crate::gamelog::{GameLine, GameRecord, Sheet};
use crate::sessions::blocking;

const LISTED: usize = 200;

/// The games of one piece of a long sheet.
const PIECE: usize = 20;

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

fn as_csv(text: impl Into<Body>, name: &str) -> Response {
    let disposition = format!("attachment; filename=\"{name}.csv\"");
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_string()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    (headers, text.into()).into_response()
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

/// All games in one file, one row a move. It is made piece by piece as the client takes it: nobody knows how long it will be.
pub(crate) async fn export_all(State(app): State<Arc<App>>) -> ApiResult<Response> {
    let pieces = futures_util::stream::try_unfold(Some(String::new()), move |after| {
        let app = app.clone();
        async move {
            let Some(after) = after else { return Ok(None) };
            let piece = blocking(move || piece(&app, &after)).await;
            // The head has gone out: all that is left is to break off, so that nobody takes a part for the whole.
            piece.map(Some).map_err(|error| std::io::Error::other(error.message))
        }
    });
    Ok(as_csv(Body::from_stream(pieces), "ludens-games"))
}

/// The rows of the next games, and where the piece after them begins.
fn piece(app: &App, after: &str) -> ApiResult<(String, Option<String>)> {
    let page = app.log.page(after, PIECE).map_err(ApiError::internal)?;
    let mut sheet = if after.is_empty() { Sheet::new().map_err(unwritten)? } else { Sheet::more() };
    for record in &page.games {
        sheet.add(record).map_err(unwritten)?;
    }
    Ok((sheet.text(), page.next))
}
