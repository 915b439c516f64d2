//! A whole session of play behind an erased front: what the terminal, the web page and Python see. Only whole
//! decisions pass through here; the nodes of a search never do.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    Board, Budget, Cost, Ctx, Game, IllegalMove, Meter, Mind, MindError, Move, PositionError, Rng, Score,
    Side, Turn, Why,
};

/// One legal move as a person sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveView {
    pub mv: Move,
    pub label: String,
    /// The squares it speaks of, as indices of the board.
    pub cells: Vec<u16>,
}

/// Everything a screen needs to draw a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct View {
    pub game: String,
    pub text: String,
    pub board: Board,
    /// Whose turn; none when nature moves or the game is over.
    pub to_move: Option<Side>,
    pub chance: bool,
    pub score: Option<Score>,
    pub moves: Vec<MoveView>,
    /// The moves played so far, as labels.
    pub history: Vec<String>,
}

/// What a mind decided, why, and what it cost.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Decision {
    pub mv: Move,
    pub label: String,
    pub why: Option<Why>,
    pub cost: Cost,
    /// What the mind had consumed to become what it is.
    pub ledger: Cost,
}

#[derive(Debug, Error)]
pub enum TableError {
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Mind(#[from] MindError),
    #[error("there is nobody to move: the game is over or the dice are to be rolled")]
    NobodyToMove,
}

/// A session of one game, its type erased.
pub trait Table: Send {
    fn view(&self) -> View;
    fn play(&mut self, mv: Move) -> Result<(), TableError>;
    /// Plays the move people write as `label`.
    fn play_label(&mut self, label: &str) -> Result<(), TableError>;
    /// Rolls the dice while nature is to move.
    fn roll(&mut self, rng: &mut Rng);
    /// Takes back one applied move; false at the start.
    fn undo(&mut self) -> bool;
    /// Begins again from the start, or from a position text.
    fn restart(&mut self, position: Option<&str>) -> Result<(), TableError>;
    /// The moves applied since the start.
    fn history(&self) -> &[Move];
    /// From now on no decision may take longer than this, whatever its budget; a server needs that.
    fn limit_time(&mut self, limit: Option<Duration>);
    /// Asks a mind for its decision here, without playing it.
    fn think(
        &mut self,
        mind: &str,
        rng: &mut Rng,
        budget: Budget,
        explain: bool,
    ) -> Result<Decision, TableError>;
    /// The labels of a line of play that starts here; it stops at the first move that is not legal.
    fn line_labels(&self, line: &[Move]) -> Vec<String>;
}

/// How a table gets its minds: the registry of the learners, handed down. A closure may bring more, such as models held in memory.
pub type MindFactory<G> = Box<dyn Fn(&Arc<G>, &str) -> Result<Box<dyn Mind<G>>, MindError> + Send>;

pub struct TableOf<G: Game> {
    game: Arc<G>,
    /// The states passed, the current one last; never empty.
    states: Vec<G::State>,
    history: Vec<Move>,
    labels: Vec<String>,
    factory: MindFactory<G>,
    time_limit: Option<Duration>,
    minds: HashMap<String, Box<dyn Mind<G>>>,
}

impl<G: Game> std::fmt::Debug for TableOf<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableOf").field("game", &self.game.id()).field("history", &self.labels).finish()
    }
}

impl<G: Game> TableOf<G> {
    pub fn new(
        game: Arc<G>,
        factory: impl Fn(&Arc<G>, &str) -> Result<Box<dyn Mind<G>>, MindError> + Send + 'static,
    ) -> TableOf<G> {
        TableOf {
            states: vec![game.start()],
            game,
            history: Vec::new(),
            labels: Vec::new(),
            factory: Box::new(factory),
            time_limit: None,
            minds: HashMap::new(),
        }
    }

    fn state(&self) -> &G::State {
        &self.states[self.states.len() - 1]
    }

    fn push(&mut self, mv: Move) -> Result<(), TableError> {
        let mut next = self.state().clone();
        let label = self.game.label(self.state(), mv);
        self.game.play(&mut next, mv)?;
        self.labels.push(label);
        self.states.push(next);
        self.history.push(mv);
        Ok(())
    }

    fn is_legal(&self, mv: Move) -> bool {
        let mut probe = self.state().clone();
        self.game.play(&mut probe, mv).is_ok()
    }
}

impl<G: Game> Table for TableOf<G> {
    fn view(&self) -> View {
        let state = self.state();
        let turn = self.game.turn(state);
        let mut moves = Vec::new();
        if let Turn::Player(_) = turn {
            self.game.moves(state, &mut moves);
        }
        let moves = moves
            .into_iter()
            .map(|mv| MoveView { mv, label: self.game.label(state, mv), cells: self.game.cells(state, mv) })
            .collect();
        View {
            game: self.game.id(),
            text: self.game.text(state),
            board: self.game.board(state),
            to_move: if let Turn::Player(side) = turn { Some(side) } else { None },
            chance: turn == Turn::Chance,
            score: if let Turn::Over(score) = turn { Some(score) } else { None },
            moves,
            history: self.labels.clone(),
        }
    }

    fn play(&mut self, mv: Move) -> Result<(), TableError> {
        // The label of an illegal move may not exist: check before asking for it.
        if !self.is_legal(mv) {
            let mut probe = self.state().clone();
            self.game.play(&mut probe, mv)?;
        }
        self.push(mv)
    }

    fn play_label(&mut self, label: &str) -> Result<(), TableError> {
        let mv = self.game.find_move(self.state(), label)?;
        self.push(mv)
    }

    fn roll(&mut self, rng: &mut Rng) {
        let mut outcomes = Vec::new();
        while self.game.turn(self.state()) == Turn::Chance {
            self.game.chance(self.state(), &mut outcomes);
            let outcome = rng.outcome(&outcomes);
            if self.push(outcome).is_err() {
                return;
            }
        }
    }

    fn undo(&mut self) -> bool {
        if self.history.pop().is_none() {
            return false;
        }
        self.labels.pop();
        self.states.pop();
        true
    }

    fn restart(&mut self, position: Option<&str>) -> Result<(), TableError> {
        let start = match position {
            Some(text) => self.game.parse(text)?,
            None => self.game.start(),
        };
        self.states = vec![start];
        self.history.clear();
        self.labels.clear();
        for mind in self.minds.values_mut() {
            mind.new_game();
        }
        Ok(())
    }

    fn history(&self) -> &[Move] {
        &self.history
    }

    fn limit_time(&mut self, limit: Option<Duration>) {
        self.time_limit = limit;
    }

    fn think(
        &mut self,
        mind: &str,
        rng: &mut Rng,
        budget: Budget,
        explain: bool,
    ) -> Result<Decision, TableError> {
        let Turn::Player(_) = self.game.turn(self.state()) else { return Err(TableError::NobodyToMove) };
        if !self.minds.contains_key(mind) {
            let made = (self.factory)(&self.game, mind)?;
            self.minds.insert(mind.into(), made);
        }
        let state = self.state().clone();
        let Some(thinker) = self.minds.get_mut(mind) else { return Err(TableError::NobodyToMove) };
        let mut meter = Meter::new(budget);
        if let Some(limit) = self.time_limit {
            meter.limit_time(limit);
        }
        let mut why = Why::default();
        let mut ctx = Ctx { rng, meter: &mut meter, why: explain.then_some(&mut why) };
        let mv = thinker.choose(&self.game, &state, &mut ctx);
        why.lead_with(mv);
        Ok(Decision {
            mv,
            label: self.game.label(&state, mv),
            why: explain.then_some(why),
            cost: meter.cost(),
            ledger: thinker.ledger(),
        })
    }

    fn line_labels(&self, line: &[Move]) -> Vec<String> {
        let mut state = self.state().clone();
        let mut labels = Vec::new();
        for &mv in line {
            let mut next = state.clone();
            if self.game.play(&mut next, mv).is_err() {
                break;
            }
            labels.push(self.game.label(&state, mv));
            state = next;
        }
        labels
    }
}
