//! Games in the run store: one table beside the runs, in the same SQLite file. The lab owns the tables.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension, params};

use crate::config::Quota;
use crate::gamelog::{GameLine, GameLog, GameRecord, Page};
use crate::quota::{FULL, Held, Kept, Stage, forgotten};

#[derive(Debug)]
pub(crate) struct SqliteLog {
    quota: Quota,
    store: Mutex<Store>,
}

#[derive(Debug)]
struct Store {
    connection: Connection,
    /// What it holds, counted along: asking would mean to read it all.
    held: Held,
    /// When everything was looked through and nothing could be forgotten.
    full: Option<Instant>,
}

/// Looking through a hundred thousand games takes a while; where they all go on, it is not done for every new one.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// What has to be known of every game to forget some.
const KEPT: &str = "
SELECT id, updated, octet_length(record), result IS NOT NULL,
    json_valid(line) AND json_extract(line, '$.moves') = 0 FROM games";

fn kept(row: &rusqlite::Row<'_>) -> rusqlite::Result<Kept> {
    let [finished, unmoved] = [3, 4].map(|column| row.get::<_, Option<bool>>(column));
    let stage = match (unmoved?, finished?) {
        (Some(true), _) => Stage::Unmoved,
        (_, Some(true)) => Stage::Finished,
        _ => Stage::Unfinished,
    };
    let bytes = row.get::<_, i64>(2)?.max(0) as u64;
    Ok(Kept { id: row.get(0)?, stage, updated: row.get(1)?, bytes })
}

impl SqliteLog {
    /// Opens the store at `path`, making it where there is none.
    pub(crate) fn open(path: &Path, quota: Quota) -> Result<SqliteLog, String> {
        let connection = ludens_lab::database::open(path).map_err(text)?;
        // A game is written after every move: the last one may be lost with the power, never the file.
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(text)?;
        let mut store = Store { connection, held: Held::default(), full: None };
        store.count()?;
        Ok(SqliteLog { quota, store: Mutex::new(store) })
    }

    fn lock(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    fn count(&mut self) -> Result<(), String> {
        let sum = "SELECT count(*), coalesce(sum(octet_length(record)), 0) FROM games";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
        let (games, bytes) = self.connection.query_row(sum, [], read).map_err(text)?;
        self.held = Held { games: games.max(0) as usize, bytes: bytes.max(0) as u64 };
        Ok(())
    }

    /// The size of a game as it is kept now.
    fn size(&self, id: &str) -> Result<Option<u64>, String> {
        let mut select = self
            .connection
            .prepare_cached("SELECT octet_length(record) FROM games WHERE id = ?1")
            .map_err(text)?;
        let size: Option<i64> = select.query_row([id], |row| row.get(0)).optional().map_err(text)?;
        Ok(size.map(|size| size.max(0) as u64))
    }

    fn insert(&self, record: &GameRecord, whole: &str) -> Result<(), String> {
        let line = serde_json::to_string(&GameLine::from(record)).map_err(text)?;
        let [first, second] = record.seats.each_ref().map(|seat| seat.name());
        let GameRecord { id, game, result, created, updated, .. } = record;
        let mut insert = self
            .connection
            .prepare_cached("INSERT OR REPLACE INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
            .map_err(text)?;
        let row = params![id, game, first, second, result, created, updated, line, whole];
        insert.execute(row).map(|_| ()).map_err(text)
    }

    /// Forgets what may be forgotten, all but the game `spared`, until there is room or nothing is left.
    fn make_room(&mut self, quota: Quota, spared: &str) -> Result<(), String> {
        // Another server may use the same store.
        self.count()?;
        let mut select = self.connection.prepare_cached(KEPT).map_err(text)?;
        let all = select.query_map([], kept).map_err(text)?.collect::<Result<Vec<_>, _>>().map_err(text)?;
        drop(select);
        let gone = forgotten(all, self.held, quota, spared);
        let all = self.connection.transaction().map_err(text)?;
        for game in &gone {
            all.execute("DELETE FROM games WHERE id = ?1", [&game.id]).map_err(text)?;
        }
        all.commit().map_err(text)?;
        self.held.games = self.held.games.saturating_sub(gone.len());
        let bytes: u64 = gone.iter().map(|game| game.bytes).sum();
        self.held.bytes = self.held.bytes.saturating_sub(bytes);
        Ok(())
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl GameLog for SqliteLog {
    fn put(&self, record: GameRecord) -> Result<(), String> {
        let whole = serde_json::to_string(&record).map_err(text)?;
        let mut store = self.lock();
        let before = store.size(&record.id)?;
        let games = store.held.games + usize::from(before.is_none());
        let bytes = (store.held.bytes + whole.len() as u64).saturating_sub(before.unwrap_or(0));
        let fits = self.quota.is_kept(Held { games, bytes });
        if record.result.is_some() {
            // One more that may be forgotten.
            store.full = None;
        }
        let looked = store.full.is_some_and(|at| at.elapsed() < LOOK_AGAIN);
        if !fits && looked && before.is_none() {
            return Err(FULL.into());
        }
        store.insert(&record, &whole)?;
        store.held = Held { games, bytes };
        if fits || looked {
            return Ok(());
        }
        store.make_room(self.quota.with_room(), &record.id)?;
        let full = !self.quota.is_kept(store.held);
        store.full = full.then(Instant::now);
        if full && before.is_none() {
            store.connection.execute("DELETE FROM games WHERE id = ?1", [&record.id]).map_err(text)?;
            store.count()?;
            return Err(FULL.into());
        }
        Ok(())
    }

    fn get(&self, id: &str) -> Result<Option<GameRecord>, String> {
        let found: Option<String> = self
            .lock()
            .connection
            .query_row("SELECT record FROM games WHERE id = ?1", [id], |row| row.get(0))
            .optional()
            .map_err(text)?;
        found.map(|record| serde_json::from_str(&record).map_err(text)).transpose()
    }

    fn list(&self, limit: usize) -> Result<Vec<GameLine>, String> {
        let store = self.lock();
        let mut select = store
            .connection
            .prepare_cached("SELECT line FROM games ORDER BY updated DESC, id LIMIT ?1")
            .map_err(text)?;
        let rows = select.query_map([limit as i64], |row| row.get::<_, String>(0)).map_err(text)?;
        // A line of another version is left out of the list; its game is still in the store.
        Ok(rows.flatten().filter_map(|line| serde_json::from_str(&line).ok()).collect())
    }

    fn page(&self, after: &str, limit: usize) -> Result<Page, String> {
        let store = self.lock();
        let mut select = store
            .connection
            .prepare_cached("SELECT id, record FROM games WHERE id > ?1 ORDER BY id LIMIT ?2")
            .map_err(text)?;
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
        let rows = select.query_map(params![after, limit as i64], read).map_err(text)?;
        let rows = rows.collect::<Result<Vec<_>, _>>().map_err(text)?;
        let next = rows.last().filter(|_| rows.len() == limit).map(|(id, _)| id.clone());
        // A record of another version is left out, as it is from the list.
        let games = rows.iter().filter_map(|(_, record)| serde_json::from_str(record).ok()).collect();
        Ok(Page { games, next })
    }
}
