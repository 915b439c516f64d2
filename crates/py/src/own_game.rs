//! A Python class as a game: five methods, and more if it likes. Every call takes the interpreter's lock, so it is slow, and
//! [`OwnGame::about`](ludens_core::Game::about) says so.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use ludens_core::{
    Board, Facts, Game, GameAbout, Layout, Move, Playout, PositionError, Rng, Score, Side, Square, Turn,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::work::Trouble;

/// The five methods without which it is no game.
const METHODS: [&str; 5] =
    ["new_initial_state", "current_player", "legal_actions", "apply_action", "returns"];
/// `current_player` where dice are to be rolled.
const CHANCE: i64 = -1;
/// A random game that is longer has no end: nobody can wait for it.
const LONGEST_PLAYOUT: u32 = 100_000;

/// A game whose rules are a Python object.
#[derive(Debug)]
pub struct OwnGame {
    pub name: String,
    pub object: Py<PyAny>,
    pub trouble: Arc<Trouble>,
    summary: String,
    lines: Vec<Vec<u16>>,
    limit: Option<u32>,
    max_plies: Option<u32>,
    has_board: bool,
}

/// A state is known by its text, so that it is equal and hashed the same in every process.
#[derive(Clone, Debug)]
pub struct OwnState {
    object: Arc<Py<PyAny>>,
    text: Arc<str>,
}

impl PartialEq for OwnState {
    fn eq(&self, other: &OwnState) -> bool {
        self.text == other.text
    }
}

impl Eq for OwnState {}

impl Hash for OwnState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.text.hash(hasher);
    }
}

impl OwnGame {
    /// Takes an object for a game, after a look at its first position.
    pub fn new(object: &Bound<'_, PyAny>) -> PyResult<OwnGame> {
        for method in METHODS {
            if !object.getattr(method).is_ok_and(|found| found.is_callable()) {
                let problem = format!("a game needs a method {method}; it has {}", METHODS.join(", "));
                return Err(PyTypeError::new_err(problem));
            }
        }
        let optional = |name: &str| object.getattr(name).ok().filter(|found| !found.is_none());
        let class = object.get_type().name()?.to_string();
        let name = match optional("name") {
            Some(name) => name.extract::<String>()?,
            None => class.to_lowercase(),
        };
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || !name.chars().all(allowed) {
            let problem = format!("{name:?} is no name of a game: small letters, digits and -");
            return Err(PyValueError::new_err(problem));
        }
        let summary = match optional("summary") {
            Some(summary) => format!("{} (in Python, slow)", summary.extract::<String>()?),
            None => "a game written in Python, slow".into(),
        };
        let number = |name: &str| optional(name).map(|found| found.extract::<u32>()).transpose();
        let game = OwnGame {
            name,
            summary,
            lines: optional("lines").map(|lines| lines.extract()).transpose()?.unwrap_or_default(),
            limit: number("num_distinct_actions")?,
            max_plies: number("max_game_length")?,
            has_board: optional("board").is_some(),
            object: object.clone().unbind(),
            trouble: Arc::default(),
        };
        game.look(object.py())?;
        Ok(game)
    }

    /// Fails where the first position already does not work.
    fn look(&self, py: Python<'_>) -> PyResult<()> {
        let start = self.wrap(self.object.bind(py).call_method0("new_initial_state")?)?;
        self.ask_turn(py, &start)?;
        let squares = self.ask_board(py, &start)?.squares.len();
        if let Some(cell) = self.lines.iter().flatten().find(|cell| usize::from(**cell) >= squares) {
            return Err(PyValueError::new_err(format!("lines names cell {cell}, the board has {squares}")));
        }
        let text = start.text.to_string();
        self.read(py, &text).map_err(|problem| {
            PyValueError::new_err(format!(
                "the first state cannot be read back from its text {text:?} ({problem}): make states of numbers, strings and tuples"
            ))
        })?;
        Ok(())
    }

    fn wrap(&self, object: Bound<'_, PyAny>) -> PyResult<OwnState> {
        let text: String = object.repr()?.extract()?;
        Ok(OwnState { object: Arc::new(object.unbind()), text: text.into() })
    }

    /// The state of a text: Python's literals and nothing else.
    fn read(&self, py: Python<'_>, text: &str) -> Result<OwnState, String> {
        let plain = |error: PyErr| error.value(py).to_string();
        let object =
            py.import("ast").and_then(|ast| ast.call_method1("literal_eval", (text,))).map_err(plain)?;
        let state = self.wrap(object).map_err(plain)?;
        self.ask_turn(py, &state).map_err(plain)?;
        Ok(state)
    }

    /// Calls into Python; what is raised is kept, and the answer is then `otherwise`.
    fn ask<T>(&self, otherwise: T, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        if self.trouble.is_broken() {
            return otherwise;
        }
        Python::attach(call).unwrap_or_else(|error| {
            self.trouble.keep(error);
            otherwise
        })
    }

    fn call<'py>(&self, py: Python<'py>, method: &str, state: &OwnState) -> PyResult<Bound<'py, PyAny>> {
        self.object.bind(py).call_method1(method, (state.object.bind(py),))
    }

    fn ask_turn(&self, py: Python<'_>, state: &OwnState) -> PyResult<Turn> {
        let player: Option<i64> = self.call(py, "current_player", state)?.extract()?;
        Ok(match player {
            Some(0) => Turn::Player(Side::First),
            Some(1) => Turn::Player(Side::Second),
            Some(CHANCE) => Turn::Chance,
            _ => Turn::Over(self.ask_score(py, state)?),
        })
    }

    fn ask_score(&self, py: Python<'_>, state: &OwnState) -> PyResult<Score> {
        let returns = self.call(py, "returns", state)?;
        let first = match returns.extract::<f32>() {
            Ok(score) => score,
            Err(_) => {
                let [first, second]: [f32; 2] = returns.extract()?;
                if first != -second {
                    let problem =
                        format!("returns gave {first} and {second}: what one wins, the other loses");
                    return Err(PyValueError::new_err(problem));
                }
                first
            }
        };
        if !(-1.0..=1.0).contains(&first) {
            return Err(PyValueError::new_err(format!("returns gave {first}: a result is from -1 to 1")));
        }
        Ok(Score(first))
    }

    fn ask_board(&self, py: Python<'_>, state: &OwnState) -> PyResult<Board> {
        let stones = [("x", 'x'), ("o", 'o')];
        if !self.has_board {
            let mut board = Board::grid(Layout::Grid, 1, 1, stones);
            board.notes.push(("state".into(), state.text.to_string()));
            return Ok(board);
        }
        let rows: Vec<String> = self.call(py, "board", state)?.extract()?;
        let wide = rows.first().map_or(0, |row| row.chars().count());
        if wide == 0 || wide > 64 || rows.len() > 64 || rows.iter().any(|row| row.chars().count() != wide) {
            return Err(PyValueError::new_err(
                "board must give rows of one length, up to 64 by 64, the top row first",
            ));
        }
        let mut board = Board::grid(Layout::Grid, wide as u16, rows.len() as u16, stones);
        for (square, glyph) in board.squares.iter_mut().zip(rows.iter().rev().flat_map(|row| row.chars())) {
            *square = match glyph {
                'x' => Square::stone(Side::First),
                'o' => Square::stone(Side::Second),
                '.' => Square::EMPTY,
                other => {
                    let problem =
                        format!("board gave {other:?}: x is the first player's, o the second's, . is empty");
                    return Err(PyValueError::new_err(problem));
                }
            };
        }
        Ok(board)
    }

    fn has(&self, py: Python<'_>, method: &str) -> bool {
        self.object.bind(py).getattr(method).is_ok_and(|found| found.is_callable())
    }

    fn play_on(&self, py: Python<'_>, state: &OwnState, mv: Move) -> PyResult<OwnState> {
        let object = self.object.bind(py);
        self.wrap(object.call_method1("apply_action", (state.object.bind(py), mv.0))?)
    }

    /// Something that looks like a state where there is none.
    fn nowhere(&self) -> OwnState {
        Python::attach(|py| OwnState { object: Arc::new(py.None()), text: "None".into() })
    }
}

impl Game for OwnGame {
    type State = OwnState;

    fn id(&self) -> String {
        self.name.clone()
    }

    fn about(&self) -> GameAbout {
        GameAbout { summary: self.summary.clone(), ..GameAbout::of(&self.name) }
    }

    fn start(&self) -> OwnState {
        if self.trouble.is_broken() {
            return self.nowhere();
        }
        let made = Python::attach(|py| self.wrap(self.object.bind(py).call_method0("new_initial_state")?));
        made.unwrap_or_else(|error| {
            self.trouble.keep(error);
            self.nowhere()
        })
    }

    fn turn(&self, state: &OwnState) -> Turn {
        self.ask(Turn::Over(Score::DRAW), |py| self.ask_turn(py, state))
    }

    fn moves(&self, state: &OwnState, out: &mut Vec<Move>) {
        out.clear();
        // Whoever has begun to choose must find something: the next look says that the game is over.
        let found = self.ask(vec![0], |py| {
            if !matches!(self.ask_turn(py, state)?, Turn::Player(_)) {
                return Ok(Vec::new());
            }
            let moves: Vec<u32> = self.call(py, "legal_actions", state)?.extract()?;
            if moves.is_empty() {
                return Err(PyValueError::new_err(format!("legal_actions gave none in {}", state.text)));
            }
            Ok(moves)
        });
        out.extend(found.into_iter().map(Move));
    }

    fn apply(&self, state: &mut OwnState, mv: Move) {
        let next = self.ask(None, |py| self.play_on(py, state, mv).map(Some));
        if let Some(next) = next {
            *state = next;
        }
    }

    fn label(&self, state: &OwnState, mv: Move) -> String {
        self.ask(mv.0.to_string(), |py| {
            if !self.has(py, "action_to_string") {
                return Ok(mv.0.to_string());
            }
            self.object.bind(py).call_method1("action_to_string", (state.object.bind(py), mv.0))?.extract()
        })
    }

    fn board(&self, state: &OwnState) -> Board {
        let nothing = Board::grid(Layout::Grid, 1, 1, [("x", 'x'), ("o", 'o')]);
        self.ask(nothing, |py| self.ask_board(py, state))
    }

    /// The squares that are not the same afterwards.
    fn cells(&self, state: &OwnState, mv: Move) -> Vec<u16> {
        self.ask(Vec::new(), |py| {
            let before = self.ask_board(py, state)?;
            let after = self.ask_board(py, &self.play_on(py, state, mv)?)?;
            let both = before.squares.iter().zip(&after.squares).enumerate();
            Ok(both.filter(|(_, (before, after))| before != after).map(|(index, _)| index as u16).collect())
        })
    }

    fn text(&self, state: &OwnState) -> String {
        state.text.to_string()
    }

    fn parse(&self, text: &str) -> Result<OwnState, PositionError> {
        Python::attach(|py| self.read(py, text)).map_err(|problem| PositionError {
            game: self.name.clone(),
            text: text.chars().take(200).collect(),
            problem,
            format: "a state as Python writes it".into(),
        })
    }

    fn chance(&self, state: &OwnState, out: &mut Vec<(Move, f32)>) {
        out.clear();
        let found = self.ask(vec![(0, 1.0)], |py| {
            if self.ask_turn(py, state)? != Turn::Chance {
                return Ok(Vec::new());
            }
            let outcomes: Vec<(u32, f32)> = self.call(py, "chance_outcomes", state)?.extract()?;
            let sum: f32 = outcomes.iter().map(|(_, probability)| probability).sum();
            if outcomes.iter().any(|(_, p)| !(0.0..=1.0).contains(p)) || (sum - 1.0).abs() > 1e-3 {
                return Err(PyValueError::new_err(format!(
                    "chance_outcomes add up to {sum} in {}",
                    state.text
                )));
            }
            Ok(outcomes)
        });
        out.extend(found.into_iter().map(|(mv, probability)| (Move(mv), probability)));
    }

    fn encode(&self, state: &OwnState, side: Side, out: &mut Vec<f32>) {
        out.clear();
        let inputs = self.ask(vec![0.0], |py| {
            if !self.has(py, "observation_tensor") {
                let board = self.ask_board(py, state)?;
                return Ok(board.squares.iter().map(|square| square.signed(side)).collect());
            }
            let object = self.object.bind(py);
            let given = object.call_method1("observation_tensor", (state.object.bind(py), side.index()))?;
            let given = PyList::new(py, given.try_iter()?.collect::<PyResult<Vec<_>>>()?)?;
            given.extract()
        });
        out.extend(inputs);
    }

    fn facts(&self) -> Facts {
        Facts { lines: self.lines.clone(), ..Facts::default() }
    }

    fn playout(&self, state: &mut OwnState, rng: &mut Rng) -> Playout {
        let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
        for plies in 0..LONGEST_PLAYOUT {
            let mv = match self.turn(state) {
                Turn::Over(score) => return Playout { score, plies },
                Turn::Player(_) => {
                    self.moves(state, &mut moves);
                    moves[rng.below(moves.len() as u32) as usize]
                }
                Turn::Chance => {
                    self.chance(state, &mut outcomes);
                    rng.outcome(&outcomes)
                }
            };
            self.apply(state, mv);
        }
        let problem = format!("a random game of {} did not end within {LONGEST_PLAYOUT} moves", self.name);
        self.trouble.keep(PyValueError::new_err(problem));
        Playout { score: Score::DRAW, plies: LONGEST_PLAYOUT }
    }

    fn move_limit(&self) -> Option<u32> {
        self.limit
    }

    fn max_plies(&self) -> Option<u32> {
        self.max_plies
    }
}
