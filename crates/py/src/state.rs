//! One position, move by move, with the names people know from OpenSpiel.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ludens_core::{Front, IllegalMove, Move, Position, Rng, Side, Turn};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use serde_json::json;

use crate::errors::{said, wrong};
use crate::game::Game;
use crate::work::Trouble;

/// `current_player` where dice are to be rolled.
pub const CHANCE_PLAYER: i32 = -1;
/// `current_player` where the game is over.
pub const TERMINAL_PLAYER: i32 = -4;

/// Room that is made at once: growing step by step would cost more than a move.
const USUAL_MOVES: usize = 32;

/// A position of a game. `apply_action` changes it in place; `clone` and `child` make others.
// Random games make one after the other: their places are kept.
#[pyclass(module = "ludens", freelist = 16)]
#[derive(Debug)]
pub struct State {
    position: Box<dyn Position>,
    turn: Turn,
    /// The legal moves, or the outcomes where dice are to be rolled; asked for when they are first needed.
    moves: Vec<Move>,
    listed: bool,
    history: Vec<u32>,
    game: Option<Py<Game>>,
    /// Where code of the user's takes part.
    trouble: Option<Arc<Trouble>>,
    /// What a mind applies to the position it was shown is counted.
    seen: Option<Arc<AtomicU64>>,
}

impl State {
    /// A position of a game.
    pub fn new(position: Box<dyn Position>, game: Option<Py<Game>>, trouble: Option<Arc<Trouble>>) -> State {
        State {
            turn: position.turn(),
            position,
            moves: Vec::new(),
            listed: false,
            history: Vec::new(),
            game,
            trouble,
            seen: None,
        }
    }

    /// A position shown to a mind, whose steps are counted.
    pub fn shown(
        position: Box<dyn Position>,
        front: Option<Arc<dyn Front>>,
        trouble: &Arc<Trouble>,
        seen: Arc<AtomicU64>,
    ) -> State {
        let game = Python::attach(|py| front.and_then(|front| Py::new(py, Game::known(front)).ok()));
        State { seen: Some(seen), ..State::new(position, game, Some(trouble.clone())) }
    }

    /// The position itself.
    pub fn position(&self) -> &dyn Position {
        &*self.position
    }

    fn checked<T>(&self, answer: T) -> PyResult<T> {
        match &self.trouble {
            None => Ok(answer),
            Some(trouble) => trouble.raise().map(|()| answer),
        }
    }

    fn list(&mut self) {
        if self.listed {
            return;
        }
        self.listed = true;
        self.moves.clear();
        match self.turn {
            Turn::Player(_) => {
                self.moves.reserve(USUAL_MOVES);
                self.position.moves(&mut self.moves);
            }
            Turn::Chance => self.moves.extend(self.outcomes().iter().map(|(mv, _)| *mv)),
            Turn::Over(_) => {}
        }
    }

    fn outcomes(&self) -> Vec<(Move, f32)> {
        let mut outcomes = Vec::new();
        if self.turn == Turn::Chance {
            self.position.chance(&mut outcomes);
        }
        outcomes
    }

    fn illegal(&self, label: String) -> PyErr {
        said(IllegalMove { game: self.position.game_id(), position: self.position.text(), label })
    }

    /// The move of this number, if it is legal here.
    fn legal(&mut self, action: u32) -> PyResult<Move> {
        self.list();
        let mv = Move(action);
        if self.moves.contains(&mv) { Ok(mv) } else { Err(self.illegal(format!("move number {action}"))) }
    }

    fn side(&self, player: Option<i64>) -> PyResult<Side> {
        match (player, self.turn) {
            (Some(0), _) => Ok(Side::First),
            (Some(1), _) => Ok(Side::Second),
            (Some(other), _) => {
                Err(PyIndexError::new_err(format!("there is no player {other}: 0 and 1 play")))
            }
            (None, Turn::Player(side)) => Ok(side),
            (None, _) => Ok(Side::First),
        }
    }

    fn twin(&self, py: Python<'_>) -> State {
        State {
            position: self.position.duplicate(),
            turn: self.turn,
            moves: self.moves.clone(),
            listed: self.listed,
            history: self.history.clone(),
            game: self.game.as_ref().map(|game| game.clone_ref(py)),
            trouble: self.trouble.clone(),
            seen: self.seen.clone(),
        }
    }

    fn step(&mut self, mv: Move) -> PyResult<()> {
        self.position.apply(mv);
        self.turn = self.position.turn();
        self.listed = false;
        if self.history.is_empty() {
            self.history.reserve(USUAL_MOVES);
        }
        self.history.push(mv.0);
        if let Some(seen) = &self.seen {
            seen.fetch_add(1, Ordering::Relaxed);
        }
        self.checked(())
    }
}

#[pymethods]
impl State {
    /// 0 or 1; -1 where dice are to be rolled, -4 where the game is over.
    fn current_player(&self) -> i32 {
        match self.turn {
            Turn::Player(side) => side.index() as i32,
            Turn::Chance => CHANCE_PLAYER,
            Turn::Over(_) => TERMINAL_PLAYER,
        }
    }

    /// Whether the game is over.
    fn is_terminal(&self) -> bool {
        self.turn.is_over()
    }

    /// Whether dice are to be rolled.
    fn is_chance_node(&self) -> bool {
        self.turn == Turn::Chance
    }

    /// The numbers of the legal moves, or of the outcomes of the dice.
    #[pyo3(signature = (player=None) -> "list[int]")]
    fn legal_actions<'py>(&mut self, py: Python<'py>, player: Option<i64>) -> PyResult<Bound<'py, PyList>> {
        if let Some(player) = player
            && player != i64::from(self.current_player())
        {
            return Ok(PyList::empty(py));
        }
        self.list();
        self.checked(())?;
        PyList::new(py, self.moves.iter().map(|mv| mv.0))
    }

    /// 1 for every legal move, 0 for every other number below `num_distinct_actions`.
    #[pyo3(signature = (player=None) -> "npt.NDArray[np.int8]")]
    fn legal_actions_mask<'py>(
        &mut self,
        py: Python<'py>,
        player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let limit = self.game.as_ref().and_then(|game| game.get().front().move_limit());
        let limit = limit.ok_or_else(|| {
            wrong(
                "this game does not say how many moves there are: give it an attribute num_distinct_actions",
            )
        })?;
        let mut mask = vec![0i8; limit as usize];
        let is_asked = player.is_none_or(|player| player == i64::from(self.current_player()));
        if matches!(self.turn, Turn::Player(_)) && is_asked {
            self.list();
            for mv in &self.moves {
                match mask.get_mut(mv.0 as usize) {
                    Some(place) => *place = 1,
                    None => return Err(wrong(format!("move {} is not below num_distinct_actions", mv.0))),
                }
            }
        }
        self.checked(mask.into_pyarray(py))
    }

    /// Plays a move or an outcome of the dice.
    fn apply_action(&mut self, action: u32) -> PyResult<()> {
        let mv = self.legal(action)?;
        self.step(mv)
    }

    /// Plays the move that people write so.
    fn play(&mut self, label: &str) -> PyResult<()> {
        let mv = self.string_to_action(label)?;
        self.apply_action(mv)
    }

    /// Another state, the move played.
    fn child(&self, py: Python<'_>, action: u32) -> PyResult<State> {
        let mut child = self.twin(py);
        child.apply_action(action)?;
        Ok(child)
    }

    /// Another state, the same.
    fn clone(&self, py: Python<'_>) -> State {
        self.twin(py)
    }

    fn __copy__(&self, py: Python<'_>) -> State {
        self.twin(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> State {
        self.twin(py)
    }

    /// What each player has won: 1, 0 or -1; zeros while the game goes on.
    fn returns(&self) -> [f64; 2] {
        match self.turn {
            // A nought of the other player's is no −0.
            Turn::Over(score) => [f64::from(score.0) + 0.0, f64::from(-score.0) + 0.0],
            _ => [0.0, 0.0],
        }
    }

    /// The outcomes of the dice with their probabilities; none where a player moves.
    fn chance_outcomes(&self) -> PyResult<Vec<(u32, f64)>> {
        let outcomes = self.outcomes().into_iter().map(|(mv, probability)| (mv.0, f64::from(probability)));
        let outcomes: Vec<_> = outcomes.collect();
        // They are kept as single precision: as doubles they must still add up to 1.
        let sum: f64 = outcomes.iter().map(|(_, probability)| probability).sum();
        self.checked(outcomes.into_iter().map(|(action, probability)| (action, probability / sum)).collect())
    }

    /// Rolls the dice, while there are any to roll, from the stream of this seed.
    fn roll(&mut self, seed: u64) -> PyResult<()> {
        let mut rng = Rng::stream(seed, self.history.len() as u64);
        while self.turn == Turn::Chance {
            let outcome = rng.outcome(&self.outcomes());
            self.step(outcome)?;
        }
        Ok(())
    }

    /// The inputs of a network as a player sees them: own stones positive, the other's negative.
    #[pyo3(signature = (player=None) -> "npt.NDArray[np.float32]")]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let mut inputs = Vec::new();
        self.position.encode(self.side(player)?, &mut inputs);
        self.checked(inputs.into_pyarray(py))
    }

    /// The move as people write it: `action_to_string(action)` or, as in OpenSpiel, `action_to_string(player, action)`.
    #[pyo3(signature = (*words: "int"))]
    fn action_to_string(&mut self, words: &Bound<'_, PyTuple>) -> PyResult<String> {
        let action: u32 = match words.len() {
            1 => words.get_item(0)?.extract()?,
            2 => words.get_item(1)?.extract()?,
            _ => return Err(wrong("action_to_string takes an action, or a player and an action")),
        };
        let mv = self.legal(action)?;
        self.checked(self.position.label(mv))
    }

    /// The number of the legal move that people write so.
    fn string_to_action(&self, label: &str) -> PyResult<u32> {
        let found = self.position.find(label).map_err(said)?;
        self.checked(found.0)
    }

    /// The cells a legal move speaks of, as indices of the board.
    fn cells(&mut self, action: u32) -> PyResult<Vec<u16>> {
        let mv = self.legal(action)?;
        self.checked(self.position.cells(mv))
    }

    /// The moves played since this state was made, dice included.
    fn history(&self) -> Vec<u32> {
        self.history.clone()
    }

    /// The position as text, which `game.deserialize_state` reads.
    fn serialize(&self) -> PyResult<String> {
        self.checked(self.position.text())
    }

    /// The game; a mind that is shown a state of rules from a file sees no more than the state.
    fn get_game(&self, py: Python<'_>) -> PyResult<Py<Game>> {
        let game = self.game.as_ref().map(|game| game.clone_ref(py));
        game.ok_or_else(|| wrong("the game of this state is not at hand here"))
    }

    /// Everything a screen needs: board, whose turn, moves with their labels and cells, result.
    #[pyo3(signature = () -> "dict[str, Any]")]
    // The name is OpenSpiel's; the moves are listed when they are first asked for.
    #[allow(clippy::wrong_self_convention)]
    fn to_dict<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.list();
        let listed = |mv: &Move| json!({ "action": mv.0, "label": self.position.label(*mv), "cells": self.position.cells(*mv) });
        let moves: Vec<serde_json::Value> = self.moves.iter().map(listed).collect();
        let view = json!({
            "game": self.position.game_id(),
            "text": self.position.text(),
            "board": self.position.board(),
            "current_player": self.current_player(),
            "returns": self.returns(),
            "is_terminal": self.is_terminal(),
            "is_chance_node": self.is_chance_node(),
            "moves": moves,
            "history": self.history,
        });
        self.checked(())?;
        to_python(py, &view)
    }

    fn __str__(&mut self, py: Python<'_>) -> PyResult<String> {
        let view = self.to_dict(py)?;
        py.import("ludens._board")?.call_method1("text", (view,))?.extract()
    }

    fn __repr__(&self) -> PyResult<String> {
        self.checked(format!("<{} {:?}>", self.position.game_id(), self.position.text()))
    }

    fn _repr_svg_(&mut self, py: Python<'_>) -> PyResult<String> {
        let view = self.to_dict(py)?;
        py.import("ludens._board")?.call_method1("svg", (view,))?.extract()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let same = |other: &State| {
            let [one, two] = [self, other].map(|state| (state.position.game_id(), state.position.text()));
            one == two
        };
        other.cast::<State>().is_ok_and(|other| {
            // A state compared with itself is borrowed already, which is no conflict: both only look.
            other.try_borrow().is_ok_and(|other| same(&other))
        })
    }

    /// A pickled state is its position; the moves that led to it are not kept.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let game = self.get_game(py)?;
        Ok((game.bind(py).getattr("deserialize_state")?, (self.position.text(),)))
    }
}

/// A value as Python's own: dictionaries, lists, numbers, texts.
pub fn to_python<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(said)?;
    py.import("json")?.call_method("loads", (text,), None::<&Bound<'py, PyDict>>)
}
