//! Accepting connections. `axum::serve` waits for ever for the head of a request; here a timer closes slow clients, and
//! when all places are taken the oldest connection that never completed a request gives way to a new one, so that a
//! crowd of half-open connections cannot lock a person out.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::config::Limits;

/// The open connections by age.
#[derive(Default, Debug)]
struct Places {
    next: u64,
    open: BTreeMap<u64, Arc<Place>>,
}

#[derive(Default, Debug)]
struct Place {
    /// Whether a whole request head has come in: only then does the connection count as somebody's.
    served: AtomicBool,
    leave: Notify,
}

type SharedPlaces = Arc<Mutex<Places>>;

fn lock(places: &Mutex<Places>) -> std::sync::MutexGuard<'_, Places> {
    places.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A place for a new connection; none when all are held by clients that have spoken.
fn take_place(places: &SharedPlaces, limit: usize) -> Option<(u64, Arc<Place>)> {
    let mut places = lock(places);
    if places.open.len() >= limit {
        let silent = places.open.iter().find(|(_, place)| !place.served.load(Ordering::Relaxed));
        let id = silent.map(|(id, _)| *id)?;
        if let Some(place) = places.open.remove(&id) {
            place.leave.notify_one();
        }
    }
    let id = places.next;
    places.next += 1;
    let place = Arc::new(Place::default());
    places.open.insert(id, place.clone());
    Some((id, place))
}

/// Serves until `stop` is done.
pub(crate) async fn run(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) {
    let places = SharedPlaces::default();
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => return,
        };
        match accepted {
            Ok((stream, _peer)) => {
                let Some((id, place)) = take_place(&places, limits.connections) else { continue };
                let (router, limits, places) = (router.clone(), limits.clone(), places.clone());
                tokio::spawn(async move {
                    serve_connection(stream, router, &limits, &place).await;
                    lock(&places).open.remove(&id);
                });
            }
            // Out of files or a client that vanished: the listener itself is fine.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

async fn serve_connection(stream: TcpStream, router: Router, limits: &Limits, place: &Place) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request: Request<Incoming>| {
        place.served.store(true, Ordering::Relaxed);
        let router = router.clone();
        async move {
            use futures_util::FutureExt;
            // A panic in a handler must cost one request, never the connection's task with its bookkeeping.
            let answer = std::panic::AssertUnwindSafe(answer(router, request)).catch_unwind().await;
            Ok::<_, std::convert::Infallible>(answer.unwrap_or_else(|_| server_error()))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_buf_size(limits.header_bytes.max(8 * 1024))
        .max_headers(64)
        .serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        _ = connection => {}
        () = place.leave.notified() => {}
    }
}

async fn answer(router: Router, request: Request<Incoming>) -> axum::response::Response {
    use axum::response::IntoResponse;
    use hyper_util::service::TowerToHyperService;
    let service = TowerToHyperService::new(router);
    match hyper::service::Service::call(&service, request.map(Body::new)).await {
        Ok(response) => response,
        Err(never) => never.into_response(),
    }
}

fn server_error() -> axum::response::Response {
    use axum::response::IntoResponse;
    crate::error::ApiError::internal("the server failed at this request; the others go on").into_response()
}

/// Where people open the page.
pub(crate) fn address(local: SocketAddr) -> String {
    format!("http://{local}/")
}
