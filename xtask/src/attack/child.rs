//! One run of the program, watched: how long, how much memory, how it ended, what it said.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::{MOST_KILOBYTES, Tally};
use crate::steps::root;

/// What is kept of what a program says; it may say much.
const MOST_SAID: u64 = 1 << 16;

/// A command of the program that is about to be run.
pub struct Run {
    program: PathBuf,
    words: Vec<OsString>,
    limit: Duration,
    folder: PathBuf,
}

/// How it ended.
pub struct End {
    /// None when it was ended from here.
    pub status: Option<ExitStatus>,
    pub said: String,
    pub complained: String,
    pub took: Duration,
    pub kilobytes: u64,
    shown: String,
    limit: Duration,
}

impl Run {
    pub fn new<W: AsRef<OsStr>>(program: &Path, words: &[W]) -> Run {
        let words = words.iter().map(|word| word.as_ref().to_os_string()).collect();
        // Nothing outside of this folder is the attack's to change: it is the place that relative names and a home nobody named mean.
        let folder = root().join("target/attack");
        Run { program: program.into(), words, limit: Duration::from_secs(10), folder }
    }

    #[must_use]
    pub fn arg(mut self, word: impl AsRef<OsStr>) -> Run {
        self.words.push(word.as_ref().to_os_string());
        self
    }

    #[must_use]
    pub fn home(self, home: &Path) -> Run {
        self.arg("--home").arg(home)
    }

    /// This program started by that one, which is given its name and its words.
    #[must_use]
    pub fn followed_by(self, inner: &Run) -> Run {
        inner.words.iter().fold(self.arg(&inner.program), Run::arg)
    }

    /// Started in this folder.
    #[must_use]
    pub fn inside(mut self, folder: &Path) -> Run {
        self.folder = folder.into();
        self
    }

    #[must_use]
    pub fn within(mut self, seconds: u64) -> Run {
        self.limit = Duration::from_secs(seconds);
        self
    }

    /// As a person would type it.
    pub fn shown(&self) -> String {
        let mut shown = String::from("ludens");
        for word in &self.words {
            let word = word.to_string_lossy();
            let short: String = word.chars().take(120).collect();
            let more = if short.len() < word.len() { "…" } else { "" };
            let quoted = short.is_empty() || short.contains([' ', '(', '\'', '"', '?', ';']);
            let _ = if quoted { write!(shown, " '{short}{more}'") } else { write!(shown, " {short}{more}") };
        }
        shown
    }

    pub fn spawn(&self) -> Result<Child, String> {
        Command::new(&self.program)
            .args(&self.words)
            .current_dir(&self.folder)
            .env("LUDENS_HOME", self.folder.join("unnamed-home"))
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", self.program.display()))
    }

    /// Runs it to its end, or ends it when it takes too long or too much.
    pub fn end(&self) -> Result<End, String> {
        let mut child = self.spawn()?;
        let began = Instant::now();
        let out = child.stdout.take().map(drain);
        let err = child.stderr.take().map(drain);
        let mut kilobytes = 0;
        let status = loop {
            kilobytes = kilobytes.max(peak_kilobytes(child.id()));
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                break Some(status);
            }
            if self.is_too_long(began.elapsed(), processor_seconds(child.id())) || kilobytes > MOST_KILOBYTES
            {
                let _ = child.kill().and_then(|()| child.wait());
                break None;
            }
            std::thread::sleep(Duration::from_millis(if began.elapsed().as_millis() < 50 { 1 } else { 5 }));
        };
        let took = began.elapsed();
        let join = |reader: Option<std::thread::JoinHandle<String>>| {
            reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
        };
        Ok(End {
            status,
            said: join(out),
            complained: join(err),
            took,
            kilobytes,
            shown: self.shown(),
            limit: self.limit,
        })
    }
}

impl Run {
    /// A machine that others use as well is no fault of the program: seconds count when it computes, or when it does nothing.
    fn is_too_long(&self, took: Duration, computed: f64) -> bool {
        let limit = self.limit.as_secs_f64();
        let took = took.as_secs_f64();
        computed > limit || (took > limit && computed < took / 20.0) || took > 8.0 * limit
    }
}

/// Seconds of a processor that a process has used, by the clock of the kernel (100 ticks a second on Linux).
pub fn processor_seconds(process: impl std::fmt::Display) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name of the program, in brackets, may hold anything.
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |field: usize| fields.get(field).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// Reads to the end, so that the program is never held up, and keeps the beginning.
fn drain(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        let _ = from.by_ref().take(MOST_SAID).read_to_end(&mut kept);
        let _ = std::io::copy(&mut from, &mut std::io::sink());
        String::from_utf8_lossy(&kept).into_owned()
    })
}

/// The most memory a process ever had; 0 where the system does not say or it is gone.
pub fn peak_kilobytes(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

impl End {
    pub fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// Whether a signal ended it, from wherever.
    pub fn killed(&self) -> bool {
        self.status.is_some_and(|status| status.signal() == Some(9))
    }

    /// The law for whatever is asked of the program: it does it, or says a sentence and gives a code; in time, in memory, and
    /// never by a panic or a signal.
    pub fn problem(&self) -> Option<String> {
        let told = || self.complained.lines().take(4).collect::<Vec<_>>().join(" | ");
        let Some(status) = self.status else {
            return Some(if self.kilobytes > MOST_KILOBYTES {
                format!("{} takes more than 1 GB after {:.1} s", self.shown, self.took.as_secs_f64())
            } else {
                format!(
                    "{} goes on for more than {} s (of a processor, or idle)",
                    self.shown,
                    self.limit.as_secs()
                )
            });
        };
        if self.kilobytes > MOST_KILOBYTES {
            return Some(format!("{} took {} MB", self.shown, self.kilobytes / 1024));
        }
        if let Some(signal) = status.signal() {
            return Some(format!("{} was ended by signal {signal}: {}", self.shown, told()));
        }
        if self.complained.contains("panicked at") || status.code() == Some(101) {
            return Some(format!("{} panicked: {}", self.shown, told()));
        }
        let spoke = self.complained.chars().filter(|c| c.is_alphabetic()).count() >= 10;
        if !status.success() && !spoke {
            return Some(format!("{} failed with {status} and without a sentence: {}", self.shown, told()));
        }
        None
    }

    /// Counts the run, and what is wrong with it.
    pub fn judge(&self, tally: &Tally) {
        tally.add(if self.success() { "done" } else { "refused" }, 1);
        tally.waited(self.took);
        tally.took_memory(self.kilobytes);
        if let Some(problem) = self.problem() {
            tally.fail(problem);
        }
    }
}
