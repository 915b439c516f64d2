//! Every sentence about a move, in one place: how a claim is said, and to whom. Nothing is decided here.

use super::claims::Claim;
use crate::Board;

/// Who is spoken to, and so what the two sides are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// To the person against whom the move was made.
    ToOpponent,
    /// To the person who is to make it.
    ToMover,
    /// To somebody who looks on.
    ToOnlooker,
}

impl Voice {
    /// "your", "its", "the other side's": what belongs to the side that does not move.
    fn theirs(self) -> &'static str {
        match self {
            Voice::ToOpponent => "your",
            Voice::ToMover => "your opponent's",
            Voice::ToOnlooker => "the other side's",
        }
    }

    /// "you", "your opponent", "the other side": the side that does not move.
    fn them(self) -> &'static str {
        match self {
            Voice::ToOpponent => "you",
            Voice::ToMover => "your opponent",
            Voice::ToOnlooker => "the other side",
        }
    }
}

/// One sentence for a claim, in the words of the board.
pub fn sentence(claim: &Claim, board: &Board, voice: Voice) -> String {
    let (theirs, them) = (voice.theirs(), voice.them());
    let cell = |at: &u16| board.cell_name(usize::from(*at));
    let cells = |at: &[u16]| listed(&at.iter().map(cell).collect::<Vec<_>>());
    match claim {
        Claim::Wins { line } if line.is_empty() => "It wins the game.".into(),
        Claim::Wins { line } => format!("It wins: {} {}.", number(line.len()), in_line(line, board)),
        Claim::Blocks { held, at } => {
            let whole: Vec<u16> = held.iter().chain([at]).copied().collect();
            format!("It blocks {theirs} {} {}, at {}.", number(held.len()), in_line(&whole, board), cell(at))
        }
        Claim::OnlyMove => format!("After any other move {them} would win at once."),
        Claim::StopsWin => format!("It stops {them} from winning at once."),
        Claim::Fork { at } => format!(
            "It makes {} threats at once, at {}: {them} can stop only one.",
            number(at.len()),
            cells(at)
        ),
        Claim::Threat { at } => format!("It threatens to win at {}.", cell(at)),
        Claim::LetsWin { at } if at.is_empty() => format!("It lets {them} win at once."),
        Claim::LetsWin { at } => format!("It lets {them} win at once, at {}.", cells(at)),
        Claim::Turns { count } => format!("It turns {} of {theirs} discs.", number(*count as usize)),
        Claim::Takes { at } if at.len() == 1 => format!("It takes {theirs} piece on {}.", cells(at)),
        Claim::Takes { at } => format!("It takes {theirs} pieces on {}.", cells(at)),
        Claim::Corner { at } => format!("It takes the corner {}.", cell(at)),
        Claim::GivesCorner { at } => format!("It gives {them} the corner {}.", cell(at)),
        Claim::Forced => "There is no other move.".into(),
    }
}

/// "two" to "nine"; digits above.
fn number(count: usize) -> String {
    const WORDS: [&str; 10] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS.get(count).map_or_else(|| count.to_string(), ToString::to_string)
}

/// "a", "a and b", "a, b and c".
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// How the cells lie: "in a row", "in column d", "on a diagonal", or just their names.
fn in_line(cells: &[u16], board: &Board) -> String {
    let places: Vec<_> = cells.iter().map(|at| board.cell(usize::from(*at))).collect();
    let Some(first) = places.first() else { return String::new() };
    if places.iter().all(|place| place.row == first.row) {
        "in a row".into()
    } else if places.iter().all(|place| place.column == first.column) {
        format!("in column {}", board.column_names[usize::from(first.column)])
    } else {
        "on a diagonal".into()
    }
}
