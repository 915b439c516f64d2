//! Backward deepening against a full search from scratch, on random trees with dice, graded scores and double moves.

use ludens_core::{Budget, Game, Meter, Move, Rng, Score, Side, Turn};
use ludens_search::{RandomNode, RandomTree, backward_deepening};

fn tree(seed: u64, chance: u8) -> RandomTree {
    RandomTree { seed, plies: 9, branching: 4, width: 1 << 20, chance, again: 40, ends: 30 }
}

/// Minimax from scratch: the value (none where the horizon hides it) and the states it applies.
fn full(game: &RandomTree, node: &RandomNode, depth: u32, states: &mut u64) -> Option<f32> {
    let turn = game.turn(node);
    if let Turn::Over(Score(score)) = turn {
        return Some(score);
    }
    if depth == 0 {
        return None;
    }
    let mut outcomes = Vec::new();
    game.chance(node, &mut outcomes);
    let mut moves = Vec::new();
    game.moves(node, &mut moves);
    outcomes.extend(moves.into_iter().map(|mv| (mv, 1.0)));
    let values: Vec<(Option<f32>, f32)> = outcomes
        .iter()
        .map(|&(mv, probability)| {
            *states += 1;
            let mut child = *node;
            game.apply(&mut child, mv);
            (full(game, &child, depth - 1, states), probability)
        })
        .collect();
    let best = match turn {
        Turn::Player(Side::First) => 1.0,
        Turn::Player(Side::Second) => -1.0,
        _ => return values.iter().map(|(value, p)| value.map(|value| value * p)).sum(),
    };
    if values.iter().any(|(value, _)| *value == Some(best)) {
        return Some(best);
    }
    let known: Option<Vec<f32>> = values.iter().map(|(value, _)| *value).collect();
    known?.into_iter().reduce(|a, b| if (b - a) * best > 0.0 { b } else { a })
}

fn random_match(game: &RandomTree, rng: &mut Rng) -> Vec<Move> {
    let (mut state, mut played) = (game.start(), Vec::new());
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    while !game.turn(&state).is_over() {
        game.chance(&state, &mut outcomes);
        game.moves(&state, &mut moves);
        let mv = if moves.is_empty() {
            rng.outcome(&outcomes)
        } else {
            moves[rng.below(moves.len() as u32) as usize]
        };
        game.apply(&mut state, mv);
        played.push(mv);
    }
    played
}

fn after(game: &RandomTree, moves: &[Move]) -> RandomNode {
    moves.iter().fold(game.start(), |mut state, &mv| {
        game.apply(&mut state, mv);
        state
    })
}

#[test]
fn equals_a_full_search_at_the_cost_of_the_last_iteration() {
    for seed in 0..300 {
        let game = tree(seed, if seed % 3 == 0 { 60 } else { 0 });
        let moves = random_match(&game, &mut Rng::new(seed));
        for height in 1..=moves.len() {
            // Only as much budget as the iterations up to this height need.
            let top = after(&game, &moves[..moves.len() - height]);
            let mut states = 0;
            let value = full(&game, &top, height as u32, &mut states);
            // The positions of the match itself are known and need not be reached again.
            let budget = states - height as u64;
            let mut meter = Meter::new(Budget::States(budget));
            let report = backward_deepening(&game, &game.start(), &moves, &mut meter, |_| None, |_, _| {});
            assert!(report.iterations as usize >= height, "seed {seed}, height {height}");
            assert!(report.states[..height].iter().sum::<u64>() == budget, "seed {seed}, height {height}");
            if report.iterations as usize == height {
                let found = report.value.map(|backed| backed.value);
                let same = match (found, value) {
                    (Some(a), Some(b)) => (a - b).abs() < 1e-6,
                    (a, b) => a == b,
                };
                assert!(same, "seed {seed}, height {height}: {found:?} {value:?}");
            }
        }
    }
}

#[test]
fn reports_every_known_position_once_and_rightly() {
    for seed in 0..50 {
        let game = RandomTree { width: 1 << 30, ..tree(seed, 40) };
        let moves = random_match(&game, &mut Rng::new(seed));
        let last_ply = moves.len() as u32;
        let mut seen = std::collections::HashSet::new();
        let mut certain = 0;
        backward_deepening(
            &game,
            &game.start(),
            &moves,
            &mut Meter::unlimited(),
            |_| None,
            |node, backed| {
                assert!(seen.insert(*node), "seed {seed}: {node:?} twice");
                let exact = full(&game, node, last_ply - node.ply, &mut 0);
                assert!(
                    exact.is_some_and(|exact| (exact - backed.value).abs() < 1e-6),
                    "seed {seed}: {node:?}"
                );
                certain += u32::from(backed.certain);
            },
        );
        assert!(certain > 0, "the end of the match is certain");
    }
}

#[test]
fn an_empty_match_and_an_empty_budget_are_no_trouble() {
    let game = tree(1, 0);
    let mut meter = Meter::new(Budget::States(0));
    let report = backward_deepening(&game, &game.start(), &[], &mut meter, |_| None, |_, _| {});
    assert_eq!(report.iterations, 0);
    let moves = random_match(&game, &mut Rng::new(2));
    let report = backward_deepening(&game, &game.start(), &moves, &mut meter, |_| None, |_, _| {});
    assert!(report.states.iter().sum::<u64>() == 0 && meter.cost().states == 0);
}
