//! The command line of Ludens as a library of one function: one module a command, one place where errors end.
//!
//! The program `ludens` is this function on the standard catalogue. A program of yours is the same three lines on a
//! catalogue with more in it, and has every command for your games, minds and papers:
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     ludens_cli::main(ludens_catalogue::Catalogue::standard())
//! }
//! ```

#![warn(missing_docs)]

mod bench;
mod commands;
mod draw;
mod input;
mod interrupt;
mod out;
mod pick;
mod rules_mind;
mod screen;
mod training;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use ludens_catalogue::House;
use ludens_core::shown::sentence;

use crate::commands::Command;
use crate::out::{Out, Stopped};

const EXAMPLES: &str = "\
Examples:
  ludens                                          serve the web app, and say where
  ludens play                                     choose a game and an opponent, and play here
  ludens play connect-four --against alphabeta:depth=6
  ludens moves reversi --json
  ludens arena random depth1 --game tic-tac-toe --games 1000
  ludens bench games";

/// Game players that learn the way people do, and can say why they moved.
#[derive(Parser, Debug)]
#[command(name = "ludens", version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// The whole program: reads the command line, runs the command on the games, minds and papers of `catalogue`, and returns
/// the code to exit with (0: done, 1: something went wrong, 2: a mistake in the command, 130: stopped by the user).
pub fn main(catalogue: impl Into<House>) -> ExitCode {
    ExitCode::from(run_from(catalogue, std::env::args_os()))
}

/// The same for a program that is not its own process's command line, such as the one in the Python package: `words` begin with the name of the
/// program.
pub fn run_from(
    catalogue: impl Into<House>,
    words: impl IntoIterator<Item = impl Into<std::ffi::OsString>>,
) -> u8 {
    let words: Vec<std::ffi::OsString> = words.into_iter().map(Into::into).collect();
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) => return misread(&error),
    };
    interrupt::install();
    interrupt::began_as(words);
    let house = catalogue.into();
    let mut out = Out::stdout();
    let command = cli.command.unwrap_or_else(Command::by_default);
    match command.run(&house, &mut out).and_then(|()| Ok(out.flush()?)) {
        Ok(()) => 0,
        Err(error) => report(&error),
    }
}

/// A command line that is none, or that asks for help.
fn misread(error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        // Help goes to whoever asked for it; one who has left does not mind.
        let _ = error.print();
        return 0;
    }
    // It repeats what was typed, or what a script put there.
    let text = error.render().to_string();
    let problem = text.strip_prefix("error:").unwrap_or(&text).trim();
    tell(wrong_value(error).as_deref().unwrap_or(problem));
    2
}

/// What a value must be, in a sentence, where a parser would say how it failed.
fn wrong_value(error: &clap::Error) -> Option<String> {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    use std::error::Error;
    let said = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let flag = said(ContextKind::InvalidArg)?.split(' ').next()?;
    let value = said(ContextKind::InvalidValue)?;
    let cause = error.source().filter(|_| error.kind() == ErrorKind::ValueValidation)?;
    let rule = if cause.is::<std::num::ParseIntError>() {
        "give a whole number, 0 or more".into()
    } else {
        cause.to_string()
    };
    Some(format!("{flag} cannot be {value:?}: {rule}"))
}

/// Says what is wrong.
fn tell(problem: &str) {
    let (red, plain) = (draw::ERROR.render(), draw::ERROR.render_reset());
    out::say(format_args!("{red}error:{plain} {}", sentence(problem)));
}

/// The one place where errors end: a reader that left is no error; everything else says what to do next.
fn report(error: &anyhow::Error) -> u8 {
    if out::is_closed_pipe(error) {
        return 0;
    }
    if let Some(stopped) = error.downcast_ref::<Stopped>() {
        // Whoever ended it knows, and it is no error.
        out::say(format_args!("{}", sentence(&stopped.to_string())));
        return interrupt::EXIT_CODE;
    }
    tell(&whole_story(error));
    if out::is_usage(error) { 2 } else { 1 }
}

/// The error and its causes, without what was said before: libraries often name their cause themselves.
fn whole_story(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |told, cause| match told {
        told if told.is_empty() => cause,
        told if told.contains(&cause) => told,
        told => format!("{told}: {cause}"),
    })
}

/// The parser, for completions and tests.
fn parser() -> clap::Command {
    Cli::command()
}
