//! Every game played is kept: who, the moves, the thinking times, the result.

use std::borrow::Cow;
use std::fmt::Debug;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::session::{Over, PlayedBy, Ply, Seat};

/// Seconds since 1970.
pub(crate) fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct GameRecord {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) seats: [Seat; 2],
    pub(crate) seed: u32,
    pub(crate) start: Option<String>,
    pub(crate) plies: Vec<Ply>,
    /// As the first player sees it; none while the game goes on.
    pub(crate) result: Option<f32>,
    /// Set where it ended before its rules ended it.
    #[serde(default)]
    pub(crate) over: Option<Over>,
    #[serde(default)]
    pub(crate) clock: Option<Clock>,
    /// Seconds since 1970.
    pub(crate) created: f64,
    pub(crate) updated: f64,
}

/// A line of the list of games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct GameLine {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) seats: [Seat; 2],
    pub(crate) moves: usize,
    pub(crate) result: Option<f32>,
    /// Whether it began anywhere but at the start: such a game says nothing of anybody's strength.
    #[serde(default)]
    pub(crate) set_up: bool,
    pub(crate) created: f64,
    pub(crate) updated: f64,
}

impl From<&GameRecord> for GameLine {
    fn from(record: &GameRecord) -> GameLine {
        GameLine {
            id: record.id.clone(),
            game: record.game.clone(),
            seats: record.seats.clone(),
            moves: record.plies.iter().filter(|ply| ply.side.is_some()).count(),
            result: record.result,
            // A move that was brought along took no time.
            set_up: record.start.is_some()
                || record.plies.iter().any(|ply| ply.by == PlayedBy::Human && ply.ms == 0.0),
            created: record.created,
            updated: record.updated,
        }
    }
}

/// Some of the kept games.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) games: Vec<GameRecord>,
    /// The id after which the next page begins; none after the last.
    pub(crate) next: Option<String>,
}

/// Where games are kept, within a quota.
pub(crate) trait GameLog: Send + Sync + Debug {
    /// Keeps a game, over what was kept of it before. Fails when the quota is used up by games that go on.
    fn put(&self, record: GameRecord) -> Result<(), String>;
    fn get(&self, id: &str) -> Result<Option<GameRecord>, String>;
    /// The games last played, newest first.
    fn list(&self, limit: usize) -> Result<Vec<GameLine>, String>;
    /// At most so many games whose ids come after this one. The order of the ids stays the same while games are played, so that no
    /// game is met twice and none is missed.
    fn page(&self, after: &str, limit: usize) -> Result<Page, String>;
}

/// Games for a spreadsheet, one row a move.
#[derive(Debug)]
pub(crate) struct Sheet(csv::Writer<Vec<u8>>);

const COLUMNS: [&str; 11] =
    ["game_id", "game", "first", "second", "seed", "result", "ply", "side", "by", "move", "milliseconds"];

impl Sheet {
    /// A sheet with the names of its columns.
    pub(crate) fn new() -> Result<Sheet, csv::Error> {
        let mut sheet = Sheet::more();
        sheet.0.write_record(COLUMNS)?;
        Ok(sheet)
    }

    /// Rows that go on with a sheet.
    pub(crate) fn more() -> Sheet {
        Sheet(csv::Writer::from_writer(Vec::new()))
    }

    pub(crate) fn add(&mut self, record: &GameRecord) -> Result<(), csv::Error> {
        let result = record.result.map_or(String::new(), |result| result.to_string());
        let [first, second] = record.seats.each_ref().map(|seat| plain(seat.name()));
        for (index, ply) in record.plies.iter().enumerate() {
            let side = ply.side.map_or(String::new(), |side| side.to_string());
            let by = match ply.by {
                PlayedBy::Human => "human",
                PlayedBy::Mind => "mind",
                PlayedBy::Chance => "chance",
            };
            self.0.write_record([
                &record.id,
                &*plain(&record.game),
                &first,
                &second,
                &record.seed.to_string(),
                &result,
                &(index + 1).to_string(),
                &side,
                by,
                &plain(&ply.label),
                &format!("{:.1}", ply.ms),
            ])?;
        }
        Ok(())
    }

    pub(crate) fn text(self) -> String {
        // The buffer is in memory, and what was written are strings.
        String::from_utf8(self.0.into_inner().unwrap_or_default()).unwrap_or_default()
    }
}

/// Never a formula to a spreadsheet.
fn plain(text: &str) -> Cow<'_, str> {
    match text.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r') => format!("'{text}").into(),
        _ => text.into(),
    }
}
