//! Why a move: what each input of the network adds to its output at the end of the line, in words.

use ludens_core::math::quick::tanh;
use ludens_core::words::{What, Whose};
use ludens_core::{Game, Reason, Side};
use ludens_games::connect_four::geometry::{BITS, cell_at};

use super::network::{HIDDEN, ONE, Player};
use crate::beyond::coevolution_improved::{Counted, lines, notion};

/// What each input adds to the output before its tanh: a hidden node's share w·tanh(s) is divided among the inputs in
/// proportion to what they add to s. The parts add up to the whole.
pub fn contributions(player: &Player, inputs: &[f32]) -> Vec<f64> {
    let out = player.output_weights();
    let mut sums = [0.0f64; HIDDEN];
    for (index, &input) in inputs.iter().enumerate() {
        for (sum, weight) in sums.iter_mut().zip(&player.row(index).0) {
            *sum += f64::from(input) * f64::from(*weight) / f64::from(ONE);
        }
    }
    let mut parts = vec![0.0; inputs.len()];
    for (index, &input) in inputs.iter().enumerate() {
        for (node, weight) in player.row(index).0.iter().take(HIDDEN).enumerate() {
            let added = f64::from(input) * f64::from(*weight) / f64::from(ONE);
            // tanh(s)/s tends to 1 at 0.
            let slope =
                if sums[node].abs() < 1e-9 { 1.0 } else { f64::from(tanh(sums[node] as f32)) / sums[node] };
            parts[index] += f64::from(out[node]) * slope * added;
        }
    }
    parts
}

/// How many terms are said one by one; the rest is one term more.
const SHOWN: usize = 5;

/// The inputs that are not zero, the weightiest first, with what they add.
fn weightiest(player: &Player, inputs: &[f32]) -> Vec<(usize, f64)> {
    let parts = contributions(player, inputs);
    let mut order: Vec<(usize, f64)> =
        parts.into_iter().enumerate().filter(|&(index, _)| inputs[index] != 0.0).collect();
    order.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    order
}

/// The terms of the weightiest inputs by `name`, and the rest in one.
fn terms(order: &[(usize, f64)], name: impl Fn(usize) -> (What, Vec<u16>)) -> Vec<Reason> {
    let term = |&(index, part): &(usize, f64)| {
        let (what, cells) = name(index);
        Reason::term(what, part, cells).of_input(index).at_end()
    };
    let mut terms: Vec<Reason> = order.iter().take(SHOWN).map(term).collect();
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

pub(super) fn stones<G: Game>(game: &G, leaf: &G::State, player: &Player, inputs: &[f32]) -> Vec<Reason> {
    let on_board = inputs.len() == game.board(leaf).squares.len();
    terms(&weightiest(player, inputs), |index| {
        if on_board {
            (What::Stone { whose: whose(inputs[index]) }, vec![index as u16])
        } else {
            (What::Input { number: index as u32 }, Vec::new())
        }
    })
}

pub(super) fn open_lines(player: &Player, inputs: &[f32], stones: [u64; 2], side: Side) -> Vec<Reason> {
    let lines = lines();
    let (own, other) = (stones[side.index()], stones[side.other().index()]);
    terms(&weightiest(player, inputs), |index| {
        let line = lines[index];
        let cells: Vec<u16> = (0..BITS)
            .filter(|place| line >> place & 1 == 1)
            .filter_map(cell_at)
            .map(|cell| cell as u16)
            .collect();
        let [own, other] = [own, other].map(|stones| (stones & line).count_ones() as u8);
        let open = (cells.len() as u8).saturating_sub(own + other);
        (What::Line { own, other, open, wait: 0 }, cells)
    })
}

pub(super) fn features(player: &Player, inputs: &[f32], side: Side) -> Vec<Reason> {
    let sign = if side == Side::First { 1.0 } else { -1.0 };
    // The inputs are as the first player sees them, the terms as `side` does.
    let order: Vec<(usize, f64)> =
        weightiest(player, inputs).into_iter().map(|(index, part)| (index, sign * part)).collect();
    terms(&order, |index| {
        let (notion, counted) = notion(index);
        let whose = match counted {
            Counted::Sum => Whose::Both,
            Counted::Difference => whose(sign as f32 * inputs[index]),
            Counted::Of(of) if of == side => Whose::Own,
            Counted::Of(_) => Whose::Theirs,
        };
        (notion.of(whose), Vec::new())
    })
}
