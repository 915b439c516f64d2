//! Ctrl-C. Every file is written whole or not at all, so leaving at once is safe; what is owed to the user is a word
//! on how to go on.

use std::process;
use std::sync::Mutex;

static ADVICE: Mutex<Option<String>> = Mutex::new(None);

/// Says good-bye on Ctrl-C and ends with the code shells expect.
pub fn install() {
    // Without a handler Ctrl-C still ends the program, only without the word.
    let _ = ctrlc::set_handler(|| {
        let advice = ADVICE.lock().ok().and_then(|advice| advice.clone());
        eprintln!("\nstopped{}", advice.map(|advice| format!("; {advice}")).unwrap_or_default());
        process::exit(130);
    });
}

/// What to tell the user if Ctrl-C comes from now on: how to resume, what was kept.
pub fn advise(advice: impl Into<String>) {
    if let Ok(mut current) = ADVICE.lock() {
        *current = Some(advice.into());
    }
}
