//! Boards and reasons in the terminal.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use ludens_core::words::{count, gather};
use ludens_core::{Board, Bound, Layout, Move, MoveValue, Ranking, Reason, Side, Square};

use crate::screen::ours;

/// The widest a column of names gets: rules may have names of any length, and a longer one only shifts its own line.
pub const WIDEST: usize = 60;

pub const ERROR: Style = AnsiColor::Red.on_default().bold();
pub const STRONG: Style = Style::new().bold();
pub const FAINT: Style = Style::new().dimmed();
/// Blue and yellow are told apart by nearly everybody; the glyphs differ as well.
const FIRST: Style = AnsiColor::Yellow.on_default().bold();
const SECOND: Style = AnsiColor::Blue.on_default().bold();

fn style_of(side: Option<Side>) -> Style {
    match side {
        None => FAINT,
        Some(Side::First) => FIRST,
        Some(Side::Second) => SECOND,
    }
}

/// `text` in a style, with the reset behind it.
pub fn styled(text: impl std::fmt::Display, style: Style) -> String {
    format!("{}{text}{}", ours(style.render()), ours(style.render_reset()))
}

/// A person's name for a side, coloured: what its pieces look like where they all look the same.
pub fn side_name(board: &Board, side: Side) -> String {
    let mut own = board.pieces.iter().filter(|piece| piece.side == Some(side));
    let glyph = own.next().filter(|_| own.next().is_none()).map(|piece| piece.glyph.to_string());
    let usual = if side == Side::First { "first" } else { "second" };
    styled(glyph.unwrap_or_else(|| usual.into()), style_of(Some(side)))
}

/// The whole board, its notes under it; the squares in `lit` stand out.
pub fn board(board: &Board, lit: &[u16]) -> String {
    let mut text = match board.layout {
        Layout::Grid | Layout::Gravity => grid(board, lit),
        Layout::Points => points(board, lit),
    };
    for (name, value) in &board.notes {
        let _ = writeln!(text, "{}", styled(format!("{name}: {value}"), FAINT));
    }
    text
}

fn glyph(board: &Board, square: Square) -> char {
    board.pieces.get(usize::from(square.piece)).map_or('?', |piece| piece.glyph)
}

fn grid(board: &Board, lit: &[u16]) -> String {
    let (width, height) = (usize::from(board.width), usize::from(board.height));
    let margin = board.row_names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(WIDEST);
    // Columns with long names (GDL boards) would tear the grid apart: they are cut to two characters.
    let mut text = String::new();
    for row in (0..height).rev() {
        let name = board.row_names[row].as_str();
        let _ = write!(text, "{}", styled(format!("{name:>margin$} "), FAINT));
        for column in 0..width {
            let index = row * width + column;
            let square = board.squares[index];
            let mut style = style_of(square.side);
            if lit.contains(&(index as u16)) {
                style = style.invert();
            }
            let _ = write!(text, " {}", styled(glyph(board, square), style));
        }
        text.push('\n');
    }
    let names: String = board.column_names.iter().map(|name| format!(" {:.1}", name)).collect();
    let _ = writeln!(text, "{:margin$} {}", "", styled(names, FAINT));
    text
}

/// A backgammon board as the first player sees it: 13–24 above, 12–1 below.
fn points(board: &Board, lit: &[u16]) -> String {
    const TALLEST: u8 = 5;
    let stack = |point: usize, level: u8| {
        let square = board.squares[point - 1];
        let mut style = style_of(square.side);
        if lit.contains(&(point as u16 - 1)) {
            style = style.invert();
        }
        let mark = match square.count {
            count if count < level => '·',
            count if level == TALLEST && count > TALLEST => {
                char::from_digit(u32::from(count), 16).unwrap_or('+')
            }
            _ => glyph(board, square),
        };
        styled(mark, if square.count < level { FAINT } else { style })
    };
    let upper: Vec<usize> = (13..=24).collect();
    let lower: Vec<usize> = (1..=12).rev().collect();
    let names = |points: &[usize]| points.iter().map(|point| format!("{point:>3}")).collect::<String>();
    let rows = |points: &[usize], level: u8| {
        points.iter().map(|&point| format!("  {}", stack(point, level))).collect::<String>()
    };
    let mut text = String::new();
    let _ = writeln!(text, "{}", styled(names(&upper), FAINT));
    for level in 1..=TALLEST {
        let _ = writeln!(text, "{}", rows(&upper, level));
    }
    text.push('\n');
    for level in (1..=TALLEST).rev() {
        let _ = writeln!(text, "{}", rows(&lower, level));
    }
    let _ = writeln!(text, "{}", styled(names(&lower), FAINT));
    for (side, bar, tray) in [(Side::First, 24, 25), (Side::Second, 26, 27)] {
        let count = |index: usize| board.squares.get(index).map_or(0, |square| square.count);
        let _ = writeln!(text, "{}: {} on the bar, {} off", side_name(board, side), count(bar), count(tray));
    }
    text
}

/// Moves of a ranking that a person reads.
const MOVES_SHOWN: usize = 60;

/// How much of the reasons is shown.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// The moves whose reasons are shown, from the first.
    pub moves: usize,
    /// Each mind's own notation beside the words: rules, chunks, inclinations.
    pub rules: bool,
}

/// The ranking of the moves with the reasons of the first few.
pub fn why(why: &Ranking, label: &dyn Fn(&[Move]) -> Vec<String>, detail: Detail) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}", styled(why.how.sentence(), STRONG));
    let name = |candidate: &MoveValue| label(&[candidate.mv]).pop().unwrap_or_default();
    let shown = &why.moves[..why.moves.len().min(MOVES_SHOWN)];
    let widths = shown.iter().map(|candidate| name(candidate).chars().count());
    let width = widths.max().unwrap_or(0).min(WIDEST);
    let _ = writeln!(text, "{}", styled(format!("  {:width$}  {}", "move", why.scale.name()), FAINT));
    for (rank, candidate) in shown.iter().enumerate() {
        let _ = writeln!(text, "  {:width$}  {}", name(candidate), value(why, candidate, detail.rules));
        if rank < detail.moves {
            for reason in gather(&candidate.reasons, why.combine) {
                let _ =
                    writeln!(text, "  {:width$}    {}", "", reason_line(why, &reason, label, detail.rules));
            }
        }
    }
    if shown.len() < why.moves.len() {
        let _ = writeln!(text, "  … and {} moves more (--json has all)", why.moves.len() - shown.len());
    }
    text
}

fn value(why: &Ranking, candidate: &MoveValue, rules: bool) -> String {
    let bound = match candidate.bound {
        Bound::AtMost if candidate.fate.is_none() => "at most ",
        Bound::Unsettled => "perhaps ",
        _ => "",
    };
    let visits =
        candidate.visits.filter(|visits| *visits > 0).map(|visits| format!("  ({} times)", count(visits)));
    let prior = candidate.prior.filter(|_| rules).map(|prior| format!("  (at first sight {prior:.3})"));
    let exact = if rules { format!("  [{:.6}]", candidate.value) } else { String::new() };
    format!(
        "{bound}{}{exact}{}{}",
        why.scale.shown(candidate),
        visits.unwrap_or_default(),
        prior.unwrap_or_default()
    )
}

fn reason_line(
    why: &Ranking,
    reason: &Reason,
    label: &dyn Fn(&[Move]) -> Vec<String>,
    rules: bool,
) -> String {
    let worth =
        if reason.line.is_empty() { why.scale.worth(why.combine, reason.worth) } else { String::new() };
    let line =
        if reason.line.is_empty() { String::new() } else { format!(": {}", label(&reason.line).join(" ")) };
    let notation = if rules && !reason.notation.is_empty() {
        format!("  {}", styled(&reason.notation, FAINT))
    } else {
        String::new()
    };
    format!("{worth:<8}{}{line}{notation}", reason.text)
}
