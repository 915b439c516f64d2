//! As much of HTTP/1 as the protocol needs, with limits on everything that comes from outside.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Bytes of a request line and its headers.
const HEAD_LIMIT: usize = 16 * 1024;
/// Bytes of a message.
pub const BODY_LIMIT: usize = 8 * 1024 * 1024;

/// Why a message did not get through.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The connection broke or was never made.
    #[error("the connection failed: {0}; check that the other program runs and its address is right")]
    Io(#[from] std::io::Error),
    /// What came is not HTTP, and in what.
    #[error("the message is no HTTP ({0}); send `POST / HTTP/1.0` with a Content-Length")]
    Malformed(&'static str),
    /// More than this many bytes came.
    #[error("the message is larger than {0} bytes; send less")]
    TooLarge(usize),
    /// The clock ran out.
    #[error("no whole message came in time; send it faster or raise the clock")]
    TimedOut,
    /// It may come from a web page in a browser, and why it seems so.
    #[error("web pages may not speak here ({0}); game servers and players need not say who sent them")]
    Foreign(&'static str),
}

impl HttpError {
    /// The status line of the answer to a request that failed so.
    pub fn status(&self) -> &'static str {
        match self {
            HttpError::Foreign(_) => "403 Forbidden",
            HttpError::TooLarge(_) => "413 Content Too Large",
            HttpError::TimedOut => "408 Request Timeout",
            HttpError::Io(_) | HttpError::Malformed(_) => "400 Bad Request",
        }
    }
}

/// What a client asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST` and so on.
    pub method: String,
    /// What is asked for, `/`.
    pub path: String,
    /// The message itself.
    pub body: String,
}

/// Reads from a stream until a deadline.
struct Patient<'a> {
    stream: &'a TcpStream,
    deadline: Instant,
}

impl Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, HttpError> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(HttpError::TimedOut);
        }
        self.stream.set_read_timeout(Some(left))?;
        match self.stream.read(buffer) {
            Ok(n) => Ok(n),
            Err(e) if matches!(e.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {
                Err(HttpError::TimedOut)
            }
            Err(e) => Err(e.into()),
        }
    }

    /// The head up to the empty line, and what came after it.
    fn head(&mut self) -> Result<(String, Vec<u8>), HttpError> {
        let mut data = Vec::new();
        let mut chunk = [0; 4096];
        loop {
            if let Some(end) = end_of_head(&data) {
                let rest = data.split_off(end);
                let head =
                    String::from_utf8(data).map_err(|_| HttpError::Malformed("a head that is not text"))?;
                return Ok((head, rest));
            }
            if data.len() > HEAD_LIMIT {
                return Err(HttpError::TooLarge(HEAD_LIMIT));
            }
            match self.read(&mut chunk)? {
                0 => return Err(HttpError::Malformed("it ends within its head")),
                n => data.extend_from_slice(&chunk[..n]),
            }
        }
    }

    /// The body: as long as announced, or to the end of the stream.
    fn body(&mut self, mut data: Vec<u8>, length: Option<usize>) -> Result<String, HttpError> {
        if length.is_some_and(|l| l > BODY_LIMIT) {
            return Err(HttpError::TooLarge(BODY_LIMIT));
        }
        let mut chunk = [0; 16 * 1024];
        while length.is_none_or(|l| data.len() < l) {
            match self.read(&mut chunk)? {
                0 if length.is_none() => break,
                0 => return Err(HttpError::Malformed("it ends before its announced length")),
                n => data.extend_from_slice(&chunk[..n]),
            }
            if data.len() > BODY_LIMIT {
                return Err(HttpError::TooLarge(BODY_LIMIT));
            }
        }
        data.truncate(length.unwrap_or(data.len()));
        String::from_utf8(data).map_err(|_| HttpError::Malformed("a body that is not text"))
    }
}

/// Where the empty line ends. ggp-base ends its lines with a bare newline on Linux.
fn end_of_head(data: &[u8]) -> Option<usize> {
    let after = |end: &[u8]| data.windows(end.len()).position(|w| w == end).map(|at| at + end.len());
    [b"\r\n\r\n".as_slice(), b"\n\n", b"\n\r\n"].into_iter().filter_map(after).min()
}

/// The value of a header.
fn header<'a>(head: &'a str, wanted: &str) -> Option<&'a str> {
    let lines = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    lines
        .map(|(name, value)| (name.trim(), value.trim()))
        .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
        .map(|(_, value)| value)
}

fn content_length(head: &str) -> Result<Option<usize>, HttpError> {
    let number =
        |value: &str| value.parse().map_err(|_| HttpError::Malformed("a Content-Length that is no number"));
    header(head, "content-length").map(number).transpose()
}

/// Every web page a browser shows could ask a server on this machine. A page's POST says where it comes from; its GET need not, but a
/// page whose own name was led here names itself in `Host`. Programs of the protocol do neither: they send POST, to any name.
fn refuse_pages(head: &str) -> Result<(), HttpError> {
    if header(head, "origin").is_some() || header(head, "sec-fetch-site").is_some() {
        return Err(HttpError::Foreign("the request comes from one"));
    }
    let Some(host) = header(head, "host").filter(|_| !head.starts_with("POST ")) else { return Ok(()) };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    let known = name.eq_ignore_ascii_case("localhost") || name.parse::<std::net::IpAddr>().is_ok();
    if known { Ok(()) } else { Err(HttpError::Foreign("its Host is a name; send POST")) }
}

/// Reads one request.
pub fn read_request(stream: &TcpStream, wait: Duration) -> Result<Request, HttpError> {
    let mut patient = Patient { stream, deadline: Instant::now() + wait };
    let (head, rest) = patient.head()?;
    refuse_pages(&head)?;
    let mut words = head.lines().next().unwrap_or_default().split_whitespace();
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        return Err(HttpError::Malformed("no request line"));
    };
    let body = match method {
        "POST" => {
            let length = content_length(&head)?.ok_or(HttpError::Malformed("no Content-Length"))?;
            patient.body(rest, Some(length))?
        }
        _ => String::new(),
    };
    Ok(Request { method: method.into(), path: path.into(), body })
}

/// Sends an answer.
pub fn respond(stream: &TcpStream, status: &str, body: &str) -> Result<(), HttpError> {
    stream.set_write_timeout(Some(Duration::from_secs(5)))?;
    let head =
        format!("HTTP/1.0 {status}\r\nContent-type: text/acl\r\nContent-length: {}\r\n\r\n", body.len());
    let mut stream = stream;
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    Ok(stream.flush()?)
}

/// Sends raw bytes and reads the answer's body.
pub fn exchange(address: SocketAddr, request: &[u8], wait: Duration) -> Result<String, HttpError> {
    let deadline = Instant::now() + wait;
    let stream = TcpStream::connect_timeout(&address, wait.min(Duration::from_secs(5)))?;
    stream.set_write_timeout(Some(wait))?;
    stream.set_nodelay(true)?;
    (&stream).write_all(request)?;
    let mut patient = Patient { stream: &stream, deadline };
    let (head, rest) = patient.head()?;
    if head.split_whitespace().nth(1) != Some("200") {
        return Err(HttpError::Malformed("an answer other than 200"));
    }
    patient.body(rest, content_length(&head)?)
}

/// A protocol message as a POST.
pub fn post(receiver: &str, body: &str) -> Vec<u8> {
    format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {receiver}\r\nSender: GAMESERVER\r\n\
         Receiver: {receiver}\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Undoes the percent-encoding of a path; wrong sequences stay as they are.
pub fn decode(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = bytes.get(i + 1..i + 3).and_then(|h| std::str::from_utf8(h).ok());
        match (bytes[i], hex.and_then(|h| u8::from_str_radix(h, 16).ok())) {
            (b'%', Some(value)) => {
                out.push(value);
                i += 3;
            }
            (b'+', _) => {
                out.push(b' ');
                i += 1;
            }
            (b, _) => {
                out.push(b);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_ends_at_its_empty_line_however_lines_end() {
        for (data, end) in [
            ("POST / HTTP/1.0\r\nA: b\r\n\r\n(info)", Some(25)),
            ("POST / HTTP/1.0\nA: b\n\n(info)", Some(22)),
            ("HTTP/1.0 200 OK\n\r\nready", Some(18)),
            ("POST / HTTP/1.0\nA: b\n", None),
        ] {
            assert_eq!(end_of_head(data.as_bytes()), end, "{data:?}");
        }
    }

    #[test]
    fn pages_are_refused_and_programs_are_not() {
        let ask = |request: &str| refuse_pages(&format!("{request}\n\n")).is_ok();
        for program in [
            "POST / HTTP/1.0",
            "POST / HTTP/1.0\nSender: GAMESERVER\nHost: player.example",
            "GET /INFO HTTP/1.0\nHost: 127.0.0.1:9147",
            "GET /INFO HTTP/1.0\nHost: localhost",
            "GET /INFO HTTP/1.0\nHost: [::1]:9147",
        ] {
            assert!(ask(program), "{program}");
        }
        for page in [
            "POST / HTTP/1.1\nOrigin: http://a.example\nHost: localhost",
            "POST / HTTP/1.1\nOrigin: null",
            "GET /INFO HTTP/1.1\nHost: a.example:9147",
            "GET /INFO HTTP/1.1\nSec-Fetch-Site: cross-site\nHost: localhost",
        ] {
            assert!(!ask(page), "{page}");
        }
    }

    #[test]
    fn paths_are_decoded() {
        assert_eq!(decode("%28%20INFO+%29"), "( INFO )");
        assert_eq!(decode("%2"), "%2");
        assert_eq!(decode("%zz"), "%zz");
    }
}
