//! What the preference loses when the first k terms of an order go, and when they alone stay.

use ludens_core::Rng;

use super::shapley::Preference;
use crate::LabError;

/// How many terms go or stay; the last step is all of them.
pub const STEPS: [usize; 6] = [1, 2, 3, 5, 8, usize::MAX];

/// The curves of one order of the terms, at [`STEPS`].
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Curves {
    /// What is lost without the first k: high where they carry the decision.
    pub comprehensiveness: [f64; STEPS.len()],
    /// What is lost with the first k alone: low where they suffice.
    pub sufficiency: [f64; STEPS.len()],
}

impl Curves {
    /// The area over the two curves: the mean of the steps.
    pub fn areas(&self) -> (f64, f64) {
        let mean = |curve: &[f64]| curve.iter().sum::<f64>() / curve.len() as f64;
        (mean(&self.comprehensiveness), mean(&self.sufficiency))
    }

    /// The mean of several.
    pub fn mean(all: &[Curves]) -> Curves {
        let mut mean = Curves::default();
        for one in all {
            for step in 0..STEPS.len() {
                mean.comprehensiveness[step] += one.comprehensiveness[step] / all.len() as f64;
                mean.sufficiency[step] += one.sufficiency[step] / all.len() as f64;
            }
        }
        mean
    }
}

/// The curves of `order`. Terms that are not in it (what no reason names) go last and stay only with all the others.
pub(crate) fn curves(order: &[usize], terms: usize, preference: &mut Preference) -> Result<Curves, LabError> {
    let whole = preference(&vec![true; terms])?;
    let mut found = Curves::default();
    for (step, &count) in STEPS.iter().enumerate() {
        let last = count >= order.len() && (count == usize::MAX || order.len() == terms);
        let first: Vec<bool> =
            (0..terms).map(|term| last || order.iter().take(count).any(|one| *one == term)).collect();
        let others: Vec<bool> = first.iter().map(|first| !first).collect();
        found.comprehensiveness[step] = whole - preference(&others)?;
        found.sufficiency[step] = whole - preference(&first)?;
    }
    Ok(found)
}

/// The mean curves of `draws` orders in which the first `shuffled` terms of `order` are drawn anew: all of them, or those that speak for the move.
pub(crate) fn random_curves(
    order: &[usize],
    terms: usize,
    preference: &mut Preference,
    (draws, shuffled): (u32, usize),
    rng: &mut Rng,
) -> Result<Curves, LabError> {
    let mut drawn = order.to_vec();
    let mut all = Vec::new();
    for _ in 0..draws.max(1) {
        rng.shuffle(&mut drawn[..shuffled]);
        all.push(curves(&drawn, terms, preference)?);
    }
    Ok(Curves::mean(&all))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three terms of which only the second counts.
    fn second_counts(kept: &[bool]) -> Result<f64, LabError> {
        Ok(if kept[1] { 0.9 } else { 0.1 })
    }

    #[test]
    fn the_term_that_counts_must_come_first() {
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        let first = curves(&[1, 0, 2], 3, &mut second_counts).unwrap();
        near(first.areas().0, 0.8);
        near(first.areas().1, 0.0);
        let last = curves(&[0, 2, 1], 3, &mut second_counts).unwrap();
        // Lost from the third step on, four of six; with one or two terms alone it is lost.
        near(last.areas().0, 0.8 * 4.0 / 6.0);
        near(last.areas().1, 0.8 * 2.0 / 6.0);
    }

    #[test]
    fn what_no_reason_names_goes_last() {
        // Two named terms that do nothing, and a third that nobody names and everything hangs on.
        let mut third = |kept: &[bool]| Ok(if kept[2] { 1.0 } else { 0.0 });
        let found = curves(&[0, 1], 3, &mut third).unwrap();
        assert_eq!(found.comprehensiveness, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(found.sufficiency, [1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
    }

    /// An order that is itself drawn is no better than drawn ones.
    #[test]
    fn shuffled_reasons_have_no_advantage() {
        let worths = [4.0, 3.0, 2.0, 1.0, 0.5, 0.25, 0.0, -1.0];
        let mut preference = |kept: &[bool]| {
            let sum: f64 = kept.iter().zip(worths).filter(|(kept, _)| **kept).map(|(_, worth)| worth).sum();
            Ok(ludens_core::math::tanh(sum / 5.0))
        };
        let own: Vec<usize> = (0..8).collect();
        let (mut faithful, mut shuffled) = (Vec::new(), Vec::new());
        for game in 0..60 {
            let mut rng = Rng::stream(5, u64::from(game));
            let random = random_curves(&own, 8, &mut preference, (4, 8), &mut rng).unwrap().areas().0;
            let mut order = own.clone();
            rng.shuffle(&mut order);
            let of_own = curves(&own, 8, &mut preference).unwrap().areas().0;
            let of_shuffled = curves(&order, 8, &mut preference).unwrap().areas().0;
            faithful.push((game, of_own - random));
            shuffled.push((game, of_shuffled - random));
        }
        let faithful = super::super::Estimate::of(&faithful, 1);
        let shuffled = super::super::Estimate::of(&shuffled, 1);
        assert!(faithful.is_above_zero() && faithful.mean > 0.1, "{faithful:?}");
        assert!(shuffled.interval.contains(0.0), "{shuffled:?}");
    }
}
