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
const COUNT: usize = 1 + 3 * EACH as usize + LANES as usize + 1;
/// Stands for no cell: the kind of a count of ways.
const WAYS: u8 = 255;
/// So many ways or more count as so many.
pub const LANES: u8 = 2;
/// Counts of ways: those of the first and of the second player at even and at odd heights.
pub const BALANCE: usize = 4;

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
    let ways = (0..=LANES).map(|count| Kind { piece: WAYS, owner: NOBODY, count, near: 0 });
    std::iter::once(filled).chain([0, REACHED, NEXT].into_iter().flat_map(of)).chain(ways)
}

/// Ways up: where a move opens a cell, a move there the next, and so on.
pub fn ways(opens: &[u16]) -> Vec<Vec<u16>> {
    let cells = 0..opens.len() as u16;
    let next = |cell: &u16| opens.get(usize::from(*cell)).copied().filter(|next| *next != NO_CELL);
    let roots = cells.filter(|cell| next(cell).is_some() && !opens.contains(cell));
    roots.map(|root| std::iter::successors(Some(root), next).take(opens.len()).collect()).collect()
}

/// Each cell by itself, and with the one that a move there opens.
pub fn contexts(cells: usize, opens: &[u16]) -> Vec<Context> {
    let second = |cell: u16| cell + cells as u16;
    let alone = (0..cells as u16).map(|cell| vec![second(cell)]);
    let above = (0..).zip(opens).filter(|(_, opened)| **opened != NO_CELL);
    let both = above.map(|(cell, opened)| vec![second(cell), second(*opened)]);
    let balance = (0..BALANCE).map(|of| (2 * cells + of) as u16).collect();
    alone.chain(both).chain([balance]).map(|cells| Context { cells, decisive: false, block: false }).collect()
}

/// A second look at what `sight` saw: a digit more for every cell.
pub fn look(eye: &Eye, first: u8, sight: &mut Sight, digits: &mut Vec<u8>) {
    complete(eye, sight);
    let Sight { squares, near, completes, .. } = sight;
    digits.extend(squares.iter().zip(&*near).zip(&*completes).map(|((square, near), completes)| {
        if square.side.is_some() { first } else { first + 1 + EACH * *near + *completes }
    }));
    let balance = balance(eye, near, completes).map(|ways| first + (COUNT as u8 - LANES - 1) + ways);
    digits.extend(balance);
}

/// Marks the cells that would complete a decisive set, by the bits of the sides for whom.
pub fn complete(eye: &Eye, sight: &mut Sight) {
    let Sight { squares, completes, .. } = sight;
    let contexts = &eye.contexts;
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
}

/// How many ways wait for each side at even and at odd heights: the lowest cell of a way that completes something, where no move goes yet. Who
/// must fill the cell below decides, and that is a matter of even and odd.
fn balance(eye: &Eye, near: &[u8], completes: &[u8]) -> [u8; BALANCE] {
    let mut counts = [0; BALANCE];
    for way in &eye.ways {
        let waits = |cell: u16| completes[usize::from(cell)] > 0 && near[usize::from(cell)] != REACHED;
        let lowest = way.iter().zip(0..).find(|(cell, _)| waits(**cell));
        let Some((cell, height)) = lowest else { continue };
        for side in 0..2 {
            if completes[usize::from(*cell)] & 1 << side > 0 {
                let count: &mut u8 = &mut counts[side + 2 * (height % 2)];
                *count = (*count + 1).min(LANES);
            }
        }
    }
    counts
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

/// What a kind of the second look says: for whom it would complete something, the first player and the second; none where something lies.
pub fn completes(kind: &Kind) -> Option<[bool; 2]> {
    match kind.count {
        UNRIPE => Some([false, false]),
        FOR_ONE => Some([kind.owner == 0, kind.owner == 1]),
        FOR_BOTH => Some([true, true]),
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
