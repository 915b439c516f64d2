//! Our own rule files as games: boards, contexts, and the native games move for move.

use ludens_core::{Board, Game, Layout, Rng, Side, Stop, Turn, perft};
use ludens_gdl::{Description, GdlGame, Limits};
use std::sync::Arc;

fn game(name: &str) -> GdlGame {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("rules/{name}.kif"));
    GdlGame::open(&path).unwrap()
}

/// Whose stone is on each square.
fn stones(board: &Board) -> Vec<Option<Side>> {
    board.squares.iter().map(|s| s.side).collect()
}

/// Plays random games of both at once; the positions that moves lead to must be the same sets.
fn same_game<A: Game, B: Game>(native: &A, rules: &B, games: u64) {
    for g in 0..games {
        let mut rng = Rng::stream(5, g);
        let (mut a, mut b) = (native.start(), rules.start());
        loop {
            assert_eq!(stones(&native.board(&a)), stones(&rules.board(&b)));
            let turn = native.turn(&a);
            assert_eq!(turn, rules.turn(&b), "{}", rules.text(&b));
            if let Turn::Over(_) = turn {
                break;
            }
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            native.moves(&a, &mut ours);
            rules.moves(&b, &mut theirs);
            assert_eq!(ours.len(), theirs.len(), "{}", rules.text(&b));
            let mv = ours[rng.below(ours.len() as u32) as usize];
            native.apply(&mut a, mv);
            let wanted = stones(&native.board(&a));
            let twin = theirs.iter().find_map(|&m| {
                let mut after = b.clone();
                rules.apply(&mut after, m);
                (stones(&rules.board(&after)) == wanted).then_some(after)
            });
            b = twin.expect("a move that leads to the same board");
        }
    }
}

#[test]
fn the_native_games_and_their_rules_are_the_same_move_for_move() {
    same_game(&ludens_games::tictactoe::TicTacToe, &game("tic-tac-toe"), 100);
    same_game(&ludens_games::connect_four::ConnectFour, &game("connect-four"), 40);
    same_game(&ludens_games::reversi::Reversi::default(), &game("reversi"), 12);
}

#[test]
fn the_contexts_of_the_rules_are_the_lines_of_the_games() {
    let lines = |g: &GdlGame, length: usize| {
        assert!(g.contexts().iter().all(|c| c.len() == length), "{:?}", g.contexts());
        g.contexts().len()
    };
    assert_eq!(lines(&game("tic-tac-toe"), 3), 8);
    assert_eq!(lines(&game("connect-four"), 4), 69);
    // Straight lines only: equal steps.
    for c in game("connect-four").contexts() {
        let step = c[1] - c[0];
        assert!([1, 6, 7, 8].contains(&step) && c.windows(2).all(|p| p[1] - p[0] == step), "{c:?}");
    }
}

#[test]
fn boards_are_found_without_names() {
    let four = game("connect-four").board(&game("connect-four").start());
    assert_eq!((four.width, four.height, four.layout), (7, 6, Layout::Gravity));
    let reversi = game("reversi");
    let board = reversi.board(&reversi.start());
    assert_eq!((board.width, board.height, board.layout), (8, 8, Layout::Grid));
    assert_eq!(board.squares.iter().filter(|s| s.side.is_some()).count(), 4);
    let pawns = game("breakthrough");
    let board = pawns.board(&pawns.start());
    assert_eq!((board.width, board.height), (8, 8));
    assert_eq!(board.squares.iter().filter(|s| s.side == Some(Side::First)).count(), 16);
    assert!(board.squares[..16].iter().all(|s| s.side == Some(Side::First)), "white stands at the bottom");
}

/// Ten pieces with names of their own on five columns and four rows: the rules step through columns and rows, not through names.
#[test]
fn pieces_with_names_are_no_coordinate() {
    let pieces =
        (1..=5).map(|n| format!("(owns a a{n}) (owns b b{n}) (init (at a{n} {n} 1)) (init (at b{n} {n} 4))"));
    let numbers = (0..9).map(|n| format!("(succ {n} {})", n + 1));
    let text = pieces.chain(numbers).collect::<String>()
        + "(role a) (role b) (init (turn a)) (init (round 0)) (row 1) (row 2) (row 3) (row 4) (column 1) (column 2) (column 3) (column 4) (column 5)
        (<= (beside ?x ?y) (succ ?x ?y)) (<= (beside ?x ?y) (succ ?y ?x)) (<= (taken ?x ?y) (true (at ?p ?x ?y)))
        (<= (mine ?r ?p ?x ?y) (true (turn ?r)) (owns ?r ?p) (true (at ?p ?x ?y)))
        (<= (legal ?r (go ?p ?u ?y)) (mine ?r ?p ?x ?y) (beside ?x ?u) (column ?u) (not (taken ?u ?y)))
        (<= (legal ?r (go ?p ?x ?v)) (mine ?r ?p ?x ?y) (beside ?y ?v) (row ?v) (not (taken ?x ?v)))
        (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
        (<= (moved ?p) (does ?r (go ?p ?x ?y))) (<= (next (at ?p ?x ?y)) (does ?r (go ?p ?x ?y)))
        (<= (next (at ?p ?x ?y)) (true (at ?p ?x ?y)) (not (moved ?p)))
        (<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
        (<= (next (round ?n)) (true (round ?m)) (succ ?m ?n)) (<= terminal (true (round 9)))
        (<= (goal ?r 100) (role ?r) (true (at a1 1 ?y)) (row ?y)) (<= (goal ?r 0) (role ?r) (not (true (at a1 1 1))))";
    let rules = Description::load(&text, &Limits::default()).unwrap();
    let game = GdlGame::new("named", Arc::new(rules), &Stop::default()).unwrap();
    let board = game.board(&game.start());
    assert_eq!((board.width, board.height), (5, 4), "{:?}", game.board_map().unwrap().coordinates);
    assert_eq!(board.squares.iter().filter(|s| s.side == Some(Side::First)).count(), 5);
}

/// Renaming every symbol changes nothing.
#[test]
fn scrambled_rules_are_the_same_game() {
    let plain = game("connect-four");
    let text = include_str!("../rules/connect-four.kif");
    let bare: String = text.lines().map(|l| l.split(';').next().unwrap_or("").to_string() + "\n").collect();
    let spaced = bare.replace('(', " ( ").replace(')', " ) ");
    let keep = [
        "(", ")", "<=", "role", "init", "true", "does", "next", "legal", "goal", "terminal", "not",
        "distinct", "or",
    ];
    let rename = |w: &str| match w {
        _ if keep.contains(&w) || w.starts_with('?') || ["0", "50", "100"].contains(&w) => w.to_string(),
        _ => format!("q{:x}", w.bytes().fold(77u32, |h, b| h.wrapping_mul(31).wrapping_add(u32::from(b)))),
    };
    let scrambled: Vec<String> = spaced.split_whitespace().map(rename).collect();
    let description = Description::load(&scrambled.join(" "), &Limits::default()).unwrap();
    let other = GdlGame::new("scrambled", Arc::new(description), &Stop::default()).unwrap();
    assert_eq!(plain.contexts(), other.contexts());
    assert_eq!(perft::leaves(&plain, &plain.start(), 4), perft::leaves(&other, &other.start(), 4));
    same_game(&plain, &other, 5);
}

#[test]
fn positions_are_read_back_and_wrong_ones_refused() {
    let g = game("reversi");
    let mut state = g.start();
    let mut moves = Vec::new();
    g.moves(&state, &mut moves);
    g.apply(&mut state, moves[0]);
    assert_eq!(g.parse(&g.text(&state)).unwrap(), state);
    for wrong in ["(disc 9 9 black)", "((", "nothing"] {
        assert!(g.parse(wrong).is_err(), "{wrong}");
    }
    assert_eq!(g.cells(&g.start(), moves[0]).len(), 1);
}

#[test]
fn games_that_are_not_for_two_in_turn_say_so() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/chase.kif");
    let error = GdlGame::open(&path).unwrap_err().to_string();
    assert!(error.contains("ludens ggp"), "{error}");
}

/// The role `random` is chance: its throws are equally likely and nobody's move.
#[test]
fn the_random_role_throws_the_dice() {
    let race = game("dice-race");
    assert_eq!(race.turn(&race.start()), Turn::Player(Side::First));
    ludens_core::laws::check(&race, 60, 3).unwrap();
    let mut state = race.start();
    let mut moves = Vec::new();
    race.moves(&state, &mut moves);
    let throw = moves.iter().copied().find(|&m| race.label(&state, m) == "throw").unwrap();
    race.apply(&mut state, throw);
    assert_eq!(race.turn(&state), Turn::Chance);
    let mut dice = Vec::new();
    race.chance(&state, &mut dice);
    assert_eq!(dice.len(), 3);
    assert!(dice.iter().all(|(_, share)| (share - 1.0 / 3.0).abs() < 1e-6));
    // A one gives the turn away.
    let one = dice.iter().find(|(m, _)| race.label(&state, *m).contains('1')).unwrap().0;
    race.apply(&mut state, one);
    assert_eq!(race.turn(&state), Turn::Player(Side::Second));
}

/// Games recorded on the bit-parallel machine are games: each position follows from the one before.
#[test]
fn recorded_games_are_games() {
    for name in ["tic-tac-toe", "connect-four", "breakthrough"] {
        let g = game(name);
        let map = g.board_map().unwrap();
        let games = g.recorded_games(500, &mut Rng::new(4)).unwrap();
        assert_eq!(games.len(), ludens_gdl::recorded::GAMES_AT_A_TIME);
        let mut won = [0; 2];
        for recorded in games.iter().take(60) {
            let mut state = g.start();
            let mut moves = Vec::new();
            for (i, board) in recorded.boards.iter().enumerate() {
                assert_eq!(*board, map.contents(&state.0), "{name} position {i}");
                g.moves(&state, &mut moves);
                assert_eq!(recorded.choices[i] as usize, moves.len());
                let Turn::Player(side) = g.turn(&state) else {
                    assert_eq!(g.turn(&state), Turn::Over(recorded.score.unwrap()));
                    assert_eq!(i + 1, recorded.boards.len());
                    break;
                };
                assert_eq!(recorded.to_move[i], Some(side));
                let after = |m: &ludens_core::Move| {
                    let mut after = state.clone();
                    g.apply(&mut after, *m);
                    after
                };
                let next = moves.iter().map(after).find(|s| map.contents(&s.0) == recorded.boards[i + 1]);
                state = next.expect("a legal move leads to the next board");
            }
            won[0] += usize::from(recorded.score.is_some_and(|s| s.0 > 0.0));
            won[1] += usize::from(recorded.score.is_some_and(|s| s.0 < 0.0));
        }
        assert!(won[0] > 5 && won[1] > 5, "{won:?}");
    }
}

#[test]
fn moves_are_written_as_people_write_them_and_read_as_the_rules_do_too() {
    let pawns = game("breakthrough");
    let start = pawns.start();
    let mut moves = Vec::new();
    pawns.moves(&start, &mut moves);
    let labels: Vec<String> = moves.iter().map(|&mv| pawns.label(&start, mv)).collect();
    assert!(labels.contains(&"a2–b3".to_string()), "{labels:?}");
    let wanted = pawns.find_move(&start, "a2–b3").unwrap();
    for written in ["a2-b3", "A2-B3", "(walk 1 2 2 3)"] {
        assert_eq!(pawns.find_move(&start, written).ok(), Some(wanted), "{written}");
    }
    for wrong in ["a2", "a2-c3", "walk 1 2 2 3", ""] {
        assert!(pawns.find_move(&start, wrong).is_err(), "{wrong:?}");
    }
    let board = pawns.board(&start);
    assert_eq!((&*board.column_names[0], &*board.row_names[0]), ("a", "1"));
    // Where discs fall a move names a column, and columns keep their numbers.
    let discs = game("connect-four");
    assert_eq!(discs.board(&discs.start()).column_names[0], "1");
}
