//! Errors as the page and other clients get them: a status, a short code, and what to do next.

use std::net::SocketAddr;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use ludens_core::{MindError, TableError};
use serde_json::json;
use thiserror::Error;

/// Why the server could not start.
#[derive(Debug, Error)]
pub enum WebError {
    #[error(
        "cannot listen on {address}: {source}. Another program may use the port: try --port 0 for any free one"
    )]
    Listen { address: SocketAddr, source: std::io::Error },
    #[error("the operating system gives no random numbers for the page's token: {0}")]
    Random(String),
    #[error("cannot start the server's threads: {0}")]
    Runtime(#[from] std::io::Error),
    #[error("cannot open the run store {0}. Name another folder with --home")]
    Store(String),
}

/// An answer that refuses a request.
#[derive(Debug)]
pub struct ApiError {
    pub status: StatusCode,
    pub code: &'static str,
    pub message: String,
}

pub type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError { status, code, message: message.into() }
    }

    pub fn bad(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    pub fn not_found(what: &str) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not_found", format!("there is no such {what} here"))
    }

    pub fn conflict(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, "conflict", message)
    }

    pub fn busy(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    pub fn full(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "full", message)
    }

    pub fn internal(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = json!({ "error": { "code": self.code, "message": self.message } });
        let mut response = (self.status, Json(body)).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert("retry-after", axum::http::HeaderValue::from_static("1"));
        }
        response
    }
}

impl From<TableError> for ApiError {
    fn from(error: TableError) -> ApiError {
        match error {
            TableError::Illegal(illegal) => {
                let message =
                    format!("{} is not a legal move here; the position has moved on", illegal.label);
                ApiError::new(StatusCode::CONFLICT, "illegal_move", message)
            }
            TableError::NobodyToMove => ApiError::conflict(error.to_string()),
            TableError::Position(_) => ApiError::bad(error.to_string()),
            TableError::Mind(mind) => mind.into(),
        }
    }
}

impl From<MindError> for ApiError {
    fn from(error: MindError) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "mind", error.to_string())
    }
}
