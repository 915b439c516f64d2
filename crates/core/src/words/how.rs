//! How a mind came to its ranking, and what it knows: typed, and in one sentence each.

use serde::{Deserialize, Serialize};

use super::scale::count;
use crate::Cost;

/// By what the positions at the end of the lines were judged.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judge {
    /// By nothing: what is not over is even.
    #[default]
    Nothing,
    /// By counting lines that can still be filled.
    OpenLines,
    /// By a table of what each square is worth.
    Squares,
    /// By counting pieces.
    Pieces,
    /// By who is ahead in the race.
    Race,
    /// By a network that has learnt from games.
    Network,
    /// By a network that has learnt nothing yet.
    Untaught,
    /// By concepts found in random games.
    Concepts,
    /// By what an outside mind says.
    Own(String),
}

/// How a mind decides, said once for a decision.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// It does not say.
    #[default]
    Unsaid,
    /// Any legal move.
    AnyMove,
    /// A move that wins at once, or any.
    WinInOne {
        /// Whether there was one.
        found: bool,
    },
    /// Both sides' best moves, so many plies ahead.
    LookAhead {
        /// How far; 0 where the budget did not suffice for one.
        plies: u32,
        /// Positions looked at, where they were counted.
        states: u64,
        /// By what the ends are judged.
        judge: Judge,
    },
    /// Random games from here.
    TrialGames {
        /// How many.
        games: u64,
        /// What had a word beforehand.
        guide: Option<Judge>,
    },
    /// The game was solved to its end.
    Solved,
    /// Too early to be solved: a ranking without search.
    Unsolved,
    /// Patterns on the board weighed by a network, no move ahead.
    Patterns,
    /// What each move looks like, weighed by a network, no move ahead.
    Moves,
    /// Odds of what is on the board after the move, multiplied.
    Odds {
        /// Whether the move is drawn by them rather than taken.
        drawn: bool,
    },
    /// The winning chance a network sees after the move.
    Chances,
    /// Concepts that hold after the move, added up.
    Concepts {
        /// How many it has.
        known: u32,
    },
    /// Points for every man where it stands, added up.
    MenOnPoints,
    /// A rule for races.
    Racing,
    /// Another program's answer, which comes without reasons.
    OtherProgram(String),
    /// An outside mind's own words.
    Own(String),
}

impl How {
    /// One sentence.
    pub fn sentence(&self) -> String {
        match self {
            How::Unsaid => String::new(),
            How::AnyMove => "It plays any legal move, each as likely as the others.".into(),
            How::WinInOne { found: true } => "It found a move that wins at once, and takes it.".into(),
            How::WinInOne { found: false } => "It found no move that wins at once, so it plays any.".into(),
            How::LookAhead { plies: 0, .. } => "It had no time to look even one move ahead.".into(),
            How::LookAhead { plies, states, judge } => {
                let far = if *plies == 1 { "one move".into() } else { format!("{plies} moves") };
                let many = if *states > 0 { format!(" at {} positions", count(*states)) } else { String::new() };
                let judged = match judge {
                    Judge::Nothing => "took every unfinished game for even".into(),
                    judge => format!("judged where that leads by {}", judge.words()),
                };
                format!("It looked {far} ahead{many}, both sides playing their best, and {judged}.")
            }
            How::TrialGames { games, guide } => {
                let before = guide.as_ref().map_or_else(String::new, |judge| {
                    format!(" It began with a first judgement by {}.", judge.words())
                });
                format!(
                    "It played {} trial games from here, more of them after the moves that did well; the move it tried most is its choice.{before}",
                    count(*games)
                )
            }
            How::Solved => "It solved the game to its end: the fastest win, else a draw, else the slowest loss.".into(),
            How::Unsolved => "It is too early to solve the game in time, so it goes by a ranking without looking ahead.".into(),
            How::Patterns => "It looks at every four squares in a line and lets a network weigh them; it looks no move ahead.".into(),
            How::Moves => "It judges each move by the lines it touches and the threats it leaves; it looks no move ahead.".into(),
            How::Odds { drawn: false } => "It multiplies the odds of what it remembers about positions like the one after the move.".into(),
            How::Odds { drawn: true } => "It multiplies the odds of what it remembers about positions like the one after the move, and draws among the moves: the better the odds, the likelier.".into(),
            How::Chances => "Its network says how likely it wins after each move; it takes the likeliest.".into(),
            How::Concepts { known: 0 } => "It has found no concepts yet: it takes a win at once, and all other moves are the same to it.".into(),
            How::Concepts { known } => format!("It adds up which of its {} concepts hold after each move, and takes a win at once; it looks no further ahead.", count(u64::from(*known))),
            How::MenOnPoints => "It adds up points for every man where it stands after the move.".into(),
            How::Racing => "Nobody can hit any more: it takes men off, then brings them home, then saves steps.".into(),
            How::OtherProgram(name) => format!("{name} answered; it gives no reasons."),
            How::Own(words) => words.clone(),
        }
    }
}

impl Judge {
    fn words(&self) -> &str {
        match self {
            Judge::Nothing => "nothing",
            Judge::OpenLines => "the lines that can still be filled",
            Judge::Squares => "what each square is worth",
            Judge::Pieces => "the number of pieces",
            Judge::Race => "who is ahead in the race",
            Judge::Network => "a network that learnt from its games",
            Judge::Untaught => "a network that has not learnt anything yet",
            Judge::Concepts => "the concepts it found in random games",
            Judge::Own(words) => words,
        }
    }
}

/// What a mind has gone through and what it keeps, each by its right name: "1,000 games of experience", "1,881 weights".
pub fn ledger(cost: &Cost) -> Vec<String> {
    let kinds = [
        (cost.games, "game of experience", "games of experience"),
        (cost.labels, "labelled position", "labelled positions"),
        (cost.weights, "weight", "weights"),
        (cost.chunks, "chunk of memory", "chunks of memory"),
    ];
    let known = kinds.into_iter().filter(|(number, ..)| *number > 0);
    known
        .map(|(number, one, many)| format!("{} {}", count(number), if number == 1 { one } else { many }))
        .collect()
}
