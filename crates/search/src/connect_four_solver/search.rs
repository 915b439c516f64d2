//! The search of one position: can the side to move reach a score of at least `beta`?
//!
//! The contract, for a position of score `s` and the answer `a`:
//!
//! ```text
//!     s ≥ beta  ⇒  beta ≤ a ≤ s          (a proved lower bound)
//!     s < beta  ⇒  s ≤ a < beta          (a proved upper bound)
//! ```
//!
//! A node asks, from the cheapest question to the dearest: is a move forced, or the game lost on the spot; can the
//! rest of the board still give the score asked for; does zugzwang decide ([`super::zugzwang`]); is it remembered;
//! does a move make two threats at once or leave the opponent no good reply; is a child remembered well enough;
//! and only then it plays the moves, those that make most winning squares first. What every move makes is
//! computed for all columns at once, in arrays the compiler turns into vector instructions; the winning squares
//! found there are handed down and never computed twice.

use ludens_core::Stop;

use super::Ranker;
use super::bitboard::Squares;
use super::table::{Known, Table};
use super::zugzwang;

/// Columns handled together; a board has at most sixteen.
const LANES: usize = 16;
/// With fewer empty squares than this, looking a position up costs more than searching it.
const REMEMBER_FROM: i32 = 8;
/// With fewer empty squares than this, looking its children up does.
const LOOK_AHEAD_FROM: i32 = 12;
/// Worse than any score.
const NOTHING: i32 = -99;
/// No column is remembered as the best.
const NO_COLUMN: usize = 15;

/// A position on the way down: the discs of the side to move and of the other, and the empty squares that
/// would complete four in a line for each. The side to move has no win on the move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub mine: u64,
    pub theirs: u64,
    pub my_wins: u64,
    pub their_wins: u64,
}

impl Node {
    pub fn new<const W: usize, const H: usize>(mine: u64, theirs: u64) -> Node {
        Node {
            mine,
            theirs,
            my_wins: Squares::<W, H>::completing(mine, mine | theirs),
            their_wins: Squares::<W, H>::completing(theirs, mine | theirs),
        }
    }

    /// The position after a disc on `square`, which gives its owner the winning squares `wins`.
    #[inline(always)]
    fn child(&self, square: u64, wins: u64) -> Node {
        Node {
            mine: self.theirs,
            theirs: self.mine | square,
            my_wins: self.their_wins & !square,
            their_wins: wins,
        }
    }
}

/// A move and what it makes.
#[derive(Debug, Clone, Copy, Default)]
struct Try {
    square: u64,
    wins: u64,
    rank: i32,
}

/// What all the moves of a node make, column by column in the order of [`Search::columns`].
struct Made {
    squares: [u64; LANES],
    wins: [u64; LANES],
    ranks: [i32; LANES],
    /// Some move wins with the next disc, whatever the answer.
    decisive: bool,
    /// The best score some move is sure of by following up to the end.
    held: i32,
}

/// Positions between two looks whether the work is to end: some milliseconds.
const NODES_BETWEEN_LOOKS: u64 = 1 << 15;

#[derive(Debug)]
pub(super) struct Search<const W: usize, const H: usize> {
    pub table: Table,
    pub nodes: u64,
    /// Once so many positions were examined it looks whether to go on.
    look_at: u64,
    /// Once so many positions were examined a search gives up; its answer then means nothing.
    limit: u64,
    stop: Stop,
    pub gave_up: bool,
    pub ranker: Option<(Box<dyn Ranker>, i32)>,
    /// Positions with fewer discs than this share their entry with their mirror image.
    pub mirror_below: i32,
    /// The columns from the middle outwards, as squares; zero where the board has none.
    columns: [u64; LANES],
}

impl<const W: usize, const H: usize> Search<W, H> {
    pub fn new(largest_index_bits: u32) -> Self {
        Search {
            table: Table::new(Squares::<W, H>::BITS, largest_index_bits),
            nodes: 0,
            look_at: u64::MAX,
            limit: u64::MAX,
            stop: Stop::default(),
            gave_up: false,
            ranker: None,
            mirror_below: 0,
            columns: std::array::from_fn(
                |i| {
                    if i < W { Squares::<W, H>::column(outwards::<W>(i)) } else { 0 }
                },
            ),
        }
    }

    /// From now on it gives up after so many positions more, or when `stop` says so.
    pub fn bound(&mut self, nodes: u64, stop: &Stop) {
        self.limit = self.nodes.saturating_add(nodes);
        self.stop = stop.clone();
        self.look();
    }

    /// Whether it gave up since then; from now on it never does.
    pub fn unbound(&mut self) -> bool {
        (self.look_at, self.limit, self.stop) = (u64::MAX, u64::MAX, Stop::default());
        std::mem::take(&mut self.gave_up)
    }

    #[cold]
    fn look(&mut self) {
        self.gave_up |= self.nodes >= self.limit || self.stop.check().is_err();
        self.look_at = self.limit.min(self.nodes + NODES_BETWEEN_LOOKS);
    }

    /// Can the side to move reach `beta`? See the contract above.
    pub fn search(&mut self, node: &Node, beta: i32) -> i32 {
        self.nodes += 1;
        let Node { mine, theirs, their_wins, .. } = *node;
        let occupied = mine | theirs;
        let discs = occupied.count_ones() as i32;
        let left = Squares::<W, H>::CELLS - discs;
        let playable = Squares::<W, H>::playable(occupied);
        let forced = playable & their_wins;
        let moves = if forced != 0 { forced } else { playable } & !(their_wins >> 1);
        if moves == 0 || forced & forced.wrapping_sub(1) != 0 {
            return -(left / 2); // the opponent completes four with the next disc
        }
        if left <= 2 {
            return 0;
        }
        if forced != 0 {
            let wins = Squares::<W, H>::completing(mine | forced, occupied | forced);
            return -self.search(&node.child(forced, wins), 1 - beta);
        }
        // Nobody completes four with the next disc, so this is what is left to win or lose.
        let lower = -((left - 2) / 2);
        let upper = ((left - 1) / 2).min(zugzwang::upper_bound::<W, H>(mine, theirs, their_wins));
        if upper < beta || lower >= beta {
            return if upper < beta { upper } else { lower };
        }
        let mut known = Known { lower, upper, column: NO_COLUMN };
        let key = self.key(mine, occupied, discs);
        if left >= REMEMBER_FROM
            && let Some(remembered) = self.table.get(key)
        {
            known.lower = known.lower.max(remembered.lower);
            known.upper = known.upper.min(remembered.upper);
            known.column = remembered.column;
            if known.lower >= beta || known.upper < beta {
                return if known.lower >= beta { known.lower } else { known.upper };
            }
        }
        self.play_moves(node, moves, left, beta, key, known)
    }

    /// The second half of [`Self::search`]: no short cut helped.
    #[inline(always)]
    fn play_moves(
        &mut self,
        node: &Node,
        moves: u64,
        left: i32,
        beta: i32,
        key: u64,
        mut known: Known,
    ) -> i32 {
        let made = self.make(node, moves, left);
        if made.decisive {
            return (left - 1) / 2;
        }
        if made.held >= beta {
            return made.held;
        }
        known.upper = known.upper.min((left - 3) / 2);
        if known.upper < beta {
            return known.upper;
        }
        let mut tries = [Try::default(); LANES];
        let count = match self.sort(node, &made, left, beta, known.column, &mut tries) {
            Ok(count) => count,
            Err(score) => return score,
        };
        let nodes_before = self.nodes;
        if nodes_before >= self.look_at {
            self.look();
        }
        let mut best = NOTHING;
        for t in &tries[..count] {
            let score = -self.search(&node.child(t.square, t.wins), 1 - beta);
            if self.gave_up {
                return 0; // nothing is remembered of an unfinished search
            }
            if score > best {
                best = score;
                known.column = Squares::<W, H>::column_of(t.square);
                if best >= beta {
                    break;
                }
            }
        }
        if left >= REMEMBER_FROM {
            if best >= beta {
                known.lower = known.lower.max(best);
            } else {
                known.upper = known.upper.min(best);
            }
            self.table.put(key, known, self.nodes - nodes_before);
        }
        best
    }

    /// What every move makes. One pass over all columns at once; nothing in it branches.
    #[inline(always)]
    fn make(&self, node: &Node, moves: u64, left: i32) -> Made {
        let Node { mine, theirs, my_wins, their_wins } = *node;
        let occupied = mine | theirs;
        let lanes = if W <= 8 { 8 } else { LANES };
        let mut made =
            Made { squares: [0; LANES], wins: [0; LANES], ranks: [0; LANES], decisive: false, held: NOTHING };
        for i in 0..lanes {
            made.squares[i] = moves & self.columns[i];
        }
        let mut decisive = 0;
        let mut held = [NOTHING; LANES];
        let useless = (their_wins >> 1) | (their_wins << 1); // winning squares next to theirs are worth less
        let follow_up_holds = H.is_multiple_of(2) && left % 2 == 1;
        for (i, held) in held[..lanes].iter_mut().enumerate() {
            let square = made.squares[i];
            let after = occupied | square;
            let wins = Squares::<W, H>::completing(mine | square, after);
            let open = Squares::<W, H>::playable(after);
            let threats = wins & open;
            let replies = if threats != 0 { threats } else { open };
            let no_reply = replies & !(wins >> 1) == 0;
            let two_threats = threats & threats.wrapping_sub(1) != 0;
            decisive |= if no_reply | two_threats { square } else { 0 };
            let bound = zugzwang::follow_up_lower_bound::<W, H>(theirs, after, open, wins);
            *held = if (threats == 0) & (square != 0) & follow_up_holds { bound } else { NOTHING };
            made.wins[i] = wins;
            made.ranks[i] = 16 * wins.count_ones() as i32
                + 8 * (wins & !useless).count_ones() as i32
                + if wins & (square << 1) != 0 { 10 } else { 0 }
                - if my_wins & (square << 1) != 0 { 40 } else { 0 }
                - i as i32;
        }
        made.decisive = decisive != 0;
        for &held in &held[..lanes] {
            made.held = made.held.max(held);
        }
        made
    }

    /// The moves in the order to try them, the remembered best first and those known to fail last; or, as the
    /// error, a score that a remembered child already proves.
    #[inline(always)]
    fn sort(
        &mut self,
        node: &Node,
        made: &Made,
        left: i32,
        beta: i32,
        best: usize,
        tries: &mut [Try; LANES],
    ) -> Result<usize, i32> {
        let mut learnt = [0; LANES];
        if let Some((ranker, from)) = &mut self.ranker
            && left >= *from
        {
            ranker.rank(node.mine, node.theirs, &mut learnt[..W]);
        }
        let discs = Squares::<W, H>::CELLS - left;
        let mut count = 0;
        for i in 0..W {
            let square = made.squares[i];
            if square == 0 {
                continue;
            }
            let column = Squares::<W, H>::column_of(square);
            let mut rank = made.ranks[i] + learnt[column];
            if left >= LOOK_AHEAD_FROM {
                let key = self.key(node.theirs, node.mine | node.theirs | square, discs + 1);
                if let Some(child) = self.table.get(key) {
                    if -child.upper >= beta {
                        return Err(-child.upper);
                    }
                    if -child.lower < beta {
                        rank -= 100_000;
                    }
                }
            }
            if column == best {
                rank += 10_000;
            }
            let mut place = count;
            while place > 0 && tries[place - 1].rank < rank {
                tries[place] = tries[place - 1];
                place -= 1;
            }
            tries[place] = Try { square, wins: made.wins[i], rank };
            count += 1;
        }
        Ok(count)
    }

    /// The name a position is remembered by: in every column the discs of the side to move, added to the pile
    /// itself, give each filling its own number.
    #[inline(always)]
    fn key(&self, mine: u64, occupied: u64, discs: i32) -> u64 {
        let key = mine.wrapping_add(occupied);
        if discs < self.mirror_below {
            key.min(Squares::<W, H>::mirror(mine).wrapping_add(Squares::<W, H>::mirror(occupied)))
        } else {
            key
        }
    }
}

/// The `i`-th column counted from the middle outwards, to the left and to the right in turn.
const fn outwards<const W: usize>(i: usize) -> usize {
    // The first to the left of the middle is at an odd count on odd boards, at an even one on even boards.
    if i % 2 == W % 2 { (W - 1) / 2 - i.div_ceil(2) } else { W / 2 + i / 2 }
}

#[cfg(test)]
mod tests {
    use super::outwards;

    #[test]
    fn columns_go_outwards_from_the_middle() {
        assert_eq!(std::array::from_fn(outwards::<7>), [3, 2, 4, 1, 5, 0, 6]);
        assert_eq!(std::array::from_fn(outwards::<8>), [3, 4, 2, 5, 1, 6, 0, 7]);
        assert_eq!(std::array::from_fn(outwards::<1>), [0]);
    }
}
