//! Holding a game against facts that somebody else computed.

use crate::error::GdlError;
use crate::perft::{PerftLevel, perft};
use crate::playouts::{PlayoutOptions, Tally, random_playouts};
use crate::reasoner::Description;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A file of reference facts, as in `../shared/data/gdl/reference.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Reference {
    /// Where the facts come from.
    pub about: String,
    /// By the name of the game.
    pub games: BTreeMap<String, Facts>,
}

/// What is known about one game; empty where the other program did not finish.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// Their names, in order.
    pub roles: Option<Vec<String>>,
    /// How many legal moves each role has in the first state.
    pub initial_legal: BTreeMap<String, u64>,
    /// How many facts hold in the first state.
    pub initial_state_size: Option<usize>,
    /// Whether the first state is an end already.
    pub initial_terminal: Option<bool>,
    /// Counts of the game tree, one a depth.
    pub perft: Vec<PerftFacts>,
    /// Means over random games.
    pub playouts: Option<PlayoutFacts>,
}

/// The game tree at one depth, counted by another program.
#[derive(Clone, Debug, Deserialize)]
pub struct PerftFacts {
    /// The depth.
    pub depth: u32,
    /// Sequences of joint moves of this length.
    pub paths: u64,
    /// Different states they lead to.
    pub distinct_states: u64,
    /// Sequences that lead to an end.
    pub terminal_paths: u64,
    /// Different ends among the states.
    pub terminal_distinct: u64,
}

/// Random games of another program, summed up.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct PlayoutFacts {
    /// How many games.
    pub n: u64,
    /// The mean length of a game.
    pub mean_length: Option<f64>,
    /// The standard deviation of the length.
    pub sd_length: Option<f64>,
    /// The mean goal of each role.
    pub mean_goal: BTreeMap<String, f64>,
    /// The standard deviation of each role's goal.
    pub sd_goal: BTreeMap<String, f64>,
}

/// Everything in which a game differs from its facts; the playout means are compared with `playouts`
/// playouts of our own.
pub fn differences(game: &Description, facts: &Facts, playouts: u64) -> Result<Vec<String>, GdlError> {
    let mut out = Vec::new();
    let names = game.role_names();
    if let Some(roles) = facts.roles.as_ref().filter(|r| **r != names) {
        out.push(format!("roles {names:?}, not {roles:?}"));
    }
    let mut reasoner = game.reasoner()?;
    let mut legal = Vec::new();
    for (role, name) in names.iter().enumerate() {
        reasoner.legal(role, &mut legal)?;
        if let Some(&want) = facts.initial_legal.get(name).filter(|w| **w != legal.len() as u64) {
            out.push(format!("{name} has {} first moves, not {want}", legal.len()));
        }
    }
    let size = reasoner.facts(game.terms()).len();
    if let Some(want) = facts.initial_state_size.filter(|w| *w != size) {
        out.push(format!("{size} facts at first, not {want}"));
    }
    if facts.initial_terminal.is_some_and(|t| Ok(t) != reasoner.is_terminal()) {
        out.push("the first state is terminal in one and not in the other".into());
    }
    let depth = facts.perft.iter().map(|p| p.depth).max().unwrap_or(0);
    let levels = perft(&mut reasoner, depth, 50_000_000)?;
    for want in &facts.perft {
        let want = PerftLevel {
            depth: want.depth,
            paths: want.paths,
            distinct_states: want.distinct_states,
            terminal_paths: want.terminal_paths,
            terminal_distinct: want.terminal_distinct,
        };
        out.extend(
            levels
                .iter()
                .filter(|l| l.depth == want.depth && **l != want)
                .map(|l| format!("{l:?}, not {want:?}")),
        );
    }
    if let Some(p) = facts.playouts.as_ref().filter(|p| p.n > 0 && playouts > 0) {
        let options = PlayoutOptions { count: playouts, seed: 1, step_cap: 2000 };
        compare_playouts(&random_playouts(game, &options)?, p, &names, &mut out);
    }
    Ok(out)
}

/// Means must lie within 4 standard errors of the difference of the two samples.
fn compare_playouts(tally: &Tally, facts: &PlayoutFacts, names: &[String], out: &mut Vec<String>) {
    let mine = tally.finished.max(1) as f64;
    let mut compare = |what: &str, got: (f64, f64), mean: Option<f64>, sd: Option<f64>| {
        let (Some(mean), Some(sd)) = (mean, sd) else { return };
        let sd = sd.max(got.1);
        let tolerance = 4.0 * sd * (1.0 / facts.n as f64 + 1.0 / mine).sqrt() + 1e-3;
        if (got.0 - mean).abs() > tolerance {
            out.push(format!("mean {what} {:.3}, not {mean:.3} ± {tolerance:.3}", got.0));
        }
    };
    compare("length", tally.length(), facts.mean_length, facts.sd_length);
    for (role, name) in names.iter().enumerate() {
        let (mean, sd) = (facts.mean_goal.get(name).copied(), facts.sd_goal.get(name).copied());
        compare(&format!("goal of {name}"), tally.goal(role), mean, sd);
    }
    if tally.stuck > 0 {
        out.push(format!("{} playouts where a role had no move", tally.stuck));
    }
}
