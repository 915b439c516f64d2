//! What can go wrong with rules that come from outside, in words that say what to do next.

use ludens_core::{Stop, Stopped};
use serde::Serialize;

/// A place in the text of the rules; both numbers start at 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Every error of this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GdlError {
    /// The text cannot be read.
    #[error("{at}: {what}; correct it there")]
    Syntax {
        /// Where.
        at: Position,
        /// What is wrong there.
        what: String,
    },
    /// A rule is not allowed.
    #[error("{at}: {what}; correct the rule, or run `ludens gdl check` for the whole list")]
    Rule {
        /// Where it begins.
        at: Position,
        /// What is wrong with it.
        what: String,
    },
    /// Something every game needs is not there.
    #[error("the rules are not a complete game: {0}; add what is missing")]
    Incomplete(String),
    /// A limit was reached.
    #[error("the rules need more than {limit} {what}; simplify them{}", or_raise(knob))]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How much there may be.
        limit: u64,
        /// The field of [`Limits`] that says so, where one does.
        knob: &'static str,
    },
    /// The work with the rules was ended.
    #[error("the rules cannot be read here: {0}")]
    Stopped(#[from] Stopped),
    /// There is no network, as none was asked for.
    #[error("the rules were not asked to be grounded; the lifted evaluator plays them")]
    NotGrounded,
    /// A relation is defined by its own opposite.
    #[error("{atom} depends on its own negation; break the cycle so that the rules are stratified")]
    Unstratified {
        /// The atom in question.
        atom: String,
    },
    /// A role cannot go on.
    #[error("role {role} has no legal move in a state that is not terminal; add a `legal` rule")]
    NoMove {
        /// The name of the role.
        role: String,
    },
    /// A move the rules do not allow.
    #[error("{what} is not a legal move of role {role} here; ask for the legal moves first")]
    IllegalMove {
        /// The name of the role.
        role: String,
        /// The move.
        what: String,
    },
    /// The game is none that can be played here, and why.
    #[error("{0}")]
    Unsuitable(String),
}

/// What can be done about a limit; nothing where it is part of the program.
fn or_raise(knob: &str) -> String {
    if knob == FIXED { String::new() } else { format!(" or raise the limit `{knob}`") }
}

/// The name of a limit that cannot be raised.
pub const FIXED: &str = "";

/// Limits against hostile or hopeless rules. Work is counted, not timed, so that the same rules
/// always get the same answer; who waits for it may still end it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of rule text.
    pub text_bytes: usize,
    /// Nested brackets.
    pub depth: usize,
    /// Rules after normalisation.
    pub rules: usize,
    /// Conditions in one rule, those within `or` and `not` included.
    pub conditions: usize,
    /// Variables in one rule.
    pub variables: usize,
    /// Distinct ground terms.
    pub terms: usize,
    /// Nesting of a ground term.
    pub term_depth: u16,
    /// Bytes of a ground term when it is written out. Equal parts are kept once, so that a term that doubles ninety times takes no
    /// room until somebody wants to read it.
    pub term_bytes: u32,
    /// Literals in all ground rule instances together.
    pub ground_literals: usize,
    /// Candidate rows looked at while grounding.
    pub ground_work: u64,
    /// Candidate rows looked at for one state of the lifted evaluator.
    pub state_work: u64,
    /// Who may end the work, and what it may hold.
    pub stop: Stop,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            text_bytes: 4 << 20,
            depth: 200,
            rules: 100_000,
            conditions: 1000,
            variables: 128,
            terms: 8_000_000,
            term_depth: 100,
            term_bytes: 4096,
            ground_literals: 40_000_000,
            ground_work: 400_000_000,
            state_work: 400_000_000,
            stop: Stop::default(),
        }
    }
}
