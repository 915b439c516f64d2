//! Second-level contexts: what a move means, as a set of tokens a person can read.
//!
//! For a move into column `c` these are: every context through the square the disc takes and every context through the square above it
//! (which the opponent gets to), each with what stands on its other three squares; the winning squares of both sides after the move;
//! the forks (two threats at once) either side could make next; and who gains if everybody follows up to the end. Mirrored contexts are one
//! token, and so are the two diagonals.

use ludens_core::words::{Notion, What, Whose};
use ludens_games::connect_four::geometry::{BITS, HEIGHT, STEP, discs_in, place as place_of};
use ludens_search::connect_four_solver::bitboard::Squares;
use ludens_search::connect_four_solver::zugzwang;

use crate::contexts::geometry::{CONTEXTS, Context, Kind, bit};

type Board = Squares<7, 6>;

/// Bits a column.
const STRIDE: usize = STEP as usize;

/// What one of the other squares of a context holds: mine, theirs, or empty and 0, 1 or more discs away.
const SYMBOLS: usize = 5;
const PATTERNS: usize = SYMBOLS * SYMBOLS * SYMBOLS;
/// Square or square above × place in the context × kind × parity of the row.
const LINES: usize = 2 * 4 * 3 * 2 * PATTERNS;
const PLACES: usize = LINES;
const THREATS: usize = PLACES + 2 * 42 * 2;
const FORKS: usize = THREATS + 2 * 2 * 4 * 2 * 6;
const RISKS: usize = FORKS + 48;
const SHAPES: usize = RISKS + 32;
const DISCS: usize = SHAPES + 64;
const FOLLOW: usize = DISCS + 43;
/// Number of different tokens.
pub const TOKENS: usize = FOLLOW + 4;

/// A token of a move and the squares it speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Which token.
    pub id: u16,
    /// The squares, as a bitboard.
    pub squares: u64,
}

/// For every square the contexts through it, turned so that mirror images read the same, with the place of the square in them.
fn through(square: usize) -> &'static [(Context, usize)] {
    static THROUGH: std::sync::LazyLock<Vec<Vec<(Context, usize)>>> = std::sync::LazyLock::new(|| {
        let mut through = vec![Vec::new(); BITS as usize];
        for context in CONTEXTS.iter() {
            for place in 0..4 {
                let (column, row) = context.squares[place];
                let (mut turned, mut at) = (*context, place);
                if context.kind == Kind::Row && place >= 2 {
                    turned.squares.reverse();
                    at = 3 - place;
                }
                through[place_of(column as u32 - 1, row as u32 - 1) as usize].push((turned, at));
            }
        }
        through
    });
    &THROUGH[square]
}

/// The tokens of a move into `column` (from 0); none if it is full.
pub fn tokens(me: u64, op: u64, column: usize, out: &mut Vec<Token>) {
    out.clear();
    let occupied = me | op;
    let square = Board::playable(occupied) & Board::column(column);
    if square == 0 {
        return;
    }
    let mover = occupied.count_ones() as usize % 2;
    let at = square.trailing_zeros() as usize;
    line_tokens(me, op, at, mover, out);
    let row = at % STRIDE;
    let mut push = |id: usize, squares: u64| out.push(Token { id: id as u16, squares });
    push(PLACES + (row * 7 + column.min(6 - column)) * 2 + mover, square);
    push(PLACES + 84 + (row * 7 + column) * 2 + mover, square);
    let (me, after) = (me | square, occupied | square);
    let open = Board::playable(after);
    let (my_wins, their_wins) = (Board::completing(me, after), Board::completing(op, after));
    for (owner, wins) in [my_wins, their_wins].into_iter().enumerate() {
        for win in ones(wins) {
            let (c, r) = (win / STRIDE, win % STRIDE);
            let need = (r - discs_in(after, c as u32) as usize).min(3);
            let good = (r & 1) ^ mover;
            push(
                THREATS + (((owner * 2 + good) * 4 + need) * 2 + usize::from(c == column)) * 6 + r,
                1 << win,
            );
        }
    }
    let forcing = (my_wins & open).count_ones().min(2) as usize;
    let ((mine, my_squares), (theirs, their_squares)) = (forks(me, after), forks(op, after));
    push(FORKS + mine * 12 + forcing * 4 + theirs, my_squares | their_squares);
    let flags = [
        my_wins & (my_wins << 1) != 0,
        their_wins & (their_wins << 1) != 0,
        their_wins & open != 0,
        their_wins & (square << 1) != 0,
        my_wins & (square << 1) != 0,
    ];
    push(
        RISKS + flags.iter().fold(0, |n, &flag| 2 * n + usize::from(flag)),
        square | (square << 1 & Board::BOARD),
    );
    let open_columns = open.count_ones() as usize;
    let odd_columns = (open & Board::EVEN_ROWS).count_ones() as usize;
    push(SHAPES + open_columns * 8 + odd_columns, 0);
    push(DISCS + after.count_ones() as usize, 0);
    if mover == 1 && my_wins & open == 0 {
        let bound = zugzwang::follow_up_lower_bound::<7, 6>(op, after, open, my_wins);
        push(FOLLOW + (bound + 1).clamp(0, 2) as usize, my_wins & Board::EVEN_ROWS);
    }
}

fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros() as usize;
        (bits != 0).then(|| bits &= bits - 1).map(|()| bit)
    })
}

/// The contexts through the square taken and through the one above it.
fn line_tokens(me: u64, op: u64, at: usize, mover: usize, out: &mut Vec<Token>) {
    let occupied = me | op;
    for level in 0..2 {
        let spot = at + level;
        if spot % STRIDE == HEIGHT as usize {
            break;
        }
        for (context, place) in through(spot) {
            let kind = match context.kind {
                Kind::Row => 0,
                Kind::Column => 1,
                Kind::Rising | Kind::Falling => 2,
            };
            let mut pattern = 0;
            for (i, &(column, row)) in context.squares.iter().enumerate() {
                if i == *place {
                    continue;
                }
                let b = bit(column, row);
                let below = (level == 1 && b == 1 << at) || me & b != 0;
                let height = discs_in(occupied, column as u32 - 1) as usize;
                pattern = SYMBOLS * pattern
                    + if below {
                        0
                    } else if op & b != 0 {
                        1
                    } else {
                        2 + (row - 1 - height).min(2)
                    };
            }
            let good = (spot % STRIDE % 2) ^ mover;
            let id = (((level * 4 + place) * 3 + kind) * 2 + good) * PATTERNS + pattern;
            out.push(Token { id: id as u16, squares: context.bits() });
        }
    }
}

/// How many squares would give a side two threats at once (at most 3), and which.
fn forks(own: u64, occupied: u64) -> (usize, u64) {
    let mut found = 0;
    for square in ones(Board::playable(occupied)) {
        let disc = 1 << square;
        let wins = Board::completing(own | disc, occupied | disc);
        let threats = wins & Board::playable(occupied | disc);
        if threats & threats.wrapping_sub(1) != 0 || threats & (wins >> 1) != 0 {
            found |= disc;
        }
    }
    (found.count_ones().min(3) as usize, found)
}

/// What a token is, for a person.
pub fn what(token: Token) -> What {
    let id = usize::from(token.id);
    match id {
        0..PLACES => line(id),
        PLACES..THREATS => What::Square,
        THREATS..FORKS => {
            let (owner, need) = ((id - THREATS) / 96, (id - THREATS) / 12 % 4);
            What::WinningSquare {
                whose: if owner == 0 { Whose::Own } else { Whose::Theirs },
                wait: need as u8,
            }
        }
        FORKS..RISKS => forks_in_mind(id - FORKS),
        RISKS..SHAPES => risks(id - RISKS),
        SHAPES..DISCS => {
            Notion::OpenColumns(((id - SHAPES) / 8) as u8, ((id - SHAPES) % 8) as u8).of(Whose::Both)
        }
        DISCS..FOLLOW => Notion::Discs((id - DISCS) as u8).of(Whose::Both),
        _ => match id - FOLLOW {
            0 => Notion::FollowFails.of(Whose::Own),
            1 => Notion::FollowHolds.of(Whose::Own),
            _ => Notion::FollowWins.of(Whose::Own),
        },
    }
}

/// The forcing move first, then what either side could do.
fn forks_in_mind(id: usize) -> What {
    let (mine, forcing, theirs) = (id / 12, id / 4 % 3, id % 4);
    together([
        (forcing > 0, Notion::MustAnswer.of(Whose::Own)),
        (mine > 0, Notion::ForkNext.of(Whose::Own)),
        (theirs > 0, Notion::ForkNext.of(Whose::Theirs)),
    ])
    .unwrap_or_else(|| Notion::NoForkNext.of(Whose::Both))
}

fn risks(id: usize) -> What {
    together([
        (id & 16 != 0, Notion::WinsStacked.of(Whose::Own)),
        (id & 8 != 0, Notion::WinsStacked.of(Whose::Theirs)),
        (id & 4 != 0, Notion::WinNext.of(Whose::Theirs)),
        (id & 2 != 0, Notion::WinAbove.of(Whose::Theirs)),
        (id & 1 != 0, Notion::WinAbove.of(Whose::Own)),
    ])
    .unwrap_or_else(|| Notion::QuietAbove.of(Whose::Both))
}

/// All that is so; none if nothing is.
fn together<const N: usize>(parts: [(bool, What); N]) -> Option<What> {
    let so = parts.into_iter().filter(|(is_so, _)| *is_so).map(|(_, what)| what);
    so.reduce(|first, second| What::Pair { first: Box::new(first), second: Box::new(second) })
}

/// The line of a token as it is after the move: through the disc itself, or through the cell above it.
fn line(id: usize) -> What {
    let pattern = id % PATTERNS;
    let symbols = [pattern / 25, pattern / 5 % 5, pattern % 5];
    let count = |symbol: usize| symbols.iter().filter(|&&s| s == symbol).count() as u8;
    let (mine, theirs) = (count(0), count(1));
    // A cell that cannot be filled yet has a symbol above that of a playable one.
    let wait = if symbols.iter().any(|&s| s >= 3) { 2 } else { 0 };
    if id >= LINES / 2 {
        let what = What::Line { own: mine, other: theirs, open: 4 - mine - theirs, wait };
        What::Above { what: Box::new(what) }
    } else if mine == 0 && theirs > 0 {
        What::Spoils { other: theirs }
    } else {
        What::Line { own: mine + 1, other: theirs, open: 3 - mine - theirs, wait }
    }
}
