//! Positions of Connect Four with the solver's word.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ludens_core::Stop;
use ludens_search::connect_four_labels::{LabelSettings, from_model, label_part, to_model};
use ludens_search::connect_four_solver::book::Book;
use ludens_search::connect_four_solver::{Position, Solver};
use pyo3::prelude::*;

use crate::errors::{said, wrong};
use crate::model::Model;
use crate::work::{Trouble, quiet, watched};

/// More could not be read back from a file.
const MOST: usize = 9_000_000;

/// Distinct positions from random play with their exact score and all their best moves: arrays boards, score, best, label (and scores). `part` labels
/// some of them, by their places; `collect` puts parts together.
#[pyfunction]
#[pyo3(signature = (count, seed=1, first_ply=12, last_ply=16, all_scores=false, part=None, progress: "Callable[[int, int], object] | None"=None))]
#[allow(clippy::too_many_arguments)]
pub fn label(
    py: Python<'_>,
    count: usize,
    seed: u64,
    first_ply: u32,
    last_ply: u32,
    all_scores: bool,
    part: Option<(usize, usize)>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Model> {
    if !(1..=MOST).contains(&count) || first_ply > last_ply || last_ply > 40 {
        return Err(wrong(format!(
            "label from 1 to {MOST} positions with 0 to 40 discs, the fewest not above the most"
        )));
    }
    let settings = LabelSettings { count, seed, first_ply, last_ply, all_scores };
    let (from, to) = part.unwrap_or((0, count));
    if from > to || to > count {
        return Err(wrong(format!("{from} to {to} is no part of {count} positions")));
    }
    let (stop, done) = (Stop::new(), AtomicUsize::new(0));
    let tell = |py: Python<'_>| match &progress {
        Some(progress) => progress.call1(py, (done.load(Ordering::Relaxed), to - from)).map(|_| ()),
        None => Ok(()),
    };
    let one = || {
        done.fetch_add(1, Ordering::Relaxed);
    };
    let labelled =
        watched(py, &stop, &Trouble::default(), &tell, || label_part(&settings, from..to, &stop, &one))?;
    Ok(Model { inner: Arc::new(to_model(&settings, &labelled.map_err(said)?)) })
}

/// The parts of a labelling, in their order, as one.
#[pyfunction]
pub fn collect_labels(parts: Vec<Py<Model>>) -> PyResult<Model> {
    let mut parts = parts.iter().map(|part| part.get());
    let first = parts.next().ok_or_else(|| wrong("there are no parts to put together"))?;
    let (settings, mut all) = from_model(&first.inner).map_err(said)?;
    for part in parts {
        let (other, more) = from_model(&part.inner).map_err(said)?;
        if other != settings {
            return Err(wrong("the parts are of different labellings"));
        }
        all.extend(more);
    }
    Ok(Model { inner: Arc::new(to_model(&settings, &all)) })
}

/// The exact score of every move in a position of Connect Four (column digits): None where the column is full.
#[pyfunction]
pub fn solve(py: Python<'_>, moves: &str) -> PyResult<Vec<Option<i32>>> {
    let position = Position::<7, 6>::to_solve(moves).map_err(said)?;
    let scores = quiet(py, &Stop::new(), &Trouble::default(), || {
        Book::shipped().move_scores(&position).unwrap_or_else(|| Solver::default().move_scores(&position))
    })?;
    Ok(scores.to_vec())
}
