//! The reproduction reports: the results that ship inside the program, and those made on this machine. A client names one of what
//! was found, never a path.

use std::collections::BTreeMap;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use ludens_core::store::{TEXT_BYTES, read_bounded};
use ludens_lab::{PaperClaim, PaperResult, report};
use rust_embed::RustEmbed;
use serde::Serialize;

use crate::App;
use crate::error::{ApiError, ApiResult};
use crate::sessions::blocking;

#[derive(RustEmbed)]
#[folder = "../../results"]
struct Shipped;

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Paper {
    name: String,
    /// The short name of the paper's method.
    paper: String,
    title: String,
    citation: String,
    scale: &'static str,
    summary: Vec<String>,
    /// Independent cells that cannot be told from the paper's, of those that can be compared.
    inside: usize,
    compared: usize,
    /// The claims that hold, of all.
    holding: usize,
    claims: usize,
    /// What the paper says, with its test and its verdict.
    said: Vec<PaperClaim>,
    /// The command that repeats it.
    command: String,
    /// Seconds since 1970; none for what ships with the program.
    updated: Option<f64>,
}

/// A report is a page of its own with its style inside; it may run its own script but reach nothing.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
     img-src data:; sandbox allow-scripts; frame-ancestors 'self'";

const DEEPEST: usize = 3;
const MOST: usize = 100;
const MOST_BYTES: u64 = 16 << 20;

struct Found {
    result: PaperResult,
    updated: Option<f64>,
}

/// All results by name; what was made here comes before what ships.
fn find(folders: &[PathBuf]) -> BTreeMap<String, Found> {
    let mut found = BTreeMap::new();
    for file in Shipped::iter() {
        let Some(result) = Shipped::get(&file).and_then(|file| read(&file.data)) else { continue };
        found.insert(name_of(FilePath::new(&*file)), Found { result, updated: None });
    }
    for folder in folders {
        walk(folder, folder, DEEPEST, &mut found);
    }
    found
}

fn read(bytes: &[u8]) -> Option<PaperResult> {
    serde_json::from_slice(bytes).ok()
}

/// `concepts/paper.json` → `concepts~paper`; a folder's `result.json` goes by the folder's name.
fn name_of(path: &FilePath) -> String {
    let path = path.with_extension("");
    let path = if path.ends_with("result") { path.parent().unwrap_or(&path) } else { &path };
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    if parts.is_empty() { "report".into() } else { parts.join("~") }
}

fn walk(root: &FilePath, folder: &FilePath, depth: usize, found: &mut BTreeMap<String, Found>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in &paths {
        if found.len() >= MOST {
            return;
        }
        if path.is_dir() && depth > 0 {
            walk(root, path, depth - 1, found);
        }
        let Ok(data) = path.metadata() else { continue };
        let is_json = path.extension().is_some_and(|extension| extension == "json");
        if !is_json || !data.is_file() || data.len() > MOST_BYTES {
            continue;
        }
        // Units, trials and plans lie in the same folders; only whole results are reports.
        let Some(result) = read_bounded(path, TEXT_BYTES).ok().and_then(|bytes| read(&bytes)) else {
            continue;
        };
        let Ok(inner) = path.strip_prefix(root) else { continue };
        let modified = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        found.insert(name_of(inner), Found { result, updated: modified.map(|time| time.as_secs_f64()) });
    }
}

fn describe(name: String, found: &Found) -> Paper {
    let result = &found.result;
    let (inside, compared) = report::agreement(result);
    Paper {
        name,
        paper: result.paper.clone(),
        title: result.title.clone(),
        citation: result.citation.clone(),
        scale: result.scale.name(),
        summary: result.summary.clone(),
        inside,
        compared,
        holding: result.claims.iter().filter(|claim| claim.holds).count(),
        claims: result.claims.len(),
        said: result.paper_claims.clone(),
        command: result.command(),
        updated: found.updated,
    }
}

pub(crate) async fn list(State(app): State<Arc<App>>) -> ApiResult<Json<Vec<Paper>>> {
    blocking(move || {
        let found = find(&app.config.results);
        Ok(Json(found.into_iter().map(|(name, found)| describe(name, &found)).collect()))
    })
    .await
}

pub(crate) async fn report(State(app): State<Arc<App>>, Path(name): Path<String>) -> ApiResult<Response> {
    blocking(move || {
        let found = find(&app.config.results);
        let paper = found.get(&name).ok_or_else(|| ApiError::not_found("report"))?;
        let headers = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
        ];
        Ok((headers, report::page(&paper.result)).into_response())
    })
    .await
}
