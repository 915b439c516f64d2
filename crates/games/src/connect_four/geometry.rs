//! The one geometry of Connect Four: how a board of seven columns and six rows lies in the bits of a word. The rules, the networks and the
//! rankers all read it here; the solver has a board of its own for any size, which is checked
//! against this one when it is compiled.
//!
//! ```text
//!     6 13 20 27 34 41 48    always empty: what overflows a full column lands here,
//!     5 12 19 26 33 40 47    and no line crosses it
//!     4 11 18 25 32 39 46
//!     3 10 17 24 31 38 45    one up is +1, one right +7,
//!     2  9 16 23 30 37 44    the diagonals +8 and +6
//!     1  8 15 22 29 36 43
//!     0  7 14 21 28 35 42
//! ```
//!
//! A *bit* is a place in that word. A *cell* is a place on the board as people read it: row by row from the bottom left. Columns and rows are
//! counted from 0.

/// Columns.
pub const WIDTH: u32 = 7;
/// Rows.
pub const HEIGHT: u32 = 6;
/// Cells of the board.
pub const CELLS: u32 = WIDTH * HEIGHT;
/// Bits a column, the overflow cell included: how far a cell is from its right-hand neighbour.
pub const STEP: u32 = HEIGHT + 1;
/// Bits of the word that a board takes.
pub const BITS: u32 = STEP * WIDTH;
/// The six cells of the first column.
pub const COLUMN: u64 = (1 << HEIGHT) - 1;
/// The lowest cell of every column.
pub const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// All cells.
pub const FULL: u64 = BOTTOM * COLUMN;
/// How far apart the cells of a line are: upright, falling, level, rising.
pub const DIRECTIONS: [u32; 4] = [1, STEP - 1, STEP, STEP + 1];
/// Lines of four on the board.
pub const LINES: usize = 69;
/// Columns from the centre outwards, the left one first: of equal moves the first of these is taken.
pub const CENTRAL_FIRST: [u32; WIDTH as usize] = [3, 2, 4, 1, 5, 0, 6];

/// The six cells of a column.
#[inline(always)]
pub const fn column(column: u32) -> u64 {
    COLUMN << (STEP * column)
}

/// The place of a cell in the word.
#[inline(always)]
pub const fn place(column: u32, row: u32) -> u32 {
    STEP * column + row
}

/// The bit of a cell.
#[inline(always)]
pub const fn bit(column: u32, row: u32) -> u64 {
    1 << place(column, row)
}

/// The bit of a cell as people read the board.
#[inline(always)]
pub const fn bit_of_cell(cell: u32) -> u64 {
    bit(cell % WIDTH, cell / WIDTH)
}

/// The cell, as people read the board, at a place of the word; none in the row that is always empty.
#[inline(always)]
pub const fn cell_at(place: u32) -> Option<u32> {
    match (place / STEP, place % STEP) {
        (_, HEIGHT) => None,
        (column, row) => Some(row * WIDTH + column),
    }
}

/// The cells where a disc would land, at most one a column: one added at the bottom of a pile of ones carries to the first zero.
#[inline(always)]
pub const fn landing(occupied: u64) -> u64 {
    (occupied + BOTTOM) & FULL
}

/// How many discs a column holds.
#[inline(always)]
pub const fn discs_in(occupied: u64, column: u32) -> u32 {
    (occupied >> (STEP * column) & COLUMN).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_its_bit() {
        let mut all = 0;
        for cell in 0..CELLS {
            let bit = bit_of_cell(cell);
            assert_eq!(cell_at(bit.trailing_zeros()), Some(cell));
            all |= bit;
        }
        assert_eq!(all, FULL);
        assert_eq!((0..WIDTH).map(column).sum::<u64>(), FULL);
        assert_eq!((0..WIDTH).map(|column| bit(column, 0)).sum::<u64>(), BOTTOM);
        assert!((0..BITS).all(|place| cell_at(place).is_some() == (FULL >> place & 1 == 1)));
        assert_eq!((landing(0), landing(FULL), discs_in(FULL, 3)), (BOTTOM, 0, HEIGHT));
    }
}
