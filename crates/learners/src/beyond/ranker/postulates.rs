//! What the paper's postulates bring to our ranker, each as another way of training or using it.

use ludens_core::Rng;
use ludens_search::connect_four_labels::Labelled;

use super::moves::{Examples, MoveRanker, falling, train};
use crate::contexts::train::ranks_of;

/// P1: from simple to hard. A quarter of the examples, those whose game is decided soonest, then a half, then all of them.
pub fn train_simple_first(examples: &[Labelled], epochs: u32, rate: f32, rng: &mut Rng) -> MoveRanker {
    let ranker = MoveRanker::new(rng);
    learn(ranker, &Examples::simple_first(examples), epochs, rate, rng)
}

/// P3: chunks found by itself, at most so many. A first ranker says which pairs of tokens it would need; a second one has them.
pub fn train_with_chunks(
    examples: &[Labelled],
    most: usize,
    epochs: u32,
    rate: f32,
    rng: &mut Rng,
) -> MoveRanker {
    let examples = Examples::simple_first(examples);
    let first = MoveRanker::new(rng);
    let chunks = learn(first, &examples, epochs, rate, rng).missing_chunks(&examples, most);
    let examples = examples.with_chunks(&chunks);
    let second = MoveRanker::with_chunks(chunks, rng);
    learn(second, &examples, epochs, rate, rng)
}

fn learn(mut ranker: MoveRanker, examples: &Examples, epochs: u32, rate: f32, rng: &mut Rng) -> MoveRanker {
    for epoch in 0..epochs {
        ranker.epoch(examples, examples.of_epoch(epoch), falling(rate, epoch, epochs), rng);
    }
    ranker
}

/// P4: one ranker selects three moves, another, which learnt to tell only such moves apart, orders them.
#[derive(Debug)]
pub struct Preselected {
    coarse: MoveRanker,
    fine: MoveRanker,
}

const SELECTED: usize = 3;

impl Preselected {
    /// Trains the one, and then the other on what the first selects.
    pub fn train(examples: &[Labelled], epochs: u32, rate: f32, rng: &mut Rng) -> Preselected {
        let coarse = train(examples, epochs, rate, rng);
        let select = |e: &Labelled| {
            let ranks = select(&coarse.values(e.position.mine(), e.position.theirs()));
            (0..7).filter(|&c| ranks[c]).fold(0u8, |set, c| set | 1 << c)
        };
        let selected = Examples::among(examples, select);
        let mut fine = MoveRanker::new(rng);
        for epoch in 0..epochs {
            fine.epoch(&selected, selected.len(), falling(rate, epoch, epochs), rng);
        }
        Preselected { coarse, fine }
    }

    /// A value for every column: those selected above all others.
    pub fn values(&self, me: u64, op: u64) -> [f32; 7] {
        const ABOVE: f32 = 1e3;
        let (coarse, fine) = (self.coarse.values(me, op), self.fine.values(me, op));
        let selected = select(&coarse);
        std::array::from_fn(|c| if selected[c] { ABOVE + fine[c] } else { coarse[c] })
    }
}

/// The highest of these, where they are numbers at all.
fn select(values: &[f32; 7]) -> [bool; 7] {
    let ranks = ranks_of(values, |c| values[c].is_finite());
    ranks.map(|rank| (1..=SELECTED).contains(&rank))
}

/// Rankers that started from different numbers, added up: still one sum over tokens.
#[derive(Debug)]
pub struct Several(Vec<MoveRanker>);

impl Several {
    /// Trains so many, one after the other.
    pub fn train(count: usize, examples: &[Labelled], epochs: u32, rate: f32, rng: &mut Rng) -> Several {
        Several((0..count).map(|_| train_simple_first(examples, epochs, rate, rng)).collect())
    }

    /// A value for every column: the sum of theirs.
    pub fn values(&self, me: u64, op: u64) -> [f32; 7] {
        let each: Vec<[f32; 7]> = self.0.iter().map(|ranker| ranker.values(me, op)).collect();
        std::array::from_fn(|c| each.iter().map(|values| values[c]).sum())
    }
}
