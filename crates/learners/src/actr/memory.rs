//! A declarative memory as in ACT-R, usable without any game.
//!
//! A memory holds chunks of one type. A chunk is a row of numbered slots; what it is worth later depends on how well it
//! matches what is sought (partial matching) and on how often and how lately it was met (base-level activation).
//! Parameters carry the names modellers know, and each mechanism can be switched off.
//!
//! The columns of slots are stored apart, eight chunks to a vector instruction.

use ludens_core::{Rng, math};
use serde::{Deserialize, Serialize};

use super::blending::{self, Row};

pub use super::slots::{MemoryError, Parameters, Penalty, Slot, SlotKind};

/// The past presentations of one chunk.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Presentations {
    first: f64,
    count: u64,
    /// Empty with optimized learning.
    times: Vec<f64>,
}

/// What one chunk had to do with a retrieval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Recall {
    /// Which chunk.
    pub chunk: usize,
    /// Its base-level activation.
    pub base_level: f64,
    /// ≤ 0: what the mismatch takes away.
    pub mismatch: f64,
    /// The noise that was drawn for it.
    pub noise: f64,
    /// All of it together.
    pub activation: f64,
    /// Its share of a blend.
    pub probability: f64,
}

/// Everything that happened in one retrieval.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Trace {
    /// When it was.
    pub time: f64,
    /// What was asked for; none: anything.
    pub query: Vec<Option<f64>>,
    /// Every chunk's part in it.
    pub recalls: Vec<Recall>,
}

/// A declarative memory: chunks of the same slots, learnt and asked for in the order of time.
#[derive(Clone, PartialEq, Debug)]
pub struct Memory {
    slots: Vec<Slot>,
    parameters: Parameters,
    columns: Vec<Vec<f64>>,
    presentations: Vec<Presentations>,
    now: f64,
    /// Base levels at `now`; recomputed when time or the chunks change.
    base_levels: Vec<f64>,
    base_levels_known: bool,
    /// Room for the activations of one retrieval.
    activations: Vec<f64>,
}

impl Memory {
    /// An empty memory.
    pub fn new(slots: Vec<Slot>, parameters: Parameters) -> Memory {
        let columns = vec![Vec::new(); slots.len()];
        Memory {
            slots,
            parameters,
            columns,
            presentations: Vec::new(),
            now: 0.0,
            base_levels: Vec::new(),
            base_levels_known: false,
            activations: Vec::new(),
        }
    }

    /// The slots of its chunks.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// How it remembers.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// How many chunks it holds.
    pub fn len(&self) -> usize {
        self.presentations.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.presentations.is_empty()
    }

    /// The values of a chunk, slot by slot.
    pub fn chunk(&self, index: usize) -> Vec<f64> {
        self.columns.iter().map(|column| column[index]).collect()
    }

    /// The place of the slot of a name.
    pub fn slot(&self, name: &str) -> Result<usize, MemoryError> {
        self.slots.iter().position(|slot| slot.name == name).ok_or_else(|| MemoryError::NoSlot {
            name: name.into(),
            known: self.slots.iter().map(|slot| slot.name.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    /// Moves the clock forward.
    pub fn advance(&mut self, now: f64) -> Result<(), MemoryError> {
        if now < self.now {
            return Err(MemoryError::Time { time: now, now: self.now });
        }
        self.base_levels_known &= now == self.now;
        self.now = now;
        Ok(())
    }

    /// Presents a chunk now: a new one is stored, one that is there already is strengthened. Its number.
    pub fn learn(&mut self, chunk: &[f64]) -> Result<usize, MemoryError> {
        if chunk.len() != self.slots.len() {
            return Err(MemoryError::Slots { wanted: self.slots.len(), found: chunk.len() });
        }
        self.base_levels_known = false;
        let same =
            |&index: &usize| self.columns.iter().zip(chunk).all(|(column, value)| column[index] == *value);
        let now = self.now;
        let keep_times = !self.parameters.optimized_learning;
        if let Some(index) = (0..self.len()).find(same) {
            let presentations = &mut self.presentations[index];
            presentations.count += 1;
            if keep_times {
                presentations.times.push(now);
            }
            return Ok(index);
        }
        for (column, &value) in self.columns.iter_mut().zip(chunk) {
            column.push(value);
        }
        let times = if keep_times { vec![now] } else { Vec::new() };
        self.presentations.push(Presentations { first: now, count: 1, times });
        Ok(self.len() - 1)
    }

    /// Presents a chunk where none within `threshold` of it (by [`Memory::penalty`]) is known yet; else the nearest
    /// known one is strengthened in its place. The number of the chunk that was presented.
    pub fn learn_if_new(&mut self, chunk: &[f64], threshold: f64) -> Result<usize, MemoryError> {
        let query: Vec<Option<f64>> = chunk.iter().copied().map(Some).collect();
        let distance = |index: usize| self.penalty(&query, index);
        let nearest = (0..self.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        match nearest.filter(|&index| distance(index) <= threshold) {
            Some(index) if chunk.len() == self.slots.len() => self.learn(&self.chunk(index)),
            _ => self.learn(chunk),
        }
    }

    /// B = ln Σ (now − tⱼ)^−d, or with optimized learning ln(n / (1 − d)) − d·ln(now − first). A presentation at this very
    /// moment cannot be heard yet and is left out; a chunk with no other is not present at all.
    fn base_level(&self, index: usize) -> f64 {
        let Some(d) = self.parameters.decay else { return 0.0 };
        let presentations = &self.presentations[index];
        if self.parameters.optimized_learning {
            return math::ln(presentations.count as f64 / (1.0 - d))
                - d * math::ln(self.now - presentations.first);
        }
        let heard = presentations.times.iter().filter(|&&time| time < self.now);
        math::ln(heard.map(|time| math::powf(self.now - time, -d)).sum::<f64>())
    }

    fn refresh_base_levels(&mut self) {
        if !self.base_levels_known {
            self.base_levels = (0..self.len()).map(|index| self.base_level(index)).collect();
            self.base_levels_known = true;
        }
    }

    /// The mismatch of a chunk with the slots that were asked for, by the chosen form.
    pub fn penalty(&self, query: &[Option<f64>], index: usize) -> f64 {
        let mut sum = 0.0;
        let mut asked = 0u32;
        for ((slot, column), wanted) in self.slots.iter().zip(&self.columns).zip(query) {
            if let Some(wanted) = wanted {
                sum += slot.mismatch(*wanted, column[index]);
                asked += 1;
            }
        }
        match self.parameters.penalty {
            Penalty::Sum => sum,
            Penalty::Mean => sum / f64::from(asked.max(1)),
        }
    }

    /// The blended value of a slot: each chunk's value weighted by the Boltzmann share of its activation.
    /// `None` when nothing comes to mind. Noise, where it is on, is drawn from `rng`; the trace is filled if there is one.
    pub fn blend(
        &mut self,
        query: &[Option<f64>],
        slot: usize,
        rng: &mut Rng,
        trace: Option<&mut Trace>,
    ) -> Option<f64> {
        self.activate(query, rng);
        let temperature = self.parameters.blending_temperature();
        let (blended, total, highest) = blending::blend(&self.activations, &self.columns[slot], temperature);
        if let Some(trace) = trace {
            self.fill(trace, query, |activation| math::exp((activation - highest) / temperature) / total);
        }
        (total > 0.0).then_some(blended)
    }

    /// The most active chunk, if it is above the retrieval threshold.
    pub fn retrieve(
        &mut self,
        query: &[Option<f64>],
        rng: &mut Rng,
        trace: Option<&mut Trace>,
    ) -> Option<usize> {
        self.activate(query, rng);
        let best = (0..self.len())
            .max_by(|&a, &b| self.activations[a].total_cmp(&self.activations[b]).then(b.cmp(&a)));
        let threshold = self.parameters.retrieval_threshold.unwrap_or(f64::NEG_INFINITY);
        let best = best.filter(|&chunk| self.activations[chunk] > threshold);
        if let Some(trace) = trace {
            let chosen = best.map(|chunk| self.activations[chunk]);
            self.fill(trace, query, |activation| f64::from(u8::from(Some(activation) == chosen)));
        }
        best
    }

    /// Fills `activations` for a query: base level, minus what the mismatch takes, plus noise.
    fn activate(&mut self, query: &[Option<f64>], rng: &mut Rng) {
        self.refresh_base_levels();
        self.activations.clear();
        self.activations.extend_from_slice(&self.base_levels);
        let asked = query.iter().flatten().count().max(1) as f64;
        let share = if self.parameters.penalty == Penalty::Mean { 1.0 / asked } else { 1.0 };
        for ((slot, column), wanted) in self.slots.iter().zip(&self.columns).zip(query) {
            let Some(wanted) = *wanted else { continue };
            let row = match (self.parameters.mismatch_penalty, slot.kind) {
                (Some(mp), SlotKind::Number { .. }) => {
                    Row::Distance { wanted, weight: mp * share * slot.scale() }
                }
                (Some(mp), SlotKind::Symbol) => Row::Differs { wanted, loss: mp * share },
                (None, _) => Row::Differs { wanted, loss: f64::INFINITY },
            };
            blending::subtract(&mut self.activations, column, row);
        }
        if let Some(s) = self.parameters.noise {
            for activation in &mut self.activations {
                *activation += logistic_noise(s, rng);
            }
        }
    }

    fn fill(&self, trace: &mut Trace, query: &[Option<f64>], probability: impl Fn(f64) -> f64) {
        trace.time = self.now;
        trace.query = query.to_vec();
        trace.recalls.clear();
        for chunk in 0..self.len() {
            let activation = self.activations[chunk];
            let lost = self.parameters.mismatch_penalty.map_or(0.0, |mp| -mp * self.penalty(query, chunk));
            let base_level = self.base_levels[chunk];
            let noise = if self.parameters.noise.is_some() { activation - base_level - lost } else { 0.0 };
            let probability = probability(activation);
            trace.recalls.push(Recall { chunk, base_level, mismatch: lost, noise, activation, probability });
        }
    }
}

/// Noise of mean 0 and variance π²s²/3.
fn logistic_noise(s: f64, rng: &mut Rng) -> f64 {
    let p = rng.unit().max(f64::MIN_POSITIVE);
    s * math::ln((1.0 - p) / p)
}

/// Boltzmann choice (equation 6) over utilities given as logarithms: P(i) ∝ exp(u / t), which for odds is U^(1/t).
/// Temperature 0 takes the best, the first of equals. The probabilities are left in `utilities`.
pub fn boltzmann(utilities: &mut [f64], temperature: f64, rng: &mut Rng) -> Option<usize> {
    let highest = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let best = utilities.iter().position(|&utility| utility == highest)?;
    if temperature <= 0.0 {
        for (index, utility) in utilities.iter_mut().enumerate() {
            *utility = f64::from(u8::from(index == best));
        }
        return Some(best);
    }
    let mut total = 0.0;
    for utility in utilities.iter_mut() {
        *utility = math::exp((*utility - highest) / temperature);
        total += *utility;
    }
    for utility in utilities.iter_mut() {
        *utility /= total;
    }
    rng.weighted(utilities)
}
