//! Files that are either the old ones or the new ones, never something between, and reads that end.

use std::fs::{self, File};
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

/// What is read of a model or of labelled positions, at most.
pub const MODEL_BYTES: u64 = 512 << 20;
/// What is read of a tournament's record, at most.
pub const RECORD_BYTES: u64 = 1 << 30;
/// What is read of positions, people's moves, results and the like, at most.
pub const TEXT_BYTES: u64 = 256 << 20;
/// What is read of a file of settings, at most.
pub const SETTINGS_BYTES: u64 = 1 << 20;
/// What is read of one line, at most.
pub const LINE_BYTES: u64 = 64 << 10;

/// Opens what somebody named: a file, or a pipe that a shell made of a command (`<(…)`). A device may have no end and a named pipe no
/// writer, for which this would wait for ever: both are refused.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    let found = fs::metadata(path)?;
    let refuse = |what: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    if found.is_dir() {
        return refuse("it is a folder: name a file");
    }
    if !found.is_file() && !is_shell_pipe(path, &found) {
        return refuse("it is a pipe or a device, not a file: give a file, or - and a pipe where - is taken");
    }
    File::open(path)
}

/// Whether the path is an open pipe of this process: somebody has made it already, and nobody has to be waited for.
#[cfg(unix)]
fn is_shell_pipe(path: &Path, found: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let open = ["/dev/fd", "/proc/self/fd", "/dev/stdin"].iter().any(|folder| path.starts_with(folder));
    open && found.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_shell_pipe(_: &Path, _: &fs::Metadata) -> bool {
    false
}

/// Everything of a file that has at most `limit` bytes; a longer one is refused before it fills the memory.
pub fn read_bounded(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_rest(open_bounded(path, limit)?, limit)
}

/// As [`open_to_read`], unless the file is known to be longer than `limit`; what has no length is for its reader to bound.
pub fn open_bounded(path: &Path, limit: u64) -> io::Result<File> {
    let file = open_to_read(path)?;
    if file.metadata()?.len() > limit { Err(too_long(limit)) } else { Ok(file) }
}

/// As [`read_bounded`], for text.
pub fn read_text_bounded(path: &Path, limit: u64) -> io::Result<String> {
    let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text");
    String::from_utf8(read_bounded(path, limit)?).map_err(no_text)
}

/// What is left of a reader, if that is at most `limit` bytes.
pub fn read_rest(reader: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_long(limit)) } else { Ok(bytes) }
}

/// The next line without its end, none after the last; a line of more than [`LINE_BYTES`] is refused: it may have no end.
pub fn read_line_bounded(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    reader.take(LINE_BYTES + 1).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() as u64 > LINE_BYTES {
        let problem = format!("a line has more than {LINE_BYTES} bytes: end it earlier");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "a line is not UTF-8 text");
    let mut line = String::from_utf8(line).map_err(no_text)?;
    line.truncate(line.trim_end_matches(['\n', '\r']).len());
    Ok(Some(line))
}

fn too_long(limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {limit} bytes, which is the limit"))
}

/// Folders whose files need not outlive a loss of power.
static PASSING: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// While it lives, nothing under its folder waits for the disk: the folder is taken away once what it holds was read. Files are whole there all the same.
#[derive(Debug)]
pub struct Passing(PathBuf);

impl Passing {
    /// Takes a folder for one that passes.
    pub fn folder(path: &Path) -> Passing {
        PASSING.write().unwrap_or_else(PoisonError::into_inner).push(path.into());
        Passing(path.into())
    }

    fn has(path: &Path) -> bool {
        PASSING.read().unwrap_or_else(PoisonError::into_inner).iter().any(|folder| path.starts_with(folder))
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        let mut all = PASSING.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = all.iter().position(|folder| *folder == self.0) {
            all.swap_remove(place);
        }
    }
}

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

/// As [`write_atomic`], and what was there before stays readable as `NAME.previous`. At every moment a file stands under both names.
pub fn write_keeping_previous(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.exists() {
        let previous = previous_of(path)?;
        let temporary = neighbour(&previous, &format!(".{}.tmp", std::process::id()))?;
        // One that a killed process of our number left.
        let _ = fs::remove_file(&temporary);
        let kept = fs::hard_link(path, &temporary)
            .or_else(|_| copy_synced(path, &temporary))
            .and_then(|()| fs::rename(&temporary, &previous));
        // Renaming a file over another link to itself leaves both.
        let _ = fs::remove_file(&temporary);
        kept?;
    }
    write_atomic(path, bytes)
}

/// For file systems without hard links.
fn copy_synced(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    File::open(to)?.sync_all()
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
    if Passing::has(path) { Ok(()) } else { file.sync_all() }
}

fn sync_folder(path: &Path) -> io::Result<()> {
    if Passing::has(path) {
        return Ok(());
    }
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

    /// The one before is replaced, never taken away first: whatever fails, it stays.
    #[test]
    fn the_one_before_stays_until_its_successor_is_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        let previous = previous_of(&path).unwrap();
        fs::write(&previous, b"one").unwrap();
        // A folder can be neither linked nor copied.
        fs::create_dir(&path).unwrap();
        assert!(write_keeping_previous(&path, b"two").is_err());
        assert_eq!(fs::read(&previous).unwrap(), b"one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file stays");
        // Killed after linking: both names are one file, and the next write still leaves no temporary.
        fs::remove_dir(&path).unwrap();
        fs::hard_link(&previous, &path).unwrap();
        write_keeping_previous(&path, b"two").unwrap();
        assert_eq!((fs::read(&path).unwrap(), fs::read(&previous).unwrap()), (b"two".into(), b"one".into()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file stays");
    }

    #[test]
    fn a_folder_that_passes_holds_whole_files() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = folder.path().join("file");
        let passing = [Passing::folder(folder.path()), Passing::folder(folder.path())];
        write_atomic(&path, b"one").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
        assert!(Passing::has(&path) && !Passing::has(&other.path().join("file")));
        let [first, second] = passing;
        drop(first);
        assert!(Passing::has(&path), "two may have taken it");
        drop(second);
        assert!(!Passing::has(&path));
    }

    #[test]
    fn reads_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"12345").unwrap();
        assert_eq!(read_bounded(&path, 5).unwrap(), b"12345");
        assert_eq!(read_bounded(&path, 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read_rest(io::repeat(0), 1000).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert!(read_bounded(folder.path(), 5).unwrap_err().to_string().contains("folder"));
        fs::write(&path, b"\xff").unwrap();
        assert!(read_text_bounded(&path, 5).unwrap_err().to_string().contains("UTF-8"));
        let mut lines = io::Cursor::new(b"one\r\n\ntwo".to_vec());
        let mut next = || read_line_bounded(&mut lines).unwrap();
        assert_eq!(
            [next(), next(), next(), next()],
            [Some("one".into()), Some("".into()), Some("two".into()), None]
        );
        let endless = &mut io::BufReader::new(io::repeat(b'4'));
        assert_eq!(read_line_bounded(endless).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_named_pipes_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [Path::new("/dev/zero"), &pipe] {
            assert_eq!(read_bounded(path, 5).unwrap_err().kind(), io::ErrorKind::InvalidInput, "{path:?}");
        }
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
