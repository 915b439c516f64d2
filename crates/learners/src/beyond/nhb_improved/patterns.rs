//! Patterns: straight runs of cells, each of their contents with a weight of its own. The network's random hidden units see the whole board
//! at once and no line in particular; these see every line and nothing else, and what is learnt of one line serves its
//! mirror images. (N-tuple networks; Jaśkowski's systematic ones for Othello are the case of the longest straight runs.)
//!
//! Nothing here is told about a game. A board qualifies when its inputs are one number a cell, −1, 0 or 1; a symmetry of the grid is
//! used when the game itself declares an image of the position that agrees with it (`Game::mirrors`).

use ludens_core::{Game, Layout, Rng, Turn};

use crate::nhb::heuristic::phase_of;
use crate::nhb::judge::{Incremental, Viewed};

/// More weights than this would make the solution slow: shorter runs are taken then.
const MOST_WEIGHTS: usize = 3200;
/// Random games played to find out what the inputs look like.
const PROBE_GAMES: u64 = 12;

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
    /// How many weights there are.
    pub weights: usize,
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
        Patterns { cells: width * height, run, runs, shared, weights, through }
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
        let without = |cell: usize| {
            let change = |&(run, power): &(u32, u32)| {
                let code = codes[run as usize];
                // The digit 1 is an empty cell.
                let emptied = if inputs[cell] > 0.0 { code - power } else { code + power };
                weight(run as usize, emptied) - weight(run as usize, code)
            };
            whole + self.through[cell].iter().map(change).sum::<f64>()
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

/// Plays some random games: `None` where an input is not −1, 0 or 1, else the symmetries of the grid that the game declares.
fn probe<G: Game>(game: &G, width: usize, height: usize) -> Option<Vec<Vec<u16>>> {
    let candidates = grid_symmetries(width, height);
    let mut confirmed = vec![true; candidates.len()];
    let (mut x, mut y, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    for unit in 0..PROBE_GAMES {
        let mut rng = Rng::stream(0, unit);
        let mut state = game.start();
        while let Turn::Player(side) = game.turn(&state) {
            game.encode(&state, side, &mut x);
            if x.iter().any(|x| ![-1.0, 0.0, 1.0].contains(x)) {
                return None;
            }
            let images = game.mirrors(&state);
            let image_inputs: Vec<Vec<f32>> = images
                .iter()
                .map(|image| {
                    game.encode(image, side, &mut y);
                    y.clone()
                })
                .collect();
            for (symmetry, confirmed) in candidates.iter().zip(&mut confirmed) {
                let agrees = |image: &Vec<f32>| (0..x.len()).all(|c| image[usize::from(symmetry[c])] == x[c]);
                *confirmed &= image_inputs.iter().any(agrees);
            }
            game.moves(&state, &mut moves);
            game.apply(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
        if game.turn(&state) == Turn::Chance {
            return None;
        }
    }
    Some(candidates.into_iter().zip(confirmed).filter(|(_, confirmed)| *confirmed).map(|(s, _)| s).collect())
}

/// The seven symmetries of a square, or the three of a rectangle, as where each cell goes.
pub(crate) fn grid_symmetries(width: usize, height: usize) -> Vec<Vec<u16>> {
    let mut found = Vec::new();
    for code in 1..8 {
        let (flip_column, flip_row, swap) = (code & 1 == 1, code & 2 == 2, code & 4 == 4);
        if swap && width != height {
            continue;
        }
        found.push(
            (0..width * height)
                .map(|cell| {
                    let (mut column, mut row) = (cell % width, cell / width);
                    if flip_column {
                        column = width - 1 - column;
                    }
                    if flip_row {
                        row = height - 1 - row;
                    }
                    if swap {
                        (column, row) = (row, column);
                    }
                    (row * width + column) as u16
                })
                .collect(),
        );
    }
    found
}

/// Sets that are joined, and at the end numbered (union-find with path halving).
struct Groups {
    parent: Vec<u32>,
}

impl Groups {
    fn new(size: usize) -> Groups {
        Groups { parent: (0..size as u32).collect() }
    }

    fn root(&mut self, item: usize) -> usize {
        let mut item = item;
        while self.parent[item] as usize != item {
            self.parent[item] = self.parent[self.parent[item] as usize];
            item = self.parent[item] as usize;
        }
        item
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b) as u32;
    }

    fn numbered(mut self) -> (Vec<u32>, usize) {
        let mut numbers = vec![u32::MAX; self.parent.len()];
        let mut next = 0;
        for item in 0..numbers.len() {
            let root = self.root(item);
            if numbers[root] == u32::MAX {
                numbers[root] = next;
                next += 1;
            }
            numbers[item] = numbers[root];
        }
        (numbers, next as usize)
    }
}

/// Patterns with their weights, laid out for play.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternTable {
    /// The patterns.
    pub patterns: Patterns,
    phases: Vec<PhaseTable>,
    scratch: [Parent; 2],
    child: Vec<f32>,
}

#[derive(Clone, PartialEq, Debug)]
struct PhaseTable {
    bias: f32,
    /// By run and contents, shared weights written out.
    table: Vec<f32>,
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
        };
        PatternTable {
            phases: weights.iter().map(phase).collect(),
            patterns: patterns.clone(),
            scratch: Default::default(),
            child: Vec::new(),
        }
    }

    /// Reads the muted cells as empty, whatever they hold.
    pub fn mute(&mut self, muted: &dyn Fn(u32) -> bool) {
        let contents = self.patterns.contents();
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

    fn sum(&self, codes: &[u32], phase: usize) -> f32 {
        let PhaseTable { bias, table } = &self.phases[phase];
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
        value
    }
}

#[cfg(test)]
mod tests;
