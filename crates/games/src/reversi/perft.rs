//! Counting the tree of Reversi, eight positions of the last ply at a time.
//!
//! The compass puts the eight directions of one position side by side. Here eight positions lie side by side
//! instead: there is nothing to fold at the end, and every shift is by a constant.

use super::compass::Compass;

const BESIDE: usize = 8;
const COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The leaves `depth` plies below a position; a pass is a ply and a finished game is a leaf, as in the published
/// tables.
pub fn leaves(compass: &Compass, own: u64, other: u64, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = compass.moves(own, other);
    if moves == 0 {
        return if compass.moves(other, own) == 0 { 1 } else { leaves(compass, other, own, depth - 1) };
    }
    match depth {
        1 => u64::from(moves.count_ones()),
        2 => last_two(own, other, moves),
        _ => {
            let mut total = 0;
            while moves != 0 {
                let square = moves.trailing_zeros();
                moves &= moves - 1;
                let flips = compass.flips(square, own, other);
                total += leaves(compass, other & !flips, own | flips | 1 << square, depth - 1);
            }
            total
        }
    }
}

/// The replies to each move; where there is none it is a pass or the end, one leaf either way.
fn last_two(own: u64, other: u64, mut moves: u64) -> u64 {
    let mut total = 0;
    while moves != 0 {
        let mut placed = [0; BESIDE];
        let mut filled = 0;
        while moves != 0 && filled < BESIDE {
            placed[filled] = moves & moves.wrapping_neg();
            moves &= moves - 1;
            filled += 1;
        }
        total += replies(own, other, &placed)[..filled].iter().sum::<u64>();
    }
    total
}

fn replies(own: u64, other: u64, placed: &[u64; BESIDE]) -> [u64; BESIDE] {
    let mut counts = [0; BESIDE];
    for (count, &placed) in counts.iter_mut().zip(placed) {
        let flips = turned(own, other, placed);
        let (own, other) = (other & !flips, own | flips | placed);
        let inner = other & COLUMNS;
        let reached = ahead::<1>(own, inner) << 1
            | ahead::<7>(own, inner) << 7
            | ahead::<8>(own, other) << 8
            | ahead::<9>(own, inner) << 9
            | behind::<1>(own, inner) >> 1
            | behind::<7>(own, inner) >> 7
            | behind::<8>(own, other) >> 8
            | behind::<9>(own, inner) >> 9;
        *count = u64::from((reached & !(own | other)).count_ones()).max(1);
    }
    counts
}

/// What a stone placed turns over.
#[inline(always)]
fn turned(own: u64, other: u64, placed: u64) -> u64 {
    let inner = other & COLUMNS;
    let forward = |run: u64, step: u32| if run << step & own == 0 { 0 } else { run };
    let backward = |run: u64, step: u32| if run >> step & own == 0 { 0 } else { run };
    forward(ahead::<1>(placed, inner), 1)
        | forward(ahead::<7>(placed, inner), 7)
        | forward(ahead::<8>(placed, other), 8)
        | forward(ahead::<9>(placed, inner), 9)
        | backward(behind::<1>(placed, inner), 1)
        | backward(behind::<7>(placed, inner), 7)
        | backward(behind::<8>(placed, other), 8)
        | backward(behind::<9>(placed, inner), 9)
}

/// The runs of `discs` that begin one step after `from`, towards h8.
#[inline(always)]
fn ahead<const STEP: u32>(from: u64, discs: u64) -> u64 {
    let mut run = discs & from << STEP;
    run |= discs & run << STEP;
    let pairs = discs & discs << STEP;
    run |= pairs & run << (2 * STEP);
    run | pairs & run << (2 * STEP)
}

/// The same towards a1.
#[inline(always)]
fn behind<const STEP: u32>(from: u64, discs: u64) -> u64 {
    let mut run = discs & from >> STEP;
    run |= discs & run >> STEP;
    let pairs = discs & discs >> STEP;
    run |= pairs & run >> (2 * STEP);
    run | pairs & run >> (2 * STEP)
}
