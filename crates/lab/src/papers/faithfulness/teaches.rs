//! What the tables teach, in five sentences. Every word that depends on the outcome is reckoned from it.

use super::tables::{Families, label};
use crate::Claim;
use crate::faithfulness::Faithfulness;

/// One sentence a measure; none where it was not measured.
pub fn sentences(minds: &[Faithfulness], families: &Families) -> Vec<String> {
    let found = [
        family(
            &families.comprehensive,
            "lose more without the terms they cite first than without drawn ones",
            |value| format!("{} of the preference", signed(value, 2)),
        ),
        family(
            &families.sufficient,
            "lose less with the terms they cite first alone than with drawn ones alone",
            |value| format!("{} of the preference", signed(value, 2)),
        ),
        shapley(minds),
        students(families),
        retraining(&families.retrained),
    ];
    found.into_iter().flatten().collect()
}

/// With its sign, and a minus of its own width.
fn signed(value: f64, decimals: usize) -> String {
    format!("{value:+.decimals$}").replace('-', "−")
}

fn points(one: &(String, Claim)) -> String {
    format!("{} ({} points)", one.0, signed(100.0 * one.1.test.difference, 1))
}

fn extremes<T>(all: &[T], value: impl Fn(&T) -> f64) -> Option<(&T, &T)> {
    let most = all.iter().max_by(|a, b| value(a).total_cmp(&value(b)))?;
    let least = all.iter().min_by(|a, b| value(a).total_cmp(&value(b)))?;
    Some((most, least))
}

fn family(claims: &[(String, Claim)], what: &str, show: impl Fn(f64) -> String) -> Option<String> {
    let (most, least) = extremes(claims, |(_, claim)| claim.test.difference)?;
    let holds = claims.iter().filter(|(_, claim)| claim.holds).count();
    let of = |one: &(String, Claim)| format!("{} ({})", one.0, show(one.1.test.difference));
    Some(format!(
        "{holds} of {} minds {what}, after Holm's correction; the difference is largest for {} and smallest for {}.",
        claims.len(),
        of(most),
        of(least)
    ))
}

fn shapley(minds: &[Faithfulness]) -> Option<String> {
    let judged: Vec<&Faithfulness> = minds.iter().filter(|found| found.judged > 0).collect();
    let ranked: Vec<&&Faithfulness> =
        judged.iter().filter(|found| found.rank_correlation.decisions > 0).collect();
    let (most, least) = extremes(&ranked, |found| found.rank_correlation.mean)?;
    let behind = judged.iter().filter(|found| found.comprehensiveness.over_shapley.is_below_zero()).count();
    let of = |found: &Faithfulness| format!("{} ({})", label(found), signed(found.rank_correlation.mean, 2));
    Some(format!(
        "In {behind} of {} minds the order of the Shapley values finds terms that carry more than those cited first; the mind's own order is most like it \
         for {} and least for {}, by rank correlation.",
        judged.len(),
        of(most),
        of(least)
    ))
}

fn students(families: &Families) -> Option<String> {
    let (position, counts) = (&families.over_position, &families.over_counts);
    let (most, least) = extremes(position, |(_, claim)| claim.test.difference)?;
    let better = position.iter().filter(|(_, claim)| claim.holds).count();
    let worse = position.iter().filter(|(_, claim)| claim.corrected_p < 0.05 && claim.test.difference < 0.0);
    let told = counts.iter().filter(|(_, claim)| claim.holds).count();
    Some(format!(
        "A student foresees the next moves better by the reasons than by the positions for {better} of {} minds and worse for {}, from {} down to {}; better than \
         by the mere number of reasons for {told}.",
        position.len(),
        worse.count(),
        points(most),
        points(least)
    ))
}

fn retraining(claims: &[(String, Claim)]) -> Option<String> {
    let (most, least) = extremes(claims, |(_, claim)| claim.test.difference)?;
    let holds = claims.iter().filter(|(_, claim)| claim.holds).count();
    Some(format!(
        "Trained again from the start, learners score less without the inputs cited most than without drawn ones in {holds} of {} comparisons, after Holm's \
         correction; the difference is largest for {} and smallest for {}.",
        claims.len(),
        points(most),
        points(least)
    ))
}
