//! What a client may name: short words of the lists with their settings, never a file, a program or an address. Every name of a
//! mind or a learner that comes from outside passes [`check`] before anything is made of it.

use ludens_core::MindError;

use crate::error::{ApiError, ApiResult};

/// A setting that would make a mind read a file, start a program or open a connection is not for clients.
const PRIVATE_SETTINGS: &[&str] = &[
    "path", "file", "model", "data", "labels", "command", "program", "host", "port", "address", "socket",
    "book",
];

/// Fails unless `text` may name a mind or a learner here.
pub(crate) fn check(text: &str) -> ApiResult<()> {
    if !is_name(text) {
        return Err(ApiError::bad(
            "this cannot be the name of a mind or a learner; the catalogue lists them",
        ));
    }
    Ok(without_private(text)?)
}

/// Short, and without anything a path needs.
fn is_name(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.:,=+@".contains(c);
    !text.is_empty() && text.len() <= 160 && text.chars().all(allowed) && !text.contains("..")
}

fn without_private(text: &str) -> Result<(), MindError> {
    let settings = text.split_once(':').map_or("", |(_, settings)| settings);
    let mut pairs =
        settings.split(',').map(|setting| setting.split_once('=').unwrap_or(("variant", setting)));
    match pairs.find(|(key, value)| PRIVATE_SETTINGS.contains(&key.trim()) || names_a_file(value)) {
        Some((key, _)) => {
            Err(MindError::Other(format!("{key} cannot be set so from here; use the command line")))
        }
        None => Ok(()),
    }
}

/// Whether `text` is a word, and can be neither a file nor a text.
pub(crate) fn is_plain(text: &str) -> bool {
    is_name(text) && !names_a_file(text)
}

/// A path, or a name with an extension: settings such as `heuristic` and `from`, and names of games, can be files on the command
/// line.
fn names_a_file(value: &str) -> bool {
    let extension = value.rsplit_once('.').map_or("", |(_, extension)| extension);
    value.contains(['/', '\\']) || extension.contains(|letter: char| letter.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_name_no_files() {
        for wrong in [
            "alphabeta:heuristic=x.safetensors",
            "alphabeta:depth=2,heuristic=/etc/passwd",
            "concepts:from=rules.kif",
            "concepts:from=..\\rules",
            "solver:book=1",
            "zoo:../x",
            "zoo:variant=x.safetensors",
            "anybody: path=x",
        ] {
            assert!(without_private(wrong).is_err(), "{wrong}");
            assert!(check(wrong).is_err(), "{wrong}");
        }
        for right in ["alphabeta", "uct:states=100,c=0.5", "zoo:actr-backgammon,level=2", "nhb:ridge=1e-3"] {
            assert!(check(right).is_ok(), "{right}");
        }
    }

    #[test]
    fn names_are_short_words() {
        for wrong in ["", "a b", "../x", "/etc/passwd", "💥", "random\0", &"a".repeat(161)] {
            assert!(!is_name(wrong), "{wrong:?}");
        }
        for right in ["random", "run-3@500", "zoo:actr-backgammon,level=2"] {
            assert!(is_name(right), "{right}");
        }
        for wrong in ["rules.kif", "x\n(role a)", "a/b", "connect four"] {
            assert!(!is_plain(wrong), "{wrong:?}");
        }
        assert!(is_plain("line-5x5x4"));
    }
}
