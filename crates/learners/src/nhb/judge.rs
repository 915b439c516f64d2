//! What a search asks at its leaves: the learnt network, and the opponents and baselines of the paper, all reading the
//! inputs of [`Game::encode`] and nothing else, so that each plays every game.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use ludens_core::words;
use ludens_core::{Game, Rng, Side};
use ludens_elm::{HiddenLayer, logistic};

use super::league::Tuples;
use crate::beyond::nhb_improved::PatternTable;

/// Hidden units go through the vector unit this many at a time.
const LANES: usize = 16;

/// The judgement of unfinished positions, as one side sees them.
#[derive(Clone, Debug)]
pub enum Judge {
    /// A number that belongs to the position and the seed and means nothing ("random value heuristics").
    Random {
        /// Another seed, other numbers.
        seed: u64,
    },
    /// A network.
    Network(Network),
    /// Runs of cells, each with a weight for its contents.
    Patterns(PatternTable),
    /// A weighted sum of the inputs: piece-advantage and the positional tables.
    Weighted {
        /// What people call it.
        name: String,
        /// One an input.
        weights: Vec<f32>,
    },
    /// A player of the Othello League.
    Tuples(Arc<Tuples>),
}

/// A position to be judged and the side that looks at it.
pub type Viewed<S> = (S, Side);

impl Judge {
    /// By what it judges, for a person.
    pub(super) fn named(&self) -> words::Judge {
        match self {
            Judge::Random { .. } => words::Judge::Own("numbers drawn by chance, which mean nothing".into()),
            Judge::Network(_) | Judge::Patterns(_) => words::Judge::Network,
            Judge::Weighted { weights, .. } if weights.iter().all(|weight| *weight == weights[0]) => {
                words::Judge::Pieces
            }
            Judge::Weighted { .. } | Judge::Tuples(_) => words::Judge::Squares,
        }
    }

    pub(crate) fn random(rng: &mut Rng) -> Judge {
        Judge::Random { seed: rng.next_u64() }
    }

    /// Piece-advantage: own discs minus the other's, over the size of the board.
    pub fn piece_advantage(inputs: usize) -> Judge {
        Judge::Weighted { name: "piece-advantage".into(), weights: vec![1.0 / inputs as f32; inputs] }
    }

    /// The positional table of figure 2; the cell that the text lacks is −4 by symmetry.
    pub fn positional() -> Judge {
        const CORNER: [[f32; 4]; 4] =
            [[99.0, -8.0, 8.0, 6.0], [-8.0, -24.0, -4.0, -3.0], [8.0, -4.0, 7.0, 4.0], [6.0, -3.0, 4.0, 0.0]];
        // The sum of all the weights, so that a whole board of one colour is worth about 1.
        Judge::square_table("positional", CORNER, 1.0 / 700.0)
    }

    /// The weighted piece counter that the Othello League measures players against.
    pub fn othello_league() -> Judge {
        const CORNER: [[f32; 4]; 4] = [
            [1.0, -0.25, 0.1, 0.05],
            [-0.25, -0.25, 0.01, 0.01],
            [0.1, 0.01, 0.05, 0.02],
            [0.05, 0.01, 0.02, 0.01],
        ];
        Judge::square_table("othello-league", CORNER, 0.1)
    }

    /// An 8×8 table from its upper left quarter.
    fn square_table(name: &str, corner: [[f32; 4]; 4], scale: f32) -> Judge {
        let fold = |k: usize| k.min(7 - k);
        let weights = (0..64).map(|cell| corner[fold(cell / 8)][fold(cell % 8)] * scale).collect();
        Judge::Weighted { name: name.into(), weights }
    }

    /// A network of drawn weights that has learnt nothing.
    pub fn untrained(inputs: usize, hidden: usize, rng: &mut Rng) -> Judge {
        let layer = HiddenLayer::random(inputs, hidden, 1.0, rng);
        let output: Vec<f64> = (0..hidden).map(|_| rng.uniform(-1.0, 1.0)).collect();
        Judge::Network(Network::new(&layer, &output))
    }

    /// The values of positions that are one move away from `parent`, each as its own side sees it. What can be reused from
    /// the parent is.
    pub fn values<G: Game>(
        &mut self,
        game: &G,
        parent: &G::State,
        children: &[Viewed<G::State>],
        out: &mut Vec<f32>,
    ) {
        out.clear();
        match self {
            Judge::Random { seed } => out.extend(children.iter().map(|(state, side)| {
                let value = random_value(*seed, state);
                if *side == Side::First { value } else { -value }
            })),
            Judge::Network(network) => network.values(game, parent, children, out),
            Judge::Patterns(table) => table.values(game, parent, children, out),
            Judge::Weighted { weights, .. } => {
                let mut inputs = Vec::with_capacity(weights.len());
                for (state, side) in children {
                    game.encode(state, *side, &mut inputs);
                    out.push(inputs.iter().zip(&*weights).map(|(x, w)| x * w).sum());
                }
            }
            Judge::Tuples(tuples) => {
                let mut inputs = Vec::new();
                out.extend(
                    children.iter().map(|(state, side)| tuples.value(game, state, *side, &mut inputs)),
                );
            }
        }
    }

    /// Judges as if the muted inputs were zero, see [`ludens_core::Mind::mute`].
    pub fn mute(&mut self, muted: &dyn Fn(u32) -> bool) {
        match self {
            Judge::Random { .. } | Judge::Tuples(_) => {}
            Judge::Network(network) => {
                let rows = network.weights.chunks_mut(network.width);
                (0..).zip(rows).filter(|(input, _)| muted(*input)).for_each(|(_, row)| row.fill(0.0));
            }
            Judge::Patterns(table) => table.mute(muted),
            Judge::Weighted { weights, .. } => {
                (0..).zip(weights).filter(|(input, _)| muted(*input)).for_each(|(_, weight)| *weight = 0.0);
            }
        }
    }

    /// One position on its own.
    pub fn value<G: Game>(&mut self, game: &G, state: &G::State, side: Side) -> f32 {
        let mut out = Vec::with_capacity(1);
        self.values(game, state, &[(state.clone(), side)], &mut out);
        out[0]
    }
}

/// A judge that knows a position by its sums and brings them up to date for one that differs in few inputs.
pub(crate) trait Incremental {
    /// What is known of a position, its inputs among it.
    type Known;
    /// Where its inputs are written.
    fn inputs<'k>(&self, known: &'k mut Self::Known) -> &'k mut Vec<f32>;
    /// Everything else, from the inputs.
    fn know(&self, known: &mut Self::Known);
    /// The value of the position with the inputs `child`.
    fn changed(&self, known: &mut Self::Known, child: &[f32]) -> f32;

    /// The parent is known once for each side that looks at one of its children; they follow from it.
    fn values_near<G: Game>(
        &self,
        (known, child): (&mut [Self::Known; 2], &mut Vec<f32>),
        game: &G,
        parent: &G::State,
        children: &[Viewed<G::State>],
        out: &mut Vec<f32>,
    ) {
        for side in Side::BOTH {
            if children.iter().any(|(_, viewer)| *viewer == side) {
                let known = &mut known[side.index()];
                game.encode(parent, side, self.inputs(known));
                self.know(known);
            }
        }
        for (state, side) in children {
            game.encode(state, *side, child);
            out.push(self.changed(&mut known[side.index()], child));
        }
    }
}

fn random_value(seed: u64, state: &impl Hash) -> f32 {
    let mut hasher = rustc_hash::FxHasher::default();
    state.hash(&mut hasher);
    // The hash alone is too regular to be called random.
    Rng::stream(seed, hasher.finish()).uniform(-1.0, 1.0) as f32
}

/// An SLFN laid out for play: single precision, hidden units padded to whole vectors.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    inputs: usize,
    /// Hidden units, padded.
    width: usize,
    weights: Vec<f32>,
    biases: Vec<f32>,
    output: Vec<f32>,
    scratch: Scratch,
}

#[derive(Clone, PartialEq, Default, Debug)]
struct Scratch {
    known: [Parent; 2],
    child: Vec<f32>,
}

#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Parent {
    inputs: Vec<f32>,
    sums: Vec<f32>,
    /// Room for a child's sums.
    hidden: Vec<f32>,
}

impl Network {
    /// A hidden layer with the weights of its output.
    pub fn new(layer: &HiddenLayer, output: &[f64]) -> Network {
        let width = layer.hidden.next_multiple_of(LANES);
        let padded = |row: &[f32]| {
            let mut row = row.to_vec();
            row.resize(width, 0.0);
            row
        };
        let output: Vec<f32> = output.iter().map(|&w| w as f32).collect();
        Network {
            inputs: layer.inputs,
            width,
            weights: layer.weights.chunks(layer.hidden).flat_map(padded).collect(),
            biases: padded(&layer.biases),
            output: padded(&output),
            scratch: Scratch::default(),
        }
    }

    /// The sums before the logistic function, from scratch.
    fn sums(&self, inputs: &[f32], out: &mut Vec<f32>) {
        out.clear();
        out.extend_from_slice(&self.biases);
        for (input, &x) in inputs.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            self.add(out, input, x);
        }
    }

    #[inline]
    fn add(&self, sums: &mut [f32], input: usize, x: f32) {
        let row = &self.weights[input * self.width..(input + 1) * self.width];
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum = weight.mul_add(x, *sum);
        }
    }

    #[inline]
    fn finish(&self, sums: &[f32]) -> f32 {
        let mut lanes = [0.0f32; LANES];
        for (sums, output) in sums.chunks_exact(LANES).zip(self.output.chunks_exact(LANES)) {
            for lane in 0..LANES {
                lanes[lane] = logistic(sums[lane]).mul_add(output[lane], lanes[lane]);
            }
        }
        lanes.iter().sum()
    }

    fn values<G: Game>(
        &mut self,
        game: &G,
        parent: &G::State,
        children: &[Viewed<G::State>],
        out: &mut Vec<f32>,
    ) {
        let Scratch { mut known, mut child } = std::mem::take(&mut self.scratch);
        self.values_near((&mut known, &mut child), game, parent, children, out);
        self.scratch = Scratch { known, child };
    }
}

impl Incremental for Network {
    type Known = Parent;

    fn inputs<'k>(&self, known: &'k mut Parent) -> &'k mut Vec<f32> {
        &mut known.inputs
    }

    fn know(&self, known: &mut Parent) {
        debug_assert_eq!(known.inputs.len(), self.inputs);
        self.sums(&known.inputs, &mut known.sums);
    }

    fn changed(&self, Parent { inputs, sums, hidden }: &mut Parent, child: &[f32]) -> f32 {
        hidden.clone_from(sums);
        for (input, (&new, &old)) in child.iter().zip(&*inputs).enumerate() {
            if new != old {
                self.add(hidden, input, new - old);
            }
        }
        self.finish(hidden)
    }
}
