//! Shapley values: what each term adds to the preference, averaged over the orders in which the terms could come.

use ludens_core::Rng;

use crate::LabError;

/// The preference for the chosen move when only the terms marked true count.
pub(crate) type Preference<'a> = dyn FnMut(&[bool]) -> Result<f64, LabError> + 'a;

/// Up to so many terms every set of them is asked.
pub const EXACT: usize = 8;

/// The Shapley value of each term: exact up to [`EXACT`] terms, else over `pairs` drawn orders, each walked forwards and backwards (what one overrates
/// the other underrates). They add up to what all terms together add.
pub(crate) fn shapley(
    terms: usize,
    preference: &mut Preference,
    pairs: u32,
    rng: &mut Rng,
) -> Result<Vec<f64>, LabError> {
    if terms <= EXACT {
        return exact(terms, preference);
    }
    let mut values = vec![0.0; terms];
    let mut order: Vec<usize> = (0..terms).collect();
    for _ in 0..pairs {
        rng.shuffle(&mut order);
        for _ in 0..2 {
            let mut kept = vec![false; terms];
            let mut before = preference(&kept)?;
            for &term in &order {
                kept[term] = true;
                let now = preference(&kept)?;
                values[term] += now - before;
                before = now;
            }
            order.reverse();
        }
    }
    let orders = f64::from(2 * pairs.max(1));
    Ok(values.into_iter().map(|value| value / orders).collect())
}

/// Σ over the sets without the term of |S|! (n − |S| − 1)! / n! · (v(S + term) − v(S)).
fn exact(terms: usize, preference: &mut Preference) -> Result<Vec<f64>, LabError> {
    let sets: Vec<f64> = (0..1usize << terms)
        .map(|set| preference(&(0..terms).map(|term| set >> term & 1 == 1).collect::<Vec<bool>>()))
        .collect::<Result<_, _>>()?;
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    let value = |term: usize| {
        let without = (0..sets.len()).filter(|set| set >> term & 1 == 0);
        let added = without.map(|set| {
            let size = set.count_ones() as usize;
            let weight = factorial(size) * factorial(terms - size - 1) / factorial(terms);
            weight * (sets[set | 1 << term] - sets[set])
        });
        added.sum()
    };
    Ok((0..terms).map(value).collect())
}

/// Spearman's rank correlation of two orders of the same things; none of fewer than three.
pub(crate) fn rank_correlation(first: &[usize], second: &[usize]) -> Option<f64> {
    let count = first.len() as f64;
    if first.len() < 3 || first.len() != second.len() {
        return None;
    }
    let place = |order: &[usize], thing: usize| order.iter().position(|one| *one == thing);
    let squares: Option<f64> = first
        .iter()
        .map(|&thing| {
            let apart = place(first, thing)? as f64 - place(second, thing)? as f64;
            Some(apart * apart)
        })
        .sum();
    squares.map(|squares| 1.0 - 6.0 * squares / (count * (count * count - 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORTHS: [f64; 12] = [3.0, -1.0, 0.5, 0.0, 2.0, 1.0, -0.5, 0.25, 1.5, -2.0, 0.75, 0.1];

    /// A made-up preference in which terms hinder and help each other.
    fn bent(kept: &[bool]) -> Result<f64, LabError> {
        let sum: f64 = kept.iter().zip(WORTHS).filter(|(kept, _)| **kept).map(|(_, worth)| worth).sum();
        let together = if kept[0] && kept[1] { 1.0 } else { 0.0 };
        Ok(ludens_core::math::tanh(0.3 * sum) + together)
    }

    fn sum(values: &[f64]) -> f64 {
        values.iter().sum()
    }

    #[test]
    fn additive_terms_are_worth_what_they_add() {
        let mut additive = |kept: &[bool]| {
            Ok(kept.iter().zip(WORTHS).filter(|(kept, _)| **kept).map(|(_, worth)| worth).sum())
        };
        for terms in [1, 5, 8, 12] {
            let values = shapley(terms, &mut additive, 1, &mut Rng::new(1)).unwrap();
            for (value, worth) in values.iter().zip(WORTHS) {
                assert!((value - worth).abs() < 1e-12, "{terms}: {values:?}");
            }
        }
    }

    #[test]
    fn they_add_up_to_the_whole_however_few_orders_are_drawn() {
        for (terms, pairs) in [(6, 1), (8, 1), (12, 1), (12, 7)] {
            let values = shapley(terms, &mut bent, pairs, &mut Rng::new(2)).unwrap();
            let (all, none) = (bent(&vec![true; terms]).unwrap(), bent(&vec![false; terms]).unwrap());
            assert!((sum(&values) - (all - none)).abs() < 1e-12);
        }
    }

    /// Twelve terms by the sum over all 4,096 sets, and by drawn orders.
    #[test]
    fn drawn_orders_come_near_the_sum_over_all_sets() {
        let wanted = exact(12, &mut bent).unwrap();
        let found = shapley(12, &mut bent, 400, &mut Rng::new(3)).unwrap();
        for (found, wanted) in found.iter().zip(&wanted) {
            assert!((found - wanted).abs() < 0.02, "{found} {wanted}");
        }
        // And it is no accident: two orders alone are far away for some term.
        let few = shapley(12, &mut bent, 1, &mut Rng::new(3)).unwrap();
        assert!(few.iter().zip(&wanted).any(|(few, wanted)| (few - wanted).abs() > 0.02));
    }

    #[test]
    fn orders_are_alike_or_opposite() {
        assert_eq!(rank_correlation(&[0, 1, 2, 3], &[0, 1, 2, 3]), Some(1.0));
        assert_eq!(rank_correlation(&[0, 1, 2, 3], &[3, 2, 1, 0]), Some(-1.0));
        assert_eq!(rank_correlation(&[0, 1], &[1, 0]), None);
    }
}
