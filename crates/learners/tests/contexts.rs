//! The context networks: gradients against finite differences, the fast network against the plain one.

use ludens_core::{Rng, math};
use ludens_learners::contexts::detectors::Detectors::{self, D1, D2, D3, D4};
use ludens_learners::contexts::network::Network;
use ludens_learners::contexts::plain::Plain;
use ludens_learners::contexts::reference::Reference;
use ludens_learners::contexts::train::{Ranker, System, Targets, Training, Ways, measure};
use ludens_search::connect_four_labels::{LabelSettings, label_one, sample};
use ludens_search::connect_four_solver::Solver;

const SYSTEMS: [&[Detectors]; 6] = [&[D1], &[D1, D2], &[D1, D3], &[D1, D4], &[D1, D3, D4], &[D1, D2, D3, D4]];
const TARGETS: [f64; 8] = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.5];

/// With the second task where there are two families.
fn random_weights(families: &[Detectors], rng: &mut Rng) -> Reference {
    let mut network = Reference::zero(families, families.len() == 2);
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
            let readings = fast.read([(act, pas)]);
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

/// A batch goes down the mean of the gradients of its positions.
#[test]
fn a_batch_is_the_mean_of_its_positions() {
    let mut rng = Rng::new(6);
    let positions: Vec<_> = sample(&LabelSettings { count: 12, ..Default::default() })
        .iter()
        .map(|p| (p.mine(), p.theirs()))
        .collect();
    let targets: Vec<[f32; 8]> = (0..12).map(|i| std::array::from_fn(|c| f32::from(c == i % 8))).collect();
    let columns: Vec<[f32; 7]> = targets.iter().map(|t| std::array::from_fn(|c| t[c])).collect();
    for families in SYSTEMS {
        let start = random_weights(families, &mut rng);
        let mut fast = Network::from_reference(&start);
        let readings = fast.read(positions.iter().copied());
        // Twice, so that what the first batch leaves behind would show.
        for _ in 0..2 {
            let mut expected: Vec<f64> = fast.to_reference().each().map(|w| *w).collect();
            let before = fast.to_reference();
            for ((act, pas), targets) in positions.iter().zip(&targets) {
                let mut gradient = before.gradient(*act, *pas, &targets.map(f64::from));
                expected.iter_mut().zip(gradient.each()).for_each(|(w, g)| *w -= 0.5 * *g / 12.0);
            }
            fast.learn_batch(targets.iter().enumerate().map(|(i, t)| (readings.get(i), t)), 0.5);
            for (i, (after, expected)) in fast.to_reference().each().zip(&expected).enumerate() {
                assert!((*after - expected).abs() < 2e-6, "{families:?} {i}: {after} {expected}");
            }
        }
    }
    let start = Plain::whole(60, &mut rng);
    let mut together = start.clone();
    together.learn_batch(positions.iter().copied().zip(&columns), 1.2);
    let mut sum: Vec<f32> = start.clone().each().into_iter().map(|w| *w).collect();
    for (discs, targets) in positions.iter().zip(&columns) {
        let mut alone = start.clone();
        alone.learn(*discs, targets, 0.1);
        let both =
            alone.each().into_iter().zip(start.clone().each().into_iter().map(|w| *w).collect::<Vec<_>>());
        sum.iter_mut().zip(both).for_each(|(sum, (after, before))| *sum += *after - before);
    }
    for (a, b) in together.each().into_iter().zip(&sum) {
        assert!((*a - b).abs() < 1e-5, "{a} {b}");
    }
}

#[test]
fn weights_are_shared_1881_in_s4() {
    let mut rng = Rng::new(3);
    let ranker =
        |name: &str, ways: Ways| Ranker::new(&System::named(name).expect(name), ways, &mut Rng::new(3));
    let count = |name: &str| ranker(name, Targets::OneBest.into()).parameters();
    assert_eq!(count("S4"), 27 + 567 + 234 * 5 + 5 + 15 * 7 + 7);
    assert_eq!(count("S4"), 1881);
    let told = Ways { outcome: true, ..Targets::OneBest.into() };
    assert_eq!(ranker("S4", told).parameters(), 1881 + 16);
    assert_eq!(ranker("S4", told).parameters(), random_weights(&[D1, D4], &mut rng).parameters());
    assert_eq!(count("N60"), 43 * 60 + 61 * 7);
    assert_eq!(count("C"), 31 * 5 + 16 * 7);
}

#[test]
fn the_comparators_gradients_are_those_of_finite_differences() {
    let mut rng = Rng::new(4);
    let position = sample(&LabelSettings { count: 1, ..Default::default() })[0];
    let discs = (position.mine(), position.theirs());
    let targets: [f32; 7] = std::array::from_fn(|c| TARGETS[c] as f32);
    for start in [Plain::whole(20, &mut rng), Plain::frames(&mut rng)] {
        let mut learnt = start.clone();
        learnt.learn(discs, &targets, 1.0);
        let before: Vec<f32> = start.clone().each().into_iter().map(|w| *w).collect();
        let after: Vec<f32> = learnt.each().into_iter().map(|w| *w).collect();
        assert_eq!(before.len(), start.parameters());
        let error_with = |i: usize, step: f32| {
            let mut moved = start.clone();
            *moved.each()[i] += step;
            let outputs = moved.outputs(discs);
            outputs.iter().zip(&targets).map(|(o, t)| 0.5 * math::square(f64::from(o - t))).sum::<f64>()
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

mod reconstructed {
    use ludens_learners::contexts::RECONSTRUCTED;
    use ludens_search::connect_four_solver::bitboard::Squares;
    use ludens_search::connect_four_solver::{Position, Solver};

    type Board = Position<7, 6>;

    fn position(figure: &str) -> Board {
        let (_, moves) = RECONSTRUCTED.iter().find(|(f, _)| *f == figure).expect(figure);
        Board::to_solve(moves).expect(moves)
    }

    /// The columns (from 1) where the side that just moved wins next.
    fn threats(p: &Board) -> Vec<usize> {
        let squares =
            Squares::<7, 6>::completing(p.theirs(), p.occupied()) & Squares::<7, 6>::playable(p.occupied());
        (1..=7).filter(|&c| squares & Squares::<7, 6>::column(c - 1) != 0).collect()
    }

    fn play(p: &Board, moves: &[usize]) -> Board {
        moves.iter().fold(*p, |p, &column| p.play(column - 1).expect("a free column"))
    }

    fn winning(p: &Board) -> Vec<usize> {
        let scores = Solver::default().move_scores(p);
        (1..=7).filter(|&c| scores[c - 1].is_some_and(|score| score > 0)).collect()
    }

    /// 4 threatens 1; after 1, 7 forces 6, and 6 wins. 7 forces 6 at once, and 4 wins as well. No other move wins.
    #[test]
    fn figure_7() {
        let p = position("7");
        assert_eq!(winning(&p), [4, 7]);
        assert_eq!(threats(&play(&p, &[4])), [1]);
        assert_eq!(threats(&play(&p, &[4, 1, 7])), [6]);
        assert!(play(&p, &[4, 1, 7, 6, 6]).ended_by_last_move());
        assert_eq!(threats(&play(&p, &[7])), [6]);
        assert!(threats(&play(&p, &[7, 6, 4])).len() >= 2);
    }

    /// Only 5 wins: it forces 4; 7 forces 7; 4 makes two threats. 4 first must be answered by 5; another 4, and 4 gives Green two.
    #[test]
    fn figure_8() {
        let p = position("8");
        assert_eq!(winning(&p), [5]);
        assert_eq!(threats(&play(&p, &[5])), [4]);
        assert_eq!(threats(&play(&p, &[5, 4, 7])), [7]);
        assert!(threats(&play(&p, &[5, 4, 7, 7, 4])).len() >= 2);
        assert_eq!(threats(&play(&p, &[4])), [5]);
        assert!(threats(&play(&p, &[4, 5, 4, 4])).len() >= 2);
    }

    /// 4, 3; 3, 1; 7, 5; 5 wins in seven plies, and nothing wins sooner. After 7, 5, 5 the move 3 loses at once, and 4 holds out longest.
    #[test]
    fn figure_9() {
        let p = position("9");
        let scores = Solver::default().move_scores(&p).map(|s| s.expect("a free column"));
        assert_eq!(scores.iter().max(), Some(&scores[3]));
        assert!(scores.iter().enumerate().all(|(c, &s)| c == 3 || s < scores[3]));
        for (line, answer) in [(&[4][..], 3), (&[4, 3, 3], 1), (&[4, 3, 3, 1, 7], 5)] {
            assert_eq!(threats(&play(&p, line)), [answer]);
        }
        assert!(play(&p, &[4, 3, 3, 1, 7, 5, 5]).ended_by_last_move());
        let green = Solver::default().move_scores(&play(&p, &[7, 5, 5])).map(|s| s.expect("a free column"));
        assert_eq!(green.iter().min(), Some(&green[2]));
        assert!(green.iter().enumerate().all(|(c, &s)| c == 3 || s < green[3]));
    }
}

/// A network that grows begins as S1, gets its second family at the first plateau and says nearly the same just after.
#[test]
fn a_network_grows_at_its_plateau_and_keeps_what_it_knows() {
    let mut rng = Rng::new(12);
    let position = sample(&LabelSettings { count: 1, ..Default::default() })[0];
    let (act, pas) = (position.mine(), position.theirs());
    let before = Network::new(&[D1], true, &mut rng);
    let after = before.grown(D4, &mut rng);
    assert_eq!(after.families, [D1, D4]);
    assert!(after.tells_outcome());
    for (old, new) in
        before.to_reference().outputs(act, pas).iter().zip(after.to_reference().outputs(act, pas))
    {
        assert!((old - new).abs() < 0.05, "{old} {new}");
    }

    let examples = ludens_learners::contexts::shipped::labelled().unwrap();
    let system = System::named("S4").unwrap();
    let ways = Ways { grows: true, ..Targets::OneBest.into() };
    let mut training = Training::new(&system, &examples[..60], ways, &mut rng);
    let families = |training: &Training| match &training.ranker {
        Ranker::Contexts(network) => network.families.clone(),
        Ranker::Plain(_) => Vec::new(),
    };
    assert_eq!(families(&training), [D1]);
    training.rate = 0.0; // a plateau from the start
    training.run(1000, &mut rng);
    assert_eq!(families(&training), [D1, D4]);
    assert_eq!(training.epochs, 22, "eleven epochs at rest, twice");
}
