//! Seeing what is decided before a piece is moved. Where watching taught that completing a decisive set wins, and that nothing else does, a cell that
//! completes one for who moves wins at once; two that complete one for the other lose; one must be filled; and nobody opens such a cell for the
//! other. It costs no state: it is seen on the board as it is.

use ludens_core::{Game, Move, NO_CELL, Side, Turn};

use super::eye::{Eye, Sight, sense};
use super::ripe;
use super::watching::{Watched, won};

/// Games that must have ended so.
const OFTEN: u32 = 5;

/// What is seen of a position without moving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Foresight {
    /// Nothing is decided.
    Open,
    /// Some moves lose at once; the others are marked in [`Sight::keeps`].
    Some,
    /// Won for who moves.
    Won,
    /// Lost, whatever is moved.
    Lost,
}

/// What is seen for who moves, after a look at the position with its `moves`' ends in `sight`.
pub fn foresee(eye: &Eye, sight: &mut Sight, side: Side) -> Foresight {
    if !eye.foresees {
        return Foresight::Open;
    }
    let Sight { ends, completes, keeps, .. } = sight;
    let completed_by = |cell: u16, side: Side| {
        completes.get(usize::from(cell)).is_some_and(|sides| sides & 1 << side.index() > 0)
    };
    if ends.iter().any(|[_, to]| completed_by(*to, side)) {
        return Foresight::Won;
    }
    let other = side.other();
    let mut threats = ends.iter().map(|[_, to]| *to).filter(|to| completed_by(*to, other));
    let threat = threats.next();
    if threat.is_some_and(|first| threats.any(|next| next != first)) {
        return Foresight::Lost;
    }
    let opens = |to: u16| eye.opens.get(usize::from(to)).copied().unwrap_or(NO_CELL);
    let keeps_on = |to: u16| threat.is_none_or(|threat| to == threat) && !completed_by(opens(to), other);
    keeps.clear();
    keeps.extend(ends.iter().map(|[_, to]| keeps_on(*to)));
    match keeps.iter().filter(|keeps| **keeps).count() {
        0 => Foresight::Lost,
        all if all == keeps.len() => Foresight::Open,
        _ => Foresight::Some,
    }
}

/// Whether the watched games say that completing a decisive set wins, that nothing else does, and that a cell stays open to both until it is filled.
pub fn is_law<G: Game>(game: &G, eye: &Eye, games: &[Watched<G>]) -> bool {
    if eye.ripe.is_none() || eye.dice {
        return false;
    }
    let mut completed = 0;
    for watched in games {
        match completions(game, eye, watched) {
            Some(count) => completed += count,
            None => return false,
        }
    }
    completed >= OFTEN
}

/// How often a set was completed in a game, and won; none where the game speaks against the law.
fn completions<G: Game>(game: &G, eye: &Eye, watched: &Watched<G>) -> Option<u32> {
    let (mut sight, mut moves, mut count) = (Sight::default(), Vec::new(), 0);
    let mut open: Vec<u16> = Vec::new();
    for (at, (state, mv)) in watched.states.iter().zip(&watched.moves).enumerate() {
        let Turn::Player(side) = game.turn(state) else { return None };
        let to = look(game, eye, state, *mv, (&mut sight, &mut moves))?;
        // What was open to the one is open to the other, but for what was filled.
        if !open.iter().all(|cell| sight.ends.iter().any(|[_, to]| to == cell)) {
            return None;
        }
        let completes =
            sight.completes.get(usize::from(to)).is_some_and(|sides| sides & 1 << side.index() > 0);
        let is_last = at + 1 == watched.states.len();
        let wins = is_last && watched.chance == won(ludens_core::Score::win_for(side));
        if completes != wins && (completes || is_last && watched.chance != 0.5) {
            return None;
        }
        count += u32::from(completes);
        open.clear();
        open.extend(sight.ends.iter().map(|[_, cell]| *cell).filter(|cell| *cell != to));
    }
    Some(count)
}

/// Looks at a position; where its move puts a piece. None where a move does anything but put one.
fn look<G: Game>(
    game: &G,
    eye: &Eye,
    state: &G::State,
    mv: Move,
    (sight, moves): (&mut Sight, &mut Vec<Move>),
) -> Option<u16> {
    game.moves(state, moves);
    sense(game, state, moves, &eye.opens, sight, |_, _| ());
    ripe::complete(eye, sight);
    if sight.ends.iter().any(|[from, to]| *from != NO_CELL || *to == NO_CELL) {
        return None;
    }
    let place = moves.iter().position(|other| *other == mv)?;
    Some(sight.ends[place][1])
}
