//! Trained players: what they are made of, as arrays.

use std::path::PathBuf;
use std::sync::Arc;

use ludens_core::{Model as Inner, ModelCard, Tensor};
use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{said, wrong};
use crate::house::standard;
use crate::state::to_python;

/// A trained player, or whatever else lies in a checksummed safetensors file.
#[pyclass(module = "ludens", frozen)]
#[derive(Debug)]
pub struct Model {
    pub inner: Arc<Inner>,
}

#[pymethods]
impl Model {
    /// From a file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Model> {
        Ok(Model { inner: Arc::new(Inner::load(&path).map_err(said)?) })
    }

    /// From the bytes of a file.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Model> {
        Ok(Model { inner: Arc::new(Inner::from_bytes(bytes).map_err(said)?) })
    }

    /// One of those inside the program; the last level where none is named.
    #[staticmethod]
    #[pyo3(signature = (name, level=None))]
    fn zoo(name: &str, level: Option<usize>) -> PyResult<Model> {
        let zoo = standard().games.zoo();
        let animal = zoo.animals().iter().find(|animal| animal.name == name);
        let animal =
            animal.ok_or_else(|| wrong(format!("the zoo has no {name:?}; `ludens zoo` lists them")))?;
        let level = level.unwrap_or(animal.levels.len());
        let model = zoo.model(name, level);
        let model =
            model.ok_or_else(|| wrong(format!("{name} has levels from 1 to {}", animal.levels.len())))?;
        Ok(Model { inner: Arc::new(model.map_err(said)?) })
    }

    /// Who made it.
    #[getter]
    fn learner(&self) -> &str {
        &self.inner.learner
    }

    /// What it plays.
    #[getter]
    fn game(&self) -> &str {
        &self.inner.game
    }

    /// Learner, game, ledger, shapes and metadata.
    #[pyo3(signature = () -> "dict[str, Any]")]
    fn card<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &ModelCard::from(&*self.inner))
    }

    /// Its arrays by name.
    #[pyo3(signature = () -> "dict[str, npt.NDArray[Any]]")]
    fn tensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        macro_rules! put {
            ($name:expr, $shape:expr, $data:expr) => {
                all.set_item($name, $data.clone().into_pyarray(py).reshape($shape.clone())?)?
            };
        }
        for (name, tensor) in &self.inner.tensors {
            match tensor {
                Tensor::F32(shape, data) => put!(name, shape, data),
                Tensor::F64(shape, data) => put!(name, shape, data),
                Tensor::U64(shape, data) => put!(name, shape, data),
                Tensor::I32(shape, data) => put!(name, shape, data),
                Tensor::I8(shape, data) => put!(name, shape, data),
                Tensor::U8(shape, data) => put!(name, shape, data),
            }
        }
        Ok(all)
    }

    /// The bytes of its file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.to_bytes())
    }

    /// Writes its file, whole or not at all.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        self.inner.write(&path).map_err(said)
    }

    fn __repr__(&self) -> String {
        format!("<model of {} for {}>", self.inner.learner, self.inner.game)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Model>().getattr("from_bytes")?, (self.to_bytes(py),)))
    }
}
