//! A game between two networks of Connect Four, and what it costs.

use ludens_core::Stop;

use super::connect_four::{Board, Judge, Search};

/// One game between two networks from a position; the score as the first player sees it: 1, 0 or −1. Adds the
/// evaluations and states spent to `spent`.
pub fn play<A: Judge, B: Judge>(first: &A, second: &B, start: &Board, depth: u32, spent: &mut Spent) -> i32 {
    let mut sums = (first.sums(start), second.sums(start));
    let mut searches = (Search::new(first, &spent.stop), Search::new(second, &spent.stop));
    let mut board = *start;
    let score = loop {
        if board.is_full() || spent.stop.check().is_err() {
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
    let evaluations = searches.0.evaluations + searches.1.evaluations;
    let states = searches.0.states + searches.1.states;
    spent.games += 1;
    spent.evaluations += evaluations;
    spent.states += states;
    score
}

/// What matches cost, and who may end them. Matches that were ended have results that mean nothing.
#[derive(Clone, Default, Debug)]
pub struct Spent {
    /// Games played.
    pub games: u64,
    /// Times a network was asked.
    pub evaluations: u64,
    /// Stones placed.
    pub states: u64,
    /// Who may end them.
    pub stop: Stop,
}

impl Spent {
    /// Nothing yet, by matches that `stop` may end.
    pub fn watched(stop: &Stop) -> Spent {
        Spent { stop: stop.clone(), ..Spent::default() }
    }

    /// Adds what other matches cost.
    pub fn add(&mut self, more: &Spent) {
        self.games += more.games;
        self.evaluations += more.evaluations;
        self.states += more.states;
    }
}
