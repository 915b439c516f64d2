//! The laws of every parser, each said once. A law is tried by libFuzzer (`fuzz/fuzz_targets`, one file a law) where a nightly
//! compiler is installed, and by `tests/fuzz.rs` of this crate on the stable one.

#![warn(missing_docs)]

mod files;
mod forged;
mod names;
mod positions;
mod records;
mod rules;
mod seeds;

/// Whether an input was taken by its parser; the error says which law it broke.
pub type Verdict = Result<bool, String>;

/// A law of one parser: whatever bytes come, they are refused with an error, or what was read has these properties.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// Also the name of its fuzz target.
    pub name: &'static str,
    /// What holds.
    pub says: &'static str,
    /// Of so many inputs over all laws it gets so many: the dear ones get fewer.
    pub weight: u32,
    /// Words that mean something to its parser.
    pub words: &'static [&'static str],
    /// Inputs it takes.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Tries one input. A panic breaks every law.
    pub check: fn(&[u8]) -> Verdict,
}

/// Every law.
pub const LAWS: &[Law] = &[
    positions::TIC_TAC_TOE,
    positions::CONNECT_FOUR,
    positions::REVERSI,
    positions::BACKGAMMON,
    positions::LINE,
    positions::RULES,
    positions::SOLVER,
    names::GAME,
    names::SPEC,
    names::MIND,
    names::LEARNER,
    rules::GDL,
    rules::MESSAGE,
    rules::REQUEST,
    files::MODEL,
    files::LABELS,
    files::RESULT,
    forged::LEARNT,
    records::ARENA,
    records::HUMANS,
];

/// The law of this name.
pub fn find(name: &str) -> Option<&'static Law> {
    LAWS.iter().find(|law| law.name == name)
}

/// For a fuzz target: panics when the law does not hold.
pub fn hold(name: &str, bytes: &[u8]) {
    let law = find(name).unwrap_or_else(|| panic!("there is no law {name}"));
    if let Err(broken) = (law.check)(bytes) {
        panic!("{name}: {broken}");
    }
}

/// Bytes as text; what is none becomes the sign for it, so that no input is wasted.
fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// An error of a law.
fn ensure(holds: bool, law: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(law.into()) }
}
