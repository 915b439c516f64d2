//! The page, with guests: minds and games written in Python.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use ludens_catalogue::House;
use ludens_lab::Home;
use ludens_web::{Config, Server as Inner};
use pyo3::prelude::*;
use tokio::sync::Notify;

use crate::errors::{said, wrong};
use crate::game::Game;
use crate::house::{Origin, standard, with_guests};
use crate::own_mind::OwnMind;
use crate::work::{Trouble, lock};

/// A server of the page; it serves until `stop` is called.
#[pyclass(module = "ludens", frozen)]
#[derive(Debug)]
pub struct Server {
    /// Where the page is.
    #[pyo3(get)]
    url: String,
    stop: Arc<Notify>,
    worker: Mutex<Option<JoinHandle<()>>>,
}

#[pymethods]
impl Server {
    /// Serves the standard house with these minds and games in it. Port 0 is any free one.
    #[new]
    #[pyo3(signature = (minds=Vec::new(), games=Vec::new(), port=0, host="127.0.0.1", home=None))]
    fn new(
        py: Python<'_>,
        minds: Vec<Bound<'_, PyAny>>,
        games: Vec<Py<Game>>,
        port: u16,
        host: &str,
        home: Option<PathBuf>,
    ) -> PyResult<Server> {
        let host: IpAddr = host.parse().map_err(|_| wrong(format!("{host:?} is no address")))?;
        let trouble: Arc<Trouble> = Arc::default();
        trouble.print();
        let minds: Vec<OwnMind> =
            minds.iter().map(|mind| OwnMind::new(mind, &trouble)).collect::<PyResult<_>>()?;
        let mut own = Vec::new();
        for game in &games {
            match &game.get().origin {
                Origin::Own(game) => {
                    game.trouble.print();
                    own.push(game.clone());
                }
                _ => return Err(wrong("games are those written in Python: all others are there already")),
            }
        }
        let house = House { games: with_guests(&minds, &own), papers: standard().papers.clone() };
        let home = Home::open(home.as_deref()).map_err(said)?;
        let mut config = Config { host, port, home: Some(home.root().to_path_buf()), ..Config::default() };
        config.results.push(home.root().join("reproductions"));
        py.detach(|| begin(house, config))
    }

    /// Ends it.
    fn stop(&self, py: Python<'_>) {
        self.stop.notify_one();
        if let Some(worker) = lock(&self.worker).take() {
            let _ = py.detach(|| worker.join());
        }
    }

    /// Whether it still serves.
    fn is_running(&self) -> bool {
        lock(&self.worker).as_ref().is_some_and(|worker| !worker.is_finished())
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_error: "type[BaseException] | BaseException | TracebackType | None"))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, pyo3::types::PyTuple>) {
        self.stop(py);
    }

    fn __repr__(&self) -> String {
        format!("<Ludens at {}>", self.url)
    }
}

fn begin(house: House, config: Config) -> PyResult<Server> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let server = runtime.block_on(Inner::bind(house, config)).map_err(said)?;
    let url = format!("http://{}/", server.local());
    let stop = Arc::new(Notify::new());
    let asked = stop.clone();
    let worker = std::thread::Builder::new().name("ludens-page".into()).spawn(move || {
        runtime.block_on(server.run(async move { asked.notified().await }));
        // A decision that is still being thought about is not waited for.
        runtime.shutdown_background();
    })?;
    Ok(Server { url, stop, worker: Mutex::new(Some(worker)) })
}
