//! Algorithm 1: heuristics `evaluation(v) :- subset` counted in playouts, and how a position is evaluated by them.

use std::collections::HashMap;
use std::fmt::Write;

use ludens_core::{Side, Stop, Stopped};

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

/// What the counter of a subset counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Every position of a playout that it is part of.
    Positions,
    /// The positions that the winner has just made.
    Own,
    /// The final position of a playout; where no piece ever leaves the board, every playout once that has it.
    Last,
}

/// Which rules are kept: "top 10 % of its evaluation value".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Those whose value is within a tenth of the highest among bodies of their size.
    Near,
    /// A tenth by number, all sizes together.
    Number,
    /// A tenth by number of each size.
    EachSize,
    /// A tenth by number of the subsets of every size; the larger ones are cut off after that.
    EverySize,
}

/// The longest position whose subsets can all be counted, and the largest subsets that are counted of longer ones.
const ALL_SUBSETS: usize = 9;
const LARGEST: usize = 3;

/// How Algorithm 1 is read where its text leaves it open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// What is counted.
    pub count: Count,
    /// What is kept.
    pub cut: Cut,
}

impl Reading {
    /// That of the paper, with an empty cell as a fact: it keeps both rules that are quoted, the first with the value that is quoted, and
    /// comes nearest to the tables (docs/learners/concepts-tables.md).
    pub const PAPER: Reading = Reading { count: Count::Last, cut: Cut::EachSize };
    /// What our own selection takes its relations from; any reading that finds neighbours would do.
    pub const RELATIONS: Reading = Reading { count: Count::Positions, cut: Cut::Number };
}

/// Algorithm 1, `makeStatisticalHeuristics(playouts)`, for bodies of at most `cut_off` facts (1, 2 or 3): v = counter / playouts.
pub fn make_statistical_heuristics(
    playouts: &[Seen],
    cut_off: usize,
    reading: Reading,
    stop: &Stop,
) -> Result<Vec<Rule>, Stopped> {
    let facts = playouts.iter().flat_map(|playout| &playout.positions).map(Vec::len).max().unwrap_or(0);
    let largest = match reading.cut {
        Cut::EverySize if facts <= ALL_SUBSETS => facts,
        Cut::EverySize => LARGEST,
        _ => cut_off,
    };
    let mut rules = count_subsets(playouts, largest, reading.count, stop)?;
    sort(&mut rules);
    match reading.cut {
        Cut::Near => {
            let mut highest = vec![0.0; cut_off + 1];
            for rule in &rules {
                highest[rule.body.len()] = f64::max(highest[rule.body.len()], rule.value);
            }
            rules.retain(|rule| rule.value >= (1.0 - TOP) * highest[rule.body.len()]);
        }
        Cut::Number => rules.truncate(tenth(rules.len())),
        Cut::EverySize => {
            rules.truncate(tenth(rules.len()));
            rules.retain(|rule| rule.body.len() <= cut_off);
        }
        Cut::EachSize => {
            let mut left: Vec<usize> = (0..=cut_off)
                .map(|size| tenth(rules.iter().filter(|rule| rule.body.len() == size).count()))
                .collect();
            rules.retain(|rule| {
                let room = &mut left[rule.body.len()];
                let kept = *room > 0;
                *room = room.saturating_sub(1);
                kept
            });
        }
    }
    Ok(rules)
}

fn tenth(count: usize) -> usize {
    (count as f64 * TOP).ceil() as usize
}

/// The highest value first.
fn sort(rules: &mut [Rule]) {
    rules.sort_by(|a, b| b.value.total_cmp(&a.value).then_with(|| a.body.cmp(&b.body)));
}

/// What a subset takes that is being counted.
const SUBSET_BYTES: u64 = 96;

/// Every subset of up to `cut_off` facts that ever held, with v.
pub fn count_subsets(
    playouts: &[Seen],
    cut_off: usize,
    count: Count,
    stop: &Stop,
) -> Result<Vec<Rule>, Stopped> {
    let mut counters: HashMap<Vec<FactId>, u32> = HashMap::new();
    let mut subset = Vec::with_capacity(cut_off);
    for position in playouts.iter().flat_map(|playout| counted(playout, count)) {
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

/// The positions of a playout that count.
pub(super) fn counted(playout: &Seen, count: Count) -> impl Iterator<Item = &Vec<FactId>> {
    let last = playout.positions.len().saturating_sub(1);
    let is_won = |side: Side| playout.score.of(side) > 0.0;
    let counts = move |place: usize| match count {
        Count::Positions => true,
        Count::Own => playout.movers[place].is_some_and(is_won),
        Count::Last => place == last,
    };
    playout
        .positions
        .iter()
        .enumerate()
        .filter(move |(place, _)| counts(*place))
        .map(|(_, position)| position)
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
