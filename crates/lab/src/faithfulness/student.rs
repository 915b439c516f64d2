//! A small student: it sees for every legal move what is said of it, and learns which move is taken.
//!
//! It is a conditional logit: a move's score is the sum of the weights of its features, its chance the softmax over the legal moves. It is trained by a fixed
//! number of gradient steps over all decisions at once, from zero, with nothing drawn: the same decisions give the same student.

use std::collections::BTreeMap;

use ludens_core::math;

/// Steps of the training.
const STEPS: usize = 80;
/// The size of a step, divided for each weight by the root of the squares of its gradients so far.
const RATE: f64 = 0.3;
/// How much weights are pulled to zero: the student takes the one that does best on its own last games.
const PULLS: [f64; 3] = [1e-4, 1e-3, 1e-2];

/// A decision as a student sees it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Seen {
    /// The game it comes from.
    pub game: u32,
    /// The features of every legal move, in the order of the game's own list: the mind's ranking would betray the choice.
    pub moves: Vec<Vec<u32>>,
    /// The move taken, as an index of `moves`.
    pub chosen: usize,
}

/// What was learnt: a weight for every feature met in training.
#[derive(Clone, Debug)]
pub(crate) struct Student {
    weights: BTreeMap<u32, f64>,
}

impl Student {
    /// Learns from decisions whose games come one after the other. How strongly weights are pulled to zero is chosen on the last fifth of the games.
    pub fn learn(seen: &[Seen]) -> Student {
        let first_of_last = seen.len() - seen.len() / 5;
        let border = seen.get(first_of_last).map_or(0, |seen| seen.game);
        let (before, after): (Vec<&Seen>, Vec<&Seen>) = seen.iter().partition(|seen| seen.game < border);
        let all: Vec<&Seen> = seen.iter().collect();
        if before.is_empty() || after.is_empty() {
            return Student::fit(&all, PULLS[1]);
        }
        let mut best = (f64::NEG_INFINITY, PULLS[0]);
        for pull in PULLS {
            let student = Student::fit(&before, pull);
            let likely: f64 = after.iter().map(|seen| student.log_chance(seen)).sum();
            if likely > best.0 {
                best = (likely, pull);
            }
        }
        Student::fit(&all, best.1)
    }

    fn fit(seen: &[&Seen], pull: f64) -> Student {
        let mut places: BTreeMap<u32, usize> = BTreeMap::new();
        for feature in seen.iter().flat_map(|seen| seen.moves.iter().flatten()) {
            let next = places.len();
            places.entry(*feature).or_insert(next);
        }
        let dense: Vec<(Vec<Vec<usize>>, usize)> = seen
            .iter()
            .map(|seen| {
                let moves = seen.moves.iter().map(|of| of.iter().map(|feature| places[feature]).collect());
                (moves.collect(), seen.chosen)
            })
            .collect();
        let mut weights = vec![0.0f64; places.len()];
        let mut squares = vec![1e-8f64; places.len()];
        let mut gradient = vec![0.0f64; places.len()];
        for _ in 0..STEPS {
            gradient.iter_mut().zip(&weights).for_each(|(slope, weight)| *slope = pull * weight);
            for (moves, chosen) in &dense {
                add_gradient(moves, *chosen, &weights, 1.0 / dense.len() as f64, &mut gradient);
            }
            for ((weight, square), slope) in weights.iter_mut().zip(&mut squares).zip(&gradient) {
                *square += slope * slope;
                *weight -= RATE * slope / square.sqrt();
            }
        }
        Student { weights: places.into_iter().map(|(feature, place)| (feature, weights[place])).collect() }
    }

    fn scores(&self, seen: &Seen) -> Vec<f64> {
        let weight = |feature: &u32| self.weights.get(feature).copied().unwrap_or(0.0);
        seen.moves.iter().map(|features| features.iter().map(weight).sum()).collect()
    }

    fn log_chance(&self, seen: &Seen) -> f64 {
        math::ln(softmax(&self.scores(seen))[seen.chosen].max(1e-12))
    }

    /// 1 where its best move is the one taken; of equals it is the share of one.
    pub fn agreement(&self, seen: &Seen) -> f64 {
        let scores = self.scores(seen);
        let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_best = |score: f64| score >= highest - 1e-9;
        let equals = scores.iter().filter(|score| is_best(**score)).count();
        if is_best(scores[seen.chosen]) { 1.0 / equals as f64 } else { 0.0 }
    }
}

/// The gradient of −log p(chosen): what is expected less what was seen.
fn add_gradient(moves: &[Vec<usize>], chosen: usize, weights: &[f64], share: f64, gradient: &mut [f64]) {
    let scores: Vec<f64> =
        moves.iter().map(|features| features.iter().map(|place| weights[*place]).sum()).collect();
    for (index, (features, chance)) in moves.iter().zip(softmax(&scores)).enumerate() {
        let error = share * (chance - if index == chosen { 1.0 } else { 0.0 });
        features.iter().for_each(|place| gradient[*place] += error);
    }
}

fn softmax(scores: &[f64]) -> Vec<f64> {
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shares: Vec<f64> = scores.iter().map(|score| math::exp(score - highest)).collect();
    let sum: f64 = shares.iter().sum();
    shares.into_iter().map(|share| share / sum).collect()
}

#[cfg(test)]
mod tests {
    use ludens_core::Rng;

    use super::*;

    fn agreement(train: &[Seen], test: &[Seen]) -> f64 {
        let student = Student::learn(train);
        test.iter().map(|seen| student.agreement(seen)).sum::<f64>() / test.len() as f64
    }

    /// The move with the feature 7 is taken, else the one with the feature 3; the rest is noise.
    fn planted(count: u32) -> Vec<Seen> {
        let one = |number: u32| {
            let mut rng = Rng::stream(9, u64::from(number));
            let mut moves: Vec<Vec<u32>> =
                (0..5).map(|_| (0..3).map(|_| 10 + rng.below(20)).collect()).collect();
            let (three, chosen) = (rng.below(5) as usize, rng.below(5) as usize);
            moves[three].push(3);
            let chosen = if rng.chance(0.5) { chosen } else { three };
            if chosen != three {
                moves[chosen].push(7);
            }
            Seen { game: number / 5, moves, chosen }
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn a_planted_rule_is_learnt() {
        let all = planted(500);
        let (train, test) = all.split_at(300);
        let found = agreement(train, test);
        assert!(found > 0.97, "{found}");
    }

    #[test]
    fn what_says_nothing_of_the_choice_teaches_nothing() {
        let blind = |seen: Seen| Seen {
            moves: seen.moves.into_iter().map(|of| of.into_iter().filter(|f| *f >= 10).collect()).collect(),
            ..seen
        };
        let all: Vec<Seen> = planted(500).into_iter().map(blind).collect();
        let found = agreement(&all[..300], &all[300..]);
        assert!((0.1..0.3).contains(&found), "one of five by chance: {found}");
        let empty = |seen: &Seen| Seen { moves: vec![Vec::new(); 5], ..seen.clone() };
        let all: Vec<Seen> = all.iter().map(empty).collect();
        assert!((agreement(&all[..300], &all[300..]) - 0.2).abs() < 1e-12, "of equals the share of one");
    }

    #[test]
    fn the_same_decisions_give_the_same_student() {
        let all = planted(60);
        assert_eq!(Student::learn(&all).weights, Student::learn(&all).weights);
    }
}
