//! Hints: where a perfect player is at hand they are its; nowhere do they name a move that loses at once while another does not.

mod common;

use std::sync::Arc;

use common::{Dice, start};
use ludens_catalogue::{Catalogue, House};
use ludens_core::{Move, NoModels, Rng, Table};
use ludens_search::connect_four_solver::{Position, Solver};
use ludens_web::Limits;
use serde_json::{Value, json};

/// The hint in a Connect Four position given by its columns.
fn hint(server: &common::Served, game: &str, position: &str) -> Value {
    let seats = json!([{ "kind": "human" }, { "kind": "human" }]);
    let session = server
        .call("/api/sessions", &json!({ "game": game, "seats": seats, "position": position, "seed": 1 }));
    let id = session["id"].as_str().unwrap();
    server.call(&format!("/api/sessions/{id}/why"), &json!({}))
}

/// Positions in which the opponents of the page named a losing move, and others drawn at random: the hint keeps the outcome.
#[test]
fn hints_in_connect_four_are_those_of_the_perfect_player() {
    let server = start(Limits::default());
    let mut dice = Dice(7);
    let mut positions = vec!["474737".to_string(), "4455".into(), "44444".into(), "121212".into()];
    while positions.len() < 40 {
        let text: String = (0..10 + dice.below(22)).map(|_| char::from(b'1' + dice.below(7) as u8)).collect();
        if Position::<7, 6>::to_solve(&text).is_ok() {
            positions.push(text);
        }
    }
    let mut solver = Solver::<7, 6>::default();
    for text in positions {
        let position = Position::<7, 6>::to_solve(&text).unwrap();
        let scores = solver.move_scores(&position);
        let best = scores.iter().flatten().max().unwrap().signum();
        let answer = hint(&server, "connect-four", &text);
        let column = answer["mv"].as_u64().unwrap() as usize;
        assert_eq!(answer["mind"], "solver", "{text}");
        assert_eq!(scores[column].unwrap().signum(), best, "{text}: column {}", column + 1);
    }
}

/// Whether the side that has just moved can be beaten at once.
fn loses(table: &mut dyn Table, mv: Move) -> bool {
    table.play(mv).unwrap();
    let other = table.to_move();
    let beaten = table.moves().into_iter().any(|reply| {
        table.play(reply).unwrap();
        let score = table.view().score;
        table.undo();
        matches!((score, other), (Some(score), Some(side)) if score.of(side) > 0.0)
    });
    table.undo();
    beaten
}

/// On every board: after a hint nobody wins at once, unless that cannot be helped.
#[test]
fn no_hint_loses_at_once() {
    let server = start(Limits::default());
    let house = House::from(Catalogue::standard());
    let mut rng = Rng::new(9);
    let mut avoidable = 0;
    for game in ["tic-tac-toe", "line-5x5x4", "gravity-5x5x4", "reversi"] {
        let front = house.games.open(game).unwrap();
        for _ in 0..12 {
            let mut table = front.table(Arc::new(NoModels));
            for _ in 0..rng.below(14) {
                let moves = table.moves();
                table.play(moves[rng.below(moves.len() as u32) as usize]).unwrap();
                if table.is_over() {
                    table.undo();
                    break;
                }
            }
            let position = table.view().text;
            let answer = hint(&server, game, &position);
            let hinted = Move(answer["mv"].as_u64().unwrap() as u32);
            let moves = table.moves();
            let lost = moves.iter().filter(|mv| loses(&mut *table, **mv)).count();
            avoidable += u32::from(lost > 0 && lost < moves.len());
            assert!(lost == moves.len() || !loses(&mut *table, hinted), "{game} {position}: {answer}");
        }
    }
    assert!(avoidable > 5, "only {avoidable} positions held a move to be warned of");
}
