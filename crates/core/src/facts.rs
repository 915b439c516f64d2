//! What a game states about itself beside its rules. A mind asks for facts, never for the name of a game.

use serde::{Deserialize, Serialize};

use crate::{Board, Game, Rng, Score, Side, Turn};

/// The typed facts of a game.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Facts {
    /// The sets of cells that win for whoever fills one, in a fixed order; none where the game is not about lines.
    pub lines: Vec<Vec<u16>>,
    /// The cell of each bit of [`Game::stones`] ([`NO_CELL`] where a bit is none); empty where the game does not keep its stones so.
    pub bits: Vec<u16>,
    /// What a person would count in an unfinished position.
    pub hand: Option<Hand>,
    /// Other sets of cells that together decide the end or the result; empty where there are none beside the lines.
    pub sets: Vec<Vec<u16>>,
}

/// A bit that stands for no cell.
pub const NO_CELL: u16 = u16::MAX;

impl Facts {
    /// The contexts of a position: the lines, or the other sets of cells that decide.
    pub fn contexts(&self) -> &[Vec<u16>] {
        if self.lines.is_empty() { &self.sets } else { &self.lines }
    }

    /// The lines as sets of the bits of [`Game::stones`]; none where the game has no lines, or no such bits.
    pub fn line_sets(&self) -> Option<Vec<u64>> {
        if self.lines.is_empty() || self.bits.is_empty() || self.bits.len() > 64 {
            return None;
        }
        let bit = |cell: &u16| self.bits.iter().position(|of_bit| of_bit == cell);
        let set = |line: &Vec<u16>| line.iter().try_fold(0u64, |set, cell| Some(set | 1 << bit(cell)?));
        self.lines.iter().map(set).collect()
    }
}

/// A heuristic made by hand, as a game states it.
#[derive(Clone, PartialEq, Debug)]
pub enum Hand {
    /// The lines that only one side can still fill, the fuller the better.
    Lines,
    /// A weight for every cell; a sum of `half` counts as half a win.
    Squares {
        /// How people call the table.
        name: &'static str,
        /// Cell by cell.
        weights: Vec<f32>,
        /// The sum that counts as half a win.
        half: f32,
    },
    /// Who is ahead in a race ([`Game::race`]); a lead of `half` counts as half a win.
    Race {
        /// The lead that counts as half a win.
        half: f32,
    },
}

impl Hand {
    /// How settings name it.
    pub fn name(&self) -> &'static str {
        match self {
            Hand::Lines => "lines",
            Hand::Squares { .. } => "positional",
            Hand::Race { .. } => "pips",
        }
    }
}

/// Every straight line of `length` cells on a grid, by direction (right, up, both slants) and then row by row.
pub fn straight_lines(width: u16, height: u16, length: u16) -> Vec<Vec<u16>> {
    let [width, height, length] = [width, height, length].map(i32::from);
    let mut lines = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let (end_x, end_y) = (x + dx * (length - 1), y + dy * (length - 1));
            if (0..width).contains(&end_x) && (0..height).contains(&end_y) {
                lines.push((0..length).map(|i| ((y + dy * i) * width + x + dx * i) as u16).collect());
            }
        }
    }
    lines
}

/// One random game: what lay on every square of the board after every move.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedGame {
    /// One number of a piece ([`Board::pieces`]) a square; the start first.
    pub boards: Vec<Vec<u8>>,
    /// Who is to move in each position; none at the end and for dice.
    pub to_move: Vec<Option<Side>>,
    /// How many moves there are in each position; none at the end and for dice.
    pub choices: Vec<u32>,
    /// None for a game that was cut.
    pub score: Option<Score>,
}

/// Where random games come from, whatever the type of the game: what concepts are found in.
pub trait Recorder {
    /// The id of the game.
    fn game_id(&self) -> String;
    /// The board at the start.
    fn start_board(&self) -> Board;
    /// Many random games at once, where the game has a machine for that.
    fn record_many(&self, longest: u32, rng: &mut Rng) -> Option<Vec<RecordedGame>>;
    /// One uniformly random game; cut after `longest` moves.
    fn record(&self, longest: u32, rng: &mut Rng) -> RecordedGame;
}

impl<G: Game> Recorder for G {
    fn game_id(&self) -> String {
        self.id()
    }

    fn start_board(&self) -> Board {
        self.board(&self.start())
    }

    fn record_many(&self, longest: u32, rng: &mut Rng) -> Option<Vec<RecordedGame>> {
        self.recorded_games(longest, rng)
    }

    fn record(&self, longest: u32, rng: &mut Rng) -> RecordedGame {
        let mut state = self.start();
        let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
        let pieces = |state: &G::State| self.board(state).squares.iter().map(|square| square.piece).collect();
        let mut game = RecordedGame {
            boards: vec![pieces(&state)],
            to_move: Vec::new(),
            choices: Vec::new(),
            score: None,
        };
        for _ in 0..longest {
            let (side, choices, mv) = match self.turn(&state) {
                Turn::Over(score) => {
                    game.score = Some(score);
                    break;
                }
                Turn::Player(side) => {
                    self.moves(&state, &mut moves);
                    (Some(side), moves.len() as u32, moves[rng.below(moves.len() as u32) as usize])
                }
                Turn::Chance => {
                    self.chance(&state, &mut outcomes);
                    (None, 0, rng.outcome(&outcomes))
                }
            };
            game.to_move.push(side);
            game.choices.push(choices);
            self.apply(&mut state, mv);
            game.boards.push(pieces(&state));
        }
        game.to_move.push(None);
        game.choices.push(0);
        game
    }
}

/// What a list of games shows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameAbout {
    /// The name on the command line; for a family of games its most usual member.
    pub id: String,
    /// As people write it.
    pub title: String,
    /// One line.
    pub summary: String,
    /// What a position text looks like, with an example.
    pub position_format: String,
}

impl GameAbout {
    /// What can be said of a game that says nothing of itself.
    pub fn of(id: &str) -> GameAbout {
        let words = id.replace(['-', '_'], " ");
        let mut letters = words.chars();
        let title =
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect());
        GameAbout {
            id: id.into(),
            title,
            summary: String::new(),
            position_format: "what the game writes of a position".into(),
        }
    }

    /// With a title and a line about the game.
    pub fn new(id: &str, title: &str, summary: &str, position_format: &str) -> GameAbout {
        GameAbout {
            id: id.into(),
            title: title.into(),
            summary: summary.into(),
            position_format: position_format.into(),
        }
    }
}
