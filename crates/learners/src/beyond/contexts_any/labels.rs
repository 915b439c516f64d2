//! Positions of random games, each with the move that a search prefers.

use ludens_core::{Budget, Ctx, Game, Meter, MindError, Move, Rng, Side, Turn, decide};
use ludens_search::{Uct, UctSettings};

use super::network::Ends;
use super::settings::Settings;

/// A position and what a search would do in it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Example {
    pub cells: Vec<i8>,
    pub moves: Vec<Ends>,
    pub best: usize,
}

/// The cells as the side to move sees them.
pub(super) fn seen<G: Game>(game: &G, state: &G::State, side: Side) -> Vec<i8> {
    game.board(state).squares.iter().map(|square| square.signed(side) as i8).collect()
}

/// The outputs of a move: its last cell is where it goes, the others are where it comes from.
pub(super) fn ends<G: Game>(game: &G, state: &G::State, mv: Move, cells: usize) -> Ends {
    let named: Vec<u16> =
        game.cells(state, mv).into_iter().filter(|cell| usize::from(*cell) < cells).collect();
    let from = named.iter().rev().skip(1).map(|cell| cell + cells as u16);
    named.last().copied().into_iter().chain(from).collect()
}

/// One labelled position; none where the game drawn had no choice to make.
pub(super) fn example<G: Game>(
    game: &G,
    settings: &Settings,
    rng: &mut Rng,
    meter: &mut Meter,
) -> Result<Option<Example>, MindError> {
    let mut met: Vec<(G::State, Side)> = Vec::new();
    let (mut state, mut moves, mut outcomes) = (game.start(), Vec::new(), Vec::new());
    let most = game.max_plies().unwrap_or(400);
    for _ in 0..most {
        let mv = match game.turn(&state) {
            Turn::Over(_) => break,
            Turn::Chance => {
                game.chance(&state, &mut outcomes);
                rng.outcome(&outcomes)
            }
            Turn::Player(side) => {
                game.moves(&state, &mut moves);
                if moves.len() > 1 {
                    met.push((state.clone(), side));
                }
                moves[rng.below(moves.len() as u32) as usize]
            }
        };
        game.apply(&mut state, mv);
    }
    if met.is_empty() {
        return Ok(None);
    }
    let (state, side) = met.swap_remove(rng.below(met.len() as u32) as usize);
    let mut own = meter.part(Budget::States(settings.states));
    let best = decide(&mut Uct::new(UctSettings::default()), game, &state, &mut Ctx::new(rng, &mut own))?;
    meter.add_states(own.cost().states);
    game.moves(&state, &mut moves);
    let cells = seen(game, &state, side);
    let count = cells.len();
    let place = moves.iter().position(|mv| *mv == best).unwrap_or(0);
    let moves = moves.iter().map(|mv| ends(game, &state, *mv, count)).collect();
    Ok(Some(Example { cells, moves, best: place }))
}
