//! Every sentence about a move, in one place: how a claim is said, and to whom. Nothing is decided here.

use super::claims::Claim;
use super::things::Scene;
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

/// A side as a sentence names it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub(super) name: &'static str,
    /// "you" and "both sides" take the other form of a verb.
    pub(super) many: bool,
}

impl Named {
    pub(super) fn verb(self, one: &'static str, many: &'static str) -> &'static str {
        if self.many { many } else { one }
    }
}

impl Voice {
    /// The mover.
    pub(super) fn me(self) -> Named {
        match self {
            Voice::ToMover => Named { name: "you", many: true },
            Voice::ToOpponent | Voice::ToOnlooker => Named { name: "it", many: false },
        }
    }

    /// The side that does not move.
    pub(super) fn other(self) -> Named {
        Named { name: self.them(), many: self == Voice::ToOpponent }
    }

    /// What belongs to the mover.
    pub(super) fn my(self) -> &'static str {
        if self == Voice::ToMover { "your" } else { "its" }
    }

    /// What belongs to the side that does not move.
    pub(super) fn theirs(self) -> &'static str {
        match self {
            Voice::ToOpponent => "your",
            Voice::ToMover => "your opponent's",
            Voice::ToOnlooker => "the other side's",
        }
    }

    pub(super) fn them(self) -> &'static str {
        match self {
            Voice::ToOpponent => "you",
            Voice::ToMover => "your opponent",
            Voice::ToOnlooker => "the other side",
        }
    }
}

/// One sentence for a claim, in the words of the board.
pub fn sentence(claim: &Claim, scene: &Scene) -> String {
    let (theirs, other) = (scene.voice.theirs(), scene.voice.other());
    let (board, them) = (scene.board, other.name);
    let cell = |at: &u16| scene.cell(*at);
    let cells = |at: &[u16]| scene.cells(at);
    match claim {
        Claim::Wins { line } if line.is_empty() => "It wins the game.".into(),
        Claim::Wins { line } => format!("It wins: {} {}.", number(line.len()), in_line(line, board)),
        Claim::Blocks { held, at } => {
            let whole: Vec<u16> = held.iter().chain([at]).copied().collect();
            format!("It blocks {theirs} {} {}, at {}.", number(held.len()), in_line(&whole, board), cell(at))
        }
        Claim::OnlyMove => format!("After any other move {them} would win at once."),
        Claim::MostLose => format!("After most other moves {them} would win at once."),
        Claim::Fork { at } => format!(
            "It makes {} threats at once, at {}: {them} can stop only one.",
            number(at.len()),
            cells(at)
        ),
        Claim::Threat { at } => format!("It threatens to win at {}.", cell(at)),
        Claim::LetsWin { at } if at.is_empty() => format!("It lets {them} win at once."),
        Claim::LetsWin { at } => format!("It lets {them} win at once, at {}.", cells(at)),
        Claim::CannotStop { at } if at.is_empty() => format!("It cannot keep {them} from winning."),
        Claim::CannotStop { at } => format!("It cannot keep {them} from winning, at {}.", cells(at)),
        Claim::Turns { count } => {
            format!("It turns {} of {theirs} {}.", number(*count as usize), scene.piece(true))
        }
        Claim::Takes { at } if at.len() == 1 => format!("It takes {theirs} piece on {}.", cells(at)),
        Claim::Takes { at } => format!("It takes {theirs} pieces on {}.", cells(at)),
        Claim::Corner { at } => format!("It takes the corner {}.", cell(at)),
        Claim::GivesCorner { at } => format!("It gives {them} the corner {}.", cell(at)),
        Claim::Hits { at } if at.len() == 1 => format!("It hits {theirs} man on point {}.", cells(at)),
        Claim::Hits { at } => format!("It hits {theirs} men on points {}.", cells(at)),
        Claim::MakesPoint { at } if at.len() == 1 => format!("It makes point {}.", cells(at)),
        Claim::MakesPoint { at } => format!("It makes points {}.", cells(at)),
        Claim::LeavesBlot { at } if at.len() == 1 => {
            format!("It leaves a man alone on point {}, where {them} may hit it.", cells(at))
        }
        Claim::LeavesBlot { at } => {
            format!("It leaves men alone on points {}, where {them} may hit them.", cells(at))
        }
        Claim::BearsOff { count: 1 } => "It takes a man off the board.".into(),
        Claim::BearsOff { count } => format!("It takes {} men off the board.", number(*count as usize)),
        Claim::Forced => "There is no other move.".into(),
    }
}

/// With a capital letter at the beginning.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// "two" to "nine"; digits above.
pub(super) fn number(count: usize) -> String {
    const WORDS: [&str; 10] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS.get(count).map_or_else(|| count.to_string(), ToString::to_string)
}

/// "a", "a and b", "a, b and c".
pub(super) fn listed(names: &[String]) -> String {
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
