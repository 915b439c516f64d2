//! Positions as facts: `cell(column, row, mark)`, read off the 2-D view of any game, native or written in GDL.
//!
//! The names in a game's rules carry no meaning here: the coordinates are those of the [`Board`] (which GDL games infer from how
//! their rules step through them) and a mark is known by the side it belongs to, so that scrambled rules give the same facts.

use ludens_core::words::Lies;
use ludens_core::{Board, RecordedGame, Recorder, Rng, Score, Side, Stop, Stopped};

/// A fact: square × marks + mark, where the marks are the pieces of the board without "empty".
pub type FactId = u32;

/// What facts a game can have, and how to read and print them.
#[derive(Clone, PartialEq, Debug)]
pub struct Vocabulary {
    /// Columns of the board.
    pub width: u16,
    /// Rows of the board.
    pub height: u16,
    /// The marks in the order of the board's pieces, "empty" left out; with [`Vocabulary::with_empty`] it stands last.
    pub marks: Vec<MarkName>,
    has_empty: bool,
    /// What the columns are called.
    pub column_names: Vec<String>,
    /// What the rows are called.
    pub row_names: Vec<String>,
}

/// A piece that can stand on a cell.
#[derive(Clone, PartialEq, Debug)]
pub struct MarkName {
    /// What it is called.
    pub name: String,
    /// Whose it is.
    pub side: Option<Side>,
}

impl Vocabulary {
    /// That of a game with such a board.
    pub fn of(board: &Board) -> Vocabulary {
        Vocabulary {
            width: board.width,
            height: board.height,
            marks: board.pieces[1..]
                .iter()
                .map(|piece| MarkName { name: piece.name.clone(), side: piece.side })
                .collect(),
            has_empty: false,
            column_names: board.column_names.clone(),
            row_names: board.row_names.clone(),
        }
    }

    /// The same with "this cell is empty" as a fact too: what a threat needs.
    #[must_use]
    pub fn with_empty(mut self) -> Vocabulary {
        if !self.has_empty {
            self.marks.push(MarkName { name: "nothing".into(), side: None });
            self.has_empty = true;
        }
        self
    }

    /// The mark that stands for an empty cell.
    pub(crate) fn empty_mark(&self) -> Option<usize> {
        self.has_empty.then(|| self.marks.len() - 1)
    }

    /// The marks of a side.
    pub(crate) fn marks_of(&self, side: Side) -> impl Iterator<Item = usize> + '_ {
        (0..self.marks.len()).filter(move |&mark| self.marks[mark].side == Some(side))
    }

    /// How many facts there can be.
    pub fn len(&self) -> usize {
        usize::from(self.width) * usize::from(self.height) * self.marks.len()
    }

    /// Whether there can be none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The fact that this mark is on this cell.
    pub fn id(&self, column: u16, row: u16, mark: usize) -> FactId {
        let square = usize::from(row) * usize::from(self.width) + usize::from(column);
        (square * self.marks.len() + mark) as FactId
    }

    /// Column, row and mark of a fact.
    pub fn parts(&self, fact: FactId) -> (u16, u16, usize) {
        let marks = self.marks.len().max(1);
        let (square, mark) = (fact as usize / marks, fact as usize % marks);
        let width = usize::from(self.width).max(1);
        ((square % width) as u16, (square / width) as u16, mark)
    }

    /// The square of a fact, as an index of the board.
    pub fn square(&self, fact: FactId) -> u16 {
        (fact as usize / self.marks.len().max(1)) as u16
    }

    /// The same as a square and the piece of the board that lies on it.
    pub fn lies(&self, fact: FactId) -> Lies {
        let (_, _, mark) = self.parts(fact);
        let piece = if Some(mark) == self.empty_mark() { 0 } else { mark as u8 + 1 };
        Lies { cell: self.square(fact), piece }
    }

    /// `cell(3,1,o)`
    pub fn show(&self, fact: FactId) -> impl std::fmt::Display {
        let (column, row, mark) = self.parts(fact);
        let name = &self.marks[mark].name;
        std::fmt::from_fn(move |f| write!(f, "cell({},{},{name})", column + 1, row + 1))
    }

    /// Replaces `out` by the facts that hold on a board, in order.
    pub fn read(&self, board: &Board, out: &mut Vec<FactId>) {
        self.read_pieces(board.squares.iter().map(|square| square.piece), out);
    }

    /// The same for a board given as the number of the piece on each square.
    pub(crate) fn read_pieces(&self, pieces: impl Iterator<Item = u8>, out: &mut Vec<FactId>) {
        out.clear();
        for (square, piece) in pieces.enumerate() {
            let mark = match piece {
                0 => self.empty_mark(),
                piece => Some(usize::from(piece) - 1),
            };
            out.extend(mark.map(|mark| (square * self.marks.len() + mark) as FactId));
        }
    }
}

/// A set of facts that answers "does it hold?" at once.
#[derive(Clone, Default, Debug)]
pub struct FactSet {
    bits: Vec<u64>,
    facts: Vec<FactId>,
}

impl FactSet {
    pub(crate) fn set(&mut self, facts: &[FactId], universe: usize) {
        self.bits.clear();
        self.bits.resize(universe.div_ceil(64), 0);
        for &fact in facts {
            self.bits[fact as usize / 64] |= 1 << (fact % 64);
        }
        self.facts.clear();
        self.facts.extend_from_slice(facts);
    }

    #[inline]
    pub(crate) fn holds(&self, fact: FactId) -> bool {
        self.bits[fact as usize / 64] >> (fact % 64) & 1 == 1
    }

    pub(crate) fn holds_all(&self, facts: &[FactId]) -> bool {
        facts.iter().all(|&fact| self.holds(fact))
    }

    pub(crate) fn facts(&self) -> &[FactId] {
        &self.facts
    }
}

/// One random game as facts: every position from the start to the end.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    /// The facts of each position.
    pub positions: Vec<Vec<FactId>>,
    /// For each position who had moved to make it; none for the start and for dice.
    pub movers: Vec<Option<Side>>,
    /// How many moves there were in each position; 0 at the end and for dice.
    pub choices: Vec<u32>,
    /// The result.
    pub score: Score,
}

/// Games without an end are cut here and count as drawn.
pub(super) const LONGEST: u32 = 2_000;
/// Random games played for each that must be won by a certain side.
pub(super) const TRIES: usize = 40;

impl Seen {
    /// A recorded game, read with a vocabulary; a game that was cut counts as drawn.
    pub fn of(game: &RecordedGame, vocabulary: &Vocabulary) -> Seen {
        let facts = |board: &Vec<u8>| {
            let mut facts = Vec::new();
            vocabulary.read_pieces(board.iter().copied(), &mut facts);
            facts
        };
        Seen {
            positions: game.boards.iter().map(facts).collect(),
            movers: std::iter::once(None)
                .chain(game.to_move.iter().copied())
                .take(game.boards.len())
                .collect(),
            choices: game.choices.clone(),
            score: game.score.unwrap_or(Score::DRAW),
        }
    }
}

/// Plays random games until `count` of them were won by `winner`; gives up after forty times as many (a side that cannot win).
pub(crate) fn games_won_by(
    game: &dyn Recorder,
    vocabulary: &Vocabulary,
    winner: Side,
    count: usize,
    rng: &mut Rng,
    stop: &Stop,
) -> Result<Vec<Seen>, Stopped> {
    let mut won = Vec::new();
    for _ in 0..count.saturating_mul(TRIES) {
        stop.check()?;
        if won.len() == count {
            break;
        }
        let seen = random_game(game, vocabulary, rng);
        if seen.score.of(winner) > 0.0 {
            won.push(seen);
        }
    }
    Ok(won)
}

/// One uniformly random game, all its positions kept.
pub(crate) fn random_game(game: &dyn Recorder, vocabulary: &Vocabulary, rng: &mut Rng) -> Seen {
    Seen::of(&game.record(LONGEST, rng), vocabulary)
}

/// `count` random games won by each side, from a machine that plays many at once; none where the game has none.
pub fn games_won(
    game: &dyn Recorder,
    vocabulary: &Vocabulary,
    count: usize,
    rng: &mut Rng,
    stop: &Stop,
) -> Result<Option<[Vec<Seen>; 2]>, Stopped> {
    let mut won = [Vec::new(), Vec::new()];
    let mut played = 0;
    while played <= count.saturating_mul(TRIES) {
        stop.check()?;
        let Some(games) = game.record_many(LONGEST, rng) else { return Ok(None) };
        played += games.len().max(1);
        for recorded in games {
            let score = recorded.score.unwrap_or(Score::DRAW);
            let Some(side) = Side::BOTH.into_iter().find(|side| score.of(*side) > 0.0) else { continue };
            let list: &mut Vec<Seen> = &mut won[side.index()];
            if list.len() < count {
                list.push(Seen::of(&recorded, vocabulary));
            }
        }
        if won.iter().all(|list| list.len() == count) {
            break;
        }
    }
    Ok(Some(won))
}
