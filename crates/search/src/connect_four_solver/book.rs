//! The openings, solved beforehand: the score of every position of so many discs, one of two mirror images. Earlier
//! positions follow from them. A text, one line a position, the moves and the score, made by
//! `ludens solve connect-four --openings PLIES --out F`; the one that comes with the program is `openings.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::bitboard::Squares;
use super::{Position, PositionError};

type Board = Position<7, 6>;

/// Scores of all positions of one number of discs.
#[derive(Debug, Default)]
pub struct Book {
    plies: i32,
    scores: HashMap<Board, i32>,
}

/// Why a text is no book, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The moves of a line are no position.
    #[error("line {line} of the openings: {error}")]
    Moves {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with the moves.
        error: PositionError,
    },
    /// A line without a score.
    #[error("line {line} of the openings has no score: write `moves score`")]
    NoScore {
        /// The number of the line, from 1.
        line: usize,
    },
    /// A line with another number of discs than the first.
    #[error("the openings must all have the same number of discs, and line {line} has not")]
    Mixed {
        /// The number of the line, from 1.
        line: usize,
    },
    /// Positions are missing.
    #[error(
        "{missing} of the openings are missing: go on with `ludens solve connect-four --openings {plies} --out F`"
    )]
    Incomplete {
        /// Discs on the board.
        plies: i32,
        /// How many are missing.
        missing: usize,
    },
}

impl Book {
    /// The book that comes with the program.
    pub fn shipped() -> &'static Book {
        static SHIPPED: LazyLock<Book> =
            LazyLock::new(|| Book::read(include_str!("openings.txt")).unwrap_or_default());
        &SHIPPED
    }

    /// Reads a book from text and checks that it is whole.
    pub fn read(text: &str) -> Result<Book, BookError> {
        let mut book = Book::default();
        for (number, line) in text.lines().enumerate() {
            let line_number = number + 1;
            let mut words = line.split_whitespace();
            let moves = words.next().unwrap_or("");
            let position =
                Board::to_solve(moves).map_err(|error| BookError::Moves { line: line_number, error })?;
            let score = words.next().and_then(|word| word.parse().ok());
            if number == 0 {
                book.plies = position.discs();
            } else if position.discs() != book.plies {
                return Err(BookError::Mixed { line: line_number });
            }
            book.scores.insert(one_of_two(position), score.ok_or(BookError::NoScore { line: line_number })?);
        }
        let known = |position: &Board| book.scores.contains_key(&one_of_two(*position));
        let missing = openings(book.plies).iter().filter(|(_, position)| !known(position)).count();
        if missing > 0 {
            return Err(BookError::Incomplete { plies: book.plies, missing });
        }
        Ok(book)
    }

    /// Discs of its positions.
    pub fn plies(&self) -> i32 {
        self.plies
    }

    /// The score of a position with no more discs than the book's.
    pub fn score(&self, position: &Board) -> Option<i32> {
        if position.discs() == self.plies {
            return self.scores.get(&one_of_two(*position)).copied();
        }
        self.move_scores(position)?.into_iter().flatten().max()
    }

    /// The score of every move of a position with fewer discs than the book's.
    pub fn move_scores(&self, position: &Board) -> Option<[Option<i32>; 7]> {
        if position.discs() >= self.plies {
            return None;
        }
        let mut scores = [None; 7];
        for (column, child) in position.children() {
            scores[column] = Some(if child.ended_by_last_move() {
                position.score_of_win_now()
            } else {
                -self.score(&child)?
            });
        }
        Some(scores)
    }
}

/// Every position of so many discs that has not ended, one of two mirror images, with moves that lead to it.
pub fn openings(plies: i32) -> Vec<(String, Board)> {
    let mut found = vec![(String::new(), Board::default())];
    for _ in 0..plies {
        let mut known = std::collections::HashSet::new();
        let mut next = Vec::new();
        for (moves, position) in &found {
            for (column, child) in position.children() {
                let goes_on = !child.ended_by_last_move() && !child.is_full();
                if goes_on && known.insert(one_of_two(child)) {
                    next.push((format!("{moves}{}", column + 1), child));
                }
            }
        }
        found = next;
    }
    found
}

/// Of a position and its mirror image always the same one.
fn one_of_two(position: Board) -> Board {
    let mirrored = position.mirrored();
    let key = |p: &Board| p.mine() + p.occupied() + Squares::<7, 6>::BOTTOM;
    if key(&mirrored) < key(&position) { mirrored } else { position }
}
