//! What a chosen concept can be about beside patterns in a line: how many stones, where they stand, how many moves the other has.

use ludens_core::Side;

use crate::concepts::{FactId, Vocabulary};

/// The idea behind a feature.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Idea {
    /// A pattern along the relations of the game.
    Line,
    /// Stones, wherever they are.
    Material,
    /// Stones by how far they have come from their owner's side of the board.
    Advance,
    /// Stones by how near to the middle they are.
    Centre,
    /// Stones on the rim.
    Rim,
    /// Stones in a corner.
    Corner,
    /// The moves the other side has.
    Mobility,
}

/// The ideas that are not patterns.
pub(crate) const PLACES: [Idea; 5] = [Idea::Material, Idea::Advance, Idea::Centre, Idea::Rim, Idea::Corner];

/// Moves of the other side that count as one.
pub(crate) const MOVES_AS_ONE: f64 = 10.0;

impl Idea {
    /// In words, for patterns none.
    pub(crate) fn words(self, own: bool) -> Option<String> {
        let whose = if own { "own stones" } else { "the other's stones" };
        Some(match self {
            Idea::Line => return None,
            Idea::Material => format!("material: each of {whose}"),
            Idea::Advance => format!("advance: {whose}, by how far they have come towards the other end"),
            Idea::Centre => format!("centre: {whose}, by how near to the middle they stand"),
            Idea::Rim => format!("rim: {whose} at the edge of the board"),
            Idea::Corner => format!("corner: {whose} in a corner"),
            Idea::Mobility => "mobility: every ten moves the other side has".into(),
        })
    }

    /// A picture: where on a small board it looks.
    pub(crate) fn picture(self) -> &'static str {
        match self {
            Idea::Line => "",
            Idea::Material => "●",
            Idea::Advance => "↑●",
            Idea::Centre => "·●·",
            Idea::Rim => "|●",
            Idea::Corner => "└●",
            Idea::Mobility => "⇄",
        }
    }

    /// How much a stone of `owner` on this cell counts.
    fn worth(self, (column, row): (u16, u16), owner: Side, vocabulary: &Vocabulary) -> f64 {
        let (right, top) = (f64::from(vocabulary.width.max(2) - 1), f64::from(vocabulary.height.max(2) - 1));
        let (x, y) = (f64::from(column) / right, f64::from(row) / top);
        let rims = [x == 0.0 || x == 1.0, y == 0.0 || y == 1.0];
        match self {
            Idea::Material => 1.0,
            Idea::Advance if owner == Side::First => y,
            Idea::Advance => 1.0 - y,
            Idea::Centre => 1.0 - (2.0 * x - 1.0).abs().max((2.0 * y - 1.0).abs()),
            Idea::Rim => f64::from(u8::from(rims[0] || rims[1])),
            Idea::Corner => f64::from(u8::from(rims[0] && rims[1])),
            Idea::Line | Idea::Mobility => 0.0,
        }
    }

    /// The cells that count for stones of `owner`, each as a body of one fact and its worth.
    pub(crate) fn bodies(self, owner: Side, vocabulary: &Vocabulary) -> Vec<(Vec<FactId>, f64)> {
        let cells =
            (0..vocabulary.height).flat_map(|row| (0..vocabulary.width).map(move |column| (column, row)));
        cells
            .map(|cell| (cell, self.worth(cell, owner, vocabulary)))
            .filter(|(_, worth)| *worth > 0.0)
            .flat_map(|((column, row), worth)| {
                let marks: Vec<usize> = vocabulary.marks_of(owner).collect();
                marks.into_iter().map(move |mark| (vec![vocabulary.id(column, row, mark)], worth))
            })
            .collect()
    }
}
