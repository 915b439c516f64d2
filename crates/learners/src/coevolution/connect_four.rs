//! Minimax with alpha-beta for Connect Four and the network, on bitboards.
//!
//! It is separate from the general search (`ludens_search::AlphaBeta`) for speed: two million games are evolved in minutes because the sums of
//! the first layer follow the stones, no list of moves is made, and the last ply is one loop over landing cells.
//!
//! It chooses as plain minimax does (a test says so); the rules where that leaves a choice: a win in one is taken, where the
//! other side threatens one it is met, and of equal moves the most central is played.

use ludens_core::{Game, Stop};
use ludens_games::connect_four::geometry::{
    CENTRAL_FIRST, FULL, HEIGHT, STEP, WIDTH, column, landing, place,
};

pub use super::game::{Spent, play};
use super::network::{LANES, Player, Sums, output};

/// One for every bit of a board, so that no index needs a check.
const CELLS: usize = 64;

/// Beyond any output: 14 weights of at most 31.
pub(crate) const WON: f32 = 1e6;

/// A network laid out for the search: sums of the first layer that follow the stones.
pub trait Judge: Sync {
    /// The sums of a position from scratch.
    fn sums(&self, board: &Board) -> Sums;
    /// The sums after the mover's stone on `cell`.
    fn after(&self, board: &Board, sums: &Sums, cell: u64) -> Sums;
    /// The output as the first player sees it.
    fn output(&self, sums: &Sums) -> f32;
}

/// The paper's network: an input for every cell.
#[derive(Clone, Debug)]
pub struct Net {
    /// What a stone adds to the sums: first player's stones, second player's; by bit of the board.
    stones: Box<[[Sums; CELLS]; 2]>,
    output: [f32; LANES],
}

impl Net {
    /// This player's weights, laid out.
    pub fn new(player: &Player) -> Net {
        let mut net =
            Net { stones: Box::new([[Sums::default(); CELLS]; 2]), output: player.output_weights() };
        net.set(player);
        net
    }

    /// Takes another player's weights.
    pub fn set(&mut self, player: &Player) {
        for column in 0..WIDTH {
            for row in 0..HEIGHT {
                let weights = player.row((row * WIDTH + column) as usize);
                let place = place(column, row) as usize;
                self.stones[0][place] = weights;
                self.stones[1][place] = weights.negated();
            }
        }
        self.output = player.output_weights();
    }

    /// What a stone of `side` (0 or 1) on `cell` adds.
    #[inline]
    pub fn row(&self, side: usize, cell: u64) -> &Sums {
        &self.stones[side][cell.trailing_zeros() as usize & 63]
    }
}

impl Judge for Net {
    fn sums(&self, board: &Board) -> Sums {
        let mut sums = Sums::default();
        for (side, mut stones) in board.stones.into_iter().enumerate() {
            while stones != 0 {
                sums = sums.plus(self.row(side, stones));
                stones &= stones - 1;
            }
        }
        sums
    }

    #[inline]
    fn after(&self, board: &Board, sums: &Sums, cell: u64) -> Sums {
        sums.plus(self.row(board.mover, cell))
    }

    #[inline]
    fn output(&self, sums: &Sums) -> f32 {
        output(sums, &self.output)
    }
}

/// A position as the search holds it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Board {
    /// First's stones, second's.
    pub stones: [u64; 2],
    /// 0 or 1: who is to move.
    pub mover: usize,
}

impl Board {
    /// Of a game that [is Connect Four](Game::is_connect_four).
    #[inline]
    pub fn of<G: Game>(game: &G, state: &G::State) -> Board {
        let stones = game.stones(state);
        let mover = ((stones[0] | stones[1]).count_ones() & 1) as usize;
        Board { stones, mover }
    }

    #[inline]
    fn occupied(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    /// The cells where a stone would land.
    #[inline]
    pub fn landing(&self) -> u64 {
        landing(self.occupied())
    }

    /// The position with the mover's stone on this cell.
    #[inline]
    #[must_use]
    pub fn after(&self, cell: u64) -> Board {
        let mut next = *self;
        next.stones[self.mover] |= cell;
        next.mover ^= 1;
        next
    }

    /// The landing cells on which `side` would complete four.
    #[inline]
    pub fn wins(&self, side: usize) -> u64 {
        completing_cells(self.stones[side]) & self.landing()
    }

    /// Whether no cell is empty.
    pub fn is_full(&self) -> bool {
        self.occupied() == FULL
    }
}

/// Every cell that would complete four of these stones.
#[inline]
pub(crate) fn completing_cells(stones: u64) -> u64 {
    // Upright: three below.
    let mut cells = (stones << 1) & (stones << 2) & (stones << 3);
    for step in [STEP - 1, STEP, STEP + 1] {
        let two_left = (stones << step) & (stones << (2 * step));
        let two_right = (stones >> step) & (stones >> (2 * step));
        cells |= two_left & ((stones << (3 * step)) | (stones >> step));
        cells |= two_right & ((stones >> (3 * step)) | (stones << step));
    }
    cells
}

/// A search with one network.
#[derive(Debug)]
pub struct Search<'n, N> {
    net: &'n N,
    stop: &'n Stop,
    /// The cell that last cut at each depth.
    killers: [u64; MAX_DEPTH + 1],
    /// How often the network was asked, and how many stones were placed.
    pub evaluations: u64,
    /// How many stones were placed.
    pub states: u64,
}

pub(crate) const MAX_DEPTH: usize = 12;
/// Nodes of this depth and more look whether the search is to end; those below take a moment.
const WATCHED: u32 = 6;

impl<'n, N: Judge> Search<'n, N> {
    pub(crate) fn new(net: &'n N, stop: &'n Stop) -> Search<'n, N> {
        Search { net, stop, killers: [0; MAX_DEPTH + 1], evaluations: 0, states: 0 }
    }

    /// The landing cell to play on `depth` plies of minimax, and its value as the mover sees it.
    pub fn choose(&mut self, board: &Board, sums: &Sums, depth: u32) -> (u64, f32) {
        let landing = board.landing();
        let wins = board.wins(board.mover);
        if wins != 0 {
            self.states += 1;
            return (most_central(wins), WON);
        }
        let threats = board.wins(board.mover ^ 1);
        let moves = if depth >= 2 && threats != 0 { threats } else { landing };
        if moves & (moves - 1) == 0 {
            self.states += 1;
            // The only move: nothing to compare.
            return (moves, 0.0);
        }
        self.killers = [0; MAX_DEPTH + 1];
        let mut ordered = Ordered::new();
        self.order(board, sums, moves, &mut ordered);
        let mut best = (0, f32::NEG_INFINITY);
        for &(value, cell) in ordered.cells() {
            // A move more central than the best so far need only be as good, the others must be better.
            let central = best.0 != 0 && centrality(cell) < centrality(best.0);
            let alpha = if central { best.1.next_down() } else { best.1 };
            let value = if depth == 1 {
                value
            } else {
                self.child(board, sums, cell, depth - 1, alpha, f32::INFINITY)
            };
            if value > alpha {
                best = (cell, value);
            }
        }
        best
    }

    /// The value of a move as the mover sees it.
    #[inline]
    fn child(&mut self, board: &Board, sums: &Sums, cell: u64, depth: u32, alpha: f32, beta: f32) -> f32 {
        let next = board.after(cell);
        self.states += 1;
        if next.is_full() {
            return 0.0;
        }
        -self.node(&next, &self.net.after(board, sums, cell), depth, -beta, -alpha)
    }

    /// The value of an unfinished position, `depth` at least 1, as the mover sees it.
    fn node(&mut self, board: &Board, sums: &Sums, depth: u32, alpha: f32, beta: f32) -> f32 {
        if board.wins(board.mover) != 0 {
            self.states += 1;
            return WON;
        }
        if depth == 1 {
            return self.frontier(board, sums, beta);
        }
        let threats = board.wins(board.mover ^ 1);
        let mut moves = board.landing();
        if threats != 0 {
            if threats & (threats - 1) != 0 {
                // Two wins cannot be met by one stone.
                return -WON;
            }
            moves = threats;
        }
        if depth == 2 {
            return self.quick(board, sums, moves, depth, alpha, beta);
        }
        if depth >= WATCHED && self.stop.check().is_err() {
            return 0.0;
        }
        let mut ordered = Ordered::new();
        self.order(board, sums, moves, &mut ordered);
        let mut alpha = alpha;
        let mut best = f32::NEG_INFINITY;
        for &(_, cell) in ordered.cells() {
            let value = self.child(board, sums, cell, depth - 1, alpha, beta);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Moves in the order of the board, after the one that cut last.
    fn quick(&mut self, board: &Board, sums: &Sums, moves: u64, depth: u32, alpha: f32, beta: f32) -> f32 {
        let mut alpha = alpha;
        let mut best = f32::NEG_INFINITY;
        let mut left = moves;
        let mut cell = self.killers[depth as usize] & left;
        while left != 0 {
            if cell == 0 {
                cell = left & left.wrapping_neg();
            }
            left ^= cell;
            let value = self.child(board, sums, cell, depth - 1, alpha, beta);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                self.killers[depth as usize] = cell;
                break;
            }
            cell = 0;
        }
        best
    }

    /// The last ply: no stone placed here can win, so that every child is the network's to judge.
    fn frontier(&mut self, board: &Board, sums: &Sums, beta: f32) -> f32 {
        let sign = if board.mover == 0 { 1.0 } else { -1.0 };
        let mut left = board.landing();
        if board.occupied() | left == FULL && left & (left - 1) == 0 {
            self.states += 1;
            return 0.0;
        }
        let mut best = f32::NEG_INFINITY;
        let mut cell = self.killers[1] & left;
        while left != 0 {
            if cell == 0 {
                cell = left & left.wrapping_neg();
            }
            left ^= cell;
            self.evaluations += 1;
            let value = sign * self.net.output(&self.net.after(board, sums, cell));
            best = best.max(value);
            if best >= beta {
                self.killers[1] = cell;
                break;
            }
            cell = 0;
        }
        best
    }

    /// The moves with the network's judgement of each, best first, the more central of equals first.
    fn order(&mut self, board: &Board, sums: &Sums, moves: u64, ordered: &mut Ordered) {
        let sign = if board.mover == 0 { 1.0 } else { -1.0 };
        for central in CENTRAL_FIRST {
            let cell = moves & column(central);
            if cell != 0 {
                self.evaluations += 1;
                ordered.insert(sign * self.net.output(&self.net.after(board, sums, cell)), cell);
            }
        }
    }
}

/// A stone's distance from the middle column, the left of two first.
fn centrality(cell: u64) -> usize {
    let column = cell.trailing_zeros() / STEP;
    CENTRAL_FIRST.iter().position(|&central| central == column).unwrap_or(0)
}

fn most_central(cells: u64) -> u64 {
    CENTRAL_FIRST.into_iter().map(|central| cells & column(central)).find(|&cell| cell != 0).unwrap_or(0)
}

/// At most seven moves, sorted as they come.
struct Ordered {
    cells: [(f32, u64); WIDTH as usize],
    count: usize,
}

impl Ordered {
    fn new() -> Ordered {
        Ordered { cells: [(0.0, 0); WIDTH as usize], count: 0 }
    }

    #[inline]
    fn insert(&mut self, value: f32, cell: u64) {
        let mut place = self.count;
        self.cells[place] = (value, cell);
        while place > 0 && self.cells[place - 1].0 < value {
            self.cells.swap(place - 1, place);
            place -= 1;
        }
        self.count += 1;
    }

    #[inline]
    fn cells(&self) -> &[(f32, u64)] {
        &self.cells[..self.count]
    }
}
