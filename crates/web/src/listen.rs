//! Accepting connections. `axum::serve` waits for ever for the head of a request and for a client to read; here timers close slow
//! clients, and when all places are taken those who keep the server waiting give way (see `places`). Only when every connection is owed
//! an answer is a new one turned away, with a 503 that says so.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::AsyncWrite;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;

use crate::client::Client;
use crate::config::Limits;
use crate::error::ApiError;
use crate::places::{Places, Seat};
use crate::wire::{Answering, Asking, Wire};

/// Those who wait to be accepted.
const BACKLOG: u32 = 1024;

/// Listens; what is accepted there inherits the bound on what the system holds for it.
pub(crate) fn bind(address: SocketAddr, limits: &Limits) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // A port that a server has just left may be taken again; on Windows this would let two have it at once.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(limits.send_bytes)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `stop` is done.
pub(crate) async fn run(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) {
    let places = Arc::new(Places::new(limits.clone()));
    let door = Door::new();
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => return,
        };
        match accepted {
            Ok((stream, peer)) => match places.take(Client::of(peer)) {
                Some(seat) => {
                    let (router, limits, door) = (router.clone(), limits.clone(), door.clone());
                    tokio::spawn(async move {
                        // Whoever has to leave before a request has come in is told so as well: it may be on its way.
                        if let Some(stream) = serve_connection(stream, router, &limits, &seat).await {
                            say_at_once(stream, &door.answer);
                        }
                    });
                }
                None => door.turn_away(stream),
            },
            // Out of files or a client that vanished: the listener itself is fine.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

/// Where those are answered for whom there is no place.
#[derive(Clone)]
struct Door {
    answer: Arc<[u8]>,
    waiting: Arc<Semaphore>,
}

/// Those who are turned away and may take their time to read it.
const TURNED_AWAY: usize = 64;
const TURNING_AWAY: Duration = Duration::from_secs(1);

impl Door {
    fn new() -> Door {
        let error = ApiError::busy("the server is answering as many as it can; try again in a moment");
        let body = error.body().to_string();
        let head = format!(
            "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             retry-after: 1\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n",
            body.len()
        );
        Door { answer: (head + &body).into_bytes().into(), waiting: Arc::new(Semaphore::new(TURNED_AWAY)) }
    }

    fn turn_away(&self, stream: TcpStream) {
        let answer = self.answer.clone();
        match self.waiting.clone().try_acquire_owned() {
            Ok(permit) => {
                tokio::spawn(async move {
                    let _permit = permit;
                    let _ = tokio::time::timeout(TURNING_AWAY, say(stream, &answer)).await;
                });
            }
            Err(_) => say_at_once(stream, &answer),
        }
    }
}

/// Says it and waits until the client has gone: closing while its request still comes in would take the answer away from it.
async fn say(mut stream: TcpStream, answer: &[u8]) -> std::io::Result<()> {
    let mut said = 0;
    while said < answer.len() {
        stream.writable().await?;
        match stream.try_write(&answer[said..]) {
            Ok(more) => said += more,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    std::future::poll_fn(|context| Pin::new(&mut stream).poll_shutdown(context)).await?;
    let mut rest = [0; 4096];
    loop {
        stream.readable().await?;
        match stream.try_read(&mut rest) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

/// For those beyond: what has come in is taken, so that the answer is not lost with it, and nothing is waited for.
fn say_at_once(stream: TcpStream, answer: &[u8]) {
    // A socket of tokio's does not block, as this one then does not.
    let Ok(mut stream) = stream.into_std() else { return };
    let _ = stream.read(&mut [0; 16 * 1024]);
    let _ = stream.write(answer);
    let _ = stream.shutdown(Shutdown::Write);
}

/// Serves until the client goes, or has to; gives the stream back if nothing was asked on it.
async fn serve_connection(
    stream: TcpStream,
    router: Router,
    limits: &Limits,
    seat: &Seat,
) -> Option<TcpStream> {
    let _ = stream.set_nodelay(true);
    let place = &seat.place;
    let service = service_fn(|request: Request<Incoming>| {
        place.asked();
        let (router, place) = (router.clone(), place.clone());
        async move {
            use futures_util::FutureExt;
            let request = request.map(|body| Body::new(Asking { body, place: place.clone() }));
            let answer = place.client().answer(answer(router, request));
            // A panic in a handler must cost one request, never the connection's task with its bookkeeping.
            let answer = std::panic::AssertUnwindSafe(answer).catch_unwind().await;
            let answer = answer.unwrap_or_else(|_| server_error());
            Ok::<_, std::convert::Infallible>(answer.map(|body| Answering { body, place }))
        }
    });
    let wire = Wire::new(stream, place.clone(), limits.write_time);
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_buf_size(limits.header_bytes.max(8 * 1024))
        .max_headers(limits.headers)
        .serve_connection(TokioIo::new(wire), service);
    tokio::select! {
        _ = &mut connection => return None,
        () = place.wanted() => {}
    }
    if place.is_silent() {
        return Some(connection.into_parts().io.into_inner().into_stream());
    }
    // A request may have come in at the same moment: it is answered, since it may have changed something already.
    if place.is_at_work() {
        Pin::new(&mut connection).graceful_shutdown();
        let _ = connection.await;
    }
    None
}

async fn answer(router: Router, request: Request<Body>) -> axum::response::Response {
    use axum::response::IntoResponse;
    use hyper_util::service::TowerToHyperService;
    let service = TowerToHyperService::new(router);
    match hyper::service::Service::call(&service, request).await {
        Ok(response) => response,
        Err(never) => never.into_response(),
    }
}

fn server_error() -> axum::response::Response {
    use axum::response::IntoResponse;
    ApiError::internal("the server failed at this request; the others go on").into_response()
}

/// Where people open the page.
pub(crate) fn address(local: SocketAddr) -> String {
    format!("http://{local}/")
}
