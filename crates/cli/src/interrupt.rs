//! Ctrl-C, and the signals by which a system asks a program to end (SIGTERM, SIGHUP): all of them stop it in the same way. Every file is written whole or not at all, so leaving at once is safe; what is owed to the user is a word
//! on how to go on, and where a command can end early with a result, that result.

use std::ffi::OsString;
use std::process;
use std::sync::{Mutex, OnceLock};

use ludens_core::Stop;

static ADVICE: Mutex<Option<String>> = Mutex::new(None);
static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();
static STOP: Mutex<Option<Stop>> = Mutex::new(None);

/// The exit code shells expect after Ctrl-C.
pub const EXIT_CODE: u8 = 130;

/// Says good-bye on Ctrl-C and ends with the code shells expect.
pub fn install() {
    // Without a handler Ctrl-C still ends the program, only without the word.
    let _ = ctrlc::set_handler(|| {
        let stop = STOP.lock().ok().and_then(|stop| stop.clone());
        if let Some(stop) = stop
            && !stop.is_asked()
        {
            stop.ask();
            crate::out::say(format_args!("\nstopping after the work in hand; once more to leave at once"));
            return;
        }
        let advice = ADVICE.lock().ok().and_then(|advice| advice.clone());
        let advice = advice.map(|advice| format!("; {advice}")).unwrap_or_default();
        crate::out::say(format_args!("\nstopped{advice}"));
        process::exit(EXIT_CODE.into());
    });
}

/// What to tell the user if Ctrl-C comes from now on: how to resume, what was kept.
pub fn advise(advice: impl Into<String>) {
    if let Ok(mut current) = ADVICE.lock() {
        *current = Some(advice.into());
    }
}

/// From now on the first Ctrl-C only asks the one returned, for work that can end early by itself.
pub fn stop() -> Stop {
    let stop = Stop::new();
    if let Ok(mut current) = STOP.lock() {
        *current = Some(stop.clone());
    }
    stop
}

/// Remembers the command line, the name of the program first.
pub fn began_as(words: Vec<OsString>) {
    let _ = WORDS.set(words);
}

/// The command as people read it; arguments need not be text.
pub fn command() -> String {
    let words = WORDS.get().map_or(&[][..], |words| words.get(1..).unwrap_or_default());
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    format!("ludens {}", words.join(" "))
}
