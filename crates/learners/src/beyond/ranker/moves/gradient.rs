//! The ranker's step against central differences of its loss, which is written here a second time, in double precision.

use ludens_core::math;
use ludens_search::connect_four_labels::{LabelSettings, sample};

use super::*;

/// worth, hidden, hidden_bias, units, unit_bias, out: compared group by group, so that a small one cannot hide behind a large one.
type Groups = [Vec<f64>; 6];
const NAMES: [&str; 6] = ["worth", "hidden", "hidden_bias", "units", "unit_bias", "out"];

fn groups(ranker: &MoveRanker) -> Groups {
    [
        ranker.worth.as_slice(),
        ranker.hidden.as_flattened(),
        &ranker.hidden_bias,
        ranker.units.as_flattened(),
        &ranker.unit_bias,
        &ranker.out,
    ]
    .map(|group| group.iter().copied().map(f64::from).collect())
}

fn value([worth, hidden, hidden_bias, units, unit_bias, out]: &Groups, ids: &[u16]) -> f64 {
    let ids = || ids.iter().map(|&id| usize::from(id));
    let passed: Vec<f64> = (0..HIDDEN)
        .map(|h| (hidden_bias[h] + ids().map(|id| hidden[id * HIDDEN + h]).sum::<f64>()).max(0.0))
        .collect();
    let unit = |u: usize| {
        (unit_bias[u] + passed.iter().enumerate().map(|(h, p)| p * units[h * UNITS + u]).sum::<f64>())
            .max(0.0)
    };
    ids().map(|id| worth[id]).sum::<f64>() + (0..UNITS).map(|u| unit(u) * out[u]).sum::<f64>()
}

/// The cross entropy of the labelled move.
fn loss(groups: &Groups, moves: &[Candidate], label: usize) -> f64 {
    let values: Vec<f64> = moves.iter().map(|(_, ids)| value(groups, ids)).collect();
    let labelled = moves.iter().position(|(column, _)| usize::from(*column) == label).expect("legal");
    math::ln(values.iter().map(|&v| math::exp(v)).sum::<f64>()) - values[labelled]
}

/// The places of the parameters that a position can move: all but the worths and hidden numbers of absent tokens.
fn places(group: usize, len: usize, moves: &[Candidate]) -> Vec<usize> {
    let width = match group {
        0 => 1,
        1 => HIDDEN,
        _ => return (0..len).collect(),
    };
    let mut ids: Vec<usize> = moves.iter().flat_map(|(_, ids)| ids).map(|&id| usize::from(id)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().flat_map(|id| id * width..(id + 1) * width).collect()
}

#[test]
fn the_step_is_down_the_gradient_of_finite_differences() {
    // So small that what one move of the position changes hardly matters for the next, and so large that single
    // precision still sees it.
    const RATE: f32 = 1e-3;
    const NUDGE: f64 = 1e-6;
    let positions = sample(&LabelSettings { count: 5, seed: 3, ..Default::default() });
    for (round, position) in (0..).zip(positions) {
        let mut rng = Rng::stream(17, round);
        let mut ranker = MoveRanker::new(&mut rng);
        ranker.worth.iter_mut().for_each(|worth| *worth = rng.uniform(-0.2, 0.2) as f32);
        let best = 1 << position.children().next().expect("a move").0;
        let example = Labelled { position, score: 0, best, scores: None };
        let Examples(examples) = Examples::new(&[example]);
        let (moves, label) = &examples[0];
        let before = groups(&ranker);
        let said = f64::from(ranker.learn(moves, *label, RATE));
        let after = groups(&ranker);
        assert!((said - loss(&before, moves, *label)).abs() < 1e-5, "{said}");

        let mut nudgeable = before.clone();
        for group in 0..before.len() {
            let (mut wrong, mut size) = (0.0, 0.0);
            for place in places(group, before[group].len(), moves) {
                let mut nudged = |by: f64| {
                    nudgeable[group][place] = before[group][place] + by;
                    loss(&nudgeable, moves, *label)
                };
                let slope = (nudged(NUDGE) - nudged(-NUDGE)) / (2.0 * NUDGE);
                nudgeable[group][place] = before[group][place];
                let step = (before[group][place] - after[group][place]) / f64::from(RATE);
                wrong += (slope - step) * (slope - step);
                size += slope * slope;
            }
            let share = (wrong / size).sqrt();
            assert!(size > 0.0 && share < 0.01, "{} in position {round}: wrong by {share:.4}", NAMES[group]);
        }
    }
}
