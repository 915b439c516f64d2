//! The language of concepts: a few cells in fixed directions from each other, each holding a mark that is named or a variable.
//!
//! `cell(X,Y,M), cell(X,Y+1,M)` says that a cell and the one above it hold the same mark.

use std::collections::BTreeSet;

use super::facts::{FactId, Vocabulary};
use super::rules::Rule;

/// What a cell of a concept holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// Any mark, the same wherever the variable stands.
    Any,
    /// This mark of the vocabulary.
    Named(u8),
}

/// A cell relative to the first one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// Rows above it.
    pub up: i16,
    /// Columns to its right.
    pub right: i16,
    /// What is there.
    pub mark: Mark,
}

/// The places in reading order (bottom row first, left to right), the first one at (0, 0): equal concepts are equal values.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Concept {
    places: Vec<Place>,
}

impl Concept {
    /// Brings places into the one form a concept has; none where two places fall on one cell.
    pub fn new(mut places: Vec<Place>) -> Option<Concept> {
        places.sort();
        let first = *places.first()?;
        for place in &mut places {
            place.up -= first.up;
            place.right -= first.right;
        }
        let distinct =
            places.windows(2).all(|pair| (pair[0].up, pair[0].right) != (pair[1].up, pair[1].right));
        distinct.then_some(Concept { places })
    }

    /// Its places, in reading order.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// 2 for binary concepts, 3 for ternary ones.
    pub fn size(&self) -> usize {
        self.places.len()
    }

    /// True when no mark is named: such a concept speaks of any game with a board.
    pub fn is_general(&self) -> bool {
        self.places.iter().all(|place| place.mark == Mark::Any)
    }

    /// Whether the cells lie on one straight line, evenly spaced.
    pub(crate) fn is_line(&self) -> bool {
        self.size() >= 2
            && self
                .places
                .windows(2)
                .map(|pair| (pair[1].up - pair[0].up, pair[1].right - pair[0].right))
                .collect::<BTreeSet<_>>()
                .len()
                == 1
    }

    /// Every way the concept can match: each body once, its facts in order.
    pub fn instances(&self, vocabulary: &Vocabulary) -> Vec<Vec<FactId>> {
        let (width, height) = (vocabulary.width as i16, vocabulary.height as i16);
        let has_variable = self.places.iter().any(|place| place.mark == Mark::Any);
        let marks = if has_variable { vocabulary.marks.len() } else { 1 };
        let mut bodies = Vec::new();
        for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
            for variable in 0..marks {
                let fact = |place: &Place| {
                    let (x, y) = (column + place.right, row + place.up);
                    let mark = match place.mark {
                        Mark::Any => variable,
                        Mark::Named(mark) => usize::from(mark),
                    };
                    let inside =
                        (0..width).contains(&x) && (0..height).contains(&y) && mark < vocabulary.marks.len();
                    inside.then(|| vocabulary.id(x as u16, y as u16, mark))
                };
                if let Some(mut body) = self.places.iter().map(fact).collect::<Option<Vec<FactId>>>() {
                    body.sort_unstable();
                    bodies.push(body);
                }
            }
        }
        bodies
    }
}

/// Algorithm 2, `generateNewConcept(rules)`: every pair of terms in the body of a rule, numbers replaced by a variable and its sum with
/// the difference, equal marks by a variable; duplicates removed.
pub fn generate_new_concepts(rules: &[Rule], vocabulary: &Vocabulary) -> Vec<Concept> {
    let mut concepts = BTreeSet::new();
    for rule in rules {
        for (index, &first) in rule.body.iter().enumerate() {
            for &second in &rule.body[index + 1..] {
                concepts.extend(pair_concept(first, second, vocabulary));
            }
        }
    }
    concepts.into_iter().collect()
}

fn pair_concept(first: FactId, second: FactId, vocabulary: &Vocabulary) -> Option<Concept> {
    let (column, row, mark) = vocabulary.parts(first);
    let (other_column, other_row, other_mark) = vocabulary.parts(second);
    let name = |own: usize| if mark == other_mark { Mark::Any } else { Mark::Named(own as u8) };
    Concept::new(vec![
        Place { up: 0, right: 0, mark: name(mark) },
        Place {
            up: other_row as i16 - row as i16,
            right: other_column as i16 - column as i16,
            mark: name(other_mark),
        },
    ])
}

/// Algorithm 4, `makeTernaryConcepts(concepts)`, for concepts of any size: two concepts that share a cell, that cell's terms unified,
/// make a concept of both their cells. From binary ones alone this gives the ternary ones; with ternary and binary ones it grows further.
pub fn join_concepts(concepts: &[Concept], others: &[Concept]) -> Vec<Concept> {
    let mut joined = BTreeSet::new();
    for concept in concepts {
        for other in others {
            for shared in &concept.places {
                for partner in &other.places {
                    joined.extend(unify(concept, shared, other, partner));
                }
            }
        }
    }
    joined.into_iter().collect()
}

/// The two concepts laid over each other so that `shared` and `partner` are one cell.
fn unify(concept: &Concept, shared: &Place, other: &Concept, partner: &Place) -> Option<Concept> {
    // A variable that meets a name takes it, everywhere in its concept.
    let (left, right) = match (shared.mark, partner.mark) {
        (Mark::Any, Mark::Any) => (Mark::Any, Mark::Any),
        (Mark::Any, named) => (named, Mark::Any),
        (named, Mark::Any) => (Mark::Any, named),
        (one, two) if one == two => (Mark::Any, Mark::Any),
        _ => return None,
    };
    let bind = |place: &Place, value: Mark| Place {
        mark: if place.mark == Mark::Any { value } else { place.mark },
        ..*place
    };
    let mut places: Vec<Place> = concept.places.iter().map(|place| bind(place, left)).collect();
    for place in &other.places {
        let mut place = bind(place, right);
        place.up += shared.up - partner.up;
        place.right += shared.right - partner.right;
        if !places.contains(&place) {
            places.push(place);
        }
    }
    // "If b1 is not equal to b2": the second concept must bring a cell of its own.
    if places.len() <= concept.size() { None } else { Concept::new(places) }
}
