//! The web app: play a learnt player, see why it moved, watch it learn.
//!
//! The server knows no game and no mind by name: it shows what is in the house it is given, a user's own games and minds included.
//! Thinking runs on its own few threads; every number that a client could drive up has a bound in [`Limits`].

#![warn(missing_docs)]

mod assets;
mod body;
mod catalog;
mod client;
mod clock;
mod compare;
mod config;
mod error;
mod explain;
mod gamelog;
mod guard;
mod inside;
mod listen;
mod look;
mod measures;
mod names;
mod openapi;
mod papers;
mod places;
mod played;
mod puzzles;
mod quota;
mod records;
mod routes;
mod rules;
mod session;
mod sessions;
mod shelf;
mod sqlite_log;
mod streams;
mod thinkers;
mod thinking;
mod training;
mod trainings;
mod wire;
mod works;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use ludens_catalogue::House;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

pub use config::{Config, Limits, Quota};
pub use error::WebError;
pub use guard::TOKEN_HEADER;

use catalog::Catalog;
use compare::Comparisons;
use error::{ApiError, ApiResult};
use gamelog::GameLog;
use quota::MemoryLog;
use rules::Rules;
use sessions::Sessions;
use shelf::Shelf;
use sqlite_log::SqliteLog;
use streams::Streams;
use thinkers::Thinkers;
use trainings::{Runs, Trainings};

/// Everything the calls share.
#[derive(Debug)]
pub struct App {
    pub(crate) config: Config,
    /// What a `Host` header may say.
    pub(crate) hosts: Vec<String>,
    pub(crate) token: String,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) thinkers: Arc<Thinkers>,
    pub(crate) sessions: Sessions,
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) trainings: Trainings,
    pub(crate) comparisons: Comparisons,
    /// The lab's store; none where nothing is kept.
    pub(crate) runs: Option<Runs>,
    /// One file of rules is read at a time.
    pub(crate) loading: Arc<Semaphore>,
    /// Places for those who watch.
    pub(crate) streams: Arc<Streams>,
    pub(crate) log: Arc<dyn GameLog>,
}

impl App {
    /// The state behind a server of this house that listens on `local`.
    fn new(house: House, config: Config, local: SocketAddr) -> Result<Arc<App>, WebError> {
        let shelf = Arc::new(Shelf::new(&house));
        let limits = &config.limits;
        let log: Arc<dyn GameLog> = match &config.home {
            Some(home) => Arc::new(open_log(home, limits.kept_on_disk).map_err(WebError::Store)?),
            None => Arc::new(MemoryLog::new(limits.kept_in_memory)),
        };
        let folder = config.home.as_ref().map(|home| home.join("rules"));
        let rules = Rules::new(house.clone(), folder, limits.rules, limits.rules_bytes);
        let catalog = Arc::new(Catalog::new(house, shelf.clone(), rules));
        let thinkers = Arc::new(Thinkers::new(catalog.clone(), shelf.clone(), limits));
        let runs = config.home.as_deref().map(Runs::open).transpose();
        let runs = runs.map_err(|error| WebError::Store(error.to_string()))?;
        Ok(Arc::new(App {
            hosts: hosts(&config, local),
            token: random_hex(32)?,
            catalog,
            thinkers,
            sessions: Sessions::new(limits),
            shelf,
            trainings: Trainings::new(limits.works, limits.works_kept),
            comparisons: Comparisons::new(limits.works, limits.works_kept),
            runs,
            loading: Arc::new(Semaphore::new(1)),
            streams: Arc::new(Streams::new(limits.clone())),
            log,
            config,
        }))
    }

    /// Puts the players trained on this machine on the shelf, the newest of them.
    fn shelve_runs(&self) {
        let runs = self.runs.as_ref().and_then(|runs| runs.trainings().ok()).unwrap_or_default();
        for run in runs.iter().take(self.config.limits.works_kept) {
            // A run without a model yet has nothing to play with.
            self.shelf.put_run(run);
        }
    }

    /// The token that state-changing calls carry, for programs on this machine.
    pub fn token(&self) -> &str {
        &self.token
    }
}

/// A thread that panicked while it held something has done whole steps only: what it held goes on.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The games lie in the run store's file.
fn open_log(home: &Path, quota: Quota) -> Result<SqliteLog, String> {
    std::fs::create_dir_all(home).map_err(|error| format!("{}: {error}", home.display()))?;
    SqliteLog::open(&home.join("runs.sqlite"), quota)
}

fn hosts(config: &Config, local: SocketAddr) -> Vec<String> {
    let port = local.port();
    let mut hosts: Vec<String> =
        ["localhost", "127.0.0.1", "[::1]"].iter().map(|name| format!("{name}:{port}")).collect();
    if !local.ip().is_unspecified() {
        hosts.push(local.to_string());
    }
    hosts.extend(config.allowed_hosts.iter().cloned());
    hosts
}

fn random_hex(digits: usize) -> Result<String, WebError> {
    let mut bytes = vec![0; digits / 2];
    getrandom::fill(&mut bytes).map_err(|error| WebError::Random(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

pub(crate) fn random_id() -> ApiResult<String> {
    random_hex(32).map_err(|error| ApiError::internal(error.to_string()))
}

pub(crate) fn random_u32() -> ApiResult<u32> {
    getrandom::u32().map_err(|error| ApiError::internal(error.to_string()))
}

/// A server that listens but does not serve yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    app: Arc<App>,
    local: SocketAddr,
}

impl Server {
    /// Listens for those who want to play in this house.
    pub async fn bind(house: impl Into<House>, config: Config) -> Result<Server, WebError> {
        let address = SocketAddr::new(config.host, config.port);
        let mut bound = listen::bind(address, &config.limits);
        if bound.is_err() && config.any_port {
            bound = listen::bind(SocketAddr::new(config.host, 0), &config.limits);
        }
        let listener = bound.map_err(|source| WebError::Listen { address, source })?;
        let local = listener.local_addr()?;
        Ok(Server { listener, app: App::new(house.into(), config, local)?, local })
    }

    /// Where it listens.
    pub fn local(&self) -> SocketAddr {
        self.local
    }

    /// What its calls share.
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// Serves until `stop` is done.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let limits = self.app.config.limits.clone();
        let app = self.app.clone();
        // The list of minds tries each of them once; it is ready by the time somebody looks.
        tokio::task::spawn_blocking(move || {
            app.shelve_runs();
            app.catalog.warm();
        });
        let clocks = tokio::spawn(watch_clocks(Arc::downgrade(&self.app)));
        listen::run(self.listener, routes::router(self.app), limits, stop).await;
        clocks.abort();
    }
}

/// Ends the games whose time is up, though nobody looks at them.
async fn watch_clocks(app: Weak<App>) {
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let Some(app) = app.upgrade() else { return };
        // Keeping a game writes to the disk.
        let _ = tokio::task::spawn_blocking(move || sessions::flag_all(&app)).await;
    }
}

/// Serves the page of a house (the standard catalogue, or one with a user's own games and minds) until the program is interrupted, and
/// says where it is.
pub fn serve(house: impl Into<House>, config: Config) -> Result<(), WebError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let open = config.open;
        let server = Server::bind(house, config).await?;
        let address = listen::address(server.local());
        println!("Ludens is at {address} — press Ctrl+C to stop");
        if open {
            open_browser(&address);
        }
        server.run(interrupted()).await;
        Ok(())
    })
}

async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Asks the desktop to show the page; where there is none the printed address is all there is.
fn open_browser(address: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let _ = std::process::Command::new(program)
        .arg(address)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
}
