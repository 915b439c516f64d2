//! The lines of a board as features of the memory.

use ludens_core::{Board, Game, Side, Turn};

use super::learner::LineOdds;
use crate::actr::memory::Slot;
use crate::actr::odds::{Feature, Kind};

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

pub(super) fn kinds(length: u16) -> Vec<Kind> {
    let stones = |name| Slot::number(name, 0.0, f64::from(length.max(1)));
    let slots = vec![stones("own"), stones("other's"), stones("open")];
    // Below one stone in one slot: only equal lines match.
    vec![Kind { name: "line", slots, threshold: 0.01 }]
}

/// Every row of `length` squares of a board, in the four directions.
pub(super) fn lines(board: &Board, length: u16) -> Vec<Vec<u16>> {
    let (width, height) = (i32::from(board.width), i32::from(board.height));
    let steps = i32::from(length) - 1;
    let mut found = Vec::new();
    for row in 0..height {
        for column in 0..width {
            for (right, up) in DIRECTIONS {
                let (end_column, end_row) = (column + right * steps, row + up * steps);
                if end_column < width && end_row < height && end_row >= 0 {
                    let square = |step: i32| ((row + up * step) * width + column + right * step) as u16;
                    found.push((0..=steps).map(square).collect());
                }
            }
        }
    }
    found
}

impl LineOdds {
    pub(super) fn read_lines<G: Game>(
        &self,
        game: &G,
        after: &G::State,
        side: Side,
    ) -> Vec<(Feature, Vec<u16>)> {
        let board = game.board(after);
        let mut open = vec![false; board.squares.len()];
        if let Turn::Player(_) = game.turn(after) {
            let mut replies = Vec::new();
            game.moves(after, &mut replies);
            for cell in replies.into_iter().flat_map(|reply| game.cells(after, reply)) {
                if let Some(open) = open.get_mut(usize::from(cell)) {
                    *open = true;
                }
            }
        }
        let mut found = Vec::with_capacity(self.lines.len());
        for line in &self.lines {
            let (mut own, mut other, mut fillable) = (0, 0, 0);
            for &at in line {
                match board.squares[usize::from(at)].side {
                    Some(owner) if owner == side => own += 1,
                    Some(_) => other += 1,
                    None => fillable += u8::from(open[usize::from(at)]),
                }
            }
            if own + other > 0 {
                found.push((Feature { kind: 0, slots: [own, other, fillable, 0] }, line.clone()));
            }
        }
        found
    }
}
