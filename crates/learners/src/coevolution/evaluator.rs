//! The network as the heuristic of a search: incrementally for Connect Four, from the encoding for any game.

use ludens_core::math::quick::tanh;
use ludens_core::words;
use ludens_core::{Game, Move, Reason, Side};
use ludens_search::Heuristic;

use super::connect_four::{Board, Judge, Net, WON};
use super::network::{LANES, Player, Sums, output};
use super::reasons::{Weights, features, open_lines, stones};
use crate::beyond::coevolution_improved::{
    FEATURES, FeatureNet, LINES, LineNet, feature_inputs, line_inputs,
};

/// For any game: the whole encoding through the network at every leaf.
#[derive(Clone, Debug)]
pub struct EncodedNet {
    weights: Weights,
    rows: Vec<Sums>,
    output: [f32; LANES],
    /// The encodings of the two sides are each other's negatives; then, having no biases, so are the outputs.
    antisymmetric: bool,
    /// Each input is a cell of the board.
    cellwise: bool,
    inputs: Vec<f32>,
}

impl EncodedNet {
    pub fn new<G: Game>(game: &G, player: &Player) -> EncodedNet {
        EncodedNet {
            rows: (0..player.inputs()).map(|input| player.row(input)).collect(),
            output: player.output_weights(),
            antisymmetric: is_antisymmetric(game),
            cellwise: player.inputs() == game.board(&game.start()).squares.len(),
            weights: Weights::of(player),
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
        stones(&self.weights, &self.inputs, self.cellwise)
    }
}

/// A network as the heuristic of a search, one type for all: for Connect Four the sums of the first layer travel with the position and a
/// stone changes them; for any other game the encoding goes through the network at every leaf.
#[derive(Clone, Debug)]
pub enum Evolved {
    Cells(Weights, Net),
    Lines(Weights, LineNet),
    Features(Weights, FeatureNet),
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
            LINES => Evolved::Lines(Weights::of(player), LineNet::new(player)),
            FEATURES => Evolved::Features(Weights::of(player), FeatureNet::new(player)),
            _ => Evolved::Cells(Weights::of(player), Net::new(player)),
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

    fn judge(&self) -> words::Judge {
        words::Judge::Network
    }

    fn terms(&mut self, game: &G, state: &G::State, side: Side) -> Vec<Reason> {
        match self {
            Evolved::Lines(weights, _) => {
                let board = Board::of(game, state);
                open_lines(weights, &line_inputs(&board, side), board.stones, side)
            }
            Evolved::Features(weights, _) => {
                features(weights, &feature_inputs(&Board::of(game, state)), side)
            }
            Evolved::Cells(weights, _) => {
                let mut inputs = Vec::with_capacity(game.encoding_len());
                game.encode(state, side, &mut inputs);
                stones(weights, &inputs, true)
            }
            Evolved::Encoded(encoded) => encoded.terms(game, state, side),
        }
    }
}
