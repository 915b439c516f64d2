//! Connect Four: what no other game's tests say.

use ludens_core::{Game, Move, Score, Side, Turn, perft};
use ludens_games::connect_four::{ConnectFour, State, has_four};

fn position(text: &str) -> State {
    ConnectFour.parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Distinct positions by ply, as published by Tromp (OEIS A212693); the deeper ones are in perft/.
#[test]
fn counts_the_published_positions() {
    assert_eq!(
        perft::distinct(&ConnectFour, &ConnectFour.start(), 7),
        [1, 7, 49, 238, 1120, 4263, 16422, 54859]
    );
}

#[test]
fn wins_in_every_direction() {
    for (moves, what) in
        [("1212121", "up"), ("1122334", "across"), ("12233434474", "rising"), ("76655454414", "falling")]
    {
        assert_eq!(ConnectFour.turn(&position(moves)), Turn::Over(Score::FIRST_WINS), "{what}");
        let before = position(&moves[..moves.len() - 1]);
        assert_eq!(ConnectFour.turn(&before), Turn::Player(Side::First), "{what}");
    }
}

#[test]
fn a_line_does_not_wrap_round_the_edge() {
    // The top of column 1 and the bottom of column 2 are neighbours as bits but not on the board.
    assert!(!has_four(0b011_1000 | 1 << 7 | 1 << 8));
}

#[test]
fn draws_on_a_full_board() {
    let columns = "121212212121343434434343565656656565777777";
    assert_eq!(ConnectFour.turn(&position(columns)), Turn::Over(Score::DRAW));
}

#[test]
fn reads_columns_and_cells_alike() {
    let cells = format!("..xx...{}{}", "..oo...", ".".repeat(28));
    assert_eq!(position("4433"), position(&cells));
    assert_eq!(position("4433"), position("3344"));
    assert_eq!(ConnectFour.text(&position("4433")), "3344");
    assert_eq!(position(""), ConnectFour.start());
}

/// Fallen discs in the right numbers that no order of turns can reach keep their cells as text.
#[test]
fn writes_cells_where_no_order_of_moves_exists() {
    let unreachable = format!("ooxx...{}", ".".repeat(35));
    assert_eq!(ConnectFour.text(&position(&unreachable)).len(), 4);
    let unreachable = format!("o......x......{}", ".".repeat(28));
    assert_eq!(ConnectFour.text(&position(&unreachable)), unreachable);
}

#[test]
fn refuses_what_is_not_a_position() {
    let floating = format!("{}x{}", ".".repeat(7), ".".repeat(34));
    let unbalanced = format!("xx{}", ".".repeat(40));
    let two_fours = format!("xxxx...oooo...{}", ".".repeat(28));
    let played_on = format!("xxxx...ooo....o......{}", ".".repeat(21));
    for text in [
        "8",
        "0",
        "4x",
        "1111111",
        "12121211",
        "４",
        &floating,
        &unbalanced,
        &two_fours,
        &played_on,
        &".".repeat(41),
        &"?".repeat(42),
    ] {
        let error = ConnectFour.parse(text).expect_err(text).to_string();
        assert!(error.contains("columns played"), "{error}");
    }
    let mut full = position("111111");
    assert!(ConnectFour.play(&mut full, Move(0)).is_err());
    assert!(ConnectFour.play(&mut full, Move(7)).is_err());
}
