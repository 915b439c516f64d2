//! Bradley–Terry ratings: the strengths under which the results of a whole tournament are most likely.
//!
//! A draw counts as half a win and half a loss. One imagined draw in every pairing played keeps the ratings finite where
//! somebody won everything. The intervals come from the curvature of the likelihood, which treats games as
//! independent wins or losses; draws and paired openings make the truth a little sharper than they say.

use ludens_core::math;
use serde::{Deserialize, Serialize};

use crate::stats::Z95;

/// Elo points for one unit of log-odds.
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The strength of one mind.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rating {
    /// Relative to the mean of all.
    pub elo: f64,
    /// Half of the 95 % interval.
    pub plus_minus: f64,
}

/// Games between `a` and `b`, and the points `a` made of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pairing {
    /// Index of the one mind.
    pub a: usize,
    /// Index of the other.
    pub b: usize,
    /// How many games they played.
    pub games: f64,
    /// A win is 1 point, a draw ½.
    pub points: f64,
}

/// The ratings of `count` minds, the mean at 0.
pub fn bradley_terry(count: usize, pairings: &[Pairing]) -> Vec<Rating> {
    let pairings: Vec<Pairing> = pairings
        .iter()
        .filter(|pairing| pairing.games > 0.0)
        .map(|pairing| Pairing { games: pairing.games + 1.0, points: pairing.points + 0.5, ..*pairing })
        .collect();
    let mut strengths = vec![0.0f64; count];
    for _ in 0..200 {
        let (gradient, information) = derivatives(&strengths, &pairings);
        let step = solve(centred(&information), gradient);
        // Newton's steps can overshoot far from the answer; three nats at a time are always safe.
        let largest = step.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let scale = if largest > 3.0 { 3.0 / largest } else { 1.0 };
        for (strength, step) in strengths.iter_mut().zip(&step) {
            *strength += scale * step;
        }
        if largest < 1e-12 {
            break;
        }
    }
    let mean = strengths.iter().sum::<f64>() / count.max(1) as f64;
    let (_, information) = derivatives(&strengths, &pairings);
    (0..count)
        .map(|mind| {
            // The variance of this strength minus the mean of all: a diagonal element of the pseudo-inverse.
            let mut contrast = vec![-1.0 / count as f64; count];
            contrast[mind] += 1.0;
            let solved = solve(centred(&information), contrast.clone());
            let variance: f64 = solved.iter().zip(&contrast).map(|(x, y)| x * y).sum();
            Rating {
                elo: ELO_PER_NAT * (strengths[mind] - mean),
                plus_minus: ELO_PER_NAT * Z95 * variance.max(0.0).sqrt(),
            }
        })
        .collect()
}

fn derivatives(strengths: &[f64], pairings: &[Pairing]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = strengths.len();
    let mut gradient = vec![0.0; count];
    let mut information = vec![vec![0.0; count]; count];
    for &Pairing { a, b, games, points } in pairings {
        let expected = 1.0 / (1.0 + math::exp(strengths[b] - strengths[a]));
        gradient[a] += points - games * expected;
        gradient[b] -= points - games * expected;
        let weight = games * expected * (1.0 - expected);
        information[a][a] += weight;
        information[b][b] += weight;
        information[a][b] -= weight;
        information[b][a] -= weight;
    }
    (gradient, information)
}

/// Only differences are determined: adding the all-ones matrix pins the mean and leaves the differences alone.
fn centred(information: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let scale = information.iter().enumerate().map(|(i, row)| row[i]).fold(1e-9, f64::max);
    information.iter().map(|row| row.iter().map(|x| x + scale).collect()).collect()
}

/// Gaussian elimination with partial pivoting; the matrices here are small.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for column in 0..count {
        let pivot = (column..count)
            .max_by(|&i, &j| matrix[i][column].abs().total_cmp(&matrix[j][column].abs()))
            .unwrap_or(column);
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let lead = matrix[column][column];
        if lead.abs() < 1e-300 {
            continue;
        }
        for row in column + 1..count {
            let factor = matrix[row][column] / lead;
            if factor != 0.0 {
                let (upper, lower) = matrix.split_at_mut(row);
                for (x, y) in lower[0][column..].iter_mut().zip(&upper[column][column..]) {
                    *x -= factor * y;
                }
                right[row] -= factor * right[column];
            }
        }
    }
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|column| matrix[row][column] * right[column]).sum();
        let lead = matrix[row][row];
        right[row] = if lead.abs() < 1e-300 { 0.0 } else { (right[row] - known) / lead };
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two minds: the difference is the Elo of the score, draws prior included.
    #[test]
    fn two_minds_have_the_elo_of_their_score() {
        let ratings = bradley_terry(2, &[Pairing { a: 0, b: 1, games: 999.0, points: 749.5 }]);
        let difference = ratings[0].elo - ratings[1].elo;
        assert!((difference - 190.848_501_887_865).abs() < 1e-6, "{difference}");
        // Standard error of the log-odds 1/√(n p q); each rating is half of the difference.
        let expected = 0.5 * ELO_PER_NAT * Z95 / (1000.0f64 * 0.75 * 0.25).sqrt();
        assert!((ratings[0].plus_minus - expected).abs() < 1e-6);
    }

    /// Agresti, Categorical Data Analysis: baseball 1987, the seven teams of the American League's East. The
    /// fitted strengths relative to Baltimore are printed there and by R's BradleyTerry2.
    #[test]
    fn baseball_as_in_agresti() {
        #[rustfmt::skip]
        let wins = [
            [0., 7., 9., 7., 7., 9., 11.], // Milwaukee
            [6., 0., 7., 5., 11., 9., 9.], // Detroit
            [4., 6., 0., 7., 7., 8., 12.], // Toronto
            [6., 8., 6., 0., 6., 7., 10.], // New York
            [6., 2., 6., 7., 0., 7., 12.], // Boston
            [4., 4., 5., 6., 6., 0., 6.],  // Cleveland
            [2., 4., 1., 3., 1., 7., 0.],  // Baltimore
        ];
        // Weights far above the prior draw: 1,000 seasons alike.
        let pairings: Vec<Pairing> = (0..7)
            .flat_map(|a| (a + 1..7).map(move |b| (a, b)))
            .map(|(a, b)| Pairing {
                a,
                b,
                games: 1000.0 * (wins[a][b] + wins[b][a]),
                points: 1000.0 * wins[a][b],
            })
            .collect();
        let ratings = bradley_terry(7, &pairings);
        let published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0];
        for (team, expected) in published.into_iter().enumerate() {
            let beta = (ratings[team].elo - ratings[6].elo) / ELO_PER_NAT;
            assert!((beta - expected).abs() < 0.0015, "team {team}: {beta}");
        }
    }

    #[test]
    fn a_perfect_score_stays_finite() {
        let ratings = bradley_terry(2, &[Pairing { a: 0, b: 1, games: 100.0, points: 100.0 }]);
        assert!(ratings[0].elo > 300.0 && ratings[0].elo < 1000.0 && ratings[0].plus_minus > 100.0);
    }
}
