//! Files that are either the old ones or the new ones, never something between.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a whole file: to a temporary neighbour, synced, then renamed over the old one. A link is followed, the old file's permissions
/// stay, and what is no file (a device, a pipe) is refused: renaming over it would put a file in its place.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = if path.is_symlink() { fs::canonicalize(path)? } else { path.to_path_buf() };
    let path = target.as_path();
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let problem = format!("{} is not a regular file: name another", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    let temporary = neighbour(path, &format!(".{}.tmp", std::process::id()))?;
    let written = write_synced(&temporary, bytes)
        .and_then(|()| old.map_or(Ok(()), |old| fs::set_permissions(&temporary, old.permissions())))
        .and_then(|()| fs::rename(&temporary, path));
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

    #[cfg(unix)]
    #[test]
    fn devices_are_refused_links_followed_and_permissions_kept() {
        use std::os::unix::fs::PermissionsExt;
        assert!(write_atomic(Path::new("/dev/null"), b"x").is_err());
        assert!(!fs::metadata("/dev/null").unwrap().is_file(), "the device is still there");
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        write_atomic(&file, b"old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomic(&link, b"new").unwrap();
        assert!(link.is_symlink() && fs::read(&file).unwrap() == b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(write_atomic(folder.path(), b"x").is_err(), "a folder is no file");
    }

    #[test]
    fn a_missing_folder_is_an_error_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_atomic(&folder.path().join("no/such/file"), b"x").is_err());
        assert!(write_atomic(Path::new("/"), b"x").is_err());
    }
}
