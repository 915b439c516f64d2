//! The record file: one line with the tournament, then one line a pair, each behind its checksum.
//!
//! Lines are appended in the order of the units. A process killed in the middle of a line leaves a torn last
//! line; resuming cuts the file back to its last whole line and plays on, and the file ends with the same bytes.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ludens_core::store::{RECORD_BYTES, read_bounded};
use serde::de::DeserializeOwned;

use crate::{ArenaError, PairRecord, Tournament};

/// How many lines are written between two forced writes to the disk.
const SYNC_INTERVAL: u32 = 256;

/// A record that is being written.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
    unsynced: u32,
}

impl RecordFile {
    /// Begins a new record; an existing file is never overwritten.
    pub fn create(path: &Path, tournament: &Tournament) -> Result<RecordFile, ArenaError> {
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|source| {
            if source.kind() == std::io::ErrorKind::AlreadyExists {
                ArenaError::RecordExists { path: path.into() }
            } else {
                ArenaError::RecordFile { path: path.into(), source }
            }
        })?;
        let mut record = RecordFile { path: path.into(), file, unsynced: 0 };
        record.append(&serde_json::to_string(tournament).unwrap_or_default())?;
        record.sync()?;
        Ok(record)
    }

    /// Goes on with a record, and gives the pairs it already holds. A missing file is begun.
    pub fn resume(path: &Path, tournament: &Tournament) -> Result<(RecordFile, Vec<PairRecord>), ArenaError> {
        // A file cut within its first line holds nothing yet: begin it again.
        if !path.exists() || holds_no_whole_line(path)? {
            let _ = std::fs::remove_file(path);
            return Ok((RecordFile::create(path, tournament)?, Vec::new()));
        }
        let (found, pairs, whole) = read(path)?;
        if found != *tournament {
            let difference = difference(&found, tournament);
            return Err(ArenaError::OtherTournament { path: path.into(), difference });
        }
        let fail = |source| ArenaError::RecordFile { path: path.into(), source };
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(fail)?;
        file.set_len(whole).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        Ok((RecordFile { path: path.into(), file, unsynced: 0 }, pairs))
    }

    pub(crate) fn append_pair(&mut self, pair: &PairRecord) -> Result<(), ArenaError> {
        self.append(&serde_json::to_string(pair).unwrap_or_default())?;
        self.unsynced += 1;
        if self.unsynced >= SYNC_INTERVAL { self.sync() } else { Ok(()) }
    }

    fn append(&mut self, json: &str) -> Result<(), ArenaError> {
        let line = format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()));
        self.file.write_all(line.as_bytes()).map_err(|source| self.error(source))
    }

    pub(crate) fn sync(&mut self) -> Result<(), ArenaError> {
        self.unsynced = 0;
        self.file.sync_data().map_err(|source| self.error(source))
    }

    fn error(&self, source: std::io::Error) -> ArenaError {
        ArenaError::RecordFile { path: self.path.clone(), source }
    }
}

/// The tournament and all whole pairs of a record file.
pub fn read_record(path: &Path) -> Result<(Tournament, Vec<PairRecord>), ArenaError> {
    read(path).map(|(tournament, pairs, _)| (tournament, pairs))
}

fn holds_no_whole_line(path: &Path) -> Result<bool, ArenaError> {
    let bytes = read_bounded(path, RECORD_BYTES)
        .map_err(|source| ArenaError::RecordFile { path: path.into(), source })?;
    // Only a torn beginning of our own first line is thrown away, never somebody else's file.
    let ours = bytes.len() < 9 || bytes[..8].iter().all(u8::is_ascii_hexdigit) && bytes[8] == b' ';
    Ok(ours && !bytes.contains(&b'\n'))
}

/// Also gives the length up to the last whole line.
fn read(path: &Path) -> Result<(Tournament, Vec<PairRecord>, u64), ArenaError> {
    let fail = |source| ArenaError::RecordFile { path: path.into(), source };
    let bytes = read_bounded(path, RECORD_BYTES).map_err(fail)?;
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let header = lines.next().unwrap_or_default();
    let tournament: Tournament = checked(header).ok_or_else(|| ArenaError::NotARecord {
        path: path.into(),
        problem: "its first line is not a tournament".into(),
    })?;
    let mut whole = header.len() as u64;
    let mut pairs: Vec<PairRecord> = Vec::new();
    for line in lines {
        match checked::<PairRecord>(line) {
            Some(pair) if pair.unit == pairs.len() as u64 => pairs.push(pair),
            // What follows a damaged line is played again: it comes out the same.
            _ => break,
        }
        whole += line.len() as u64;
    }
    Ok((tournament, pairs, whole))
}

fn checked<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    let line = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (checksum, json) = line.split_once(' ')?;
    let checksum = u32::from_str_radix(checksum, 16).ok()?;
    if crc32fast::hash(json.as_bytes()) != checksum {
        return None;
    }
    serde_json::from_str(json).ok()
}

fn difference(found: &Tournament, wanted: &Tournament) -> String {
    let fields = |tournament: &Tournament| match serde_json::to_value(tournament) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => Default::default(),
    };
    let (found, wanted) = (fields(found), fields(wanted));
    let text = |value: Option<&serde_json::Value>| value.map_or("none".into(), ToString::to_string);
    let mut keys: Vec<&String> = found.keys().chain(wanted.keys()).collect();
    keys.sort();
    keys.dedup();
    let differing: Vec<String> = keys
        .into_iter()
        .filter(|key| found.get(*key) != wanted.get(*key))
        .map(|key| format!("{key}: {} there, {} now", text(found.get(key)), text(wanted.get(key))))
        .collect();
    differing.join("; ")
}
