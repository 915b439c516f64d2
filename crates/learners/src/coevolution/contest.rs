//! Games between networks: on bitboards for Connect Four, by the general search for any other game.

use std::any::Any;

use ludens_core::{Ctx, Game, Meter, Mind, Rng, Side, Turn};
use ludens_games::connect_four::{ConnectFour, State};
use ludens_search::{AlphaBeta, Limits};

use super::connect_four::{self, Board, Net, Spent};
use super::evaluator::{ConnectFourNet, EncodedNet};
use super::network::Player;

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
    ConnectFour(Net),
    Any(Box<AlphaBeta<G, EncodedNet>>),
}

impl<G: Game> Fighter<G> {
    pub fn new(game: &G, player: &Player, depth: u32) -> Fighter<G> {
        if (game as &dyn Any).is::<ConnectFour>() {
            return Fighter::ConnectFour(Net::new(player));
        }
        Fighter::Any(Box::new(AlphaBeta::new(EncodedNet::new(game, player), Limits::depth(depth))))
    }
}

/// The same player as a mind that explains itself: the general search with every line to its leaf.
pub fn mind<G: Game>(game: &G, player: &Player, depth: u32) -> Box<dyn Mind<G>> {
    if (game as &dyn Any).is::<ConnectFour>() {
        let mut search = AlphaBeta::new(ConnectFourNet::new(player), Limits::depth(depth));
        search.use_table = false;
        let erased: Box<dyn Any> = Box::new(Box::new(search) as Box<dyn Mind<ConnectFour>>);
        if let Ok(mind) = erased.downcast::<Box<dyn Mind<G>>>() {
            return *mind;
        }
    }
    let mut search = AlphaBeta::new(EncodedNet::new(game, player), Limits::depth(depth));
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
    match fighters {
        [Fighter::ConnectFour(first), Fighter::ConnectFour(second)] => {
            let Some(state) = (start as &dyn Any).downcast_ref::<State>() else { return 0 };
            connect_four::play(first, second, &Board::of(state), depth, spent)
        }
        [Fighter::Any(first), Fighter::Any(second)] => play_any(game, [first, second], start, rng, spent),
        _ => 0,
    }
}

/// Games without a bound end as a draw here.
const LONGEST: u32 = 1000;

fn play_any<G: Game>(
    game: &G,
    mut minds: [&mut AlphaBeta<G, EncodedNet>; 2],
    start: &G::State,
    rng: &mut Rng,
    spent: &mut Spent,
) -> i32 {
    let mut state = start.clone();
    let mut outcomes = Vec::new();
    spent.games += 1;
    for _ in 0..LONGEST {
        let mv = match game.turn(&state) {
            Turn::Over(score) => return i32::from(score.0 > 0.0) - i32::from(score.0 < 0.0),
            Turn::Chance => {
                game.chance(&state, &mut outcomes);
                rng.outcome(&outcomes)
            }
            Turn::Player(side) => {
                let mut meter = Meter::unlimited();
                let mut unused = Rng::new(0);
                let mv =
                    minds[side.index()].choose(game, &state, &mut Ctx::new(&mut unused, &mut meter));
                spent.states += meter.cost().states;
                mv
            }
        };
        game.apply(&mut state, mv);
    }
    0
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

/// `plies` random moves after which the game still goes on.
pub fn opening<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> G::State {
    let mut moves = Vec::new();
    let mut outcomes = Vec::new();
    loop {
        let mut state = game.start();
        for _ in 0..plies {
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
}

/// The side a fighter plays, for callers that look at one game only.
pub fn result_for(result: i32, side: Side) -> i32 {
    if side == Side::First { result } else { -result }
}
