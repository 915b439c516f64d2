//! Beyond the paper: the same network with the 69 lines of four as its inputs instead of the 42 cells. A line that only one
//! side can still complete counts by its stones; a line with stones of both, or of none, is 0.

use ludens_core::Side;
use ludens_games::connect_four::{HEIGHT, State, WIDTH};
use ludens_search::hand::line_masks;

use super::connect_four::{Board, Judge};
use super::network::{LANES, Player, Sums, output};

/// Lines of four on the board.
pub const LINES: usize = 69;
/// The input of a line with so many stones of one side alone.
const SIZES: [f32; 4] = [0.0, 0.125, 0.375, 1.0];
/// Where a line's rows of changes end with the one that changes nothing.
const NOTHING: usize = 7;

/// The lines as sets of bits of the board.
pub fn lines() -> Vec<u64> {
    line_masks(WIDTH, HEIGHT, 4, HEIGHT + 1, 1)
}

/// The inputs as `side` sees them.
pub fn line_inputs(state: &State, side: Side) -> Vec<f32> {
    let board = Board::of(state);
    let (own, other) = (board.stones[side.index()], board.stones[side.other().index()]);
    let input = |line: u64| match ((own & line).count_ones(), (other & line).count_ones()) {
        (mine, 0) => SIZES[mine as usize & 3],
        (0, theirs) => -SIZES[theirs as usize & 3],
        _ => 0.0,
    };
    lines().into_iter().map(input).collect()
}

/// A player whose inputs are lines, laid out for the search.
#[derive(Clone, Debug)]
pub struct LineNet {
    lines: Vec<u64>,
    /// The lines through each bit of the board.
    through: Vec<Vec<u8>>,
    /// What the mover's stone changes in a line, as the mover sees it: own stones 0 … 3 before and none of the other's,
    /// then the other's 1 … 3 and none of his own, then nothing.
    changes: Vec<[Sums; 8]>,
    output: [f32; LANES],
}

impl LineNet {
    pub fn new(player: &Player) -> LineNet {
        let lines = lines();
        let through = |bit: u32| {
            let here = lines.iter().enumerate().filter(|(_, line)| *line >> bit & 1 == 1);
            here.map(|(index, _)| index as u8).collect()
        };
        let changes = (0..LINES).map(|line| {
            let row = player.row(line);
            let sizes = SIZES.map(|size| row.times(size));
            let mut changes = [Sums::default(); 8];
            for stones in 0..3 {
                changes[stones] = sizes[stones + 1].plus(&sizes[stones].negated());
                changes[4 + stones] = sizes[stones + 1];
            }
            changes
        });
        LineNet {
            through: (0..64).map(through).collect(),
            changes: changes.collect(),
            output: player.output_weights(),
            lines,
        }
    }
}

impl Judge for LineNet {
    fn sums(&self, board: &Board) -> Sums {
        let mut sums = Sums::default();
        for (line, changes) in self.lines.iter().zip(&self.changes) {
            let [first, second] = board.stones.map(|stones| (stones & line).count_ones() as usize);
            match (first, second) {
                (1..=3, 0) => sums = sums.plus(&changes[3 + first]),
                (0, 1..=3) => sums = sums.plus(&changes[3 + second].negated()),
                _ => {}
            }
        }
        sums
    }

    #[inline]
    fn after(&self, board: &Board, sums: &Sums, cell: u64) -> Sums {
        let (own, other) = (board.stones[board.mover], board.stones[board.mover ^ 1]);
        let mut change = Sums::default();
        for &line in &self.through[cell.trailing_zeros() as usize & 63] {
            let mask = self.lines[usize::from(line)];
            let (mine, theirs) = ((own & mask).count_ones() as usize, (other & mask).count_ones() as usize);
            let which = match (mine, theirs) {
                (mine, 0) => mine & 3,
                (0, theirs) => 3 + (theirs & 3),
                _ => NOTHING,
            };
            change = change.plus(&self.changes[usize::from(line)][which]);
        }
        if board.mover == 0 { sums.plus(&change) } else { sums.plus(&change.negated()) }
    }

    #[inline]
    fn output(&self, sums: &Sums) -> f32 {
        output(sums, &self.output)
    }
}
