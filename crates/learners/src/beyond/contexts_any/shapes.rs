//! The contexts of a board, and which detectors look at each: one for all of its length, one for all of its shape.

use ludens_core::{Board, Facts, Layout};

/// The longest context a detector reads; what is longer is left out.
pub const LONGEST: usize = 8;

/// A context and the two detectors that look at it.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// Its cells, in order.
    pub cells: Vec<u16>,
    /// Among all detectors: that of its length, that of its shape.
    pub detectors: [usize; 2],
    /// Whether its cells lie in a straight line, without gaps.
    pub straight: bool,
}

/// All contexts of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Shapes {
    /// In the order of the rules.
    pub all: Vec<Shape>,
    /// How many detectors there are.
    pub detectors: usize,
    /// Cells of the board.
    pub cells: usize,
}

impl Shapes {
    /// Of a board with these facts; none where no small set of cells decides the game.
    pub fn of(board: &Board, facts: &Facts) -> Option<Shapes> {
        let cells = board.squares.len();
        let width = if board.layout == Layout::Points { 0 } else { i32::from(board.width) };
        let known = |context: &&Vec<u16>| {
            (2..=LONGEST).contains(&context.len()) && context.iter().all(|cell| usize::from(*cell) < cells)
        };
        let contexts: Vec<&Vec<u16>> = facts.contexts().iter().filter(known).collect();
        if contexts.is_empty() {
            return None;
        }
        let steps = |context: &[u16]| -> Vec<(i32, i32)> {
            let place = |cell: u16| match width {
                0 => (i32::from(cell), 0),
                _ => (i32::from(cell) % width, i32::from(cell) / width),
            };
            let first = place(context[0]);
            context.iter().map(|cell| place(*cell)).map(|(x, y)| (x - first.0, y - first.1)).collect()
        };
        let (mut lengths, mut shapes) = (Vec::new(), Vec::new());
        for context in &contexts {
            add_once(&mut lengths, context.len());
            add_once(&mut shapes, steps(context));
        }
        let place = |list: &[Vec<(i32, i32)>], of: &Vec<(i32, i32)>| {
            list.iter().position(|one| one == of).unwrap_or(0)
        };
        let all = contexts.into_iter().map(|context| {
            let of_shape = steps(context);
            let length = lengths.iter().position(|length| *length == context.len()).unwrap_or(0);
            Shape {
                cells: context.clone(),
                detectors: [length, lengths.len() + place(&shapes, &of_shape)],
                straight: width > 0 && is_straight(&of_shape),
            }
        });
        Some(Shapes { all: all.collect(), detectors: lengths.len() + shapes.len(), cells })
    }
}

fn add_once<T: PartialEq>(list: &mut Vec<T>, one: T) {
    if !list.contains(&one) {
        list.push(one);
    }
}

/// Each step is the same, to a neighbour.
fn is_straight(steps: &[(i32, i32)]) -> bool {
    let of = |pair: &[(i32, i32)]| (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
    let first = steps.windows(2).next().map(of);
    first.is_some_and(|(x, y)| x.abs() <= 1 && y.abs() <= 1)
        && steps.windows(2).all(|pair| Some(of(pair)) == first)
}
