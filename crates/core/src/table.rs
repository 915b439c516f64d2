//! A whole session of play behind an erased front: what the terminal, the web page and Python see. Only whole
//! decisions pass through here; the nodes of a search never do.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::words::{Claim, Contrast, Scene, Tactics, Told, Voice, borne_out, contrast, tell, write};
use crate::{
    Board, Budget, Cost, Ctx, Explain, Game, IllegalMove, Meter, Mind, MindError, Move, PositionError,
    Ranking, Rng, Score, Side, Stop, Turn, Window,
};

/// One legal move as a person sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveView {
    /// The move.
    pub mv: Move,
    /// As people write it.
    pub label: String,
    /// The squares it speaks of, as indices of the board.
    pub cells: Vec<u16>,
}

/// Everything a screen needs to draw a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct View {
    /// The name of the game.
    pub game: String,
    /// The position as text.
    pub text: String,
    /// The position as a picture.
    pub board: Board,
    /// Whose turn; none when nature moves or the game is over.
    pub to_move: Option<Side>,
    /// Whether nature moves: dice are to be rolled.
    pub chance: bool,
    /// The result, once the game is over.
    pub score: Option<Score>,
    /// The legal moves.
    pub moves: Vec<MoveView>,
    /// The moves played so far, as labels.
    pub history: Vec<String>,
}

/// A move or a roll of the dice, and what it leads to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Next {
    /// The move.
    pub mv: Move,
    /// As people write it.
    pub label: String,
    /// The position after it, as text.
    pub position: String,
    /// How likely, where nature moves.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub probability: Option<f32>,
}

/// What a mind decided, why, and what it cost.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// The move: the best of the ranking.
    pub mv: Move,
    /// As people write it.
    pub label: String,
    /// The whole ranking, with its reasons where they were asked for.
    pub why: Ranking,
    /// What it cost.
    pub cost: Cost,
    /// What the mind had consumed to become what it is.
    pub ledger: Cost,
    /// What is true of the move and made a difference to the mind, the weightiest first; once [`Table::speak`] was called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
}

/// What can go wrong at a table.
#[derive(Debug, Error)]
pub enum TableError {
    /// The move is not legal here.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The position text cannot be read.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The mind cannot be made or cannot decide.
    #[error(transparent)]
    Mind(#[from] MindError),
    /// A decision was asked for where no player has one.
    #[error("there is nobody to move: the game is over or the dice are to be rolled")]
    NobodyToMove,
}

/// A session of one game, its type erased.
pub trait Table: Send {
    /// The position as a screen needs it.
    fn view(&self) -> View;
    /// Plays a move or a roll of the dice that is legal here.
    fn play(&mut self, mv: Move) -> Result<(), TableError>;
    /// Plays the move people write as `label`.
    fn play_label(&mut self, label: &str) -> Result<(), TableError>;
    /// Rolls the dice while nature is to move.
    fn roll(&mut self, rng: &mut Rng);
    /// Takes back one applied move; false at the start.
    fn undo(&mut self) -> bool;
    /// Begins again from the start, or from a position text.
    fn restart(&mut self, position: Option<&str>) -> Result<(), TableError>;
    /// Whose turn; none when nature moves or the game is over.
    fn to_move(&self) -> Option<Side>;
    /// Whether the game is over.
    fn is_over(&self) -> bool;
    /// The legal moves.
    fn moves(&self) -> Vec<Move>;
    /// The moves applied since the start.
    fn history(&self) -> &[Move];
    /// From now on this may end the making of a mind and its decisions, whatever their budget.
    fn watched(&mut self, stop: Stop);
    /// Somebody looks at the next decision while it is made; at that one only.
    fn seen_through(&mut self, window: Window);
    /// Asks a mind for its decision here, without playing it.
    fn think(
        &mut self,
        mind: &str,
        rng: &mut Rng,
        budget: Budget,
        explain: Explain,
    ) -> Result<Decision, TableError>;
    /// The labels of a line of play that starts here; it stops at the first move that is not legal.
    fn line_labels(&self, line: &[Move]) -> Vec<String>;
    /// Everything that can happen next.
    fn nexts(&self) -> Vec<Next>;
    /// Takes away inputs of a mind's judgement, see [`Mind::mute`].
    fn mute(&mut self, mind: &str, muted: &dyn Fn(u32) -> bool) -> Result<bool, TableError>;
    /// What is true of a legal move here, whoever makes it: see [`Claim`].
    fn claims(&self, mv: Move) -> Vec<Claim>;
    /// A decision that was put into words, told to somebody: one sentence that leads and at most three more, about its move or another one.
    fn tell(&self, decision: &Decision, mv: Move, voice: Voice) -> Vec<String>;
    /// "Why not that move?", by a decision that was put into words.
    fn contrast(&self, decision: &Decision, other: Move, voice: Voice) -> Option<Contrast>;
    /// Puts a decision made here into words for somebody: what is true of its move and made a difference, and its reasons. Thinking does
    /// without: words are for those who read them.
    fn speak(&self, decision: &mut Decision, voice: Voice);
    /// Makes a mind forget the game so far.
    fn new_game(&mut self, mind: &str) -> Result<(), TableError>;
}

/// How a table gets its minds.
pub type MindFactory<G> = Box<dyn Fn(&str, &Stop) -> Result<Box<dyn Mind<G>>, MindError> + Send>;

/// The [`Table`] of a game whose type is known.
pub struct TableOf<G: Game> {
    game: Arc<G>,
    /// The states passed, the current one last; never empty.
    states: Vec<G::State>,
    history: Vec<Move>,
    labels: Vec<String>,
    factory: MindFactory<G>,
    stop: Stop,
    window: Option<Window>,
    minds: HashMap<String, Box<dyn Mind<G>>>,
}

impl<G: Game> std::fmt::Debug for TableOf<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableOf").field("game", &self.game.id()).field("history", &self.labels).finish()
    }
}

impl<G: Game> TableOf<G> {
    /// A table at the start of `game`, whose minds come from `factory`.
    pub fn new(
        game: Arc<G>,
        factory: impl Fn(&str, &Stop) -> Result<Box<dyn Mind<G>>, MindError> + Send + 'static,
    ) -> TableOf<G> {
        TableOf {
            states: vec![game.start()],
            game,
            history: Vec::new(),
            labels: Vec::new(),
            factory: Box::new(factory),
            stop: Stop::default(),
            window: None,
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

    fn mind(&mut self, name: &str) -> Result<&mut Box<dyn Mind<G>>, TableError> {
        if !self.minds.contains_key(name) {
            self.minds.insert(name.into(), (self.factory)(name, &self.stop)?);
        }
        self.minds.get_mut(name).ok_or(TableError::NobodyToMove)
    }

    /// The board as somebody is told of it; none where nobody is to move.
    fn scene<T>(&self, voice: Voice, then: impl FnOnce(&Scene) -> T) -> Option<T> {
        let Turn::Player(mover) = self.game.turn(self.state()) else { return None };
        let board = self.game.board(self.state());
        Some(then(&Scene { board: &board, mover, voice }))
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
        let moves = self
            .moves()
            .into_iter()
            .map(|mv| MoveView { mv, label: self.game.label(state, mv), cells: self.game.cells(state, mv) })
            .collect();
        View {
            game: self.game.id(),
            text: self.game.text(state),
            board: self.game.board(state),
            to_move: self.to_move(),
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

    fn to_move(&self) -> Option<Side> {
        if let Turn::Player(side) = self.game.turn(self.state()) { Some(side) } else { None }
    }

    fn is_over(&self) -> bool {
        self.game.turn(self.state()).is_over()
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if let Turn::Player(_) = self.game.turn(self.state()) {
            self.game.moves(self.state(), &mut moves);
        }
        moves
    }

    fn history(&self) -> &[Move] {
        &self.history
    }

    fn watched(&mut self, stop: Stop) {
        self.stop = stop;
    }

    fn seen_through(&mut self, window: Window) {
        self.window = Some(window);
    }

    fn think(
        &mut self,
        mind: &str,
        rng: &mut Rng,
        budget: Budget,
        explain: Explain,
    ) -> Result<Decision, TableError> {
        let Turn::Player(_) = self.game.turn(self.state()) else { return Err(TableError::NobodyToMove) };
        let (game, state, stop) = (self.game.clone(), self.state().clone(), self.stop.clone());
        let window = self.window.take();
        let thinker = self.mind(mind)?;
        let mut meter = Meter::watched(budget, stop).seen_through(window);
        let mut why = thinker.rank(&game, &state, &mut Ctx { rng, meter: &mut meter, explain })?;
        let mv = why.decide().ok_or(MindError::NoMove)?;
        why.sort();
        let ledger = thinker.ledger();
        Ok(Decision {
            mv,
            label: game.label(&state, mv),
            why,
            cost: meter.cost(),
            ledger,
            claims: Vec::new(),
        })
    }

    fn nexts(&self) -> Vec<Next> {
        let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
        match self.game.turn(self.state()) {
            Turn::Player(_) => self.game.moves(self.state(), &mut moves),
            Turn::Chance => self.game.chance(self.state(), &mut outcomes),
            Turn::Over(_) => {}
        }
        let drawn = outcomes.into_iter().map(|(mv, probability)| (mv, Some(probability)));
        let next = |(mv, probability)| {
            let mut after = self.state().clone();
            self.game.apply(&mut after, mv);
            let label = self.game.label(self.state(), mv);
            Next { mv, label, position: self.game.text(&after), probability }
        };
        moves.into_iter().map(|mv| (mv, None)).chain(drawn).map(next).collect()
    }

    fn mute(&mut self, mind: &str, muted: &dyn Fn(u32) -> bool) -> Result<bool, TableError> {
        Ok(self.mind(mind)?.mute(muted))
    }

    fn new_game(&mut self, mind: &str) -> Result<(), TableError> {
        self.mind(mind)?.new_game();
        Ok(())
    }

    fn claims(&self, mv: Move) -> Vec<Claim> {
        Tactics::new(&*self.game, self.state()).map(|tactics| tactics.claims(mv)).unwrap_or_default()
    }

    fn tell(&self, decision: &Decision, mv: Move, voice: Voice) -> Vec<String> {
        let of_another;
        // What the ranking bears out is said of the mind's own choice; of another move only what is true of it.
        let claims = if mv == decision.mv {
            &decision.claims
        } else {
            of_another = self.claims(mv);
            &of_another
        };
        let cells = self.game.cells(self.state(), mv);
        let mut after = self.state().clone();
        self.game.apply(&mut after, mv);
        let is_answered =
            matches!(self.game.turn(&after), Turn::Player(side) if Some(side) != self.to_move());
        let told = Told { why: &decision.why, mv, cells: &cells, claims, is_answered };
        self.scene(voice, |scene| tell(&told, scene, &|line| self.line_labels(line))).unwrap_or_default()
    }

    fn contrast(&self, decision: &Decision, other: Move, voice: Voice) -> Option<Contrast> {
        let claims = self.claims(other);
        let labels = [decision.mv, other].map(|mv| self.game.label(self.state(), mv));
        let labels = [labels[0].as_str(), labels[1].as_str()];
        let both = [decision.claims.as_slice(), claims.as_slice()];
        self.scene(voice, |scene| contrast(&decision.why, [decision.mv, other], both, labels, scene))
            .flatten()
    }

    fn speak(&self, decision: &mut Decision, voice: Voice) {
        let tactics = Tactics::new(&*self.game, self.state());
        decision.claims = tactics.map(|of| borne_out(&of, &decision.why, decision.mv)).unwrap_or_default();
        self.scene(voice, |scene| write(&mut decision.why, scene));
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
