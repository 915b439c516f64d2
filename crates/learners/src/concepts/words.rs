//! Concepts for people: as a Prolog-like rule, in plain words, as a small picture.

use super::concept::{Concept, Mark, Place};
use super::facts::Vocabulary;

impl Concept {
    /// `concept(X,Y,M) :- cell(X,Y,M), cell(X,Y+1,M).`
    pub fn rule(&self, name: &str, vocabulary: &Vocabulary) -> String {
        let offset = |variable: &str, by: i16| match by {
            0 => variable.to_string(),
            by => format!("{variable}{by:+}"),
        };
        let terms: Vec<String> = self
            .places()
            .iter()
            .map(|place| {
                format!(
                    "cell({},{},{})",
                    offset("X", place.right),
                    offset("Y", place.up),
                    mark_name(place.mark, vocabulary)
                )
            })
            .collect();
        let head = if self.places().iter().any(|place| place.mark == Mark::Any) { "X,Y,M" } else { "X,Y" };
        format!("{name}({head}) :- {}.", terms.join(", "))
    }

    /// "a cell and the next cell to the right hold the same mark"
    pub fn words(&self, vocabulary: &Vocabulary) -> String {
        let general = self.is_general();
        if general && self.is_line() && self.size() > 2 {
            let step = self.places()[1];
            let gap = if step.up.abs().max(step.right.abs()) > 1 { " with gaps" } else { "" };
            return format!("{} in a {}{gap} hold the same mark", number(self.size()), line_name(step));
        }
        let others: Vec<String> = self.places()[1..].iter().map(direction).collect();
        if general {
            return format!("a cell and {} hold the same mark", join(&others));
        }
        let held = |place: &Place| match place.mark {
            Mark::Any => "a mark".to_string(),
            Mark::Named(_) => mark_name(place.mark, vocabulary),
        };
        let parts: Vec<String> = self.places()[1..]
            .iter()
            .zip(&others)
            .map(|(place, where_to)| format!("{where_to} holds {}", held(place)))
            .collect();
        format!("a cell holds {} and {}", held(&self.places()[0]), join(&parts))
    }

    /// The cells as a small board of characters, top row first.
    pub fn picture(&self, vocabulary: &Vocabulary) -> Vec<String> {
        let left = self.places().iter().map(|place| place.right).min().unwrap_or(0);
        let right = self.places().iter().map(|place| place.right).max().unwrap_or(0);
        let top = self.places().iter().map(|place| place.up).max().unwrap_or(0);
        (0..=top)
            .rev()
            .map(|up| {
                (left..=right)
                    .map(|column| {
                        let place =
                            self.places().iter().find(|place| place.up == up && place.right == column);
                        place.map_or('·', |place| match place.mark {
                            Mark::Any => '●',
                            Mark::Named(_) => mark_name(place.mark, vocabulary).chars().next().unwrap_or('?'),
                        })
                    })
                    .collect()
            })
            .collect()
    }
}

fn mark_name(mark: Mark, vocabulary: &Vocabulary) -> String {
    match mark {
        Mark::Any => "M".into(),
        Mark::Named(index) => {
            vocabulary.marks.get(usize::from(index)).map_or("?".into(), |mark| mark.name.clone())
        }
    }
}

/// The second cell seen from the first.
fn direction(place: &Place) -> String {
    let steps = |by: i16, one: &str| match by.abs() {
        1 => one.to_string(),
        by => format!("{} {one}", number(by as usize)),
    };
    let across = if place.right > 0 { "to the right" } else { "to the left" };
    let upward = if place.up >= 0 { "up" } else { "down" };
    match (place.right, place.up) {
        (1, 0) | (-1, 0) => format!("the next cell {across}"),
        (_, 0) => format!("the cell {}", steps(place.right, across)),
        (0, 1) => "the cell above".into(),
        (0, -1) => "the cell below".into(),
        (0, _) => format!("the cell {}", steps(place.up, upward)),
        (right, up) if right.abs() == 1 && up.abs() == 1 => {
            format!("the next cell diagonally {upward} {across}")
        }
        (right, up) if right.abs() == up.abs() => {
            format!("the cell {} diagonally {upward} {across}", number(up.unsigned_abs().into()))
        }
        _ => format!("the cell {} and {}", steps(place.right, across), steps(place.up, upward)),
    }
}

fn line_name(step: Place) -> &'static str {
    match (step.right, step.up) {
        (_, 0) => "row",
        (0, _) => "column",
        (right, up) if right == up => "rising diagonal",
        (right, up) if right == -up => "falling diagonal",
        _ => "slanted line",
    }
}

fn number(count: usize) -> String {
    const WORDS: [&str; 8] = ["no", "one", "two", "three", "four", "five", "six", "seven"];
    WORDS.get(count).map_or_else(|| count.to_string(), |word| word.to_string())
}

fn join(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
