//! Players of the Othello League: weights of squares or of tuples of squares, in the league's own files, one ply, a coin among equals.
//!
//! A file is 64 numbers, the squares row by row from a1; or the number of tuples and for each its length, how many places it has, the places,
//! and 3^length weights, the first square counting most and 0 white, 1 empty, 2 black. Braces mean nothing. The first player is black.

use std::path::Path;
use std::sync::Arc;

use ludens_core::shown::cut;
use ludens_core::{About, Entries, Game, MindEntry, MindError, Side, Words, settings};
use ludens_games::reversi::Reversi;

use super::judge::Judge;
use super::player::Judged;

const SQUARES: usize = 64;
/// Of a file, a tuple and all places of a player; the largest published ones stay far below.
const MOST_BYTES: u64 = 16 << 20;
const LONGEST: usize = 10;
const MOST_PLACES: usize = 10_000;

settings! {
    /// Of a player of the league.
    struct Player {
        /// The player's file, in the league's format.
        file: String = String::new(), Words("a file of 64 weights or of tuples");
        /// Whether it looks at the board as if it were black; else it takes the least of black's values when it is white.
        inverted: bool = false, Words("true or false");
    }
}

/// What a player of the league judges by.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuples {
    /// The squares of a place, and where its weights begin.
    places: Vec<(Vec<u8>, usize)>,
    weights: Vec<f32>,
    inverted: bool,
}

impl Tuples {
    /// Reads a file of the league.
    pub fn load(file: &Path, inverted: bool) -> Result<Tuples, MindError> {
        let wrong = |what: String| {
            MindError::Other(format!("the league's player {}: {what}", cut(&file.display().to_string())))
        };
        let size = std::fs::metadata(file).map_err(|error| wrong(error.to_string()))?.len();
        if size > MOST_BYTES {
            return Err(wrong("it is larger than any player".into()));
        }
        let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
        Tuples::parse(&text, inverted).map_err(wrong)
    }

    /// Reads the text of such a file; what is wrong with it, otherwise.
    pub fn parse(text: &str, inverted: bool) -> Result<Tuples, String> {
        let words: Vec<&str> = text
            .split(|c: char| c.is_whitespace() || c == '{' || c == '}')
            .filter(|word| !word.is_empty())
            .collect();
        let mut tuples = Tuples { places: Vec::new(), weights: Vec::new(), inverted };
        if words.len() == SQUARES {
            for (at, word) in words.iter().enumerate() {
                let weight = number(Some(word))?;
                tuples.places.push((vec![square(at)], tuples.weights.len()));
                tuples.weights.extend([-weight, 0.0, weight]);
            }
        } else {
            tuples.read(&mut words.into_iter())?;
        }
        tuples.shrink();
        Ok(tuples)
    }

    fn read<'w>(&mut self, words: &mut impl Iterator<Item = &'w str>) -> Result<(), String> {
        for _ in 0..count(words.next(), MOST_PLACES)? {
            let (length, places) = (count(words.next(), LONGEST)?, count(words.next(), MOST_PLACES)?);
            for _ in 0..places {
                let at = |word| count(word, SQUARES - 1).map(square);
                let squares = (0..length).map(|_| at(words.next())).collect::<Result<_, _>>()?;
                self.places.push((squares, self.weights.len()));
            }
            for _ in 0..3usize.pow(length as u32) {
                self.weights.push(number(words.next())?);
            }
            if self.places.len() > MOST_PLACES {
                return Err("it has more places than any player".into());
            }
        }
        if words.next().is_some() { Err("there is more after the last tuple".into()) } else { Ok(()) }
    }

    /// Brings every value within ±0.9, where nothing is bent and finished games stay apart.
    fn shrink(&mut self) {
        let most = self.weights.iter().fold(0.0f32, |most, weight| most.max(weight.abs()));
        let bound = most * self.places.len() as f32;
        if bound > 0.0 {
            self.weights.iter_mut().for_each(|weight| *weight *= 0.9 / bound);
        }
    }

    /// Of a position as a side sees it. Reversi's inputs are 1 for discs of that side, −1 for the other's.
    pub(super) fn value<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        side: Side,
        inputs: &mut Vec<f32>,
    ) -> f32 {
        // Who is about to move looks at it; the league's player looks after its own move.
        let mover = side.other();
        let black = if self.inverted { mover } else { Side::First };
        game.encode(state, black, inputs);
        let of = |(squares, first): &(Vec<u8>, usize)| {
            let digit =
                |square: &u8| (inputs.get(usize::from(*square)).copied().unwrap_or(0.0) + 1.0) as usize;
            self.weights[first + squares.iter().fold(0, |at, square| 3 * at + digit(square))]
        };
        let sum: f32 = self.places.iter().map(of).sum();
        if black == side { sum } else { -sum }
    }
}

/// The league counts squares from a1, the board from a8.
fn square(at: usize) -> u8 {
    ((7 - at / 8) * 8 + at % 8) as u8
}

fn number(word: Option<&str>) -> Result<f32, String> {
    let word = word.ok_or("it ends too early")?;
    word.parse()
        .ok()
        .filter(|number: &f32| number.is_finite())
        .ok_or_else(|| format!("{} is no number", cut(word)))
}

fn count(word: Option<&str>, most: usize) -> Result<usize, String> {
    let word = word.ok_or("it ends too early")?;
    word.parse()
        .ok()
        .filter(|number| *number <= most)
        .ok_or_else(|| format!("{} is no number from 0 to {most}", cut(word)))
}

/// With the players of the league.
pub fn add(entries: Entries<Reversi>) -> Entries<Reversi> {
    let summary = "a player of the Othello League from its file: weights of squares or of tuples, one ply";
    let about =
        About::new("league", "Othello League", summary).needs("Reversi").settings(Player::default().list());
    entries.mind_entry(MindEntry::new(about, |_, spec| {
        let Player { file, inverted } = Player::read(spec, &Player::default())?;
        let judge = match file.as_str() {
            "" => Judge::othello_league(),
            file => Judge::Tuples(Arc::new(Tuples::load(Path::new(file), inverted)?)),
        };
        Ok(Box::new(Judged::one_ply(judge)))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard weights as a file of 64 numbers give the values of the table, as tuples of one square too.
    #[test]
    fn both_formats_say_what_the_table_says() {
        let Judge::Weighted { weights, .. } = Judge::othello_league() else { panic!("a table") };
        // The table is symmetric, so its order does not matter here; the orientation is tested below.
        let numbers: Vec<String> = (0..64).map(|at| weights[usize::from(square(at))].to_string()).collect();
        let plain = Tuples::parse(&numbers.join(" "), false).unwrap();
        let tuple =
            |at: usize| format!("{{ 1 1 {{ {at} }} {{ -{w} 0 {w} }} }}", w = numbers[at]).replace("--", "");
        let tuples = format!("{{ 64 {} }}", (0..64).map(tuple).collect::<Vec<_>>().join("\n"));
        let tuples = Tuples::parse(&tuples, false).unwrap();
        let game = Reversi::default();
        let mut state = game.start();
        let mut moves = Vec::new();
        let mut judge = Judge::othello_league();
        for ply in 0..20 {
            game.moves(&state, &mut moves);
            game.apply(&mut state, moves[ply % moves.len()]);
            for side in Side::BOTH {
                let table = judge.value(&game, &state, side);
                let mut inputs = Vec::new();
                let of = plain.value(&game, &state, side, &mut inputs);
                assert!((of - tuples.value(&game, &state, side, &mut inputs)).abs() < 1e-6);
                // Both are multiples of the same sum.
                assert_eq!(of > 1e-6, table > 1e-6, "{of} {table}");
            }
        }
    }

    /// Four discs lie on the board at the start: d4 and e5 white, e4 and d5 black; the league counts from a1.
    #[test]
    fn squares_are_where_the_league_has_them() {
        let mut numbers = vec!["0".to_string(); 64];
        numbers[3 * 8 + 4] = "1".into(); // e4
        let e4 = Tuples::parse(&numbers.join(" "), false).unwrap();
        let game = Reversi::default();
        assert!(e4.value(&game, &game.start(), Side::First, &mut Vec::new()) > 0.0);
        numbers[3 * 8 + 4] = "0".into();
        numbers[3 * 8 + 3] = "1".into(); // d4
        let d4 = Tuples::parse(&numbers.join(" "), false).unwrap();
        assert!(d4.value(&game, &game.start(), Side::First, &mut Vec::new()) < 0.0);
    }

    #[test]
    fn damaged_files_are_refused_in_words() {
        for (text, problem) in [
            ("", "too early"),
            ("1 2 1 0 1 1", "too early"),
            ("1 11 1", "from 0 to 10"),
            ("1 1 1 64 0 0 0", "from 0 to 63"),
            ("1 1 1 3 0 nan 0", "no number"),
            ("1 1 1 3 0 1 0 9", "more after"),
            ("99999999 1 1", "from 0 to 10000"),
        ] {
            let error = Tuples::parse(text, false).unwrap_err();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
