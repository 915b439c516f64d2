//! The reproduction reports. The folder of results is walked by the server; a client names one of what was found, never a path.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;

use crate::App;
use crate::error::{ApiError, ApiResult};
use crate::sessions::blocking;

#[derive(Clone, Debug, Serialize)]
pub struct Paper {
    name: String,
    title: String,
    scale: String,
    summary: String,
    /// Seconds since 1970.
    updated: f64,
    #[serde(skip)]
    report: PathBuf,
}

/// A report is a page of its own with its style inside; it may run its own script but reach nothing.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
     img-src data:; sandbox allow-scripts; frame-ancestors 'self'";

const DEEPEST: usize = 3;
const MOST: usize = 100;

fn find(folders: &[PathBuf]) -> Vec<Paper> {
    let mut found = Vec::new();
    for folder in folders {
        walk(folder, folder, DEEPEST, &mut found);
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn walk(root: &FilePath, folder: &FilePath, depth: usize, found: &mut Vec<Paper>) {
    let report = folder.join("report.html");
    if report.is_file() {
        found.extend(describe(root, folder, report));
    }
    if depth == 0 || found.len() >= MOST {
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut folders: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|e| e.path())
        .collect();
    folders.sort();
    for inner in folders {
        walk(root, &inner, depth - 1, found);
    }
}

fn describe(root: &FilePath, folder: &FilePath, report: PathBuf) -> Option<Paper> {
    let name: Vec<String> = folder
        .strip_prefix(root)
        .ok()?
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into())
        .collect();
    let name = if name.is_empty() { "report".into() } else { name.join("~") };
    let modified = std::fs::metadata(&report).and_then(|data| data.modified()).ok();
    let updated =
        modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0.0, |d| d.as_secs_f64());
    let result: Value = std::fs::read(folder.join("result.json"))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default();
    let text = |paths: &[&str]| {
        let found = paths.iter().find_map(|path| result.pointer(path).and_then(Value::as_str));
        found.unwrap_or_default().to_string()
    };
    let title = text(&["/title", "/paper"]);
    Some(Paper {
        title: if title.is_empty() { name.clone() } else { title },
        scale: text(&["/scale"]),
        summary: text(&["/summary/0", "/citation"]),
        name,
        updated,
        report,
    })
}

pub async fn list(State(app): State<Arc<App>>) -> ApiResult<Json<Vec<Paper>>> {
    blocking(move || Ok(Json(find(&app.config.results)))).await
}

pub async fn report(State(app): State<Arc<App>>, Path(name): Path<String>) -> ApiResult<Response> {
    blocking(move || {
        let papers = find(&app.config.results);
        let paper = papers.iter().find(|paper| paper.name == name);
        let paper = paper.ok_or_else(|| ApiError::not_found("report"))?;
        let text = std::fs::read(&paper.report).map_err(|error| ApiError::internal(error.to_string()))?;
        let headers = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
        ];
        Ok((headers, text).into_response())
    })
    .await
}
