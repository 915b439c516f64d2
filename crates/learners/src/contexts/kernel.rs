//! The context network for speed: its weights, and learning online and in batches. It is separate from [`super::reference`], which says the same
//! plainly and which a test holds it to, because an epoch must cost microseconds a position.
//!
//! `F` families of detectors look at a context together. Their outputs lie side by side in `L` lanes ([`super::lanes`]), three for
//! each family; the lanes left over stay zero. A perceptron's weights lie in the lanes of its family, zero in the others', so the
//! perceptrons that look at a context together are simply added up.

#![allow(clippy::needless_range_loop, reason = "lanes and neurons are numbered, several arrays at once")]

use super::geometry::{COUNT, IN_FRAME, cells_of_code, inputs};
use super::lanes::{Lanes, add, logistic, multiply, unrolled};
use super::places::{Block, Layout, OUTPUTS, Packed, Top};
use super::reading::{PATTERNS, Reading, View, Views};
use super::reference::Reference;

/// The weights of a perceptron, input by input.
type Perceptron<const L: usize> = [Lanes<L>; 9];

/// All weights of a system, and the room its passes work in.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel<const F: usize, const L: usize> {
    perceptrons: Vec<Perceptron<L>>,
    top: Top,
    views: Views,
    inputs: Inputs,
    /// A one in the lanes of each family. Not a constant: the compiler would take the lanes apart.
    masks: [Lanes<L>; F],
    /// Where each context's activations begin.
    starts: [usize; COUNT],
    work: Work<L>,
    batch: Batch<L>,
}

/// What one pass leaves for the next step.
#[derive(Debug, Clone, PartialEq)]
struct Work<const L: usize> {
    slots: [Lanes<L>; COUNT],
    slot_deltas: [Lanes<L>; COUNT],
    activations: Packed,
    deltas: Packed,
}

/// The slots of a whole batch, computed once, and the gradients it adds up.
#[derive(Debug, Clone, PartialEq)]
struct Batch<const L: usize> {
    /// For each (view, pattern) its number in the batch, or `ABSENT`.
    number: Vec<u16>,
    pairs: Vec<[u8; 2]>,
    slots: Vec<Lanes<L>>,
    slot_deltas: Vec<Lanes<L>>,
    top: Top,
}

const ABSENT: u16 = u16::MAX;

impl<const F: usize, const L: usize> Kernel<F, L> {
    const LAYOUT: Layout = Layout::new(3 * F);

    pub fn from_reference(from: &Reference) -> Self {
        let views = Views::new(&from.families);
        let family_of = from.families.iter().enumerate().flat_map(|(f, d)| vec![f; d.count()]);
        let perceptron = |(d, family): (&[[f64; 9]; 3], usize)| {
            std::array::from_fn(|i| {
                let mut row = Lanes::ZERO;
                for o in 0..3 {
                    row.0[3 * family + o] = d[o][i] as f32;
                }
                row
            })
        };
        let mut top = Top::zero(Self::LAYOUT);
        for (n, row) in from.second.iter().enumerate() {
            for i in 0..3 * F * IN_FRAME {
                let (block, lane) = Self::LAYOUT.weight(i / (3 * F), i % (3 * F));
                top.blocks[block].0[n][lane] = row[i] as f32;
            }
            top.bias[n] = row[3 * F * IN_FRAME] as f32;
        }
        for (c, row) in from.output.iter().enumerate() {
            top.tasks[c] = 1.0;
            for j in 0..16 {
                top.output[j][c] = row[j] as f32;
            }
        }
        let room = [Lanes::ZERO; COUNT];
        Kernel {
            perceptrons: from.detectors.iter().zip(family_of).map(perceptron).collect(),
            top,
            inputs: Inputs::new(),
            masks: std::array::from_fn(|f| Lanes(std::array::from_fn(|l| f32::from(u8::from(l / 3 == f))))),
            starts: std::array::from_fn(|context| Self::LAYOUT.start(context)),
            work: Work { slots: room, slot_deltas: room, activations: Packed::ZERO, deltas: Packed::ZERO },
            batch: Batch {
                number: vec![ABSENT; views.all.len() * PATTERNS],
                pairs: Vec::new(),
                slots: Vec::new(),
                slot_deltas: Vec::new(),
                top: Top::zero(Self::LAYOUT),
            },
            views,
        }
    }

    pub fn to_reference(&self) -> Reference {
        let mut to = Reference::zero(&self.views.families, self.tells_outcome());
        let family_of = self.views.families.iter().enumerate().flat_map(|(f, d)| vec![f; d.count()]);
        for ((d, to), family) in self.perceptrons.iter().zip(&mut to.detectors).zip(family_of) {
            *to = std::array::from_fn(|o| std::array::from_fn(|i| f64::from(d[i].0[3 * family + o])));
        }
        for (n, row) in to.second.iter_mut().enumerate() {
            for i in 0..3 * F * IN_FRAME {
                let (block, lane) = Self::LAYOUT.weight(i / (3 * F), i % (3 * F));
                row[i] = f64::from(self.top.blocks[block].0[n][lane]);
            }
            row[3 * F * IN_FRAME] = f64::from(self.top.bias[n]);
        }
        for (c, row) in to.output.iter_mut().enumerate() {
            *row = self.top.output.iter().map(|j| f64::from(j[c])).collect();
        }
        to
    }

    pub fn views(&self) -> &Views {
        &self.views
    }

    /// Whether it has the second task.
    pub fn tells_outcome(&self) -> bool {
        self.top.tasks[OUTPUTS] > 0.0
    }

    /// The seven outputs, higher for a column the network prefers.
    pub fn outputs(&mut self, reading: Reading) -> [f32; OUTPUTS] {
        self.first_layer(reading);
        let pass = self.top.forward(&self.work.activations);
        std::array::from_fn(|c| pass.out[c])
    }

    /// Equation 2 for every slot, and the activations laid out for the second layer.
    fn first_layer(&mut self, reading: Reading) {
        let work = &mut self.work;
        let slots = &mut work.slots[..reading.slots.len()];
        weigh::<F, L>(&self.perceptrons, &self.views.all, &self.inputs, reading.slots, slots);
        squash::<F, L>(slots);
        lay_out(&mut work.activations, &self.starts, &work.slots, |k| usize::from(reading.taken[k]));
    }

    /// One step of online backpropagation; returns the error before it.
    pub fn learn(&mut self, reading: Reading, targets: &Block, rate: f32) -> f32 {
        self.first_layer(reading);
        let pass = self.top.forward(&self.work.activations);
        let slopes = self.top.slopes(&pass, targets);
        let work = &mut self.work;
        self.top.learn(&pass, &slopes, &work.activations, &mut work.deltas, rate);
        for delta in &mut work.slot_deltas[..reading.slots.len()] {
            *delta = Lanes::ZERO;
        }
        collect(&work.deltas, &self.starts, &mut work.slot_deltas, |k| usize::from(reading.taken[k]));
        self.descend(reading.slots, rate);
        slopes.error
    }

    /// The step of the detectors, slot by slot.
    #[inline(never)]
    fn descend(&mut self, slots: &[[u8; 2]], rate: f32) {
        let work = &self.work;
        let mut descent = Descent::new(rate, &self.masks);
        for s in 0..slots.len().min(COUNT) {
            let [view, pattern] = slots[s];
            let view = &self.views.all[usize::from(view)];
            descent.step(
                &mut self.perceptrons,
                (view, &self.inputs, pattern),
                &work.slots[s],
                &work.slot_deltas[s],
            );
        }
        descent.flush(&mut self.perceptrons);
    }

    /// One step down the mean gradient of several positions; returns the sum of their errors before it.
    pub fn learn_batch<'a>(
        &mut self,
        examples: impl Iterator<Item = (Reading<'a>, &'a Block)> + Clone,
        rate: f32,
    ) -> f32 {
        self.start_batch(examples.clone().map(|(reading, _)| reading));
        let (mut errors, mut count) = (0.0, 0);
        for (reading, targets) in examples {
            errors += self.add_to_batch(reading, targets);
            count += 1;
        }
        self.finish_batch(rate / count.max(1) as f32);
        errors
    }

    /// Each (view, pattern) of the whole batch once: the weights do not change within it.
    fn start_batch<'a>(&mut self, readings: impl Iterator<Item = Reading<'a>>) {
        let batch = &mut self.batch;
        for [view, pattern] in batch.pairs.drain(..) {
            batch.number[usize::from(view) * PATTERNS + usize::from(pattern)] = ABSENT;
        }
        for reading in readings {
            for &[view, pattern] in reading.slots {
                let number = &mut batch.number[usize::from(view) * PATTERNS + usize::from(pattern)];
                if *number == ABSENT {
                    *number = batch.pairs.len() as u16;
                    batch.pairs.push([view, pattern]);
                }
            }
        }
        batch.slots.resize(batch.pairs.len(), Lanes::ZERO);
        weigh::<F, L>(&self.perceptrons, &self.views.all, &self.inputs, &batch.pairs, &mut batch.slots);
        squash::<F, L>(&mut batch.slots);
        batch.slot_deltas.clear();
        batch.slot_deltas.resize(batch.pairs.len(), Lanes::ZERO);
        batch.top.clear();
    }

    fn add_to_batch(&mut self, reading: Reading, targets: &Block) -> f32 {
        let (batch, work) = (&mut self.batch, &mut self.work);
        let mut numbers = [0u16; COUNT];
        for s in 0..reading.slots.len().min(COUNT) {
            let [view, pattern] = reading.slots[s];
            numbers[s] = batch.number[usize::from(view) * PATTERNS + usize::from(pattern)];
        }
        let slot_of = |k: usize| usize::from(numbers[usize::from(reading.taken[k])]);
        lay_out(&mut work.activations, &self.starts, &batch.slots, slot_of);
        let pass = self.top.forward(&work.activations);
        let slopes = self.top.slopes(&pass, targets);
        self.top.add_gradient(&mut batch.top, &pass, &slopes, &work.activations, &mut work.deltas);
        collect(&work.deltas, &self.starts, &mut batch.slot_deltas, slot_of);
        slopes.error
    }

    fn finish_batch(&mut self, rate: f32) {
        let batch = &self.batch;
        self.top.step(-rate, &batch.top);
        let mut descent = Descent::new(rate, &self.masks);
        for (n, &[view, pattern]) in batch.pairs.iter().enumerate() {
            let view = &self.views.all[usize::from(view)];
            descent.step(
                &mut self.perceptrons,
                (view, &self.inputs, pattern),
                &batch.slots[n],
                &batch.slot_deltas[n],
            );
        }
        descent.flush(&mut self.perceptrons);
    }
}

/// Each context's activations, taken from its slot. In this order: what is written past a context's own numbers is zero, or is
/// overwritten by the next one.
#[inline(always)]
fn lay_out<const L: usize>(
    to: &mut Packed,
    starts: &[usize; COUNT],
    slots: &[Lanes<L>],
    slot_of: impl Fn(usize) -> usize,
) {
    let flat = to.0.as_flattened_mut();
    #[allow(clippy::manual_memcpy, reason = "a call, unless the linker inlines it")]
    for k in 0..COUNT {
        let (to, from) = (&mut flat[starts[k]..starts[k] + L], &slots[slot_of(k)].0);
        for l in 0..L {
            to[l] = from[l];
        }
    }
}

/// Adds each context's slopes to those of its slot. What is read past a context's own numbers lands in lanes that are not used.
#[inline(always)]
fn collect<const L: usize>(
    from: &Packed,
    starts: &[usize; COUNT],
    sums: &mut [Lanes<L>],
    slot_of: impl Fn(usize) -> usize,
) {
    let flat = from.0.as_flattened();
    for k in 0..COUNT {
        let of_context = &flat[starts[k]..starts[k] + L];
        let sum = &mut sums[slot_of(k)];
        for l in 0..L {
            sum.0[l] += of_context[l];
        }
    }
}

/// What a family reads of a pattern: the cells may be taken from the other end.
#[derive(Debug, Clone, PartialEq)]
struct Inputs {
    /// Equation 1 for every pattern, as it stands and from the other end.
    of_pattern: [[[f32; 9]; PATTERNS]; 2],
}

impl Inputs {
    fn new() -> Inputs {
        let turned = |cells: [i8; 4]| [cells[3], cells[2], cells[1], cells[0]];
        Inputs {
            of_pattern: [
                std::array::from_fn(|pattern| inputs(cells_of_code(pattern))),
                std::array::from_fn(|pattern| inputs(turned(cells_of_code(pattern)))),
            ],
        }
    }

    #[inline(always)]
    fn read(&self, view: &View, family: usize, pattern: u8) -> &[f32; 9] {
        &self.of_pattern[usize::from(view.turned[family])][usize::from(pattern)]
    }
}

/// The weighted sums of equation 2 for every slot.
#[inline(never)]
fn weigh<const F: usize, const L: usize>(
    perceptrons: &[Perceptron<L>],
    views: &[View],
    inputs: &Inputs,
    slots: &[[u8; 2]],
    to: &mut [Lanes<L>],
) {
    for s in 0..slots.len().min(to.len()) {
        let [view, pattern] = slots[s];
        let view = &views[usize::from(view)];
        // Chains of sums that do not wait for each other.
        let mut chains = [Lanes::<L>::ZERO; 2];
        for f in 0..F {
            let rows = &perceptrons[usize::from(view.perceptrons[f])];
            let v = inputs.read(view, f, pattern);
            unrolled!(i in 0 1 2 3 4 5 6 7 8 => add(&mut chains[i % 2].0, v[i], &rows[i].0));
        }
        for l in 0..L {
            to[s].0[l] = chains[0].0[l] + chains[1].0[l];
        }
    }
}

/// The logistic function of the lanes in use.
#[inline(never)]
fn squash<const F: usize, const L: usize>(slots: &mut [Lanes<L>]) {
    for s in 0..slots.len() {
        for l in 0..L {
            let h = logistic(slots[s].0[l]);
            slots[s].0[l] = if l < 3 * F { h } else { 0.0 };
        }
    }
}

/// The steps of the detectors. Those of the perceptron that the first family uses are kept together as long as it stays the same
/// one: D1 has only one.
struct Descent<'a, const F: usize, const L: usize> {
    rate: f32,
    first: usize,
    steps: Perceptron<L>,
    /// A one in the lanes of each family.
    masks: &'a [Lanes<L>; F],
}

impl<'a, const F: usize, const L: usize> Descent<'a, F, L> {
    #[inline(always)]
    fn new(rate: f32, masks: &'a [Lanes<L>; F]) -> Self {
        Descent { rate, first: 0, steps: [Lanes::ZERO; 9], masks }
    }

    /// A slot's share, from its activations and the slopes that came back to it.
    #[inline(always)]
    fn step(
        &mut self,
        perceptrons: &mut [Perceptron<L>],
        (view, inputs, pattern): (&View, &Inputs, u8),
        h: &Lanes<L>,
        slopes: &Lanes<L>,
    ) {
        let first = usize::from(view.perceptrons[0]);
        if first != self.first {
            self.flush(perceptrons);
            self.first = first;
        }
        let mut delta = [0.0; L];
        for l in 0..L {
            delta[l] = (-self.rate * slopes.0[l]) * (h.0[l] * (1.0 - h.0[l]));
        }
        let mut own = [0.0; L];
        multiply(&mut own, &delta, &self.masks[0].0);
        let v = inputs.read(view, 0, pattern);
        unrolled!(i in 0 1 2 3 4 5 6 7 8 => add(&mut self.steps[i].0, v[i], &own));
        for f in 1..F {
            let mut own = [0.0; L];
            multiply(&mut own, &delta, &self.masks[f].0);
            let weights = &mut perceptrons[usize::from(view.perceptrons[f])];
            let v = inputs.read(view, f, pattern);
            unrolled!(i in 0 1 2 3 4 5 6 7 8 => add(&mut weights[i].0, v[i], &own));
        }
    }

    #[inline(always)]
    fn flush(&mut self, perceptrons: &mut [Perceptron<L>]) {
        let weights = &mut perceptrons[self.first];
        unrolled!(i in 0 1 2 3 4 5 6 7 8 => add(&mut weights[i].0, 1.0, &self.steps[i].0));
        self.steps = [Lanes::ZERO; 9];
    }
}
