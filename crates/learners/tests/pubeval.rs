//! pubeval against scores of Tesauro's own routine.

use std::path::PathBuf;

use ludens_core::{Ctx, Game, Meter, Mind, Rng, Why};
use ludens_games::backgammon::Backgammon;
use ludens_learners::actr::pubeval::{Pubeval, score};
use serde_json::Value;

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
    let mut rng = Rng::new(1);
    let (mut meter, mut other_meter) = (Meter::unlimited(), Meter::unlimited());
    let silent = Pubeval::default().choose(&Backgammon, &state, &mut Ctx::new(&mut rng, &mut meter));
    let mut why = Why::default();
    let spoken = Pubeval::default().choose(
        &Backgammon,
        &state,
        &mut Ctx::explained(&mut rng, &mut other_meter, &mut why),
    );
    assert_eq!(silent, spoken);
    assert_eq!(meter.cost(), other_meter.cost());
    assert_eq!(Backgammon.label(&state, silent), "8/5 6/5");
    assert_eq!((why.moves.len(), why.moves[0].mv), (16, silent));
    assert!(why.gap() < 1e-9);
    let after = state.after(silent);
    let plain = score(&after.signed(state.mover()), 0, false);
    assert!((why.moves[0].value - f64::from(plain)).abs() < 1e-4);
}
