//! Exceptions with the program's own words.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

pyo3::create_exception!(
    ludens,
    LudensError,
    PyValueError,
    "Something Ludens cannot do, in the words the program uses, with what to do next."
);

/// The error and its causes, without what was said before: libraries often name their cause themselves.
pub fn said(error: impl std::error::Error) -> PyErr {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !told.contains(&text) {
            told = format!("{told}: {text}");
        }
        cause = error.source();
    }
    LudensError::new_err(told)
}

/// An error in our own words.
pub fn wrong(problem: impl Into<String>) -> PyErr {
    LudensError::new_err(problem.into())
}
