//! One game between two seats, each a person or a mind, and everything that was played and thought in it.

use std::time::Instant;

use ludens_core::words::Voice;
use ludens_core::{Move, Rng, Side, Table, View};
use serde::Serialize;

use crate::client::Client;
use crate::clock::{Clock, ClockView};
use crate::error::{ApiError, ApiResult};
use crate::explain::Explained;
use crate::gamelog::{GameRecord, now};
use crate::look::{Said, Step, apply};
pub(crate) use crate::played::{EndedBy, NewGame, Over, PlayedBy, Ply, Seat};
use crate::thinkers::{Level, Question};

pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) seats: [Seat; 2],
    pub(crate) seed: u32,
    pub(crate) start: Option<String>,
    table: Box<dyn Table>,
    plies: Vec<Ply>,
    /// The decision behind each ply a mind played, as far back as they are kept.
    decisions: Vec<Option<Explained>>,
    over: Option<Over>,
    clock: Option<Clock>,
    /// Who began it, or called it back.
    pub(crate) client: Client,
    /// Whether the log has it as it stands: what it has not should stay in memory.
    pub(crate) kept: bool,
    /// Counts changes, so that a thought about an older position is not played into a newer one.
    pub(crate) version: u64,
    created: f64,
    turn_began: Instant,
    pub(crate) touched: Instant,
}

/// A session as a client sees it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SessionView {
    pub(crate) id: String,
    pub(crate) seats: [Seat; 2],
    pub(crate) seed: u32,
    pub(crate) version: u64,
    pub(crate) start: Option<String>,
    pub(crate) view: View,
    pub(crate) plies: Vec<Ply>,
    /// The newest decision of a mind, with its reasons.
    pub(crate) last_decision: Option<Explained>,
    /// The cells of the line that won, where a line wins.
    pub(crate) won: Vec<u16>,
    /// Set where it ended before its rules ended it.
    pub(crate) over: Option<Over>,
    pub(crate) clock: Option<ClockView>,
}

/// The streams of a game's randomness: dice and thoughts never disturb each other, and taking a move back and
/// playing it again meets the same dice.
fn dice(seed: u32, ply: usize) -> Rng {
    Rng::stream(u64::from(seed), ply as u64 * 2)
}

fn thoughts(seed: u32, ply: usize) -> Rng {
    Rng::stream(u64::from(seed), ply as u64 * 2 + 1)
}

/// The longest game kept; nobody gets there by playing.
const LONGEST: usize = 5_000;

/// The ranked moves whose reasons a game keeps in memory: several hundred decisions of any game people play.
const REMEMBERED: usize = 20_000;

/// The position as a screen needs it. The moves are counted before any is written out.
pub(crate) fn listed(table: &dyn Table, most: usize) -> ApiResult<View> {
    let moves = table.moves().len();
    if moves > most {
        let problem = format!(
            "there are {moves} legal moves here and a page lists {most} at most; play it on the command line"
        );
        return Err(ApiError::rules(problem));
    }
    Ok(table.view())
}

impl Session {
    pub(crate) fn begin(
        id: String,
        new: NewGame,
        seed: u32,
        mut table: Box<dyn Table>,
    ) -> ApiResult<Session> {
        let [first, second] = new.seats;
        let seats = [first.checked()?, second.checked()?];
        if new.position.as_ref().is_some_and(|text| text.len() > 20_000) {
            return Err(ApiError::bad("this position text is too long"));
        }
        table.restart(new.position.as_deref())?;
        let mut session = Session {
            id,
            game: new.game,
            seats,
            seed,
            start: new.position,
            table,
            plies: Vec::new(),
            decisions: Vec::new(),
            over: None,
            clock: new.minutes.map(Clock::new).transpose()?,
            client: Client::current(),
            kept: false,
            version: 0,
            created: now(),
            turn_began: Instant::now(),
            touched: Instant::now(),
        };
        session.bring(&new.moves)?;
        session.roll();
        Ok(session)
    }

    /// A game that was kept, as it stood.
    pub(crate) fn restore(record: &GameRecord, mut table: Box<dyn Table>) -> ApiResult<Session> {
        table.restart(record.start.as_deref())?;
        for ply in &record.plies {
            table.play(ply.mv)?;
        }
        Ok(Session {
            id: record.id.clone(),
            game: record.game.clone(),
            seats: record.seats.clone(),
            seed: record.seed,
            start: record.start.clone(),
            table,
            plies: record.plies.iter().map(|ply| Ply { explained: false, ..ply.clone() }).collect(),
            decisions: vec![None; record.plies.len()],
            over: record.over,
            clock: record.clock,
            client: Client::current(),
            kept: true,
            version: record.plies.len() as u64,
            created: record.created,
            turn_began: Instant::now(),
            touched: Instant::now(),
        })
    }

    /// The session as a client sees it, unless it has more than `most` legal moves.
    pub(crate) fn view(&self, most: usize) -> ApiResult<SessionView> {
        let view = listed(&*self.table, most)?;
        Ok(SessionView {
            id: self.id.clone(),
            seats: self.seats.clone(),
            seed: self.seed,
            version: self.version,
            start: self.start.clone(),
            view,
            plies: self.plies.clone(),
            last_decision: self.decisions.iter().rev().find_map(Clone::clone),
            won: Vec::new(),
            over: self.over,
            clock: self.clock.map(|clock| clock.view(self.table.to_move(), now())),
        })
    }

    /// How many moves were played, dice included.
    pub(crate) fn len(&self) -> usize {
        self.plies.len()
    }

    /// Whether a person or a mind has moved.
    pub(crate) fn moved(&self) -> bool {
        self.plies.iter().any(|ply| ply.by != PlayedBy::Chance)
    }

    pub(crate) fn record(&self) -> GameRecord {
        // A finished game has no moves that would have to be written out.
        let result = self.table.is_over().then(|| self.table.view().score).flatten();
        let given = self.over.map(|over| if over.winner == Side::First { 1.0 } else { -1.0 });
        GameRecord {
            id: self.id.clone(),
            game: self.game.clone(),
            seats: self.seats.clone(),
            seed: self.seed,
            start: self.start.clone(),
            plies: self.plies.clone(),
            result: result.map(|score| score.0).or(given),
            over: self.over,
            clock: self.clock,
            created: self.created,
            updated: now(),
        }
    }

    /// The decision a mind made at this ply, if it is still in memory.
    pub(crate) fn decision(&self, ply: usize) -> Option<Explained> {
        self.decisions.get(ply).and_then(Clone::clone)
    }

    /// The position before ply number `ply`, set up on a table of its own.
    pub(crate) fn position(&self, ply: usize, mut table: Box<dyn Table>, most: usize) -> ApiResult<View> {
        let before = self.plies.get(..ply).ok_or_else(|| ApiError::not_found("position"))?;
        table.restart(self.start.as_deref())?;
        for ply in before {
            table.play(ply.mv)?;
        }
        listed(&*table, most)
    }

    /// The mind that played this ply, with its level.
    pub(crate) fn mind_of(&self, ply: usize) -> Option<(String, Level)> {
        let side = self.plies.get(ply).filter(|ply| ply.by == PlayedBy::Mind)?.side?;
        match &self.seats[side.index()] {
            Seat::Mind { mind, level } => Some((mind.clone(), *level)),
            Seat::Human {} => None,
        }
    }

    /// The move a person made at this ply.
    pub(crate) fn played_by_person(&self, ply: usize) -> Option<Move> {
        self.plies.get(ply).filter(|ply| ply.by == PlayedBy::Human).map(|ply| ply.mv)
    }

    fn seat_to_move(&self) -> Option<&Seat> {
        self.table.to_move().map(|side| &self.seats[side.index()])
    }

    /// A person's move.
    pub(crate) fn play(&mut self, mv: Move) -> ApiResult<()> {
        self.check_open()?;
        match self.seat_to_move() {
            Some(Seat::Human {}) => {}
            Some(_) => return Err(ApiError::conflict("it is the opponent's turn")),
            None => return Err(ApiError::conflict("the game is over; begin a new one")),
        }
        let ms = self.turn_began.elapsed().as_secs_f64() * 1000.0;
        self.push(mv, PlayedBy::Human, ms, None)
    }

    /// Ends the game where the person to move has no time left; whether it did.
    pub(crate) fn flag(&mut self) -> bool {
        let side = self.table.to_move().filter(|side| matches!(self.seats[side.index()], Seat::Human {}));
        match (side, &self.clock, self.over) {
            (Some(side), Some(clock), None) if clock.is_out(side, now()) => {
                self.lose_on_time(side);
                true
            }
            _ => false,
        }
    }

    pub(crate) fn is_timed(&self) -> bool {
        self.clock.is_some() && self.over.is_none()
    }

    pub(crate) fn is_over_on_time(&self) -> bool {
        self.over.is_some_and(|over| over.by == EndedBy::Time)
    }

    fn lose_on_time(&mut self, side: Side) {
        self.over = Some(Over { winner: side.other(), by: EndedBy::Time });
        self.changed();
    }

    fn check_open(&self) -> ApiResult<()> {
        match self.over {
            Some(_) => Err(ApiError::conflict("the game is over; begin a new one")),
            None => Ok(()),
        }
    }

    /// Ends the game for a person: the one whose turn it is, or the only one there is.
    pub(crate) fn end(&mut self, by: EndedBy) -> ApiResult<()> {
        self.check_open()?;
        let Some(to_move) = self.table.to_move() else {
            return Err(ApiError::conflict("the game is over; begin a new one"));
        };
        if by == EndedBy::Time && self.clock.is_some() {
            return Err(ApiError::conflict("there is time left on the clock of this game"));
        }
        let is_person = |side: Side| matches!(self.seats[side.index()], Seat::Human {});
        let loser = [to_move, to_move.other()].into_iter().find(|side| is_person(*side));
        let loser = loser.ok_or_else(|| ApiError::conflict("no person plays in this game"))?;
        self.over = Some(Over { winner: loser.other(), by });
        self.changed();
        Ok(())
    }

    /// Makes the moves that were brought along, as whoever sits there.
    fn bring(&mut self, moves: &[Said]) -> ApiResult<()> {
        if moves.len() >= LONGEST {
            return Err(ApiError::bad(format!("a game has {LONGEST} moves at most")));
        }
        for (index, said) in moves.iter().enumerate() {
            let step = apply(&mut *self.table, said);
            let Step { mv, label, cells, side } = step.map_err(|error| ApiError {
                message: format!("move {}: {}", index + 1, error.message),
                ..error
            })?;
            let by = match side.map(|side| &self.seats[side.index()]) {
                None => PlayedBy::Chance,
                Some(Seat::Human {}) => PlayedBy::Human,
                Some(Seat::Mind { .. }) => PlayedBy::Mind,
            };
            self.plies.push(Ply { mv, label, by, side, ms: 0.0, cells, explained: false });
            self.decisions.push(None);
        }
        Ok(())
    }

    /// Who is told about the move at this ply: the person it is made against, the person who is to make it, or somebody who looks on.
    fn voice(&self, ply: usize) -> Voice {
        let to_move = self.plies.get(ply).map_or_else(|| self.table.to_move(), |ply| ply.side);
        let is_person = |side: Side| matches!(self.seats[side.index()], Seat::Human {});
        match to_move {
            Some(side) if is_person(side) => Voice::ToMover,
            Some(side) if is_person(side.other()) => Voice::ToOpponent,
            _ => Voice::ToOnlooker,
        }
    }

    /// Puts the question of the mind that is to move.
    pub(crate) fn question(&self) -> ApiResult<Question> {
        self.check_open()?;
        match self.seat_to_move() {
            Some(Seat::Mind { mind, level }) => self.question_to(mind.clone(), *level, self.plies.len()),
            Some(_) => Err(ApiError::conflict("it is your turn")),
            None => Err(ApiError::conflict("the game is over; begin a new one")),
        }
    }

    /// Asks any mind about the position before ply number `ply`.
    pub(crate) fn question_to(&self, mind: String, level: Level, ply: usize) -> ApiResult<Question> {
        if ply > self.plies.len() {
            return Err(ApiError::bad("the game has not come that far"));
        }
        Ok(Question {
            game: self.game.clone(),
            start: self.start.clone(),
            history: self.plies[..ply].iter().map(|ply| ply.mv).collect(),
            mind,
            level,
            rng: thoughts(self.seed, ply),
            voice: self.voice(ply),
            hint: false,
            second: None,
            played: None,
        })
    }

    /// Plays what a mind has decided.
    pub(crate) fn answer(&mut self, explained: Explained) -> ApiResult<()> {
        if explained.ply != self.plies.len() {
            return Err(ApiError::conflict("the position has moved on"));
        }
        let (mv, ms) = (explained.mv, explained.ms);
        if let (Some(side), Some(clock)) = (self.table.to_move(), &self.clock)
            && clock.ends_with(side, ms)
        {
            self.lose_on_time(side);
            return Ok(());
        }
        self.push(mv, PlayedBy::Mind, ms, Some(explained))
    }

    fn push(&mut self, mv: Move, by: PlayedBy, ms: f64, decision: Option<Explained>) -> ApiResult<()> {
        if self.plies.len() >= LONGEST {
            return Err(ApiError::full("this game is too long to go on; begin a new one"));
        }
        let before = self.table.view();
        let found = before.moves.iter().find(|view| view.mv == mv);
        let cells = found.map(|view| view.cells.clone()).unwrap_or_default();
        self.table.play(mv)?;
        if let (Some(side), Some(clock)) = (before.to_move, &mut self.clock) {
            match by {
                PlayedBy::Human => clock.moved(side, now()),
                _ => clock.thought(side, ms),
            }
        }
        let label = found.map(|view| view.label.clone()).unwrap_or_default();
        let explained = decision.is_some();
        self.plies.push(Ply { mv, label, by, side: before.to_move, ms, cells, explained });
        self.decisions.push(decision);
        self.forget();
        self.roll();
        self.changed();
        Ok(())
    }

    /// Lets the oldest decisions go when they are too many to hold for every game; the mind can be asked again.
    fn forget(&mut self) {
        let mut held = 0;
        for (decision, ply) in self.decisions.iter_mut().zip(&mut self.plies).rev() {
            held += decision.as_ref().map_or(0, |explained| explained.moves.len());
            if held > REMEMBERED && decision.take().is_some() {
                ply.explained = false;
            }
        }
    }

    /// Lets nature move while it is its turn.
    fn roll(&mut self) {
        let before = self.table.history().len();
        self.table.roll(&mut dice(self.seed, before));
        if self.table.history().len() == before {
            return;
        }
        let labels = self.table.view().history;
        for (mv, label) in self.table.history().iter().zip(labels).skip(before) {
            self.plies.push(Ply {
                mv: *mv,
                label,
                by: PlayedBy::Chance,
                side: None,
                ms: 0.0,
                cells: Vec::new(),
                explained: false,
            });
            self.decisions.push(None);
        }
    }

    /// Takes back everything since the last move of a person, that move included.
    pub(crate) fn undo(&mut self) -> ApiResult<()> {
        let Some(last) = self.plies.iter().rposition(|ply| ply.by == PlayedBy::Human) else {
            return Err(ApiError::conflict("there is no move of yours to take back"));
        };
        if self.is_over_on_time() && self.clock.is_some() {
            return Err(ApiError::conflict("the time is up, and no move brings it back; begin a new game"));
        }
        if let (Some(side), Some(clock)) = (self.table.to_move(), &mut self.clock) {
            clock.moved(side, now());
        }
        self.over = None;
        while self.plies.len() > last {
            self.table.undo();
            self.plies.pop();
            self.decisions.pop();
        }
        self.changed();
        Ok(())
    }

    fn changed(&mut self) {
        self.version += 1;
        let runs = self.over.is_none() && self.moved() && self.table.to_move().is_some();
        if let Some(clock) = &mut self.clock {
            clock.turn(runs, now());
        }
        self.turn_began = Instant::now();
        self.touched = Instant::now();
    }
}
