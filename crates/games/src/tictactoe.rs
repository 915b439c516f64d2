//! Tic-tac-toe on two 9-bit boards.
//!
//! ```text
//!     6 7 8      a cell is a bit; the board is drawn with row 1 at the bottom,
//!     3 4 5      so that bit 0 is a1 and bit 8 is c3
//!     0 1 2
//! ```

use ludens_core::{
    Board, Facts, Game, GameAbout, Hand, Layout, Move, Named, Playout, PositionError, Rng, Score, Side,
    Square, Turn, straight_lines,
};

use crate::symmetry::{OF_A_SQUARE, Symmetry};

/// The rules of tic-tac-toe.
#[derive(Clone, Copy, Default, Debug)]
pub struct TicTacToe;

/// The stones of both sides; whose turn it is follows from them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct State {
    /// The stones of x (First) and of o (Second).
    stones: [u16; 2],
}

const FULL: u16 = 0o777;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Bit `stones` is set when that set of cells holds a line: 512 answers in 64 bytes.
const HAS_LINE: [u64; 8] = {
    let mut table = [0u64; 8];
    let mut stones = 0;
    while stones < 512 {
        let mut line = 0;
        while line < 8 {
            if stones & LINES[line] == LINES[line] {
                table[(stones >> 6) as usize] |= 1 << (stones & 63);
            }
            line += 1;
        }
        stones += 1;
    }
    table
};

/// `NTH_EMPTY[occupied][n]` is the n-th empty cell, as a bit.
static NTH_EMPTY: [[u16; 9]; 512] = {
    let mut table = [[0; 9]; 512];
    let mut occupied = 0;
    while occupied < 512 {
        let (mut cell, mut found) = (0, 0);
        while cell < 9 {
            if occupied >> cell & 1 == 0 {
                table[occupied][found] = 1 << cell;
                found += 1;
            }
            cell += 1;
        }
        occupied += 1;
    }
    table
};

fn has_line(stones: u16) -> bool {
    HAS_LINE[usize::from(stones >> 6) & 7] >> (stones & 63) & 1 == 1
}

impl State {
    fn occupied(self) -> u16 {
        self.stones[0] | self.stones[1]
    }

    fn to_move(self) -> Side {
        if self.stones[0].count_ones() == self.stones[1].count_ones() { Side::First } else { Side::Second }
    }
}

impl Game for TicTacToe {
    type State = State;

    fn id(&self) -> String {
        "tic-tac-toe".into()
    }

    fn about(&self) -> GameAbout {
        GameAbout::new(
            "tic-tac-toe",
            "Tic-tac-toe",
            "three in a row on 3×3",
            "nine characters x, o or . from a1 to c3, row 1 first, such as x...o....",
        )
    }

    fn start(&self) -> State {
        State::default()
    }

    fn turn(&self, state: &State) -> Turn {
        if has_line(state.stones[0]) {
            Turn::Over(Score::FIRST_WINS)
        } else if has_line(state.stones[1]) {
            Turn::Over(Score::SECOND_WINS)
        } else if state.occupied() == FULL {
            Turn::Over(Score::DRAW)
        } else {
            Turn::Player(state.to_move())
        }
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        if let Turn::Player(_) = self.turn(state) {
            out.extend((0..9).filter(|cell| state.occupied() >> cell & 1 == 0).map(Move));
        }
    }

    fn apply(&self, state: &mut State, mv: Move) {
        state.stones[state.to_move().index()] |= 1 << mv.0;
    }

    fn label(&self, state: &State, mv: Move) -> String {
        if mv.0 < 9 { self.board(state).cell_name(mv.0 as usize) } else { format!("move number {}", mv.0) }
    }

    fn board(&self, state: &State) -> Board {
        let mut board = Board::grid(Layout::Grid, 3, 3, [("x", 'x'), ("o", 'o')]);
        self.squares(state, &mut board.squares);
        board
    }

    fn squares(&self, state: &State, out: &mut Vec<Square>) {
        out.clear();
        out.resize(9, Square::EMPTY);
        for side in Side::BOTH {
            for cell in (0..9).filter(|cell| state.stones[side.index()] >> cell & 1 == 1) {
                out[cell] = Square::stone(side);
            }
        }
    }

    fn cells(&self, _state: &State, mv: Move) -> Vec<u16> {
        vec![mv.0 as u16]
    }

    fn text(&self, state: &State) -> String {
        (0..9)
            .map(|cell| match (state.stones[0] >> cell & 1, state.stones[1] >> cell & 1) {
                (1, _) => 'x',
                (_, 1) => 'o',
                _ => '.',
            })
            .collect()
    }

    fn parse(&self, text: &str) -> Result<State, PositionError> {
        let error = |problem: &str| PositionError {
            game: self.id(),
            text: text.into(),
            problem: problem.into(),
            format: Self::family().position_format,
        };
        let mut state = State::default();
        let cells: Vec<char> = text.trim().chars().collect();
        if cells.len() != 9 {
            return Err(error("it has not nine characters"));
        }
        for (cell, mark) in cells.into_iter().enumerate() {
            match mark {
                'x' | 'X' => state.stones[0] |= 1 << cell,
                'o' | 'O' => state.stones[1] |= 1 << cell,
                '.' => {}
                _ => return Err(error("it has a character other than x, o and a dot")),
            }
        }
        let [first, second] = state.stones.map(u16::count_ones);
        if first != second && first != second + 1 {
            return Err(error("x has as many stones as o, or one more"));
        }
        let [first_line, second_line] = state.stones.map(has_line);
        let moved_on = (first_line && first == second) || (second_line && first != second);
        if moved_on || (first_line && second_line) {
            return Err(error("nobody moves after a finished line"));
        }
        Ok(state)
    }

    /// One random number serves a whole game: read as a fraction in base 9, then 8, 7 … its first digits choose
    /// among the empty cells, and 9! leaves 45 spare bits, so that they are even to a part in 10¹³.
    fn playout(&self, state: &mut State, rng: &mut Rng) -> Playout {
        if let Turn::Over(score) = self.turn(state) {
            return Playout { score, plies: 0 };
        }
        let mut fraction = rng.next_u64();
        let before = state.occupied().count_ones();
        let mover = state.to_move().index();
        let [mut own, mut other] = [state.stones[mover], state.stones[1 - mover]];
        let mut empty = 9 - before;
        let won = loop {
            let product = u128::from(fraction) * u128::from(empty);
            fraction = product as u64;
            own |= NTH_EMPTY[usize::from(own | other) & 511][(product >> 64) as usize % 9];
            empty -= 1;
            (own, other) = (other, own);
            if has_line(other) {
                break true;
            }
            if empty == 0 {
                break false;
            }
        };
        let plies = 9 - empty - before;
        let last = if plies % 2 == 1 { mover } else { 1 - mover };
        state.stones[last] = other;
        state.stones[1 - last] = own;
        let score = if won { Score::win_for(Side::BOTH[last]) } else { Score::DRAW };
        Playout { score, plies }
    }

    fn mirrors(&self, state: &State) -> Vec<State> {
        let image = |symmetry: Symmetry, stones: u16| symmetry.cells(3, 3, u64::from(stones)) as u16;
        OF_A_SQUARE
            .into_iter()
            .map(|symmetry| State { stones: state.stones.map(|stones| image(symmetry, stones)) })
            .collect()
    }

    fn mirror_move(&self, _state: &State, mv: Move, which: usize) -> Move {
        Move(OF_A_SQUARE[which].cell(3, 3, mv.0))
    }

    fn facts(&self) -> Facts {
        Facts {
            lines: straight_lines(3, 3, 3),
            bits: (0..9).collect(),
            hand: Some(Hand::Lines),
            ..Facts::default()
        }
    }

    fn stones(&self, state: &State) -> [u64; 2] {
        state.stones.map(u64::from)
    }

    fn move_limit(&self) -> Option<u32> {
        Some(9)
    }

    fn max_plies(&self) -> Option<u32> {
        Some(9)
    }
}

impl Named for TicTacToe {
    fn family() -> GameAbout {
        TicTacToe.about()
    }

    fn from_name(name: &str) -> Option<TicTacToe> {
        matches!(name, "tic-tac-toe" | "tictactoe").then_some(TicTacToe)
    }
}
