//! Line games: `length` stones in a line on `width` × `height` cells, placed freely (`line-9x4x4`) or falling
//! (`gravity-7x6x4`), on boards of up to 64 cells.
//!
//! ```text
//!     18 19 20 21 22 23      cells are numbered row by row from the bottom left, a1 = 0;
//!     12 13 14 15 16 17      one right is +1, one up +width, the diagonals +width + 1 and
//!      6  7  8  9 10 11      +width − 1. Each direction has the set of cells where a line
//!      0  1  2  3  4  5      can begin, so that none wraps round the edge.
//! ```

use ludens_core::{
    Board, Facts, Game, GameAbout, Hand, Layout, Move, Named, Playout, PositionError, Rng, Score, Side,
    Square, Turn, straight_lines,
};

use crate::symmetry::{OF_A_RECTANGLE, OF_A_SQUARE, Symmetry, ones};

/// Stones are placed on any empty cell.
pub type Line = LineGame<false>;
/// Stones fall down their column.
pub type Gravity = LineGame<true>;

const MOST_CELLS: u32 = 64;

/// The rules of one size of board and one length of line.
#[derive(Clone, Debug)]
pub struct LineGame<const GRAVITY: bool> {
    width: u32,
    height: u32,
    length: u32,
    cells: u64,
    /// The cells of the first column.
    column: u64,
    directions: Vec<Direction>,
    symmetries: Vec<Symmetry>,
}

#[derive(Clone, Copy, Debug)]
struct Direction {
    shift: u32,
    /// Where a whole line in this direction can begin.
    starts: u64,
}

/// The stones of the side to move, and those of both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct State {
    own: u64,
    occupied: u64,
}

impl State {
    /// The stones of the side to move.
    #[inline]
    pub fn own(&self) -> u64 {
        self.own
    }

    /// The stones of the side that moved last.
    #[inline]
    pub fn other(&self) -> u64 {
        self.own ^ self.occupied
    }

    /// The stones of both sides.
    #[inline]
    pub fn occupied(&self) -> u64 {
        self.occupied
    }

    #[inline]
    fn to_move(self) -> Side {
        if self.occupied.count_ones() & 1 == 0 { Side::First } else { Side::Second }
    }

    fn stones(&self, side: Side) -> u64 {
        if side == self.to_move() { self.own } else { self.other() }
    }

    #[inline]
    fn place(&mut self, cell: u64) {
        self.own ^= self.occupied;
        self.occupied |= cell;
    }
}

impl<const GRAVITY: bool> LineGame<GRAVITY> {
    /// `None` when the board has more than 64 cells, or no line fits on it.
    pub fn new(width: u32, height: u32, length: u32) -> Option<Self> {
        let area = width.checked_mul(height)?;
        if !(1..=MOST_CELLS).contains(&area) || !(2..=width.max(height)).contains(&length) {
            return None;
        }
        let directions = [(1, 0), (0, 1), (1, 1), (-1, 1)]
            .map(|step| Direction::new(width, height, length, step))
            .into_iter()
            .filter(|direction| direction.starts != 0)
            .collect();
        let symmetries = match (GRAVITY, width == height) {
            (true, _) => OF_A_RECTANGLE[..1].to_vec(),
            (false, false) => OF_A_RECTANGLE.to_vec(),
            (false, true) => OF_A_SQUARE.to_vec(),
        };
        let column = (0..height).fold(0, |column, row| column | 1 << (row * width));
        let cells = u64::MAX >> (MOST_CELLS - area);
        Some(LineGame { width, height, length, cells, column, directions, symmetries })
    }

    /// Columns of the board.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of the board.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// How many in a line win.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Whether a set of stones holds a line that wins.
    #[inline]
    pub fn has_line(&self, stones: u64) -> bool {
        self.directions.iter().any(|direction| {
            // Runs of 1, 2, 4 … stones, then the rest of the length, which overlaps.
            let mut runs = stones;
            let mut length = 1;
            while 2 * length <= self.length {
                runs &= runs >> (direction.shift * length);
                length *= 2;
            }
            runs & (runs >> (direction.shift * (self.length - length))) & direction.starts != 0
        })
    }

    /// `line-9x4x4` gives 9, 4 and 4.
    fn read_name(name: &str, prefix: &str) -> Option<Self> {
        let mut numbers = name.strip_prefix(prefix)?.split('x').map(|number| number.parse().ok());
        let game = LineGame::new(numbers.next()??, numbers.next()??, numbers.next()??)?;
        numbers.next().is_none().then_some(game)
    }

    fn column_of(&self, column: u32) -> u64 {
        self.column << column
    }

    /// The cell that a move fills.
    #[inline]
    fn cell_of(&self, state: &State, mv: Move) -> u64 {
        if GRAVITY {
            let open = self.column_of(mv.0) & !state.occupied;
            open & open.wrapping_neg()
        } else {
            1 << mv.0
        }
    }

    /// The cells whose stone may have been the last one placed.
    fn removable(&self, state: &State) -> u64 {
        if !GRAVITY {
            return state.other();
        }
        state.other() & !state.occupied.checked_shr(self.width).unwrap_or(0)
    }

    fn problem(&self, state: &State) -> Option<&'static str> {
        let below_empty = (!state.occupied).checked_shl(self.width).unwrap_or(0);
        if GRAVITY && state.occupied & below_empty != 0 {
            return Some("a stone floats over an empty cell");
        }
        if state.own.count_ones() != state.occupied.count_ones() / 2 {
            return Some("x has as many stones as o, or one more");
        }
        let over = self.has_line(state.other());
        let finished_by_one =
            || ones(self.removable(state)).any(|cell| !self.has_line(state.other() & !(1 << cell)));
        if self.has_line(state.own) || (over && !finished_by_one()) {
            return Some("nobody moves after a finished line");
        }
        None
    }
}

impl Direction {
    fn new(width: u32, height: u32, length: u32, (right, up): (i32, i32)) -> Direction {
        let fits = |cell: u32| {
            let last_column = (cell % width) as i32 + right * (length as i32 - 1);
            let last_row = (cell / width) as i32 + up * (length as i32 - 1);
            (0..width as i32).contains(&last_column) && (0..height as i32).contains(&last_row)
        };
        let starts =
            (0..width * height).filter(|&cell| fits(cell)).fold(0, |starts, cell| starts | 1 << cell);
        Direction { shift: (up * width as i32 + right).unsigned_abs(), starts }
    }
}

impl<const GRAVITY: bool> Game for LineGame<GRAVITY> {
    type State = State;

    fn id(&self) -> String {
        let LineGame { width, height, length, .. } = self;
        match (GRAVITY, width, height, length) {
            (false, 9, 4, 4) => "four-in-a-row".into(),
            (false, ..) => format!("line-{width}x{height}x{length}"),
            (true, ..) => format!("gravity-{width}x{height}x{length}"),
        }
    }

    fn start(&self) -> State {
        State::default()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if self.has_line(state.other()) {
            Turn::Over(Score::win_for(state.to_move().other()))
        } else if state.occupied == self.cells {
            Turn::Over(Score::DRAW)
        } else {
            Turn::Player(state.to_move())
        }
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        if self.has_line(state.other()) {
            return;
        }
        let open = !state.occupied & self.cells;
        if GRAVITY {
            out.extend((0..self.width).filter(|&column| open & self.column_of(column) != 0).map(Move));
        } else {
            out.extend(ones(open).map(Move));
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, mv: Move) {
        let cell = self.cell_of(state, mv);
        state.place(cell);
    }

    fn label(&self, state: &State, mv: Move) -> String {
        if GRAVITY {
            (u64::from(mv.0) + 1).to_string()
        } else if mv.0 < self.width * self.height {
            self.board(state).cell_name(mv.0 as usize)
        } else {
            format!("move number {}", mv.0)
        }
    }

    fn board(&self, state: &State) -> Board {
        let layout = if GRAVITY { Layout::Gravity } else { Layout::Grid };
        let (width, height) = (self.width as u16, self.height as u16);
        let stones = [("first's stone", 'x'), ("second's stone", 'o')];
        let mut board = Board::grid(layout, width, height, stones);
        if GRAVITY {
            // Moves name columns by number, so that the rows get the letters.
            let turned = Board::grid(layout, height, width, stones);
            (board.column_names, board.row_names) = (turned.row_names, turned.column_names);
        }
        self.squares(state, &mut board.squares);
        board
    }

    fn squares(&self, state: &State, out: &mut Vec<Square>) {
        out.clear();
        out.resize((self.width * self.height) as usize, Square::EMPTY);
        for side in Side::BOTH {
            for cell in ones(state.stones(side)) {
                out[cell as usize] = Square::stone(side);
            }
        }
    }

    fn cells(&self, state: &State, mv: Move) -> Vec<u16> {
        let known = if GRAVITY { mv.0 < self.width } else { mv.0 < self.width * self.height };
        if known { ones(self.cell_of(state, mv)).map(|cell| cell as u16).collect() } else { Vec::new() }
    }

    fn text(&self, state: &State) -> String {
        let [first, second] = Side::BOTH.map(|side| state.stones(side));
        (0..self.width * self.height)
            .map(|cell| match (first >> cell & 1, second >> cell & 1) {
                (1, _) => 'x',
                (_, 1) => 'o',
                _ => '.',
            })
            .collect()
    }

    fn parse(&self, text: &str) -> Result<State, PositionError> {
        let area = self.width * self.height;
        let error = |problem: &str| PositionError {
            game: self.id(),
            text: text.into(),
            problem: problem.into(),
            format: format!("{area} characters x, o or . row by row from a1"),
        };
        let marks: Vec<char> = text.trim().chars().collect();
        if marks.len() != area as usize {
            return Err(error(&format!("it has not {area} characters")));
        }
        let mut stones = [0u64; 2];
        for (cell, mark) in marks.into_iter().enumerate() {
            match mark {
                'x' | 'X' => stones[0] |= 1 << cell,
                'o' | 'O' => stones[1] |= 1 << cell,
                '.' => {}
                _ => return Err(error("it has a character other than x, o and a dot")),
            }
        }
        let occupied = stones[0] | stones[1];
        let state = State { own: stones[occupied.count_ones() as usize & 1], occupied };
        self.problem(&state).map_or(Ok(state), |problem| Err(error(problem)))
    }

    fn playout(&self, state: &mut State, rng: &mut Rng) -> Playout {
        if let Turn::Over(score) = self.turn(state) {
            return Playout { score, plies: 0 };
        }
        let before = state.occupied.count_ones();
        // The open cells or columns; one that is drawn and used up gives its place to the last.
        let mut open = [0u32; MOST_CELLS as usize];
        let mut left = 0;
        let free = !state.occupied & self.cells;
        for choice in 0..if GRAVITY { self.width } else { self.width * self.height } {
            let cells = if GRAVITY { self.column_of(choice) } else { 1 << choice };
            open[left] = choice;
            left += usize::from(cells & free != 0);
        }
        let score = loop {
            let drawn = rng.below(left as u32) as usize;
            let choice = open[drawn];
            state.place(self.cell_of(state, Move(choice)));
            if self.has_line(state.other()) {
                break Score::win_for(state.to_move().other());
            }
            if !GRAVITY || self.column_of(choice) & !state.occupied == 0 {
                left -= 1;
                open[drawn] = open[left];
            }
            if left == 0 {
                break Score::DRAW;
            }
        };
        Playout { score, plies: state.occupied.count_ones() - before }
    }

    fn mirrors(&self, state: &State) -> Vec<State> {
        let image = |symmetry: &Symmetry, cells| symmetry.cells(self.width, self.height, cells);
        self.symmetries
            .iter()
            .map(|symmetry| State {
                own: image(symmetry, state.own),
                occupied: image(symmetry, state.occupied),
            })
            .collect()
    }

    fn mirror_move(&self, _state: &State, mv: Move, which: usize) -> Move {
        // A column is where its cell in the first row is.
        Move(self.symmetries[which].cell(self.width, self.height, mv.0))
    }

    fn about(&self) -> GameAbout {
        let LineGame { width, height, length, .. } = self;
        let usual = if GRAVITY { Gravity::family() } else { Line::family() };
        let id = self.id();
        if id == usual.id {
            return usual;
        }
        let falls = if GRAVITY { ", stones fall" } else { "" };
        GameAbout {
            title: format!("{length} in a row on {width}×{height}{falls}"),
            summary: format!("{length} in a line on {width}×{height}{falls}"),
            id,
            ..usual
        }
    }

    fn facts(&self) -> Facts {
        let [width, height, length] = [self.width, self.height, self.length].map(|size| size as u16);
        let bits = (0..width * height).collect();
        Facts {
            lines: straight_lines(width, height, length),
            bits,
            hand: Some(Hand::Lines),
            ..Facts::default()
        }
    }

    #[inline]
    fn stones(&self, state: &State) -> [u64; 2] {
        let [own, other] = [state.own, state.other()];
        if state.to_move() == Side::First { [own, other] } else { [other, own] }
    }

    fn move_limit(&self) -> Option<u32> {
        Some(if GRAVITY { self.width } else { self.width * self.height })
    }

    fn max_plies(&self) -> Option<u32> {
        Some(self.width * self.height)
    }
}

impl Named for Line {
    fn family() -> GameAbout {
        GameAbout::new(
            "four-in-a-row",
            "Four in a row",
            "four in a line on 9×4, any cell; line-WxHxK is K in a line on W×H, up to 64 cells",
            "one character x, o or . a cell, row by row from a1",
        )
    }

    fn from_name(name: &str) -> Option<Line> {
        if name == "four-in-a-row" { Line::new(9, 4, 4) } else { Line::read_name(name, "line-") }
    }

    fn sizes() -> &'static str {
        "line-WxHxK is K in a line on W columns and H rows, at most 64 cells, K from 2 to the longer side"
    }
}

impl Named for Gravity {
    fn family() -> GameAbout {
        GameAbout::new(
            "gravity-7x6x4",
            "Falling line games",
            "gravity-WxHxK is K in a line on W×H, up to 64 cells, stones fall",
            "one character x, o or . a cell, row by row from the bottom",
        )
    }

    fn from_name(name: &str) -> Option<Gravity> {
        Gravity::read_name(name, "gravity-")
    }

    fn sizes() -> &'static str {
        "gravity-WxHxK is the same with stones that fall"
    }
}
