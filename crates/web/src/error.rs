//! Errors as the page and other clients get them: a status, a short code, and what to do next.

use std::net::SocketAddr;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use ludens_core::{MindError, OpenError, PositionError, TableError};
use serde_json::{Value, json};
use thiserror::Error;

use crate::config::ECHO;

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
    /// Every refusal is made here, so that none repeats what was sent at length: words are cut, and a message too long for a screen
    /// loses its middle.
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> ApiError {
        let message = without_middle(without_long_words(message.into()), LONGEST);
        ApiError { status, code, message }
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
        // These repeat whole terms of the rules.
        let problem = without_middle(problem.to_string(), 2 * ECHO);
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "rules", problem)
    }

    /// A body that is not what the call takes; the parser repeats pieces of it.
    pub(crate) fn unreadable(status: StatusCode, problem: String) -> ApiError {
        ApiError::new(status, "bad_request", without_middle(problem, 2 * ECHO))
    }

    pub(crate) fn thinking() -> ApiError {
        let message = "this mind needs longer here than a page should wait; ask again later in the game";
        ApiError::new(StatusCode::GATEWAY_TIMEOUT, "thinking", message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }
}

/// The longest message.
const LONGEST: usize = 5 * ECHO;

/// The beginning and the end of a text of more than `most` letters.
fn without_middle(text: String, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text;
    }
    let head: String = text.chars().take(most / 2).collect();
    let tail: String = text.chars().skip(count - (most - most / 2)).collect();
    format!("{head} … {tail}")
}

/// A word longer than anything said here was sent by somebody.
fn without_long_words(text: String) -> String {
    let long = |word: &str| word.len() > ECHO && word.chars().count() > ECHO;
    if !text.split(' ').any(long) {
        return text;
    }
    let cut = |word: &str| match word.char_indices().nth(ECHO) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_string(),
    };
    text.split(' ').map(cut).collect::<Vec<_>>().join(" ")
}

impl ApiError {
    /// The shape every refusal has.
    pub(crate) fn body(&self) -> Value {
        json!({ "error": { "code": self.code, "message": self.message } })
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
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
            TableError::Position(error) => error.into(),
            TableError::Mind(MindError::Stopped(_)) => ApiError::thinking(),
            // It was made and asked, and gave up: that is nobody's wrong name.
            TableError::Mind(error @ (MindError::Stuck { .. } | MindError::NoMove | MindError::Other(_))) => {
                ApiError::new(StatusCode::BAD_GATEWAY, "stuck", error.to_string())
            }
            TableError::Mind(error) => error.into(),
        }
    }
}

impl From<PositionError> for ApiError {
    fn from(error: PositionError) -> ApiError {
        // The text comes before what is wrong with it, and may be long.
        let PositionError { game, text, problem, format } = error;
        let [text, problem] = [text, problem].map(|text| without_middle(text, ECHO));
        ApiError::bad(PositionError { game, text, problem, format }.to_string())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_is_cut_and_what_we_say_is_not() {
        let ours = "a comparison has from 2 to 8 players; `ludens minds` lists them (did you mean \"uct\"?)";
        assert_eq!(ApiError::bad(ours).message, ours);
        let word = "é".repeat(5_000);
        let message = ApiError::bad(format!("there is no `{word}` here")).message;
        assert_eq!(message.matches('é').count(), ECHO - 1, "the quote is part of the word");
        assert!(message.starts_with("there is no `") && message.ends_with("… here"));
        let words = "ab ".repeat(5_000);
        assert!(ApiError::bad(words.clone()).message.chars().count() <= LONGEST + 3);
        assert!(ApiError::rules(&words).message.chars().count() <= 2 * ECHO + 3);
        let text = words.clone();
        let format = "nine letters".into();
        let error =
            PositionError { game: "tic-tac-toe".into(), text, problem: "a is no piece".into(), format };
        let message = ApiError::from(error).message;
        assert!(message.matches("ab ").count() <= ECHO / 3 && message.ends_with("nine letters"), "{message}");
    }
}
