//! The reasons of a decision: a value for every legal move, and what each value rests on.

use serde::{Deserialize, Serialize};

use crate::Move;

/// How the worths of a move's reasons make up its value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum Combine {
    /// They add up to the value.
    Sum,
    /// They multiply to the value (odds).
    Product,
    /// They illustrate the value (a line of play, a share of visits).
    #[default]
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ReasonKind {
    /// A line of play, best moves of both sides.
    Line,
    /// A named term of the value: a pattern, an input, a part of a heuristic.
    Term,
    /// Something remembered: a chunk, an example.
    Chunk,
    /// A rule or concept that matched.
    Rule,
}

/// One thing that speaks for or against a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reason {
    pub kind: ReasonKind,
    /// In plain words, for a person.
    pub text: String,
    /// What it contributes, in the unit of the move's value.
    pub worth: f64,
    /// The squares it speaks of, as indices of `Board::squares` of the position before the move.
    pub cells: Vec<u16>,
    /// For a line: the moves, beginning with the move itself.
    pub line: Vec<Move>,
    /// The input of the mind's judgement that it speaks of: what [`crate::Mind::mute`] can take away.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<u32>,
}

impl Reason {
    fn new(kind: ReasonKind, text: String, worth: f64, cells: Vec<u16>) -> Reason {
        Reason { kind, text, worth, cells, line: Vec::new(), input: None }
    }

    pub fn line(text: impl Into<String>, worth: f64, line: Vec<Move>) -> Reason {
        Reason { line, ..Reason::new(ReasonKind::Line, text.into(), worth, Vec::new()) }
    }

    pub fn term(text: impl Into<String>, worth: f64, cells: Vec<u16>) -> Reason {
        Reason::new(ReasonKind::Term, text.into(), worth, cells)
    }

    pub fn chunk(text: impl Into<String>, worth: f64, cells: Vec<u16>) -> Reason {
        Reason::new(ReasonKind::Chunk, text.into(), worth, cells)
    }

    pub fn rule(text: impl Into<String>, worth: f64, cells: Vec<u16>) -> Reason {
        Reason::new(ReasonKind::Rule, text.into(), worth, cells)
    }

    /// Says which input it speaks of.
    #[must_use]
    pub fn of_input(self, input: usize) -> Reason {
        Reason { input: u32::try_from(input).ok(), ..self }
    }
}

/// What the mind thinks of one move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveValue {
    pub mv: Move,
    /// As the player to move sees it: higher is better.
    pub value: f64,
    /// The mind's first inclination, where it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub prior: Option<f64>,
    /// How much evidence: visits of a tree search, matches of a memory.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub visits: Option<u64>,
    pub reasons: Vec<Reason>,
}

impl MoveValue {
    pub fn new(mv: Move, value: f64) -> MoveValue {
        MoveValue { mv, value, prior: None, visits: None, reasons: Vec::new() }
    }
}

/// The ranking of all legal moves and its reasons.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Why {
    /// One sentence: how this mind decides.
    pub summary: String,
    /// What a value means: "winning chance", "log-odds", "discs".
    pub unit: String,
    pub combine: Combine,
    /// Every legal move, best first.
    pub moves: Vec<MoveValue>,
}

impl Why {
    /// Best first; equal values in the order of the move numbers, so that the text repeats exactly.
    pub fn sort(&mut self) {
        self.moves.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.mv.cmp(&b.mv)));
    }

    /// Of several moves of the same value the one that was chosen comes first.
    pub fn lead_with(&mut self, chosen: Move) {
        let Some(at) = self.moves.iter().position(|candidate| candidate.mv == chosen) else { return };
        let value = self.moves[at].value;
        let equals = self.moves[..at].iter().rev().take_while(|candidate| candidate.value == value).count();
        self.moves[at - equals..=at].rotate_right(1);
    }

    pub fn value_of(&self, mv: Move) -> Option<f64> {
        self.moves.iter().find(|candidate| candidate.mv == mv).map(|candidate| candidate.value)
    }

    /// The largest gap between a move's value and what its reasons make up; 0 where they only illustrate.
    pub fn gap(&self) -> f64 {
        let whole = |candidate: &MoveValue| match self.combine {
            Combine::None => candidate.value,
            Combine::Sum => candidate.reasons.iter().map(|reason| reason.worth).sum(),
            Combine::Product => candidate.reasons.iter().map(|reason| reason.worth).product(),
        };
        self.moves.iter().map(|candidate| (whole(candidate) - candidate.value).abs()).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_of_equals_leads() {
        let values = [(4, 1.0), (1, 2.0), (3, 2.0), (2, 2.0)];
        let mut why = Why {
            moves: values.iter().map(|&(mv, value)| MoveValue::new(Move(mv), value)).collect(),
            ..Why::default()
        };
        why.sort();
        let order = |why: &Why| why.moves.iter().map(|m| m.mv.0).collect::<Vec<_>>();
        why.lead_with(Move(3));
        assert_eq!(order(&why), [3, 1, 2, 4]);
        for chosen in [4, 9] {
            why.lead_with(Move(chosen));
            assert_eq!(order(&why), [3, 1, 2, 4], "nothing is before what is worth more");
        }
    }
}
