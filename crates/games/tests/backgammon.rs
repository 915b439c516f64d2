//! Backgammon against gnubg's own answers, and against a second generator that shares nothing with the first.

use std::cmp::Ordering;
use std::path::PathBuf;

use ludens_core::{Game, Rng, Side, Turn};
use ludens_games::backgammon::{Backgammon, Men, Position, Roll};
use serde_json::Value;

type Signed = [i8; 26];

/// Plays the dice in every order, hop by hop on a signed board, and keeps the plays the rules allow: those that use most
/// dice, and the larger of two where only one can be played.
fn slow_results(board: &Signed, dice: [u8; 2]) -> Vec<Signed> {
    if dice[0] == dice[1] {
        return slow_longest(board, &[dice[0]; 4]).1;
    }
    let (high, low) = (dice[0].max(dice[1]), dice[0].min(dice[1]));
    let (hops_a, mut ends_a) = slow_longest(board, &[high, low]);
    let (hops_b, ends_b) = slow_longest(board, &[low, high]);
    match hops_a.cmp(&hops_b) {
        Ordering::Greater => ends_a,
        Ordering::Less => ends_b,
        Ordering::Equal if hops_a == 1 => ends_a,
        Ordering::Equal => {
            ends_a.extend(ends_b);
            ends_a.sort_unstable();
            ends_a.dedup();
            ends_a
        }
    }
}

/// The most hops these dice in this order allow, and the boards after them.
fn slow_longest(board: &Signed, dice: &[u8]) -> (usize, Vec<Signed>) {
    let mut reached = vec![*board];
    for (hops, &die) in dice.iter().enumerate() {
        let hop_from = |board: &Signed| {
            (1..=25).filter_map(|from| slow_hop(board, from, usize::from(die))).collect::<Vec<_>>()
        };
        let mut next: Vec<Signed> = reached.iter().flat_map(hop_from).collect();
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return (hops, if hops == 0 { next } else { reached });
        }
        reached = next;
    }
    (dice.len(), reached)
}

fn slow_hop(board: &Signed, from: usize, die: usize) -> Option<Signed> {
    if board[from] <= 0 || (board[25] > 0 && from != 25) {
        return None;
    }
    let mut next = *board;
    next[from] -= 1;
    if from > die {
        let to = from - die;
        if board[to] < -1 {
            return None;
        }
        if board[to] == -1 {
            next[to] = 0;
            next[0] -= 1;
        }
        next[to] += 1;
        return Some(next);
    }
    let all_home = (7..=25).all(|point| board[point] <= 0);
    let nobody_behind = (from + 1..=6).all(|point| board[point] <= 0);
    (all_home && (from == die || nobody_behind)).then_some(next)
}

fn fast_results(state: &Position) -> Vec<Signed> {
    let mut moves = Vec::new();
    state.plays(&mut moves);
    if moves == [ludens_games::backgammon::PASS] {
        return Vec::new();
    }
    moves.iter().map(|&mv| state.after(mv).signed(state.mover())).collect()
}

fn position_of(signed: &Signed, off: [u8; 2], mover: Side, dice: [u8; 2]) -> Position {
    let mut own = [0u8; 26];
    let mut other = [0u8; 26];
    for point in 1..=24 {
        own[point] = signed[point].max(0) as u8;
        other[25 - point] = (-signed[point]).max(0) as u8;
    }
    own[25] = signed[25] as u8;
    other[25] = -signed[0] as u8;
    (own[0], other[0]) = (off[0], off[1]);
    let (own, other) = (Men::from_counts(&own), Men::from_counts(&other));
    let men = if mover == Side::First { [own, other] } else { [other, own] };
    Position::new(men, mover, Roll::Dice(dice))
}

/// Men thrown anywhere: crowded boards, many on the bar, bear-offs with contact; positions play seldom reaches.
fn scattered(rng: &mut Rng) -> Position {
    let mut signed = [0i8; 26];
    let mut off = [0u8; 2];
    let shape = rng.below(5);
    for (side, off) in off.iter_mut().enumerate() {
        for _ in 0..15 {
            let point = match shape {
                0 => 1 + rng.below(24),
                1 => 1 + rng.below(6),
                2 => 1 + rng.below(9),
                3 => 1 + rng.below(24).min(rng.below(24)),
                _ => 1 + rng.below(7),
            } as usize;
            let leaves = rng.below(8);
            if leaves == 0 {
                *off += 1;
                continue;
            }
            let (place, sign) = if side == 0 { (point, 1) } else { (25 - point, -1) };
            if leaves == 1 && rng.below(6) == 0 && shape != 4 {
                if side == 0 { signed[25] += 1 } else { signed[0] -= 1 }
            } else if signed[place] * sign >= 0 {
                signed[place] += sign;
            } else {
                *off += 1;
            }
        }
    }
    let dice = [1 + rng.below(6) as u8, 1 + rng.below(6) as u8];
    let mover = if rng.below(2) == 0 { Side::First } else { Side::Second };
    position_of(&signed, off, mover, dice)
}

fn check_against_slow(state: &Position) {
    let Some(dice) = state.dice() else { return };
    if state.winner().is_some() {
        return;
    }
    let mut fast = fast_results(state);
    fast.sort_unstable();
    // The slow list has no doubles, so equality also says that no position is listed twice.
    assert_eq!(fast, slow_results(&state.signed(state.mover()), dice), "at {}", Backgammon.text(state));
}

#[test]
fn two_generators_agree_on_scattered_positions() {
    let mut rng = Rng::new(20_260_101);
    for _ in 0..60_000 {
        check_against_slow(&scattered(&mut rng));
    }
}

#[test]
fn two_generators_agree_along_games() {
    let mut rng = Rng::new(7);
    let mut seen = 0;
    let mut moves = Vec::new();
    while seen < 40_000 {
        let mut state = Backgammon.start();
        while !Backgammon.turn(&state).is_over() {
            state.roll_dice(&mut rng);
            check_against_slow(&state);
            seen += 1;
            state.plays(&mut moves);
            Backgammon.apply(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
    }
}

fn reference(name: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../oracles/backgammon").join(name);
    let text = std::fs::read_to_string(path).expect("the oracle is in the repository");
    serde_json::from_str(&text).expect("the reference is JSON")
}

fn signed_of(value: &Value) -> Signed {
    let numbers: Vec<i8> =
        value.as_array().expect("a board").iter().map(|n| n.as_i64().expect("a number") as i8).collect();
    numbers.try_into().expect("26 numbers")
}

#[test]
fn every_board_of_the_reference_is_equal() {
    let reference = reference("movegen-reference.json");
    let items = reference["items"].as_array().expect("items");
    assert_eq!(items.len(), 160);
    for item in items {
        let number = |value: &Value| value.as_u64().expect("a number") as u8;
        let dice = [number(&item["dice"][0]), number(&item["dice"][1])];
        let off = [number(&item["off"][0]), number(&item["off"][1])];
        let state = position_of(&signed_of(&item["board"]), off, Side::First, dice);
        let mut results = fast_results(&state);
        results.sort();
        let mut wanted: Vec<Signed> =
            item["results"].as_array().expect("results").iter().map(signed_of).collect();
        wanted.sort();
        assert_eq!(results, wanted, "{item}");

        let id = item["position_id"].as_str().expect("an ID");
        let text = format!("{id}:{}{}", dice[0].max(dice[1]), dice[0].min(dice[1]));
        assert_eq!(Backgammon.parse(&text), Ok(state.clone()), "{text}");
        assert_eq!(Backgammon.text(&state), text);

        for (play, result) in
            item["moves"].as_array().expect("moves").iter().zip(item["results"].as_array().unwrap())
        {
            let play = play.as_str().expect("a play");
            let found = Backgammon.find_move(&state, play).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(state.after(found).signed(Side::First), signed_of(result), "{play} at {text}");
        }
    }
}

#[test]
fn labels_name_one_play_each_and_texts_come_back() {
    let mut rng = Rng::new(99);
    let mut moves = Vec::new();
    for _ in 0..400 {
        let state = scattered(&mut rng);
        if state.winner().is_some() {
            continue;
        }
        assert_eq!(Backgammon.parse(&Backgammon.text(&state)), Ok(state.clone()));
        state.plays(&mut moves);
        for &mv in &moves {
            let label = Backgammon.label(&state, mv);
            assert_eq!(
                Backgammon.find_move(&state, &label),
                Ok(mv),
                "{label} at {}",
                Backgammon.text(&state)
            );
        }
    }
}

#[test]
fn the_start_is_gnubgs_and_both_seats_are_alike() {
    let start = Backgammon.start();
    assert_eq!(Backgammon.text(&start), "4HPwATDgc/ABMA:open");
    assert_eq!(Backgammon.turn(&start), Turn::Chance);
    let mut outcomes = Vec::new();
    Backgammon.chance(&start, &mut outcomes);
    let starts = |side: Side| {
        let mut total = 0.0;
        for &(mv, probability) in &outcomes {
            let mut state = start.clone();
            Backgammon.apply(&mut state, mv);
            if state.mover() == side {
                total += probability;
            }
        }
        total
    };
    assert!((starts(Side::First) - 0.5).abs() < 1e-6 && (starts(Side::Second) - 0.5).abs() < 1e-6);
    let state = Backgammon.parse("4HPwATDgc/ABMA:31").expect("a position");
    let played = Backgammon.find_move(&state, "8/5 6/5").map(|mv| Backgammon.label(&state, mv));
    assert_eq!(played, Ok("8/5 6/5".into()));
    let count = |text: &str| fast_results(&Backgammon.parse(text).expect("a position")).len();
    assert_eq!([count("4HPwATDgc/ABMA:31"), count("4HPwATDgc/ABMA:65")], [16, 7]);
}

#[test]
fn bad_position_texts_are_refused_with_a_remedy() {
    for text in [
        "",
        "4HPwATDgc/ABM",
        "4HPwATDgc/ABMA:",
        "4HPwATDgc/ABMA:07",
        "4HPwATDgc/ABMA:3",
        "4HPwATDgc/ABMA:31:third",
        "4HPwATDgc/ABMA:31:second:x",
        "4HPwATDgc/ABMB",
        "4HPwATDgc*ABMA",
        "//////////////",
        "AAAAAAAAAAAAAA",
        "4HPwATDgc/ABMA:open:second",
        "éééé4HPwAT",
        "4HPwATDgc/ABMAA",
        "/38AAAAAAAAAAA:31",
    ] {
        match Backgammon.parse(text) {
            // A trailing colon says "no roll".
            Ok(state) => assert_eq!((text, state.roll()), ("4HPwATDgc/ABMA:", Roll::Next)),
            Err(error) => assert!(error.to_string().contains("4HPwATDgc/ABMA:31"), "{error}"),
        }
    }
}

#[test]
fn a_random_playout_draws_what_the_listing_draws() {
    // The same game through the fast playout and through the trait's own must agree in distribution: mean length.
    let (mut fast, mut plain) = (0u64, 0u64);
    for unit in 0..2_000 {
        let mut state = Backgammon.start();
        fast += u64::from(Backgammon.playout(&mut state, &mut Rng::stream(1, unit)).plies);
        let mut state = Backgammon.start();
        plain +=
            u64::from(ludens_core::uniform_playout(&Backgammon, &mut state, &mut Rng::stream(2, unit)).plies);
    }
    let ratio = fast as f64 / plain as f64;
    assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
}

#[test]
fn inputs_have_one_length_and_tell_the_mover() {
    assert_eq!(Backgammon.encoding_len(), 198);
    let state = Backgammon.parse("4HPwATDgc/ABMA:31:second").expect("a position");
    let mut inputs = Vec::new();
    Backgammon.encode(&state, Side::First, &mut inputs);
    assert_eq!(inputs[196..], [0.0, 1.0]);
    Backgammon.encode(&state, Side::Second, &mut inputs);
    assert_eq!(inputs[196..], [1.0, 0.0]);
    let men: f32 = inputs[..96].chunks(4).map(|units| units[0] + units[1] + units[2] + 2.0 * units[3]).sum();
    assert_eq!(men, 15.0);
}
