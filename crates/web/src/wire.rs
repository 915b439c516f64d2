//! The two ends of a request as a connection sees them: the socket, which may not block for ever on a client that does not read, and
//! the bodies, which tell whether the client or the server is the one that is waited for.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

use crate::places::Place;

/// A socket that fails when its client takes nothing for longer than `limit`. A stream of events lives as long as it is read: what is
/// measured is the time without progress, not the time of the answer.
#[derive(Debug)]
pub(crate) struct Wire {
    stream: TcpStream,
    place: Arc<Place>,
    limit: Duration,
    /// Runs while the client takes nothing.
    timer: Option<Pin<Box<Sleep>>>,
}

impl Wire {
    pub(crate) fn new(stream: TcpStream, place: Arc<Place>, limit: Duration) -> Wire {
        Wire { stream, place, limit, timer: None }
    }

    pub(crate) fn into_stream(self) -> TcpStream {
        self.stream
    }

    fn watch<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            if self.timer.take().is_some() {
                self.place.set_stuck(false);
            }
            return written;
        }
        let limit = self.limit;
        let place = &self.place;
        let timer = self.timer.get_or_insert_with(|| {
            place.set_stuck(true);
            Box::pin(tokio::time::sleep_until(Instant::now() + limit))
        });
        ready!(timer.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// The body of a request: while it is waited for, the client is the one who owes.
#[derive(Debug)]
pub(crate) struct Asking<B> {
    pub(crate) body: B,
    pub(crate) place: Arc<Place>,
}

impl<B: Body<Data = Bytes> + Unpin> Body for Asking<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        self.place.set_owing(frame.is_pending());
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for Asking<B> {
    fn drop(&mut self) {
        self.place.set_owing(false);
    }
}

/// The body of an answer: when it is dropped, all of it has been handed to the connection.
#[derive(Debug)]
pub(crate) struct Answering<B> {
    pub(crate) body: B,
    pub(crate) place: Arc<Place>,
}

impl<B: Body + Unpin> Body for Answering<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for Answering<B> {
    fn drop(&mut self) {
        self.place.answered();
    }
}
