//! The endgame solver against brute force, and against scores that nobody here made.

use std::path::Path;

use ludens_core::{Game, Move, Rng};
use ludens_games::reversi::{PASS, Reversi, State};
use ludens_search::reversi_endgame::Endgame;

/// The disc difference with the empty squares given to the winner.
fn finished(state: &State) -> i32 {
    let [own, other] = [state.own(), state.other()].map(|discs| discs.count_ones() as i32);
    let difference = own - other;
    difference + difference.signum() * (64 - own - other)
}

/// Alpha-beta through the rules alone: no table, no order, no bounds.
fn plain(reversi: &Reversi, state: &State, mut alpha: i32, beta: i32) -> i32 {
    let mut moves = Vec::new();
    reversi.moves(state, &mut moves);
    if moves.is_empty() {
        return finished(state);
    }
    let mut best = -65;
    for mv in moves {
        let mut child = *state;
        reversi.apply(&mut child, mv);
        best = best.max(-plain(reversi, &child, -beta, -alpha));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// A position with `empties` squares left from a random game, if the game lasts so long.
fn random_position(reversi: &Reversi, empties: u32, rng: &mut Rng) -> Option<State> {
    let mut state = reversi.start();
    let mut moves = Vec::new();
    while state.empties().count_ones() > empties {
        reversi.moves(&state, &mut moves);
        let choices = moves.len() as u32;
        if choices == 0 {
            return None;
        }
        reversi.apply(&mut state, moves[rng.below(choices) as usize]);
    }
    Some(state)
}

fn check_against_plain(reversi: &Reversi, solver: &mut Endgame, state: &State) {
    let solution = solver.solve(state.own(), state.other());
    let text = reversi.text(state);
    assert_eq!(solution.score, plain(reversi, state, -65, 65), "{text}");
    let mut child = *state;
    match solution.best {
        Some(square) => reversi.play(&mut child, Move(square)).unwrap(),
        None if reversi.turn(state).is_over() => return,
        None => reversi.play(&mut child, PASS).unwrap(),
    }
    assert_eq!(-plain(reversi, &child, -65, 65), solution.score, "{text} {:?}", solution.best);
}

#[test]
fn equals_brute_force_on_a_thousand_endings() {
    let reversi = Reversi::default();
    let mut rng = Rng::new(7);
    // A table so small that positions push each other out.
    let mut solver = Endgame::with_table_bits(8);
    let mut checked = 0;
    for round in 0..1_000 {
        if let Some(state) = random_position(&reversi, round % 9, &mut rng) {
            check_against_plain(&reversi, &mut solver, &state);
            checked += 1;
        }
    }
    assert!(checked > 900, "only {checked} games lasted");
}

#[test]
fn equals_brute_force_on_longer_endings() {
    let reversi = Reversi::default();
    let mut rng = Rng::new(8);
    let mut solver = Endgame::default();
    for _ in 0..6 {
        if let Some(state) = random_position(&reversi, 11, &mut rng) {
            check_against_plain(&reversi, &mut solver, &state);
        }
    }
}

#[test]
fn a_position_with_no_disc_to_turn_is_over() {
    let mut solver = Endgame::default();
    let solution = solver.solve(0, 1);
    assert_eq!((solution.score, solution.best), (-64, None));
    assert_eq!(solver.solve(u64::MAX, 0).score, 64);
    assert_eq!(solver.solve(0xffff_ffff, !0xffff_ffff).score, 0);
}

/// The FFO positions of a file: every legal move with its exact score.
fn forum_positions(name: &str) -> Vec<(State, Vec<(Move, i32)>)> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/reversi").join(name);
    let text = std::fs::read_to_string(file).expect("the oracle is in the repository");
    let reversi = Reversi::default();
    let position = |line: &str| {
        let mut fields = line.split(';');
        let state = reversi.parse(fields.next().unwrap()).unwrap();
        let scores = fields
            .filter_map(|field| field.trim().split_once(':'))
            .map(|(label, score)| (reversi.find_move(&state, label).unwrap(), score.parse().unwrap()))
            .collect();
        (state, scores)
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(position).collect()
}

#[test]
fn finds_the_moves_of_the_forums_positions() {
    let positions = ["fforum-1-19.obf", "fforum-20-39.obf"].map(forum_positions).concat();
    assert_eq!(positions.len(), 39);
    for (state, scores) in positions {
        let mut wanted: Vec<Move> = scores.iter().map(|(mv, _)| *mv).collect();
        wanted.sort_unstable();
        let mut found = Vec::new();
        Reversi::default().moves(&state, &mut found);
        found.sort_unstable();
        assert_eq!(found, wanted, "{}", Reversi::default().text(&state));
    }
}

/// All but the last two, which have 24 and 26 empty squares; the longest of the others takes one and a half seconds.
#[test]
fn solves_the_forums_positions() {
    let mut solver = Endgame::default();
    let mut positions = ["fforum-1-19.obf", "fforum-20-39.obf"].map(forum_positions).concat();
    positions.retain(|(state, _)| state.empties().count_ones() <= 22);
    assert_eq!(positions.len(), 37);
    for (state, scores) in positions {
        let text = Reversi::default().text(&state);
        let solution = solver.solve(state.own(), state.other());
        assert_eq!(Some(solution.score), scores.iter().map(|(_, score)| *score).max(), "{text}");
        let best = Move(solution.best.unwrap());
        assert!(scores.contains(&(best, solution.score)), "{text} {best:?}");
    }
}
