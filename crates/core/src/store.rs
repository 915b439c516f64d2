//! Files that are either the old ones or the new ones, never something between.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a whole file: to a temporary neighbour, synced, then renamed over the old one.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = neighbour(path, &format!(".{}.tmp", std::process::id()))?;
    let written = write_synced(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written?;
    sync_folder(path)
}

/// As [`write_atomic`], and what was there before stays readable as `NAME.previous`.
pub fn write_keeping_previous(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.exists() {
        let previous = previous_of(path)?;
        // A hard link first: at every moment a file stands under `path`.
        let _ = fs::remove_file(&previous);
        if fs::hard_link(path, &previous).is_err() {
            fs::copy(path, &previous)?;
        }
    }
    write_atomic(path, bytes)
}

/// Where [`write_keeping_previous`] leaves the file before.
pub fn previous_of(path: &Path) -> io::Result<PathBuf> {
    neighbour(path, ".previous")
}

fn neighbour(path: &Path, suffix: &str) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, format!("{} is not the name of a file", path.display()))
    })?;
    let mut name = name.to_os_string();
    name.push(suffix);
    Ok(path.with_file_name(name))
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // Some file systems refuse to sync a folder; the rename itself has happened by then.
    File::open(folder).and_then(|folder| folder.sync_all()).or(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_whole_files_and_keeps_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        write_keeping_previous(&path, b"one").unwrap();
        write_keeping_previous(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read(previous_of(&path).unwrap()).unwrap(), b"one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file stays");
    }

    #[test]
    fn a_missing_folder_is_an_error_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_atomic(&folder.path().join("no/such/file"), b"x").is_err());
        assert!(write_atomic(Path::new("/"), b"x").is_err());
    }
}
