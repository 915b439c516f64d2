//! The records: one line a move, with the position before it.

use std::io::Read;
use std::path::Path;

use ludens_core::store::{TEXT_BYTES, open_bounded};

use super::patterns::SQUARES;
use crate::LabError;

const HEADING: [&str; 9] =
    ["game", "ply", "colour", "black", "white", "move", "response_ms", "player", "fold"];

/// A move and what the player saw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The stones on the board before it.
    pub ply: u32,
    /// The stones of the player.
    pub own: u64,
    /// The stones of the other player.
    pub other: u64,
    /// The square that was taken.
    pub square: u32,
    /// The number of the player.
    pub person: u32,
    /// The part of the records it belongs to; each part is held out once.
    pub fold: u32,
    /// The other's last square.
    pub last: Option<u32>,
    /// The player's own last square.
    pub before: Option<u32>,
}

/// Reads a file of records, checking each move against its position.
pub fn read(path: &Path) -> Result<Vec<Record>, LabError> {
    // It is the user's file: whatever is wrong with it, nobody should be told to delete it.
    let damaged = |line: u64, problem: String| LabError::Records {
        path: path.into(),
        problem: format!("line {line}: {problem}"),
    };
    let no_row =
        |error: csv::Error| damaged(error.position().map_or(1, csv::Position::line), error.to_string());
    let file = open_bounded(path, TEXT_BYTES).map_err(LabError::file(path))?;
    let mut reader = csv::Reader::from_reader(file.take(TEXT_BYTES));
    if reader.headers().map_err(no_row)?.iter().ne(HEADING) {
        return Err(damaged(1, format!("the heading is not {}", HEADING.join(","))));
    }
    let mut records: Vec<Record> = Vec::new();
    let mut game = None;
    let mut played: Vec<u32> = Vec::new();
    for row in reader.records() {
        let row = row.map_err(no_row)?;
        // The reader refuses a row of another length than the heading.
        let fields: [&str; 9] = std::array::from_fn(|field| &row[field]);
        if game.as_deref() != Some(fields[0]) {
            game = Some(fields[0].to_string());
            played.clear();
        }
        let line = row.position().map_or(0, csv::Position::line);
        let record = record(&fields, &played).map_err(|problem| damaged(line, problem))?;
        played.push(record.square);
        records.push(record);
    }
    if records.is_empty() {
        return Err(damaged(1, "there are no moves in it".into()));
    }
    Ok(records)
}

/// The fields of a line in the order of [`HEADING`], and the squares played before in the same game.
fn record(fields: &[&str; 9], played: &[u32]) -> Result<Record, String> {
    let [_, ply, colour, black, white, square, _, person, fold] = fields;
    let [ply, square, person, fold] = [ply, square, person, fold].map(|field| number(field));
    let [black, white] = [stones(black)?, stones(white)?];
    let (own, other) = match *colour {
        "black" => (black, white),
        "white" => (white, black),
        wrong => return Err(format!("{wrong:?} is no colour: black or white")),
    };
    if black & white != 0 {
        return Err("two stones on one square".into());
    }
    let square = square?;
    if square >= SQUARES || (own | other) >> square & 1 == 1 {
        return Err(format!("square {square} is not empty"));
    }
    Ok(Record {
        ply: ply?,
        own,
        other,
        square,
        person: person?,
        fold: fold?,
        last: played.last().copied(),
        before: played.len().checked_sub(2).map(|index| played[index]),
    })
}

/// People and folds are counted from nought; more than a thousand of them would be an error, and cost memory.
fn number(field: &str) -> Result<u32, String> {
    field
        .parse()
        .ok()
        .filter(|&number| number < 1000)
        .ok_or_else(|| format!("{field:?} is no number below 1000"))
}

/// A string of 36 noughts and ones, square 0 first.
fn stones(text: &str) -> Result<u64, String> {
    if text.len() != SQUARES as usize || !text.bytes().all(|byte| matches!(byte, b'0' | b'1')) {
        return Err(format!("{text:?} is no board: {SQUARES} noughts and ones"));
    }
    Ok(text.bytes().enumerate().fold(0, |stones, (square, byte)| stones | u64::from(byte - b'0') << square))
}
