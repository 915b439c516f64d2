//! The one owner of the tables in `runs.sqlite`: runs with their curves, and the games played in the page.
//!
//! SQLite keeps the number of migrations done in `user_version`; opening does the missing ones. A migration that has
//! been released is never changed: what is new gets one of its own at the end.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use rusqlite_migration::{Error, M, MigrationDefinitionError, Migrations};

use crate::LabError;

const RUNS: &str = "
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    game TEXT NOT NULL,
    parameters TEXT NOT NULL,
    seed TEXT NOT NULL,
    step INTEGER NOT NULL DEFAULT 0,
    steps INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL,
    message TEXT NOT NULL DEFAULT '',
    version TEXT NOT NULL,
    host TEXT NOT NULL,
    started INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    folder TEXT NOT NULL DEFAULT ''
);
CREATE TABLE metrics (
    run INTEGER NOT NULL REFERENCES runs(id),
    step INTEGER NOT NULL,
    name TEXT NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (run, name, step)
) WITHOUT ROWID;
CREATE TABLE artefacts (
    run INTEGER NOT NULL REFERENCES runs(id),
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    checksum TEXT NOT NULL,
    PRIMARY KEY (run, name)
) WITHOUT ROWID;
";

/// The page's server used to make this table on its own, with no number: it may be there already.
const GAMES: &str = "
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    result REAL,
    created REAL NOT NULL,
    updated REAL NOT NULL,
    line TEXT NOT NULL,
    record TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS games_by_time ON games (updated);
";

const STEPS: &[M<'static>] = &[M::up(RUNS), M::up(GAMES)];
const MIGRATIONS: Migrations<'static> = Migrations::from_slice(STEPS);

/// How long another program may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Opens the file to write, making it where there is none and bringing its tables up to date.
pub fn open(path: &Path) -> Result<Connection, LabError> {
    let began = Instant::now();
    loop {
        match prepare(path) {
            // SQLite's own patience does not cover the change of a new file to WAL: it gives up at once.
            Err(LabError::Store { source, .. })
                if source.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && began.elapsed() < PATIENCE =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            prepared => return prepared,
        }
    }
}

fn prepare(path: &Path) -> Result<Connection, LabError> {
    let store = |source| LabError::store(path, source);
    let mut connection = Connection::open(path).map_err(store)?;
    connection.busy_timeout(PATIENCE).map_err(store)?;
    connection.pragma_update(None, "journal_mode", "WAL").map_err(store)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(store)?;
    // One that begins by reading could not become a writer behind another's back; this one waits at the door.
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    // Two programs may open a new home at once. The later one finds its migration done by the other: it looks again.
    let updated = MIGRATIONS.to_latest(&mut connection).or_else(|_| MIGRATIONS.to_latest(&mut connection));
    match updated {
        Ok(()) => Ok(connection),
        Err(Error::MigrationDefinition(MigrationDefinitionError::DatabaseTooFarAhead)) => {
            Err(LabError::NewerStore { path: path.into() })
        }
        Err(Error::RusqliteError { err, .. }) => Err(store(err)),
        Err(error) => {
            Err(LabError::Other(format!("cannot use the store of runs {}: {error}", path.display())))
        }
    }
}

/// What is wrong with the file itself; none where it can be used, or is not there. Nothing is changed.
pub fn damage(path: &Path) -> Result<Option<String>, LabError> {
    if !path.exists() {
        return Ok(None);
    }
    match look_over(path) {
        Ok(problem) => Ok(problem),
        Err(source) => match LabError::store(path, source) {
            LabError::DamagedStore { source, .. } => Ok(Some(source.to_string())),
            other => Err(other),
        },
    }
}

fn look_over(path: &Path) -> rusqlite::Result<Option<String>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    let sound: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if sound != "ok" {
        return Ok(Some(sound));
    }
    // An empty file is a store without migrations: it gets them when it is opened.
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let tables = ["runs", "metrics", "artefacts"];
    let lacks = |table: &&str| connection.prepare(&format!("SELECT * FROM {table}")).is_err();
    let missing = tables.iter().find(|table| version > 0 && lacks(table));
    Ok(missing.map(|table| format!("it has no table {table}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Home;
    use crate::runs::Store;

    fn version(connection: &Connection) -> i64 {
        connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
    }

    fn games(connection: &Connection) -> i64 {
        connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn the_migrations_are_sound() {
        MIGRATIONS.validate().unwrap();
    }

    /// What Ludens 0.1 left behind, with and without games, and games before any run.
    #[test]
    fn stores_of_the_first_version_are_brought_up_to_date() {
        let run = "INSERT INTO runs (kind, name, game, parameters, seed, status, version, host, started, changed)
            VALUES ('train', 'actr', 'backgammon', '{}', '18446744073709551615', 'finished', '0.1.0', 'here', 0, 951782399);
            INSERT INTO metrics VALUES (1, 5, 'won', 0.25);
            PRAGMA user_version = 1;";
        let game = "INSERT INTO games VALUES ('g1', 'reversi', 'a', 'b', 1.0, 1.0, 2.0, '{}', '{}');";
        let old: [(&[&str], usize, i64); 3] =
            [(&[RUNS, run], 1, 0), (&[RUNS, run, GAMES, game], 1, 1), (&[GAMES, game], 0, 1)];
        for (statements, runs, kept) in old {
            let folder = tempfile::tempdir().unwrap();
            let home = Home::open(Some(folder.path())).unwrap();
            let before = Connection::open(home.database()).unwrap();
            before.pragma_update(None, "journal_mode", "WAL").unwrap();
            before.execute_batch(&statements.concat()).unwrap();
            drop(before);

            let store = Store::open(&home).unwrap();
            assert_eq!(store.runs().unwrap().len(), runs);
            if runs == 1 {
                let run = store.run(1).unwrap();
                assert_eq!((run.seed, run.changed.as_str()), (u64::MAX, "2000-02-28 23:59:59"));
                assert_eq!(store.metrics(1).unwrap()[0].value, 0.25);
            }
            let now = open(&home.database()).unwrap();
            assert_eq!((games(&now), version(&now)), (kept, 2));
        }
    }

    #[test]
    fn a_store_of_a_newer_ludens_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.sqlite");
        Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
        assert!(matches!(open(&path), Err(LabError::NewerStore { .. })));
        assert_eq!(version(&Connection::open(&path).unwrap()), 99);
    }

    #[test]
    fn many_may_open_a_new_home_at_once() {
        for _ in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("runs.sqlite");
            std::thread::scope(|scope| {
                let opened: Vec<_> = (0..6).map(|_| scope.spawn(|| open(&path).map(|c| games(&c)))).collect();
                for one in opened {
                    assert_eq!(one.join().unwrap().unwrap(), 0);
                }
            });
        }
    }
}
