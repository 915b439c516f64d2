//! A perfect Connect Four player, on boards of any size that fits in 64 bits.
//!
//! It is separate from the general alpha-beta for speed: it searches with null windows on two words of bits, sees a win in one and the squares that
//! give one away without looking a ply further, and has a table of positions of its own.
//!
//! Scores are those of Pascal Pons' tutorial, whose test sets check them: half of the discs left when the game
//! ends, counted from the full board; positive when the side to move wins, 0 for a draw. So the fastest win and the
//! slowest loss score highest. On 7×6 a win with the very last disc of the first player is 1.
//!
//! | module     | what lives there                                                         |
//! |------------|--------------------------------------------------------------------------|
//! | `bitboard` | the board as bits, drawn; lines, winning squares                         |
//! | `position` | a position that can be played and read from column digits, checked       |
//! | `zugzwang` | bounds on the score from who must give way at the end                    |
//! | `table`    | the positions remembered                                                 |
//! | `search`   | one question: is the score at least so much?                             |
//! | `book`     | the openings, solved beforehand                                          |
//! | `mind`     | the solver as a player with reasons                                      |
//! | this file  | the answers put together: a score, the best moves, every move's score    |

pub mod bitboard;
pub mod book;
mod mind;
mod position;
mod search;
mod table;
pub mod zugzwang;

use ludens_core::Stop;

use bitboard::Squares;
pub use mind::{LIMIT, SolverMind};
pub use position::{Position, PositionError};
use search::{Node, Search};

/// Knows which moves to try first: higher is earlier. The solver's own ranks run from about −50 to 150.
/// Only the time of a search depends on it, never its answer.
pub trait Ranker: std::fmt::Debug + Send {
    /// Fill in a rank for every column (from the left), for the side to move with discs `mine`.
    fn rank(&mut self, mine: u64, theirs: u64, ranks: &mut [i32]);
}

/// The score of a position and every move that reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestMoves {
    /// The score of the side to move under best play.
    pub score: i32,
    /// Bit `c` is set if column `c` (from 0) is a best move.
    pub columns: u16,
}

/// The solver. One for each thread; it holds its own table.
#[derive(Debug)]
pub struct Solver<const W: usize, const H: usize> {
    search: Search<W, H>,
    /// The table is kept from one position to the next.
    remembers: bool,
}

impl<const W: usize, const H: usize> Default for Solver<W, H> {
    fn default() -> Self {
        Self::with_table_bits(21)
    }
}

impl<const W: usize, const H: usize> Solver<W, H> {
    /// A solver whose table grows to 2^`bits` buckets of 32 bytes when a position needs it (21: 64 MB).
    pub fn with_table_bits(bits: u32) -> Self {
        Solver { search: Search::new(bits), remembers: false }
    }

    /// Let `ranker` order the moves of positions with at least `from` empty squares.
    #[must_use]
    pub fn ranked_by(mut self, ranker: Box<dyn Ranker>, from: i32) -> Self {
        self.search.ranker = Some((ranker, from));
        self
    }

    /// Keep the table from one position to the next: for many positions that are near to each other. All of them must have at
    /// most eight discs, or all of them more.
    #[must_use]
    pub fn remembering(mut self) -> Self {
        self.remembers = true;
        self
    }

    /// Positions examined since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.search.nodes
    }

    /// The exact score of a position that has not ended. The work it takes depends on nothing solved before.
    pub fn score(&mut self, position: &Position<W, H>) -> i32 {
        self.start(position);
        self.score_within(position, -Squares::<W, H>::CELLS, Squares::<W, H>::CELLS)
    }

    /// The score and all best moves. Once the score is known, each move takes one yes-or-no search.
    pub fn best_moves(&mut self, position: &Position<W, H>) -> BestMoves {
        let score = self.score(position);
        let mut columns = 0;
        for (column, child) in position.children() {
            // A best move leaves the opponent no more than −score.
            if child.ended_by_last_move() || self.score_at_least(&child, 1 - score) < 1 - score {
                columns |= 1 << column;
            }
        }
        BestMoves { score, columns }
    }

    /// Does a move into this column (from 0) reach at least this score? One yes-or-no search.
    pub fn move_reaches(&mut self, position: &Position<W, H>, column: usize, least: i32) -> bool {
        match position.play(column) {
            None => false,
            Some(child) if child.ended_by_last_move() => position.score_of_win_now() >= least,
            Some(child) => self.score_at_least(&child, 1 - least) < 1 - least,
        }
    }

    /// The exact score of every legal move, by column.
    pub fn move_scores(&mut self, position: &Position<W, H>) -> [Option<i32>; W] {
        let best = self.score(position);
        let mut scores = [None; W];
        for (column, child) in position.children() {
            scores[column] = Some(if child.ended_by_last_move() {
                position.score_of_win_now()
            } else {
                -self.score_within(&child, -best, Squares::<W, H>::CELLS)
            });
        }
        scores
    }

    /// The same, unless it takes more than so many positions or `stop` ends it.
    pub fn move_scores_within(
        &mut self,
        position: &Position<W, H>,
        nodes: u64,
        stop: &Stop,
    ) -> Option<[Option<i32>; W]> {
        self.search.bound(nodes, stop);
        let scores = self.move_scores(position);
        (!self.search.unbound()).then_some(scores)
    }

    /// The best moves, unless it takes more than so many positions or `stop` ends it: the other moves' scores, which may take much longer, are
    /// left alone.
    pub fn best_moves_within(
        &mut self,
        position: &Position<W, H>,
        nodes: u64,
        stop: &Stop,
    ) -> Option<BestMoves> {
        self.search.bound(nodes, stop);
        let best = self.best_moves(position);
        (!self.search.unbound()).then_some(best)
    }

    /// A fresh table for a fresh position.
    fn start(&mut self, position: &Position<W, H>) {
        if !self.remembers {
            self.search.table.clear();
        }
        // Far from the empty board a mirror image is hardly ever met again.
        self.search.mirror_below = if position.discs() <= 8 { 14 } else { 0 };
    }

    /// The exact score, known to lie within these bounds: halve what is left until nothing is, but stay nearer to
    /// zero than the middle (a quick win or loss is found in a shallow search, and refuted in one).
    fn score_within(&mut self, position: &Position<W, H>, low: i32, high: i32) -> i32 {
        let left = Squares::<W, H>::CELLS - position.discs();
        let mut low = low.max(-(left / 2));
        let mut high = high.min((left + 1) / 2);
        while low < high {
            let mut middle = low + (high - low) / 2;
            if middle <= 0 && low / 2 < middle {
                middle = low / 2;
            } else if middle >= 0 && high / 2 > middle {
                middle = high / 2;
            }
            let answer = self.score_at_least(position, middle + 1);
            if self.search.gave_up {
                return low;
            }
            if answer > middle {
                low = answer;
            } else {
                high = answer;
            }
        }
        low
    }

    /// The question of [`search`], for any position that has not ended with four in a line.
    fn score_at_least(&mut self, position: &Position<W, H>, beta: i32) -> i32 {
        if position.is_full() {
            return 0;
        }
        let node = Node::new::<W, H>(position.mine(), position.theirs());
        if node.my_wins & Squares::<W, H>::playable(position.occupied()) != 0 {
            return position.score_of_win_now();
        }
        self.search.search(&node, beta)
    }
}
