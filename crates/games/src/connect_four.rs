//! Connect Four on two 49-bit boards, seven bits a column (the layout of Tromp and of Pons), as [`geometry`] says.

use std::collections::HashSet;

use ludens_core::{
    Board, Facts, Game, GameAbout, Hand, Layout, Move, NO_CELL, Named, Playout, PositionError, Rng, Score,
    Side, Square, Turn, straight_lines,
};

pub mod geometry;

use self::geometry::{
    BITS, CELLS, COLUMN, DIRECTIONS, FULL, HEIGHT, STEP, WIDTH, bit_of_cell, cell_at, landing,
};

/// The rules of Connect Four.
#[derive(Clone, Copy, Default, Debug)]
pub struct ConnectFour;

/// The stones of the side to move, and those of both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct State {
    own: u64,
    occupied: u64,
}

/// Whether a set of stones holds four in a line.
#[inline]
pub fn has_four(stones: u64) -> bool {
    let mut found = 0;
    for direction in DIRECTIONS {
        let pairs = stones & (stones >> direction);
        found |= pairs & (pairs >> (2 * direction));
    }
    found != 0
}

impl State {
    /// A position from its bits; `None` when discs float, the counts do not alternate, or the game went on after
    /// a four.
    pub fn from_bits(own: u64, occupied: u64) -> Option<State> {
        let state = State { own, occupied };
        let settled = occupied & !FULL == 0
            && (0..WIDTH).all(|column| {
                let discs = occupied >> (STEP * column) & COLUMN;
                discs & (discs + 1) == 0
            });
        if !settled || own & !occupied != 0 || has_four(own) {
            return None;
        }
        (own.count_ones() == occupied.count_ones() / 2 && state.has_a_last_move()).then_some(state)
    }

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

    /// How many discs were played.
    #[inline]
    pub fn plies(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// The side to move, were the game not over.
    #[inline]
    pub fn to_move(&self) -> Side {
        if self.plies() & 1 == 0 { Side::First } else { Side::Second }
    }

    /// The cells where a disc would land now, at most one a column.
    #[inline]
    pub fn landing_cells(&self) -> u64 {
        landing(self.occupied)
    }

    /// The same position seen from behind the board.
    pub fn mirrored(&self) -> State {
        State { own: flip_columns(self.own), occupied: flip_columns(self.occupied) }
    }

    fn stones(&self, side: Side) -> u64 {
        if side == self.to_move() { self.own } else { self.other() }
    }

    fn drop_disc(&mut self, column: u32) {
        let landing = self.occupied + (1 << (STEP * column));
        self.own ^= self.occupied;
        self.occupied |= landing;
    }

    /// A finished game has a disc on top that finished it: without that disc there is no four.
    fn has_a_last_move(&self) -> bool {
        !has_four(self.other()) || self.finishing_columns().next().is_some()
    }

    /// The columns whose top disc may have been the last one dropped in a won game.
    fn finishing_columns(self) -> impl Iterator<Item = u32> {
        (0..WIDTH).filter(move |column| {
            let cells = self.occupied & (COLUMN << (STEP * column));
            let top = cells & !(cells >> 1);
            self.other() & top != 0 && !has_four(self.other() & !top)
        })
    }

    /// An order of moves that leads here, as columns, if there is one (a set of fallen discs with the right counts
    /// need not be reachable by turns).
    fn some_order(&self) -> Option<Vec<u32>> {
        if !has_four(self.other()) {
            return order_of(self);
        }
        self.finishing_columns().find_map(|column| {
            let cells = self.occupied & (COLUMN << (STEP * column));
            let top = cells & !(cells >> 1);
            let before = State { own: self.other() & !top, occupied: self.occupied & !top };
            let mut order = order_of(&before)?;
            order.push(column);
            Some(order)
        })
    }
}

/// An order of moves that leads to an unfinished position: turns taken back from the end, depth first. The set
/// of discs left says everything, so that no set is tried twice.
fn order_of(end: &State) -> Option<Vec<u32>> {
    fn take_back(state: State, dead: &mut HashSet<u64>, order: &mut Vec<u32>) -> bool {
        if state.occupied == 0 {
            return true;
        }
        if dead.contains(&state.occupied) {
            return false;
        }
        for column in (0..WIDTH).rev() {
            let cells = state.occupied & (COLUMN << (STEP * column));
            let top = cells & !(cells >> 1);
            if state.other() & top == 0 {
                continue;
            }
            order.push(column);
            if take_back(State { own: state.other() & !top, occupied: state.occupied & !top }, dead, order) {
                return true;
            }
            order.pop();
        }
        dead.insert(state.occupied);
        false
    }
    let mut order = Vec::new();
    take_back(*end, &mut HashSet::new(), &mut order).then(|| {
        order.reverse();
        order
    })
}

fn flip_columns(cells: u64) -> u64 {
    (0..WIDTH).fold(0, |flipped, column| {
        flipped | (cells >> (STEP * column) & COLUMN) << (STEP * (WIDTH - 1 - column))
    })
}

impl ConnectFour {
    fn error(&self, text: &str, problem: &str) -> PositionError {
        PositionError {
            game: self.id(),
            text: text.into(),
            problem: problem.into(),
            format: Self::family().position_format,
        }
    }

    fn parse_columns(&self, text: &str) -> Result<State, PositionError> {
        let mut state = self.start();
        for digit in text.chars() {
            let column = match digit {
                '1'..='7' => u32::from(digit) - u32::from('1'),
                _ => return Err(self.error(text, "it has a character that is not a column from 1 to 7")),
            };
            self.play(&mut state, Move(column))
                .map_err(|_| self.error(text, "it drops a disc into a full column or after the end"))?;
        }
        Ok(state)
    }

    fn parse_cells(&self, text: &str) -> Result<State, PositionError> {
        let mut stones = [0u64; 2];
        for (square, mark) in text.chars().enumerate() {
            match mark {
                'x' | 'X' => stones[0] |= bit_of_cell(square as u32),
                'o' | 'O' => stones[1] |= bit_of_cell(square as u32),
                '.' => {}
                _ => return Err(self.error(text, "it has a character other than x, o and a dot")),
            }
        }
        let occupied = stones[0] | stones[1];
        State::from_bits(stones[occupied.count_ones() as usize & 1], occupied).ok_or_else(|| {
            self.error(text, "its discs float, or are not of two players in turn, or go on after a four")
        })
    }
}

impl Game for ConnectFour {
    type State = State;

    fn id(&self) -> String {
        "connect-four".into()
    }

    fn about(&self) -> GameAbout {
        GameAbout::new(
            "connect-four",
            "Connect Four",
            "four in a line on 7×6, discs fall",
            "the columns played, 1 to 7, such as 4433 (empty at the start), \
                          or 42 characters x, o or . row by row from the bottom",
        )
    }

    fn start(&self) -> State {
        State::default()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if has_four(state.other()) {
            Turn::Over(Score::win_for(state.to_move().other()))
        } else if state.occupied == FULL {
            Turn::Over(Score::DRAW)
        } else {
            Turn::Player(state.to_move())
        }
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        out.clear();
        if !has_four(state.other()) {
            let open = state.landing_cells();
            out.extend((0..WIDTH).filter(|column| open & (COLUMN << (STEP * column)) != 0).map(Move));
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, mv: Move) {
        state.drop_disc(mv.0);
    }

    fn label(&self, _state: &State, mv: Move) -> String {
        (u64::from(mv.0) + 1).to_string()
    }

    fn board(&self, state: &State) -> Board {
        let mut board = Board::grid(
            Layout::Gravity,
            WIDTH as u16,
            HEIGHT as u16,
            [("first's disc", 'x'), ("second's disc", 'o')],
        );
        board.column_names = (1..=WIDTH).map(|column| column.to_string()).collect();
        board.row_names = ('a'..).take(HEIGHT as usize).map(String::from).collect();
        self.squares(state, &mut board.squares);
        board
    }

    fn squares(&self, state: &State, out: &mut Vec<Square>) {
        let stones = Side::BOTH.map(|side| state.stones(side));
        out.clear();
        out.extend((0..CELLS).map(bit_of_cell).map(|bit| {
            let [first, second] = stones.map(|stones| stones & bit != 0);
            if first {
                Square::stone(Side::First)
            } else if second {
                Square::stone(Side::Second)
            } else {
                Square::EMPTY
            }
        }));
    }

    fn ends(&self, state: &State, moves: &[Move], out: &mut Vec<[u16; 2]>) {
        let open = state.landing_cells();
        let landing = |mv: &Move| {
            let cells = (0..HEIGHT).map(|row| row * WIDTH + mv.0).filter(|_| mv.0 < WIDTH);
            let square = cells.into_iter().find(|&square| open & bit_of_cell(square) != 0);
            [NO_CELL, square.map_or(NO_CELL, |square| square as u16)]
        };
        out.clear();
        out.extend(moves.iter().map(landing));
    }

    /// The cell where the disc would land.
    fn cells(&self, state: &State, mv: Move) -> Vec<u16> {
        let open = state.landing_cells();
        (0..HEIGHT)
            .map(|row| row * WIDTH + mv.0)
            .filter(|&square| mv.0 < WIDTH && open & bit_of_cell(square) != 0)
            .map(|square| square as u16)
            .collect()
    }

    /// The columns of an order of play that leads here; the 42 cells where there is none.
    fn text(&self, state: &State) -> String {
        if let Some(order) = state.some_order() {
            return order.into_iter().map(|column| char::from(b'1' + column as u8)).collect();
        }
        let [first, second] = Side::BOTH.map(|side| state.stones(side));
        (0..CELLS)
            .map(|square| match (first & bit_of_cell(square), second & bit_of_cell(square)) {
                (0, 0) => '.',
                (_, 0) => 'x',
                _ => 'o',
            })
            .collect()
    }

    fn parse(&self, text: &str) -> Result<State, PositionError> {
        let text = text.trim();
        let is_board = text.chars().count() == CELLS as usize && text.contains(['x', 'X', 'o', 'O', '.']);
        if is_board { self.parse_cells(text) } else { self.parse_columns(text) }
    }

    /// A column is drawn among all seven and drawn again when it is full, which leaves the open ones equally likely.
    fn encode(&self, state: &State, side: Side, out: &mut Vec<f32>) {
        let (own, other) = (state.stones(side), state.stones(side.other()));
        out.clear();
        for row in 0..HEIGHT {
            for column in 0..WIDTH {
                let bit = STEP * column + row;
                out.push((own >> bit & 1) as f32 - (other >> bit & 1) as f32);
            }
        }
    }

    fn encoding_len(&self) -> usize {
        CELLS as usize
    }

    fn playout(&self, state: &mut State, rng: &mut Rng) -> Playout {
        if let Turn::Over(score) = self.turn(state) {
            return Playout { score, plies: 0 };
        }
        let before = state.plies();
        let State { mut own, mut occupied } = *state;
        let drawn = 'game: loop {
            // One random number read as a fraction in base 7: eight digits leave 41 spare bits, so that the digits
            // are even to a part in 10¹².
            let mut fraction = rng.next_u64();
            for _ in 0..8 {
                let product = u128::from(fraction) * u128::from(WIDTH);
                fraction = product as u64;
                let shift = STEP * (product >> 64) as u32;
                let landing = (occupied + (1 << shift)) & (COLUMN << shift);
                if landing == 0 {
                    continue;
                }
                let moved = own | landing;
                own ^= occupied;
                occupied |= landing;
                if has_four(moved) {
                    break 'game false;
                }
                if occupied == FULL {
                    break 'game true;
                }
            }
        };
        *state = State { own, occupied };
        let score = if drawn { Score::DRAW } else { Score::win_for(state.to_move().other()) };
        Playout { score, plies: state.plies() - before }
    }

    fn mirrors(&self, state: &State) -> Vec<State> {
        vec![state.mirrored()]
    }

    fn mirror_move(&self, _state: &State, mv: Move, _which: usize) -> Move {
        Move(WIDTH - 1 - mv.0)
    }

    fn facts(&self) -> Facts {
        let cell = |place: u32| cell_at(place).map_or(NO_CELL, |cell| cell as u16);
        let bits = (0..BITS).map(cell).collect();
        Facts {
            lines: straight_lines(WIDTH as u16, HEIGHT as u16, 4),
            bits,
            hand: Some(Hand::Lines),
            ..Facts::default()
        }
    }

    fn is_connect_four(&self) -> bool {
        true
    }

    #[inline]
    fn stones(&self, state: &State) -> [u64; 2] {
        let [own, other] = [state.own, state.other()];
        if state.to_move() == Side::First { [own, other] } else { [other, own] }
    }

    fn move_limit(&self) -> Option<u32> {
        Some(WIDTH)
    }

    fn max_plies(&self) -> Option<u32> {
        Some(CELLS)
    }
}

impl Named for ConnectFour {
    fn family() -> GameAbout {
        ConnectFour.about()
    }

    fn from_name(name: &str) -> Option<ConnectFour> {
        matches!(name, "connect-four" | "connect4" | "connectfour").then_some(ConnectFour)
    }
}
