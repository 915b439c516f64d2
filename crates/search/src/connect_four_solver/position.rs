use super::bitboard::Squares;

/// A Connect Four position, seen by the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Position<const W: usize, const H: usize> {
    mine: u64,
    theirs: u64,
}

/// Why a text is no position, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A move that names no column.
    #[error("move {number} is '{found}': write each move as the digit of its column, 1 to {columns}")]
    NotAColumn {
        /// Which move, from 1.
        number: usize,
        /// What stands there.
        found: char,
        /// Columns of the board.
        columns: usize,
    },
    /// A move on a full column.
    #[error("move {number} plays column {column}, which is full: check the moves before it")]
    ColumnFull {
        /// Which move, from 1.
        number: usize,
        /// The column, from 1.
        column: usize,
    },
    /// A move after a four in a line.
    #[error("the game ends with move {number}, a four in a line: leave out the moves after it")]
    AfterTheEnd {
        /// The move that ended the game, from 1.
        number: usize,
    },
    /// The game has ended and nothing is left to solve.
    #[error("the game is over, there is nothing to solve: leave out its last move")]
    Over,
}

impl<const W: usize, const H: usize> Position<W, H> {
    /// The position with these discs, if they lie on the board, apart, and none hangs in the air.
    pub fn from_discs(mine: u64, theirs: u64) -> Option<Self> {
        let occupied = mine | theirs;
        let on_board = mine & theirs == 0 && occupied & !Squares::<W, H>::BOARD == 0;
        let resting = (occupied >> 1) & Squares::<W, H>::BOARD & !occupied == 0;
        (on_board && resting).then_some(Position { mine, theirs })
    }

    /// Read a game as column digits from the empty board. Boards wider than nine columns go on with letters.
    pub fn from_moves(moves: &str) -> Result<Self, PositionError> {
        let mut position = Self::default();
        for (played, digit) in moves.chars().enumerate() {
            let number = played + 1;
            let column = match digit.to_digit(36) {
                Some(d) if (1..=W as u32).contains(&d) => d as usize - 1,
                _ => return Err(PositionError::NotAColumn { number, found: digit, columns: W }),
            };
            if position.ended_by_last_move() {
                return Err(PositionError::AfterTheEnd { number: played });
            }
            position =
                position.play(column).ok_or(PositionError::ColumnFull { number, column: column + 1 })?;
        }
        Ok(position)
    }

    /// As [`Self::from_moves`], and the game must still be going on.
    pub fn to_solve(moves: &str) -> Result<Self, PositionError> {
        let position = Self::from_moves(moves)?;
        if position.ended_by_last_move() || position.is_full() {
            return Err(PositionError::Over);
        }
        Ok(position)
    }

    /// A disc of the side to move in this column; `None` if it is full.
    pub fn play(&self, column: usize) -> Option<Self> {
        let square = Squares::<W, H>::playable(self.occupied()) & Squares::<W, H>::column(column);
        (square != 0).then_some(Position { mine: self.theirs, theirs: self.mine | square })
    }

    /// Every legal move with the position it leads to, from the left.
    pub fn children(&self) -> impl Iterator<Item = (usize, Self)> + use<W, H> {
        let position = *self;
        (0..W).filter_map(move |column| Some((column, position.play(column)?)))
    }

    /// The discs of the side to move.
    pub fn mine(&self) -> u64 {
        self.mine
    }

    /// The discs of the other side.
    pub fn theirs(&self) -> u64 {
        self.theirs
    }

    /// The discs of both sides.
    pub fn occupied(&self) -> u64 {
        self.mine | self.theirs
    }

    /// Number of discs on the board.
    pub fn discs(&self) -> i32 {
        self.occupied().count_ones() as i32
    }

    /// Whether every cell holds a disc.
    pub fn is_full(&self) -> bool {
        self.occupied() == Squares::<W, H>::BOARD
    }

    /// Did the side that just moved make four?
    pub fn ended_by_last_move(&self) -> bool {
        Squares::<W, H>::has_four(self.theirs)
    }

    /// The score of a side that completes four with its next disc.
    pub fn score_of_win_now(&self) -> i32 {
        (Squares::<W, H>::CELLS + 1 - self.discs()) / 2
    }

    /// The same position in a mirror.
    pub fn mirrored(&self) -> Self {
        Position { mine: Squares::<W, H>::mirror(self.mine), theirs: Squares::<W, H>::mirror(self.theirs) }
    }
}
