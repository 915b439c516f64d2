//! The page, embedded. Its names are those of the build; nothing is ever looked up on the disk.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::App;
use crate::error::ApiError;

#[derive(RustEmbed)]
#[folder = "page/dist"]
struct Built;

/// Stands in the page where the token goes.
const TOKEN_MARK: &str = "__LUDENS_TOKEN__";

pub(crate) async fn page(State(app): State<Arc<App>>, uri: Uri) -> Response {
    let name = uri.path().trim_start_matches('/');
    if name.starts_with("api/") {
        return ApiError::not_found("call; /api/openapi.json lists them").into_response();
    }
    let name = if name.is_empty() { "index.html" } else { name };
    let Some(file) = Built::get(name) else { return ApiError::not_found("page").into_response() };
    if name == "index.html" {
        let text = String::from_utf8_lossy(&file.data).replace(TOKEN_MARK, &app.token);
        return ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response();
    }
    // What lies in the program is not copied: many may ask for it at once, and not all of them read.
    let data = match file.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    let mut response = (StatusCode::OK, data).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
    // The build puts a hash of the content into these names.
    if name.starts_with("assets/") {
        headers
            .insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    }
    response
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("html") => "text/html; charset=utf-8",
        _ => "application/octet-stream",
    }
}
