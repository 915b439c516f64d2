//! Some of the examples, remembered to be shown: "this resembles that position, which was lost".

use ludens_core::{Game, Model, ModelError, Rng};

use super::examples::Examples;

/// How many are remembered.
const ROOM: usize = 256;

/// Some of the positions it learnt from, kept to be shown beside similar ones.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Memory {
    /// Inputs of all of them, one after the other.
    inputs: Vec<f32>,
    values: Vec<f32>,
    texts: Vec<String>,
    /// Examples that have passed by.
    met: u64,
}

/// A remembered position near the one at hand.
#[derive(Clone, PartialEq, Debug)]
pub struct Near<'a> {
    /// The position, as text.
    pub text: &'a str,
    /// What it was worth.
    pub value: f32,
    /// The sum of the differences of the inputs.
    pub distance: f32,
}

/// The sum of the differences, in lanes that the vector unit can add at once.
fn distance(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 8];
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    for (a, b) in a.iter().zip(b) {
        for lane in 0..8 {
            lanes[lane] += (a[lane] - b[lane]).abs();
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| (a - b).abs()).sum();
    lanes.iter().sum::<f32>() + rest
}

impl Memory {
    /// How many are remembered.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Every example ever met has the same chance of being remembered (reservoir sampling).
    pub fn add<G: Game>(&mut self, game: &G, examples: &Examples<G>, rng: &mut Rng) {
        let mut x = Vec::new();
        for example in &examples.list {
            if game.turn(&example.state).is_over() {
                continue;
            }
            self.met += 1;
            let place = if self.len() < ROOM { self.len() } else { (rng.unit() * self.met as f64) as usize };
            if place >= ROOM {
                continue;
            }
            game.encode(&example.state, example.view, &mut x);
            let text = game.text(&example.state);
            if place == self.len() {
                self.inputs.extend_from_slice(&x);
                self.values.push(example.value);
                self.texts.push(text);
            } else {
                self.inputs[place * x.len()..(place + 1) * x.len()].copy_from_slice(&x);
                self.values[place] = example.value;
                self.texts[place] = text;
            }
        }
    }

    /// The `count` nearest, the nearest first.
    pub fn nearest(&self, inputs: &[f32], count: usize) -> Vec<Near<'_>> {
        let rows = self.inputs.chunks_exact(inputs.len().max(1)).map(|row| distance(row, inputs));
        let mut places: Vec<(usize, f32)> = Vec::with_capacity(count + 1);
        for (place, distance) in rows.enumerate() {
            let at = places.partition_point(|known| known.1 <= distance);
            if at < count {
                places.insert(at, (place, distance));
                places.truncate(count);
            }
        }
        let near = |(place, distance): (usize, f32)| Near {
            text: &self.texts[place],
            value: self.values[place],
            distance,
        };
        places.into_iter().map(near).collect()
    }

    pub fn save(&self, model: &mut Model) {
        model.put_meta("memory.texts", &self.texts);
        model.put_meta("memory.met", &self.met);
        model.put_f32("memory.inputs", &[self.inputs.len()], &self.inputs);
        model.put_f32("memory.values", &[self.values.len()], &self.values);
    }

    pub(crate) fn load(inputs: usize, model: &Model) -> Result<Memory, ModelError> {
        let texts: Vec<String> = model.meta("memory.texts")?;
        Ok(Memory {
            inputs: model.f32s("memory.inputs", texts.len() * inputs)?.to_vec(),
            values: model.f32s("memory.values", texts.len())?.to_vec(),
            texts,
            met: model.meta("memory.met")?,
        })
    }
}
