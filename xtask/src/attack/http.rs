//! As much of an HTTP client as an attacker needs, and a well-behaved one.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::child::processor_seconds;

/// What is kept of an answer.
const MOST_READ: u64 = 4 << 20;

/// Hundredths by which the clock is slower for us than for a machine of our own.
static SLOWNESS: AtomicU64 = AtomicU64::new(100);

/// Measures how busy the machine is with other things, before an attack makes it busy: limits of time are for a machine of its own.
pub fn measure_slowness() {
    let began = Instant::now();
    let used = processor_seconds("thread-self");
    while processor_seconds("thread-self") < used + 0.1 && began.elapsed() < Duration::from_secs(2) {
        std::hint::black_box((0..10_000u64).sum::<u64>());
    }
    let slowness = (began.elapsed().as_secs_f64() / 0.1).clamp(1.0, 8.0);
    if slowness > 1.5 {
        println!("   the machine is busy with other things: waiting {slowness:.1} times as long");
    }
    SLOWNESS.store((slowness * 100.0) as u64, Ordering::Relaxed);
}

/// An answer and how long it took.
pub struct Answer {
    pub status: u16,
    pub body: String,
    pub took: Duration,
}

/// Sends bytes and reads what comes back until the other side closes; `wait` is for the whole of it.
pub fn exchange(address: SocketAddr, bytes: &[u8], wait: Duration) -> Result<Answer, String> {
    let began = Instant::now();
    let wait = wait * SLOWNESS.load(Ordering::Relaxed) as u32 / 100;
    let mut stream = connect(address, wait)?;
    // Who refuses a request may close before it was sent whole: that is an answer, too.
    let sent = stream.write_all(bytes);
    let mut read = Vec::new();
    let mut chunk = [0; 1 << 14];
    loop {
        let left = wait.saturating_sub(began.elapsed());
        if left.is_zero() {
            return Err(format!("no whole answer within {} s", wait.as_secs_f64()));
        }
        stream.set_read_timeout(Some(left)).map_err(|error| error.to_string())?;
        match stream.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => read.extend_from_slice(&chunk[..count]),
            Err(error) if !read.is_empty() && error.kind() == std::io::ErrorKind::ConnectionReset => break,
            Err(error) => {
                return Err(format!("after {:.1} s: {error} ({sent:?})", began.elapsed().as_secs_f64()));
            }
        }
        if whole(&read) || read.len() as u64 > MOST_READ {
            break;
        }
    }
    let text = String::from_utf8_lossy(&read).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| {
        format!("no status line but {:?} ({sent:?})", text.chars().take(60).collect::<String>())
    })?;
    let body = text.split_once("\r\n\r\n").map(|(_, body)| body.to_string()).unwrap_or_default();
    Ok(Answer { status, body, took: began.elapsed() })
}

/// Whether the announced length is there.
fn whole(read: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&read[..read.len().min(1 << 14)]);
    let Some(end) = text.find("\r\n\r\n") else { return false };
    let length = text[..end].lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    length.is_some_and(|length| read.len() >= end + 4 + length)
}

pub fn connect(address: SocketAddr, wait: Duration) -> Result<TcpStream, String> {
    let stream =
        TcpStream::connect_timeout(&address, wait).map_err(|error| format!("cannot connect: {error}"))?;
    let set = stream.set_nodelay(true).and_then(|()| stream.set_write_timeout(Some(wait)));
    set.map_err(|error| error.to_string())?;
    Ok(stream)
}

/// A request of the page or of a program that holds the token.
pub fn request(address: SocketAddr, method: &str, path: &str, token: &str, body: &str) -> Vec<u8> {
    let token = if token.is_empty() { String::new() } else { format!("X-Ludens-Token: {token}\r\n") };
    let kind = if path.starts_with("/api/rules") { "text/plain" } else { "application/json" };
    format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{token}Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A message of the GGP protocol as its servers send it.
pub fn message(address: SocketAddr, body: &str) -> Vec<u8> {
    let head = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {address}\r\nSender: GAMESERVER\r\nContent-Type: text/acl\r\n"
    );
    format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}
