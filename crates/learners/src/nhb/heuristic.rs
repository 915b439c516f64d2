//! The learnt heuristic: features, their normal equations, their weights; and how it is kept in a file.

use ludens_core::{Game, Model, ModelError};
use ludens_elm::{HiddenLayer, NormalEquations, OsElm};

use super::judge::{Judge, Network};
use super::settings::MOST_FEW;
use crate::beyond::nhb_improved::{PatternTable, Patterns};

/// What a player of this folder learns.
#[derive(Clone, PartialEq, Debug)]
pub enum Heuristic {
    /// The paper's: random hidden units.
    Hidden(OsElm),
    /// Straight runs of cells, and a constant. Each phase of the game, by how full the board is, has weights of its own.
    Runs {
        /// The runs.
        patterns: Patterns,
        /// What was learnt in each phase.
        phases: Vec<Phase>,
        /// λ of the least squares.
        ridge: f64,
    },
}

/// The mark of a file without sums.
const FOR_PLAY: &str = "for_play";

fn for_play(model: &Model, prefix: &str) -> bool {
    model.meta(&format!("{prefix}{FOR_PLAY}")).unwrap_or(false)
}

/// What was learnt in one phase of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Phase {
    pub(crate) equations: NormalEquations,
    /// The weights.
    pub output: Vec<f64>,
}

impl Phase {
    fn new(size: usize) -> Phase {
        Phase { equations: NormalEquations::new(size), output: vec![0.0; size] }
    }

    fn fit(&mut self, ridge: f64, average: f64) {
        self.equations.round_to_f32();
        let before = std::mem::replace(&mut self.output, self.equations.solve_active(ridge));
        mix(&mut self.output, &before, average);
        // What has faded away altogether is not kept in a file either.
        let Phase { equations, output } = self;
        let size = equations.size;
        let forgotten = (0..size).filter(|&id| equations.gram[id * (size + 1)] <= 0.0);
        forgotten.for_each(|id| output[id] = 0.0);
    }
}

/// `average` of the weights before stays in the new ones: the two halves of an oscillation are both wrong, their mean is not.
fn mix(output: &mut [f64], before: &[f64], average: f64) {
    if before.iter().any(|&w| w != 0.0) {
        for (new, old) in output.iter_mut().zip(before) {
            *new += average * (old - *new);
        }
    }
}

impl Heuristic {
    /// Over these runs, nothing learnt yet.
    pub fn runs(patterns: Patterns, phases: usize, ridge: f64) -> Heuristic {
        let phases = vec![Phase::new(patterns.weights + 1); phases.max(1)];
        Heuristic::Runs { patterns, phases, ridge }
    }

    /// Takes in inputs laid one after the other; each counts `weight` times.
    pub fn gather(&mut self, inputs: usize, examples: &[f32], targets: &[f64], weight: f64) {
        match self {
            Heuristic::Hidden(net) => net.gather(examples, targets, weight),
            Heuristic::Runs { patterns, phases, .. } => {
                let mut features = Vec::new();
                let count = phases.len();
                let mut order: Vec<(usize, usize)> =
                    examples.chunks_exact(inputs).map(|x| phase_of(x, count)).zip(0..).collect();
                // One phase after the other, each in the old order: the sums are the same, and stay in the cache.
                order.sort_unstable();
                for (phase, at) in order {
                    patterns.features(&examples[at * inputs..(at + 1) * inputs], &mut features);
                    features.push((patterns.weights as u32, 1.0));
                    phases[phase].equations.add_sparse(&features, targets[at], weight);
                }
            }
        }
    }

    /// The weights that fit all that was gathered best.
    pub fn fit(&mut self, average: f64) {
        match self {
            Heuristic::Hidden(net) => {
                let before = net.output.clone();
                net.solve();
                mix(&mut net.output, &before, average);
            }
            Heuristic::Runs { phases, ridge, .. } => {
                phases.iter_mut().for_each(|phase| phase.fit(*ridge, average));
            }
        }
    }

    pub(crate) fn fade(&mut self, share: f64) {
        match self {
            Heuristic::Hidden(net) => net.equations.fade(share),
            Heuristic::Runs { phases, .. } => phases.iter_mut().for_each(|phase| phase.equations.fade(share)),
        }
    }

    /// The weights it judges with, phase by phase.
    pub fn outputs(&self) -> Vec<Vec<f64>> {
        match self {
            Heuristic::Hidden(net) => vec![net.output.clone()],
            Heuristic::Runs { phases, .. } => phases.iter().map(|phase| phase.output.clone()).collect(),
        }
    }

    /// Goes back to weights it had; what it has gathered stays.
    pub(crate) fn set_outputs(&mut self, outputs: Vec<Vec<f64>>) {
        match self {
            Heuristic::Hidden(net) => {
                if let Some(output) = outputs.into_iter().next() {
                    net.output = output;
                }
            }
            Heuristic::Runs { phases, .. } => {
                phases.iter_mut().zip(outputs).for_each(|(phase, output)| phase.output = output);
            }
        }
    }

    /// What it says, laid out for the search.
    pub fn judge(&self) -> Judge {
        match self {
            Heuristic::Hidden(net) => Judge::Network(Network::new(&net.layer, &net.output)),
            Heuristic::Runs { patterns, phases, .. } => {
                let outputs: Vec<&[f64]> = phases.iter().map(|phase| phase.output.as_slice()).collect();
                Judge::Patterns(PatternTable::new(patterns, &outputs))
            }
        }
    }

    /// The value of inputs, in double precision.
    pub fn value(&self, inputs: &[f32]) -> f64 {
        match self {
            Heuristic::Hidden(net) => net.values(inputs)[0],
            Heuristic::Runs { patterns, phases, .. } => {
                let mut features = Vec::new();
                let output = &phases[phase_of(inputs, phases.len())].output;
                patterns.features(inputs, &mut features);
                let sum: f64 =
                    features.iter().map(|(w, times)| output[*w as usize] * f64::from(*times)).sum();
                sum + output[patterns.weights]
            }
        }
    }

    /// For each input that is not zero the value without it: as if it were zero.
    pub fn without_each(&self, inputs: &mut [f32]) -> Vec<(usize, f64)> {
        let active = (0..inputs.len()).filter(|&input| inputs[input] != 0.0);
        if let Heuristic::Runs { patterns, phases, .. } = self {
            // All of them have the same number of filled cells, and so the same phase.
            let filled = active.clone().count();
            let output = &phases[phase_when(filled.saturating_sub(1), inputs.len(), phases.len())].output;
            let values = patterns.sums_without(inputs, output);
            return active.zip(values).map(|(input, sum)| (input, sum + output[patterns.weights])).collect();
        }
        let mut values = Vec::new();
        for input in active.collect::<Vec<_>>() {
            let kept = std::mem::take(&mut inputs[input]);
            values.push((input, self.value(inputs)));
            inputs[input] = kept;
        }
        values
    }

    /// Numbers that were learnt.
    pub fn weights(&self) -> usize {
        match self {
            Heuristic::Hidden(net) => net.output.len(),
            Heuristic::Runs { phases, .. } => phases.iter().map(|phase| phase.equations.active().len()).sum(),
        }
    }

    /// The same features, nothing learnt.
    pub(crate) fn blank(&self) -> Heuristic {
        match self {
            Heuristic::Hidden(net) => Heuristic::Hidden(OsElm::new(net.layer.clone(), net.ridge)),
            Heuristic::Runs { patterns, phases, ridge } => {
                Heuristic::runs(patterns.clone(), phases.len(), *ridge)
            }
        }
    }

    /// Judges with the mean of the weights of heuristics that have the features of this one; it has no sums of its own.
    pub fn mean(&self, others: &[Heuristic]) -> Heuristic {
        let mut outputs = self.outputs();
        for other in others {
            for (sum, output) in outputs.iter_mut().zip(other.outputs()) {
                sum.iter_mut().zip(output).for_each(|(sum, weight)| *sum += weight);
            }
        }
        outputs.iter_mut().flatten().for_each(|sum| *sum /= (others.len() + 1) as f64);
        let mut mean = self.blank();
        mean.set_outputs(outputs);
        let known = |equations: &mut NormalEquations, output: &[f64]| {
            equations.begin_at(output, (0..output.len()).filter(|&id| output[id] != 0.0));
        };
        match &mut mean {
            Heuristic::Hidden(net) => known(&mut net.equations, &net.output),
            Heuristic::Runs { phases, .. } => {
                phases.iter_mut().for_each(|phase| known(&mut phase.equations, &phase.output));
            }
        }
        mean
    }

    /// `whole`: with the sums that further training needs, which are by far the most of it. What is written has names that begin with `prefix`.
    pub fn save(&self, model: &mut Model, prefix: &str, whole: bool) {
        let name = |part: &str| format!("{prefix}{part}");
        if !whole {
            model.put_meta(&name(FOR_PLAY), &true);
        }
        match self {
            Heuristic::Hidden(net) => {
                let OsElm { layer, equations, output, .. } = net;
                let (inputs, hidden) = (layer.inputs, layer.hidden);
                model.put_meta(&name("shape"), &(inputs, hidden));
                model.put_meta(&name("ridge"), &net.ridge);
                model.put_meta(&name("weight"), &equations.weight);
                model.put_f32(&name("hidden.weights"), &[inputs, hidden], &layer.weights);
                model.put_f32(&name("hidden.biases"), &[hidden], &layer.biases);
                if whole {
                    model.put_f64(&name("gram"), &[hidden, hidden], &equations.gram);
                    model.put_f64(&name("moment"), &[hidden], &equations.moment);
                }
                model.put_f64(&name("output"), &[hidden], output);
            }
            Heuristic::Runs { patterns, phases, ridge } => {
                model.put_meta(&name("patterns"), &(patterns.run, patterns.weights, phases.len()));
                if patterns.few > 0 {
                    model.put_meta(&name("few"), &patterns.few);
                }
                model.put_meta(&name("ridge"), ridge);
                for (number, phase) in phases.iter().enumerate() {
                    phase.save(&name(&format!("phase.{number}.")), model, whole);
                }
            }
        }
    }

    pub(crate) fn is_in(model: &Model, prefix: &str) -> bool {
        model.meta::<f64>(&format!("{prefix}ridge")).is_ok()
    }

    /// The one a model holds under this prefix.
    pub fn load<G: Game>(game: &G, model: &Model, prefix: &str) -> Result<Heuristic, ModelError> {
        let name = |part: &str| format!("{prefix}{part}");
        let ridge: f64 = model.meta(&name("ridge"))?;
        let sums = !for_play(model, prefix);
        if let Ok((inputs, hidden)) = model.meta::<(usize, usize)>(&name("shape")) {
            let missing =
                || ModelError::Missing { what: format!("a network of {} inputs", game.encoding_len()) };
            let size =
                inputs.checked_mul(hidden).filter(|_| inputs == game.encoding_len()).ok_or_else(missing)?;
            let square = hidden.checked_mul(hidden).ok_or_else(missing)?;
            let layer = HiddenLayer {
                inputs,
                hidden,
                weights: model.f32s(&name("hidden.weights"), size)?.to_vec(),
                biases: model.f32s(&name("hidden.biases"), hidden)?.to_vec(),
            };
            let mut net = OsElm::new(layer, ridge);
            net.output = model.f64s(&name("output"), hidden)?.to_vec();
            if sums {
                net.equations.gram = model.f64s(&name("gram"), square)?.to_vec();
                net.equations.moment = model.f64s(&name("moment"), hidden)?.to_vec();
            } else {
                net.equations.begin_at(&net.output, 0..hidden);
            }
            net.equations.weight = model.meta(&name("weight"))?;
            return Ok(Heuristic::Hidden(net));
        }
        let saved: (usize, usize, usize) = model.meta(&name("patterns"))?;
        let few: usize = model.meta(&name("few")).unwrap_or(0);
        let patterns = Patterns::of(game, saved.0)
            .filter(|_| few <= MOST_FEW)
            .map(|patterns| patterns.counting(few))
            .filter(|patterns| (patterns.run, patterns.weights) == (saved.0, saved.1))
            .ok_or_else(|| ModelError::Missing { what: format!("patterns of this game ({saved:?})") })?;
        let size = patterns.weights + 1;
        let phase = |number: usize| Phase::load(&name(&format!("phase.{number}.")), size, model, sums);
        let phases = (0..saved.2).map(phase).collect::<Result<Vec<_>, _>>()?;
        if phases.is_empty() {
            return Err(ModelError::Missing { what: "phases of the game".into() });
        }
        Ok(Heuristic::Runs { patterns, phases, ridge })
    }
}

/// Which phase inputs belong to: the board is filled from the first to the last.
pub(crate) fn phase_of(inputs: &[f32], phases: usize) -> usize {
    if phases == 1 {
        return 0;
    }
    phase_when(inputs.iter().filter(|x| **x != 0.0).count(), inputs.len(), phases)
}

fn phase_when(filled: usize, cells: usize, phases: usize) -> usize {
    (filled * phases / cells.max(1)).min(phases - 1)
}

impl Phase {
    fn save(&self, prefix: &str, model: &mut Model, whole: bool) {
        let active = self.equations.active();
        let ids: Vec<u64> = active.iter().map(|&id| id as u64).collect();
        let name = |part: &str| format!("{prefix}{part}");
        model.put_meta(&name("weight"), &self.equations.weight);
        model.put_u64(&name("active"), &[ids.len()], &ids);
        let pick = |from: &[f64]| active.iter().map(|&id| from[id]).collect::<Vec<f64>>();
        if whole {
            let triangle = self.equations.triangle(&active);
            model.put_f32(&name("gram"), &[triangle.len()], &triangle);
            model.put_f64(&name("moment"), &[ids.len()], &pick(&self.equations.moment));
        }
        model.put_f64(&name("output"), &[ids.len()], &pick(&self.output));
    }

    fn load(prefix: &str, size: usize, model: &Model, sums: bool) -> Result<Phase, ModelError> {
        let name = |part: &str| format!("{prefix}{part}");
        let count = model.len_of(&name("active"));
        let active: Vec<usize> = model.u64s(&name("active"), count)?.iter().map(|&id| id as usize).collect();
        if active.iter().any(|&id| id >= size) || active.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(ModelError::Missing { what: "a list of patterns in order".into() });
        }
        let mut phase = Phase::new(size);
        phase.equations.weight = model.meta(&name("weight"))?;
        let spread = |from: &[f64], to: &mut [f64]| active.iter().zip(from).for_each(|(&id, x)| to[id] = *x);
        spread(model.f64s(&name("output"), count)?, &mut phase.output);
        if sums {
            phase.equations.set_triangle(&active, model.f32s(&name("gram"), count * (count + 1) / 2)?);
            spread(model.f64s(&name("moment"), count)?, &mut phase.equations.moment);
        } else {
            phase.equations.begin_at(&phase.output, active.iter().copied());
        }
        Ok(phase)
    }
}
