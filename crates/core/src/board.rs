//! The 2-D view of a position: what a person sees, and what contexts and concepts read.

use serde::{Deserialize, Serialize};

use crate::Side;

/// How the squares lie, which tells a screen how to draw and how to take a click.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Layout {
    /// A plain grid; a move is a click on a square.
    Grid,
    /// A grid whose discs fall; a move is a click on a column.
    Gravity,
    /// Backgammon: 24 points, then the bar and the tray of each side. See `Board::squares`.
    Points,
}

/// A kind of thing that can stand on a square.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// What people call it, "white king".
    pub name: String,
    /// One character for the terminal.
    pub glyph: char,
    /// Whose it is, if anybody's.
    pub side: Option<Side>,
}

impl Piece {
    /// A kind of piece called `name`, drawn as `glyph`, that belongs to `side`.
    pub fn new(name: &str, glyph: char, side: Option<Side>) -> Piece {
        Piece { name: name.into(), glyph, side }
    }
}

/// What stands on one square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Square {
    /// An index of [`Board::pieces`]; 0 is always "empty".
    pub piece: u8,
    /// How many: 1 in most games, up to 15 in backgammon, 0 on an empty square.
    pub count: u8,
    /// Whose it is, repeated here so that readers need no second look-up.
    pub side: Option<Side>,
}

impl Square {
    /// A square on which nothing stands.
    pub const EMPTY: Square = Square { piece: 0, count: 0, side: None };

    /// One stone of `side`, in games where piece 1 is the first player's and 2 the second's.
    pub fn stone(side: Side) -> Square {
        Square { piece: 1 + side.index() as u8, count: 1, side: Some(side) }
    }

    /// +count for `side`'s own, −count for the other's.
    pub fn signed(&self, side: Side) -> f32 {
        match self.side {
            None => 0.0,
            Some(owner) if owner == side => f32::from(self.count),
            Some(_) => -f32::from(self.count),
        }
    }
}

/// A place on the board, column and row counted from 0 at the bottom left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// Counted from 0 at the left.
    pub column: u16,
    /// Counted from 0 at the bottom.
    pub row: u16,
}

/// A position as a picture: squares with pieces on them, and notes beside them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Board {
    /// How the squares lie.
    pub layout: Layout,
    /// The number of columns.
    pub width: u16,
    /// The number of rows.
    pub height: u16,
    /// Row by row, from the bottom row up, left to right: index = row × width + column. For
    /// [`Layout::Points`] one row of 28: points 1–24 as the first player counts them, then the first player's bar and tray, then the second's.
    pub squares: Vec<Square>,
    /// `pieces[0]` is "empty".
    pub pieces: Vec<Piece>,
    /// What else a player needs to see, by name: dice, pips, captured pieces, a step counter.
    pub notes: Vec<(String, String)>,
    /// The names of the columns, as moves and people use them.
    pub column_names: Vec<String>,
    /// The names of the rows, the bottom one first.
    pub row_names: Vec<String>,
}

impl Board {
    /// An empty grid with columns a, b, c … and rows 1, 2, 3 …, and one kind of stone a side.
    pub fn grid(layout: Layout, width: u16, height: u16, stones: [(&str, char); 2]) -> Board {
        let [(first, first_glyph), (second, second_glyph)] = stones;
        Board {
            layout,
            width,
            height,
            squares: vec![Square::EMPTY; usize::from(width) * usize::from(height)],
            pieces: vec![
                Piece::new("empty", '.', None),
                Piece::new(first, first_glyph, Some(Side::First)),
                Piece::new(second, second_glyph, Some(Side::Second)),
            ],
            notes: Vec::new(),
            column_names: (0..width).map(column_letter).collect(),
            row_names: (1..=height).map(|row| row.to_string()).collect(),
        }
    }

    /// Where a cell is in [`Board::squares`].
    pub fn index(&self, cell: Cell) -> usize {
        usize::from(cell.row) * usize::from(self.width) + usize::from(cell.column)
    }

    /// The cell at an index of [`Board::squares`].
    pub fn cell(&self, index: usize) -> Cell {
        let width = usize::from(self.width);
        Cell { column: (index % width) as u16, row: (index / width) as u16 }
    }

    /// What stands on a cell.
    pub fn at(&self, cell: Cell) -> Square {
        self.squares[self.index(cell)]
    }

    /// `a1`, or whatever the game calls it.
    pub fn cell_name(&self, index: usize) -> String {
        let cell = self.cell(index);
        format!("{}{}", self.column_names[usize::from(cell.column)], self.row_names[usize::from(cell.row)])
    }
}

/// a … z, then aa, ab …
fn column_letter(column: u16) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    match column / 26 {
        0 => letter.to_string(),
        tens => format!("{}{letter}", column_letter(tens - 1)),
    }
}
