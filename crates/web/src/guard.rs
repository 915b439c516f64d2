//! Who may speak to the server: the page it served itself, and local programs that hold its token.
//!
//! A page of another site can make a browser send requests to loopback. Three things stop it: its requests carry
//! a foreign `Origin`; a name it has rebound to 127.0.0.1 shows in `Host`; and it cannot read the token, which
//! only the page we serve contains.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::App;
use crate::error::ApiError;

/// The header that carries the token of state-changing calls.
pub const TOKEN_HEADER: &str = "x-ludens-token";

const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; frame-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

pub(crate) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let is_stream = request.uri().path().ends_with("/events");
    let mut response = match refuse(&app, &request) {
        Some(error) => error.into_response(),
        None if is_stream => next.run(request).await,
        None => match tokio::time::timeout(app.config.limits.request_time, next.run(request)).await {
            Ok(response) => response,
            Err(_) => ApiError::new(
                StatusCode::GATEWAY_TIMEOUT,
                "timeout",
                "this took too long and was given up; try a lower level",
            )
            .into_response(),
        },
    };
    protect(response.headers_mut());
    response
}

fn refuse(app: &App, request: &Request) -> Option<ApiError> {
    let headers = request.headers();
    if !host_is_ours(app, headers) {
        let message = "this name is not one this server answers to; open it by the address it printed";
        return Some(ApiError::new(StatusCode::MISDIRECTED_REQUEST, "host", message));
    }
    if !origin_is_ours(app, headers) {
        let message = "this call comes from another site's page";
        return Some(ApiError::new(StatusCode::FORBIDDEN, "origin", message));
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if reads && request.uri().path().starts_with("/api/") && fetched_across_sites(headers) {
        return Some(ApiError::new(
            StatusCode::FORBIDDEN,
            "origin",
            "this call comes from another site's page",
        ));
    }
    if !reads && !token_is_right(app, headers) {
        let message = format!("calls that change something carry the header {TOKEN_HEADER}; reload the page");
        return Some(ApiError::new(StatusCode::UNAUTHORIZED, "token", message));
    }
    if claimed_length(headers).is_some_and(|length| length > app.config.limits.rules_bytes as u64) {
        // Said before the body is sent; the limit of each call is kept again while it is read.
        return Some(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "this call is too large"));
    }
    None
}

/// The one value of a header; none when it is absent, repeated or not text.
fn single<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

fn claimed_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn host_is_ours(app: &App, headers: &HeaderMap) -> bool {
    single(headers, header::HOST.as_str())
        .is_some_and(|host| app.hosts.iter().any(|ours| ours.eq_ignore_ascii_case(host)))
}

fn origin_is_ours(app: &App, headers: &HeaderMap) -> bool {
    if !headers.contains_key(header::ORIGIN) {
        return true;
    }
    single(headers, header::ORIGIN.as_str())
        .and_then(|origin| origin.strip_prefix("http://"))
        .is_some_and(|host| app.hosts.iter().any(|ours| ours.eq_ignore_ascii_case(host)))
}

/// Browsers say where a request comes from; programs say nothing.
fn fetched_across_sites(headers: &HeaderMap) -> bool {
    headers
        .get("sec-fetch-site")
        .is_some_and(|site| site.as_bytes() != b"same-origin" && site.as_bytes() != b"none")
}

fn token_is_right(app: &App, headers: &HeaderMap) -> bool {
    single(headers, TOKEN_HEADER).is_some_and(|token| same(token.as_bytes(), app.token.as_bytes()))
}

/// Compares without stopping at the first difference, so that the time tells nothing.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differs, (x, y)| differs | (x ^ y)) == 0
}

fn protect(headers: &mut HeaderMap) {
    let mut set = |name: &'static str, value: &'static str| {
        if !headers.contains_key(name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    };
    set("content-security-policy", PAGE_POLICY);
    set("x-content-type-options", "nosniff");
    set("referrer-policy", "no-referrer");
    set("cross-origin-resource-policy", "same-origin");
    set("cross-origin-opener-policy", "same-origin");
    set("cache-control", "no-store");
}
