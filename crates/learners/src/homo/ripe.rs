//! Ripe cells: the empty ones that would complete a decisive set, and for whom. A second look at the board, made of the first: beside what lies
//! on a cell stands what a piece there would do. Where a move opens a cell, the two are seen together: completing may have to wait for that.

use ludens_core::{Facts, NO_CELL, Side};

use super::eye::{Context, Eye, Kind, NEXT, NOBODY, REACHED, Seen, Sight};
use super::settings::Settings;

/// Stands for no piece: the kind of a second look.
const SECOND_LOOK: u8 = 254;
/// Counts of such a kind: something lies there, nobody completes anything there, its owner does, both do.
const FILLED: u8 = 0;
const UNRIPE: u8 = 1;
const FOR_ONE: u8 = 2;
const FOR_BOTH: u8 = 3;
/// By how near a move is: unripe, for the first, for the second, for both.
const EACH: u8 = 4;
/// More kinds than this, with eight cells in a context, are too many for a number.
const MOST_KINDS: usize = 44;
/// Cells to be filled first, at most: so many or more.
const MOST_WAITING: usize = 3;
const COUNT: usize = 1 + 3 * EACH as usize;

/// Whether there is something to complete, and room for it.
pub fn are_seen(kinds: usize, facts: &Facts, settings: &Settings) -> bool {
    let sets = facts.contexts();
    settings.ripe && settings.contexts && kinds > 0 && !sets.is_empty() && kinds + COUNT < MOST_KINDS
}

/// What a second look can find, in the order of [`look`]'s digits.
pub fn kinds() -> impl Iterator<Item = Kind> {
    let of = |near: u8| {
        [(NOBODY, UNRIPE), (0, FOR_ONE), (1, FOR_ONE), (NOBODY, FOR_BOTH)].map(|(owner, count)| Kind {
            piece: SECOND_LOOK,
            owner,
            count,
            near,
        })
    };
    let filled = Kind { piece: SECOND_LOOK, owner: NOBODY, count: FILLED, near: 0 };
    std::iter::once(filled).chain([0, REACHED, NEXT].into_iter().flat_map(of))
}

/// Each cell by itself, and with the one that a move there opens.
pub fn contexts(cells: usize, opens: &[u16]) -> Vec<Context> {
    let second = |cell: u16| cell + cells as u16;
    let alone = (0..cells as u16).map(|cell| vec![second(cell)]);
    let above = (0..).zip(opens).filter(|(_, opened)| **opened != NO_CELL);
    let both = above.map(|(cell, opened)| vec![second(cell), second(*opened)]);
    alone.chain(both).map(|cells| Context { cells, decisive: false, block: false }).collect()
}

/// A second look at what `sight` saw: a digit more for every cell.
pub fn look(contexts: &[Context], first: u8, sight: &mut Sight, digits: &mut Vec<u8>) {
    let Sight { squares, near, completes, .. } = sight;
    completes.clear();
    completes.resize(squares.len(), 0);
    for context in contexts.iter().filter(|context| context.decisive) {
        let (mut empty, mut empties, mut sides) = (NO_CELL, 0, 0u8);
        for &cell in &context.cells {
            match squares[usize::from(cell)].side {
                Some(side) => sides |= 1 << side.index(),
                None => (empty, empties) = (cell, empties + 1),
            }
        }
        if empties == 1 && (sides == 1 || sides == 2) {
            completes[usize::from(empty)] |= sides;
        }
    }
    digits.extend(squares.iter().zip(near).zip(completes).map(|((square, near), completes)| {
        if square.side.is_some() { first } else { first + 1 + EACH * *near + *completes }
    }));
}

/// For whom a cell, as the second look numbers it, would complete something: one side, or both (`Some(None)`).
pub fn for_whom(eye: &Eye, seen: &Seen, cell: u16) -> Option<Option<Side>> {
    let kind = eye.kinds.get(usize::from(seen.digits[usize::from(cell)]))?;
    match kind.count {
        FOR_ONE => Some(Some(Side::BOTH[usize::from(kind.owner)])),
        FOR_BOTH => Some(None),
        _ => None,
    }
}

impl Eye {
    /// How many cells must be filled before a move goes to this one, where that is known.
    pub fn wait(&self, seen: &Seen, cell: u16) -> Option<u8> {
        let is_reached = |cell: u16| {
            let kind = self.kinds.get(usize::from(seen.digits[usize::from(cell)]));
            kind.is_some_and(|kind| kind.near == REACHED)
        };
        let below =
            |cell: &u16| self.opens.iter().position(|opened| opened == cell).map(|below| below as u16);
        let mut down = std::iter::successors(Some(cell), below).take(self.cells);
        down.position(is_reached).map(|steps| steps.min(MOST_WAITING) as u8)
    }
}
