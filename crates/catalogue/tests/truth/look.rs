//! Whether a claim about a move is true, found by playing it out at a table.

use ludens_core::words::Claim;
use ludens_core::{Board, Layout, Move, Side, Table};

/// A position that is looked into by playing moves and taking them back.
pub struct Look<'t> {
    pub table: &'t mut dyn Table,
    pub side: Side,
}

impl Look<'_> {
    pub fn after<T>(&mut self, mv: Move, look: impl FnOnce(&mut Self) -> T) -> T {
        self.table.play(mv).unwrap();
        let seen = look(self);
        self.table.undo();
        seen
    }

    pub fn moves(&self) -> Vec<(Move, Option<u16>)> {
        self.table.view().moves.iter().map(|mv| (mv.mv, mv.cells.last().copied())).collect()
    }

    pub fn is_won_by(&self, side: Side) -> bool {
        self.table.view().score.is_some_and(|score| score.of(side) > 0.0)
    }

    /// Not every empty cell can be filled now.
    pub fn stones_fall(&self) -> bool {
        let board = self.board();
        let empty = board.squares.iter().filter(|square| square.count == 0).count();
        board.layout != Layout::Points && self.moves().len() < empty
    }

    pub fn board(&self) -> Board {
        self.table.view().board
    }

    /// The cells of the moves with which `side` wins at once, where it is its turn; one entry a move.
    pub fn wins(&mut self, side: Side) -> Vec<Option<u16>> {
        if self.table.to_move() != Some(side) {
            return Vec::new();
        }
        let moves = self.moves();
        moves
            .into_iter()
            .filter(|(mv, _)| self.after(*mv, |look| look.is_won_by(side)))
            .map(|(_, cell)| cell)
            .collect()
    }

    fn loses_at_once(&mut self, mv: Move) -> bool {
        let other = self.side.other();
        self.after(mv, |look| !look.wins(other).is_empty())
    }

    fn others(&self, mv: Move) -> Vec<Move> {
        self.moves().into_iter().map(|(other, _)| other).filter(|other| *other != mv).collect()
    }

    /// After `mv` and some answer the mover wins on this cell.
    fn threatens(&mut self, mv: Move, at: u16) -> bool {
        let side = self.side;
        self.after(mv, |look| {
            let replies = look.moves();
            replies
                .into_iter()
                .any(|(reply, _)| look.after(reply, |look| look.wins(side).contains(&Some(at))))
        })
    }

    /// Whether a man of the other side is on the bar or has yet to pass this point: the first player's go down to 1, the second's up to 24.
    fn somebody_comes_by(&self, board: &Board, cell: u16) -> bool {
        let other = self.side.other();
        let bar = 24 + 2 * other.index() as u16;
        let rest: Vec<u16> =
            if other == Side::Second { (0..cell).collect() } else { (cell + 1..24).collect() };
        men(board, bar, other) > 0 || rest.into_iter().any(|from| men(board, from, other) > 0)
    }

    /// Whether a claim about a move is true.
    pub fn holds(&mut self, mv: Move, claim: &Claim, lines: &[Vec<u16>]) -> bool {
        let (side, other, before) = (self.side, self.side.other(), self.board());
        let of = |board: &Board, cell: u16| board.squares[usize::from(cell)].side;
        let after = self.after(mv, |look| look.board());
        let is_line = |cells: &[u16]| {
            let mut cells = cells.to_vec();
            cells.sort_unstable();
            lines.iter().any(|line| {
                let mut line = line.clone();
                line.sort_unstable();
                line == cells
            })
        };
        match claim {
            Claim::Wins { line } => {
                let full = line.iter().all(|cell| of(&after, *cell) == Some(side));
                self.after(mv, |look| look.is_won_by(side)) && full && (line.is_empty() || is_line(line))
            }
            Claim::Blocks { held, at } => {
                let whole: Vec<u16> = held.iter().chain([at]).copied().collect();
                let theirs = held.iter().all(|cell| of(&before, *cell) == Some(other));
                theirs && of(&before, *at).is_none() && of(&after, *at) == Some(side) && is_line(&whole)
            }
            Claim::OnlyMove => {
                let others = self.others(mv);
                !self.loses_at_once(mv)
                    && !others.is_empty()
                    && others.iter().all(|&other| self.loses_at_once(other))
            }
            Claim::MostLose => {
                let others = self.others(mv);
                let lost = others.iter().filter(|other| self.loses_at_once(**other)).count();
                !self.loses_at_once(mv) && 2 * lost > others.len()
            }
            Claim::CannotStop { at } => {
                let wins = self.after(mv, |look| look.wins(other));
                let others = self.others(mv);
                let named = at.iter().all(|cell| wins.contains(&Some(*cell)));
                !wins.is_empty() && named && others.iter().all(|&other| self.loses_at_once(other))
            }
            Claim::Threat { at } => !self.loses_at_once(mv) && self.threatens(mv, *at),
            Claim::Fork { at } => self.after(mv, |look| {
                let replies = look.moves();
                let stands = |look: &mut Self| {
                    let wins = look.wins(side);
                    at.iter().filter(|cell| wins.contains(&Some(**cell))).count() + 1 >= at.len()
                };
                at.len() >= 2 && replies.into_iter().all(|(reply, _)| look.after(reply, stands))
            }),
            Claim::LetsWin { at } => {
                let wins = self.after(mv, |look| look.wins(other));
                !wins.is_empty() && at.iter().all(|cell| wins.contains(&Some(*cell)))
            }
            Claim::Turns { count } => {
                let cells = 0..before.squares.len() as u16;
                let turned =
                    cells.filter(|&cell| of(&before, cell) == Some(other) && of(&after, cell) == Some(side));
                turned.count() == *count as usize
            }
            Claim::Takes { at } => {
                !at.is_empty()
                    && at
                        .iter()
                        .all(|&cell| of(&before, cell) == Some(other) && of(&after, cell) != Some(other))
            }
            Claim::Corner { at } => is_corner(&after, *at) && of(&after, *at) == Some(side),
            Claim::GivesCorner { at } => {
                let open = |look: &mut Self| look.moves().iter().any(|(_, cell)| *cell == Some(*at));
                let others = self.others(mv);
                is_corner(&after, *at)
                    && self.after(mv, open)
                    && others.into_iter().any(|other| !self.after(other, open))
            }
            Claim::Hits { at } => {
                at.iter().all(|&cell| men(&before, cell, other) == 1 && men(&after, cell, other) == 0)
            }
            Claim::MakesPoint { at } => {
                at.iter().all(|&cell| men(&before, cell, side) < 2 && men(&after, cell, side) > 1)
            }
            Claim::LeavesBlot { at } => {
                at.iter().all(|&cell| men(&after, cell, side) == 1 && self.somebody_comes_by(&after, cell))
            }
            Claim::BearsOff { count } => {
                let tray = 25 + 2 * side.index() as u16;
                u32::from(men(&after, tray, side) - men(&before, tray, side)) == *count
            }
            Claim::Forced => self.moves().len() == 1,
        }
    }
}

fn men(board: &Board, cell: u16, side: Side) -> u8 {
    let square = board.squares[usize::from(cell)];
    if square.side == Some(side) { square.count } else { 0 }
}

fn is_corner(board: &Board, cell: u16) -> bool {
    let cell = board.cell(usize::from(cell));
    [0, board.width - 1].contains(&cell.column) && [0, board.height - 1].contains(&cell.row)
}
