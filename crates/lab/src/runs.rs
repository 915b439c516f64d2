//! The store of runs: an SQLite file that needs no server.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use ludens_core::Measure;
use ludens_core::store::{MODEL_BYTES, read_bounded};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params,
};

use crate::{Home, LabError, database};

mod records;

pub(crate) use records::Adopted;
pub use records::{Artefact, Metric, NewRun, Run, RunStatus};

fn is_read_only(error: &LabError) -> bool {
    let LabError::Store { source, .. } = error else { return false };
    matches!(source.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
}

/// A database's file in the form that takes settings.
pub(crate) fn uri(path: &Path, settings: &str) -> String {
    let plain = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("file:{plain}?{settings}")
}

/// The opened store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

impl Store {
    /// Where nothing can be written (another machine's disk, a museum), what is there can still be read.
    pub fn open(home: &Home) -> Result<Store, LabError> {
        match Store::open_to_write(home) {
            Err(error) if is_read_only(&error) => Store::open_to_read(home).map_err(|_| error),
            opened => opened,
        }
    }

    fn open_to_read(home: &Home) -> Result<Store, LabError> {
        let path = home.database();
        // An "immutable" database needs no lock file beside it, which could not be made.
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(uri(&path, "immutable=1"), flags)
            .map_err(|source| LabError::store(&path, source))?;
        Ok(Store { connection, path })
    }

    fn open_to_write(home: &Home) -> Result<Store, LabError> {
        let path = home.database();
        Ok(Store { connection: database::open(&path)?, path })
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    fn error(&self) -> impl Fn(rusqlite::Error) -> LabError + '_ {
        |source| LabError::store(&self.path, source)
    }

    /// Registers a run; its folder is given by its number.
    pub fn begin(&self, home: &Home, run: &NewRun) -> Result<Run, LabError> {
        // All or nothing: a run without its folder could not be resumed.
        // Writing from its first word: two programs must not find the same number free.
        let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate);
        let transaction = transaction.map_err(self.error())?;
        // A store that was lost counts from one again: the folders of the runs it knew are not to be written over. An empty one is of a
        // process that was killed before it could enter its run.
        let holds =
            |folder: &Path| std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
        let folders = crate::check::numbered_folders(home);
        let taken = folders.iter().rev().find(|(_, folder)| holds(folder)).map_or(0, |(number, _)| *number);
        let last = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'runs'";
        let last: i64 = transaction.query_row(last, [], |row| row.get(0)).map_err(self.error())?;
        let id = taken.max(last) + 1;
        let folder = home.run_folder(id);
        std::fs::create_dir_all(&folder).map_err(LabError::file(&folder))?;
        let now = now();
        self.insert(Some(id), run, 0, RunStatus::Running, &folder, [&version(), &host()], [now, now])?;
        transaction.commit().map_err(self.error())?;
        self.run(id)
    }

    /// Enters a run that was found by its folder.
    pub(crate) fn adopt(&self, found: &Adopted) -> Result<(), LabError> {
        let Adopted { id, run, step, status, folder, started, changed } = found;
        self.insert(*id, run, *step, *status, folder, ["unknown", "unknown"], [*started, *changed])
    }

    #[expect(clippy::too_many_arguments, reason = "one for every group of columns")]
    fn insert(
        &self,
        id: Option<i64>,
        run: &NewRun,
        step: u64,
        status: RunStatus,
        folder: &Path,
        [version, host]: [&str; 2],
        [started, changed]: [i64; 2],
    ) -> Result<(), LabError> {
        self.connection
            .execute(
                "INSERT INTO runs (id, kind, name, game, parameters, seed, step, steps, status, version, host, started, changed,
                     folder)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
                params![
                    id,
                    run.kind,
                    run.name,
                    run.game,
                    run.parameters.to_string(),
                    // SQLite's integers are signed: a seed is kept as text.
                    run.seed.to_string(),
                    step as i64,
                    run.steps as i64,
                    status.name(),
                    version,
                    host,
                    started,
                    changed,
                    self.kept(folder)
                ],
            )
            .map_err(self.error())?;
        Ok(())
    }

    /// The folder of all runs, in which the database lies.
    fn root(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// A path as it is kept: what lies in the home is kept relative to it, so that the home can be moved.
    fn kept(&self, path: &Path) -> String {
        path.strip_prefix(self.root()).unwrap_or(path).to_string_lossy().into_owned()
    }

    /// Says where the files of a run are.
    pub fn set_folder(&self, id: i64, folder: &Path) -> Result<(), LabError> {
        self.connection
            .execute("UPDATE runs SET folder = ?2 WHERE id = ?1", params![id, self.kept(folder)])
            .map_err(self.error())?;
        Ok(())
    }

    /// Keeps the measures of the steps up to `step`, all or none of them.
    pub fn keep(
        &mut self,
        id: i64,
        step: u64,
        steps: u64,
        measures: &[(u64, Measure)],
    ) -> Result<(), LabError> {
        let path = self.path.clone();
        let store = |source| LabError::store(&path, source);
        let transaction = self.connection.transaction().map_err(store)?;
        {
            let mut insert = transaction
                .prepare_cached(
                    "INSERT OR REPLACE INTO metrics (run, step, name, value) VALUES (?1, ?2, ?3, ?4)",
                )
                .map_err(store)?;
            for (at, measure) in measures.iter().filter(|(_, measure)| measure.value.is_finite()) {
                insert.execute(params![id, *at as i64, measure.name, measure.value]).map_err(store)?;
            }
        }
        transaction
            .execute(
                "UPDATE runs SET step = ?2, steps = ?3, changed = ?4 WHERE id = ?1",
                params![id, step as i64, steps as i64, now()],
            )
            .map_err(store)?;
        transaction.commit().map_err(store)
    }

    /// How many units of a reproduction are done.
    pub fn keep_units(&self, id: i64, done: u64, total: u64) -> Result<(), LabError> {
        self.connection
            .execute(
                "UPDATE runs SET step = ?2, steps = ?3, changed = ?4 WHERE id = ?1",
                params![id, done as i64, total as i64, now()],
            )
            .map_err(self.error())?;
        Ok(())
    }

    /// Forgets what was measured after `step`: a resumed run measures it again.
    pub fn forget_after(&self, id: i64, step: u64) -> Result<(), LabError> {
        self.connection
            .execute("DELETE FROM metrics WHERE run = ?1 AND step > ?2", params![id, step as i64])
            .map_err(self.error())?;
        Ok(())
    }

    /// Says how a run stands, with a word about it.
    pub fn set_status(&self, id: i64, status: RunStatus, message: &str) -> Result<(), LabError> {
        self.connection
            .execute(
                "UPDATE runs SET status = ?2, message = ?3, changed = ?4 WHERE id = ?1",
                params![id, status.name(), message, now()],
            )
            .map_err(self.error())?;
        Ok(())
    }

    /// Registers a file of a run with its size and checksum.
    pub fn add_artefact(&self, id: i64, name: &str, path: &Path) -> Result<(), LabError> {
        let bytes = read_bounded(path, MODEL_BYTES).map_err(LabError::file(path))?;
        let checksum = format!("{:08x}", crc32fast::hash(&bytes));
        self.connection
            .execute(
                "INSERT OR REPLACE INTO artefacts (run, name, path, bytes, checksum) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![id, name, self.kept(path), bytes.len() as i64, checksum],
            )
            .map_err(self.error())?;
        Ok(())
    }

    /// All runs, the newest first.
    pub fn runs(&self) -> Result<Vec<Run>, LabError> {
        let mut statement =
            self.connection.prepare("SELECT * FROM runs ORDER BY id DESC").map_err(self.error())?;
        let rows = statement.query_map([], |row| read_run(self.root(), row)).map_err(self.error())?;
        rows.collect::<Result<_, _>>().map_err(self.error())
    }

    /// The run of this number.
    pub fn run(&self, id: i64) -> Result<Run, LabError> {
        self.connection
            .query_row("SELECT * FROM runs WHERE id = ?1", [id], |row| read_run(self.root(), row))
            .optional()
            .map_err(self.error())?
            .ok_or(LabError::UnknownRun { id })
    }

    /// The learning curve, step by step.
    pub fn metrics(&self, id: i64) -> Result<Vec<Metric>, LabError> {
        let mut statement = self
            .connection
            .prepare("SELECT step, name, value FROM metrics WHERE run = ?1 ORDER BY step, name")
            .map_err(self.error())?;
        let read = |row: &Row| {
            Ok(Metric { step: row.get::<_, i64>(0)? as u64, name: row.get(1)?, value: row.get(2)? })
        };
        let rows = statement.query_map([id], read).map_err(self.error())?;
        rows.collect::<Result<_, _>>().map_err(self.error())
    }

    /// The files of a run, by name.
    pub fn artefacts(&self, id: i64) -> Result<Vec<Artefact>, LabError> {
        let mut statement = self
            .connection
            .prepare("SELECT name, path, bytes, checksum FROM artefacts WHERE run = ?1 ORDER BY name")
            .map_err(self.error())?;
        let in_run = |path: &str| {
            let name = Path::new(path).file_name().unwrap_or_default();
            self.root().join("runs").join(id.to_string()).join(name)
        };
        let read = |row: &Row| {
            let path = row.get::<_, String>(1)?;
            Ok(Artefact {
                name: row.get(0)?,
                path: found(self.root(), &path, || in_run(&path)),
                bytes: row.get::<_, i64>(2)? as u64,
                checksum: row.get(3)?,
            })
        };
        let rows = statement.query_map([id], read).map_err(self.error())?;
        rows.collect::<Result<_, _>>().map_err(self.error())
    }
}

/// Where a kept path leads in this home. Stores of earlier versions have absolute ones; if the home was moved since, what is in it counts.
fn found(root: &Path, kept: &str, in_home: impl FnOnce() -> PathBuf) -> PathBuf {
    let path = root.join(kept);
    let moved = || Some(in_home()).filter(|other| !path.exists() && other.exists());
    moved().unwrap_or(path)
}

fn read_run(root: &Path, row: &Row) -> rusqlite::Result<Run> {
    let number = |name: &str| row.get::<_, i64>(name);
    let text = |name: &str| row.get::<_, String>(name);
    let id = number("id")?;
    let folder = found(root, &text("folder")?, || root.join("runs").join(id.to_string()));
    let mut status = RunStatus::from_name(&text("status")?);
    // A run whose process was killed still says "running": its lock tells the truth.
    if status == RunStatus::Running && !crate::train::is_locked(&folder) {
        status = RunStatus::Stopped;
    }
    Ok(Run {
        id,
        kind: text("kind")?,
        name: text("name")?,
        game: text("game")?,
        parameters: serde_json::from_str(&text("parameters")?).unwrap_or_default(),
        seed: text("seed")?.parse().unwrap_or_default(),
        step: number("step")? as u64,
        steps: number("steps")? as u64,
        status,
        message: text("message")?,
        version: text("version")?,
        host: text("host")?,
        started: utc(number("started")?),
        changed: utc(number("changed")?),
        folder,
    })
}

fn now() -> i64 {
    Timestamp::now().as_second()
}

/// Seconds since 1970 as a date people read.
fn utc(seconds: i64) -> String {
    Timestamp::from_second(seconds)
        .map_or_else(|_| "unknown".into(), |time| time.strftime("%Y-%m-%d %H:%M:%S").to_string())
}

/// The version of the code: the program's number and the checksum of the program itself.
pub fn version() -> String {
    use std::sync::OnceLock;
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION
        .get_or_init(|| {
            let program = std::env::current_exe().and_then(std::fs::read);
            let checksum = program.map(|bytes| format!(" ({:08x})", crc32fast::hash(&bytes)));
            format!("{}{}", env!("CARGO_PKG_VERSION"), checksum.unwrap_or_default())
        })
        .clone()
}

fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("COMPUTERNAME").ok()).or_else(|| std::env::var("HOSTNAME").ok());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let name = name.map_or("unknown".into(), |name| name.trim().to_string());
    format!("{name}, {} {}, {cores} cores", std::env::consts::OS, std::env::consts::ARCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_cannot_be_written_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(Some(&folder.path().join("100 % odd?#name"))).unwrap();
        drop(Store::open(&home).unwrap());
        let read = Store::open_to_read(&home).unwrap();
        assert_eq!(read.runs().unwrap().len(), 0);
        let error = read.connection.execute("DELETE FROM runs", []).unwrap_err();
        assert!(is_read_only(&LabError::Store { path: home.database(), source: error }));
    }

    #[test]
    fn dates_are_right() {
        assert_eq!(utc(0), "1970-01-01 00:00:00");
        assert_eq!(utc(951_782_399), "2000-02-28 23:59:59");
        assert_eq!(utc(951_868_800), "2000-03-01 00:00:00");
        assert_eq!(utc(1_798_761_599), "2026-12-31 23:59:59");
        assert_eq!(utc(i64::MAX), "unknown");
    }
}
