//! What a server is started with, and the limits it keeps.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

/// How the server is started. The default listens on loopback, port 7117.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on.
    pub host: IpAddr,
    /// 0 takes any free port.
    pub port: u16,
    /// Take any free port when that one is taken: nobody asked for it by name.
    pub any_port: bool,
    /// Names, besides the loopback ones, under which browsers may call this server (`lab.local:7117`).
    pub allowed_hosts: Vec<String>,
    /// Open the page in a browser once the server listens.
    pub open: bool,
    /// The folder of the run store; none keeps games in memory only.
    pub home: Option<PathBuf>,
    /// Folders with results of reproductions, besides those inside the program.
    pub results: Vec<PathBuf>,
    /// What the server bears.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 7117,
            any_port: false,
            allowed_hosts: Vec::new(),
            open: false,
            home: None,
            results: vec![PathBuf::from("results")],
            limits: Limits::default(),
        }
    }
}

/// Every bound of the server in one place: nothing a client does may grow without one.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Open connections: what the process may open, less what it needs itself, and 2,048 at most. When all are taken, those that say
    /// nothing, those that do not take their answer and those that are idle give way, in this order; when none of these is left, a new
    /// one is told so with a 503.
    pub connections: usize,
    /// One address (of IPv6, one network of 64 bits) may hold one part in so many of the connections, the streams and the games.
    pub address_share: usize,
    /// The same for loopback, where everybody has one address: all of them.
    pub loopback_share: usize,
    /// Live event streams, which hold their connection. One more ends the oldest of the address that has most.
    pub streams: usize,
    /// Games in memory at once. One more puts another aside, the one longest untouched, of those without a move when they are more than
    /// half; it comes back from where games are kept when somebody asks for it.
    pub sessions: usize,
    /// Decisions asked for at once, those that wait for a thinker included.
    pub questions: usize,
    /// The legal moves of a position that is shown; what has more cannot be played on the page.
    pub moves_listed: usize,
    /// Games kept in the run store.
    pub kept_on_disk: Quota,
    /// Games kept where there is no store.
    pub kept_in_memory: Quota,
    /// Decisions computed at the same time.
    pub thinkers: usize,
    /// Minds kept ready between two decisions; a solver's table is large.
    pub desks: usize,
    /// The longest a single decision may take.
    pub think_time: Duration,
    /// The longest a decision waits for its turn.
    pub think_queue: Duration,
    /// The longest a request may take.
    pub request_time: Duration,
    /// How long a client may take to send the head of a request; also how long it may keep a connection without one.
    pub header_time: Duration,
    /// How long a client may take nothing of its answer.
    pub write_time: Duration,
    /// What the system holds of an answer that a client has not taken yet. Left alone it holds three megabytes for each, and a few
    /// hundred who never read take the network's memory from the whole machine.
    pub send_bytes: u32,
    /// The size of the head of a request.
    pub header_bytes: usize,
    /// The lines of that head.
    pub headers: usize,
    /// The size of the body of a request.
    pub body_bytes: usize,
    /// A file of GDL rules may be larger than other requests.
    pub rules_bytes: usize,
    /// Rule files kept in memory.
    pub rules: usize,
    /// Trainings and tournaments running at once, of each kind.
    pub works: usize,
    /// Trainings and tournaments remembered, of each kind.
    pub works_kept: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Limits {
            connections: places(),
            address_share: 4,
            loopback_share: 1,
            streams: 64,
            sessions: 2_000,
            questions: 128,
            moves_listed: 100_000,
            kept_on_disk: Quota { games: 100_000, bytes: 1 << 30 },
            kept_in_memory: Quota { games: 20_000, bytes: 64 << 20 },
            thinkers: cores.saturating_sub(1).max(1),
            desks: 12,
            think_time: Duration::from_secs(10),
            think_queue: Duration::from_secs(15),
            request_time: Duration::from_secs(40),
            header_time: Duration::from_secs(8),
            write_time: Duration::from_secs(10),
            send_bytes: 64 * 1024,
            header_bytes: 16 * 1024,
            headers: 64,
            body_bytes: 64 * 1024,
            rules_bytes: 1024 * 1024,
            rules: 32,
            works: 2,
            works_kept: 24,
        }
    }
}

/// How many games are kept, and how large they may be together. Beyond either, games without a move are forgotten first if they are an
/// hour old or more than half of all, then finished ones, then those nobody has touched for a week, then the others without a move; each
/// kind the oldest first. A game that goes on is never forgotten: where only such are left, a new one is played without being kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quota {
    /// How many games.
    pub games: usize,
    /// Their bytes together.
    pub bytes: u64,
}

/// The moves of a ranking that an answer lists, the chosen one besides; it says how many there are.
pub(crate) const MOVES_RANKED: usize = 500;

/// What an error repeats of a text that was sent.
pub(crate) const ECHO: usize = 120;

/// The connections a process can bear. Besides them it opens its store, its models, and those who are being turned away.
fn places() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find(|line| line.starts_with("Max open files"));
    let files: Option<usize> = line.and_then(|line| line.split_whitespace().nth(3)?.parse().ok());
    // 1,024 is what a process usually gets, and what is assumed where nothing says so.
    files.unwrap_or(1_024).saturating_sub(384).clamp(64, 2_048)
}
