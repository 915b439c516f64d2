//! The same network as [`super::reference`], made for speed: a microsecond or two for a position, forwards, backwards and updated.
//!
//! The weights and the inner loops are in `kernel`, once for each number of detector families.

use ludens_core::{Model, ModelError, Rng};

use super::detectors::Detectors;
use super::geometry::IN_FRAME;
use super::kernel::Kernel;
use super::places::{Block, OUTPUTS, SECOND};
use super::reading::{Reading, Readings, Views};
use super::reference::Reference;

/// The learning rate of the paper.
pub const RATE: f32 = 0.1;
/// How little the detectors that are added to a network say at first.
const FAINT: f64 = 0.05;

/// A system of the paper: S1 is `[D1]`, S4 `[D1, D4]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// The families of detectors that look at a context.
    pub families: Vec<Detectors>,
    kernel: Kernels,
}

/// One kernel for each number of families.
#[derive(Debug, Clone, PartialEq)]
enum Kernels {
    One(Box<Kernel<1, 4>>),
    Two(Box<Kernel<2, 8>>),
    Three(Box<Kernel<3, 16>>),
    Four(Box<Kernel<4, 16>>),
}

/// The same call on whichever kernel it is.
macro_rules! with_kernel {
    ($kernels:expr, $kernel:ident => $call:expr) => {
        match $kernels {
            Kernels::One($kernel) => $call,
            Kernels::Two($kernel) => $call,
            Kernels::Three($kernel) => $call,
            Kernels::Four($kernel) => $call,
        }
    };
}

impl Network {
    /// Uniform random weights in ±½; with the second task, if it is to tell the outcome too.
    pub fn new(families: &[Detectors], outcome: bool, rng: &mut Rng) -> Network {
        let mut start = Reference::zero(families, outcome);
        for weight in start.each() {
            *weight = f64::from(rng.uniform(-0.5, 0.5) as f32);
        }
        Network::from_reference(&start)
    }

    /// The network with these weights.
    pub fn from_reference(from: &Reference) -> Network {
        let kernel = match from.families.len() {
            1 => Kernels::One(Box::new(Kernel::from_reference(from))),
            2 => Kernels::Two(Box::new(Kernel::from_reference(from))),
            3 => Kernels::Three(Box::new(Kernel::from_reference(from))),
            _ => Kernels::Four(Box::new(Kernel::from_reference(from))),
        };
        Network { families: from.families.clone(), kernel }
    }

    /// Its weights, laid out plainly.
    pub fn to_reference(&self) -> Reference {
        with_kernel!(&self.kernel, kernel => kernel.to_reference())
    }

    fn views(&self) -> &Views {
        with_kernel!(&self.kernel, kernel => kernel.views())
    }

    /// Positions as this network reads them: for each the discs of the side to move and those of the other.
    pub fn read(&self, positions: impl IntoIterator<Item = (u64, u64)>) -> Readings {
        Readings::new(self.views(), positions)
    }

    /// The seven outputs, higher for a column the network prefers.
    pub fn outputs(&mut self, reading: Reading) -> [f32; OUTPUTS] {
        with_kernel!(&mut self.kernel, kernel => kernel.outputs(reading))
    }

    /// One step of online backpropagation; returns the error before it.
    pub fn learn(&mut self, reading: Reading, targets: &Block, rate: f32) -> f32 {
        with_kernel!(&mut self.kernel, kernel => kernel.learn(reading, targets, rate))
    }

    /// One step down the mean gradient of several positions; returns the sum of their errors before it.
    pub fn learn_batch<'a>(
        &mut self,
        examples: impl Iterator<Item = (Reading<'a>, &'a Block)> + Clone,
        rate: f32,
    ) -> f32 {
        with_kernel!(&mut self.kernel, kernel => kernel.learn_batch(examples, rate))
    }

    /// Free parameters: shared ones count once.
    pub fn parameters(&self) -> usize {
        let perceptrons: usize = self.families.iter().map(|family| family.count()).sum();
        let outputs = OUTPUTS + usize::from(self.tells_outcome());
        27 * perceptrons + SECOND * (3 * self.families.len() * IN_FRAME + 1) + outputs * 16
    }

    /// Whether it has the second task.
    pub fn tells_outcome(&self) -> bool {
        with_kernel!(&self.kernel, kernel => kernel.tells_outcome())
    }

    /// The same with one family of detectors more, which says next to nothing at first.
    pub fn grown(&self, family: Detectors, rng: &mut Rng) -> Network {
        let old = self.to_reference();
        let (before, after) = (3 * old.families.len(), 3 * (old.families.len() + 1));
        let mut new = Reference::zero(&[&old.families[..], &[family]].concat(), self.tells_outcome());
        for (at, detector) in new.detectors.iter_mut().enumerate() {
            let drawn = || f64::from(rng.uniform(-0.5, 0.5) as f32);
            match old.detectors.get(at) {
                Some(kept) => *detector = *kept,
                None => detector.as_flattened_mut().fill_with(drawn),
            }
        }
        for (row, old) in new.second.iter_mut().zip(&old.second) {
            for (at, weight) in row.iter_mut().enumerate().take(IN_FRAME * after) {
                let (context, output) = (at / after, at % after);
                *weight = match output < before {
                    true => old[context * before + output],
                    false => f64::from(rng.uniform(-FAINT, FAINT) as f32),
                };
            }
            row[IN_FRAME * after] = old[IN_FRAME * before];
        }
        new.output.clone_from(&old.output);
        Network::from_reference(&new)
    }

    pub(crate) fn put_into(&self, model: &mut Model) {
        let flat: Vec<f32> = self.to_reference().each().map(|w| *w as f32).collect();
        model.put_meta("families", &self.families);
        if self.tells_outcome() {
            model.put_meta("outcome", &true);
        }
        model.put_f32("weights", &[flat.len()], &flat);
    }

    pub(crate) fn take_from(model: &Model) -> Result<Network, ModelError> {
        let families: Vec<Detectors> = model.meta("families")?;
        if !(1..=4).contains(&families.len()) {
            return Err(ModelError::Damaged {
                problem: "it must have one to four families of detectors".into(),
            });
        }
        let mut weights = Reference::zero(&families, model.meta("outcome").unwrap_or(false));
        let count = weights.parameters();
        let flat = model.f32s("weights", count)?;
        weights.each().zip(flat).for_each(|(w, &f)| *w = f64::from(f));
        Ok(Network::from_reference(&weights))
    }
}
