//! Simulatability: do the reasons of past decisions help to foresee the next ones?
//!
//! One student sees of every legal move the reasons that the mind names for it: what they speak of, never their worths, their signs, or a line of play. Another
//! sees the position after the move, every cell of it. A third sees nothing but how many reasons of each kind there are: what it foresees is betrayed by
//! the shape of the explanation, not told by what it says.

use std::collections::BTreeMap;

use ludens_core::{Board, Move, Ranking, Side, Square, Table};
use serde::{Deserialize, Serialize};

use super::Estimate;
use super::flips::cited_reasons;
use super::key::key;
use super::student::{Seen, Student};
use crate::LabError;

/// What a student is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// The patterns of the strongest reasons, without the cells they lie on.
    Patterns,
    /// The same with their cells.
    Placed,
    /// What lies on every cell after the move, as the mover sees it.
    Position,
    /// How many reasons of each kind there are: the leak control.
    Counts,
}

/// All of them.
pub const SHOWN: [Shown; 4] = [Shown::Patterns, Shown::Placed, Shown::Position, Shown::Counts];

/// How well the students foresee the moves of games they have not seen.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Simulatability {
    /// Strongest reasons of a move that a student sees.
    pub reasons: usize,
    /// Decisions that were foreseen or not.
    pub tested: u64,
    /// One of the legal moves taken blindly.
    pub chance: f64,
    /// By the number of decisions learnt from, growing.
    pub sizes: Vec<Taught>,
}

/// The students after so many decisions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Taught {
    /// The decisions learnt from.
    pub decisions: usize,
    /// How often the move of each student, in the order of [`SHOWN`], is the one taken.
    pub agreement: Vec<Estimate>,
    /// Patterns less position, on the same decisions.
    pub patterns_over_position: Estimate,
    /// Patterns with their cells less position.
    pub placed_over_position: Estimate,
    /// Patterns less counts.
    pub patterns_over_counts: Estimate,
    /// Patterns with their cells less counts.
    pub placed_over_counts: Estimate,
}

/// The decisions of a mind as each student sees them.
#[derive(Default, Debug)]
pub(crate) struct Lessons {
    seen: [Vec<Seen>; SHOWN.len()],
    /// Features by their names, so that a student handles numbers alone.
    numbers: BTreeMap<String, u32>,
    any_reason: bool,
}

impl Lessons {
    /// Takes a decision at the table, where `why` was thought; the table is left as it was.
    pub fn add(
        &mut self,
        table: &mut dyn Table,
        (game, side): (u32, Side),
        why: &Ranking,
        chosen: Move,
        reasons: usize,
    ) -> Result<(), LabError> {
        let legal = table.moves();
        let Some(index) = legal.iter().position(|mv| *mv == chosen) else { return Ok(()) };
        let mut features: [Vec<Vec<u32>>; SHOWN.len()] = Default::default();
        for mv in legal {
            let named = self.of_reasons(why, mv, reasons);
            table.play(mv)?;
            let position = self.of_board(&table.view().board, side);
            table.undo();
            let [patterns, placed, counts] = named;
            for (of, one) in features.iter_mut().zip([patterns, placed, position, counts]) {
                of.push(one);
            }
        }
        for (seen, moves) in self.seen.iter_mut().zip(features) {
            seen.push(Seen { game, moves, chosen: index });
        }
        Ok(())
    }

    fn number(&mut self, name: String) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(name).or_insert(next)
    }

    fn numbers_of(&mut self, names: impl IntoIterator<Item = String>) -> Vec<u32> {
        let mut numbers: Vec<u32> = names.into_iter().map(|name| self.number(name)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Patterns, patterns with cells, and counts.
    fn of_reasons(&mut self, why: &Ranking, mv: Move, reasons: usize) -> [Vec<u32>; 3] {
        let Some(candidate) = why.get(mv) else { return Default::default() };
        let shown = cited_reasons(why.combine, candidate, reasons, false);
        self.any_reason |= !shown.is_empty();
        let keys: Vec<_> = shown.into_iter().map(key).collect();
        let mut kinds: BTreeMap<u8, usize> = BTreeMap::new();
        for reason in &candidate.reasons {
            *kinds.entry(reason.kind as u8).or_default() += 1;
        }
        let patterns = self.numbers_of(keys.iter().map(|key| key.pattern()));
        let placed = self.numbers_of(keys.iter().flat_map(|key| [key.pattern(), key.in_place()]));
        let counts = self.numbers_of(kinds.into_iter().map(|(kind, count)| format!("#{kind}: {count}")));
        [patterns, placed, counts]
    }

    fn of_board(&mut self, board: &Board, side: Side) -> Vec<u32> {
        // Where each side has one kind of piece, whose it is says all; else the kind counts as well.
        let kinds = board.pieces.len() > 3;
        let name = |(cell, square): (usize, &Square)| {
            let whose = match square.side {
                None => "-",
                Some(owner) if owner == side => "own",
                Some(_) => "other",
            };
            let kind = if kinds { square.piece } else { 0 };
            format!("cell {cell}: {whose} {kind} {}", square.count)
        };
        let names: Vec<String> = board.squares.iter().enumerate().map(name).collect();
        self.numbers_of(names)
    }

    /// Decisions so far.
    pub fn len(&self) -> usize {
        self.seen[0].len()
    }

    /// Teaches the students on the first games and tests them on the games after. None where no move ever had a reason to show, or there is no game left to
    /// test on.
    pub fn measure(&self, sizes: &[usize], reasons: usize, seed: u64) -> Option<Simulatability> {
        // Where the games ended too soon, a quarter is still left to test on.
        let most = sizes.iter().copied().max()?.min(self.len() * 3 / 4);
        let first_tested = split(&self.seen[0], most)?;
        if !self.any_reason {
            return None;
        }
        let tested = &self.seen[0][first_tested..];
        let chance =
            tested.iter().map(|seen| 1.0 / seen.moves.len() as f64).sum::<f64>() / tested.len() as f64;
        let mut sizes: Vec<usize> = sizes.iter().map(|size| (*size).min(first_tested)).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let sizes = sizes.into_iter().map(|size| self.taught(size, first_tested, seed)).collect();
        Some(Simulatability { reasons, tested: tested.len() as u64, chance, sizes })
    }

    fn taught(&self, decisions: usize, first_tested: usize, seed: u64) -> Taught {
        let found: Vec<Vec<(u32, f64)>> = self
            .seen
            .iter()
            .map(|seen| {
                let student = Student::learn(&seen[..decisions]);
                seen[first_tested..].iter().map(|seen| (seen.game, student.agreement(seen))).collect()
            })
            .collect();
        let less = |first: Shown, second: Shown| {
            let (first, second) = (&found[first as usize], &found[second as usize]);
            let each = first.iter().zip(second).map(|((game, one), (_, other))| (*game, one - other));
            Estimate::of(&each.collect::<Vec<_>>(), seed)
        };
        Taught {
            decisions,
            agreement: found.iter().map(|values| Estimate::of(values, seed)).collect(),
            patterns_over_position: less(Shown::Patterns, Shown::Position),
            placed_over_position: less(Shown::Placed, Shown::Position),
            patterns_over_counts: less(Shown::Patterns, Shown::Counts),
            placed_over_counts: less(Shown::Placed, Shown::Counts),
        }
    }
}

/// The first decision that may be tested: of a game that comes after every game of the first `most` decisions.
fn split(seen: &[Seen], most: usize) -> Option<usize> {
    let last = seen.get(most.checked_sub(1)?)?.game;
    seen.iter().position(|seen| seen.game > last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_game_is_learnt_from_and_tested_on() {
        let seen: Vec<Seen> =
            [0, 0, 1, 1, 1, 2, 3].map(|game| Seen { game, moves: Vec::new(), chosen: 0 }).to_vec();
        assert_eq!(split(&seen, 2), Some(2));
        assert_eq!(split(&seen, 3), Some(5), "the rest of game 1 is left out");
        assert_eq!(split(&seen, 7), None);
        assert_eq!(split(&seen, 0), None);
    }
}
