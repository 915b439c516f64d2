//! Beyond the paper: a few concepts chosen by what they say about winning, instead of all of them by how often they are seen.
//!
//! A candidate is a pattern of own marks and empty cells along a relation: "M, next M, next empty", for every relation that the binary
//! concepts hold (right of, above, diagonally above …) at once, with one weight. That is how line and threat are said without naming a
//! direction. A candidate is worth what it adds to the likelihood of the results (win or loss of the side that has just moved) beyond the concepts already
//! chosen, and it must pay for its description. So frequent but idle concepts stay out, redundant ones stay out, and
//! longer patterns are grown from chosen ones only.

use std::collections::{BTreeMap, BTreeSet};

use ludens_core::{Side, Stop, Stopped, math};

use super::feature::{Feature, Hold};
use super::ideas::{Idea, MOVES_AS_ONE, PLACES};
use crate::concepts::{Concept, FactId, FactSet, Mark, Place, Rule, Seen, Vocabulary};

/// How the selection is made; every number was chosen on tic-tac-toe and kept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// All patterns up to this length are candidates from the beginning …
    pub first_look: usize,
    /// … and chosen ones grow up to this length.
    pub largest: usize,
    /// The most concepts chosen.
    pub most: usize,
    /// The variance a weight is expected to have: a ridge of 1 / `prior` keeps small samples calm.
    pub prior: f64,
    /// Material, places and mobility are candidates too.
    pub wide: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { first_look: 4, largest: 6, most: 24, prior: 0.25, wide: false }
    }
}

/// A chosen feature and what one match of it adds to the log-odds of winning.
#[derive(Clone, PartialEq, Debug)]
pub struct Chosen {
    /// The feature.
    pub feature: Feature,
    /// What one match adds to the log-odds of winning.
    pub weight: f64,
    /// What it added to the log-likelihood when it was chosen, in nats.
    pub gain: f64,
}

/// The games as the selection sees them: positions after a move, and whether the mover won. The nearer the end, the more a
/// position says about the result, so the more it counts; the last one, where nothing is left to decide, does not.
struct Sample {
    positions: Vec<FactSet>,
    movers: Vec<Side>,
    /// Moves of the other side.
    replies: Vec<f64>,
    won: Vec<f64>,
    weights: Vec<f64>,
}

/// A position this many plies further from the end counts 1/e as much.
const FADING: f64 = 3.0;
/// With many candidates, positions that count less than this are not looked at.
const FAINT: f64 = 0.01;

impl Sample {
    fn of(games: &[Seen], vocabulary: &Vocabulary, faintest: f64) -> Sample {
        let mut sample = Sample {
            positions: Vec::new(),
            movers: Vec::new(),
            replies: Vec::new(),
            won: Vec::new(),
            weights: Vec::new(),
        };
        for game in games {
            let last = game.positions.len().saturating_sub(1);
            for (index, (facts, mover)) in game.positions[..last].iter().zip(&game.movers).enumerate() {
                let Some(side) = mover else { continue };
                let weight = math::exp(-((last - 1 - index) as f64) / FADING);
                if weight < faintest {
                    continue;
                }
                // Whoever moves again has no use for the other's moves.
                let replied = game.movers.get(index + 1).copied().flatten() == Some(side.other());
                let replies = if replied { f64::from(game.choices[index]) } else { 0.0 };
                let mut position = FactSet::default();
                position.set(facts, vocabulary.len());
                sample.positions.push(position);
                sample.movers.push(*side);
                sample.won.push(f64::from(game.score.of(*side) + 1.0) / 2.0);
                sample.weights.push(weight);
                sample.replies.push(replies / MOVES_AS_ONE);
            }
        }
        sample
    }

    /// How often a feature matches each position.
    fn column(&self, feature: &Feature, seeds: &[Concept], vocabulary: &Vocabulary) -> Vec<f64> {
        if feature.idea == Idea::Mobility {
            return self.replies.clone();
        }
        let bodies = Side::BOTH.map(|side| bodies_for(feature, side, seeds, vocabulary));
        let count = |(position, mover): (&FactSet, &Side)| {
            let holding = bodies[mover.index()].iter().filter(|(body, _)| position.holds_all(body));
            holding.map(|(_, worth)| worth).sum()
        };
        self.positions.iter().zip(&self.movers).map(count).collect()
    }
}

/// The steps of a game: those of the binary concepts that are no multiple of another.
fn relations(seeds: &[Concept]) -> Vec<(i16, i16)> {
    let steps: BTreeSet<(i16, i16)> = seeds
        .iter()
        .filter(|concept| concept.is_general() && concept.size() == 2)
        .map(|concept| (concept.places()[1].up, concept.places()[1].right))
        .collect();
    let multiple_of_another = |step: &(i16, i16)| {
        (2..=step.0.abs().max(step.1.abs()))
            .any(|by| step.0 % by == 0 && step.1 % by == 0 && steps.contains(&(step.0 / by, step.1 / by)))
    };
    steps.iter().copied().filter(|step| !multiple_of_another(step)).collect()
}

/// A pattern along one relation, as a concept.
fn along(
    feature: &Feature,
    (up, right): (i16, i16),
    reversed: bool,
    empty: Option<usize>,
) -> Option<Concept> {
    let place = |(index, hold): (usize, &Hold)| {
        let mark = match hold {
            Hold::Stone => Mark::Any,
            Hold::Nothing => Mark::Named(empty? as u8),
        };
        Some(Place { up: up * index as i16, right: right * index as i16, mark })
    };
    let length = feature.pattern.len();
    let order = (0..length).map(|index| if reversed { length - 1 - index } else { index });
    let pattern: Vec<Hold> = order.map(|index| feature.pattern[index]).collect();
    Concept::new(pattern.iter().enumerate().map(place).collect::<Option<Vec<Place>>>()?)
}

/// The concepts a feature stands for: every relation, both ways.
pub fn concepts_of(feature: &Feature, seeds: &[Concept], vocabulary: &Vocabulary) -> Vec<Concept> {
    let concepts: BTreeSet<Concept> = relations(seeds)
        .into_iter()
        .flat_map(|step| {
            [false, true].map(|reversed| along(feature, step, reversed, vocabulary.empty_mark()))
        })
        .flatten()
        .collect();
    concepts.into_iter().collect()
}

/// The bodies of a feature for a mover of this side, each with how much it counts.
fn bodies_for(
    feature: &Feature,
    mover: Side,
    seeds: &[Concept],
    vocabulary: &Vocabulary,
) -> Vec<(Vec<FactId>, f64)> {
    let owner = if feature.own { mover } else { mover.other() };
    if feature.idea != Idea::Line {
        return feature.idea.bodies(owner, vocabulary);
    }
    let bind = |concept: &Concept, mark: usize| {
        let places = concept.places().iter().map(|place| Place {
            mark: if place.mark == Mark::Any { Mark::Named(mark as u8) } else { place.mark },
            ..*place
        });
        Concept::new(places.collect())
    };
    concepts_of(feature, seeds, vocabulary)
        .iter()
        .flat_map(|concept| {
            vocabulary.marks_of(owner).filter_map(|mark| bind(concept, mark)).collect::<Vec<_>>()
        })
        .flat_map(|concept| concept.instances(vocabulary))
        .map(|body| (body, 1.0))
        .collect()
}

/// Chooses patterns along the relations of `seeds` (binary concepts, of this game or of another).
pub fn select(
    seeds: &[Concept],
    games: &[Seen],
    vocabulary: &Vocabulary,
    settings: &Settings,
    stop: &Stop,
) -> Result<Vec<Chosen>, Stopped> {
    let sample = Sample::of(games, vocabulary, if settings.wide { FAINT } else { 0.0 });
    let mut pool = patterns_up_to(settings.first_look);
    let mut model = Model::new(&sample);
    let mut columns: BTreeMap<Feature, Vec<f64>> = BTreeMap::new();
    if settings.wide {
        let places = PLACES.into_iter().flat_map(|idea| [true, false].map(|own| Feature::of(idea, own)));
        for feature in places.chain([Feature::of(Idea::Mobility, false)]) {
            let column = sample.column(&feature, seeds, vocabulary);
            columns.insert(feature, column);
        }
    }
    while model.chosen.len() < settings.most {
        for feature in
            pool.iter().flat_map(|pattern| [true, false].map(|own| Feature::new(pattern.clone(), own)))
        {
            let Some(feature) = feature else { continue };
            stop.check()?;
            columns.entry(feature).or_insert_with_key(|feature| sample.column(feature, seeds, vocabulary));
        }
        let Some((feature, gain)) = model.best(&columns, &sample, settings) else { break };
        // What was chosen may grow.
        if feature.idea == Idea::Line && feature.pattern.len() < settings.largest {
            pool.extend(longer(&feature.pattern));
        }
        model.add(feature, gain, &columns, &sample, settings);
        stop.check()?;
    }
    Ok(model.chosen)
}

/// Every pattern of 2 to `length` cells. Single stones are left out: how many there are tells whose turn it is, not who will win.
fn patterns_up_to(length: usize) -> BTreeSet<Vec<Hold>> {
    let mut patterns = BTreeSet::new();
    let mut newest: BTreeSet<Vec<Hold>> =
        longer(&[Hold::Stone]).into_iter().chain(longer(&[Hold::Nothing])).collect();
    for _ in 2..=length {
        let next = newest.iter().flat_map(|pattern| longer(pattern)).collect();
        patterns.extend(std::mem::replace(&mut newest, next));
    }
    patterns
}

/// The pattern with one cell more at either end.
fn longer(pattern: &[Hold]) -> Vec<Vec<Hold>> {
    [Hold::Stone, Hold::Nothing]
        .into_iter()
        .flat_map(|hold| {
            let mut before = vec![hold];
            before.extend(pattern);
            let mut after = pattern.to_vec();
            after.push(hold);
            [before, after]
        })
        .collect()
}

/// Logistic regression that grows a feature at a time.
struct Model {
    chosen: Vec<Chosen>,
    /// The log-odds of each position under the current weights.
    odds: Vec<f64>,
    bias: f64,
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + math::exp(-x))
}

impl Model {
    fn new(sample: &Sample) -> Model {
        Model { chosen: Vec::new(), odds: vec![0.0; sample.won.len()], bias: 0.0 }
    }

    /// The feature that a Newton step would gain most from, if it pays for its description.
    fn best(
        &self,
        columns: &BTreeMap<Feature, Vec<f64>>,
        sample: &Sample,
        settings: &Settings,
    ) -> Option<(Feature, f64)> {
        let at = |index: usize| (logistic(self.odds[index]), sample.won[index], sample.weights[index]);
        let (residual, spread): (Vec<f64>, Vec<f64>) = (0..self.odds.len())
            .map(at)
            .map(|(p, won, weight)| (weight * (won - p), weight * p * (1.0 - p)))
            .unzip();
        let taken: BTreeSet<&Feature> = self.chosen.iter().map(|chosen| &chosen.feature).collect();
        let gain = |feature: &Feature, column: &[f64]| {
            let slope: f64 = column.iter().zip(&residual).map(|(x, r)| x * r).sum();
            let curve: f64 = column.iter().zip(&spread).map(|(x, s)| x * x * s).sum();
            slope * slope / (2.0 * (curve + 1.0 / settings.prior)) - description(feature)
        };
        columns
            .iter()
            .filter(|(feature, _)| !taken.contains(feature))
            .map(|(feature, column)| (gain(feature, column), feature))
            .filter(|(gain, _)| *gain > 0.0)
            .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
            .map(|(gain, feature)| (feature.clone(), gain))
    }

    fn add(
        &mut self,
        feature: Feature,
        gain: f64,
        columns: &BTreeMap<Feature, Vec<f64>>,
        sample: &Sample,
        settings: &Settings,
    ) {
        self.chosen.push(Chosen { feature, weight: 0.0, gain });
        let used: Vec<&[f64]> =
            self.chosen.iter().map(|chosen| columns[&chosen.feature].as_slice()).collect();
        // Cyclic Newton steps, one weight at a time: few weights, so it settles soon.
        for _ in 0..30 {
            let mut change: f64 = 0.0;
            for (index, column) in used.iter().enumerate() {
                let step =
                    newton(column, &self.odds, sample, self.chosen[index].weight, 1.0 / settings.prior);
                self.chosen[index].weight += step;
                for (odds, x) in self.odds.iter_mut().zip(*column) {
                    *odds += step * x;
                }
                change = change.max(step.abs());
            }
            let ones = vec![1.0; self.odds.len()];
            let step = newton(&ones, &self.odds, sample, self.bias, 1e-3);
            self.bias += step;
            self.odds.iter_mut().for_each(|odds| *odds += step);
            if change.max(step.abs()) < 1e-4 {
                break;
            }
        }
    }
}

/// One Newton step for one weight of a logistic regression with a ridge.
fn newton(column: &[f64], odds: &[f64], sample: &Sample, weight: f64, ridge: f64) -> f64 {
    let (mut slope, mut curve) = (-ridge * weight, ridge);
    for (index, &x) in column.iter().enumerate().filter(|(_, x)| **x != 0.0) {
        let p = logistic(odds[index]);
        slope += sample.weights[index] * x * (sample.won[index] - p);
        curve += sample.weights[index] * x * x * p * (1.0 - p);
    }
    (slope / curve).clamp(-1.0, 1.0)
}

/// What it costs to say a pattern, in nats: each cell says what it holds.
fn description(feature: &Feature) -> f64 {
    0.2 * feature.pattern.len().max(1) as f64
}

/// What each move of the other side adds to the value of a position.
pub(crate) fn mobility_of(chosen: &[Chosen]) -> f64 {
    let mobility = chosen.iter().filter(|chosen| chosen.feature.idea == Idea::Mobility);
    mobility.map(|chosen| chosen.weight / MOVES_AS_ONE).sum()
}

/// The chosen concepts as rules for a player of this side.
pub fn rules_for(chosen: &[Chosen], side: Side, seeds: &[Concept], vocabulary: &Vocabulary) -> Vec<Rule> {
    chosen
        .iter()
        .flat_map(|chosen| {
            bodies_for(&chosen.feature, side, seeds, vocabulary)
                .into_iter()
                .map(|(body, worth)| Rule { body, value: chosen.weight * worth })
        })
        .collect()
}
