//! Beyond the paper: the same network with what a person would count as its inputs: cells that complete four, open lines
//! and stones, the first player's less the second's. The cells that complete four are counted by row and also
//! together for both sides, because an odd row helps the first player and an even one the second.

use ludens_games::connect_four::{HEIGHT, WIDTH};

use super::connect_four::{BOTTOM, Board, FULL, Judge, STEP, completing_cells};
use super::network::{LANES, Player, Sums, output};

/// Counts that are the first player's less the second's.
const DIFFERENCES: usize = 19;
/// The first of them, those about cells that complete four, are also given as the sum of both sides.
const SUMS: usize = 9;
pub const FEATURES: usize = DIFFERENCES + SUMS;

/// What each count is, and what one of it is as an input: powers of two, so that large counts do not drown small ones.
const COUNTS: [(&str, f32); DIFFERENCES] = [
    ("cell in row 1 that completes four", 1.0),
    ("cell in row 2 that completes four", 1.0),
    ("cell in row 3 that completes four", 1.0),
    ("cell in row 4 that completes four", 1.0),
    ("cell in row 5 that completes four", 1.0),
    ("cell in row 6 that completes four", 1.0),
    ("two such cells one above the other", 1.0),
    ("such a cell that can be played now", 1.0),
    ("such a cell just above a playable one", 1.0),
    ("open upright line of two stones", 0.25),
    ("open flat line of two stones", 0.25),
    ("open slanting line of two stones", 0.25),
    ("open upright line of one stone", 0.125),
    ("open flat line of one stone", 0.125),
    ("open slanting line of one stone", 0.125),
    ("stone in the middle column", 0.25),
    ("stone one column from the middle", 0.25),
    ("stone two columns from the middle", 0.25),
    ("stone at the edge", 0.25),
];

const COLUMN: u64 = (1 << HEIGHT) - 1;

/// The columns of a distance from the middle one.
const fn columns(distance: u32) -> u64 {
    let middle = WIDTH / 2;
    COLUMN << ((middle - distance) * STEP) | COLUMN << ((middle + distance) * STEP)
}

const COLUMNS: [u64; 4] = [columns(0), columns(1), columns(2), columns(3)];

/// Where a line of four in each direction can begin, and the step to its next cell.
const DIRECTIONS: [(u32, u64); 4] = [
    (1, 0b111 * BOTTOM),
    (STEP, FULL & ((1 << (4 * STEP)) - 1)),
    (STEP + 1, (0b111 * BOTTOM) & ((1 << (4 * STEP)) - 1)),
    (STEP - 1, (0b11_1000 * BOTTOM) & ((1 << (4 * STEP)) - 1)),
];

/// The lines with no stone of the other side and exactly one, exactly two of one's own.
#[inline]
fn open_lines(own: u64, other: u64, (step, starts): (u32, u64)) -> (i32, i32) {
    let at = |stones: u64, cell: u32| stones >> (cell * step);
    let closed = other | at(other, 1) | at(other, 2) | at(other, 3);
    let (odd_near, both_near) = (own ^ at(own, 1), own & at(own, 1));
    let (odd_far, both_far) = (at(own, 2) ^ at(own, 3), at(own, 2) & at(own, 3));
    let (ones, carry) = (odd_near ^ odd_far, odd_near & odd_far);
    let twos = both_near ^ both_far ^ carry;
    let open = starts & !closed;
    let count = |lines: u64| (lines & open).count_ones() as i32;
    (count(ones & !twos), count(!ones & twos))
}

/// The counts of one side.
#[inline]
fn counts_of(own: u64, other: u64) -> [i32; DIFFERENCES] {
    let occupied = own | other;
    let landing = (occupied + BOTTOM) & FULL;
    let completing = completing_cells(own) & FULL & !occupied;
    let count = |cells: u64| cells.count_ones() as i32;
    let mut counts = [0; DIFFERENCES];
    for (row, counts) in counts.iter_mut().take(HEIGHT as usize).enumerate() {
        *counts = count(completing & (BOTTOM << row));
    }
    counts[6] = count(completing & (completing << 1));
    counts[7] = count(completing & landing);
    counts[8] = count(completing & (landing << 1));
    for (kind, direction) in [0, 1, 2, 2].into_iter().zip(DIRECTIONS) {
        let (one, two) = open_lines(own, other, direction);
        counts[9 + kind] += two;
        counts[12 + kind] += one;
    }
    for (counts, column) in counts[15..].iter_mut().zip(COLUMNS) {
        *counts = count(own & column);
    }
    counts
}

/// The whole-number inputs as the first player sees them.
#[inline]
fn counts(board: &Board) -> [i32; FEATURES] {
    let first = counts_of(board.stones[0], board.stones[1]);
    let second = counts_of(board.stones[1], board.stones[0]);
    let mut counts = [0; FEATURES];
    for (index, count) in counts.iter_mut().enumerate() {
        *count = match index.checked_sub(DIFFERENCES) {
            None => first[index] - second[index],
            Some(index) => first[index] + second[index],
        };
    }
    counts
}

/// The inputs as the first player sees them.
pub fn feature_inputs(board: &Board) -> Vec<f32> {
    counts(board).iter().enumerate().map(|(index, &count)| count as f32 * scale(index)).collect()
}

fn scale(index: usize) -> f32 {
    COUNTS[if index < DIFFERENCES { index } else { index - DIFFERENCES }].1
}

/// What an input is called, and whether it is the sum of both sides.
pub fn feature_name(index: usize) -> (&'static str, bool) {
    let sum = index >= DIFFERENCES;
    (COUNTS[if sum { index - DIFFERENCES } else { index }].0, sum)
}

/// A player whose inputs are these counts, laid out for the search. They are cheap to count anew.
#[derive(Clone, Debug)]
pub struct FeatureNet {
    rows: Box<[Sums; FEATURES]>,
    output: [f32; LANES],
}

impl FeatureNet {
    pub fn new(player: &Player) -> FeatureNet {
        let rows = std::array::from_fn(|index| player.row(index).times(scale(index)));
        FeatureNet { rows: Box::new(rows), output: player.output_weights() }
    }
}

impl Judge for FeatureNet {
    #[inline]
    fn sums(&self, board: &Board) -> Sums {
        let mut sums = [0i32; LANES];
        for (row, count) in self.rows.iter().zip(counts(board)) {
            // Most are zero, and multiplying is the dear part.
            if count == 0 {
                continue;
            }
            for (sum, weight) in sums.iter_mut().zip(row.0) {
                *sum = sum.wrapping_add(weight.wrapping_mul(count));
            }
        }
        Sums(sums)
    }

    #[inline]
    fn after(&self, board: &Board, _: &Sums, cell: u64) -> Sums {
        self.sums(&board.after(cell))
    }

    #[inline]
    fn output(&self, sums: &Sums) -> f32 {
        output(sums, &self.output)
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;
    use ludens_games::connect_four::ConnectFour;

    use super::super::contest::opening;
    use super::super::lines::lines;
    use super::*;

    /// The counts again, line by line and cell by cell.
    fn slowly(own: u64, other: u64) -> [i32; DIFFERENCES] {
        let mut counts = [0; DIFFERENCES];
        let mut completing = 0u64;
        for line in lines() {
            let (first, last) = (line.trailing_zeros(), 63 - line.leading_zeros());
            let kind = match (last - first) / 3 {
                1 => 0,
                STEP => 1,
                _ => 2,
            };
            if line & other == 0 {
                match (line & own).count_ones() {
                    1 => counts[12 + kind] += 1,
                    2 => counts[9 + kind] += 1,
                    3 => completing |= line & !own,
                    _ => {}
                }
            }
        }
        let empty = |column: u32, row: u32| (own | other) >> (column * STEP + row) & 1 == 0;
        for column in 0..WIDTH {
            counts[15 + column.abs_diff(3) as usize] += (own >> (column * STEP) & COLUMN).count_ones() as i32;
            for row in 0..HEIGHT {
                let completes = |row: u32| completing >> (column * STEP + row) & 1 == 1;
                if completes(row) {
                    counts[row as usize] += 1;
                    counts[6] += i32::from(row > 0 && completes(row - 1));
                    let floor = |row: u32| row == 0 || !empty(column, row - 1);
                    counts[7] += i32::from(floor(row));
                    counts[8] += i32::from(row > 0 && empty(column, row - 1) && floor(row - 1));
                }
            }
        }
        counts
    }

    #[test]
    fn counts_are_what_they_are_called() {
        let mut rng = Rng::new(31);
        for number in 0..2000 {
            let board = Board::of(&opening(&ConnectFour, number % 38, &mut rng));
            let [first, second] = board.stones;
            assert_eq!(counts_of(first, second), slowly(first, second));
            assert_eq!(counts_of(second, first), slowly(second, first));
        }
    }
}
