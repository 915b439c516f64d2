//! The context networks: gradients against finite differences, the fast network against the plain one.

use ludens_core::Rng;
use ludens_learners::contexts::detectors::Detectors::{self, D1, D2, D3, D4};
use ludens_learners::contexts::network::Network;
use ludens_learners::contexts::plain::Plain;
use ludens_learners::contexts::reference::Reference;
use ludens_learners::contexts::train::{Ranker, System, Targets, Training, measure};
use ludens_search::connect_four_labels::{LabelSettings, label_one, sample};
use ludens_search::connect_four_solver::Solver;

const SYSTEMS: [&[Detectors]; 6] = [&[D1], &[D1, D2], &[D1, D3], &[D1, D4], &[D1, D3, D4], &[D1, D2, D3, D4]];
const TARGETS: [f64; 7] = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0];

fn random_weights(families: &[Detectors], rng: &mut Rng) -> Reference {
    let mut network = Reference::zero(families);
    network.each().for_each(|w| *w = f64::from(rng.uniform(-0.5, 0.5) as f32));
    network
}

#[test]
fn the_plain_gradient_is_that_of_finite_differences() {
    let mut rng = Rng::new(1);
    let position = sample(&LabelSettings { count: 1, ..Default::default() })[0];
    let (act, pas) = (position.mine(), position.theirs());
    for families in SYSTEMS {
        let mut network = random_weights(families, &mut rng);
        let mut gradient = network.gradient(act, pas, &TARGETS);
        let gradient: Vec<f64> = gradient.each().map(|g| *g).collect();
        // Every 7th weight, and no fewer than 100 of them.
        for (i, &exact) in gradient.iter().enumerate().step_by(7) {
            let mut error_at = |step: f64| {
                let weight = network.each().nth(i).expect("a weight");
                let before = *weight;
                *weight += step;
                let error = network.error(act, pas, &TARGETS);
                *network.each().nth(i).expect("a weight") = before;
                error
            };
            let step = 1e-5;
            let slope = (error_at(step) - error_at(-step)) / (2.0 * step);
            assert!((slope - exact).abs() < 1e-8 + 1e-5 * exact.abs(), "{families:?} {i}: {slope} {exact}");
        }
        assert!(gradient.iter().filter(|g| **g != 0.0).count() > 300);
    }
}

#[test]
fn the_fast_network_is_the_plain_one() {
    let mut rng = Rng::new(2);
    for families in SYSTEMS {
        let start = random_weights(families, &mut rng);
        let mut fast = Network::from_reference(&start);
        assert_eq!(fast.to_reference(), start);
        for position in sample(&LabelSettings { count: 20, ..Default::default() }) {
            let (act, pas) = (position.mine(), position.theirs());
            let readings = fast.read(act, pas);
            let reading = readings.get(0);
            for (fast, plain) in fast.outputs(reading).iter().zip(start.outputs(act, pas)) {
                assert!((f64::from(*fast) - plain).abs() < 3e-6, "{fast} {plain}");
            }
            // One update moves every weight by −rate · gradient.
            let rate = 1.0;
            let mut learnt = fast.clone();
            learnt.learn(reading, &TARGETS.map(|t| t as f32), rate);
            let mut gradient = start.gradient(act, pas, &TARGETS);
            let before: Vec<f64> = start.clone().each().map(|w| *w).collect();
            for (i, (after, g)) in learnt.to_reference().each().zip(gradient.each()).enumerate() {
                assert!(
                    (before[i] - *g - *after).abs() < 2e-6,
                    "{families:?} {i}: {} {g} {after}",
                    before[i]
                );
            }
        }
    }
}

#[test]
fn weights_are_shared_1881_in_s4() {
    let mut rng = Rng::new(3);
    let count = |name: &str| Ranker::new(&System::named(name).expect(name), &mut Rng::new(3)).parameters();
    assert_eq!(count("S4"), 27 + 567 + 234 * 5 + 5 + 15 * 7 + 7);
    assert_eq!(count("S4"), 1881);
    assert_eq!(count("S4"), random_weights(&[D1, D4], &mut rng).parameters());
    assert_eq!(count("N60"), 43 * 60 + 61 * 7);
    assert_eq!(count("C"), 31 * 5 + 16 * 7);
}

#[test]
fn the_comparators_gradients_are_those_of_finite_differences() {
    let mut rng = Rng::new(4);
    let cells: [i8; 42] = std::array::from_fn(|_| rng.below(3) as i8 - 1);
    let targets = TARGETS.map(|t| t as f32);
    for start in [Plain::whole(20, &mut rng), Plain::frames(&mut rng)] {
        let mut learnt = start.clone();
        learnt.learn(&cells, &targets, 1.0);
        let before: Vec<f32> = start.clone().each().into_iter().map(|w| *w).collect();
        let after: Vec<f32> = learnt.each().into_iter().map(|w| *w).collect();
        assert_eq!(before.len(), start.parameters());
        let error_with = |i: usize, step: f32| {
            let mut moved = start.clone();
            *moved.each()[i] += step;
            let outputs = moved.outputs(&cells);
            outputs.iter().zip(&targets).map(|(o, t)| 0.5 * f64::from(o - t).powi(2)).sum::<f64>()
        };
        for i in (0..before.len()).step_by(5) {
            let step = 1e-2;
            let slope = (error_with(i, step) - error_with(i, -step)) / (2.0 * f64::from(step));
            let gradient = f64::from(before[i] - after[i]);
            assert!((slope - gradient).abs() < 2e-4, "{i}: {slope} {gradient}");
        }
    }
}

#[test]
fn training_learns_and_repeats() {
    let mut solver = Solver::default();
    let settings = LabelSettings { count: 600, first_ply: 20, last_ply: 24, ..Default::default() };
    let examples: Vec<_> = sample(&settings).into_iter().map(|p| label_one(&mut solver, p, true)).collect();
    let run = |system: &str| {
        let mut rng = Rng::new(5);
        let system = System::named(system).expect(system);
        let mut training = Training::new(&system, &examples, Targets::OneBest, &mut rng);
        training.run(30, &mut rng);
        training
    };
    for system in ["S4", "N20", "C"] {
        let (mut once, twice) = (run(system), run(system));
        assert_eq!(once.ranker, twice.ranker);
        assert!(once.errors.last() < once.errors.first());
        let ranks = measure(&examples, |e| once.ranker.outputs(e.position.mine(), e.position.theirs()));
        let blind = measure(&examples, |_| [0.0; 7]);
        assert!(ranks.mean_rank < blind.mean_rank, "{system}: {ranks:?} {blind:?}");
        assert!((ranks.places.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(ranks.any_best >= ranks.places[0] && ranks.keeps_outcome >= Some(ranks.any_best));
    }
}
