//! The network as the heuristic of a search: incrementally for Connect Four, from the encoding for any game.

use ludens_core::{Game, Move, Reason, Rng, Side, Turn};
use ludens_games::connect_four::{ConnectFour, State};
use ludens_search::Heuristic;

use super::connect_four::{Board, Net, WON};
use super::network::{HIDDEN, LANES, ONE, Player, Sums, output};
use super::numeric::tanh;

/// How the value of a leaf is said to people.
const UNIT: &str = "output of the network (−1 lost, 1 won)";

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

/// Whether the second side sees the negative of what the first sees, on a few random games.
fn is_antisymmetric<G: Game>(game: &G) -> bool {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    for unit in 0..4 {
        let mut rng = Rng::stream(0, unit);
        let mut state = game.start();
        for _ in 0..40 {
            game.encode(&state, Side::First, &mut first);
            game.encode(&state, Side::Second, &mut second);
            if first.iter().zip(&second).any(|(a, b)| *a != -*b) {
                return false;
            }
            let mv = match game.turn(&state) {
                Turn::Over(_) => break,
                Turn::Player(_) => {
                    game.moves(&state, &mut moves);
                    moves[rng.below(moves.len() as u32) as usize]
                }
                Turn::Chance => {
                    game.chance(&state, &mut outcomes);
                    rng.outcome(&outcomes)
                }
            };
            game.apply(&mut state, mv);
        }
    }
    true
}

impl<G: Game> Heuristic<G> for EncodedNet {
    type Trace = ();

    fn name(&self) -> String {
        "its evolved network".into()
    }

    fn value(&mut self, game: &G, state: &G::State, (): &(), side: Side) -> f32 {
        if self.antisymmetric {
            let first = self.output_for(game, state, Side::First);
            return if side == Side::First { first } else { -first };
        }
        0.5 * (self.output_for(game, state, side) - self.output_for(game, state, side.other()))
    }

    fn final_value(&self, score: f32) -> f32 {
        score * WON
    }

    fn shown(&self, value: f32) -> f64 {
        f64::from(tanh(value))
    }

    fn unit(&self) -> String {
        UNIT.into()
    }

    fn terms(&mut self, game: &G, state: &G::State, side: Side) -> Vec<Reason> {
        if !self.antisymmetric {
            return Vec::new();
        }
        game.encode(state, side, &mut self.inputs);
        stones_in_words(game, state, &self.player, &self.inputs)
    }
}

/// For Connect Four: the sums of the first layer travel with the position, and a stone adds its row.
#[derive(Clone, Debug)]
pub struct ConnectFourNet {
    player: Player,
    net: Net,
}

impl ConnectFourNet {
    pub fn new(player: &Player) -> ConnectFourNet {
        ConnectFourNet { player: player.clone(), net: Net::new(player) }
    }
}

impl Heuristic<ConnectFour> for ConnectFourNet {
    type Trace = Sums;

    fn name(&self) -> String {
        "its evolved network".into()
    }

    fn begin(&mut self, _: &ConnectFour, state: &State, trace: &mut Sums) {
        *trace = self.net.sums(&Board::of(state));
    }

    #[inline]
    fn advance(&mut self, _: &ConnectFour, before: (&State, &Sums), _: Move, after: &State, trace: &mut Sums) {
        let cell = before.0.occupied() ^ after.occupied();
        *trace = before.1.plus(self.net.row(before.0.to_move().index(), cell));
    }

    #[inline]
    fn value(&mut self, _: &ConnectFour, _: &State, trace: &Sums, side: Side) -> f32 {
        let first = self.net.output(trace);
        if side == Side::First { first } else { -first }
    }

    #[inline]
    fn final_value(&self, score: f32) -> f32 {
        score * WON
    }

    fn shown(&self, value: f32) -> f64 {
        f64::from(tanh(value))
    }

    fn unit(&self) -> String {
        UNIT.into()
    }

    fn terms(&mut self, game: &ConnectFour, state: &State, side: Side) -> Vec<Reason> {
        let mut inputs = Vec::new();
        game.encode(state, side, &mut inputs);
        stones_in_words(game, state, &self.player, &inputs)
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

/// The stones at the end of the line that weigh most, and the rest in one term.
fn stones_in_words<G: Game>(game: &G, leaf: &G::State, player: &Player, inputs: &[f32]) -> Vec<Reason> {
    const SHOWN: usize = 5;
    let board = game.board(leaf);
    let parts = contributions(player, inputs);
    let mut order: Vec<usize> = (0..parts.len()).filter(|&index| inputs[index] != 0.0).collect();
    order.sort_by(|&a, &b| parts[b].abs().total_cmp(&parts[a].abs()).then(a.cmp(&b)));
    let on_board = inputs.len() == board.squares.len();
    let mut terms: Vec<Reason> = order
        .iter()
        .take(SHOWN)
        .map(|&index| {
            let whose = if inputs[index] > 0.0 { "own" } else { "the other side's" };
            let (name, cells) = if on_board {
                (board.cell_name(index), vec![index as u16])
            } else {
                (format!("input {index}"), Vec::new())
            };
            Reason::term(format!("at the end of the line, {whose} stone on {name}"), parts[index], cells)
        })
        .collect();
    let rest: f64 = order.iter().skip(SHOWN).map(|&index| parts[index]).sum();
    if order.len() > SHOWN {
        terms.push(Reason::term("all other stones there", rest, Vec::new()));
    }
    terms
}
