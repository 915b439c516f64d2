//! Where a command writes. Everything goes through here, so that a closed pipe is an ordinary end, colours
//! vanish when nobody would see them, and nothing from outside steers the terminal.

use std::io::{self, BufWriter, Write};

use ludens_arena::ArenaError;
use ludens_core::{IllegalMove, MindError, OpenError, PositionError, TableError};
use ludens_lab::LabError;
use serde::Serialize;

use crate::screen::{self, Screen};

pub struct Out {
    screen: Screen<BufWriter<Box<dyn Write>>>,
}

impl std::fmt::Debug for Out {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Out")
    }
}

impl Out {
    pub fn stdout() -> Out {
        Out { screen: Screen::new(BufWriter::new(Box::new(anstream::stdout()))) }
    }

    /// One JSON document, indented, with a line end.
    pub fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        Ok(writeln!(self, "{}", screen::json(&serde_json::to_string_pretty(value)?))?)
    }

    /// One JSON document in one line.
    pub fn json_line(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        Ok(writeln!(self, "{}", screen::json(&serde_json::to_string(value)?))?)
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.screen.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.screen.flush()
    }
}

/// A mistake in what the user gave, as opposed to something that went wrong.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// The user ended it: no error, but not the whole result either.
#[derive(Debug, thiserror::Error)]
#[error("stopped: {0}")]
pub struct Stopped(pub String);

/// True for errors that come from what the user asked for: exit code 2, as for unknown flags.
pub fn is_usage(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<Usage>()
            || cause.is::<OpenError>()
            || cause.is::<PositionError>()
            || cause.is::<IllegalMove>()
            || is_wrong_mind(cause)
            || is_wrong_tournament(cause)
            || is_wrong_request(cause)
    })
}

/// A name, a setting or a move that a better command would mend; a mind that gave up is none of them.
fn is_wrong_mind(cause: &(dyn std::error::Error + 'static)) -> bool {
    if let Some(error) = cause.downcast_ref::<MindError>() {
        return !gave_up(error);
    }
    match cause.downcast_ref::<TableError>() {
        Some(TableError::Mind(error)) => !gave_up(error),
        other => other.is_some(),
    }
}

fn gave_up(error: &MindError) -> bool {
    matches!(error, MindError::Stuck { .. } | MindError::NoMove)
}

/// Of the arena's errors those that a better command would mend.
fn is_wrong_tournament(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<ArenaError>().is_some_and(|error| {
        !matches!(
            error,
            ArenaError::IllegalChoice { .. }
                | ArenaError::Failed { .. }
                | ArenaError::RecordFile { .. }
                | ArenaError::Threads(_)
        )
    })
}

/// Of the lab's errors those that a better command would mend.
fn is_wrong_request(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<LabError>().is_some_and(|error| match error {
        LabError::UnknownRun { .. }
        | LabError::HomeName { .. }
        | LabError::UnknownPaper { .. }
        | LabError::OtherPlan { .. }
        | LabError::Game(_) => true,
        LabError::Mind(error) | LabError::Table(TableError::Mind(error)) => !gave_up(error),
        LabError::Table(_) => true,
        _ => false,
    })
}

/// True when the reader of our output has gone (`ludens games | head -1`).
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_broken = |cause: &(dyn std::error::Error + 'static)| {
        if let Some(error) = cause.downcast_ref::<io::Error>() {
            return error.kind() == io::ErrorKind::BrokenPipe;
        }
        cause
            .downcast_ref::<serde_json::Error>()
            .is_some_and(|error| error.io_error_kind() == Some(io::ErrorKind::BrokenPipe))
    };
    error.chain().any(is_broken)
}

/// A line on the standard error, written in one piece. `eprintln!` panics where that cannot be written: on a full disk the error would be
/// lost behind a panic. One more try, for a disk that has room again.
pub fn say(line: std::fmt::Arguments) {
    let text = format!("{line}\n");
    let write = || anstream::stderr().write_all(text.as_bytes());
    let _ = write().or_else(|_| write());
}
