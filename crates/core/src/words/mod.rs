//! Reasons in the words of the board, for everyone. What is said is chosen from what is true of a move ([`claims`]) by what the ranking
//! bears out, and how it is said stands in one place ([`say`]).

mod claims;
mod say;

pub use claims::{Claim, Tactics};
pub use say::{Voice, sentence};

use crate::{Game, Move, Ranking};

/// Sentences for everyone are few: one that leads, and at most three more.
const MOST_SAID: usize = 4;

/// The claims of a move that the ranking itself bears out: whatever lacks one is worth less to this mind. What is true but made no
/// difference to it is no reason of its; what speaks against the move is said all the same.
pub fn borne_out<G: Game>(tactics: &Tactics<G>, ranking: &Ranking, mv: Move) -> Vec<Claim> {
    let Some(chosen) = ranking.get(mv) else { return Vec::new() };
    let same = |one: &Claim, other: &Claim| std::mem::discriminant(one) == std::mem::discriminant(other);
    let others: Vec<(f64, Vec<Claim>)> = ranking
        .moves
        .iter()
        .filter(|other| other.mv != mv)
        .map(|other| (other.value, tactics.claims(other.mv)))
        .collect();
    let made_a_difference = |claim: &Claim| {
        let mut without = others.iter().filter(|(_, claims)| !claims.iter().any(|other| same(other, claim)));
        let mut some = false;
        without.all(|(value, _)| {
            some = true;
            *value < chosen.value
        }) && some
    };
    let mut claims = tactics.claims(mv);
    claims.retain(|claim| claim.is_bad() || *claim == Claim::Forced || made_a_difference(claim));
    claims.truncate(MOST_SAID);
    claims
}
