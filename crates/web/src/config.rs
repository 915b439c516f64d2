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
    /// Open connections; below the usual 1,024 files of a process.
    pub connections: usize,
    /// Live event streams, which hold their connection.
    pub streams: usize,
    /// Games in memory at once.
    pub sessions: usize,
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
    /// How long a client may take to send the head of a request.
    pub header_time: Duration,
    /// The size of that head.
    pub header_bytes: usize,
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
            connections: 640,
            streams: 64,
            sessions: 2_000,
            thinkers: cores,
            desks: 12,
            think_time: Duration::from_secs(10),
            think_queue: Duration::from_secs(15),
            request_time: Duration::from_secs(40),
            header_time: Duration::from_secs(8),
            header_bytes: 16 * 1024,
            body_bytes: 64 * 1024,
            rules_bytes: 1024 * 1024,
            rules: 32,
            works: 2,
            works_kept: 24,
        }
    }
}
