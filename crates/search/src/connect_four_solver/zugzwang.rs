//! Bounds from the end of the game, without search: who must give way when the free squares run out?
//!
//! For boards with an even number of rows. Call the player who moves when an even number of squares is empty
//! *Odd* (he began the game) and the other *Even*. A column is odd or even by its number of empty squares; the
//! lowest empty square of an odd column lies in an even row. Neither side has a win on the move here. A *winning
//! square* of a side is an empty square that completes four for it.
//!
//! **Odd to move, Even follows up.** Even answers in the column Odd played in if it was an even one; if it was an
//! odd one, he takes the lowest square of another odd column (their number is even, so there is one). So Odd gets
//! at best the empty squares of odd rows and the lowest squares of odd columns; if there are just two of those,
//! only one of them. If he cannot make four of that he cannot win: score ≤ 0. Where Even has a winning square in an
//! even row, not the lowest of its column, Odd must at last play below it: nothing above it is ever filled, and the
//! score is < 0. The same when Even's share makes four.
//!
//! **Even to move, Odd waits with a winning square `w` in an odd row.** Leave out `w` and all above it, and the
//! number of empty squares is odd: Even fills the last of them, the one below `w`, if Odd can keep to this plan:
//!
//! - *w's column is odd.* Odd follows up there (he gets the odd squares below `w`, Even the even ones) and
//!   elsewhere as above.
//! - *w's column is even.* Then some other column `u` is odd. Odd follows up in `u`. When Even takes the last
//!   square of `u`, Odd plays in w's column; when Even plays in w's column, Odd takes the lowest square of `u`.
//!   Either way w's column is odd from then on. Even gets at best all of `u` and, of w's column, the lowest square
//!   and the even ones.
//!
//! If Even cannot make four of what the plan leaves him, Odd wins.
//!
//! **Nothing left to win with.** A side whose every line is blocked cannot win.

use super::bitboard::Squares;

/// An upper bound of the score for the side to move, whose discs are `mine`; the number of squares if nothing can
/// be said.
#[inline(always)]
pub fn upper_bound<const W: usize, const H: usize>(mine: u64, theirs: u64, their_wins: u64) -> i32 {
    let occupied = mine | theirs;
    let empty = Squares::<W, H>::BOARD & !occupied;
    if H.is_multiple_of(2) {
        let bound = if empty.count_ones().is_multiple_of(2) {
            even_follows_up::<W, H>(mine, theirs, empty, their_wins)
        } else {
            odd_waits::<W, H>(mine, occupied, empty, their_wins)
        };
        if bound < Squares::<W, H>::CELLS {
            return bound;
        }
    }
    if Squares::<W, H>::has_four(mine | empty) { Squares::<W, H>::CELLS } else { 0 }
}

/// A lower bound for a side that has just moved as Even and will follow up, or −99: the discs of the opponent, all
/// discs, the playable squares, and the side's own winning squares, none of them playable. Written without
/// branches: the search calls it for all columns at once.
#[inline(always)]
pub fn follow_up_lower_bound<const W: usize, const H: usize>(
    opponent: u64,
    occupied: u64,
    lowest: u64,
    my_wins: u64,
) -> i32 {
    let sure = my_wins & Squares::<W, H>::EVEN_ROWS & !lowest;
    let never_filled = Squares::<W, H>::above(sure);
    let share = (!occupied & Squares::<W, H>::ODD_ROWS) | (lowest & Squares::<W, H>::EVEN_ROWS);
    let winning = if sure != 0 { 1 + never_filled.count_ones() as i32 / 2 } else { 0 };
    if Squares::<W, H>::has_four(opponent | (share & !never_filled)) { -99 } else { winning }
}

#[inline(always)]
fn even_follows_up<const W: usize, const H: usize>(
    mine: u64,
    theirs: u64,
    empty: u64,
    their_wins: u64,
) -> i32 {
    let lowest = Squares::<W, H>::playable(mine | theirs);
    let sure = their_wins & Squares::<W, H>::EVEN_ROWS & !lowest;
    let never_filled = Squares::<W, H>::above(sure);
    let odd_columns = lowest & Squares::<W, H>::EVEN_ROWS;
    let at_best = mine | (((empty & Squares::<W, H>::ODD_ROWS) | odd_columns) & !never_filled);
    let one = odd_columns & odd_columns.wrapping_neg();
    let another = odd_columns & !one;
    let can_win = if odd_columns.count_ones() == 2 {
        Squares::<W, H>::has_four(at_best & !one) || Squares::<W, H>::has_four(at_best & !another)
    } else {
        Squares::<W, H>::has_four(at_best)
    };
    if can_win {
        return Squares::<W, H>::CELLS;
    }
    if sure == 0 {
        let their_share = theirs | (empty & Squares::<W, H>::EVEN_ROWS & !lowest);
        return -i32::from(Squares::<W, H>::has_four(their_share));
    }
    // The longest game fills all but what lies above those squares and, of every such column but the last one
    // played, the square itself and the one below it.
    let mut columns = 0;
    for c in 0..W {
        columns += i32::from(sure & Squares::<W, H>::column(c) != 0);
    }
    -(never_filled.count_ones() as i32 / 2 + columns)
}

#[inline(always)]
fn odd_waits<const W: usize, const H: usize>(mine: u64, occupied: u64, empty: u64, their_wins: u64) -> i32 {
    let lowest = Squares::<W, H>::playable(occupied);
    let odd_columns = lowest & Squares::<W, H>::EVEN_ROWS;
    let mut waiting = their_wins & Squares::<W, H>::ODD_ROWS & !lowest;
    while waiting != 0 {
        let w = waiting & waiting.wrapping_neg(); // the lowest of its column comes first
        let column = Squares::<W, H>::column(Squares::<W, H>::column_of(w));
        waiting &= !column;
        let even_below = empty & column & (w - 1) & Squares::<W, H>::EVEN_ROWS;
        // Elsewhere Even gets what Odd gets from a player who follows up.
        let share = |elsewhere: u64| {
            let sure = their_wins & Squares::<W, H>::EVEN_ROWS & !lowest & elsewhere;
            ((empty & Squares::<W, H>::ODD_ROWS) | odd_columns) & elsewhere & !Squares::<W, H>::above(sure)
        };
        let holds = if odd_columns & column != 0 {
            !Squares::<W, H>::has_four(mine | share(!column) | even_below)
        } else {
            let in_column = even_below | (lowest & column);
            let mut holds = false;
            for c in 0..W {
                let u = Squares::<W, H>::column(c);
                holds = holds
                    || u & odd_columns != 0
                        && !Squares::<W, H>::has_four(mine | share(!(column | u)) | in_column | (u & empty));
            }
            holds
        };
        if holds {
            return -((Squares::<W, H>::above(w).count_ones() as i32 + 2) / 2);
        }
    }
    Squares::<W, H>::CELLS
}
