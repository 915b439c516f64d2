//! How well a model of patterns foretells what people play, in nats a move.
//!
//! The records are free four-in-a-row on 4×9, as in van Opheusden et al. (Nature, 2023): two people, black first. A move is
//! foretold by a choice rule (a softmax over the empty squares) whose terms are the contexts of Mańdziuk, seen from the
//! square: the lines through it and what they hold, the threats it makes and meets, and where it lies. All people share
//! weights, and every person has small deviations of their own. Nothing is looked up and nothing is searched.

mod choice;
mod patterns;
mod records;

use std::collections::BTreeMap;
use std::path::Path;

use ludens_core::math;
use serde::Serialize;

pub use choice::{Choice, Fit, Settings};
pub use patterns::{PATTERNS, describe_pattern};
pub use records::Record;

use crate::LabError;
use crate::stats::{Mean, mean};

/// What came out.
#[derive(Clone, Debug, Serialize)]
pub struct Foretold {
    /// Moves in the records.
    pub moves: usize,
    /// Players in the records.
    pub people: usize,
    /// Parts that were held out, one after the other.
    pub folds: usize,
    /// Nats a move, with everybody's own deviations: the mean over people of their held-out moves.
    pub personal: Mean,
    /// The same with the shared weights alone.
    pub shared: Mean,
    /// Any empty square with equal chance.
    pub chance: Mean,
    /// The mean over moves instead of people.
    pub personal_by_move: f64,
    /// How often the likeliest square is the one played.
    pub first_choice: f64,
    /// The shared weights fitted to all records, strongest first.
    pub weights: Vec<(String, f64)>,
}

/// The choices of a file of records.
pub fn read(path: &Path) -> Result<Vec<Choice>, LabError> {
    Ok(records::read(path)?.iter().map(patterns::choice).collect())
}

/// Held-out nats of other records than those the weights were fitted to: nobody of one file is taken for somebody of the other.
pub fn foretell_others(fitted: &[Choice], others: &[Choice], settings: &Settings) -> Foretold {
    let fit = Fit::to(fitted.iter(), settings);
    let shared = |choice: &Choice| (fit.chances(choice, false), fit.chances(choice, false));
    let tested = others.iter().map(|choice| (choice, shared(choice)));
    summary(tested, 1, fit.in_words())
}

/// Held-out nats: the folds of the file, each foretold from the others.
pub fn foretell(choices: &[Choice], settings: &Settings) -> Foretold {
    let mut folds: Vec<u32> = choices.iter().map(|choice| choice.fold).collect();
    folds.sort_unstable();
    folds.dedup();
    // One thread a fold; each is deterministic by itself.
    let fits: Vec<(u32, Fit)> = std::thread::scope(|scope| {
        let fit =
            |fold| move || (fold, Fit::to(choices.iter().filter(|choice| choice.fold != fold), settings));
        let workers: Vec<_> = folds.iter().map(|&fold| scope.spawn(fit(fold))).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let tested = fits.iter().flat_map(|(fold, fit)| {
        let held_out = choices.iter().filter(|choice| choice.fold == *fold);
        held_out.map(|choice| (choice, (fit.chances(choice, true), fit.chances(choice, false))))
    });
    summary(tested, fits.len(), Fit::to(choices.iter(), settings).in_words())
}

/// The chances of each square, with a person's own deviations and without.
type Chances = (Vec<f64>, Vec<f64>);

fn summary<'a>(
    tested: impl Iterator<Item = (&'a Choice, Chances)>,
    folds: usize,
    weights: Vec<(String, f64)>,
) -> Foretold {
    let mut people: BTreeMap<u32, Vec<[f64; 3]>> = BTreeMap::new();
    let mut firsts = 0;
    for (choice, (personal, shared)) in tested {
        firsts += usize::from(personal.iter().all(|&chance| chance <= personal[choice.taken]));
        people.entry(choice.person).or_default().push([
            -math::ln(personal[choice.taken]),
            -math::ln(shared[choice.taken]),
            math::ln(choice.squares.len() as f64),
        ]);
    }
    let column = |index: usize| -> Vec<f64> {
        let of_person =
            |moves: &Vec<[f64; 3]>| moves.iter().map(|nats| nats[index]).sum::<f64>() / moves.len() as f64;
        people.values().map(of_person).collect()
    };
    let moves = people.values().map(Vec::len).sum::<usize>();
    let by_move = people.values().flatten().map(|nats| nats[0]).sum::<f64>() / moves.max(1) as f64;
    Foretold {
        moves,
        people: people.len(),
        folds,
        personal: mean(&column(0)),
        shared: mean(&column(1)),
        chance: mean(&column(2)),
        personal_by_move: by_move,
        first_choice: firsts as f64 / moves.max(1) as f64,
        weights,
    }
}

#[cfg(test)]
mod tests;
