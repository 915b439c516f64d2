//! Patterns: straight runs of cells, each of their contents with a weight of its own. The network's random hidden units see the whole board
//! at once and no line in particular; these see every line and nothing else, and what is learnt of one line serves its
//! mirror images. (N-tuple networks; Jaśkowski's systematic ones for Othello are the case of the longest straight runs.)
//!
//! Nothing here is told about a game. A board qualifies when its inputs are one number a cell, −1, 0 or 1; a symmetry of the grid is
//! used when the game itself declares an image of the position that agrees with it (`Game::mirrors`).

use ludens_core::{Game, Layout};

use crate::nhb::heuristic::phase_of;
use crate::nhb::judge::{Incremental, Viewed};

pub(crate) use self::symmetry::grid_symmetries;
use self::symmetry::{Groups, probe};

/// More weights than this would make the solution slow: shorter runs are taken then.
const MOST_WEIGHTS: usize = 3200;

/// Which cells are read together, and which of their contents share a weight.
#[derive(Clone, PartialEq, Debug)]
pub struct Patterns {
    /// The number of cells.
    pub cells: usize,
    /// The cells of a run.
    pub run: usize,
    /// `run` cells each.
    pub runs: Vec<u16>,
    /// For run r and contents p (base 3, first cell lowest): `shared[r * 3^run + p]` is its weight.
    pub shared: Vec<u32>,
    /// How many weights there are; the last are those of `few`.
    pub weights: usize,
    /// Fewer filled cells of a side than this have a weight by their number: that a side is about to be without any, no line of cells shows.
    pub few: usize,
    /// The runs through each cell, with the power of three of the cell in it.
    through: Vec<Vec<(u32, u32)>>,
}

impl Patterns {
    /// The patterns of a game, of runs no longer than `longest`, if its inputs are the cells of a grid.
    pub fn of<G: Game>(game: &G, longest: usize) -> Option<Patterns> {
        let board = game.board(&game.start());
        let (width, height) = (usize::from(board.width), usize::from(board.height));
        if board.layout == Layout::Points || width * height < 4 || game.encoding_len() != width * height {
            return None;
        }
        let symmetries = probe(game, width, height)?;
        (longest.min(2)..=longest.min(width.max(height)))
            .rev()
            .map(|run| Patterns::new(width, height, run, &symmetries))
            .find(|patterns| patterns.weights <= MOST_WEIGHTS)
    }

    pub(crate) fn new(width: usize, height: usize, run: usize, symmetries: &[Vec<u16>]) -> Patterns {
        let runs = straight_runs(width, height, run);
        let contents = 3usize.pow(run as u32);
        let count = runs.len() / run;
        let place = |cells: &[u16]| (0..count).find(|&r| same_cells(&runs[r * run..(r + 1) * run], cells));
        let mut groups = Groups::new(count * contents);
        for symmetry in symmetries {
            for r in 0..count {
                let image: Vec<u16> =
                    runs[r * run..(r + 1) * run].iter().map(|&c| symmetry[usize::from(c)]).collect();
                let Some(to) = place(&image) else { continue };
                let reversed = runs[to * run] != image[0];
                for p in 0..contents {
                    let image = if reversed { reverse(p, run) } else { p };
                    groups.join(r * contents + p, to * contents + image);
                }
            }
        }
        let (shared, weights) = groups.numbered();
        let mut through = vec![Vec::new(); width * height];
        for (index, &cell) in runs.iter().enumerate() {
            through[usize::from(cell)].push(((index / run) as u32, 3u32.pow((index % run) as u32)));
        }
        Patterns { cells: width * height, run, runs, shared, weights, few: 0, through }
    }

    /// The same with weights for few cells.
    #[must_use]
    pub fn counting(mut self, few: usize) -> Patterns {
        self.weights = self.weights - 2 * self.few + 2 * few;
        self.few = few;
        self
    }

    /// Which of the weights for few cells are active, the first being 0: at most one for either side. Cells that are `unseen` are empty.
    fn few_of(&self, inputs: &[f32], unseen: &[usize]) -> [Option<usize>; 2] {
        let mut filled = [0usize; 2];
        for input in inputs {
            filled[0] += usize::from(*input > 0.0);
            filled[1] += usize::from(*input < 0.0);
        }
        for &cell in unseen {
            filled[0] -= usize::from(inputs[cell] > 0.0);
            filled[1] -= usize::from(inputs[cell] < 0.0);
        }
        let of = |side: usize| (filled[side] < self.few).then_some(side * self.few + filled[side]);
        [of(0), of(1)]
    }

    pub(crate) fn contents(&self) -> usize {
        3usize.pow(self.run as u32)
    }

    /// How many runs there are.
    pub fn count(&self) -> usize {
        self.runs.len() / self.run
    }

    /// The contents of every run, for inputs −1, 0, 1.
    pub fn read(&self, inputs: &[f32], out: &mut Vec<u32>) {
        out.clear();
        out.extend(self.runs.chunks_exact(self.run).map(|cells| {
            cells.iter().rev().fold(0, |code, &cell| code * 3 + (inputs[usize::from(cell)] + 1.0) as u32)
        }));
    }

    /// For each input that is not zero, in order, the sum of the weights that are active without it.
    pub(crate) fn sums_without(&self, inputs: &[f32], output: &[f64]) -> Vec<f64> {
        let mut codes = Vec::new();
        self.read(inputs, &mut codes);
        let contents = self.contents();
        let weight = |run: usize, code: u32| output[self.shared[run * contents + code as usize] as usize];
        let whole: f64 = codes.iter().enumerate().map(|(run, &code)| weight(run, code)).sum();
        let first = self.weights - 2 * self.few;
        let few = |cell: usize| {
            self.few_of(inputs, &[cell]).into_iter().flatten().map(|few| output[first + few]).sum::<f64>()
        };
        let without = |cell: usize| {
            let change = |&(run, power): &(u32, u32)| {
                let code = codes[run as usize];
                // The digit 1 is an empty cell.
                let emptied = if inputs[cell] > 0.0 { code - power } else { code + power };
                weight(run as usize, emptied) - weight(run as usize, code)
            };
            whole + self.through[cell].iter().map(change).sum::<f64>() + few(cell)
        };
        (0..inputs.len()).filter(|&cell| inputs[cell] != 0.0).map(without).collect()
    }

    /// The weights that are active, each with how often, in rising order.
    pub fn features(&self, inputs: &[f32], out: &mut Vec<(u32, f32)>) {
        let mut codes = Vec::new();
        self.read(inputs, &mut codes);
        let contents = self.contents();
        let mut active: Vec<u32> =
            codes.iter().enumerate().map(|(r, &code)| self.shared[r * contents + code as usize]).collect();
        active.sort_unstable();
        out.clear();
        for weight in active {
            match out.last_mut() {
                Some((last, times)) if *last == weight => *times += 1.0,
                _ => out.push((weight, 1.0)),
            }
        }
        let first = self.weights - 2 * self.few;
        out.extend(self.few_of(inputs, &[]).into_iter().flatten().map(|few| ((first + few) as u32, 1.0)));
    }
}

fn straight_runs(width: usize, height: usize, run: usize) -> Vec<u16> {
    let mut runs = Vec::new();
    // A single cell has no direction.
    let directions = if run == 1 { 1 } else { 4 };
    for (right, up) in [(1i32, 0i32), (0, 1), (1, 1), (-1, 1)].into_iter().take(directions) {
        for row in 0..height as i32 {
            for column in 0..width as i32 {
                let (last_column, last_row) =
                    (column + right * (run as i32 - 1), row + up * (run as i32 - 1));
                if (0..width as i32).contains(&last_column) && (0..height as i32).contains(&last_row) {
                    runs.extend(
                        (0..run as i32).map(|k| ((row + up * k) * width as i32 + column + right * k) as u16),
                    );
                }
            }
        }
    }
    runs
}

fn same_cells(a: &[u16], b: &[u16]) -> bool {
    a.iter().eq(b.iter()) || a.iter().eq(b.iter().rev())
}

/// The contents read from the other end.
fn reverse(mut contents: usize, run: usize) -> usize {
    let mut reversed = 0;
    for _ in 0..run {
        reversed = reversed * 3 + contents % 3;
        contents /= 3;
    }
    reversed
}

/// Patterns with their weights, laid out for play.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternTable {
    /// The patterns.
    pub patterns: Patterns,
    phases: Vec<PhaseTable>,
    unseen: Vec<usize>,
    scratch: [Parent; 2],
    child: Vec<f32>,
}

#[derive(Clone, PartialEq, Debug)]
struct PhaseTable {
    bias: f32,
    /// By run and contents, shared weights written out.
    table: Vec<f32>,
    /// For few cells.
    few: Vec<f32>,
}

#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Parent {
    inputs: Vec<f32>,
    codes: Vec<u32>,
    /// By the weights of this phase.
    phase: usize,
    value: f32,
}

impl PatternTable {
    /// For each phase the weights of `patterns`, then the constant.
    pub fn new(patterns: &Patterns, weights: &[&[f64]]) -> PatternTable {
        let phase = |weights: &&[f64]| PhaseTable {
            bias: weights[patterns.weights] as f32,
            table: patterns.shared.iter().map(|&weight| weights[weight as usize] as f32).collect(),
            few: weights[patterns.weights - 2 * patterns.few..patterns.weights]
                .iter()
                .map(|&w| w as f32)
                .collect(),
        };
        PatternTable {
            phases: weights.iter().map(phase).collect(),
            patterns: patterns.clone(),
            unseen: Vec::new(),
            scratch: Default::default(),
            child: Vec::new(),
        }
    }

    /// Reads the muted cells as empty, whatever they hold.
    pub fn mute(&mut self, muted: &dyn Fn(u32) -> bool) {
        let contents = self.patterns.contents();
        self.unseen.extend((0..self.patterns.cells).filter(|&cell| muted(cell as u32)));
        self.unseen.sort_unstable();
        self.unseen.dedup();
        for (_, through) in (0..).zip(&self.patterns.through).filter(|(cell, _)| muted(*cell)) {
            for &(run, power) in through {
                for PhaseTable { table, .. } in &mut self.phases {
                    let run = &mut table[run as usize * contents..(run as usize + 1) * contents];
                    let power = power as usize;
                    for code in 0..contents {
                        // The digit 1 stands for an empty cell.
                        run[code] = run[code - code / power % 3 * power + power];
                    }
                }
            }
        }
    }

    fn few(&self, inputs: &[f32], phase: usize) -> f32 {
        if self.patterns.few == 0 {
            return 0.0;
        }
        let active = self.patterns.few_of(inputs, &self.unseen).into_iter().flatten();
        active.map(|few| self.phases[phase].few[few]).sum()
    }

    fn sum(&self, codes: &[u32], phase: usize) -> f32 {
        let PhaseTable { bias, table, .. } = &self.phases[phase];
        let runs = table.chunks_exact(self.patterns.contents()).zip(codes);
        runs.fold(*bias, |sum, (table, &code)| sum + table[code as usize])
    }

    /// Where few cells changed only the runs through them are looked up again.
    pub fn values<G: Game>(
        &mut self,
        game: &G,
        parent: &G::State,
        children: &[Viewed<G::State>],
        out: &mut Vec<f32>,
    ) {
        let mut scratch = (std::mem::take(&mut self.scratch), std::mem::take(&mut self.child));
        self.values_near((&mut scratch.0, &mut scratch.1), game, parent, children, out);
        (self.scratch, self.child) = scratch;
    }
}

impl Incremental for PatternTable {
    type Known = Parent;

    fn inputs<'k>(&self, known: &'k mut Parent) -> &'k mut Vec<f32> {
        &mut known.inputs
    }

    fn know(&self, known: &mut Parent) {
        self.patterns.read(&known.inputs, &mut known.codes);
        known.phase = phase_of(&known.inputs, self.phases.len());
        known.value = self.sum(&known.codes, known.phase);
    }

    /// The parent's codes are changed to the child's and back again.
    fn changed(&self, known: &mut Parent, child: &[f32]) -> f32 {
        let phase = phase_of(child, self.phases.len());
        if phase != known.phase {
            known.phase = phase;
            known.value = self.sum(&known.codes, phase);
        }
        let contents = self.patterns.contents();
        let whole = &self.phases[phase].table;
        let mut value = known.value;
        for (cell, (&new, &old)) in child.iter().zip(&known.inputs).enumerate() {
            if new != old {
                let step = (new - old) as i32;
                for &(run, power) in &self.patterns.through[cell] {
                    let code = &mut known.codes[run as usize];
                    let table = &whole[run as usize * contents..(run as usize + 1) * contents];
                    let before = table[*code as usize];
                    *code = code.wrapping_add_signed(step * power as i32);
                    value += table[*code as usize] - before;
                }
            }
        }
        for (cell, (&new, &old)) in child.iter().zip(&known.inputs).enumerate() {
            if new != old {
                for &(run, power) in &self.patterns.through[cell] {
                    let code = &mut known.codes[run as usize];
                    *code = code.wrapping_add_signed((old - new) as i32 * power as i32);
                }
            }
        }
        if self.patterns.few == 0 { value } else { value + self.few(child, phase) }
    }
}

mod symmetry;
#[cfg(test)]
mod tests;
