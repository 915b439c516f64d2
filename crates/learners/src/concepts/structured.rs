//! Algorithm 3: heuristics rebuilt from concepts, for the same game or another one.

use std::collections::BTreeMap;

use ludens_core::{Stop, Stopped};

use super::concept::Concept;
use super::facts::{FactId, FactSet, Seen, Vocabulary};
use super::rules::{Count, Rule, counted};

/// Algorithm 3, `makeStructuredHeuristics(concepts, playouts)`: each way a concept matches is a rule whose value is the share of subsets
/// in which it was seen. A body that several concepts match is a rule of each of them, as in the paper.
pub fn make_structured_heuristics(
    concepts: &[Concept],
    playouts: &[Seen],
    count: Count,
    vocabulary: &Vocabulary,
    stop: &Stop,
) -> Result<Vec<Rule>, Stopped> {
    let mut uses: BTreeMap<Vec<FactId>, u32> = BTreeMap::new();
    for body in concepts.iter().flat_map(|concept| concept.instances(vocabulary)) {
        *uses.entry(body).or_default() += 1;
    }
    let bodies: Vec<(&Vec<FactId>, u32)> = uses.iter().map(|(body, &uses)| (body, uses)).collect();
    let mut by_first: Vec<Vec<usize>> = vec![Vec::new(); vocabulary.len()];
    for (index, (body, _)) in bodies.iter().enumerate() {
        by_first[body[0] as usize].push(index);
    }
    let size = concepts.iter().map(Concept::size).max().unwrap_or(0);
    let mut counters = vec![0u32; bodies.len()];
    let mut subsets = 0.0;
    let mut holding = FactSet::default();
    for position in playouts.iter().flat_map(|playout| counted(playout, count)) {
        stop.check()?;
        holding.set(position, vocabulary.len());
        subsets += binomial(position.len(), size);
        for &fact in position {
            for &index in &by_first[fact as usize] {
                counters[index] += u32::from(holding.holds_all(&bodies[index].0[1..]));
            }
        }
    }
    let rules = bodies
        .iter()
        .zip(counters)
        .filter(|(_, counter)| *counter > 0)
        .map(|((body, uses), counter)| Rule {
            body: body.to_vec(),
            value: f64::from(*uses) * f64::from(counter) / f64::max(subsets, 1.0),
        })
        .collect();
    Ok(rules)
}

/// The number of subsets of `size` among `count` facts.
fn binomial(count: usize, size: usize) -> f64 {
    (0..size).map(|step| (count as f64 - step as f64).max(0.0) / (step + 1) as f64).product()
}
