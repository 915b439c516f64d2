//! A decision taken apart: its terms, the order in which the mind's own worths put them, and the preference that is left of it.

use std::collections::BTreeMap;

use ludens_core::{Move, MoveValue, Ranking, Reason, math};

use super::key::{Key, is_term, key};

/// Reasons and values may differ by rounding, not by more.
pub(crate) const TOLERANCE: f64 = 1e-6;

/// The distinct things that the moves' reasons speak of, with what each says of each move.
#[derive(Clone, Debug)]
pub(crate) struct Terms<K> {
    /// What they are, in the order in which they are first met.
    pub keys: Vec<K>,
    /// For each move the terms it names and their worths; the same term twice in one move is added up.
    pub moves: Vec<Vec<(usize, f64)>>,
    /// The chosen move, as an index of `moves`.
    pub chosen: usize,
}

impl Terms<Key> {
    /// The terms of a mind whose reasons make up its values; none where the decision does not follow from them: there are no reasons, they do not
    /// add up, another move has the greater sum, or all moves have the same.
    pub fn of_sums(why: &Ranking, chosen: Move) -> Option<Terms<Key>> {
        let best = why.get(chosen)?;
        let scale = why.moves.iter().map(|candidate| candidate.value.abs()).fold(1.0, f64::max);
        if best.reasons.is_empty() || why.gap()? > TOLERANCE * scale {
            return None;
        }
        let terms = Terms::gather(why, chosen, |reason| Some(key(reason)))?;
        let values = terms.values(&vec![true; terms.keys.len()]);
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (values[terms.chosen] >= highest - TOLERANCE && spread(&values) > TOLERANCE).then_some(terms)
    }
}

impl Terms<u32> {
    /// The inputs that the reasons of a searching mind name; none where the chosen move names none.
    pub fn of_inputs(why: &Ranking, chosen: Move) -> Option<Terms<u32>> {
        let terms = Terms::gather(why, chosen, |reason| reason.input.filter(|_| is_term(reason)))?;
        (!terms.moves[terms.chosen].is_empty()).then_some(terms)
    }
}

impl<K: Clone + Ord> Terms<K> {
    fn gather(why: &Ranking, chosen: Move, key: impl Fn(&Reason) -> Option<K>) -> Option<Terms<K>> {
        let mut places: BTreeMap<K, usize> = BTreeMap::new();
        let mut keys = Vec::new();
        let mut of_move = |candidate: &MoveValue| {
            let mut named: Vec<(usize, f64)> = Vec::new();
            for reason in &candidate.reasons {
                let Some(key) = key(reason) else { continue };
                let term = *places.entry(key.clone()).or_insert_with(|| {
                    keys.push(key);
                    keys.len() - 1
                });
                let worth = reason.weight(why.combine);
                match named.iter_mut().find(|(known, _)| *known == term) {
                    Some((_, sum)) => *sum += worth,
                    None => named.push((term, worth)),
                }
            }
            named
        };
        let moves = why.moves.iter().map(&mut of_move).collect();
        let chosen = why.moves.iter().position(|candidate| candidate.mv == chosen)?;
        Some(Terms { keys, moves, chosen })
    }

    /// The terms as the mind's own worths rank them for the chosen move: those that speak for it, the strongest first; then those that it names for
    /// other moves alone, the strongest first; last those that speak against it.
    pub fn own_order(&self) -> Vec<usize> {
        let rank = |term: usize| {
            let worth_in = |named: &Vec<(usize, f64)>| {
                named.iter().find(|(known, _)| *known == term).map(|(_, worth)| *worth)
            };
            match worth_in(&self.moves[self.chosen]) {
                Some(worth) if worth > 0.0 => (0, -worth),
                Some(worth) => (2, -worth),
                None => {
                    let others = self.moves.iter().filter_map(worth_in);
                    (1, -others.map(f64::abs).fold(0.0, f64::max))
                }
            }
        };
        let ranks: Vec<(u8, f64)> = (0..self.keys.len()).map(rank).collect();
        let mut order: Vec<usize> = (0..self.keys.len()).collect();
        order.sort_by(|&a, &b| ranks[a].0.cmp(&ranks[b].0).then(ranks[a].1.total_cmp(&ranks[b].1)));
        order
    }

    /// How many terms speak for the chosen move: the first so many of [`Terms::own_order`].
    pub fn speaking_for(&self) -> usize {
        self.moves[self.chosen].iter().filter(|(_, worth)| *worth > 0.0).count()
    }

    /// What the moves are worth by the kept terms alone.
    pub fn values(&self, kept: &[bool]) -> Vec<f64> {
        let value = |named: &Vec<(usize, f64)>| {
            named.iter().filter(|(term, _)| kept[*term]).map(|(_, worth)| worth).sum()
        };
        self.moves.iter().map(value).collect()
    }

    /// The temperature of the preference: the spread of the whole values.
    pub fn temperature(&self) -> f64 {
        spread(&self.values(&vec![true; self.keys.len()]))
    }

    /// The share of the chosen move in exp(value / temperature) over all moves, by the kept terms: between 0 and 1, the same in every unit, 1 of n
    /// where no term is kept, and it moves before the choice does.
    pub fn preference(&self, kept: &[bool], temperature: f64) -> f64 {
        let values = self.values(kept);
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let share = |value: f64| math::exp((value - highest) / temperature);
        share(values[self.chosen]) / values.iter().map(|value| share(*value)).sum::<f64>()
    }
}

/// The standard deviation over the moves.
fn spread(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let squares: f64 = values.iter().map(|value| math::square(value - mean)).sum();
    (squares / values.len().max(1) as f64).sqrt()
}

#[cfg(test)]
pub(crate) mod tests {
    use ludens_core::Combine;

    use super::*;

    /// Two moves of three terms each, "centre" in both.
    pub(crate) fn example(combine: Combine) -> Ranking {
        let candidate = |mv, worths: &[(&str, f64)]| {
            let value = match combine {
                Combine::Product => worths.iter().map(|(_, worth)| worth).product(),
                _ => worths.iter().map(|(_, worth)| worth).sum(),
            };
            let reasons =
                worths.iter().map(|(text, worth)| Reason::term(*text, *worth, Vec::new())).collect();
            MoveValue { reasons, ..MoveValue::new(Move(mv), value) }
        };
        let mut why = Ranking { combine, ..Ranking::default() };
        why.moves = vec![
            candidate(1, &[("three in a row", 4.0), ("centre", 1.5), ("far", 1.1)]),
            candidate(2, &[("two in a row", 2.0), ("centre", 1.5), ("far", 1.0)]),
        ];
        why.sort();
        why
    }

    #[test]
    fn the_same_term_in_two_moves_is_one() {
        let terms = Terms::of_sums(&example(Combine::Sum), Move(1)).unwrap();
        assert_eq!(terms.keys.len(), 4);
        assert_eq!((terms.own_order(), terms.speaking_for()), (vec![0, 1, 2, 3], 3));
        assert_eq!(terms.values(&[true; 4]), [6.6, 4.5]);
        assert_eq!(terms.values(&[false, true, false, true]), [1.5, 3.5]);
    }

    #[test]
    fn the_preference_has_no_unit_and_knows_nothing_without_terms() {
        for combine in [Combine::Sum, Combine::Product] {
            let terms = Terms::of_sums(&example(combine), Move(1)).unwrap();
            // Of two moves the better one is two spreads above the other, whatever the values are.
            let whole = terms.preference(&[true; 4], terms.temperature());
            assert!((whole - 1.0 / (1.0 + math::exp(-2.0))).abs() < 1e-12);
            assert_eq!(terms.preference(&[false; 4], terms.temperature()), 0.5);
        }
    }

    #[test]
    fn a_decision_that_does_not_follow_from_its_reasons_is_not_judged() {
        let mut why = example(Combine::Sum);
        assert!(Terms::of_sums(&why, Move(2)).is_none(), "the other move has the greater sum");
        assert!(Terms::of_sums(&example(Combine::None), Move(1)).is_none());
        assert!(Terms::of_inputs(&why, Move(1)).is_none(), "no reason names an input");
        why.moves[0].value += 0.5;
        assert!(Terms::of_sums(&why, Move(1)).is_none(), "they do not add up");
    }
}
