//! The board as bits.
//!
//! Every column takes `H + 1` bits, bottom square first. The extra bit on top is always empty; it keeps
//! lines from running over the edge of one column into the next. For the usual 7 columns × 6 rows:
//!
//! ```text
//!     row
//!      7    .  6 13 20 27 34 41 48      always empty
//!      6  |    5 12 19 26 33 40 47 |
//!      5  |    4 11 18 25 32 39 46 |
//!      4  |    3 10 17 24 31 38 45 |     neighbours of a square are at the distances
//!      3  |    2  9 16 23 30 37 44 |       above       1
//!      2  |    1  8 15 22 29 36 43 |       right       H + 1
//!      1  |    0  7 14 21 28 35 42 |       rising /    H + 2
//!              1  2  3  4  5  6  7  column falling \   H
//! ```
//!
//! A position is two such words: the discs of the side to move and those of the other. Rows are counted
//! from 1 at the bottom, so that "odd" and "even" squares mean what Connect Four players mean by them.

use ludens_games::connect_four::geometry;

/// On the usual board these squares are those of the game.
const _: () = {
    type Usual = Squares<{ geometry::WIDTH as usize }, { geometry::HEIGHT as usize }>;
    assert!(Usual::STRIDE == geometry::STEP as usize && Usual::BITS == geometry::BITS);
    assert!(Usual::BOTTOM == geometry::BOTTOM && Usual::BOARD == geometry::FULL);
};

/// The squares of a board of `W` columns and `H` rows; all its constants and bit tricks.
#[derive(Debug, Clone, Copy)]
pub struct Squares<const W: usize, const H: usize>;

impl<const W: usize, const H: usize> Squares<W, H> {
    /// Distance of a square from its right-hand neighbour.
    pub const STRIDE: usize = {
        assert!(
            W >= 1 && H >= 1 && W * (H + 1) <= 64,
            "the board must fit in 64 bits, one spare bit a column"
        );
        H + 1
    };
    /// Number of squares.
    pub const CELLS: i32 = (W * H) as i32;
    /// Bits of a word that a position uses.
    pub const BITS: u32 = (W * (H + 1)) as u32;
    /// The lowest square of every column.
    pub const BOTTOM: u64 = every_row::<W, H>(1);
    /// All squares.
    pub const BOARD: u64 = every_row::<W, H>((1 << H) - 1);
    /// Rows 1, 3, 5 …
    pub const ODD_ROWS: u64 = Self::BOARD & every_row::<W, H>(0x5555_5555_5555_5555 & ((1 << H) - 1));
    /// Rows 2, 4, 6 …
    pub const EVEN_ROWS: u64 = Self::BOARD & !Self::ODD_ROWS;
    /// The four directions of a line, as distances.
    pub const DIRECTIONS: [usize; 4] = [1, H, H + 1, H + 2];

    /// All squares of one column (counted from 0).
    #[inline(always)]
    pub const fn column(column: usize) -> u64 {
        ((1 << H) - 1) << (column * (H + 1))
    }

    /// The column (from 0) a square lies in.
    #[inline(always)]
    pub const fn column_of(square: u64) -> usize {
        square.trailing_zeros() as usize / (H + 1)
    }

    /// The lowest empty square of every column that has one: adding one at the bottom of a pile of ones
    /// carries to the first zero.
    #[inline(always)]
    pub const fn playable(occupied: u64) -> u64 {
        (occupied + Self::BOTTOM) & Self::BOARD
    }

    /// Do these discs hold four in a line?
    #[inline(always)]
    pub const fn has_four(discs: u64) -> bool {
        let mut found = 0;
        let mut i = 0;
        while i < 4 {
            let d = Self::DIRECTIONS[i];
            let pairs = discs & (discs >> d);
            found |= pairs & (pairs >> (2 * d));
            i += 1;
        }
        found != 0
    }

    /// The empty squares that would complete four in a line for these discs, reachable now or not.
    #[inline(always)]
    pub const fn completing(discs: u64, occupied: u64) -> u64 {
        // A column is only ever completed on top.
        let mut squares = (discs << 1) & (discs << 2) & (discs << 3);
        let mut i = 1;
        while i < 4 {
            let d = Self::DIRECTIONS[i];
            let pairs = discs & (discs >> d); // bit s: s and s+d
            let threes = pairs & (discs >> (2 * d)); // s, s+d, s+2d
            squares |= threes << (3 * d); // X X X _
            squares |= threes >> d; // _ X X X
            squares |= (pairs & (discs >> (3 * d))) << (2 * d); // X X _ X
            squares |= (discs & (pairs >> (2 * d))) << d; // X _ X X
            i += 1;
        }
        squares & (Self::BOARD & !occupied)
    }

    /// Every square above one of these, in the same column.
    #[inline(always)]
    pub const fn above(squares: u64) -> u64 {
        let mut up = (squares << 1) & Self::BOARD;
        let mut rows = 1;
        while rows < H {
            // Stepping through the spare bit would leave the column, hence the mask at every step.
            up |= (up << 1) & Self::BOARD;
            rows += 1;
        }
        up
    }

    /// The same squares seen in a mirror (columns reversed).
    pub const fn mirror(squares: u64) -> u64 {
        let mut out = 0;
        let mut c = 0;
        while c < W {
            let column = (squares >> (c * (H + 1))) & ((1 << (H + 1)) - 1);
            out |= column << ((W - 1 - c) * (H + 1));
            c += 1;
        }
        out
    }
}

/// The same pattern of rows in every column.
const fn every_row<const W: usize, const H: usize>(rows: u64) -> u64 {
    let mut out = 0;
    let mut c = 0;
    while c < W {
        out |= rows << (c * (H + 1));
        c += 1;
    }
    out
}
