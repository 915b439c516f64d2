//! pubeval against scores of Tesauro's own routine.

use std::path::PathBuf;

use ludens_core::{Budget, Game, Rng};
use ludens_games::backgammon::{Backgammon, hops};
use ludens_learners::actr::pubeval::{Port, Pubeval, score};
use serde_json::Value;

mod support;
use support::explained;

fn reference() -> Value {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../oracles/backgammon/pubeval-reference.json");
    let text = std::fs::read_to_string(path).expect("the oracle is in the repository");
    serde_json::from_str(&text).expect("the reference is JSON")
}

#[test]
fn scores_are_those_of_the_original() {
    let reference = reference();
    let items = reference["items"].as_array().expect("items");
    assert_eq!(items.len(), 98);
    for item in items {
        let numbers: Vec<i8> =
            item["pos"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap() as i8).collect();
        let signed: [i8; 26] = numbers.try_into().expect("26 numbers");
        let off = item["off"].as_u64().unwrap() as u8;
        let race = item["race"].as_u64() == Some(1);
        let wanted = |key: &str| item[key].as_f64().unwrap() as f32;
        assert_eq!(score(&signed, off, race), wanted("score"), "{item}");
        assert_eq!(score(&signed, off, true), wanted("score_race"), "{item}");
        assert_eq!(score(&signed, off, false), wanted("score_contact"), "{item}");
    }
}

/// The play found by the running sum in whole numbers is a best one by the plain routine, in games of both.
#[test]
fn the_fast_choice_is_the_plain_choice() {
    let mut mind = Pubeval::default();
    let mut plays = Vec::new();
    for unit in 0..300 {
        let mut rng = Rng::stream(5, unit);
        let mut state = Backgammon.start();
        while state.winner().is_none() {
            state.roll_dice(&mut rng);
            let race = !state.contact();
            let side = state.mover();
            let plain = |mv| {
                let after = state.after(mv);
                score(&after.signed(side), after.men(side).off(), race)
            };
            state.plays(&mut plays);
            let best = plays.iter().map(|&mv| plain(mv)).fold(f32::MIN, f32::max);
            let (mv, examined) = mind.best(&state);
            assert_eq!(examined, plays.len());
            // Single precision may order two almost equal plays either way.
            assert!(plain(mv) >= best - 2e-5, "{} {}", plain(mv), best);
            // Half the games wander, so that the choice is tried where pubeval itself never gets.
            let wander = unit % 2 == 1 && rng.below(2) == 0;
            let mv = if wander { plays[rng.below(plays.len() as u32) as usize] } else { mv };
            Backgammon.apply(&mut state, mv);
        }
    }
}

#[test]
fn its_reasons_add_up_and_change_nothing() {
    let state = Backgammon.parse("4HPwATDgc/ABMA:31").expect("a position");
    let (ranking, cost) = explained(&mut Pubeval::default(), &Backgammon, &state, Budget::Unlimited);
    assert_eq!((ranking.moves.len(), cost.states), (16, 16));
    let chosen = ranking.moves[0].mv;
    assert_eq!(Backgammon.label(&state, chosen), "8/5 6/5");
    assert_eq!(chosen, Pubeval::default().best(&state).0);
}

/// The value of every play is reckoned by the change it makes; the reasons are the terms of the position after it, and Tesauro's
/// routine the judge of both.
#[test]
fn values_reasons_and_the_original_agree() {
    let mut mind = Pubeval::default();
    for unit in 0..30 {
        let mut rng = Rng::stream(6, unit);
        let mut state = Backgammon.start();
        while state.winner().is_none() {
            state.roll_dice(&mut rng);
            let (ranking, _) = explained(&mut mind, &Backgammon, &state, Budget::Unlimited);
            let gap = ranking.gap().expect("the terms add up");
            assert!(gap < 1e-9, "{gap} in {}", Backgammon.text(&state));
            let (side, race) = (state.mover(), !state.contact());
            for candidate in &ranking.moves {
                let after = state.after(candidate.mv);
                let plain = f64::from(score(&after.signed(side), after.men(side).off(), race));
                assert!((candidate.value - plain).abs() < 1e-4, "{} {plain}", candidate.value);
            }
            let wander = ranking.moves[rng.below(ranking.moves.len() as u32) as usize].mv;
            let mv = if rng.below(2) == 0 { wander } else { ranking.moves[0].mv };
            Backgammon.apply(&mut state, mv);
        }
    }
}

/// A port that differs in the flag of races chooses as the original does until a play ends the contact, and otherwise not always; with
/// doubles of two moves nobody makes more.
#[test]
fn ports_differ_where_they_should() {
    let mut mind = Pubeval::default();
    let mut after_flag = Pubeval::port(Port { race_after: true, ..Port::default() });
    let mut short = Pubeval::port(Port { two_moves: true, ..Port::default() });
    let (mut plays, mut apart) = (Vec::new(), 0);
    for unit in 0..100 {
        let mut rng = Rng::stream(7, unit);
        let mut state = Backgammon.start();
        while state.winner().is_none() {
            state.roll_dice(&mut rng);
            let (mv, _) = mind.best(&state);
            state.plays(&mut plays);
            let ends = plays.iter().any(|&mv| state.after(mv).contact() != state.contact());
            let other = after_flag.best(&state).0;
            assert!(ends || other == mv, "{}", Backgammon.text(&state));
            apart += u32::from(other != mv);
            let dice = state.dice().expect("a roll");
            let two = hops(short.best(&state).0, dice).count();
            assert!(two <= 2 && (dice[0] == dice[1] || short.best(&state).0 == mv));
            Backgammon.apply(&mut state, mv);
        }
    }
    assert!(apart > 0, "the flag makes no difference");
}
