//! Files of models, of labelled positions, of results.

use std::sync::LazyLock;

use ludens_core::Model;
use ludens_lab::{PaperResult, report};
use ludens_search::connect_four_labels::{LabelSettings, Labelled, from_model, to_model};
use ludens_search::connect_four_solver::Position;

use crate::forged::{forge, zoo};
use crate::{Law, Verdict, ensure};

pub(crate) const MODEL: Law = Law {
    name: "model_file",
    says: "bytes are a model if and only if writing what was read gives the same bytes",
    weight: 100,
    words: &[
        "{",
        "}",
        "\"F32\"",
        "\"shape\":[",
        "\"data_offsets\":[0,",
        "__metadata__",
        "checksum",
        "format",
        "meta.",
    ],
    seeds: || zoo().iter().map(Model::to_bytes).collect(),
    check: |bytes| {
        let Ok(model) = Model::from_bytes(bytes) else { return Ok(false) };
        ensure(model.to_bytes() == bytes, "a model is written as it was read")?;
        Ok(true)
    },
};

/// A small file of labelled positions, with and without the scores of every move.
static LABELLED: LazyLock<Vec<Model>> = LazyLock::new(|| {
    let labelled = |scores: Option<[i8; 7]>| -> Vec<Labelled> {
        let positions = ["44", "4455", "1212"].map(Position::<7, 6>::to_solve);
        let label = |position| Labelled { position, score: -2, best: 8, scores };
        positions.into_iter().filter_map(Result::ok).map(label).collect()
    };
    let settings = |all_scores| LabelSettings { count: 3, all_scores, ..LabelSettings::default() };
    vec![to_model(&settings(false), &labelled(None)), to_model(&settings(true), &labelled(Some([-2; 7])))]
});

pub(crate) const LABELS: Law = Law {
    name: "label_file",
    says: "a model is refused as labels, or is written as it was read",
    weight: 60,
    words: &["{", "}", "true", "false", "\"count\":", "\"all_scores\":"],
    seeds: || {
        // The kind of forgery, what it is done to, and what is put there.
        let mut seeds = Vec::new();
        for (which, model) in LABELLED.iter().enumerate() {
            for key in 0..model.meta.len().max(model.tensors.len()) {
                let value = model.meta.values().nth(key).cloned().unwrap_or_default();
                seeds.push([&[which as u8, 0, key as u8], value.as_bytes()].concat());
                seeds.push([&[which as u8, 1, key as u8], [0, 1, 255, 8, 2, 7, 1].as_slice()].concat());
            }
        }
        seeds
    },
    check: |bytes| {
        let [which, forgery @ ..] = bytes else { return Ok(false) };
        let mut model = LABELLED[usize::from(*which) % LABELLED.len()].clone();
        forge(&mut model, forgery);
        let Ok((settings, labelled)) = from_model(&model) else { return Ok(false) };
        let again = from_model(&to_model(&settings, &labelled)).map_err(|error| error.to_string())?;
        ensure(again == (settings, labelled), "labels read back as themselves")?;
        Ok(true)
    },
};

/// A real result with at most two of everything.
fn small_result() -> Vec<u8> {
    fn cut(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Array(list) => {
                list.truncate(2);
                list.iter_mut().for_each(cut);
            }
            serde_json::Value::Object(fields) => fields.values_mut().for_each(cut),
            _ => {}
        }
    }
    let mut result: serde_json::Value =
        serde_json::from_str(include_str!("../../../results/faithfulness/quick.json")).unwrap_or_default();
    cut(&mut result);
    result.to_string().into_bytes()
}

pub(crate) const RESULT: Law = Law {
    name: "result_file",
    says: "a text is refused, or it is a result of which both reports can be made",
    weight: 30,
    words: &[
        "{",
        "}",
        "[",
        "]",
        "null",
        "true",
        "\"low\":",
        "\"high\":",
        "1e308",
        "-1e308",
        ",",
        "\"",
        "\\u0000",
        "<b>",
    ],
    seeds: || vec![small_result()],
    check: result,
};

fn result(bytes: &[u8]) -> Verdict {
    let Ok(result) = serde_json::from_slice::<PaperResult>(bytes) else { return Ok(false) };
    let _ = report::markdown(&result);
    let _ = report::page(&result);
    let written = serde_json::to_vec(&result).map_err(|error| error.to_string())?;
    let again: PaperResult =
        serde_json::from_slice(&written).map_err(|error| format!("what was written: {error}"))?;
    ensure(again == result, "a result reads back as itself")?;
    Ok(true)
}
