//! What a learnt player holds: its parameters, its ledger, its tensors. The page turns them into views.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use ludens_core::{Cost, Memory, Model, Tensor};
use serde::Serialize;
use serde_json::Value;

use crate::App;
use crate::error::{ApiError, ApiResult};
use crate::sessions::blocking;

/// The numbers of a tensor that are sent; larger ones come as a summary.
const MOST_VALUES: usize = 50_000;
const BINS: usize = 31;

#[derive(Serialize)]
pub(crate) struct Inside {
    name: String,
    title: String,
    summary: String,
    kind: &'static str,
    learner: String,
    game: String,
    ledger: Cost,
    /// The same in words.
    known: Vec<String>,
    meta: BTreeMap<String, Value>,
    tensors: BTreeMap<String, TensorView>,
    /// Thing by thing, where it remembers so.
    memory: Option<Memory>,
}

#[derive(Serialize)]
struct TensorView {
    shape: Vec<usize>,
    count: usize,
    low: f64,
    high: f64,
    mean: f64,
    /// How many values lie in each of equal steps from low to high.
    histogram: Vec<usize>,
    values: Option<Vec<f64>>,
}

fn numbers(tensor: &Tensor) -> Vec<f64> {
    match tensor {
        Tensor::F32(_, data) => data.iter().map(|&x| f64::from(x)).collect(),
        Tensor::F64(_, data) => data.clone(),
        Tensor::U64(_, data) => data.iter().map(|&x| x as f64).collect(),
        Tensor::I32(_, data) => data.iter().map(|&x| f64::from(x)).collect(),
        Tensor::I8(_, data) => data.iter().map(|&x| f64::from(x)).collect(),
        Tensor::U8(_, data) => data.iter().map(|&x| f64::from(x)).collect(),
    }
}

impl TensorView {
    fn of(tensor: &Tensor) -> TensorView {
        let values = numbers(tensor);
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let (low, high) =
            finite().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low > high { (0.0, 0.0) } else { (low, high) };
        let mut histogram = vec![0; BINS];
        for value in finite() {
            let place = if high > low { (value - low) / (high - low) } else { 0.0 };
            histogram[((place * BINS as f64) as usize).min(BINS - 1)] += 1;
        }
        let count = values.len();
        let mean = if count == 0 { 0.0 } else { finite().sum::<f64>() / count as f64 };
        let values = (count <= MOST_VALUES).then_some(values);
        TensorView { shape: tensor.shape().to_vec(), count, low, high, mean, histogram, values }
    }
}

/// Metadata is JSON where it can be read as such, else text.
fn meta(model: &Model) -> BTreeMap<String, Value> {
    let read = |text: &String| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text.clone()));
    model.meta.iter().map(|(key, text)| (key.clone(), read(text))).collect()
}

pub(crate) async fn show(State(app): State<Arc<App>>, Path(name): Path<String>) -> ApiResult<Json<Inside>> {
    blocking(move || {
        let shelved = app.shelf.get(&name).ok_or_else(|| ApiError::not_found("learnt player"))?;
        let model = &shelved.model;
        // A model that cannot be loaded has its tensors still.
        let loaded = app.catalog.front(&model.game).ok().and_then(|front| front.load(model).ok());
        Ok(Json(Inside {
            memory: loaded.and_then(|learner| learner.memory()),
            title: shelved.title.clone(),
            summary: shelved.summary.clone(),
            kind: shelved.kind,
            learner: model.learner.clone(),
            game: model.game.clone(),
            ledger: model.ledger,
            known: ludens_core::words::ledger(&model.ledger),
            meta: meta(model),
            tensors: model
                .tensors
                .iter()
                .map(|(name, tensor)| (name.clone(), TensorView::of(tensor)))
                .collect(),
            name,
        }))
    })
    .await
}
