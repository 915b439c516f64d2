//! A game in the terminal.

use crate::run::{ludens, ludens_answering};

#[test]
fn a_whole_game_is_played_and_its_result_said() {
    let input = "a1\nb1\nc1\na2\nb2\nc2\na3\nb3\nc3\n".repeat(3);
    let game = ludens_answering("play tic-tac-toe --against random --seed 5", &input);
    let text = game.succeeds().stdout();
    assert!(["You win.", "You lose.", "A draw."].iter().any(|end| text.contains(end)), "{text}");
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let play =
        || ludens_answering("play connect-four --against random --seed 9", "4\n4\n4\n4\nquit\n").stdout();
    assert_eq!(play(), play());
}

#[test]
fn undo_hint_and_why_answer() {
    let input = "judge\nhint\na1\nwhy\njudge\nundo\nmoves\nquit\n";
    let game = ludens_answering("play tic-tac-toe --against depth1 --seed 1", input);
    game.succeeds()
        .printing("You have not moved yet.")
        .printing("Try ")
        .printing("depth1 plays")
        .printing("It found no move that wins at once, so it plays any.")
        .printing("a1 was ")
        .printing("a1  b1  c1");
}

#[test]
fn dice_are_rolled_for_both_sides() {
    let game = ludens_answering("play backgammon --against random --seed 2", "moves\nquit\n");
    game.succeeds().printing("on the bar");
}

#[test]
fn the_guide_asks_for_game_and_opponent() {
    ludens_answering("play", "1\n1\nquit\n").succeeds().printing("Which game?").printing("Against whom?");
    ludens("play").fails_with(2).saying("name the game");
}
