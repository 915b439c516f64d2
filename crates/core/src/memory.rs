//! What a learner remembers, thing by thing, as a person may look at it: what it looks like, what it is worth, and when it was learnt.

use serde::Serialize;

use crate::Side;

/// How near a move is to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Near {
    /// A move goes there.
    Now,
    /// A move will go there after another one.
    Next,
}

/// What is seen on one cell of something remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Spot {
    /// An index of [`crate::Board::squares`]; none in what is remembered wherever it lies.
    pub cell: Option<u16>,
    /// An index of [`crate::Board::pieces`]; none where it does not matter which, or one never met lies there.
    pub piece: Option<u8>,
    /// Whose it is.
    pub side: Option<Side>,
    /// How many lie there.
    pub count: u8,
    /// Whether a move goes there.
    pub near: Option<Near>,
    /// For whom a stone there would complete something that decides the game, where that was looked at: the first player, the second.
    pub completes: Option<[bool; 2]>,
}

/// One thing remembered.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Remembered {
    /// Of which kind it is, one of [`Memory::kinds`].
    pub kind: usize,
    /// What it looks like; two parts of two things that are there at once.
    pub parts: Vec<Vec<Spot>>,
    /// What it is in words, where no picture says it.
    pub said: Option<String>,
    /// Its worth, as an addition to the log odds of winning.
    pub log_odds: f64,
    /// Whose odds these are; none: the odds of whoever is to move.
    pub side: Option<Side>,
    /// Positions in which it was met.
    pub met: u64,
    /// The mean outcome of those, for whom the odds are: 1 won, 0 lost.
    pub won: f64,
    /// The round in which it was made.
    pub born: u64,
    /// The round in which it was met last.
    pub used: u64,
    /// On how many places of the board it is the same, the symmetries counted.
    pub places: usize,
}

/// Everything remembered, with the strongest things one by one.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Memory {
    /// What the kinds of things are called.
    pub kinds: Vec<&'static str>,
    /// By round: how many of each kind were made; nothing where all was there from the beginning.
    pub made: Vec<Vec<usize>>,
    /// Games of all rounds together.
    pub games: u64,
    /// The strongest of all, and the strongest of every round.
    pub strongest: Vec<Remembered>,
}
