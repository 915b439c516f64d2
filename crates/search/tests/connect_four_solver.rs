//! The solver against plain minimax on small boards, and against the published scores where they lie at hand.

use std::collections::HashMap;
use std::path::PathBuf;

use ludens_core::Rng;
use ludens_search::connect_four_solver::bitboard::Squares;
use ludens_search::connect_four_solver::{Position, PositionError, Ranker, Solver, zugzwang};

/// Plain minimax with a memory: nothing in common with the solver but the board.
fn minimax<const W: usize, const H: usize>(
    position: &Position<W, H>,
    memory: &mut HashMap<Position<W, H>, i32>,
) -> i32 {
    if position.ended_by_last_move() {
        return -((Squares::<W, H>::CELLS + 2 - position.discs()) / 2);
    }
    if position.is_full() {
        return 0;
    }
    if let Some(&score) = memory.get(position) {
        return score;
    }
    let children: Vec<_> = position.children().collect();
    let score = children.iter().map(|(_, child)| -minimax(child, memory)).max().unwrap_or(0);
    memory.insert(*position, score);
    score
}

fn random_game<const W: usize, const H: usize>(rng: &mut Rng, discs: i32) -> Option<Position<W, H>> {
    let mut position = Position::<W, H>::default();
    while position.discs() < discs {
        let children: Vec<_> = position.children().collect();
        if children.is_empty() {
            return None;
        }
        position = children[rng.below(children.len() as u32) as usize].1;
        if position.ended_by_last_move() {
            return None;
        }
    }
    (!position.is_full()).then_some(position)
}

/// Scores, best moves and all moves of random positions, and the zugzwang bound of each.
fn agree<const W: usize, const H: usize>(fewest: i32, positions: usize) {
    let mut memory = HashMap::new();
    let mut solver = Solver::<W, H>::with_table_bits(12);
    let mut rng = Rng::new(W as u64 * 100 + H as u64);
    let mut done = 0;
    while done < positions {
        let discs = fewest + rng.below((Squares::<W, H>::CELLS - fewest) as u32) as i32;
        let Some(position) = random_game::<W, H>(&mut rng, discs) else { continue };
        done += 1;
        let score = minimax(&position, &mut memory);
        assert_eq!(solver.score(&position), score, "{W}×{H} {position:?}");
        let children: Vec<_> = position.children().collect();
        let truth: Vec<(usize, i32)> =
            children.iter().map(|(column, child)| (*column, -minimax(child, &mut memory))).collect();
        for (column, score) in &truth {
            assert!(solver.move_reaches(&position, *column, *score), "{W}×{H} {position:?}");
            assert!(!solver.move_reaches(&position, *column, *score + 1), "{W}×{H} {position:?}");
        }
        let scores = solver.move_scores(&position);
        assert_eq!(truth.len(), scores.iter().flatten().count());
        assert!(
            truth.iter().all(|&(column, s)| scores[column] == Some(s)),
            "{W}×{H} {position:?} {scores:?}"
        );
        let best = solver.best_moves(&position);
        let columns = truth.iter().filter(|(_, s)| *s == score).fold(0, |set, (c, _)| set | 1 << c);
        assert_eq!((best.score, best.columns), (score, columns), "{W}×{H} {position:?}");
        zugzwang_holds(&position, score);
    }
}

/// The bound is promised only where neither side has a win on the move.
fn zugzwang_holds<const W: usize, const H: usize>(position: &Position<W, H>, score: i32) {
    let (mine, theirs, occupied) = (position.mine(), position.theirs(), position.occupied());
    let playable = Squares::<W, H>::playable(occupied);
    let their_wins = Squares::<W, H>::completing(theirs, occupied);
    if (Squares::<W, H>::completing(mine, occupied) | their_wins) & playable == 0 {
        let bound = zugzwang::upper_bound::<W, H>(mine, theirs, their_wins);
        assert!(score <= bound, "{W}×{H} {position:?}: {score} > {bound}");
    }
}

#[test]
fn equals_minimax_on_small_boards() {
    agree::<4, 4>(0, 400);
    agree::<5, 4>(6, 300);
    agree::<4, 5>(6, 300);
    agree::<4, 6>(11, 300);
    agree::<6, 4>(12, 300);
    agree::<5, 5>(13, 200);
}

#[test]
fn equals_minimax_near_the_end_of_large_boards() {
    agree::<7, 6>(26, 300);
    agree::<8, 7>(42, 60);
    agree::<9, 6>(40, 60);
    agree::<13, 3>(27, 60);
}

#[test]
fn zugzwang_bounds_hold_in_many_endings() {
    let mut memory = HashMap::new();
    let mut rng = Rng::new(17);
    let mut done = 0;
    while done < 3_000 {
        let discs = 28 + rng.below(13) as i32;
        let Some(position) = random_game::<7, 6>(&mut rng, discs) else { continue };
        done += 1;
        let score = minimax(&position, &mut memory);
        zugzwang_holds(&position, score);
        if memory.len() > 2_000_000 {
            memory.clear();
        }
    }
}

#[test]
fn the_mirror_image_scores_the_same() {
    let mut solver = Solver::<7, 6>::with_table_bits(14);
    let mut rng = Rng::new(5);
    for _ in 0..60 {
        let Some(position) = random_game::<7, 6>(&mut rng, 22) else { continue };
        let seen = solver.move_scores(&position);
        let mut mirrored = solver.move_scores(&position.mirrored());
        mirrored.reverse();
        assert_eq!(seen, mirrored);
    }
}

/// Ranks the moves as badly as it can.
#[derive(Debug)]
struct EdgesFirst;

impl Ranker for EdgesFirst {
    fn rank(&mut self, _mine: u64, _theirs: u64, ranks: &mut [i32]) {
        for (column, rank) in ranks.iter_mut().enumerate() {
            *rank = 1000 * (column as i32 - 3).abs();
        }
    }
}

#[test]
fn a_ranker_changes_the_work_and_never_the_answer() {
    let mut plain = Solver::<7, 6>::default();
    let mut ranked = Solver::<7, 6>::default().ranked_by(Box::new(EdgesFirst), 10);
    let mut rng = Rng::new(6);
    for _ in 0..100 {
        let Some(position) = random_game::<7, 6>(&mut rng, 20) else { continue };
        assert_eq!(plain.score(&position), ranked.score(&position));
    }
    assert!(ranked.nodes() > plain.nodes(), "{} against {}", ranked.nodes(), plain.nodes());
}

#[test]
fn the_work_depends_on_nothing_solved_before() {
    let position = Position::<7, 6>::to_solve("44333112277551").expect("a position");
    let mut fresh = Solver::<7, 6>::default();
    fresh.score(&position);
    let mut used = Solver::<7, 6>::default();
    used.score(&Position::to_solve("4444433352611").expect("a position"));
    let before = used.nodes();
    used.score(&position);
    assert_eq!(fresh.nodes(), used.nodes() - before);
}

#[test]
fn bad_games_are_refused_with_the_remedy() {
    let error = |moves| Position::<7, 6>::to_solve(moves).expect_err("no position").to_string();
    assert_eq!(error("448"), "move 3 is '8': write each move as the digit of its column, 1 to 7");
    assert_eq!(error("4x"), "move 2 is 'x': write each move as the digit of its column, 1 to 7");
    assert_eq!(error("4444444"), "move 7 plays column 4, which is full: check the moves before it");
    assert_eq!(
        error("12121213"),
        "the game ends with move 7, a four in a line: leave out the moves after it"
    );
    assert_eq!(error("1212121"), PositionError::Over.to_string());
    assert!(Position::<7, 6>::from_discs(2, 0).is_none(), "a disc in the air");
    assert!(Position::<7, 6>::from_discs(1, 1).is_none(), "two discs on one square");
}

/// Pascal Pons' published sets.
#[test]
fn equals_the_published_scores() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../oracles/connect_four");
    let mut solver = Solver::<7, 6>::default();
    for set in ["L1_R1_begin-easy", "L2_R1_middle-easy", "L2_R2_middle-medium", "L3_R1_end-easy"] {
        let text = std::fs::read_to_string(folder.join(format!("Test_{set}")))
            .expect("the oracle is in the repository");
        let mut checked = 0;
        for line in text.lines() {
            let (moves, score) = line.split_once(' ').expect("moves and score");
            let position = Position::to_solve(moves).expect(moves);
            assert_eq!(solver.score(&position).to_string(), score, "{moves}");
            checked += 1;
        }
        assert_eq!(checked, 1000, "{set}");
    }
}

/// The openings: none twice, none missing, and a book made of them answers for every earlier position and its mirror image.
#[test]
fn a_book_answers_for_every_earlier_position() {
    use ludens_search::connect_four_solver::book::{Book, BookError, openings};
    assert_eq!([0, 1, 2, 3, 4].map(|plies| openings(plies).len()), [1, 4, 25, 121, 568]);
    // Any scores will do; those of mirror images must agree.
    let score_of = |p: &Position<7, 6>| (p.mine().count_ones() * 3 + p.occupied().count_zeros()) as i32 % 5;
    let worth = |p: &Position<7, 6>| {
        let one = p.mine() * 31 + p.theirs();
        let other = p.mirrored().mine() * 31 + p.mirrored().theirs();
        (one.min(other) % 7) as i32 - score_of(p)
    };
    let lines: Vec<String> = openings(3).iter().map(|(moves, p)| format!("{moves} {}", worth(p))).collect();
    let book = Book::read(&lines.join("\n")).expect("a whole book");
    let expected = |p: &Position<7, 6>| {
        let best = |p: &Position<7, 6>| p.children().map(|(_, child)| -worth(&child)).max();
        best(p).expect("there are moves")
    };
    for moves in ["44", "12", "76", "71"] {
        let position = Position::from_moves(moves).expect("a position");
        assert_eq!(book.score(&position), Some(expected(&position)), "{moves}");
        let scores = book.move_scores(&position).expect("known");
        for (column, child) in position.children() {
            assert_eq!(scores[column], Some(-worth(&child)), "{moves}");
        }
    }
    let empty = Position::default();
    assert_eq!(book.score(&empty), book.move_scores(&empty).and_then(|s| s.into_iter().flatten().max()));
    assert!(book.score(&Position::from_moves("4444").expect("a position")).is_none());
    assert!(matches!(Book::read(&lines[1..].join("\n")), Err(BookError::Incomplete { missing: 1, .. })));
    assert!(matches!(Book::read("44 x"), Err(BookError::NoScore { line: 1 })));
}

/// What comes with the program is a whole book, and spot checks of it agree with the solver.
#[test]
fn the_shipped_book_is_whole() {
    use ludens_search::connect_four_solver::book::Book;
    let book = Book::shipped();
    assert!(book.plies() >= 2, "openings.txt is not whole");
    assert_eq!(book.score(&Position::default()), Some(1), "the first player wins with the last disc");
    // Allis: the middle wins, its neighbours draw, the others lose.
    let scores = book.move_scores(&Position::default()).expect("known");
    assert_eq!(scores.map(|s| s.map(i32::signum)), [-1, -1, 0, 1, 0, -1, -1].map(Some));
}
