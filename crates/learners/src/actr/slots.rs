//! The slots of the chunks of a memory, how it remembers, and what it cannot do.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How two values of a slot differ.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum SlotKind {
    /// |a − b| over the range: 0 for equal values, 1 for the most different ones.
    Number {
        /// The lowest value.
        low: f64,
        /// The highest value.
        high: f64,
    },
    /// Equal or not: 0 or 1.
    Symbol,
}

/// A slot of the chunks of a memory.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Slot {
    /// What it is called.
    pub name: String,
    /// How two of its values differ.
    pub kind: SlotKind,
}

impl Slot {
    /// A slot for numbers of a range.
    pub fn number(name: &str, low: f64, high: f64) -> Slot {
        Slot { name: name.into(), kind: SlotKind::Number { low, high } }
    }

    /// A slot for symbols, which are numbers that are equal or not.
    pub fn symbol(name: &str) -> Slot {
        Slot { name: name.into(), kind: SlotKind::Symbol }
    }

    /// What a difference of 1 is worth; 0 for symbols, which differ or do not.
    #[inline]
    pub(super) fn scale(&self) -> f64 {
        match self.kind {
            SlotKind::Number { low, high } if high > low => 1.0 / (high - low),
            SlotKind::Number { .. } | SlotKind::Symbol => 0.0,
        }
    }

    /// How much two values differ, 0 to 1.
    #[inline]
    pub fn mismatch(&self, a: f64, b: f64) -> f64 {
        match self.kind {
            SlotKind::Number { .. } => (a - b).abs() * self.scale(),
            SlotKind::Symbol => f64::from(u8::from(a != b)),
        }
    }
}

/// How the mismatches of the slots make one penalty.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum Penalty {
    /// Their sum, ACT-R's way.
    #[default]
    Sum,
    /// Their mean, equation 1 of the paper: 0 to 1 however many slots there are.
    Mean,
}

/// The switches of the memory; `None` switches a mechanism off.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameters {
    /// mp: the activation lost by a full mismatch. Off: only exact matches come to mind.
    pub mismatch_penalty: Option<f64>,
    /// How the mismatches of the slots make one.
    pub penalty: Penalty,
    /// bll, d: how fast a presentation is forgotten. Off: all chunks are equally present.
    pub decay: Option<f64>,
    /// ol: count presentations instead of keeping each one's time.
    pub optimized_learning: bool,
    /// ans, s: the scale of the logistic noise on each activation.
    pub noise: Option<f64>,
    /// tmp, t: the temperature of blending; √2·s where there is noise and no temperature, else 1.
    pub temperature: Option<f64>,
    /// rt: what is less active than this is not retrieved.
    pub retrieval_threshold: Option<f64>,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            mismatch_penalty: Some(1.0),
            penalty: Penalty::Sum,
            decay: Some(0.5),
            optimized_learning: false,
            noise: None,
            temperature: None,
            retrieval_threshold: None,
        }
    }
}

impl Parameters {
    /// The temperature of a blend: the one that was set, else √2 times the noise, else 1.
    pub fn blending_temperature(&self) -> f64 {
        let of_noise = self.noise.map(|s| s * std::f64::consts::SQRT_2);
        self.temperature.or(of_noise).filter(|&t| t > 0.0).unwrap_or(1.0)
    }
}

/// What a memory cannot do.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum MemoryError {
    /// It has no slot of that name.
    #[error("the memory has no slot {name:?}; its slots are {known}")]
    NoSlot {
        /// What was asked for.
        name: String,
        /// The slots there are.
        known: String,
    },
    /// A chunk has another number of slots.
    #[error("a chunk of this memory has {wanted} slots, {found} were given")]
    Slots {
        /// How many slots a chunk has.
        wanted: usize,
        /// How many were given.
        found: usize,
    },
    /// The past cannot be changed.
    #[error("time runs forward: {time} lies before {now}; learn and ask in the order of time")]
    Time {
        /// The time that was given.
        time: f64,
        /// The time it is.
        now: f64,
    },
}
