//! First-level contexts: every four squares in a line, their features F1–F4 and attributes A1–A4, and the frames.
//!
//! Section IV.B.1–2 of the paper. Columns and rows are counted from 1 here, as there.

use std::sync::LazyLock;

use ludens_games::connect_four::geometry as board;

/// Feature F2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Row,
    Column,
    /// `/`
    Rising,
    /// `\`
    Falling,
}

/// One context: four squares in a line, in the order in which they are read. Being in the list [`CONTEXTS`] is feature F1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    pub kind: Kind,
    /// Feature F3: the leftmost column of rows and `/`, the rightmost of `\`, the column itself of columns.
    pub c_location: usize,
    /// The leftmost column.
    pub left: usize,
    /// The squares, (column, row): left to right in rows and `/`, right to left in `\`, bottom to top in columns.
    pub squares: [(usize, usize); 4],
}

/// Contexts of a position.
pub const COUNT: usize = board::LINES;
/// Contexts of a frame.
pub const IN_FRAME: usize = 39;
pub(crate) const FRAMES: usize = 3;
/// Contexts that start in one column and span four: six rows, three `/`, three `\`.
pub const WIDE: usize = 12;
/// Column contexts of one column.
pub const TALL: usize = 3;

/// All contexts, in the order the network keeps them: for each starting column 1–4 its rows, `/` and `\`; then for each
/// column 1–7 its column contexts. In this order every frame is two unbroken runs.
pub static CONTEXTS: LazyLock<[Context; COUNT]> = LazyLock::new(|| {
    let mut all = Vec::with_capacity(COUNT);
    let wide = |kind, left: usize, bottom: usize| {
        let step = |i: usize| match kind {
            Kind::Row => (left + i, bottom),
            Kind::Rising => (left + i, bottom + i),
            _ => (left + 3 - i, bottom + i), // `\` is read from the right, which is from below
        };
        let c_location = if kind == Kind::Falling { left + 3 } else { left };
        Context { kind, c_location, left, squares: std::array::from_fn(step) }
    };
    for left in 1..=4 {
        all.extend((1..=6).map(|row| wide(Kind::Row, left, row)));
        all.extend((1..=3).map(|row| wide(Kind::Rising, left, row)));
        all.extend((1..=3).map(|row| wide(Kind::Falling, left, row)));
    }
    for column in 1..=7 {
        all.extend((1..=3).map(|row| Context {
            kind: Kind::Column,
            c_location: column,
            left: column,
            squares: std::array::from_fn(|i| (column, row + i)),
        }));
    }
    std::array::from_fn(|i| all[i])
});

/// The bit of a square in the games' bitboards.
pub fn bit(column: usize, row: usize) -> u64 {
    board::bit(column as u32 - 1, row as u32 - 1)
}

impl std::fmt::Display for Context {
    /// Where it lies, in words.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (left, right) = (self.left, self.left + 3);
        let (lowest, highest) = (self.squares[0].1, self.squares[3].1);
        match self.kind {
            Kind::Row => write!(f, "row {lowest}, columns {left}–{right}"),
            Kind::Column => write!(f, "column {left}, rows {lowest}–{highest}"),
            Kind::Rising => {
                write!(f, "this rising diagonal, columns {left}–{right}, rows {lowest}–{highest}")
            }
            Kind::Falling => {
                write!(f, "this falling diagonal, columns {left}–{right}, rows {lowest}–{highest}")
            }
        }
    }
}

impl Context {
    /// The four squares as a bitboard.
    pub fn bits(&self) -> u64 {
        self.squares.iter().map(|&(column, row)| bit(column, row)).sum()
    }

    /// Its squares as indices of the board people see.
    pub fn cells(&self) -> Vec<u16> {
        self.squares
            .iter()
            .map(|&(column, row)| ((row - 1) * board::WIDTH as usize + column - 1) as u16)
            .collect()
    }

    /// +1, −1, 0 for the discs of the side to move (ACT), of the other (PAS), and none.
    pub fn cells_of(&self, act: u64, pas: u64) -> [i8; 4] {
        self.squares.map(|(column, row)| {
            i8::from(act & bit(column, row) != 0) - i8::from(pas & bit(column, row) != 0)
        })
    }

    /// Feature F4: the most discs that one of its columns still needs to fill it.
    pub fn depth(&self, occupied: u64) -> usize {
        let need = |&(column, row): &(usize, usize)| {
            row.saturating_sub(board::discs_in(occupied, column as u32 - 1) as usize)
        };
        self.squares.iter().map(need).max().unwrap_or(0)
    }

    /// Which of the frames 1–3 hold it: those with all its columns.
    pub fn frames(&self) -> impl Iterator<Item = usize> + use<> {
        let (left, right) = (self.left, self.left + if self.kind == Kind::Column { 0 } else { 3 });
        (1..=FRAMES).filter(move |&frame| frame <= left && right <= frame + 4)
    }
}

/// Attributes A1–A4 of the cells of a context.
pub fn attributes(cells: [i8; 4]) -> [i8; 4] {
    let (act, pas) = (cells.contains(&1), cells.contains(&-1));
    [
        i8::from(!act && !pas),                        // A1: empty
        i8::from(!(act && pas)),                       // A2: somebody can still win it
        i8::from(!cells.contains(&0)),                 // A3: closed
        i8::from(act && !pas) - i8::from(pas && !act), // A4: who can win it
    ]
}

/// The cells as one number, 0–80: all a detector can see of a context, for the attributes follow from the cells.
pub fn code(cells: [i8; 4]) -> usize {
    cells.iter().fold(0, |code, &cell| 3 * code + (cell + 1) as usize)
}

/// The other way round.
pub fn cells_of_code(code: usize) -> [i8; 4] {
    [27, 9, 3, 1].map(|place| (code / place % 3) as i8 - 1)
}

/// Equation 1: V_K = [K, A(K), 1].
pub fn inputs(cells: [i8; 4]) -> [f32; 9] {
    let a = attributes(cells);
    std::array::from_fn(|i| match i {
        0..4 => f32::from(cells[i]),
        4..8 => f32::from(a[i - 4]),
        _ => 1.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_nine_contexts_and_thirty_nine_in_each_frame() {
        let count = |kind| CONTEXTS.iter().filter(|c| c.kind == kind).count();
        assert_eq!([Kind::Row, Kind::Column, Kind::Rising, Kind::Falling].map(count), [24, 21, 12, 12]);
        for frame in 1..=FRAMES {
            let held =
                |kind| CONTEXTS.iter().filter(|c| c.kind == kind && c.frames().any(|f| f == frame)).count();
            assert_eq!([Kind::Row, Kind::Column, Kind::Rising, Kind::Falling].map(held), [12, 15, 6, 6]);
        }
        let distinct: std::collections::HashSet<u64> = CONTEXTS.iter().map(Context::bits).collect();
        assert_eq!(distinct.len(), COUNT);
    }

    /// Context K of figure 3: `/`, columns 3–6, [−1, 0, 0, −1], two discs missing in column 4 and three in column 5.
    #[test]
    fn the_worked_example() {
        let k = CONTEXTS
            .iter()
            .find(|c| c.kind == Kind::Rising && c.left == 3 && c.squares[0].1 == 3)
            .expect("it is there");
        let pas = bit(3, 3) | bit(6, 6);
        let act = (1..=2).map(|r| bit(3, r)).sum::<u64>()
            | (1..=2).map(|r| bit(4, r)).sum::<u64>()
            | (1..=2).map(|r| bit(5, r)).sum::<u64>()
            | (1..=5).map(|r| bit(6, r)).sum::<u64>();
        let cells = k.cells_of(act, pas);
        assert_eq!(cells, [-1, 0, 0, -1]);
        assert_eq!(k.c_location, 3);
        assert_eq!(k.depth(act | pas), 3);
        assert_eq!(attributes(cells), [0, 1, 0, -1]);
        assert_eq!(k.frames().collect::<Vec<_>>(), [2, 3]);
        assert_eq!(cells_of_code(code(cells)), cells);
        assert_eq!(inputs(cells), [-1.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0, -1.0, 1.0]);
    }
}
