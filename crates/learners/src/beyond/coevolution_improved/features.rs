//! Beyond the paper: the same network with what a person would count as its inputs: cells that complete four, open lines
//! and stones, the first player's less the second's. The cells that complete four are counted by row and also
//! together for both sides, because an odd row helps the first player and an even one the second.

use ludens_core::Side;
use ludens_core::words::Notion;
use ludens_games::connect_four::geometry::{BOTTOM, FULL, HEIGHT, STEP, WIDTH, column, landing};

use crate::coevolution::connect_four::{Board, Judge, completing_cells};
use crate::coevolution::{LANES, Player, Sums, output};

/// Counts that are the first player's less the second's.
const DIFFERENCES: usize = 19;
/// The first of them, those about cells that complete four, are also given as the sum of both sides.
const SUMS: usize = 9;
/// Counts of one side alone, and who has the last word.
const ZUGZWANG: usize = 3;
/// How many inputs there are.
pub const FEATURES: usize = DIFFERENCES + SUMS + ZUGZWANG;

/// What each count is, and what one of it is as an input: powers of two, so that large counts do not drown small ones.
const COUNTS: [(Notion, f32); DIFFERENCES] = [
    (Notion::WinsInRow(1), 1.0),
    (Notion::WinsInRow(2), 1.0),
    (Notion::WinsInRow(3), 1.0),
    (Notion::WinsInRow(4), 1.0),
    (Notion::WinsInRow(5), 1.0),
    (Notion::WinsInRow(6), 1.0),
    (Notion::WinsStacked, 1.0),
    (Notion::WinsNow, 1.0),
    (Notion::WinsNext, 1.0),
    (Notion::Upright(2), 0.25),
    (Notion::Flat(2), 0.25),
    (Notion::Slanting(2), 0.25),
    (Notion::Upright(1), 0.125),
    (Notion::Flat(1), 0.125),
    (Notion::Slanting(1), 0.125),
    (Notion::FromMiddle(0), 0.25),
    (Notion::FromMiddle(1), 0.25),
    (Notion::FromMiddle(2), 0.25),
    (Notion::FromMiddle(3), 0.25),
];

/// When everything else is full somebody must play below a cell that the other needs: the first player is forced to fill even rows, the
/// second odd ones.
const ZUGZWANGS: [Notion; ZUGZWANG] = [Notion::OddZugzwang, Notion::EvenZugzwang, Notion::LoneZugzwang];
const ODD_ROWS: u64 = 0b01_0101 * BOTTOM;
const EVEN_ROWS: u64 = 0b10_1010 * BOTTOM;

/// The columns of a distance from the middle one.
const fn columns(distance: u32) -> u64 {
    let middle = WIDTH / 2;
    column(middle - distance) | column(middle + distance)
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
#[inline(always)]
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
#[inline(always)]
fn counts_of(own: u64, other: u64) -> [i32; DIFFERENCES] {
    let occupied = own | other;
    let landing = landing(occupied);
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

/// All cells above these in their columns.
#[inline(always)]
fn above(cells: u64) -> u64 {
    let mut step = cells;
    let mut all = 0;
    for _ in 1..HEIGHT {
        step = (step << 1) & FULL;
        all |= step;
    }
    all
}

/// The counts of [`ZUGZWANGS`]: in each column the lowest such cell is the one that counts.
#[inline(always)]
fn zugzwangs([first, second]: [u64; 2]) -> [i32; ZUGZWANG] {
    let empty = FULL & !(first | second);
    let odd = completing_cells(first) & empty & ODD_ROWS;
    let even = completing_cells(second) & empty & EVEN_ROWS;
    let odd_alone = (odd & !above(even)).count_ones() as i32;
    let even_alone = (even & !above(odd)).count_ones() as i32;
    [odd_alone, even_alone, i32::from(odd_alone > 0) - i32::from(even_alone > 0)]
}

/// The whole-number inputs as the first player sees them.
#[inline(always)]
fn counts(board: &Board) -> [i32; FEATURES] {
    let first = counts_of(board.stones[0], board.stones[1]);
    let second = counts_of(board.stones[1], board.stones[0]);
    let mut counts = [0; FEATURES];
    for index in 0..DIFFERENCES {
        counts[index] = first[index] - second[index];
    }
    for index in 0..SUMS {
        counts[DIFFERENCES + index] = first[index] + second[index];
    }
    counts[DIFFERENCES + SUMS..].copy_from_slice(&zugzwangs(board.stones));
    counts
}

/// The inputs as the first player sees them.
pub fn feature_inputs(board: &Board) -> Vec<f32> {
    counts(board).iter().enumerate().map(|(index, &count)| count as f32 * scale(index)).collect()
}

fn scale(index: usize) -> f32 {
    let counted = if index < DIFFERENCES { index } else { index - DIFFERENCES };
    if index < DIFFERENCES + SUMS { COUNTS[counted].1 } else { 1.0 }
}

/// Whose a count is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counted {
    /// Of the first player less that of the second.
    Difference,
    /// Of both together.
    Sum,
    /// Of one side alone.
    Of(Side),
}

/// What an input counts, and whose.
pub fn notion(index: usize) -> (Notion, Counted) {
    match index {
        0..DIFFERENCES => (COUNTS[index].0, Counted::Difference),
        _ if index < DIFFERENCES + SUMS => (COUNTS[index - DIFFERENCES].0, Counted::Sum),
        _ => match ZUGZWANGS[index - DIFFERENCES - SUMS] {
            Notion::OddZugzwang => (Notion::OddZugzwang, Counted::Of(Side::First)),
            Notion::EvenZugzwang => (Notion::EvenZugzwang, Counted::Of(Side::Second)),
            notion => (notion, Counted::Difference),
        },
    }
}

/// A player whose inputs are these counts, laid out for the search: counting anew is cheap, multiplying is not, so that what each count adds
/// to the sums is looked up.
#[derive(Clone, Debug)]
pub struct FeatureNet {
    rows: Vec<[Sums; SPAN]>,
    output: [f32; LANES],
}

/// Counts from −32 to 31: no count of lines or stones is beyond 24.
const SPAN: usize = 64;

impl FeatureNet {
    /// This player's weights, laid out.
    pub fn new(player: &Player) -> FeatureNet {
        let times = |row: &Sums, count: i32| Sums(row.0.map(|weight| weight.wrapping_mul(count)));
        let rows = (0..FEATURES).map(|index| {
            let row = player.row(index).times(scale(index));
            std::array::from_fn(|place| times(&row, place as i32 - SPAN as i32 / 2))
        });
        FeatureNet { rows: rows.collect(), output: player.output_weights() }
    }
}

impl Judge for FeatureNet {
    #[inline(always)]
    fn sums(&self, board: &Board) -> Sums {
        let mut sums = Sums::default();
        for (row, count) in self.rows.iter().zip(counts(board)) {
            sums = sums.plus(&row[(count + SPAN as i32 / 2) as usize % SPAN]);
        }
        sums
    }

    #[inline(always)]
    fn after(&self, board: &Board, _: &Sums, cell: u64) -> Sums {
        self.sums(&board.after(cell))
    }

    #[inline(always)]
    fn output(&self, sums: &Sums) -> f32 {
        output(sums, &self.output)
    }
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;
    use ludens_games::connect_four::ConnectFour;
    use ludens_games::connect_four::geometry::COLUMN;

    use super::super::lines::lines;
    use super::*;
    use crate::coevolution::contest::opening;

    /// The counts again, line by line and cell by cell.
    fn slowly(own: u64, other: u64) -> [i32; DIFFERENCES] {
        let mut counts = [0; DIFFERENCES];
        let mut completing = 0u64;
        for &line in lines() {
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

    /// Column by column, upwards from the lowest empty cell.
    fn zugzwangs_slowly(board: &Board) -> [i32; ZUGZWANG] {
        let [first, second] = board.stones;
        let completes = |own: u64, cell: u64| {
            own & cell == 0 && lines().iter().any(|&line| line & cell != 0 && line & !(own | cell) == 0)
        };
        let mut found = [0; ZUGZWANG];
        for column in 0..WIDTH {
            let mut lowest = [None; 2];
            let mut numbers = [0; 2];
            for row in 0..HEIGHT {
                let cell = 1u64 << (column * STEP + row);
                let side = (row % 2) as usize;
                if (first | second) & cell == 0 && completes([first, second][side], cell) {
                    lowest[side].get_or_insert(row);
                    numbers[side] += i32::from(lowest[side ^ 1].is_none());
                }
            }
            found[0] += numbers[0];
            found[1] += numbers[1];
        }
        found[2] = i32::from(found[0] > 0) - i32::from(found[1] > 0);
        found
    }

    #[test]
    fn counts_are_what_they_are_called() {
        let mut rng = Rng::new(31);
        for number in 0..2000 {
            let board = Board::of(&ConnectFour, &opening(&ConnectFour, number % 38, &mut rng));
            let [first, second] = board.stones;
            assert_eq!(counts_of(first, second), slowly(first, second));
            assert_eq!(counts_of(second, first), slowly(second, first));
            assert_eq!(zugzwangs(board.stones), zugzwangs_slowly(&board));
        }
    }
}
