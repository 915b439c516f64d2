//! The same network as [`super::reference`], made for speed: a microsecond or two for a position, forwards, backwards and updated.
//!
//! The weights and the inner loops are in `kernel`, once for each number of detector families.

use ludens_core::{Model, ModelError, Rng};

use super::detectors::Detectors;
use super::geometry::IN_FRAME;
use super::kernel::Kernel;
use super::places::{OUTPUTS, SECOND};
use super::reading::{Reading, Readings, Views};
use super::reference::Reference;

/// The learning rate of the paper.
pub const RATE: f32 = 0.1;

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
    /// Uniform random weights in ±½.
    pub fn new(families: &[Detectors], rng: &mut Rng) -> Network {
        let mut start = Reference::zero(families);
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
    pub fn learn(&mut self, reading: Reading, targets: &[f32; OUTPUTS], rate: f32) -> f32 {
        with_kernel!(&mut self.kernel, kernel => kernel.learn(reading, targets, rate))
    }

    /// One step down the mean gradient of several positions; returns the sum of their errors before it.
    pub fn learn_batch<'a>(
        &mut self,
        examples: impl Iterator<Item = (Reading<'a>, &'a [f32; OUTPUTS])> + Clone,
        rate: f32,
    ) -> f32 {
        with_kernel!(&mut self.kernel, kernel => kernel.learn_batch(examples, rate))
    }

    /// Free parameters: shared ones count once.
    pub fn parameters(&self) -> usize {
        let perceptrons: usize = self.families.iter().map(|family| family.count()).sum();
        27 * perceptrons + SECOND * (3 * self.families.len() * IN_FRAME + 1) + OUTPUTS * 16
    }

    pub(crate) fn put_into(&self, model: &mut Model) {
        let flat: Vec<f32> = self.to_reference().each().map(|w| *w as f32).collect();
        model.put_meta("families", &self.families);
        model.put_f32("weights", &[flat.len()], &flat);
    }

    pub(crate) fn take_from(model: &Model) -> Result<Network, ModelError> {
        let families: Vec<Detectors> = model.meta("families")?;
        if !(1..=4).contains(&families.len()) {
            return Err(ModelError::Damaged {
                problem: "it must have one to four families of detectors".into(),
            });
        }
        let mut weights = Reference::zero(&families);
        let count = weights.parameters();
        let flat = model.f32s("weights", count)?;
        weights.each().zip(flat).for_each(|(w, &f)| *w = f64::from(f));
        Ok(Network::from_reference(&weights))
    }
}
