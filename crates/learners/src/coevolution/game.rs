//! A game between two networks of Connect Four, and what it costs.

use super::connect_four::{Board, Judge, Search};

/// One game between two networks from a position; the score as the first player sees it: 1, 0 or −1. Adds the
/// evaluations and states spent to `spent`.
pub fn play<A: Judge, B: Judge>(first: &A, second: &B, start: &Board, depth: u32, spent: &mut Spent) -> i32 {
    let mut sums = (first.sums(start), second.sums(start));
    let mut searches = (Search::new(first), Search::new(second));
    let mut board = *start;
    let score = loop {
        if board.is_full() {
            break 0;
        }
        let (cell, _) = match board.mover {
            0 => searches.0.choose(&board, &sums.0, depth),
            _ => searches.1.choose(&board, &sums.1, depth),
        };
        if board.wins(board.mover) & cell != 0 {
            break if board.mover == 0 { 1 } else { -1 };
        }
        sums = (first.after(&board, &sums.0, cell), second.after(&board, &sums.1, cell));
        board = board.after(cell);
    };
    spent.games += 1;
    spent.evaluations += searches.0.evaluations + searches.1.evaluations;
    spent.states += searches.0.states + searches.1.states;
    score
}

/// What matches cost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Spent {
    /// Games played.
    pub games: u64,
    /// Times a network was asked.
    pub evaluations: u64,
    /// Stones placed.
    pub states: u64,
}

impl Spent {
    /// Adds what other matches cost.
    pub fn add(&mut self, more: &Spent) {
        self.games += more.games;
        self.evaluations += more.evaluations;
        self.states += more.states;
    }
}
