//! The turns and flips of a rectangular board, for games on one 64-bit board a side.

/// One of the eight symmetries of a square; those that do not transpose are symmetries of any rectangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// Columns become rows; done before the flips.
    pub transpose: bool,
    /// Left becomes right.
    pub flip_columns: bool,
    /// Top becomes bottom.
    pub flip_rows: bool,
}

const fn symmetry(number: u8) -> Symmetry {
    Symmetry { flip_columns: number & 1 != 0, flip_rows: number & 2 != 0, transpose: number & 4 != 0 }
}

/// All but the identity.
pub const OF_A_RECTANGLE: [Symmetry; 3] = [symmetry(1), symmetry(2), symmetry(3)];
/// All symmetries of a square but the identity; the first three are those of any rectangle.
pub const OF_A_SQUARE: [Symmetry; 7] =
    [symmetry(1), symmetry(2), symmetry(3), symmetry(4), symmetry(5), symmetry(6), symmetry(7)];

impl Symmetry {
    /// Where a cell of a `width` × `height` board goes; cells are numbered row by row.
    pub fn cell(self, width: u32, height: u32, cell: u32) -> u32 {
        let (mut column, mut row) = (cell % width, cell / width);
        if self.transpose {
            (column, row) = (row, column);
        }
        if self.flip_columns {
            column = width - 1 - column;
        }
        if self.flip_rows {
            row = height - 1 - row;
        }
        row * width + column
    }

    /// The image of a set of cells.
    pub fn cells(self, width: u32, height: u32, cells: u64) -> u64 {
        ones(cells).fold(0, |image, cell| image | 1 << self.cell(width, height, cell))
    }
}

/// The numbers of the bits that are set, lowest first.
pub fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let lowest = bits.trailing_zeros();
            bits &= bits - 1;
            lowest
        })
    })
}
