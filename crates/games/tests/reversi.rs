//! Reversi: what no other game's tests say.

use ludens_core::{Game, Move, Rng, Score, Side, Turn, perft};
use ludens_games::reversi::{PASS, Reversi, State};

/// The rules as a person applies them, square by square.
fn slow_flips(square: u32, own: u64, other: u64) -> u64 {
    let mut all = 0;
    if (own | other) >> square & 1 == 1 {
        return 0;
    }
    for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let (mut x, mut y) = (square as i32 % 8, square as i32 / 8);
        let mut run = 0u64;
        loop {
            (x, y) = (x + dx, y + dy);
            if !(0..8).contains(&x) || !(0..8).contains(&y) {
                break;
            }
            let bit = 1u64 << (y * 8 + x);
            if other & bit != 0 {
                run |= bit;
                continue;
            }
            if own & bit != 0 {
                all |= run;
            }
            break;
        }
    }
    all
}

#[test]
fn the_compass_agrees_with_the_slow_rules() {
    let reversi = Reversi::default();
    let mut rng = Rng::new(1);
    for round in 0..20_000 {
        // Boards of every density, most of them never met in play.
        let filled = if round % 2 == 0 { rng.next_u64() | rng.next_u64() } else { rng.next_u64() };
        let own = filled & rng.next_u64();
        let other = filled & !own;
        let mut mobility = 0;
        for square in 0..64 {
            let slow = slow_flips(square, own, other);
            mobility |= u64::from(slow != 0) << square;
            if (own | other) >> square & 1 == 0 {
                assert_eq!(reversi.compass().flips(square, own, other), slow, "{own:x} {other:x} {square}");
            }
        }
        assert_eq!(reversi.compass().moves(own, other), mobility, "{own:x} {other:x}");
    }
}

/// Eight positions side by side count what one position at a time counts, passes and early ends included.
#[test]
fn the_fast_perft_counts_what_the_plain_one_counts() {
    let reversi = Reversi::default();
    let mut rng = Rng::new(2);
    let mut moves = Vec::new();
    for _ in 0..60 {
        let mut state = reversi.start();
        let plies = rng.below(58);
        for _ in 0..plies {
            reversi.moves(&state, &mut moves);
            if moves.is_empty() {
                break;
            }
            reversi.apply(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
        for depth in 0..=4 {
            let plain = perft::leaves_and_ends(&reversi, &state, depth);
            assert_eq!(reversi.perft(&state, depth), plain, "{} {depth}", reversi.text(&state));
        }
    }
}

#[test]
fn passes_only_when_it_must() {
    let reversi = Reversi::default();
    // White has a1 and can move to c1 only by turning b1, which is black's; black cannot move.
    let text = format!("OX{} X", "-".repeat(62));
    let mut state = reversi.parse(&text).unwrap();
    let mut moves = Vec::new();
    reversi.moves(&state, &mut moves);
    assert_eq!(moves, [PASS]);
    assert!(reversi.play(&mut state.clone(), Move(5)).is_err());
    reversi.play(&mut state, PASS).unwrap();
    assert_eq!(reversi.turn(&state), Turn::Player(Side::Second));
    assert!(reversi.play(&mut state.clone(), PASS).is_err());
    reversi.play(&mut state, Move(2)).unwrap();
    assert_eq!(reversi.turn(&state), Turn::Over(Score::SECOND_WINS));
}

#[test]
fn equal_discs_are_a_draw() {
    let reversi = Reversi::default();
    let state = reversi.parse(&format!("{}{} X", "X".repeat(32), "O".repeat(32))).unwrap();
    assert_eq!(reversi.turn(&state), Turn::Over(Score::DRAW));
}

#[test]
fn refuses_what_is_not_a_position() {
    let reversi = Reversi::default();
    for text in
        ["", "X", &"-".repeat(64), &format!("{} Z", "-".repeat(64)), &format!("{}? X", "-".repeat(63))]
    {
        assert!(reversi.parse(text).unwrap_err().to_string().contains("64 characters"), "{text}");
    }
    assert_eq!(State::from_bits(1, 1, Side::First), None);
}

/// The published positions of the endgame solvers' forum are read as they are written.
#[test]
fn reads_the_forums_notation() {
    let reversi = Reversi::default();
    let text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let state = reversi.parse(text).unwrap();
    assert_eq!(reversi.text(&state), text);
    let mut labels: Vec<String> = Vec::new();
    let mut moves = Vec::new();
    reversi.moves(&state, &mut moves);
    labels.extend(moves.iter().map(|&mv| reversi.label(&state, mv)));
    assert_eq!(labels, ["b1", "h1", "a2", "g2", "a3", "a4", "h7", "g8"]);
}
