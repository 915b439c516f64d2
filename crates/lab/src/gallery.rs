//! Positions of play with what a mind says of its move: pages on which one can read how it talks.

use std::fmt::Write;
use std::sync::Arc;

use ludens_core::words::{How, Voice};
use ludens_core::{Board, Budget, Explain, Front, Layout, NoModels, Rng, Side};

use crate::LabError;

/// A decision as a page shows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// The board before the move.
    pub board: String,
    /// What the side to move plays with: "x".
    pub mover: String,
    /// The move.
    pub label: String,
    /// What is said of it to the opponent.
    pub said: Vec<String>,
    /// How it decided.
    pub how: How,
}

/// Every so many moves of a game one is shown.
const APART: u32 = 4;
const LONGEST: u32 = 400;

/// So many decisions of a mind, from games against a player that moves at random every other time.
pub fn gallery(front: &dyn Front, mind: &str, count: usize, seed: u64) -> Result<Vec<Shown>, LabError> {
    let mut table = front.table(Arc::new(NoModels));
    let mut shown = Vec::new();
    for game in 0..4 * count as u64 {
        let mut rng = Rng::stream(seed, game);
        table.restart(None)?;
        table.new_game(mind)?;
        let ours = if game % 2 == 0 { Side::First } else { Side::Second };
        let (mut decided, mut wait) = (0, rng.below(APART));
        for _ in 0..LONGEST {
            table.roll(&mut rng);
            let Some(side) = table.to_move() else { break };
            let moves = table.moves();
            let any = moves[rng.below(moves.len() as u32) as usize];
            let mut mv = any;
            if side == ours || rng.chance(0.5) {
                let mut decision = table.think(mind, &mut rng, Budget::Unlimited, Explain::EVERYTHING)?;
                table.speak(&mut decision, Voice::ToOpponent);
                mv = decision.mv;
                decided += 1;
                if side == ours && moves.len() > 1 && decided > wait {
                    let view = table.view();
                    let said = table.tell(&decision, decision.mv, Voice::ToOpponent);
                    let glyph = view.board.pieces.iter().find(|piece| piece.side == Some(side));
                    shown.push(Shown {
                        board: drawn(&view.board),
                        mover: glyph.map_or_else(String::new, |piece| piece.glyph.to_string()),
                        label: decision.label.clone(),
                        said,
                        how: decision.why.how,
                    });
                    wait = decided + APART;
                }
            }
            if shown.len() == count {
                return Ok(shown);
            }
            table.play(mv)?;
        }
    }
    Ok(shown)
}

/// The pages' form: a board, the move, the sentences.
pub fn as_markdown(shown: &[Shown]) -> String {
    let mut text = String::new();
    for (number, one) in (1..).zip(shown) {
        let _ = write!(text, "{number}. {} to move:\n\n", one.mover);
        for line in one.board.lines() {
            let _ = writeln!(text, "       {line}");
        }
        let said = if one.said.is_empty() { one.how.sentence() } else { one.said.join(" ") };
        let _ = write!(text, "\n   **{}** — {said}\n\n", one.label);
    }
    text
}

/// A board in plain letters.
pub fn drawn(board: &Board) -> String {
    if board.layout == Layout::Points {
        return points(board);
    }
    let (width, height) = (usize::from(board.width), usize::from(board.height));
    let margin = board.row_names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let glyph = |index: usize| {
        let piece = board.squares.get(index).and_then(|square| board.pieces.get(usize::from(square.piece)));
        piece.map_or('?', |piece| piece.glyph)
    };
    let mut text = String::new();
    for row in (0..height).rev() {
        let name = board.row_names.get(row).map_or("", String::as_str);
        let cells: String = (0..width).map(|column| format!(" {}", glyph(row * width + column))).collect();
        let _ = writeln!(text, "{name:>margin$}{cells}");
    }
    let names: String = board.column_names.iter().map(|name| format!(" {name:.1}")).collect();
    let _ = writeln!(text, "{:margin$}{names}", "");
    text
}

/// Points 13 to 24 above, 12 to 1 below, as the first player counts: how many men of whom.
fn points(board: &Board) -> String {
    let cell = |point: usize| {
        let square = board.squares[point - 1];
        let glyph = board.pieces.get(usize::from(square.piece)).map_or('?', |piece| piece.glyph);
        if square.count == 0 { "  ·".to_string() } else { format!("{:>2}{glyph}", square.count) }
    };
    let row = |points: &[usize]| points.iter().map(|&point| format!(" {}", cell(point))).collect::<String>();
    let names = |points: &[usize]| points.iter().map(|point| format!(" {point:>3}")).collect::<String>();
    let upper: Vec<usize> = (13..=24).collect();
    let lower: Vec<usize> = (1..=12).rev().collect();
    let mut text = format!("{}\n{}\n{}\n{}\n", names(&upper), row(&upper), row(&lower), names(&lower));
    for (side, bar) in [(Side::First, 24), (Side::Second, 26)] {
        let glyph =
            board.pieces.iter().find(|piece| piece.side == Some(side)).map_or('?', |piece| piece.glyph);
        let _ = writeln!(
            text,
            " {glyph}: {} on the bar, {} off",
            board.squares[bar].count,
            board.squares[bar + 1].count
        );
    }
    for (name, value) in &board.notes {
        let _ = writeln!(text, " {name}: {value}");
    }
    text
}

#[cfg(test)]
mod tests {
    use ludens_core::Games;
    use ludens_learners::standard::{Standard, zoo};

    use super::*;

    #[test]
    fn a_gallery_repeats_and_says_something() {
        let front = Games::new(Standard::new().close(), zoo()).open("tic-tac-toe").unwrap();
        let one = gallery(&*front, "alphabeta:depth=9", 5, 1).unwrap();
        assert_eq!(one, gallery(&*front, "alphabeta:depth=9", 5, 1).unwrap());
        assert_eq!(one.len(), 5);
        assert!(one.iter().all(|shown| !shown.said.is_empty() && shown.board.contains("a b c")), "{one:?}");
        let page = as_markdown(&one);
        assert!(page.contains("to move:") && page.contains("**"), "{page}");
    }
}
