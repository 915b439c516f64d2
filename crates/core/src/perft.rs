//! Counting game trees: the oldest proof that rules are right.

use std::collections::HashSet;

use crate::{Game, Turn};

/// Counts the move sequences of exactly `depth` plies (shorter finished games do not count), with the last ply
/// counted in bulk.
pub fn leaves<G: Game + ?Sized>(game: &G, state: &G::State, depth: u32) -> u64 {
    count(game, state, depth, 0)
}

/// Counts the move sequences of `depth` plies and the shorter ones that end the game: the published tables of Reversi
/// count so, and at depth 9 it is the number of games of tic-tac-toe.
pub fn leaves_and_ends<G: Game + ?Sized>(game: &G, state: &G::State, depth: u32) -> u64 {
    count(game, state, depth, 1)
}

fn count<G: Game + ?Sized>(game: &G, state: &G::State, depth: u32, worth_of_an_end: u64) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    children(game, state, &mut moves);
    if moves.is_empty() {
        return worth_of_an_end;
    }
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .iter()
        .map(|&mv| {
            let mut child = state.clone();
            game.apply(&mut child, mv);
            count(game, &child, depth - 1, worth_of_an_end)
        })
        .sum()
}

/// Counts the whole games below a state: sequences that end.
pub fn games<G: Game>(game: &G, state: &G::State) -> u64 {
    if game.turn(state).is_over() {
        return 1;
    }
    let mut moves = Vec::new();
    children(game, state, &mut moves);
    moves
        .iter()
        .map(|&mv| {
            let mut child = state.clone();
            game.apply(&mut child, mv);
            games(game, &child)
        })
        .sum()
}

/// The number of distinct positions reached after exactly 0, 1, … `depth` plies.
pub fn distinct<G: Game>(game: &G, state: &G::State, depth: u32) -> Vec<u64> {
    let mut layer = HashSet::from([state.clone()]);
    let mut counts = vec![1];
    let mut moves = Vec::new();
    for _ in 0..depth {
        let mut next = HashSet::new();
        for state in &layer {
            children(game, state, &mut moves);
            for &mv in &moves {
                let mut child = state.clone();
                game.apply(&mut child, mv);
                next.insert(child);
            }
        }
        counts.push(next.len() as u64);
        layer = next;
    }
    counts
}

/// Moves and chance outcomes alike.
fn children<G: Game + ?Sized>(game: &G, state: &G::State, out: &mut Vec<crate::Move>) {
    out.clear();
    match game.turn(state) {
        Turn::Player(_) => game.moves(state, out),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            out.extend(outcomes.into_iter().map(|(mv, _)| mv));
        }
        Turn::Over(_) => {}
    }
}
