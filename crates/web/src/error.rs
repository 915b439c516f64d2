//! Errors as the page and other clients get them: a status, a short code, and what to do next.

use std::net::SocketAddr;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use ludens_core::{MindError, OpenError, TableError};
use serde_json::json;
use thiserror::Error;

/// Why the server could not start.
#[derive(Debug, Error)]
pub enum WebError {
    /// The address is taken, or not this machine's.
    #[error(
        "cannot listen on {address}: {source}. Another program may use the port: try --port 0 for any free one"
    )]
    Listen {
        /// Where it should have listened.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// No random numbers.
    #[error("the operating system gives no random numbers for the page's token: {0}")]
    Random(String),
    /// No threads.
    #[error("cannot start the server's threads: {0}")]
    Runtime(#[from] std::io::Error),
    /// The folder of the runs cannot be used.
    #[error("cannot open the run store {0}. Name another folder with --home")]
    Store(String),
}

/// An answer that refuses a request.
#[derive(Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

pub(crate) type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError { status, code, message: message.into() }
    }

    pub(crate) fn bad(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    pub(crate) fn not_found(what: &str) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not_found", format!("there is no such {what} here"))
    }

    pub(crate) fn conflict(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, "conflict", message)
    }

    pub(crate) fn busy(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    pub(crate) fn full(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "full", message)
    }

    pub(crate) fn rules(problem: impl ToString) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "rules", problem.to_string())
    }

    pub(crate) fn thinking() -> ApiError {
        let message = "this mind needs longer here than a page should wait; ask again later in the game";
        ApiError::new(StatusCode::GATEWAY_TIMEOUT, "thinking", message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> ApiError {
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
            TableError::Mind(MindError::Stopped(_)) => ApiError::thinking(),
            // It was made and asked, and gave up: that is nobody's wrong name.
            TableError::Mind(error @ (MindError::Stuck { .. } | MindError::NoMove | MindError::Other(_))) => {
                ApiError::new(StatusCode::BAD_GATEWAY, "stuck", error.to_string())
            }
            TableError::Mind(error) => error.into(),
        }
    }
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> ApiError {
        match error {
            OpenError::Unknown { .. } => ApiError::not_found("game"),
            // The name of the rules is the server's own; what is wrong with them is the client's.
            OpenError::Rules { error, .. } => ApiError::rules(error),
        }
    }
}

impl From<MindError> for ApiError {
    fn from(error: MindError) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "mind", error.to_string())
    }
}
