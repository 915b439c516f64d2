//! Why a move: what each input of the network adds to its output at the end of the line, in words.

use ludens_core::math::quick::tanh;
use ludens_core::{Game, Reason, Side};
use ludens_games::connect_four::geometry::{BITS, cell_at};

use super::network::{HIDDEN, ONE, Player};
use crate::beyond::coevolution_improved::{feature_name, lines};

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

/// The terms of the weightiest inputs by `say`, and the rest in one.
fn in_words(order: &[(usize, f64)], rest: &str, say: impl Fn(usize, f64) -> Reason) -> Vec<Reason> {
    let mut terms: Vec<Reason> =
        order.iter().take(SHOWN).map(|&(index, part)| say(index, part).of_input(index)).collect();
    if order.len() > SHOWN {
        let sum = order.iter().skip(SHOWN).map(|&(_, part)| part).sum();
        terms.push(Reason::term(rest, sum, Vec::new()));
    }
    terms
}

fn whose(input: f32) -> &'static str {
    if input > 0.0 { "own" } else { "the other side's" }
}

pub(super) fn stones_in_words<G: Game>(
    game: &G,
    leaf: &G::State,
    player: &Player,
    inputs: &[f32],
) -> Vec<Reason> {
    let board = game.board(leaf);
    let on_board = inputs.len() == board.squares.len();
    in_words(&weightiest(player, inputs), "all other stones there", |index, part| {
        let (name, cells) = if on_board {
            (board.cell_name(index), vec![index as u16])
        } else {
            (format!("input {index}"), Vec::new())
        };
        let text = format!("at the end of the line, {} stone on {name}", whose(inputs[index]));
        Reason::term(text, part, cells)
    })
}

pub(super) fn lines_in_words(player: &Player, inputs: &[f32]) -> Vec<Reason> {
    let lines = lines();
    in_words(&weightiest(player, inputs), "all other lines there", |index, part| {
        let places = (0..BITS).filter(|place| lines[index] >> place & 1 == 1);
        let cells = places.filter_map(cell_at).map(|cell| cell as u16).collect();
        let text = format!("at the end of the line, {} open line of four", whose(inputs[index]));
        Reason::term(text, part, cells)
    })
}

pub(super) fn features_in_words(player: &Player, inputs: &[f32], side: Side) -> Vec<Reason> {
    let sign = if side == Side::First { 1.0 } else { -1.0 };
    // The inputs are as the first player sees them, the terms as `side` does.
    let order: Vec<(usize, f64)> =
        weightiest(player, inputs).into_iter().map(|(index, part)| (index, sign * part)).collect();
    in_words(&order, "all other counts there", |index, part| {
        let (name, of_both) = feature_name(index);
        let more = if of_both { "of both sides" } else { whose(sign as f32 * inputs[index]) };
        Reason::term(format!("at the end of the line, {name}: {more}"), part, Vec::new())
    })
}
