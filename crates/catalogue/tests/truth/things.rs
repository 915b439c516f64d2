//! Whether what a reason points at is there: on the board before the move, after it, or at the end of the line of play.

use std::collections::BTreeMap;

use ludens_core::words::{Fate, Notion, What, When, Whose};
use ludens_core::{Board, MoveValue, Side};

use crate::look::Look;

/// What was checked.
#[derive(Default)]
pub struct Checked {
    pub said: usize,
    pub kinds: BTreeMap<String, u32>,
}

/// Empty cells with which a game is played out by brute force.
const FEW: usize = 7;

impl Checked {
    pub fn move_at(&mut self, look: &mut Look, candidate: &MoveValue, lines: &[Vec<u16>], at: &str) {
        let falls = look.stones_fall();
        if let Some(fate) = candidate.fate
            && look.board().squares.iter().filter(|square| square.count == 0).count() <= FEW
        {
            let side = look.side;
            let result = look.after(candidate.mv, |look| best_result(look, side));
            assert_eq!(Some(fate), result.map(Fate::by_sign), "{at}: {candidate:?}");
            self.count("fate");
        }
        let before = look.board();
        let after = look.after(candidate.mv, |look| look.board());
        let line = candidate.reasons.iter().map(|reason| &reason.line).find(|line| !line.is_empty());
        let end = line.map(|line| end_of(look, line));
        for reason in &candidate.reasons {
            let board = match reason.when {
                When::Before => &before,
                When::After => &after,
                When::End => end.as_ref().unwrap_or(&after),
            };
            let scene = Things { before: &before, board, side: look.side, lines, falls };
            let holds = match &reason.what {
                What::Win => look.after(candidate.mv, |look| look.is_won_by(look.side)),
                What::Moves { whose: Whose::Theirs, count } => {
                    look.after(candidate.mv, |look| look.moves().len()) == *count as usize
                }
                What::Trials { games } => candidate.visits == Some(*games),
                what => scene.hold(what, &reason.cells),
            };
            assert!(holds, "{at}, move {:?}: {} ({:?})", candidate.mv, reason.text, reason.what);
            assert!(!reason.text.is_empty() && !reason.text.contains("  "), "{at}: {reason:?}");
            self.count(format!("{:?}", reason.what).split([' ', '{']).next().unwrap_or_default());
        }
    }

    fn count(&mut self, kind: &str) {
        self.said += 1;
        *self.kinds.entry(kind.into()).or_default() += 1;
    }
}

/// The board at the end of a line, as far as it can be played.
fn end_of(look: &mut Look, line: &[ludens_core::Move]) -> Board {
    let mut played = 0;
    for &mv in line {
        if look.table.play(mv).is_err() {
            break;
        }
        played += 1;
    }
    let board = look.board();
    for _ in 0..played {
        look.table.undo();
    }
    board
}

/// The result for `side` with best play of both, by trying everything; none where dice are thrown.
fn best_result(look: &mut Look, side: Side) -> Option<f64> {
    let view = look.table.view();
    if let Some(score) = view.score {
        return Some(f64::from(score.of(side)));
    }
    let mover = view.to_move?;
    let mut best: Option<f64> = None;
    for (mv, _) in look.moves() {
        let result = look.after(mv, |look| best_result(look, side))?;
        let better = best.is_none_or(|best| if mover == side { result > best } else { result < best });
        if better {
            best = Some(result);
        }
        if best == Some(if mover == side { 1.0 } else { -1.0 }) {
            break;
        }
    }
    best
}

struct Things<'a> {
    before: &'a Board,
    board: &'a Board,
    side: Side,
    lines: &'a [Vec<u16>],
    /// Stones fall: what is empty below a cell must be filled first.
    falls: bool,
}

impl Things<'_> {
    fn whose(&self, whose: Whose) -> Option<Side> {
        match whose {
            Whose::Own => Some(self.side),
            Whose::Theirs => Some(self.side.other()),
            Whose::Both => None,
        }
    }

    fn side_at(&self, cell: u16) -> Option<Side> {
        self.board.squares[usize::from(cell)].side
    }

    fn men(&self, board: &Board, cell: u16, whose: Whose) -> u8 {
        let square = board.squares[usize::from(cell)];
        if square.side == self.whose(whose) { square.count } else { 0 }
    }

    fn in_line(&self, cells: &[u16], side: Option<Side>) -> u8 {
        cells.iter().filter(|cell| self.side_at(**cell) == side).count() as u8
    }

    fn hold(&self, what: &What, cells: &[u16]) -> bool {
        let own = |cells: &[u16]| self.in_line(cells, Some(self.side));
        let other = |cells: &[u16]| self.in_line(cells, Some(self.side.other()));
        match what {
            What::Stone { whose } => cells.iter().all(|cell| self.side_at(*cell) == self.whose(*whose)),
            What::Line { own: mine, other: theirs, open, .. } => {
                own(cells) == *mine && other(cells) == *theirs && self.in_line(cells, None) == *open
            }
            What::Spoils { other: theirs } => own(cells) == 1 && other(cells) == *theirs,
            What::Above { what } => self.hold(what, cells),
            What::WinningSquare { whose, wait } => {
                cells.iter().any(|&cell| self.wins_at(cell, *whose, *wait))
            }
            What::Pattern { pieces } => {
                pieces.iter().all(|lies| self.board.squares[usize::from(lies.cell)].piece == lies.piece)
            }
            What::Hit => cells.iter().all(|&cell| {
                self.men(self.before, cell, Whose::Theirs) == 1
                    && self.men(self.board, cell, Whose::Theirs) == 0
            }),
            What::Blot { whose } => cells.iter().all(|&cell| self.men(self.board, cell, *whose) == 1),
            What::Men { whose, count } => {
                cells.iter().all(|&cell| self.men(self.board, cell, *whose) == *count)
            }
            What::Block { size } => {
                cells.len() >= usize::from(*size)
                    && cells.iter().all(|&cell| self.men(self.board, cell, Whose::Own) > 1)
            }
            What::Bar { whose, count } => self.beside(*whose, 24) == *count,
            What::Off { whose, count } => self.beside(*whose, 25) == *count,
            What::Notion { notion, whose } => self.notion(*notion, *whose),
            What::Pair { first, second } => {
                // The parts of a pair have no cells of their own to be looked at.
                let part = |what: &What| !matches!(what, What::Notion { .. }) || self.hold(what, &[]);
                part(first) && part(second)
            }
            _ => true,
        }
    }

    fn beside(&self, whose: Whose, place: u16) -> u8 {
        let side = self.whose(whose).unwrap_or(self.side);
        self.men(self.board, place + 2 * side.index() as u16, whose)
    }

    /// A stone of that side there would complete a line, with so many empty cells below it.
    fn wins_at(&self, cell: u16, whose: Whose, wait: u8) -> bool {
        let side = self.whose(whose);
        let full = |line: &&Vec<u16>| {
            line.contains(&cell) && line.iter().all(|other| *other == cell || self.side_at(*other) == side)
        };
        let width = self.board.width;
        let below =
            (0..cell / width).filter(|row| self.side_at(row * width + cell % width).is_none()).count();
        let below = if self.falls { below } else { 0 };
        self.side_at(cell).is_none()
            && self.lines.iter().any(|line| full(&line))
            && below.min(3) == usize::from(wait)
    }

    /// The notions that can be counted on the board.
    fn notion(&self, notion: Notion, whose: Whose) -> bool {
        let squares = &self.board.squares;
        let discs = squares.iter().filter(|square| square.count > 0).count();
        let width = usize::from(self.board.width);
        match notion {
            Notion::Discs(n) => discs == usize::from(n),
            Notion::OpenColumns(open, odd) => {
                let left = |column: usize| {
                    squares.iter().skip(column).step_by(width).filter(|square| square.count == 0).count()
                };
                let open_now: Vec<usize> = (0..width).map(left).filter(|left| *left > 0).collect();
                open_now.len() == usize::from(open)
                    && open_now.iter().filter(|left| **left % 2 == 1).count() == usize::from(odd)
            }
            Notion::WinNext => {
                let empty = (0..squares.len() as u16).filter(|cell| self.side_at(*cell).is_none());
                empty.into_iter().any(|cell| self.wins_at(cell, whose, 0))
            }
            Notion::FromMiddle(distance) => {
                let middle = width / 2;
                let of = |side: Side| {
                    squares
                        .iter()
                        .enumerate()
                        .filter(|(cell, square)| {
                            (cell % width).abs_diff(middle) == usize::from(distance)
                                && square.side == Some(side)
                        })
                        .count()
                };
                match whose {
                    Whose::Own => of(self.side) > of(self.side.other()),
                    Whose::Theirs => of(self.side) < of(self.side.other()),
                    Whose::Both => true,
                }
            }
            _ => true,
        }
    }
}
