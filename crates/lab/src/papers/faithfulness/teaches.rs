//! What the tables teach, in five sentences. Every word that depends on the outcome is reckoned from it.

use super::tables::{Families, label};
use crate::Claim;
use crate::faithfulness::Faithfulness;

/// One sentence a measure; none where it was not measured.
pub fn sentences(minds: &[Faithfulness], families: &Families) -> Vec<String> {
    let found = [
        comprehensiveness(families),
        family(
            &families.sufficient,
            "lose less with the terms they cite first alone than with drawn ones alone",
            |value| format!("{} of the preference", signed(value, 3)),
        ),
        shapley(minds),
        students(families),
        retraining(&families.retrained),
    ];
    found.into_iter().flatten().collect()
}

fn comprehensiveness(families: &Families) -> Option<String> {
    let what = "lose more without the terms they cite first than without drawn ones";
    let first =
        family(&families.comprehensive, what, |value| format!("{} of the preference", signed(value, 3)))?;
    let own = families.within_own.iter().filter(|(_, claim)| claim.holds).count();
    let first = first.trim_end_matches('.');
    Some(format!("{first}; {own} do so even where only terms that speak for the same move are drawn."))
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
    let told = |mind: &String| counts.iter().any(|(label, claim)| label == mind && claim.holds);
    let not_told = position.iter().filter(|(label, claim)| claim.holds && !told(label)).count();
    Some(format!(
        "A student foresees the next moves better by the reasons than by the positions for {better} of {} minds and worse for {}, from {} down to {}; for \
         {not_told} of those {better} it is not shown that they tell more than their mere number.",
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

#[cfg(test)]
mod tests {
    use ludens_arena::stats::Interval;

    use super::*;
    use crate::stats::Test;

    fn claim(mind: &str, difference: f64, p: f64) -> (String, Claim) {
        let test =
            Test { name: String::new(), difference, interval: Interval::around(0.0, 1.0), statistic: 0.0, p };
        (
            mind.into(),
            Claim { text: String::new(), holds: p < 0.05 && difference > 0.0, corrected_p: p, test },
        )
    }

    /// The same sentence of another outcome is another sentence, and of no outcome none.
    #[test]
    fn sentences_follow_from_the_outcome() {
        let show = |value: f64| signed(value, 2);
        let good = family(&[claim("a", 0.2, 0.01), claim("b", -0.1, 0.01)], "do it", show).unwrap();
        assert!(good.starts_with("1 of 2 minds do it"), "{good}");
        assert!(good.contains("largest for a (+0.20) and smallest for b (−0.10)"), "{good}");
        let bad = family(&[claim("a", 0.2, 0.6)], "do it", show).unwrap();
        assert!(bad.starts_with("0 of 1 minds"), "{bad}");
        assert!(family(&[], "do it", show).is_none() && retraining(&[]).is_none());
        let families = Families {
            comprehensive: Vec::new(),
            within_own: Vec::new(),
            sufficient: Vec::new(),
            over_position: vec![claim("a", 0.05, 0.01), claim("b", -0.2, 0.01), claim("c", -0.3, 0.2)],
            over_counts: vec![claim("a", 0.3, 0.01)],
            retrained: vec![claim("d", -0.02, 0.4)],
        };
        let all = sentences(&[], &families);
        assert!(
            all[0]
                .contains("for 1 of 3 minds and worse for 1, from a (+5.0 points) down to c (−30.0 points)")
        );
        assert!(all[1].contains("in 0 of 1 comparisons"), "{all:?}");
    }
}
