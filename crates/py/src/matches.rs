//! The arena: minds against minds, here or spread over machines.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ludens_arena::{Options, PairRecord, Tournament, play_pairs, report_pairs, run_with};
use ludens_core::{Entrant, Models, Stop};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{said, wrong};
use crate::game::Game;
use crate::house::{self, Opened};
use crate::own_mind::Named;
use crate::state::to_python;
use crate::work::watched;

/// A tournament and everything it is played with.
struct Meeting {
    tournament: Tournament,
    entrants: Vec<Entrant>,
    models: Arc<dyn Models>,
    opened: Opened,
}

impl Meeting {
    /// `settings` is what the tournament is, as JSON, but for its game and its minds.
    fn new(game: &Game, minds: &[Bound<'_, PyAny>], settings: &str) -> PyResult<Meeting> {
        let named = Named::read(minds, game.trouble())?;
        let opened = house::open(&game.origin, &named.own)?;
        let mut value: serde_json::Value = serde_json::from_str(settings).map_err(said)?;
        value["game"] = opened.front.id().into();
        value["minds"] = named.names.clone().into();
        let tournament: Tournament = serde_json::from_value(value).map_err(said)?;
        let entrants = named.names.into_iter().map(Entrant::Named).collect();
        Ok(Meeting { tournament, entrants, models: named.models, opened })
    }
}

/// Plays a whole tournament and reports it; `progress` hears games played and all games.
#[pyfunction]
#[pyo3(signature = (game, minds, settings, threads=None, progress: "Callable[[int, int], object] | None"=None) -> "dict[str, Any]")]
pub fn arena<'py>(
    py: Python<'py>,
    game: &Bound<'py, Game>,
    minds: Vec<Bound<'py, PyAny>>,
    settings: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let meeting = Meeting::new(game.get(), &minds, settings)?;
    if threads == Some(0) {
        return Err(wrong("0 threads are none: give 1 or more"));
    }
    let (stop, played) = (Stop::new(), AtomicU64::new(0));
    let total = meeting.tournament.total_games();
    let tell = |py: Python<'_>| match &progress {
        Some(progress) => progress.call1(py, (played.load(Ordering::Relaxed), total)).map(|_| ()),
        None => Ok(()),
    };
    let options = Options { threads, stop: stop.clone(), ..Options::default() };
    let report = watched(py, &stop, game.get().trouble(), &tell, || {
        let Meeting { tournament, entrants, models, opened } = &meeting;
        run_with(&*opened.front, entrants, models, tournament, &options, &|progress| {
            played.store(progress.games, Ordering::Relaxed);
        })
    })?;
    let report = report.map_err(said)?;
    let answer = to_python(py, &report)?;
    answer.set_item("table", report.table())?;
    Ok(answer)
}

/// Some pairs of a tournament, as bytes that [`collect_pairs`] puts together.
#[pyfunction]
pub fn pairs<'py>(
    py: Python<'py>,
    game: &Bound<'py, Game>,
    minds: Vec<Bound<'py, PyAny>>,
    settings: &str,
    units: (u64, u64),
) -> PyResult<Bound<'py, PyBytes>> {
    let meeting = Meeting::new(game.get(), &minds, settings)?;
    let stop = Stop::new();
    let range: Range<u64> = units.0..units.1;
    let played = crate::work::quiet(py, &stop, game.get().trouble(), || {
        let Meeting { tournament, entrants, models, opened } = &meeting;
        play_pairs(&*opened.front, entrants, models, tournament, range, &stop)
    })?;
    let bytes = serde_json::to_vec(&played.map_err(said)?).map_err(said)?;
    Ok(PyBytes::new(py, &bytes))
}

/// The report of a tournament whose pairs were played in parts, in their order: the same as if it had been played here.
#[pyfunction]
#[pyo3(signature = (game, minds, settings, parts: "Sequence[bytes]") -> "dict[str, Any]")]
pub fn collect_pairs<'py>(
    py: Python<'py>,
    game: &Bound<'py, Game>,
    minds: Vec<Bound<'py, PyAny>>,
    settings: &str,
    parts: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyAny>> {
    let meeting = Meeting::new(game.get(), &minds, settings)?;
    let mut all: Vec<PairRecord> = Vec::new();
    for part in &parts {
        all.extend(serde_json::from_slice::<Vec<PairRecord>>(part).map_err(said)?);
    }
    let report = report_pairs(&meeting.tournament, &all).map_err(said)?;
    let answer = to_python(py, &report)?;
    answer.set_item("table", report.table())?;
    Ok(answer)
}
