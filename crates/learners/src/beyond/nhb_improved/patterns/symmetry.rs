//! Which cells are images of each other: what the game declares, and what therefore shares a weight.

use ludens_core::{Game, Rng, Turn};

/// Random games played to find out what the inputs look like.
const PROBE_GAMES: u64 = 12;

/// Plays some random games: `None` where an input is not −1, 0 or 1, else the symmetries of the grid that the game declares.
pub(super) fn probe<G: Game>(game: &G, width: usize, height: usize) -> Option<Vec<Vec<u16>>> {
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
pub(super) struct Groups {
    parent: Vec<u32>,
}

impl Groups {
    pub(super) fn new(size: usize) -> Groups {
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

    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b) as u32;
    }

    pub(super) fn numbered(mut self) -> (Vec<u32>, usize) {
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
