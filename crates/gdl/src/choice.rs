//! A uniformly random legal move in every lane at once.
//!
//! Counting and choosing are bit-sliced: a number per lane is kept as one word a binary digit. Moves
//! are counted in blocks; the random rank is drawn exactly (digits are drawn again where they came out
//! too high), its block is found by subtracting block counts, and then its move inside the block.

// Loops over the words of a lane group are written by index: the compiler makes vector code of them.
#![allow(clippy::needless_range_loop)]

use crate::lanes::{Word, any, read};
use crate::network::Wire;
use ludens_core::Rng;

const BLOCK: usize = 16;
/// Digits of a count within a block, 0 to 16.
const DIGITS: usize = 5;

/// xoshiro256++ in every word of a lane group.
#[derive(Clone, Debug)]
pub struct LaneRng<const L: usize> {
    state: [Word<L>; 4],
}

impl<const L: usize> LaneRng<L> {
    /// A stream for every word, each seeded from `rng`.
    pub fn new(rng: &mut Rng) -> Self {
        let mut state = [[0; L]; 4];
        state.iter_mut().flatten().for_each(|w| *w = rng.next_u64());
        LaneRng { state }
    }

    /// One random bit for every lane.
    #[inline]
    pub fn draw(&mut self) -> Word<L> {
        let mut out = [0; L];
        let [a, b, c, d] = &mut self.state;
        for i in 0..L {
            out[i] = a[i].wrapping_add(d[i]).rotate_left(23).wrapping_add(a[i]);
            let t = b[i] << 17;
            c[i] ^= a[i];
            d[i] ^= b[i];
            b[i] ^= c[i];
            a[i] ^= d[i];
            c[i] ^= t;
            d[i] = d[i].rotate_left(45);
        }
        out
    }
}

/// Scratch memory for choosing.
#[derive(Clone, Debug, Default)]
pub struct Chooser<const L: usize> {
    counts: Vec<[Word<L>; DIGITS]>,
    total: Vec<Word<L>>,
    rank: Vec<Word<L>>,
    mask: Vec<Word<L>>,
}

impl<const L: usize> Chooser<L> {
    /// Without memory yet; it grows with the first choice.
    pub fn new() -> Self {
        Chooser { counts: Vec::new(), total: Vec::new(), rank: Vec::new(), mask: Vec::new() }
    }

    /// Writes, for every lane in `live`, exactly one legal move into the slots from `first` on.
    /// Returns the lanes that have none.
    pub fn choose(
        &mut self,
        values: &mut [Word<L>],
        legal: &[Wire],
        first: usize,
        live: &Word<L>,
        rng: &mut LaneRng<L>,
    ) -> Word<L> {
        self.count(values, legal);
        let mut stuck = *live;
        for digit in &self.total {
            for i in 0..L {
                stuck[i] &= !digit[i];
            }
        }
        let mut live = *live;
        for i in 0..L {
            live[i] &= !stuck[i];
        }
        self.draw(&live, rng);
        self.select(values, legal, first, live);
        stuck
    }

    fn count(&mut self, values: &[Word<L>], legal: &[Wire]) {
        let digits = usize::BITS as usize - legal.len().leading_zeros() as usize;
        self.total.clear();
        self.total.resize(digits, [0; L]);
        self.counts.clear();
        for block in legal.chunks(BLOCK) {
            let mut count = [[0; L]; DIGITS];
            for (k, &w) in block.iter().enumerate() {
                let mut carry = read(values, w);
                let levels = usize::BITS as usize - (k + 1).leading_zeros() as usize;
                for digit in &mut count[..levels] {
                    for i in 0..L {
                        let old = digit[i];
                        digit[i] ^= carry[i];
                        carry[i] &= old;
                    }
                }
            }
            add(&mut self.total, &count);
            self.counts.push(count);
        }
        while self.total.last().is_some_and(|d| !any(d)) {
            self.total.pop();
        }
    }

    /// A uniform rank below the total, in every lane.
    fn draw(&mut self, live: &Word<L>, rng: &mut LaneRng<L>) {
        // The digits a rank may use: those of total - 1, and all below them.
        self.mask.clone_from(&self.total);
        let mut borrow = *live;
        for digit in &mut self.mask {
            for i in 0..L {
                let old = digit[i];
                digit[i] ^= borrow[i];
                borrow[i] &= !old;
            }
        }
        let mut above = [0; L];
        for digit in self.mask.iter_mut().rev() {
            for i in 0..L {
                above[i] |= digit[i];
                digit[i] = above[i] & live[i];
            }
        }
        self.rank.clear();
        self.rank.resize(self.total.len(), [0; L]);
        let mut open = *live;
        while any(&open) {
            let mut below = [0; L];
            for ((rank, mask), total) in self.rank.iter_mut().zip(&self.mask).zip(&self.total) {
                if any(mask) {
                    let fresh = rng.draw();
                    for i in 0..L {
                        rank[i] ^= (rank[i] ^ (fresh[i] & mask[i])) & open[i];
                    }
                }
                for i in 0..L {
                    below[i] = (!rank[i] & (total[i] | below[i])) | (total[i] & below[i]);
                }
            }
            for i in 0..L {
                open[i] &= !below[i];
            }
        }
    }

    fn select(&mut self, values: &mut [Word<L>], legal: &[Wire], first: usize, mut open: Word<L>) {
        let mut difference = vec![[0; L]; self.rank.len()];
        for (b, block) in legal.chunks(BLOCK).enumerate() {
            let slots = first + b * BLOCK;
            let count = &self.counts[b];
            // rank - count; a borrow at the end means the move is in this block.
            let mut here = [0; L];
            for (k, (rank, diff)) in self.rank.iter().zip(&mut difference).enumerate() {
                let count = if k < DIGITS { count[k] } else { [0; L] };
                for i in 0..L {
                    diff[i] = rank[i] ^ count[i] ^ here[i];
                    here[i] = (!rank[i] & (count[i] | here[i])) | (count[i] & here[i]);
                }
            }
            for i in 0..L {
                here[i] = open[i] & (here[i] | zero_digits(self.rank.len()));
            }
            if !any(&here) {
                values[slots..slots + block.len()].fill([0; L]);
            } else {
                self.select_in_block(values, block, slots, here);
            }
            for i in 0..L {
                open[i] &= !here[i];
            }
            for (rank, diff) in self.rank.iter_mut().zip(&difference) {
                for i in 0..L {
                    rank[i] ^= (rank[i] ^ diff[i]) & open[i];
                }
            }
        }
    }

    fn select_in_block(&self, values: &mut [Word<L>], block: &[Wire], slots: usize, mut open: Word<L>) {
        let mut rank = [[0; L]; DIGITS];
        for (r, from) in rank.iter_mut().zip(&self.rank) {
            *r = *from;
        }
        for (k, &w) in block.iter().enumerate() {
            let mut step = read(values, w);
            let mut chosen = [0; L];
            for i in 0..L {
                let zero = !(rank[0][i] | rank[1][i] | rank[2][i] | rank[3][i] | rank[4][i]);
                step[i] &= open[i];
                chosen[i] = step[i] & zero;
                open[i] &= !chosen[i];
                step[i] &= !chosen[i];
            }
            values[slots + k] = chosen;
            for digit in &mut rank {
                for i in 0..L {
                    let old = digit[i];
                    digit[i] ^= step[i];
                    step[i] &= !old;
                }
            }
        }
    }
}

/// With no digits at all there is at most nothing to find; with some, nothing is forced.
fn zero_digits(digits: usize) -> u64 {
    if digits == 0 { u64::MAX } else { 0 }
}

fn add<const L: usize>(total: &mut [Word<L>], count: &[Word<L>; DIGITS]) {
    let mut carry = [0; L];
    for (k, digit) in total.iter_mut().enumerate() {
        let other = if k < DIGITS { count[k] } else { [0; L] };
        for i in 0..L {
            let (a, b) = (digit[i], other[i]);
            digit[i] = a ^ b ^ carry[i];
            carry[i] = (a & b) | (carry[i] & (a ^ b));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::wire;

    /// Every lane gets one of its legal moves, and each of them equally often.
    #[test]
    fn choice_is_uniform_over_the_legal_moves_of_each_lane() {
        const MOVES: usize = 37;
        let mut rng = Rng::new(1);
        let mut lane_rng = LaneRng::<2>::new(&mut rng);
        let mut values: Vec<Word<2>> = vec![[0; 2]; 1 + 2 * MOVES];
        for v in &mut values[1..=MOVES] {
            *v = [rng.next_u64() & rng.next_u64(), rng.next_u64()];
        }
        let legal: Vec<Wire> = (1..=MOVES as u32).map(wire).collect();
        let mut chooser = Chooser::<2>::new();
        let mut counts = vec![[0u32; 128]; MOVES];
        let rounds = 4000;
        for _ in 0..rounds {
            let stuck = chooser.choose(&mut values, &legal, 1 + MOVES, &[!0; 2], &mut lane_rng);
            assert_eq!(stuck, [0; 2]);
            for lane in 0..128 {
                let bit = |w: &Word<2>| w[lane / 64] >> (lane % 64) & 1 == 1;
                let chosen: Vec<usize> = (0..MOVES).filter(|&m| bit(&values[1 + MOVES + m])).collect();
                assert_eq!(chosen.len(), 1);
                assert!(bit(&values[1 + chosen[0]]));
                counts[chosen[0]][lane] += 1;
            }
        }
        let (mut chi2, mut freedom) = (0.0, 0.0);
        for lane in 0..128 {
            let n = (0..MOVES).filter(|&m| values[1 + m][lane / 64] >> (lane % 64) & 1 == 1).count();
            let expected = f64::from(rounds) / n as f64;
            freedom += n as f64 - 1.0;
            for m in (0..MOVES).filter(|&m| values[1 + m][lane / 64] >> (lane % 64) & 1 == 1) {
                chi2 += ludens_core::math::square(f64::from(counts[m][lane]) - expected) / expected;
            }
        }
        let z = (chi2 - freedom) / (2.0f64 * freedom).sqrt();
        assert!(z.abs() < 4.0, "chi2 {chi2} with {freedom} degrees of freedom");
    }

    #[test]
    fn lanes_without_a_move_are_reported() {
        let mut lane_rng = LaneRng::<1>::new(&mut Rng::new(2));
        let mut values: Vec<Word<1>> = vec![[0], [0b1010], [0]];
        let stuck = Chooser::<1>::new().choose(&mut values, &[wire(1)], 2, &[0b1111], &mut lane_rng);
        assert_eq!((stuck, values[2]), ([0b0101], [0b1010]));
    }
}
