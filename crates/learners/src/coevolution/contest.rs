//! Games between networks: on bitboards for Connect Four, by the general search for any other game.

use std::convert::Infallible;

use ludens_core::{Budget, Ctx, Game, Meter, Mind, Move, Rng, Side, Turn, play_on};
use ludens_search::{AlphaBeta, Limits};

use super::connect_four::{self, Board, Judge, Net, Spent};
use super::evaluator::Evolved;
use super::network::Player;
use crate::beyond::coevolution_improved::{FEATURES, FeatureNet, LINES, LineNet};

/// +2 for a win, 0 for a draw, −1 for a loss.
pub fn points(result: i32) -> i32 {
    match result {
        1.. => 2,
        0 => 0,
        _ => -1,
    }
}

/// A player ready to play. The general search is large: it is on the heap.
#[derive(Debug)]
pub enum Fighter<G: Game> {
    /// Connect Four, by its cells.
    ConnectFour(Net),
    /// Connect Four, by its lines of four.
    Lines(LineNet),
    /// Connect Four, by counts.
    Features(FeatureNet),
    /// Any game, by its encoding.
    Any(Box<AlphaBeta<G, Evolved>>),
}

impl<G: Game> Fighter<G> {
    /// This player, at so many plies.
    pub fn new(game: &G, player: &Player, depth: u32) -> Fighter<G> {
        if game.is_connect_four() {
            return match player.inputs() {
                LINES => Fighter::Lines(LineNet::new(player)),
                FEATURES => Fighter::Features(FeatureNet::new(player)),
                _ => Fighter::ConnectFour(Net::new(player)),
            };
        }
        Fighter::Any(Box::new(AlphaBeta::new(Evolved::new(game, player), Limits::depth(depth))))
    }
}

/// The same player as a mind that explains itself: the general search with every line to its leaf.
pub fn mind<G: Game>(game: &G, player: &Player, depth: u32) -> Box<dyn Mind<G>> {
    let mut search = AlphaBeta::new(Evolved::new(game, player), Limits::depth(depth));
    search.use_table = false;
    Box::new(search)
}

/// One game from `start`; 1, 0 or −1 as the first player sees it. Dice come from `rng`.
pub fn play<G: Game>(
    game: &G,
    fighters: [&mut Fighter<G>; 2],
    start: &G::State,
    depth: u32,
    rng: &mut Rng,
    spent: &mut Spent,
) -> i32 {
    let fighters = match fighters {
        [Fighter::Any(first), Fighter::Any(second)] => {
            return play_any(game, [first, second], start, rng, spent);
        }
        others => others,
    };
    let [first, second] = fighters;
    let start = &Board::of(game, start);
    match first {
        Fighter::ConnectFour(net) => play_against(net, second, start, depth, spent),
        Fighter::Lines(net) => play_against(net, second, start, depth, spent),
        Fighter::Features(net) => play_against(net, second, start, depth, spent),
        Fighter::Any(_) => 0,
    }
}

fn play_against<G: Game>(
    first: &impl Judge,
    second: &Fighter<G>,
    start: &Board,
    depth: u32,
    spent: &mut Spent,
) -> i32 {
    match second {
        Fighter::ConnectFour(net) => connect_four::play(first, net, start, depth, spent),
        Fighter::Lines(net) => connect_four::play(first, net, start, depth, spent),
        Fighter::Features(net) => connect_four::play(first, net, start, depth, spent),
        Fighter::Any(_) => 0,
    }
}

/// Games without a bound end as a draw here.
const LONGEST: u64 = 1000;

fn play_any<G: Game>(
    game: &G,
    minds: [&mut AlphaBeta<G, Evolved>; 2],
    start: &G::State,
    rng: &mut Rng,
    spent: &mut Spent,
) -> i32 {
    let mut state = start.clone();
    let stop = spent.stop.clone();
    spent.games += 1;
    let choose = |state: &G::State, side: Side| -> Result<Move, Infallible> {
        let mut meter = Meter::watched(Budget::Unlimited, stop.clone());
        let mut unused = Rng::new(0);
        let root = minds[side.index()].search(game, state, &mut Ctx::new(&mut unused, &mut meter));
        let mv = root[0].mv;
        spent.states += meter.cost().states;
        Ok(mv)
    };
    let Ok(score) = play_on(game, &mut state, LONGEST, rng, choose, |_, _| {});
    score.map_or(0, |score| i32::from(score.0 > 0.0) - i32::from(score.0 < 0.0))
}

/// The points of two players after a game with each colour from every start.
pub fn duel<G: Game>(
    game: &G,
    one: &mut Fighter<G>,
    two: &mut Fighter<G>,
    starts: &[G::State],
    depth: u32,
    rng: &mut Rng,
    spent: &mut Spent,
) -> [i32; 2] {
    let mut totals = [0; 2];
    for start in starts {
        if spent.stop.check().is_err() {
            break;
        }
        // Both games are played with the same dice.
        let mut dice = rng.split();
        let as_first = play(game, [one, two], start, depth, &mut dice.clone(), spent);
        let as_second = -play(game, [two, one], start, depth, &mut dice, spent);
        for result in [as_first, as_second] {
            totals[0] += points(result);
            totals[1] += points(-result);
        }
    }
    totals
}

/// The positions a comparison starts from: random openings, or the start of the game alone.
pub fn starts<G: Game>(game: &G, openings: u32, plies: u32, rng: &mut Rng) -> Vec<G::State> {
    if openings == 0 {
        return vec![game.start()];
    }
    (0..openings).map(|_| opening(game, plies, rng)).collect()
}

/// Games drawn before an opening is made shorter by a move: some games are over before so many.
const DRAWN: u32 = 1000;

/// `plies` random moves after which the game still goes on; fewer where it never does.
pub fn opening<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> G::State {
    let mut moves = Vec::new();
    let mut outcomes = Vec::new();
    for drawn in 0.. {
        let mut state = game.start();
        for _ in 0..plies.saturating_sub(drawn / DRAWN) {
            let mv = match game.turn(&state) {
                Turn::Over(_) => break,
                Turn::Chance => {
                    game.chance(&state, &mut outcomes);
                    rng.outcome(&outcomes)
                }
                Turn::Player(_) => {
                    game.moves(&state, &mut moves);
                    moves[rng.below(moves.len() as u32) as usize]
                }
            };
            game.apply(&mut state, mv);
        }
        if !game.turn(&state).is_over() {
            return state;
        }
    }
    game.start()
}
