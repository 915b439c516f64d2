//! A game of one's own: Chomp. Who has to eat the poisoned corner of the chocolate loses.
//!
//!     cargo run --release -- play chomp --against uct --why
//!     cargo run --release -- train nhb --game chomp
//!     cargo run --release -- serve

use ludens::prelude::*;

const WIDTH: u16 = 4;
const HEIGHT: u16 = 3;

struct Chomp;

/// How many pieces are left in each row, the lowest first, and who is to bite. A row is never longer than the one below it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Chocolate {
    rows: [u16; HEIGHT as usize],
    bites: Side,
}

impl Chomp {
    fn wrong(&self, text: &str, problem: &str) -> PositionError {
        PositionError {
            game: self.id(),
            text: text.into(),
            problem: problem.into(),
            format: self.about().position_format,
        }
    }
}

impl Game for Chomp {
    type State = Chocolate;

    fn id(&self) -> String {
        "chomp".into()
    }

    fn about(&self) -> GameAbout {
        let format = "the pieces left in each row, the lowest first, and who bites: 443 first";
        GameAbout::new("chomp", "Chomp", "whoever eats the poisoned corner loses", format)
    }

    fn start(&self) -> Chocolate {
        Chocolate { rows: [WIDTH; HEIGHT as usize], bites: Side::First }
    }

    fn turn(&self, state: &Chocolate) -> Turn {
        // The one who bit last ate the corner.
        if state.rows[0] == 0 { Turn::Over(Score::win_for(state.bites)) } else { Turn::Player(state.bites) }
    }

    fn moves(&self, state: &Chocolate, out: &mut Vec<Move>) {
        out.clear();
        let cells = (0..HEIGHT).flat_map(|row| (0..WIDTH).map(move |column| (column, row)));
        let left = cells.filter(|&(column, row)| column < state.rows[usize::from(row)]);
        out.extend(left.map(|(column, row)| Move(u32::from(row * WIDTH + column))));
    }

    /// A bite takes the piece and everything above it and to the right of it.
    fn apply(&self, state: &mut Chocolate, mv: Move) {
        let (column, row) = (mv.0 as u16 % WIDTH, mv.0 as usize / usize::from(WIDTH));
        for above in &mut state.rows[row..] {
            *above = (*above).min(column);
        }
        state.bites = state.bites.other();
    }

    fn label(&self, state: &Chocolate, mv: Move) -> String {
        self.board(state).cell_name(mv.0 as usize)
    }

    fn board(&self, state: &Chocolate) -> Board {
        let mut board = Board::grid(Layout::Grid, WIDTH, HEIGHT, [("", ' '), ("", ' ')]);
        board.pieces.truncate(1);
        board.pieces.push(Piece::new("chocolate", '#', None));
        board.pieces.push(Piece::new("the poisoned piece", '!', None));
        for (row, &left) in state.rows.iter().enumerate() {
            for column in 0..left {
                let piece = if (row, column) == (0, 0) { 2 } else { 1 };
                board.squares[row * usize::from(WIDTH) + usize::from(column)] =
                    Square { piece, count: 1, side: None };
            }
        }
        board
    }

    fn cells(&self, _: &Chocolate, mv: Move) -> Vec<u16> {
        vec![mv.0 as u16]
    }

    fn text(&self, state: &Chocolate) -> String {
        let rows: String = state.rows.iter().map(|left| left.to_string()).collect();
        format!("{rows} {}", state.bites)
    }

    fn parse(&self, text: &str) -> Result<Chocolate, PositionError> {
        let (rows, bites) = text.split_once(' ').ok_or_else(|| self.wrong(text, "there is no space in it"))?;
        let left: Vec<u16> = rows.chars().filter_map(|c| c.to_digit(10)).map(|n| n as u16).collect();
        let rows = left.try_into().map_err(|_| self.wrong(text, "it has not three rows"))?;
        let state = Chocolate {
            rows,
            bites: match bites {
                "first" => Side::First,
                "second" => Side::Second,
                _ => return Err(self.wrong(text, "who bites is first or second")),
            },
        };
        let falls = state.rows.windows(2).all(|two| two[0] >= two[1]);
        if falls && state.rows[0] <= WIDTH && rows_text(rows) == text.split(' ').next().unwrap_or("") {
            Ok(state)
        } else {
            Err(self.wrong(text, "such a chocolate cannot be"))
        }
    }

    /// What networks see: one input a piece, the same for both sides.
    fn encode(&self, state: &Chocolate, _: Side, out: &mut Vec<f32>) {
        let squares = self.board(state).squares;
        out.clear();
        out.extend(squares.iter().map(|square| f32::from(square.count)));
    }

    fn max_plies(&self) -> Option<u32> {
        Some(u32::from(WIDTH * HEIGHT))
    }
}

fn rows_text(rows: [u16; HEIGHT as usize]) -> String {
    rows.iter().map(|left| left.to_string()).collect()
}

fn main() -> std::process::ExitCode {
    ludens::cli::main(Catalogue::standard().with_game(Chomp))
}
