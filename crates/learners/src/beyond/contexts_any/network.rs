//! The network: detectors of 13 inputs and three outputs, a second layer over all contexts, and for each cell how good it is to go there and to
//! come from there. The value of a move is the sum over its cells.

use ludens_core::{Model, ModelError, Rng, math};

use super::shapes::{LONGEST, Shapes};

/// The cells of a context, the attributes A1–A4, and one.
const INPUTS: usize = LONGEST + 5;
/// Outputs of a detector.
const OUTPUTS: usize = 3;
/// Neurons of the second layer.
pub const SECOND: usize = 15;
/// What two detectors say of a context.
const SAID: usize = 2 * OUTPUTS;

type Detector = [[f32; INPUTS]; OUTPUTS];

/// A move as the outputs it adds up: going to a cell, or coming from one.
pub type Ends = Vec<u16>;

/// The weights.
#[derive(Clone, PartialEq, Debug)]
pub struct Net {
    detectors: Vec<Detector>,
    /// Neuron by neuron: what the detectors say of each context, the bias last.
    second: Vec<Vec<f32>>,
    /// Output by output: the neurons, the bias last. Going to each cell, then coming from each.
    output: Vec<[f32; SECOND + 1]>,
}

/// What the forward pass leaves behind.
#[derive(Debug)]
pub struct Trace {
    said: Vec<f32>,
    neurons: [f32; SECOND],
}

fn bend(x: f32) -> f32 {
    1.0 / (1.0 + math::exp(-f64::from(x)) as f32)
}

fn inputs(cells: impl Iterator<Item = i8>) -> [f32; INPUTS] {
    let mut v = [0.0; INPUTS];
    let (mut own, mut other, mut empty) = (false, false, false);
    for (place, cell) in v.iter_mut().zip(cells) {
        *place = f32::from(cell);
        own |= cell > 0;
        other |= cell < 0;
        empty |= cell == 0;
    }
    let flag = |is: bool| f32::from(u8::from(is));
    v[LONGEST] = flag(!own && !other);
    v[LONGEST + 1] = flag(!(own && other));
    v[LONGEST + 2] = flag(!empty);
    v[LONGEST + 3] = flag(own && !other) - flag(other && !own);
    v[LONGEST + 4] = 1.0;
    v
}

impl Net {
    /// Uniform random weights in ±½.
    pub fn new(shapes: &Shapes, rng: &mut Rng) -> Net {
        let mut net = Net::zero(shapes);
        net.each().for_each(|weight| *weight = rng.uniform(-0.5, 0.5) as f32);
        net
    }

    fn zero(shapes: &Shapes) -> Net {
        Net {
            detectors: vec![[[0.0; INPUTS]; OUTPUTS]; shapes.detectors],
            second: vec![vec![0.0; SAID * shapes.all.len() + 1]; SECOND],
            output: vec![[0.0; SECOND + 1]; 2 * shapes.cells],
        }
    }

    /// Every weight in a fixed order.
    pub fn each(&mut self) -> impl Iterator<Item = &mut f32> {
        self.detectors
            .iter_mut()
            .flatten()
            .flatten()
            .chain(self.second.iter_mut().flatten())
            .chain(self.output.iter_mut().flatten())
    }

    /// How many there are.
    pub fn weights(&self) -> usize {
        self.detectors.len() * INPUTS * OUTPUTS
            + self.second.iter().map(Vec::len).sum::<usize>()
            + self.output.len() * (SECOND + 1)
    }

    fn said_of(&self, detectors: [usize; 2], v: &[f32; INPUTS], said: &mut Vec<f32>) {
        for detector in detectors {
            for row in &self.detectors[detector] {
                said.push(bend(row.iter().zip(v).map(|(w, x)| w * x).sum()));
            }
        }
    }

    /// `cells` are 1 for the mover's, −1 for the other's, 0 for empty ones.
    pub fn forward(&self, shapes: &Shapes, cells: &[i8]) -> Trace {
        let mut said = Vec::with_capacity(SAID * shapes.all.len());
        for shape in &shapes.all {
            let v = inputs(shape.cells.iter().map(|cell| cells[usize::from(*cell)]));
            self.said_of(shape.detectors, &v, &mut said);
        }
        let neuron = |n: usize| bend(self.sum(n, &said));
        Trace { neurons: std::array::from_fn(neuron), said }
    }

    fn sum(&self, neuron: usize, said: &[f32]) -> f32 {
        let row = &self.second[neuron];
        row.iter().zip(said).map(|(w, x)| w * x).sum::<f32>() + row[said.len()]
    }

    /// The value of a move.
    pub fn value(&self, trace: &Trace, ends: &[u16]) -> f32 {
        let of = |end: &u16| {
            let row = &self.output[usize::from(*end)];
            row.iter().zip(&trace.neurons).map(|(w, h)| w * h).sum::<f32>() + row[SECOND]
        };
        ends.iter().map(of).sum()
    }

    /// One step of online backpropagation towards 1 for the labelled move and 0 for the others; the error before it.
    pub fn learn(&mut self, shapes: &Shapes, cells: &[i8], moves: &[Ends], best: usize, rate: f32) -> f32 {
        let trace = self.forward(shapes, cells);
        let mut error = 0.0;
        let mut of_neurons = [0.0f32; SECOND];
        for (at, ends) in moves.iter().enumerate() {
            let out = bend(self.value(&trace, ends));
            let miss = out - f32::from(u8::from(at == best));
            error += 0.5 * miss * miss;
            let slope = miss * out * (1.0 - out);
            for end in ends {
                let row = &mut self.output[usize::from(*end)];
                for n in 0..SECOND {
                    of_neurons[n] += slope * row[n];
                    row[n] -= rate * slope * trace.neurons[n];
                }
                row[SECOND] -= rate * slope;
            }
        }
        let mut of_said = vec![0.0f32; trace.said.len()];
        for ((row, h), back) in self.second.iter_mut().zip(&trace.neurons).zip(&of_neurons) {
            let slope = back * h * (1.0 - h);
            for ((weight, back), said) in row.iter_mut().zip(&mut of_said).zip(&trace.said) {
                *back += slope * *weight;
                *weight -= rate * slope * said;
            }
            row[trace.said.len()] -= rate * slope;
        }
        self.learn_detectors(shapes, cells, (&trace.said, &of_said), rate);
        error
    }

    fn learn_detectors(&mut self, shapes: &Shapes, cells: &[i8], (said, back): (&[f32], &[f32]), rate: f32) {
        for (k, shape) in shapes.all.iter().enumerate() {
            let v = inputs(shape.cells.iter().map(|cell| cells[usize::from(*cell)]));
            for (family, detector) in shape.detectors.into_iter().enumerate() {
                for (output, row) in self.detectors[detector].iter_mut().enumerate() {
                    let at = SAID * k + OUTPUTS * family + output;
                    let slope = rate * back[at] * said[at] * (1.0 - said[at]);
                    row.iter_mut().zip(&v).for_each(|(weight, x)| *weight -= slope * x);
                }
            }
        }
    }

    /// What each context adds to the value of a move beside what it would add if it were empty, and the value with all of them empty. A neuron
    /// bends its sum: each context gets the part of the bend that its part of the sum is, so that all adds up.
    pub fn shares(&self, shapes: &Shapes, trace: &Trace, ends: &[u16]) -> (Vec<f64>, f64) {
        let mut empty = Vec::with_capacity(trace.said.len());
        for shape in &shapes.all {
            self.said_of(shape.detectors, &inputs(shape.cells.iter().map(|_| 0)), &mut empty);
        }
        let mut shares = vec![0.0; shapes.all.len()];
        let mut rest: f64 = ends.iter().map(|end| f64::from(self.output[usize::from(*end)][SECOND])).sum();
        for n in 0..SECOND {
            let weight: f64 = ends.iter().map(|end| f64::from(self.output[usize::from(*end)][n])).sum();
            let (here, bare) = (f64::from(self.sum(n, &trace.said)), f64::from(self.sum(n, &empty)));
            let (bent, flat) = (f64::from(trace.neurons[n]), f64::from(bend(bare as f32)));
            let slope = if (here - bare).abs() > 1e-9 { (bent - flat) / (here - bare) } else { 0.0 };
            let mut given = 0.0;
            for (k, share) in shares.iter_mut().enumerate() {
                let of = |at: usize| f64::from(self.second[n][at]) * f64::from(trace.said[at] - empty[at]);
                let part = slope * (SAID * k..SAID * (k + 1)).map(of).sum::<f64>();
                *share += weight * part;
                given += part;
            }
            rest += weight * (bent - given);
        }
        (shares, rest)
    }

    pub(super) fn save(&self, model: &mut Model) {
        let mut copy = self.clone();
        let flat: Vec<f32> = copy.each().map(|weight| *weight).collect();
        model.put_f32("weights", &[flat.len()], &flat);
    }

    pub(super) fn load(shapes: &Shapes, model: &Model) -> Result<Net, ModelError> {
        let mut net = Net::zero(shapes);
        let flat = model.f32s("weights", net.weights())?.to_vec();
        net.each().zip(flat).for_each(|(weight, kept)| *weight = kept);
        Ok(net)
    }
}
