//! Our own search-free ranker: it judges each move by its tokens (module `tokens`).
//!
//! Every token has a worth of its own and sixteen hidden ones. The hidden ones of all tokens of a move are added up; sixteen and
//! then eight rectified units make a number of them, which joins the sum of the worths. A rectified unit either passes its sum on or
//! is silent, so *for the position at hand* the whole judgement is a sum over tokens again: the reasons shown add up to the value, exactly.
//!
//! It learns by softmax and cross entropy: the labelled move against the other legal ones.

#![allow(clippy::needless_range_loop, reason = "neurons are numbered, several arrays at once")]

use ludens_core::{Model, ModelError, Rng, math};
use ludens_search::connect_four_labels::Labelled;

use super::chunks::Chunks;
use super::tokens::{TOKENS, Token, tokens};

#[cfg(test)]
mod gradient;

const HIDDEN: usize = 32;
const UNITS: usize = 16;

/// The ranker.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveRanker {
    /// Pairs of tokens that are tokens of their own (P3), numbered after the others.
    pub chunks: Chunks,
    worth: Vec<f32>,
    hidden: Vec<[f32; HIDDEN]>,
    hidden_bias: [f32; HIDDEN],
    units: [[f32; UNITS]; HIDDEN],
    unit_bias: [f32; UNITS],
    out: [f32; UNITS],
}

/// What a move's judgement passed through.
#[derive(Debug, Clone, Copy)]
struct Pass {
    hidden: [f32; HIDDEN],
    units: [f32; UNITS],
    value: f32,
}

/// A legal column and the tokens of a move into it.
type Candidate = (u8, Vec<u16>);

/// The value of a move and what each token adds to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The value of the move.
    pub value: f32,
    /// The part that no token has: the biases.
    pub start: f32,
    /// What each token adds to it.
    pub terms: Vec<(Token, f32)>,
}

/// In lanes that the vector unit can add at once.
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut lanes = [0.0f32; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for lane in 0..8 {
            lanes[lane] = a[lane].mul_add(b[lane], lanes[lane]);
        }
    }
    lanes.iter().sum()
}

impl MoveRanker {
    pub(crate) fn new(rng: &mut Rng) -> MoveRanker {
        let mut draw = |width: f64| rng.uniform(-width, width) as f32;
        MoveRanker {
            chunks: Chunks::default(),
            worth: vec![0.0; TOKENS],
            hidden: (0..TOKENS).map(|_| std::array::from_fn(|_| draw(0.15))).collect(),
            hidden_bias: [0.1; HIDDEN],
            units: std::array::from_fn(|_| std::array::from_fn(|_| draw(0.25))),
            unit_bias: [0.1; UNITS],
            out: std::array::from_fn(|_| draw(0.5)),
        }
    }

    /// How many numbers it has.
    pub fn parameters(&self) -> usize {
        self.worth.len() * (1 + HIDDEN) + HIDDEN + HIDDEN * UNITS + 2 * UNITS
    }

    /// Parameters that some token ever seen uses: what the ranker really knows.
    pub(crate) fn used_parameters(&self) -> usize {
        let used = self.worth.iter().filter(|w| **w != 0.0).count();
        used * (1 + HIDDEN) + HIDDEN + HIDDEN * UNITS + 2 * UNITS
    }

    fn pass(&self, tokens: impl Iterator<Item = u16>) -> Pass {
        let mut pass = Pass { hidden: self.hidden_bias, units: self.unit_bias, value: 0.0 };
        for id in tokens {
            let id = usize::from(id);
            for (h, e) in pass.hidden.iter_mut().zip(&self.hidden[id]) {
                *h += e;
            }
            pass.value += self.worth[id];
        }
        for (h, w) in pass.hidden.iter().zip(&self.units) {
            let h = h.max(0.0);
            for (u, w) in pass.units.iter_mut().zip(w) {
                *u = h.mul_add(*w, *u);
            }
        }
        for (u, w) in pass.units.iter().zip(&self.out) {
            pass.value = u.max(0.0).mul_add(*w, pass.value);
        }
        pass
    }

    /// A value for every column; −∞ where it is full.
    pub fn values(&self, me: u64, op: u64) -> [f32; 7] {
        let mut list = Vec::with_capacity(40);
        std::array::from_fn(|column| {
            tokens(me, op, column, &mut list);
            self.chunks.add_to(&mut list);
            if list.is_empty() { f32::NEG_INFINITY } else { self.pass(list.iter().map(|t| t.id)).value }
        })
    }

    /// The value of one legal move with its terms, which add up to it.
    pub(crate) fn judge(&self, me: u64, op: u64, column: usize) -> Judgement {
        let mut list = Vec::with_capacity(40);
        tokens(me, op, column, &mut list);
        self.chunks.add_to(&mut list);
        let pass = self.pass(list.iter().map(|t| t.id));
        // How much a hidden sum counts at this very point: through the units that speak.
        let speaking: [f32; UNITS] =
            std::array::from_fn(|u| if pass.units[u] > 0.0 { self.out[u] } else { 0.0 });
        let slope: [f32; HIDDEN] =
            std::array::from_fn(|h| if pass.hidden[h] > 0.0 { dot(&self.units[h], &speaking) } else { 0.0 });
        let along = |e: &[f32; HIDDEN]| dot(e, &slope);
        let units = dot(&self.unit_bias, &speaking);
        let terms = list
            .iter()
            .map(|t| (*t, self.worth[usize::from(t.id)] + along(&self.hidden[usize::from(t.id)])))
            .collect();
        Judgement { value: pass.value, start: units + along(&self.hidden_bias), terms }
    }

    pub(crate) fn put_into(&self, model: &mut Model) {
        let tokens = self.worth.len();
        model.put_meta("chunks", &self.chunks.pairs());
        model.put_f32("worth", &[tokens], &self.worth);
        model.put_f32("hidden", &[tokens, HIDDEN], self.hidden.as_flattened());
        let mut rest = self.hidden_bias.to_vec();
        rest.extend(self.units.as_flattened());
        rest.extend(self.unit_bias);
        rest.extend(self.out);
        model.put_f32("rest", &[rest.len()], &rest);
    }

    pub(crate) fn take_from(model: &Model) -> Result<MoveRanker, ModelError> {
        let chunks = Chunks::of(model.meta("chunks")?);
        let tokens = TOKENS + chunks.len();
        let rest = model.f32s("rest", HIDDEN + HIDDEN * UNITS + 2 * UNITS)?;
        let hidden = model.f32s("hidden", tokens * HIDDEN)?;
        let at = |i: usize| rest[i];
        let units = HIDDEN + HIDDEN * UNITS;
        Ok(MoveRanker {
            worth: model.f32s("worth", tokens)?.to_vec(),
            chunks,
            hidden: hidden.as_chunks::<HIDDEN>().0.to_vec(),
            hidden_bias: std::array::from_fn(at),
            units: std::array::from_fn(|h| std::array::from_fn(|u| at(HIDDEN + h * UNITS + u))),
            unit_bias: std::array::from_fn(|u| at(units + u)),
            out: std::array::from_fn(|u| at(units + UNITS + u)),
        })
    }

    /// A new ranker that knows these chunks as well.
    pub(crate) fn with_chunks(chunks: Chunks, rng: &mut Rng) -> MoveRanker {
        let mut ranker = MoveRanker::new(rng);
        let mut draw = || rng.uniform(-0.15, 0.15) as f32;
        ranker.worth.resize(TOKENS + chunks.len(), 0.0);
        ranker.hidden.extend((0..chunks.len()).map(|_| std::array::from_fn(|_| draw())));
        MoveRanker { chunks, ..ranker }
    }

    /// The chunks this ranker would need most: what it gives to every move of the examples against what it should.
    pub(crate) fn missing_chunks(&self, examples: &Examples, most: usize) -> Chunks {
        let mut errors = Vec::new();
        for (moves, label) in &examples.0 {
            let values: Vec<f32> =
                moves.iter().map(|(_, ids)| self.pass(ids.iter().copied()).value).collect();
            let shares = shares(&values);
            errors.extend(moves.iter().zip(shares).map(|((column, ids), share)| {
                let target = f32::from(u8::from(usize::from(*column) == *label));
                (ids.as_slice(), target - share)
            }));
        }
        Chunks::find(errors.into_iter(), most)
    }

    /// One step down the gradient for one position; returns its loss.
    fn learn(&mut self, moves: &[Candidate], label: usize, rate: f32) -> f32 {
        let passes: Vec<Pass> = moves.iter().map(|(_, ids)| self.pass(ids.iter().copied())).collect();
        let values: Vec<f32> = passes.iter().map(|pass| pass.value).collect();
        let mut loss = 0.0;
        for (((column, ids), pass), share) in moves.iter().zip(&passes).zip(shares(&values)) {
            let target = if usize::from(*column) == label { 1.0 } else { 0.0 };
            if target > 0.0 {
                loss = -math::ln_f32(share.max(1e-9));
            }
            let step = rate * (share - target);
            if step.abs() > 1e-5 {
                self.descend(ids, pass, step);
            }
        }
        loss
    }

    fn descend(&mut self, ids: &[u16], pass: &Pass, step: f32) {
        let mut of_units = [0.0; UNITS];
        for u in 0..UNITS {
            if pass.units[u] > 0.0 {
                of_units[u] = step * self.out[u];
                self.out[u] -= step * pass.units[u];
                self.unit_bias[u] -= of_units[u];
            }
        }
        let mut of_hidden = [0.0; HIDDEN];
        for h in 0..HIDDEN {
            if pass.hidden[h] > 0.0 {
                for u in 0..UNITS {
                    of_hidden[h] += of_units[u] * self.units[h][u];
                    self.units[h][u] -= of_units[u] * pass.hidden[h];
                }
                self.hidden_bias[h] -= of_hidden[h];
            }
        }
        for &id in ids {
            let id = usize::from(id);
            self.worth[id] -= step;
            for (e, d) in self.hidden[id].iter_mut().zip(&of_hidden) {
                *e -= d;
            }
        }
    }
}

/// Softmax.
fn shares(values: &[f32]) -> Vec<f32> {
    let highest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut shares: Vec<f32> = values.iter().map(|value| math::exp_f32(value - highest)).collect();
    let sum: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

/// Positions prepared for learning: for each the tokens of every legal move, and the labelled one.
#[derive(Debug, Clone, Default)]
pub struct Examples(Vec<(Vec<Candidate>, usize)>);

impl Examples {
    pub(crate) fn new(labelled: &[Labelled]) -> Examples {
        Examples::among(labelled, |_| 0x7F)
    }

    /// The simple ones first: the sooner a game is decided, the simpler.
    pub(crate) fn simple_first(labelled: &[Labelled]) -> Examples {
        let mut sorted = labelled.to_vec();
        sorted.sort_by_key(|e| e.position.score_of_win_now() - i32::from(e.score).abs());
        Examples::new(&sorted)
    }

    /// How many of them an epoch learns: a quarter, a half, then all (P1).
    pub(crate) fn of_epoch(&self, epoch: u32) -> usize {
        self.len() / [4, 2].get(epoch as usize).unwrap_or(&1)
    }

    /// Only the moves that were pre-selected (bit `c` for column `c`), and the labelled one.
    pub(crate) fn among(labelled: &[Labelled], selected: impl Fn(&Labelled) -> u8) -> Examples {
        let mut list = Vec::new();
        let mut prepare = |e: &Labelled| {
            let mut moves = Vec::with_capacity(7);
            let selected = selected(e) | 1 << e.label();
            for column in 0..7 {
                tokens(e.position.mine(), e.position.theirs(), column, &mut list);
                if !list.is_empty() && selected >> column & 1 == 1 {
                    moves.push((column as u8, list.iter().map(|t| t.id).collect()));
                }
            }
            (moves, e.label())
        };
        Examples(labelled.iter().map(&mut prepare).collect())
    }

    /// The same moves with the chunks their tokens make.
    #[must_use]
    pub(crate) fn with_chunks(mut self, chunks: &Chunks) -> Examples {
        let mut list = Vec::new();
        for (_, ids) in self.0.iter_mut().flat_map(|(moves, _)| moves) {
            list.clear();
            list.extend(ids.iter().map(|&id| Token { id, squares: 0 }));
            chunks.add_to(&mut list);
            *ids = list.iter().map(|token| token.id).collect();
        }
        self
    }

    /// How many positions.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl MoveRanker {
    /// Once through the first so many of the examples, in a new order; returns the mean loss.
    pub(crate) fn epoch(&mut self, examples: &Examples, first: usize, rate: f32, rng: &mut Rng) -> f32 {
        let mut order: Vec<u32> = (0..first as u32).collect();
        rng.shuffle(&mut order);
        let mut loss = 0.0;
        for &i in &order {
            let (moves, label) = &examples.0[i as usize];
            loss += f64::from(self.learn(moves, *label, rate));
        }
        self.forget_unused();
        (loss / order.len().max(1) as f64) as f32
    }

    /// Tokens that never occurred keep no random numbers: they must not speak, and zeros pack well.
    fn forget_unused(&mut self) {
        for (worth, hidden) in self.worth.iter().zip(&mut self.hidden) {
            if *worth == 0.0 {
                *hidden = [0.0; HIDDEN];
            }
        }
    }
}

/// Train a ranker: so many times through the examples, the step falling to nothing.
pub fn train(examples: &[Labelled], epochs: u32, rate: f32, rng: &mut Rng) -> MoveRanker {
    let mut ranker = MoveRanker::new(rng);
    let examples = Examples::new(examples);
    for epoch in 0..epochs {
        ranker.epoch(&examples, examples.len(), falling(rate, epoch, epochs), rng);
    }
    ranker
}

/// The step of an epoch: it falls to nothing.
pub(crate) fn falling(rate: f32, epoch: u32, epochs: u32) -> f32 {
    rate * (1.0 - epoch as f32 / epochs as f32).max(0.0)
}
