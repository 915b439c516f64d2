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
    let mut last_ply = LastPly::default();
    let counted = walk(compass, own, other, depth, &mut last_ply);
    counted + last_ply.finish()
}

/// Counts at once what needs no further ply, and hands positions two plies above the leaves to `last_ply`.
fn walk(compass: &Compass, own: u64, other: u64, depth: u32, last_ply: &mut LastPly) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = compass.moves(own, other);
    if moves == 0 {
        let over = compass.moves(other, own) == 0;
        return if over { 1 } else { walk(compass, other, own, depth - 1, last_ply) };
    }
    if depth == 1 {
        return u64::from(moves.count_ones());
    }
    let mut total = 0;
    while moves != 0 {
        let square = moves.trailing_zeros();
        moves &= moves - 1;
        if depth == 2 {
            last_ply.push(own, other, 1 << square);
        } else {
            let flips = compass.flips(square, own, other);
            total += walk(compass, other & !flips, own | flips | 1 << square, depth - 1, last_ply);
        }
    }
    total
}

/// Moves whose replies are still to be counted, from any part of the tree, until the lanes are full.
#[derive(Default)]
#[repr(align(64))]
struct LastPly {
    own: [u64; BESIDE],
    other: [u64; BESIDE],
    placed: [u64; BESIDE],
    filled: usize,
    total: u64,
}

impl LastPly {
    #[inline(always)]
    fn push(&mut self, own: u64, other: u64, placed: u64) {
        let lane = self.filled % BESIDE;
        self.own[lane] = own;
        self.other[lane] = other;
        self.placed[lane] = placed;
        self.filled += 1;
        if self.filled == BESIDE {
            self.total += self.replies().iter().sum::<u64>();
            self.filled = 0;
        }
    }

    fn finish(&self) -> u64 {
        self.total + self.replies()[..self.filled].iter().sum::<u64>()
    }

    /// The replies to each move; where there is none it is a pass or the end, one leaf either way.
    #[inline(never)]
    fn replies(&self) -> [u64; BESIDE] {
        let mut counts = [0; BESIDE];
        for (lane, count) in counts.iter_mut().enumerate() {
            let (own, other, placed) = (self.own[lane], self.other[lane], self.placed[lane]);
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
