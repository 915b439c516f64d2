//! Games in the run store: one table beside the runs, in the same SQLite file. The lab owns the tables.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};

use crate::gamelog::{GameLine, GameLog, GameRecord};

#[derive(Debug)]
pub(crate) struct SqliteLog {
    connection: Mutex<Connection>,
}

impl SqliteLog {
    /// Opens the store at `path`, making it where there is none.
    pub(crate) fn open(path: &Path) -> Result<SqliteLog, String> {
        let connection = ludens_lab::database::open(path).map_err(text)?;
        // A game is written after every move: the last one may be lost with the power, never the file.
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(text)?;
        Ok(SqliteLog { connection: Mutex::new(connection) })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl GameLog for SqliteLog {
    fn put(&self, record: GameRecord) -> Result<(), String> {
        let line = serde_json::to_string(&GameLine::from(&record)).map_err(text)?;
        let whole = serde_json::to_string(&record).map_err(text)?;
        let [first, second] = record.seats.each_ref().map(|seat| seat.name());
        let connection = self.lock();
        let mut insert = connection
            .prepare_cached("INSERT OR REPLACE INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
            .map_err(text)?;
        insert
            .execute(params![
                record.id,
                record.game,
                first,
                second,
                record.result,
                record.created,
                record.updated,
                line,
                whole
            ])
            .map_err(text)?;
        Ok(())
    }

    fn get(&self, id: &str) -> Result<Option<GameRecord>, String> {
        let found: Option<String> = self
            .lock()
            .query_row("SELECT record FROM games WHERE id = ?1", [id], |row| row.get(0))
            .optional()
            .map_err(text)?;
        found.map(|record| serde_json::from_str(&record).map_err(text)).transpose()
    }

    fn list(&self, limit: usize) -> Result<Vec<GameLine>, String> {
        let connection = self.lock();
        let mut select = connection
            .prepare_cached("SELECT line FROM games ORDER BY updated DESC, id LIMIT ?1")
            .map_err(text)?;
        let rows = select.query_map([limit as i64], |row| row.get::<_, String>(0)).map_err(text)?;
        // A line of another version is left out of the list; its game is still in the store.
        Ok(rows.flatten().filter_map(|line| serde_json::from_str(&line).ok()).collect())
    }
}
