//! Models whose bytes are whole and whose content is a lie: a checksum does not say who wrote a file.

use std::sync::LazyLock;

use ludens_core::{Model, Tensor};

use crate::seeds::{HOUSE, open};
use crate::{Law, Verdict, ensure, text};

/// A model of every learner of the zoo; the ranker's is too large to be changed ten thousand times a second.
pub(crate) fn zoo() -> &'static [Model] {
    static ZOO: LazyLock<Vec<Model>> = LazyLock::new(|| {
        let zoo = HOUSE.games.zoo();
        let models = zoo.animals().iter().filter_map(|animal| zoo.model(&animal.name, 1)?.ok());
        models.filter(|model| model.to_bytes().len() < 1 << 14).collect()
    });
    &ZOO
}

/// Changes a model: the first byte says how, the second where, the rest is put there.
pub(crate) fn forge(model: &mut Model, forgery: &[u8]) {
    let [how, place, payload @ ..] = forgery else { return };
    let place = usize::from(*place);
    let key = |keys: Vec<&String>| keys.get(place % keys.len().max(1)).map(ToString::to_string);
    match how % 6 {
        0 => {
            if let Some(key) = key(model.meta.keys().collect()) {
                model.meta.insert(key, text(payload).into_owned());
            }
        }
        1 => {
            if let Some(name) = key(model.tensors.keys().collect()) {
                let like = model.tensors[&name].clone();
                model.tensors.insert(name, refill(&like, payload));
            }
        }
        2 => model.learner = text(payload).into_owned(),
        3 => model.game = text(payload).into_owned(),
        4 => {
            if let Some(name) = key(model.tensors.keys().collect()) {
                model.tensors.remove(&name);
            }
        }
        _ => {
            model.meta.insert(text(payload).into_owned(), "null".into());
        }
    }
}

/// A tensor of the same kind with other numbers, as many as there are bytes for.
fn refill(like: &Tensor, payload: &[u8]) -> Tensor {
    let wide: Vec<u64> = payload
        .chunks(8)
        .map(|chunk| chunk.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
        .collect();
    match like {
        Tensor::F32(..) => {
            Tensor::F32(vec![wide.len()], wide.iter().map(|&bits| f32::from_bits(bits as u32)).collect())
        }
        Tensor::F64(..) => {
            Tensor::F64(vec![wide.len()], wide.iter().map(|&bits| f64::from_bits(bits)).collect())
        }
        Tensor::U64(..) => Tensor::U64(vec![wide.len()], wide),
        Tensor::I32(..) => Tensor::I32(vec![wide.len()], wide.iter().map(|&bits| bits as i32).collect()),
        Tensor::I8(..) => Tensor::I8(vec![payload.len()], payload.iter().map(|&byte| byte as i8).collect()),
        Tensor::U8(..) => Tensor::U8(vec![payload.len()], payload.to_vec()),
    }
}

pub(crate) const LEARNT: Law = Law {
    name: "forged_model",
    says: "a whole file with any content is refused with a reason, or is loaded and saved again as a whole file",
    weight: 30,
    words: &[
        "{",
        "}",
        "null",
        "true",
        "\"",
        ",",
        "[",
        "]",
        ":",
        "members",
        "pairs",
        "depth",
        "steps",
        "\"seed\":",
    ],
    seeds: || {
        let mut seeds = Vec::new();
        for (which, model) in zoo().iter().enumerate() {
            for (place, value) in model.meta.values().enumerate() {
                seeds.push([&[which as u8, 0, place as u8], value.as_bytes()].concat());
            }
            for place in 0..model.tensors.len() {
                seeds.push(
                    [&[which as u8, 1, place as u8], [63, 240, 0, 0, 0, 0, 0, 0].repeat(9).as_slice()]
                        .concat(),
                );
            }
        }
        seeds
    },
    check: learnt,
};

fn learnt(bytes: &[u8]) -> Verdict {
    let [which, forgery @ ..] = bytes else { return Ok(false) };
    let mut model = zoo()[usize::from(*which) % zoo().len()].clone();
    let game = model.game.clone();
    forge(&mut model, forgery);
    let written = model.to_bytes();
    // Names that no learner and no game can have are refused before anything else is read.
    let Ok(read) = Model::from_bytes(&written) else { return Ok(false) };
    ensure(read.to_bytes() == written, "a model is written as it was read")?;
    let Ok(learner) = open(&game)?.load(&read) else { return Ok(false) };
    let saved = learner.save().to_bytes();
    Model::from_bytes(&saved).map_err(|error| format!("what a loaded learner saves is refused: {error}"))?;
    Ok(true)
}
