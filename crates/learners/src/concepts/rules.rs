//! Algorithm 1: heuristics `evaluation(v) :- subset` counted in playouts, and how a position is evaluated by them.

use std::collections::HashMap;
use std::fmt::Write;

use ludens_core::{Stop, Stopped};

use super::facts::{FactId, FactSet, Seen, Vocabulary};

/// `evaluation(value) :- body`, the body in the order of the facts.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// What must hold.
    pub body: Vec<FactId>,
    /// What it adds to the evaluation.
    pub value: f64,
}

impl Rule {
    /// `evaluation(0.238) :- cell(3,1,o), cell(2,2,o).`
    pub fn show(&self, vocabulary: &Vocabulary) -> String {
        let mut text = String::with_capacity(24 + 16 * self.body.len());
        // Writing to a string cannot fail.
        let _ = write!(text, "evaluation({:.3}) :- ", self.value);
        for (place, &fact) in self.body.iter().enumerate() {
            let _ = write!(text, "{}{}", if place > 0 { ", " } else { "" }, vocabulary.show(fact));
        }
        text.push('.');
        text
    }
}

/// The tenth of Algorithm 1.
pub const TOP: f64 = 0.1;

/// Algorithm 1, `makeStatisticalHeuristics(playouts)`, for bodies of at most `cut_off` facts (1, 2 or 3): the counter of a subset
/// runs over every position of the playouts; v = counter / playouts. "Rules which have top 10 % of its evaluation value" are those
/// whose value is within a tenth of the highest among bodies of their size: this meets most of the paper's cells.
pub fn make_statistical_heuristics(
    playouts: &[Seen],
    cut_off: usize,
    stop: &Stop,
) -> Result<Vec<Rule>, Stopped> {
    let mut rules = count_subsets(playouts, cut_off, stop)?;
    let mut highest = vec![0.0; cut_off + 1];
    for rule in &rules {
        highest[rule.body.len()] = f64::max(highest[rule.body.len()], rule.value);
    }
    rules.retain(|rule| rule.value >= (1.0 - TOP) * highest[rule.body.len()]);
    sort(&mut rules);
    Ok(rules)
}

/// The other reading, "the top 10 % of frequent subsets" by number, all sizes together. Section 4 begins from it: concepts of the subsets
/// near the highest value play tic-tac-toe far weaker than the paper's (docs/notebook/concepts.md).
pub fn most_frequent_subsets(playouts: &[Seen], cut_off: usize, stop: &Stop) -> Result<Vec<Rule>, Stopped> {
    let mut rules = count_subsets(playouts, cut_off, stop)?;
    sort(&mut rules);
    rules.truncate((rules.len() as f64 * TOP).ceil() as usize);
    Ok(rules)
}

/// The highest value first.
fn sort(rules: &mut [Rule]) {
    rules.sort_by(|a, b| b.value.total_cmp(&a.value).then_with(|| a.body.cmp(&b.body)));
}

/// What a subset takes that is being counted.
const SUBSET_BYTES: u64 = 96;

/// Every subset of up to `cut_off` facts that ever held, with v.
pub fn count_subsets(playouts: &[Seen], cut_off: usize, stop: &Stop) -> Result<Vec<Rule>, Stopped> {
    let mut counters: HashMap<Vec<FactId>, u32> = HashMap::new();
    let mut subset = Vec::with_capacity(cut_off);
    for position in playouts.iter().flat_map(|playout| &playout.positions) {
        stop.check()?;
        stop.check_bytes(counters.len() as u64 * SUBSET_BYTES)?;
        for_each_subset(position, cut_off, &mut subset, &mut |subset| match counters.get_mut(subset) {
            Some(counter) => *counter += 1,
            None => {
                counters.insert(subset.to_vec(), 1);
            }
        });
    }
    let playouts = playouts.len().max(1) as f64;
    let rule = |(body, count)| Rule { body, value: f64::from(count) / playouts };
    Ok(counters.into_iter().map(rule).collect())
}

/// Calls `found` with every non-empty subset of at most `size` of the facts, each in order.
fn for_each_subset(
    facts: &[FactId],
    size: usize,
    subset: &mut Vec<FactId>,
    found: &mut impl FnMut(&[FactId]),
) {
    for (index, &fact) in facts.iter().enumerate() {
        subset.push(fact);
        found(subset);
        if subset.len() < size {
            for_each_subset(&facts[index + 1..], size, subset, found);
        }
        subset.pop();
    }
}

/// The rules of one player, found by their first fact.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Evaluation {
    rules: Vec<Rule>,
    /// For each fact the rules whose body begins with it.
    by_first: Vec<Vec<u32>>,
}

impl Evaluation {
    pub(crate) fn new(mut rules: Vec<Rule>, vocabulary: &Vocabulary) -> Evaluation {
        rules.retain(|rule| !rule.body.is_empty());
        // A fixed order makes the sums repeat to the bit.
        rules.sort_by(|a, b| a.body.cmp(&b.body).then(a.value.total_cmp(&b.value)));
        let mut by_first = vec![Vec::new(); vocabulary.len()];
        for (index, rule) in rules.iter().enumerate() {
            by_first[rule.body[0] as usize].push(index as u32);
        }
        Evaluation { rules, by_first }
    }

    /// The rules, in a fixed order.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The places of the rules that match a position.
    pub(crate) fn matching_places<'a>(&'a self, position: &'a FactSet) -> impl Iterator<Item = usize> + 'a {
        let holds = |place: &usize| position.holds_all(&self.rules[*place].body[1..]);
        let met = position.facts().iter().flat_map(|&fact| &self.by_first[fact as usize]);
        met.map(|&place| place as usize).filter(holds)
    }

    /// The rules that match a position.
    pub fn matching<'a>(&'a self, position: &'a FactSet) -> impl Iterator<Item = &'a Rule> {
        self.matching_places(position).map(|place| &self.rules[place])
    }

    /// The sum of the values of the rules that match.
    pub fn value(&self, position: &FactSet) -> f64 {
        self.matching(position).map(|rule| rule.value).sum()
    }
}
