//! Which move to try first. A good first move is worth more than fast code: a refutation found at once saves all
//! the others.

use ludens_games::reversi::compass::Compass;

use super::stability::stable_edges;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;
/// The quadrants, whose odd and even numbers of empty squares decide who moves last in them.
const QUADRANTS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// A move and the position after it, seen by the side that replies.
#[derive(Clone, Copy, Default, Debug)]
pub struct Child {
    pub own: u64,
    pub other: u64,
    pub square: u8,
    pub worth: i32,
}

/// The most moves a position can have is 33.
pub const MOST_MOVES: usize = 34;

/// The empty squares in quadrants with an odd number of them.
#[inline]
pub fn odd_squares(empties: u64) -> u64 {
    QUADRANTS.iter().fold(0, |odd, quadrant| {
        odd | quadrant & u64::from((empties & quadrant).count_ones() & 1).wrapping_neg()
    })
}

/// Moves, a corner counted twice.
#[inline]
fn weighted(moves: u64) -> i32 {
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}

/// The squares next to a set of discs.
#[inline]
fn around(discs: u64) -> u64 {
    let beside = (discs & INNER_COLUMNS) << 1 | (discs & INNER_COLUMNS) >> 1;
    let sides = discs << 1 & 0xfefe_fefe_fefe_fefe | discs >> 1 & 0x7f7f_7f7f_7f7f_7f7f;
    let wide = discs | sides | beside;
    wide << 8 | wide >> 8 | sides
}

/// How good a reply's position is for the side that just moved, at a glance.
#[inline]
pub fn glance(compass: &Compass, child: &Child, odd: u64) -> i32 {
    let replies = compass.moves(child.own, child.other);
    let empties = !(child.own | child.other);
    let potential = (around(child.other) & empties).count_ones() as i32;
    let kept = stable_edges(child.other, child.own).count_ones() as i32;
    let parity = (odd >> child.square & 1) as i32;
    -32 * weighted(replies) - 6 * potential + 14 * kept + 8 * parity
}

/// A position's worth for the side to move: a few plies of search over a hand-made judgement.
pub fn judge(compass: &Compass, own: u64, other: u64, depth: u32, alpha: i32, beta: i32) -> i32 {
    let mut moves = compass.moves(own, other);
    if depth == 0 {
        return judgement(compass, own, other, moves);
    }
    if moves == 0 {
        if compass.moves(other, own) == 0 {
            return 1_000 * super::few::final_score(own, other);
        }
        return -judge(compass, other, own, depth, -beta, -alpha);
    }
    let mut best = i32::MIN + 1;
    while moves != 0 {
        let square = moves.trailing_zeros();
        moves &= moves - 1;
        let flips = compass.flips(square, own, other);
        let score =
            -judge(compass, other & !flips, own | flips | 1 << square, depth - 1, -beta, -alpha.max(best));
        best = best.max(score);
        if best >= beta {
            break;
        }
    }
    best
}

fn judgement(compass: &Compass, own: u64, other: u64, moves: u64) -> i32 {
    let empties = !(own | other);
    let replies = compass.moves(other, own);
    let mobility = weighted(moves) - weighted(replies);
    let potential =
        (around(other) & empties).count_ones() as i32 - (around(own) & empties).count_ones() as i32;
    let [kept, lost] =
        [stable_edges(own, other), stable_edges(other, own)].map(|set| set.count_ones() as i32);
    32 * mobility + 6 * potential + 14 * (kept - lost)
}
