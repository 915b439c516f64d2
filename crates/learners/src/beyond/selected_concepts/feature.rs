//! What the selection chooses from: patterns of stones and empty cells along a line, and a few other ideas, with the names people have
//! for them.

use super::ideas::Idea;

/// What a cell of a pattern holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Hold {
    /// A stone of the side the pattern is about.
    Stone,
    /// No stone.
    Nothing,
}

/// Cells in a line along any relation, stones all of one side: its own, or the other's.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Feature {
    /// The cells along the line; none where the idea is no pattern.
    pub pattern: Vec<Hold>,
    /// Of the side that has just moved; else of the other.
    pub own: bool,
    /// What it is about.
    pub idea: Idea,
}

impl Feature {
    /// A pattern and the same read backwards are one; there must be a stone in it.
    pub fn new(mut pattern: Vec<Hold>, own: bool) -> Option<Feature> {
        let backwards: Vec<Hold> = pattern.iter().rev().copied().collect();
        if backwards < pattern {
            pattern = backwards;
        }
        pattern.contains(&Hold::Stone).then_some(Feature { pattern, own, idea: Idea::Line })
    }

    /// A feature that is no pattern.
    pub fn of(idea: Idea, own: bool) -> Feature {
        Feature { pattern: Vec::new(), own, idea }
    }

    pub(crate) fn stones(&self) -> usize {
        self.pattern.iter().filter(|hold| **hold == Hold::Stone).count()
    }

    /// The name people have for it.
    pub fn name(&self) -> String {
        if let Some(words) = self.idea.words(self.own) {
            return words;
        }
        let (stones, cells) = (self.stones(), self.pattern.len());
        let whose = if self.own { "own" } else { "the other's" };
        match (stones, cells - stones) {
            (1, 0) => format!("{whose} stone"),
            (2, 0) => format!("connection: two of {whose} stones side by side"),
            (_, 0) => format!("line: {stones} of {whose} stones in a line"),
            (_, 2) if stones > 1 && self.is_open_at_both_ends() => {
                format!("double threat: {stones} of {whose} stones in a line, both ends empty")
            }
            (1, gaps) => format!("room: {whose} stone with {gaps} empty in line"),
            (_, 1) => format!("threat: {stones} of {whose} stones in a line with one empty cell"),
            (_, gaps) => format!("open line: {stones} of {whose} stones in a line with {gaps} empty cells"),
        }
    }

    fn is_open_at_both_ends(&self) -> bool {
        self.pattern.first() == Some(&Hold::Nothing) && self.pattern.last() == Some(&Hold::Nothing)
    }

    /// A disc for a stone, a dot for an empty cell.
    pub fn picture(&self) -> String {
        if self.idea != Idea::Line {
            return self.idea.picture().into();
        }
        self.pattern.iter().map(|hold| if *hold == Hold::Stone { '●' } else { '·' }).collect()
    }
}
