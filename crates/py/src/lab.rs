//! The lab: units of experiments, results, runs.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex};

use ludens_core::Stop;
use ludens_core::store::Passing;
use ludens_lab::registered::Kept;
use ludens_lab::runs::Store;
use ludens_lab::{Experiment, Finished, Home, Options, Part, Plan, Progress, Scale, Unit, units_in};
use pyo3::prelude::*;
use serde_json::json;

use crate::errors::{said, wrong};
use crate::house::standard;
use crate::state::to_python;
use crate::work::{Trouble, lock, quiet, watched};

/// One experiment and how large it is run.
struct Asked {
    experiment: Arc<dyn Experiment>,
    plan: Plan,
}

impl Asked {
    fn new(paper: &str, scale: &str, seed: u64, seeds: Option<u32>) -> PyResult<Asked> {
        let mut papers = standard().papers_named(paper).map_err(said)?;
        if papers.len() != 1 {
            return Err(wrong("name one experiment"));
        }
        if seeds.is_some_and(|seeds| !(1..=10_000).contains(&seeds)) {
            return Err(wrong("seeds are from 1 to 10000"));
        }
        let plan = Plan { scale: Scale::from_str(scale).map_err(wrong)?, seed, seeds };
        Ok(Asked { experiment: papers.remove(0), plan })
    }
}

/// The experiments: name, title and citation of each.
#[pyfunction]
#[pyo3(signature = () -> "list[dict[str, str]]")]
pub fn papers(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let about = standard().papers.iter().map(|paper| paper.about());
    let about =
        about.map(|about| json!({ "name": about.id, "title": about.title, "citation": about.citation }));
    to_python(py, &about.collect::<Vec<_>>())
}

fn listed(units: impl IntoIterator<Item = (Unit, bool)>) -> Vec<serde_json::Value> {
    let one = |(unit, done): (Unit, bool)| json!({ "unit": unit.name, "needs": unit.needs, "done": done });
    units.into_iter().map(one).collect()
}

/// The units of an experiment, and what each needs.
#[pyfunction]
#[pyo3(signature = (paper, scale="quick", seed=1, seeds=None) -> "list[dict[str, Any]]")]
pub fn units<'py>(
    py: Python<'py>,
    paper: &str,
    scale: &str,
    seed: u64,
    seeds: Option<u32>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked = Asked::new(paper, scale, seed, seeds)?;
    to_python(py, &listed(asked.experiment.units(&asked.plan).into_iter().map(|unit| (unit, false))))
}

/// The folder of all runs.
#[pyfunction]
#[pyo3(signature = (named=None))]
pub fn home(named: Option<PathBuf>) -> PyResult<PathBuf> {
    Ok(Home::open(named.as_deref()).map_err(said)?.root().to_path_buf())
}

/// Where a reproduction goes when nobody says otherwise.
#[pyfunction]
#[pyo3(signature = (paper, scale="quick", seed=1, home=None))]
pub fn reproduction_folder(paper: &str, scale: &str, seed: u64, home: Option<PathBuf>) -> PyResult<PathBuf> {
    let asked = Asked::new(paper, scale, seed, None)?;
    let home = Home::open(home.as_deref()).map_err(said)?;
    Ok(home.reproduction(asked.experiment.about().id, asked.plan.scale.name(), seed))
}

/// Makes the folder of a reproduction, or finds it, and lists its units with whether they are done.
#[pyfunction]
#[pyo3(signature = (folder, paper, scale="quick", seed=1, seeds=None) -> "list[dict[str, Any]]")]
pub fn open_reproduction<'py>(
    py: Python<'py>,
    folder: PathBuf,
    paper: &str,
    scale: &str,
    seed: u64,
    seeds: Option<u32>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked = Asked::new(paper, scale, seed, seeds)?;
    to_python(py, &listed(units_in(&*asked.experiment, &asked.plan, &folder).map_err(said)?))
}

fn ended(finished: &Finished, folder: &Path) -> serde_json::Value {
    json!({
        "folder": folder,
        "units_done": finished.units_done,
        "units_total": finished.units_total,
        "result": finished.result,
    })
}

/// Runs what is not done yet, writes the reports once everything is there, and keeps it in the store of runs, as `ludens reproduce` does.
#[pyfunction]
#[pyo3(signature = (folder, paper, scale="quick", seed=1, seeds=None, home=None, threads=None, command="", progress: "Callable[[int, int], object] | None"=None) -> "dict[str, Any]")]
#[allow(clippy::too_many_arguments)]
pub fn reproduce<'py>(
    py: Python<'py>,
    folder: PathBuf,
    paper: &str,
    scale: &str,
    seed: u64,
    seeds: Option<u32>,
    home: Option<PathBuf>,
    threads: Option<usize>,
    command: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked = Asked::new(paper, scale, seed, seeds)?;
    let home = Home::open(home.as_deref()).map_err(said)?;
    let (stop, last) = (Stop::new(), Mutex::new(None::<(usize, usize)>));
    let options = Options { threads, part: Part::All, stop: stop.clone() };
    let tell = |py: Python<'_>| match (&progress, *lock(&last)) {
        (Some(progress), Some((done, total))) => progress.call1(py, (done, total)).map(|_| ()),
        _ => Ok(()),
    };
    let kept = Kept { plan: asked.plan.clone(), home: &home, folder: &folder, command: command.into() };
    let finished = watched(py, &stop, &Trouble::default(), &tell, || {
        kept.reproduce(&*asked.experiment, &standard().games, &options, &|progress: &Progress| {
            *lock(&last) = Some((progress.done, progress.total));
        })
    })?;
    to_python(py, &ended(&finished.map_err(said)?, &folder))
}

/// Runs one unit in a folder that holds what it needs, on one thread; its outcome and its artefacts are files there afterwards. The folder is one
/// that is taken away: nothing in it waits for the disk.
#[pyfunction]
#[pyo3(signature = (folder, unit, paper, scale="quick", seed=1, seeds=None))]
pub fn run_unit(
    py: Python<'_>,
    folder: PathBuf,
    unit: String,
    paper: &str,
    scale: &str,
    seed: u64,
    seeds: Option<u32>,
) -> PyResult<()> {
    let asked = Asked::new(paper, scale, seed, seeds)?;
    let stop = Stop::new();
    let options = Options { threads: Some(1), part: Part::Unit(unit), stop: stop.clone() };
    let _passing = Passing::folder(&folder);
    let finished = quiet(py, &stop, &Trouble::default(), || {
        let games = &standard().games;
        ludens_lab::reproduce(&*asked.experiment, games, &asked.plan, &folder, &options, &|_| {})
    })?;
    finished.map(|_| ()).map_err(said)
}

/// Everything that was trained and reproduced.
#[pyfunction]
#[pyo3(signature = (home=None) -> "list[dict[str, Any]]")]
pub fn runs(py: Python<'_>, home: Option<PathBuf>) -> PyResult<Bound<'_, PyAny>> {
    let home = Home::open(home.as_deref()).map_err(said)?;
    to_python(py, &Store::open(&home).and_then(|store| store.runs()).map_err(said)?)
}

/// The learning curve of a run: step, name and value of every measure.
#[pyfunction]
#[pyo3(signature = (run, home=None) -> "list[dict[str, Any]]")]
pub fn metrics(py: Python<'_>, run: i64, home: Option<PathBuf>) -> PyResult<Bound<'_, PyAny>> {
    let home = Home::open(home.as_deref()).map_err(said)?;
    let store = Store::open(&home).map_err(said)?;
    store.run(run).map_err(said)?;
    to_python(py, &store.metrics(run).map_err(said)?)
}
