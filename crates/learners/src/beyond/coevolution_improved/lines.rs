//! Beyond the paper: the same network with the 69 lines of four as its inputs instead of the 42 cells. A line that only one
//! side can still complete counts by its stones; a line with stones of both, or of none, is 0.

use std::sync::LazyLock;

use ludens_core::{Game, Side};
use ludens_games::connect_four::ConnectFour;
pub use ludens_games::connect_four::geometry::LINES;

use crate::coevolution::connect_four::{Board, Judge};
use crate::coevolution::{LANES, Player, Sums, output};

/// The input of a line with so many stones of one side alone.
const SIZES: [f32; 4] = [0.0, 0.125, 0.375, 1.0];
/// Where a line's rows of changes end with the one that changes nothing.
const NOTHING: usize = 7;

/// The lines as sets of bits of the board.
pub fn lines() -> &'static [u64] {
    static SETS: LazyLock<Vec<u64>> = LazyLock::new(|| ConnectFour.facts().line_sets().unwrap_or_default());
    &SETS
}

/// The inputs as `side` sees them.
pub fn line_inputs(board: &Board, side: Side) -> Vec<f32> {
    let (own, other) = (board.stones[side.index()], board.stones[side.other().index()]);
    let input = |line: u64| match ((own & line).count_ones(), (other & line).count_ones()) {
        (mine, 0) => SIZES[mine as usize & 3],
        (0, theirs) => -SIZES[theirs as usize & 3],
        _ => 0.0,
    };
    lines().iter().map(|&line| input(line)).collect()
}

/// Which change the mover's stone makes in a line: by own stones × 4 + the other's.
const WHICH: [u8; 16] = {
    let mut which = [NOTHING as u8; 16];
    let mut stones = 0;
    while stones < 4 {
        which[stones * 4] = stones as u8;
        if stones > 0 {
            which[stones] = 3 + stones as u8;
        }
        stones += 1;
    }
    which
};

/// A player whose inputs are lines, laid out for the search.
#[derive(Clone, Debug)]
pub struct LineNet {
    /// The lines through each bit of the board, one bit after the other: the set of a line and its number.
    through: Vec<(u64, u32)>,
    /// Where the lines of a bit begin.
    begins: [u16; 65],
    /// Eight rows a line, what the mover's stone changes as the mover sees it: own stones 0 … 3 before and none of the
    /// other's, then the other's 1 … 3 and none of his own, then nothing.
    changes: Vec<Sums>,
    output: [f32; LANES],
}

impl LineNet {
    /// This player's weights, laid out.
    pub fn new(player: &Player) -> LineNet {
        let lines = lines();
        let mut net = LineNet {
            through: Vec::with_capacity(4 * LINES),
            begins: [0; 65],
            changes: vec![Sums::default(); 8 * LINES],
            output: player.output_weights(),
        };
        for bit in 0..64 {
            for (number, &line) in lines.iter().enumerate().filter(|(_, line)| *line >> bit & 1 == 1) {
                net.through.push((line, number as u32));
            }
            net.begins[bit + 1] = net.through.len() as u16;
        }
        for line in 0..LINES {
            let row = player.row(line);
            let sizes = SIZES.map(|size| row.times(size));
            for stones in 0..3 {
                net.changes[8 * line + stones] = sizes[stones + 1].plus(&sizes[stones].negated());
                net.changes[8 * line + 4 + stones] = sizes[stones + 1];
            }
        }
        net
    }
}

impl Judge for LineNet {
    fn sums(&self, board: &Board) -> Sums {
        let mut sums = Sums::default();
        for (number, &line) in lines().iter().enumerate() {
            let [first, second] = board.stones.map(|stones| (stones & line).count_ones() as usize);
            match (first, second) {
                (1..=3, 0) => sums = sums.plus(&self.changes[8 * number + 3 + first]),
                (0, 1..=3) => sums = sums.plus(&self.changes[8 * number + 3 + second].negated()),
                _ => {}
            }
        }
        sums
    }

    #[inline(always)]
    fn after(&self, board: &Board, sums: &Sums, cell: u64) -> Sums {
        let (own, other) = (board.stones[board.mover], board.stones[board.mover ^ 1]);
        let bit = cell.trailing_zeros() as usize & 63;
        let mut change = [0i32; LANES];
        for &(line, number) in &self.through[usize::from(self.begins[bit])..usize::from(self.begins[bit + 1])]
        {
            let (mine, theirs) = ((own & line).count_ones() & 3, (other & line).count_ones() & 3);
            let which = WHICH[(mine * 4 + theirs) as usize & 15];
            let row = &self.changes[8 * number as usize + usize::from(which)].0;
            for lane in 0..LANES {
                change[lane] = change[lane].wrapping_add(row[lane]);
            }
        }
        let sign = if board.mover == 0 { 1 } else { -1 };
        let mut after = *sums;
        for (sum, change) in after.0.iter_mut().zip(change) {
            *sum = sum.wrapping_add(sign * change);
        }
        after
    }

    #[inline(always)]
    fn output(&self, sums: &Sums) -> f32 {
        output(sums, &self.output)
    }
}
