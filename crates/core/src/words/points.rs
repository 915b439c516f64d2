//! What is true of a play on a board of points: hits, points made, men left alone, men borne off. Read off the board before and after.

use super::claims::Claim;
use crate::{Board, Side, Square};

/// Points of the board; behind them lie the bar and the tray of each side, the first player's before the second's.
const POINTS: usize = 24;

/// The claims of a play by `side` that leads from one board to the other.
pub(super) fn claims(before: &Board, after: &Board, side: Side) -> Vec<Claim> {
    let men = |board: &Board, at: usize, of: Side| -> u8 {
        board
            .squares
            .get(at)
            .filter(|square| square.side == Some(of))
            .map_or(0, |square: &Square| square.count)
    };
    let tray = POINTS + 2 * side.index() + 1;
    let other = side.other();
    let other_bar = POINTS + 2 * other.index();
    let points = |holds: &dyn Fn(usize) -> bool| -> Vec<u16> {
        (0..POINTS).filter(|&at| holds(at)).map(|at| at as u16).collect()
    };
    let hit = points(&|at| men(before, at, other) == 1 && men(after, at, other) == 0);
    let made = points(&|at| men(before, at, side) < 2 && men(after, at, side) >= 2);
    // The first player's men go down, the second's up: a man can be hit by those that still have to pass it, and by those on the bar.
    let can_be_hit = |at: usize| {
        let behind = |from: usize| if side == Side::First { from < at } else { from > at };
        men(after, other_bar, other) > 0
            || (0..POINTS).any(|from| behind(from) && men(after, from, other) > 0)
    };
    let alone = points(&|at| men(after, at, side) == 1 && men(before, at, side) != 1 && can_be_hit(at));
    let off = u32::from(men(after, tray, side).saturating_sub(men(before, tray, side)));
    let mut claims = Vec::new();
    if !hit.is_empty() {
        claims.push(Claim::Hits { at: hit });
    }
    if !made.is_empty() {
        claims.push(Claim::MakesPoint { at: made });
    }
    if off > 0 {
        claims.push(Claim::BearsOff { count: off });
    }
    if !alone.is_empty() {
        claims.push(Claim::LeavesBlot { at: alone });
    }
    claims
}
