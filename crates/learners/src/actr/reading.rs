//! What the text leaves open and a number cannot say: twists of the reading, which can be combined, `reading=neutral+greedy`.

use std::fmt;
use std::str::FromStr;

use ludens_core::{Game, Side, words};
use ludens_games::backgammon::{Backgammon, Position, Roll};
use serde::{Deserialize, Serialize};

use super::pubeval::{Port, Pubeval};

/// One point in which a reading differs from the usual one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Twist {
    /// The prior of a chunk is in the ratio of games won to lost, so that a new chunk is neutral however many are lost.
    Neutral,
    /// A man alone is exposed only where an opponent is ahead of him.
    Met,
    /// Only features of the play that was chosen are chunked, not those of all plays.
    Chosen,
    /// F(W) and F(L) of equation 4 count occurrences of features, not games.
    Occurrences,
    /// The temperature falls from 1 to its setting over the first thousand games.
    Cooling,
    /// Without learning it takes the best play.
    Greedy,
    /// The player always rolls first.
    First,
    /// pubeval's flag of a race is that of the position after the play.
    RaceAfter,
    /// A port of pubeval that leaves out the men borne off.
    NoOff,
    /// A single made point is no block.
    Walls,
    /// Only features that a play newly makes are looked at and counted.
    Made,
    /// All features are looked at, those that a play newly makes are counted.
    CountMade,
    /// A double is two moves, for both sides, in games that are played for learning and for its test; elsewhere the rules hold.
    TwoMoves,
}

words!(Twist {
    Neutral = "neutral",
    Met = "met",
    Chosen = "chosen",
    Occurrences = "occurrences",
    Cooling = "cooling",
    Greedy = "greedy",
    First = "first",
    RaceAfter = "race-after",
    NoOff = "no-off",
    Walls = "walls",
    Made = "made",
    CountMade = "count-made",
    TwoMoves = "two-moves",
});

/// What a user may write.
pub(super) const WORDS: &str = "none, or several with + between them: neutral, met, chosen, occurrences, cooling, greedy, first, \
     race-after, no-off, walls, made, count-made, two-moves";

/// Twists, each once.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Reading(Vec<Twist>);

impl Reading {
    /// Whether it differs from the usual one in this point.
    #[inline]
    pub fn has(&self, twist: Twist) -> bool {
        self.0.contains(&twist)
    }

    /// The opponent as this reading knows him.
    pub fn pubeval(&self) -> Pubeval {
        Pubeval::port(Port {
            race_after: self.has(Twist::RaceAfter),
            no_off: self.has(Twist::NoOff),
            two_moves: self.has(Twist::TwoMoves),
        })
    }

    /// Where a game of a player in this seat begins.
    pub fn start(&self, seat: Side) -> Position {
        let start = Backgammon.start();
        if !self.has(Twist::First) {
            return start;
        }
        Position::new(Side::BOTH.map(|side| *start.men(side)), seat, Roll::Next)
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        let twists: Vec<String> = self.0.iter().map(Twist::to_string).collect();
        f.write_str(&twists.join("+"))
    }
}

impl FromStr for Reading {
    type Err = String;

    fn from_str(text: &str) -> Result<Reading, String> {
        if text == "none" {
            return Ok(Reading::default());
        }
        let twist = |word: &str| word.parse::<Twist>().map_err(|()| format!("{word:?} is no twist: {WORDS}"));
        let mut twists = text.split('+').map(twist).collect::<Result<Vec<Twist>, String>>()?;
        twists.sort_unstable();
        twists.dedup();
        Ok(Reading(twists))
    }
}

impl TryFrom<String> for Reading {
    type Error = String;

    fn try_from(text: String) -> Result<Reading, String> {
        text.parse()
    }
}

impl From<Reading> for String {
    fn from(reading: Reading) -> String {
        reading.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_as_it_is_read() {
        for (text, again) in [("none", "none"), ("walls", "walls"), ("walls+neutral+walls", "neutral+walls")]
        {
            assert_eq!(text.parse::<Reading>().unwrap().to_string(), again);
        }
        for wrong in ["", "walls+", "Walls", "wall"] {
            assert!(wrong.parse::<Reading>().is_err(), "{wrong}");
        }
        // Every word that is promised is known.
        let promised = WORDS.split(": ").nth(1).unwrap();
        assert!(promised.split(", ").all(|word| word.parse::<Twist>().is_ok()), "{promised}");
    }

    #[test]
    fn who_always_begins_does() {
        let first: Reading = "first".parse().unwrap();
        for seat in Side::BOTH {
            let mut state = first.start(seat);
            state.roll_dice(&mut ludens_core::Rng::new(3));
            assert_eq!(state.mover(), seat);
        }
        assert_eq!(Reading::default().start(Side::Second), Backgammon.start());
    }
}
