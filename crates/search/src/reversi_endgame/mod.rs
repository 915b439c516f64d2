//! The end of Reversi, solved exactly: the disc difference under perfect play by both sides, the squares left
//! empty given to the winner.
//!
//! It is separate from the general alpha-beta for speed: near the end a node must cost a few nanoseconds, so moves are bits, their order comes from
//! parity and mobility, the last squares are written out one by one, and stable discs cut without search.
//!
//! | module      | what lives there                                                                |
//! |-------------|---------------------------------------------------------------------------------|
//! | here        | principal variation search, and the null-window search where all the time goes  |
//! | `order`     | which move first: fewest replies, parity, stable edges, a few plies of look-ahead |
//! | `few`       | the last squares                                                                |
//! | `stability` | discs that stay, hence bounds without search                                    |
//! | `table`     | positions seen                                                                  |
//!
//! The contract of both searches, for a window (alpha, beta) and the true result r:
//! result ≤ alpha means r ≤ result; result ≥ beta means r ≥ result; anything between is r.

mod few;
mod order;
mod stability;
mod table;

use ludens_games::reversi::compass::Compass;
use order::{Child, MOST_MOVES, glance, judge, odd_squares};
use table::{NO_MOVE, Table};

/// No result is beyond it.
const INFINITY: i32 = 65;
/// With so many empty squares or fewer, moves are taken in order of parity alone and nothing is remembered.
const SHALLOW: u32 = 7;
/// From here on moves are ordered by a search.
const LOOK_AHEAD: u32 = 10;
/// From here on all replies are looked up in the table before any is searched.
const ASK_TABLE: u32 = 12;
/// One ply of look-ahead for so many more empty squares, and more of them where the window is wide.
const SQUARES_A_PLY: u32 = 3;
const PRINCIPAL_PLIES: u32 = 3;
const MOST_PLIES: u32 = 6;

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The disc difference for the side to move.
    pub score: i32,
    /// The square of a best move, a1 = 0 … h8 = 63; none when there is no move.
    pub best: Option<u32>,
    /// Positions visited.
    pub nodes: u64,
}

/// The solver and its memory.
#[derive(Debug)]
pub struct Endgame {
    compass: Compass,
    table: Table,
    nodes: u64,
}

impl Default for Endgame {
    /// Two million places, 48 MB.
    fn default() -> Endgame {
        Endgame::with_table_bits(20)
    }
}

impl Endgame {
    /// A solver that remembers 2 × 2^`bits` positions of 24 bytes.
    pub fn with_table_bits(bits: u32) -> Endgame {
        Endgame { compass: Compass::default(), table: Table::new(bits), nodes: 0 }
    }

    /// Solves the position in which `own` is to move.
    pub fn solve(&mut self, own: u64, other: u64) -> Solution {
        self.nodes = 0;
        let score = self.principal(own, other, -INFINITY, INFINITY);
        let best = self.best_move(own, other, score);
        Solution { score, best, nodes: self.nodes }
    }

    /// The remembered best move, or the first that keeps the result.
    fn best_move(&mut self, own: u64, other: u64, score: i32) -> Option<u32> {
        let mut moves = self.compass.moves(own, other);
        let remembered = self.table.find(own, other).map_or(NO_MOVE, |entry| entry.best);
        if moves >> (remembered & 63) & 1 == 1 && remembered < NO_MOVE {
            return Some(u32::from(remembered));
        }
        while moves != 0 {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let (own, other) = self.after(own, other, square);
            if -self.null_window(own, other, -score) >= score {
                return Some(square);
            }
        }
        None
    }

    #[inline]
    fn after(&self, own: u64, other: u64, square: u32) -> (u64, u64) {
        let flips = self.compass.flips(square, own, other);
        (other & !flips, own | flips | 1 << square)
    }

    /// The result within a window that may be wide: there are few such positions.
    fn principal(&mut self, own: u64, other: u64, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let moves = self.compass.moves(own, other);
        if moves == 0 {
            if self.compass.moves(other, own) == 0 {
                return few::final_score(own, other);
            }
            return -self.principal(other, own, -beta, -alpha);
        }
        let known = self.table.find(own, other);
        let best_known = known.map_or(NO_MOVE, |entry| entry.best);
        let mut children = [Child::default(); MOST_MOVES];
        let count = self.expand((own, other), moves, best_known, PRINCIPAL_PLIES, &mut children);
        let floor = alpha;
        let mut best = (-INFINITY, NO_MOVE);
        for next in 0..count {
            let child = pick(&mut children[..count], next);
            let mut score =
                if next == 0 { alpha + 1 } else { -self.null_window(child.own, child.other, -alpha - 1) };
            if score > alpha && (next == 0 || score < beta) {
                score = -self.principal(child.own, child.other, -beta, -alpha);
            }
            if score > best.0 {
                best = (score, child.square);
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        if (own | other).count_zeros() > SHALLOW {
            self.table.store((own, other), (floor, beta), best.0, best.1);
        }
        best.0
    }

    /// Is the result above alpha? The answer is a bound on the side that it proves.
    fn null_window(&mut self, own: u64, other: u64, alpha: i32) -> i32 {
        match (own | other).count_zeros() {
            0 => few::final_score(own, other),
            1 => {
                self.nodes += 1;
                few::last_one((!(own | other)).trailing_zeros(), own)
            }
            2..=4 => self.last_few(own, other, alpha),
            5..=SHALLOW => self.shallow(own, other, alpha),
            _ => self.deep(own, other, alpha),
        }
    }

    /// Two to four empty squares: each is tried, those of odd quadrants first.
    fn last_few(&mut self, own: u64, other: u64, alpha: i32) -> i32 {
        self.nodes += 1;
        let empties = !(own | other);
        let odd = odd_squares(empties) & empties;
        let mut best = -INFINITY;
        for mut squares in [odd, empties & !odd] {
            while squares != 0 {
                let square = squares.trailing_zeros();
                squares &= squares - 1;
                let flips = self.compass.flips(square, own, other);
                if flips == 0 {
                    continue;
                }
                let score = -self.null_window(other & !flips, own | flips | 1 << square, -alpha - 1);
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        }
        if best > -INFINITY { best } else { self.pass(own, other, alpha) }
    }

    fn pass(&mut self, own: u64, other: u64, alpha: i32) -> i32 {
        if self.compass.moves(other, own) == 0 {
            return few::final_score(own, other);
        }
        -self.null_window(other, own, -alpha - 1)
    }

    /// Few empty squares: parity orders the moves.
    fn shallow(&mut self, own: u64, other: u64, alpha: i32) -> i32 {
        self.nodes += 1;
        if let Some(bound) = stable_bound(own, other, alpha) {
            return bound;
        }
        let moves = self.compass.moves(own, other);
        if moves == 0 {
            return self.pass(own, other, alpha);
        }
        let odd = odd_squares(!(own | other));
        let mut best = -INFINITY;
        for mut squares in [moves & odd, moves & !odd] {
            while squares != 0 {
                let square = squares.trailing_zeros();
                squares &= squares - 1;
                let (own, other) = self.after(own, other, square);
                let score = -self.null_window(own, other, -alpha - 1);
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        }
        best
    }

    fn deep(&mut self, own: u64, other: u64, alpha: i32) -> i32 {
        self.nodes += 1;
        if let Some(bound) = stable_bound(own, other, alpha) {
            return bound;
        }
        let known = self.table.find(own, other);
        if let Some(entry) = known {
            if i32::from(entry.lower) > alpha {
                return i32::from(entry.lower);
            }
            if i32::from(entry.upper) <= alpha {
                return i32::from(entry.upper);
            }
        }
        let moves = self.compass.moves(own, other);
        if moves == 0 {
            return self.pass(own, other, alpha);
        }
        let best_known = known.map_or(NO_MOVE, |entry| entry.best);
        let mut children = [Child::default(); MOST_MOVES];
        let count = self.expand((own, other), moves, best_known, 0, &mut children);
        let children = &mut children[..count];
        if (own | other).count_zeros() >= ASK_TABLE
            && let Some(bound) = self.child_cuts(children, alpha)
        {
            return bound;
        }
        let mut best = (-INFINITY, NO_MOVE);
        for next in 0..children.len() {
            let child = pick(children, next);
            let score = -self.null_window(child.own, child.other, -alpha - 1);
            if score > best.0 {
                best = (score, child.square);
                if score > alpha {
                    break;
                }
            }
        }
        self.table.store((own, other), (alpha, alpha + 1), best.0, best.1);
        best.0
    }

    /// A remembered reply that already proves that the result is above alpha.
    fn child_cuts(&self, children: &[Child], alpha: i32) -> Option<i32> {
        children.iter().find_map(|child| {
            let lower = -i32::from(self.table.find(child.own, child.other)?.upper);
            (lower > alpha).then_some(lower)
        })
    }

    /// Makes every move and says what it seems to be worth.
    fn expand(
        &self,
        (own, other): (u64, u64),
        mut moves: u64,
        first: u8,
        extra_plies: u32,
        out: &mut [Child; MOST_MOVES],
    ) -> usize {
        let empties = !(own | other);
        let odd = odd_squares(empties);
        let left = empties.count_ones();
        let mut count = 0;
        while moves != 0 {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let (own, other) = self.after(own, other, square);
            let mut child = Child { own, other, square: square as u8, worth: 0 };
            child.worth = if child.square == first {
                i32::MAX
            } else if own == 0 {
                i32::MAX - 1
            } else if left >= LOOK_AHEAD {
                let plies = ((left - LOOK_AHEAD) / SQUARES_A_PLY + extra_plies).min(MOST_PLIES);
                -judge(&self.compass, own, other, plies, -i32::MAX, i32::MAX) + 8 * (odd >> square & 1) as i32
            } else {
                glance(&self.compass, &child, odd)
            };
            out[count] = child;
            count += 1;
        }
        count
    }
}

/// The best of the children not yet searched, moved to place `next`.
#[inline]
fn pick(children: &mut [Child], next: usize) -> Child {
    let mut best = next;
    for other in next + 1..children.len() {
        if children[other].worth > children[best].worth {
            best = other;
        }
    }
    children.swap(next, best);
    children[next]
}

/// When so many of the other's discs are stable that the result cannot be above alpha.
#[inline]
fn stable_bound(own: u64, other: u64, alpha: i32) -> Option<i32> {
    // Even if all of them were stable it must be enough.
    if 64 - 2 * other.count_ones() as i32 > alpha {
        return None;
    }
    let bound = 64 - 2 * stability::stable_discs(other, own) as i32;
    (bound <= alpha).then_some(bound)
}
