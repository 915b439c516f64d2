//! Reading the JSON body of a call; what is wrong with it is said in the shape of every other error.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiError> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Body(value)),
            Err(rejection) => Err(explain(&rejection)),
        }
    }
}

/// A body that may be left out.
#[derive(Debug)]
pub(crate) struct Maybe<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Default> FromRequest<S> for Maybe<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Maybe<T>, ApiError> {
        let (parts, body) = request.into_parts();
        let bytes = Bytes::from_request(Request::from_parts(parts.clone(), body), state).await;
        let bytes = bytes.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "this call is too large")
            }
            status => ApiError::unreadable(status, rejection.body_text()),
        })?;
        if bytes.is_empty() {
            return Ok(Maybe(T::default()));
        }
        let Body(value) = Body::from_request(Request::from_parts(parts, bytes.into()), state).await?;
        Ok(Maybe(value))
    }
}

/// A body of plain text.
#[derive(Debug)]
pub(crate) struct Text(pub(crate) String);

impl<S: Send + Sync> FromRequest<S> for Text {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Text, ApiError> {
        let read = String::from_request(request, state).await;
        read.map(Text).map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "too_large",
                "rules may have a million bytes at most",
            ),
            status => {
                ApiError::new(status, "bad_text", format!("{}; send UTF-8 text", rejection.body_text()))
            }
        })
    }
}

fn explain(rejection: &JsonRejection) -> ApiError {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "this call is too large")
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "not_json",
            "send the call as JSON with content-type application/json",
        ),
        status => ApiError::unreadable(status, rejection.body_text()),
    }
}
