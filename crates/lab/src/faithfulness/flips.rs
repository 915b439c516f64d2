//! The plainest measure: does the move change without the cited reasons, does it stay with them alone?

use ludens_arena::Share;
use ludens_core::{Combine, Move, MoveValue, Ranking, Reason, Rng};
use serde::{Deserialize, Serialize};

use super::key::{is_term, key};
use super::terms::TOLERANCE;

/// How often the choice changes or stays.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Flips {
    /// Without the cited reasons the choice is another.
    pub changes_without_cited: Share,
    /// Without as many reasons drawn from the uncited ones, for comparison.
    pub changes_without_others: Share,
    /// With each move's cited reasons alone the choice is the same.
    pub stays_with_cited_only: Share,
    /// Decisions that changed without the cited reasons and not without the others.
    pub only_without_cited: u64,
    /// Decisions that changed without the others and not without the cited reasons.
    pub only_without_others: u64,
}

/// What one decision did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Flip {
    pub changed: bool,
    pub changed_by_others: bool,
    pub stayed: bool,
}

impl Flips {
    pub(crate) fn of(all: &[Flip]) -> Flips {
        let count = |holds: &dyn Fn(&Flip) -> bool| all.iter().filter(|flip| holds(flip)).count() as u64;
        let share = |holds: &dyn Fn(&Flip) -> bool| Share::of(count(holds), all.len() as u64);
        Flips {
            changes_without_cited: share(&|flip| flip.changed),
            changes_without_others: share(&|flip| flip.changed_by_others),
            stays_with_cited_only: share(&|flip| flip.stayed),
            only_without_cited: count(&|flip| flip.changed && !flip.changed_by_others),
            only_without_others: count(&|flip| flip.changed_by_others && !flip.changed),
        }
    }
}

/// The reasons a person is shown: the strongest ones; for a chosen move those that speak for it.
pub(crate) fn cited_reasons(
    combine: Combine,
    candidate: &MoveValue,
    cited: usize,
    only_for: bool,
) -> Vec<&Reason> {
    let terms = || candidate.reasons.iter().filter(|reason| is_term(reason));
    let mut reasons: Vec<&Reason> =
        terms().filter(|reason| !only_for || reason.weight(combine) > 0.0).collect();
    if reasons.is_empty() {
        reasons = terms().collect();
    }
    reasons.sort_by(|a, b| b.weight(combine).abs().total_cmp(&a.weight(combine).abs()));
    reasons.truncate(cited);
    reasons
}

/// A decision whose reasons make up the values: these are reckoned again.
pub(crate) fn flip_of_sums(why: &Ranking, best: &MoveValue, cited: usize, rng: &mut Rng) -> Flip {
    let top = cited_reasons(why.combine, best, cited, true);
    let is_among = |list: &[&Reason], reason: &Reason| list.iter().any(|one| key(one) == key(reason));
    let mut others: Vec<&Reason> = best.reasons.iter().filter(|reason| !is_among(&top, reason)).collect();
    rng.shuffle(&mut others);
    others.truncate(top.len());
    let shown_alone = lead(why, best.mv, |candidate, reason| {
        is_among(&cited_reasons(why.combine, candidate, cited, false), reason)
    });
    // A move that is no longer strictly the best has lost its reason: a tie may go either way.
    Flip {
        changed: lead(why, best.mv, |_, reason| !is_among(&top, reason)) <= TOLERANCE,
        changed_by_others: lead(why, best.mv, |_, reason| !is_among(&others, reason)) <= TOLERANCE,
        stayed: shown_alone > TOLERANCE,
    }
}

/// How far the move stands above the best other one when only the reasons that `keep` allows count.
fn lead(why: &Ranking, chosen: Move, keep: impl Fn(&MoveValue, &Reason) -> bool) -> f64 {
    let value = |candidate: &MoveValue| -> f64 {
        let kept = candidate.reasons.iter().filter(|reason| keep(candidate, reason));
        kept.map(|reason| reason.weight(why.combine)).sum()
    };
    let (mut own, mut other) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for candidate in &why.moves {
        let best = if candidate.mv == chosen { &mut own } else { &mut other };
        *best = best.max(value(candidate));
    }
    own - other
}

#[cfg(test)]
mod tests {
    use super::super::terms::tests::example;
    use super::*;

    #[test]
    fn taking_the_cited_reason_away_changes_the_move() {
        for combine in [Combine::Sum, Combine::Product] {
            let why = example(combine);
            let flip = flip_of_sums(&why, &why.moves[0], 1, &mut Rng::new(1));
            assert_eq!(flip, Flip { changed: true, changed_by_others: false, stayed: true });
        }
    }

    #[test]
    fn flips_are_counted_apart() {
        let flip = |changed, changed_by_others| Flip { changed, changed_by_others, stayed: false };
        let flips = Flips::of(&[flip(true, false), flip(true, true), flip(false, true), flip(true, false)]);
        assert_eq!((flips.only_without_cited, flips.only_without_others), (2, 1));
        assert_eq!(flips.changes_without_cited.share, 0.75);
    }
}
