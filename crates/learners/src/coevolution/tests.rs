//! The incremental evaluator against the plain one, the fast search against plain minimax, and the run against its own
//! interruption.

use ludens_core::words::What;
use ludens_core::{
    Audited, Ctx, Explain, Game, Learner, Meter, Mind, Move, Ranking, Rng, Side, Stop, Turn, decide,
};
use ludens_games::connect_four::geometry::{CENTRAL_FIRST, STEP};
use ludens_games::connect_four::{ConnectFour, State};
use ludens_games::tictactoe::TicTacToe;
use ludens_search::{AlphaBeta, Heuristic, Limits};

use super::connect_four::{Board, Judge, Net, Search, WON};
use super::evaluator::{EncodedNet, Evolved};
use super::learner::NAME;
use super::reasons::{Weights, contributions};
use super::*;
use crate::beyond::coevolution_improved::{self, FEATURES, FeatureNet, LINES, LineNet, line_inputs};

fn some_player(rng: &mut Rng) -> Player {
    let spread = [0.1, 1.0, 4.0][rng.below(3) as usize];
    Player::random(42, spread, 0.05, rng)
}

/// Random unfinished positions of all lengths.
fn positions(count: usize, rng: &mut Rng) -> Vec<State> {
    (0..count).map(|number| contest::opening(&ConnectFour, number as u32 % 36, rng)).collect()
}

#[test]
fn the_incremental_evaluator_gives_the_bits_of_the_plain_one() {
    let mut rng = Rng::new(21);
    let (mut moves, mut inputs, mut compared) = (Vec::new(), Vec::new(), 0);
    for _ in 0..300 {
        let player = some_player(&mut rng);
        let net = Net::new(&player);
        let mut state = ConnectFour.start();
        let mut sums = net.sums(&Board::of(&ConnectFour, &state));
        while !ConnectFour.turn(&state).is_over() {
            ConnectFour.moves(&state, &mut moves);
            let before = state;
            ConnectFour.apply(&mut state, moves[rng.below(moves.len() as u32) as usize]);
            sums = sums.plus(net.row(before.to_move().index(), before.occupied() ^ state.occupied()));
            ConnectFour.encode(&state, Side::First, &mut inputs);
            assert_eq!(net.output(&sums).to_bits(), player.plain(&inputs).to_bits());
            ConnectFour.encode(&state, Side::Second, &mut inputs);
            assert_eq!(
                net.output(&sums),
                -player.plain(&inputs),
                "no bias: the other side sees the negative"
            );
            assert_eq!(sums, net.sums(&Board::of(&ConnectFour, &state)));
            compared += 1;
        }
    }
    assert!(compared > 5000);
}

#[test]
fn lines_as_inputs_follow_the_stones_too() {
    let mut rng = Rng::new(25);
    let mut moves = Vec::new();
    for _ in 0..200 {
        let player = Player::random(LINES, 0.5, 0.05, &mut rng);
        let net = LineNet::new(&player);
        let mut state = ConnectFour.start();
        let mut sums = net.sums(&Board::of(&ConnectFour, &state));
        loop {
            ConnectFour.moves(&state, &mut moves);
            let before = state;
            ConnectFour.apply(&mut state, moves[rng.below(moves.len() as u32) as usize]);
            if ConnectFour.turn(&state).is_over() {
                break;
            }
            sums = net.after(&Board::of(&ConnectFour, &before), &sums, before.occupied() ^ state.occupied());
            assert_eq!(sums, net.sums(&Board::of(&ConnectFour, &state)));
            let board = Board::of(&ConnectFour, &state);
            let plain = player.plain(&line_inputs(&board, Side::First));
            assert_eq!(net.output(&sums).to_bits(), plain.to_bits());
            assert_eq!(player.plain(&line_inputs(&board, Side::Second)), -plain);
        }
    }
}

fn plain_minimax(player: &Player, state: &State, depth: u32, side: Side) -> f32 {
    match ConnectFour.turn(state) {
        Turn::Over(score) => score.of(side) * WON,
        _ if depth == 0 => {
            let mut inputs = Vec::new();
            ConnectFour.encode(state, side, &mut inputs);
            player.plain(&inputs)
        }
        _ => {
            let mover = state.to_move();
            let mut moves = Vec::new();
            ConnectFour.moves(state, &mut moves);
            let values = moves.into_iter().map(|mv| {
                let mut child = *state;
                ConnectFour.apply(&mut child, mv);
                plain_minimax(player, &child, depth - 1, mover)
            });
            let best = values.fold(f32::NEG_INFINITY, f32::max);
            if mover == side { best } else { -best }
        }
    }
}

/// The rules of `connect_four` written out.
fn plain_choice(player: &Player, state: &State, depth: u32) -> (u32, f32) {
    let board = Board::of(&ConnectFour, state);
    let column_of =
        |cells: u64| (0..7).filter(|column| cells >> (7 * column) & 0x7f != 0).collect::<Vec<u32>>();
    let wins = column_of(board.wins(board.mover));
    let threats = column_of(board.wins(board.mover ^ 1));
    let mut best = (u32::MAX, f32::NEG_INFINITY);
    for column in CENTRAL_FIRST {
        let allowed = if !wins.is_empty() {
            wins.contains(&column)
        } else if depth >= 2 && !threats.is_empty() {
            threats.contains(&column)
        } else {
            column_of(board.landing()).contains(&column)
        };
        if allowed {
            let mut child = *state;
            ConnectFour.apply(&mut child, Move(column));
            let value = plain_minimax(player, &child, depth - 1, state.to_move());
            if value > best.1 {
                best = (column, value);
            }
        }
    }
    best
}

#[test]
fn the_fast_search_chooses_as_plain_minimax() {
    let mut rng = Rng::new(22);
    for depth in 1..=4 {
        for state in positions([600, 400, 150, 40][depth as usize - 1], &mut rng) {
            let player = some_player(&mut rng);
            let net = Net::new(&player);
            let board = Board::of(&ConnectFour, &state);
            let (cell, value) = Search::new(&net, &Stop::default()).choose(&board, &net.sums(&board), depth);
            let (column, truth) = plain_choice(&player, &state, depth);
            assert_eq!(cell.trailing_zeros() / STEP, column, "depth {depth}: {}", ConnectFour.text(&state));
            let only_move = value == 0.0;
            assert!(only_move || value == truth, "depth {depth}: {value} {truth}");
        }
    }
}

/// The mind that explains itself is the same player: the value of its choice is minimax's.
#[test]
fn the_general_search_agrees() {
    let mut rng = Rng::new(23);
    for state in positions(150, &mut rng) {
        let player = some_player(&mut rng);
        let depth = 1 + rng.below(4);
        let mut minds: [Box<dyn Mind<ConnectFour>>; 2] = [
            Box::new(AlphaBeta::new(Evolved::new(&ConnectFour, &player), Limits::depth(depth))),
            Box::new(AlphaBeta::new(
                Evolved::Encoded(EncodedNet::new(&ConnectFour, &player)),
                Limits::depth(depth),
            )),
        ];
        let chosen = minds.each_mut().map(|mind| {
            let (mut unused, mut meter) = (Rng::new(0), Meter::unlimited());
            decide(mind, &ConnectFour, &state, &mut Ctx::new(&mut unused, &mut meter)).unwrap()
        });
        assert_eq!(chosen[0], chosen[1], "incremental and encoded networks play alike");
        let mut child = state;
        ConnectFour.apply(&mut child, chosen[0]);
        let value = plain_minimax(&player, &child, depth - 1, state.to_move());
        let best = plain_minimax(&player, &state, depth, state.to_move());
        let certain = best.abs() == WON;
        assert!(certain || value == best, "{value} {best}");
    }
}

#[test]
fn what_the_stones_add_makes_up_the_output() {
    let mut rng = Rng::new(24);
    let mut inputs = Vec::new();
    for state in positions(50, &mut rng) {
        let player = some_player(&mut rng);
        ConnectFour.encode(&state, Side::First, &mut inputs);
        let sum: f64 = contributions(&Weights::of(&player), &inputs).iter().map(|(_, part)| part).sum();
        assert!((sum - f64::from(player.plain(&inputs))).abs() < 1e-3 * (1.0 + sum.abs()));
    }
}

/// Counts as inputs are not each other's negatives for the two sides: the terms must still be the side's own.
#[test]
fn what_the_counts_add_makes_up_the_output_for_either_side() {
    let mut rng = Rng::new(26);
    for state in positions(200, &mut rng) {
        let player = Player::random(FEATURES, 0.3, 0.05, &mut rng);
        let net = FeatureNet::new(&player);
        let output = f64::from(net.output(&net.sums(&Board::of(&ConnectFour, &state))));
        for (side, sign) in [(Side::First, 1.0), (Side::Second, -1.0)] {
            let terms = Evolved::new(&ConnectFour, &player).terms(&ConnectFour, &state, side);
            let sum: f64 = terms.iter().map(|term| term.worth).sum();
            assert!((sum - sign * output).abs() < 1e-3 * (1.0 + sum.abs()), "{sum} {output}");
        }
    }
}

fn small(variant: Settings) -> Settings {
    Settings { interval: 6, intervals: 5, offspring: variant.offspring.min(6), ..variant }
}

fn trained<G: Game>(game: &G, settings: Settings, steps: u64) -> Coevolution<G> {
    let name = if settings == small(Settings::improved()) { coevolution_improved::NAME } else { NAME };
    let mut learner = Coevolution::new(game, name, settings);
    train(game, &mut learner, steps);
    learner
}

fn train<G: Game>(game: &G, learner: &mut Coevolution<G>, steps: u64) {
    for _ in 0..steps {
        let (mut rng, mut meter) = (Rng::new(77), Meter::unlimited());
        learner.step(game, &mut Ctx::new(&mut rng, &mut meter)).unwrap();
    }
}

#[test]
fn a_run_killed_at_any_generation_goes_on_to_the_same_bytes() {
    for settings in [small(Settings::default()), small(Settings::improved())] {
        let whole = trained(&ConnectFour, settings.clone(), 30).save().to_bytes();
        for stop in [1, 5, 6, 17] {
            let half = trained(&ConnectFour, settings.clone(), stop).save();
            let mut resumed = Coevolution::load(&ConnectFour, &half).unwrap();
            assert_eq!(resumed.save().to_bytes(), half.to_bytes());
            train(&ConnectFour, &mut resumed, 30 - stop);
            assert!(resumed.finished());
            assert_eq!(resumed.save().to_bytes(), whole, "stopped after {stop}");
        }
    }
}

#[test]
fn threads_change_nothing() {
    for settings in [Settings { pairs: 7, ..small(Settings::default()) }, small(Settings::improved())] {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| trained(&ConnectFour, settings.clone(), 30).save().to_bytes())
        };
        assert_eq!(on(1), on(2));
    }
}

#[test]
fn it_learns_other_games_too() {
    let learner = trained(&TicTacToe, small(Settings::improved()), 30);
    assert_eq!(learner.champion().unwrap().weights.len(), 9 * HIDDEN + HIDDEN);
    assert!(!learner.pool.players.is_empty());
}

#[test]
fn reasons_change_nothing_and_cost_is_counted() {
    let game = Audited::new(TicTacToe);
    let mut learner = trained(&game, small(Settings::default()), 6);
    let mut ask = |explain| {
        let (mut rng, mut meter) = (Rng::new(5), Meter::unlimited());
        game.take_count();
        let ranking =
            learner.rank(&game, &game.start(), &mut Ctx { rng: &mut rng, meter: &mut meter, explain });
        assert_eq!(game.take_count(), meter.cost().states);
        (ranking.unwrap(), meter.cost())
    };
    let values = |ranking: &Ranking| -> Vec<_> {
        ranking.moves.iter().map(|candidate| (candidate.mv, candidate.value, candidate.bound)).collect()
    };
    let ((silent, cost), (mut spoken, same_cost)) = (ask(Explain::NOTHING), ask(Explain::EVERYTHING));
    assert_eq!((values(&silent), silent.decide(), cost), (values(&spoken), spoken.decide(), same_cost));
    assert!(silent.moves.iter().all(|candidate| candidate.reasons.is_empty()));
    assert_eq!(spoken.moves.len(), 9);
    spoken.sort();
    let mut things = spoken.moves[0].reasons.iter().map(|reason| &reason.what);
    assert!(things.any(|what| matches!(what, What::Stone { .. })), "{spoken:?}");
}
