//! Why a move: what each input of the network adds to its output at the end of the line, in words.

use ludens_core::math::quick::tanh;
use ludens_core::words::{What, Whose};
use ludens_core::{Cells, Reason, Side};
use ludens_games::connect_four::geometry::{BITS, cell_at};

use super::network::{HIDDEN, ONE, Player};
use crate::beyond::coevolution_improved::{Counted, lines, notion};

/// The weights of a player as reasons need them, laid out once.
#[derive(Clone, Debug)]
pub struct Weights {
    rows: Vec<[f64; HIDDEN]>,
    output: [f64; HIDDEN],
}

impl Weights {
    /// Those of a player.
    pub fn of(player: &Player) -> Weights {
        let output = player.output_weights();
        let row = |input| {
            let row = player.row(input);
            std::array::from_fn(|node| f64::from(row.0[node]) / f64::from(ONE))
        };
        Weights {
            rows: (0..player.inputs()).map(row).collect(),
            output: std::array::from_fn(|node| f64::from(output[node])),
        }
    }
}

/// What each input that is not zero adds to the output before its tanh: a hidden node's share w·tanh(s) is divided among the inputs in
/// proportion to what they add to s. The parts add up to the whole.
pub fn contributions(weights: &Weights, inputs: &[f32]) -> Vec<(usize, f64)> {
    let active = || {
        let all = inputs.iter().zip(&weights.rows).enumerate();
        all.filter(|(_, (input, _))| **input != 0.0)
            .map(|(index, (&input, row))| (index, f64::from(input), row))
    };
    let mut sums = [0.0f64; HIDDEN];
    for (_, input, row) in active() {
        sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += input * weight);
    }
    let slopes: [f64; HIDDEN] = std::array::from_fn(|node| {
        let sum = sums[node];
        // tanh(s)/s tends to 1 at 0.
        let slope = if sum.abs() < 1e-9 { 1.0 } else { f64::from(tanh(sum as f32)) / sum };
        weights.output[node] * slope
    });
    let part =
        |row: &[f64; HIDDEN]| row.iter().zip(&slopes).map(|(weight, slope)| weight * slope).sum::<f64>();
    let mut parts = Vec::with_capacity(inputs.len());
    parts.extend(active().map(|(index, input, row)| (index, input * part(row))));
    parts
}

/// How many terms are said one by one; the rest is one term more.
const SHOWN: usize = 5;

/// The inputs that are not zero, the weightiest first as far as they are said, with what they add.
fn weightiest(weights: &Weights, inputs: &[f32]) -> Vec<(usize, f64)> {
    let mut order = contributions(weights, inputs);
    let by_weight = |a: &(usize, f64), b: &(usize, f64)| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0));
    if order.len() > SHOWN {
        order.select_nth_unstable_by(SHOWN, by_weight);
    }
    let said = order.len().min(SHOWN);
    order[..said].sort_unstable_by(by_weight);
    order
}

/// The terms of the weightiest inputs by `name`, and the rest in one.
fn terms(order: &[(usize, f64)], name: impl Fn(usize) -> (What, Cells)) -> Vec<Reason> {
    let term = |&(index, part): &(usize, f64)| {
        let (what, cells) = name(index);
        Reason::term(what, part, cells).of_input(index).at_end()
    };
    // With room for the line of play that a search puts before them.
    let mut terms: Vec<Reason> = Vec::with_capacity(SHOWN + 2);
    terms.extend(order.iter().take(SHOWN).map(term));
    if order.len() > SHOWN {
        let sum = order.iter().skip(SHOWN).map(|&(_, part)| part).sum();
        let rest = What::Rest { terms: (order.len() - SHOWN) as u32 };
        terms.push(Reason::term(rest, sum, Vec::new()).at_end());
    }
    terms
}

fn whose(input: f32) -> Whose {
    Whose::by_sign(f64::from(input))
}

/// By the stones of the board, where each input is a cell of it.
pub(super) fn stones(weights: &Weights, inputs: &[f32], cellwise: bool) -> Vec<Reason> {
    terms(&weightiest(weights, inputs), |index| {
        if cellwise {
            (What::Stone { whose: whose(inputs[index]) }, Cells::from_slice(&[index as u16]))
        } else {
            (What::Input { number: index as u32 }, Cells::new())
        }
    })
}

pub(super) fn open_lines(weights: &Weights, inputs: &[f32], stones: [u64; 2], side: Side) -> Vec<Reason> {
    let lines = lines();
    let (own, other) = (stones[side.index()], stones[side.other().index()]);
    terms(&weightiest(weights, inputs), |index| {
        let line = lines[index];
        let cells: Cells = (0..BITS)
            .filter(|place| line >> place & 1 == 1)
            .filter_map(cell_at)
            .map(|cell| cell as u16)
            .collect();
        let [own, other] = [own, other].map(|stones| (stones & line).count_ones() as u8);
        let open = (cells.len() as u8).saturating_sub(own + other);
        (What::Line { own, other, open, wait: 0 }, cells)
    })
}

pub(super) fn features(weights: &Weights, inputs: &[f32], side: Side) -> Vec<Reason> {
    let sign = if side == Side::First { 1.0 } else { -1.0 };
    // The inputs are as the first player sees them, the terms as `side` does.
    let order: Vec<(usize, f64)> =
        weightiest(weights, inputs).into_iter().map(|(index, part)| (index, sign * part)).collect();
    terms(&order, |index| {
        let (notion, counted) = notion(index);
        let whose = match counted {
            Counted::Sum => Whose::Both,
            Counted::Difference => whose(sign as f32 * inputs[index]),
            Counted::Of(of) if of == side => Whose::Own,
            Counted::Of(_) => Whose::Theirs,
        };
        (notion.of(whose), Cells::new())
    })
}
