//! The network as the heuristic of a search: incrementally for Connect Four, from the encoding for any game.

use ludens_core::math::quick::tanh;
use ludens_core::{Game, Move, Reason, Side};
use ludens_search::Heuristic;

use super::connect_four::{Board, Judge, Net, WON};
use super::features::{FEATURES, FeatureNet, feature_inputs, feature_name};
use super::lines::{LINES, LineNet, line_inputs, lines};
use super::network::{HIDDEN, LANES, ONE, Player, Sums, output};

/// For any game: the whole encoding through the network at every leaf.
#[derive(Clone, Debug)]
pub struct EncodedNet {
    player: Player,
    rows: Vec<Sums>,
    output: [f32; LANES],
    /// The encodings of the two sides are each other's negatives; then, having no biases, so are the outputs.
    antisymmetric: bool,
    inputs: Vec<f32>,
}

impl EncodedNet {
    pub fn new<G: Game>(game: &G, player: &Player) -> EncodedNet {
        EncodedNet {
            rows: (0..player.inputs()).map(|input| player.row(input)).collect(),
            output: player.output_weights(),
            antisymmetric: is_antisymmetric(game),
            player: player.clone(),
            inputs: Vec::new(),
        }
    }

    fn output_for<G: Game>(&mut self, game: &G, state: &G::State, side: Side) -> f32 {
        game.encode(state, side, &mut self.inputs);
        let mut sums = Sums::default();
        for (&input, row) in self.inputs.iter().zip(&self.rows) {
            if input == 1.0 {
                sums = sums.plus(row);
            } else if input != 0.0 {
                sums = sums.plus(&row.times(input));
            }
        }
        output(&sums, &self.output)
    }
}

/// Whether the second side sees the negative of what the first sees, judged by the start: an empty board, or men of
/// both sides on it. No move is made for it, so that it costs no state.
fn is_antisymmetric<G: Game>(game: &G) -> bool {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    game.encode(&game.start(), Side::First, &mut first);
    game.encode(&game.start(), Side::Second, &mut second);
    first.iter().zip(&second).all(|(a, b)| *a == -*b)
}

impl EncodedNet {
    fn value<G: Game>(&mut self, game: &G, state: &G::State, side: Side) -> f32 {
        if self.antisymmetric {
            let first = self.output_for(game, state, Side::First);
            return if side == Side::First { first } else { -first };
        }
        0.5 * (self.output_for(game, state, side) - self.output_for(game, state, side.other()))
    }

    fn terms<G: Game>(&mut self, game: &G, state: &G::State, side: Side) -> Vec<Reason> {
        if !self.antisymmetric {
            return Vec::new();
        }
        game.encode(state, side, &mut self.inputs);
        stones_in_words(game, state, &self.player, &self.inputs)
    }
}

/// A network as the heuristic of a search, one type for all: for Connect Four the sums of the first layer travel with the position and a
/// stone changes them; for any other game the encoding goes through the network at every leaf.
#[derive(Clone, Debug)]
pub enum Evolved {
    Cells(Player, Net),
    Lines(Player, LineNet),
    Features(Player, FeatureNet),
    Encoded(EncodedNet),
}

/// Runs an expression for whichever net of Connect Four it is, another for the rest.
macro_rules! of_net {
    ($this:expr, $net:ident => $call:expr, $encoded:ident => $other:expr) => {
        match $this {
            Evolved::Cells(_, $net) => $call,
            Evolved::Lines(_, $net) => $call,
            Evolved::Features(_, $net) => $call,
            Evolved::Encoded($encoded) => $other,
        }
    };
}

impl Evolved {
    pub fn new<G: Game>(game: &G, player: &Player) -> Evolved {
        if !game.is_connect_four() {
            return Evolved::Encoded(EncodedNet::new(game, player));
        }
        match player.inputs() {
            LINES => Evolved::Lines(player.clone(), LineNet::new(player)),
            FEATURES => Evolved::Features(player.clone(), FeatureNet::new(player)),
            _ => Evolved::Cells(player.clone(), Net::new(player)),
        }
    }
}

impl<G: Game> Heuristic<G> for Evolved {
    type Trace = Sums;

    fn name(&self) -> String {
        "its evolved network".into()
    }

    fn begin(&mut self, game: &G, state: &G::State, trace: &mut Sums) {
        of_net!(self, net => *trace = net.sums(&Board::of(game, state)), _encoded => {});
    }

    #[inline]
    fn advance(&mut self, game: &G, before: (&G::State, &Sums), _: Move, after: &G::State, trace: &mut Sums) {
        of_net!(self, net => {
            let board = Board::of(game, before.0);
            let after = game.stones(after);
            let cell = (board.stones[0] | board.stones[1]) ^ (after[0] | after[1]);
            *trace = net.after(&board, before.1, cell);
        }, _encoded => {});
    }

    #[inline]
    fn value(&mut self, game: &G, state: &G::State, trace: &Sums, side: Side) -> f32 {
        of_net!(self, net => {
            let first = net.output(trace);
            if side == Side::First { first } else { -first }
        }, encoded => encoded.value(game, state, side))
    }

    #[inline]
    fn final_value(&self, score: f32) -> f32 {
        score * WON
    }

    fn shown(&self, value: f32) -> f64 {
        f64::from(tanh(value))
    }

    fn unit(&self) -> String {
        "output of the network (−1 lost, 1 won)".into()
    }

    fn terms(&mut self, game: &G, state: &G::State, side: Side) -> Vec<Reason> {
        match self {
            Evolved::Lines(player, _) => lines_in_words(player, &line_inputs(&Board::of(game, state), side)),
            Evolved::Features(player, _) => {
                features_in_words(player, &feature_inputs(&Board::of(game, state)), side)
            }
            Evolved::Cells(player, _) => {
                let mut inputs = Vec::new();
                game.encode(state, side, &mut inputs);
                stones_in_words(game, state, player, &inputs)
            }
            Evolved::Encoded(encoded) => encoded.terms(game, state, side),
        }
    }
}

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

fn stones_in_words<G: Game>(game: &G, leaf: &G::State, player: &Player, inputs: &[f32]) -> Vec<Reason> {
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

fn lines_in_words(player: &Player, inputs: &[f32]) -> Vec<Reason> {
    let lines = lines();
    in_words(&weightiest(player, inputs), "all other lines there", |index, part| {
        // The board counts squares row by row, the bits run column by column.
        let square = |bit: u32| (bit % 7 * 7 + bit / 7) as u16;
        let cells = (0..64).filter(|bit| lines[index] >> bit & 1 == 1).map(square).collect();
        let text = format!("at the end of the line, {} open line of four", whose(inputs[index]));
        Reason::term(text, part, cells)
    })
}

fn features_in_words(player: &Player, inputs: &[f32], side: Side) -> Vec<Reason> {
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
