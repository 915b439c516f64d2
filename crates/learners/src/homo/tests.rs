//! What it derives from the rules, checked against what everybody knows of the games.

use ludens_core::{Budget, Ctx, Explain, Game, Learner, Meter, Mind, Model, NO_CELL, Rng, Side, Turn};
use ludens_games::backgammon::Backgammon;
use ludens_games::connect_four::ConnectFour;
use ludens_games::reversi::Reversi;
use ludens_games::tictactoe::TicTacToe;

use super::active::Active;
use super::eye::{Seen, Sight};
use super::foresight::{Foresight, foresee};
use super::watching::{random_game, watch};
use super::{Homo, Settings, carried};

fn trained<G: Game>(game: &G, settings: Settings) -> Homo<G> {
    let mut homo = Homo::new(game, settings);
    for step in 0..homo.default_steps() {
        homo.step(game, &mut Ctx::new(&mut Rng::stream(3, step), &mut Meter::unlimited())).unwrap();
    }
    homo
}

fn few(games: u32) -> Settings {
    Settings { games, watched: 20, round: 10, states: 30, ..Settings::default() }
}

#[test]
fn a_disc_opens_the_cell_above_it_and_nothing_opens_where_every_cell_is_free() {
    let eye = |impression: super::watching::Impression| impression.eye;
    let settings = Settings::default();
    let watched = |seed| (Rng::new(seed), Meter::unlimited());
    let (mut rng, mut meter) = watched(1);
    let falling = eye(watch(&ConnectFour, &settings, &mut rng, &mut meter).unwrap());
    for cell in 0..42 {
        let above = if cell < 35 { cell + 7 } else { NO_CELL };
        let found = falling.opens[usize::from(cell)];
        // The topmost cells may never have been reached in so few games.
        assert!(found == above || found == NO_CELL && cell >= 28, "{cell} opens {found}");
    }
    let (mut rng, mut meter) = watched(2);
    let free = eye(watch(&TicTacToe, &settings, &mut rng, &mut meter).unwrap());
    assert!(free.opens.iter().all(|cell| *cell == NO_CELL));
    assert!(free.images.iter().filter(|image| !image.swaps).count() == 7, "the symmetries of a square");
    let (mut rng, mut meter) = watched(3);
    let reversi = eye(watch(&Reversi::default(), &settings, &mut rng, &mut meter).unwrap());
    assert!(reversi.opens.iter().all(|cell| *cell == NO_CELL));
}

/// In every column the lowest square that waits counts, for whom it wins and whether its row is even or odd.
#[test]
fn waiting_squares_are_counted_by_side_and_by_even_and_odd() {
    let mut impression =
        watch(&ConnectFour, &Settings::default(), &mut Rng::new(1), &mut Meter::unlimited()).unwrap();
    impression.eye.share(&[]);
    let eye = impression.eye;
    assert_eq!(eye.ways.len(), 7, "a way a column");
    // The first player has c1 d1 e1 below three of the second, the second c2 d2 e2: b2 and f2 win for the second once b1, f1 are filled.
    let state = ConnectFour.parse("334455").unwrap();
    let (mut moves, mut seen, mut sight) = (Vec::new(), Seen::default(), Sight::default());
    ConnectFour.moves(&state, &mut moves);
    eye.look(&ConnectFour, &state, &moves, &mut sight, &mut seen);
    let none = seen.digits[2 * eye.cells];
    let counts: Vec<u8> = seen.digits[2 * eye.cells..].iter().map(|digit| digit - none).collect();
    // First and second at even heights, counted from 0, then at odd ones.
    assert_eq!(counts, [0, 0, 0, 2]);
}

/// At a throw of dice it knows who throws: the same men are not the same.
#[test]
fn who_throws_is_seen() {
    let mut homo = Homo::new(&Backgammon, few(40));
    homo.step(&Backgammon, &mut Ctx::new(&mut Rng::new(3), &mut Meter::unlimited())).unwrap();
    assert!(homo.eye.dice);
    assert!(homo.eye.kinds.iter().any(|kind| kind.count > 4), "tall piles differ");
    let movers: Vec<u8> = homo.memory.iter().map(|example| example.seen.mover).collect();
    assert!(movers.contains(&0) && movers.contains(&1), "{movers:?}");
}

/// What is foreseen of a position, and the moves that are left.
fn foreseen(eye: &super::eye::Eye, line: &str) -> (Foresight, Vec<u16>) {
    let state = ConnectFour.parse(line).unwrap();
    let Turn::Player(side) = ConnectFour.turn(&state) else { panic!("the game is over") };
    let (mut moves, mut seen, mut sight) = (Vec::new(), Seen::default(), Sight::default());
    ConnectFour.moves(&state, &mut moves);
    eye.look(&ConnectFour, &state, &moves, &mut sight, &mut seen);
    let foresight = foresee(eye, &mut sight, side);
    let kept =
        moves.iter().zip(&sight.keeps).filter(|(_, keeps)| **keeps).map(|(mv, _)| mv.0 as u16).collect();
    (foresight, kept)
}

/// Watching teaches that four in a row win; then wins and losses near by are seen without a move. Where completing a set does not win, nothing is.
#[test]
fn what_is_decided_is_foreseen() {
    let watched = |settings: &Settings| {
        watch(&ConnectFour, settings, &mut Rng::new(1), &mut Meter::unlimited()).unwrap().eye
    };
    let eye = watched(&Settings::default());
    assert!(eye.foresees);
    assert_eq!(foreseen(&eye, "112233").0, Foresight::Won, "d1 wins");
    assert_eq!(foreseen(&eye, "445566"), (Foresight::Won, Vec::new()));
    assert_eq!(foreseen(&eye, "1122337").0, Foresight::Some);
    assert_eq!(foreseen(&eye, "1122337").1, [3], "d1 must be filled");
    assert_eq!(foreseen(&eye, "44").0, Foresight::Open);
    // c1 to f1 are the first player's on three of them, and both ends are free.
    assert_eq!(foreseen(&eye, "33445").0, Foresight::Lost);
    assert_eq!(foreseen(&eye, "334455").0, Foresight::Won);
    assert!(!watched(&Settings { foresees: false, ..Settings::default() }).foresees);
    let reversi =
        watch(&Reversi::default(), &Settings::default(), &mut Rng::new(1), &mut Meter::unlimited()).unwrap();
    assert!(!reversi.eye.foresees);
}

/// At dice the view of the whole is a part of the judgement, of the reasons and of a file; changing the sides changes its sign.
#[test]
fn the_view_of_the_whole_is_kept_and_counted() {
    let mut homo = trained(&Backgammon, few(40));
    assert!(!homo.judge.whole.rows.is_empty());
    assert!(
        homo.memory.iter().any(|example| example.by == super::judgement::By::Judged),
        "it plays on in its head"
    );
    let bytes = homo.save().to_bytes();
    let mut loaded = Homo::load(&Backgammon, &Model::from_bytes(&bytes).unwrap()).unwrap();
    assert_eq!(loaded.save().to_bytes(), bytes);
    let mut rng = Rng::new(5);
    let state = random_game(&Backgammon, &mut rng, &mut Meter::unlimited()).states;
    let state = state.iter().find(|state| matches!(Backgammon.turn(state), Turn::Player(_))).unwrap();
    let rank = |homo: &mut Homo<Backgammon>| {
        let (mut meter, mut rng) = (Meter::unlimited(), Rng::new(1));
        let mut ctx = Ctx { rng: &mut rng, meter: &mut meter, explain: Explain::EVERYTHING };
        homo.rank(&Backgammon, state, &mut ctx).unwrap()
    };
    let (one, other) = (rank(&mut homo), rank(&mut loaded));
    assert_eq!(one, other);
    for candidate in &one.moves {
        let product: f64 = candidate.reasons.iter().map(|reason| reason.worth).product();
        assert!((product / candidate.value - 1.0).abs() < 1e-6);
    }
    let without = trained(&Backgammon, Settings { whole: false, ..few(40) });
    assert!(without.judge.whole.rows.is_empty());
}

/// A position and its mirror image are judged alike, by what was learnt.
#[test]
fn images_are_judged_alike() {
    let homo = trained(&ConnectFour, few(60));
    let (mut active, mut sight) = (Active::default(), Sight::default());
    let mut look = |state: &<ConnectFour as Game>::State| {
        let (mut moves, mut seen) = (Vec::new(), Seen::default());
        ConnectFour.moves(state, &mut moves);
        homo.eye.look(&ConnectFour, state, &moves, &mut sight, &mut seen);
        homo.judge.log_odds((&homo.eye, &homo.settings, &homo.chunks), &seen, &mut active)
    };
    let mut compared = 0;
    for seed in 0..20 {
        for state in random_game(&ConnectFour, &mut Rng::new(seed), &mut Meter::unlimited()).states {
            for image in ConnectFour.mirrors(&state) {
                let (one, other) = (look(&state), look(&image));
                assert!((one - other).abs() < 1e-3, "{one} and {other}");
                compared += 1;
            }
        }
    }
    assert!(compared > 200);
}

/// The parts that reasons are made of add up to what the search compares.
#[test]
fn the_parts_make_up_the_judgement() {
    let homo = trained(&ConnectFour, Settings { pairs: 50, ..few(120) });
    let (mut active, mut sight, mut moves) = (Active::default(), Sight::default(), Vec::new());
    for state in random_game(&ConnectFour, &mut Rng::new(9), &mut Meter::unlimited()).states {
        let mut seen = Seen::default();
        ConnectFour.moves(&state, &mut moves);
        homo.eye.look(&ConnectFour, &state, &moves, &mut sight, &mut seen);
        let sum = homo.judge.log_odds((&homo.eye, &homo.settings, &homo.chunks), &seen, &mut active);
        let parts = homo.chunks.parts(&homo.eye, &homo.settings, &homo.judge.weights, &seen);
        let contexts: f64 = parts.by_context.iter().map(|(_, part)| part).sum();
        let together: f64 = parts.together.iter().map(|(_, part)| part).sum();
        assert!((f64::from(sum) - parts.always - contexts - together).abs() < 1e-3);
    }
}

/// Three contents that are there together count as one chunk, in every image of the board, in the sum and in its parts, and are kept.
#[test]
fn a_triple_counts_where_all_three_are_there_and_in_every_image() {
    let mut homo = trained(&ConnectFour, few(60));
    let at = |homo: &Homo<ConnectFour>, text: &str| {
        let (mut moves, mut seen, mut sight) = (Vec::new(), Seen::default(), Sight::default());
        let state = ConnectFour.parse(text).unwrap();
        ConnectFour.moves(&state, &mut moves);
        homo.eye.look(&ConnectFour, &state, &moves, &mut sight, &mut seen);
        let mut active = Active::default();
        homo.chunks.activate(&homo.eye, &homo.settings, &seen, &mut active);
        (seen, active)
    };
    let (seen, active) = at(&homo, "4453");
    let mirror = at(&homo, "4435").1;
    // What is there in the mirror image too would count twice.
    let one_sided = active.found.iter().filter(|found| !mirror.found.contains(found));
    let known: Vec<u32> = one_sided.filter_map(super::active::Found::entry).collect();
    let three = [known[0], known[known.len() / 2], known[known.len() - 1]];
    let before = homo.chunks.list.len();
    assert!(homo.chunks.put_together(&homo.eye, &homo.settings, &three, 9));
    assert!(!homo.chunks.put_together(&homo.eye, &homo.settings, &three, 9), "once is enough");
    assert!(homo.chunks.knows_together(homo.chunks.together_key(&homo.eye, &three).0));
    let mut weights = vec![0.0; before + 1];
    weights[before] = 1.0;
    let worths = homo.chunks.worths(&weights);
    let sum = |homo: &Homo<ConnectFour>, text: &str| {
        let (seen, mut active) = at(homo, text);
        let parts = homo.chunks.parts(&homo.eye, &homo.settings, &weights, &seen);
        let sum = homo.chunks.sum(&weights, &worths, &seen, &mut active);
        assert_eq!(f64::from(sum), parts.together.iter().map(|(_, part)| part).sum::<f64>());
        assert!(parts.together.iter().all(|(contexts, _)| contexts.len() == 3));
        sum
    };
    assert_eq!(sum(&homo, "4453").abs(), 1.0);
    assert_eq!(sum(&homo, "4435"), sum(&homo, "4453"), "the mirror image");
    assert_eq!(sum(&homo, "4412"), 0.0, "one of the three is missing");
    homo.settled = weights.clone();
    homo.settle();
    let kept = Homo::load(&ConnectFour, &homo.save_for_play()).unwrap();
    assert_eq!(kept.chunks.list, homo.chunks.list);
    let (mut again, mut first) = (Active::default(), Active::default());
    kept.chunks.activate(&kept.eye, &kept.settings, &seen, &mut again);
    homo.chunks.activate(&homo.eye, &homo.settings, &seen, &mut first);
    let sums = [(&kept, &mut again), (&homo, &mut first)]
        .map(|(homo, active)| homo.chunks.sum(&weights, &homo.chunks.worths(&weights), &seen, active));
    assert_eq!(sums[0], sums[1]);
}

/// Kept and taken up again after every round, a training comes to the same, pairs and triples among it.
#[test]
fn a_training_taken_up_again_comes_to_the_same() {
    let settings = Settings { games: 240, watched: 10, round: 4, states: 40, ..Settings::default() };
    let mut straight = Homo::new(&TicTacToe, settings);
    let mut again = straight.save();
    for step in 0..58 {
        let mut resumed = Homo::load(&TicTacToe, &again).unwrap();
        for homo in [&mut straight, &mut resumed] {
            homo.step(&TicTacToe, &mut Ctx::new(&mut Rng::stream(7, step), &mut Meter::unlimited())).unwrap();
        }
        again = resumed.save();
        assert!(straight.save().to_bytes() == again.to_bytes(), "after {step} steps");
    }
    let together = |chunk: &&super::chunks::Chunk| matches!(chunk.is, super::chunks::Is::Together(_));
    assert!(straight.chunks.list.iter().filter(together).count() > 0, "or it has shown little");
}

/// A win at once is taken, and said to be one, whatever was learnt.
#[test]
fn it_takes_a_win_and_knows_it() {
    let mut homo = trained(&TicTacToe, few(40));
    let state = TicTacToe.parse("xx.oo....").unwrap();
    assert_eq!(TicTacToe.turn(&state), Turn::Player(Side::First));
    let mut meter = Meter::new(Budget::States(300));
    let mut rng = Rng::new(1);
    let mut ctx = Ctx { rng: &mut rng, meter: &mut meter, explain: Explain::EVERYTHING };
    let ranking = homo.rank(&TicTacToe, &state, &mut ctx).unwrap();
    let best = ranking.decide().unwrap();
    assert_eq!(TicTacToe.label(&state, best), "c1");
    assert_eq!(ranking.get(best).unwrap().fate, Some(ludens_core::words::Fate::Won));
}

/// What decisive sets look like is carried to a game with longer lines; what belongs to a place is not.
#[test]
fn forms_are_carried_over() {
    let small = trained(&TicTacToe, few(60));
    let forms = carried(&small.save_for_play()).unwrap();
    assert!(forms.iter().any(|(_, weight)| *weight != 0.0));
    let mut large = Homo::new(&ConnectFour, few(40));
    large.carry(forms);
    let mut fresh = Homo::new(&ConnectFour, few(40));
    let first = |homo: &mut Homo<ConnectFour>| {
        homo.step(&ConnectFour, &mut Ctx::new(&mut Rng::new(3), &mut Meter::unlimited())).unwrap();
        homo.save().to_bytes()
    };
    assert_ne!(first(&mut large), first(&mut fresh));
}

/// Further training after a file for play is not that of a whole file, but it plays the same.
#[test]
fn a_file_for_play_plays_as_the_learner_does() {
    let mut homo = trained(&ConnectFour, few(60));
    let bytes = homo.save_for_play().to_bytes();
    let mut loaded = Homo::load(&ConnectFour, &Model::from_bytes(&bytes).unwrap()).unwrap();
    for state in random_game(&ConnectFour, &mut Rng::new(4), &mut Meter::unlimited()).states {
        let rank = |homo: &mut Homo<ConnectFour>| {
            let mut meter = Meter::new(Budget::States(100));
            let ranking =
                homo.rank(&ConnectFour, &state, &mut Ctx::new(&mut Rng::new(1), &mut meter)).unwrap();
            ranking.moves.iter().map(|candidate| candidate.value.to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(rank(&mut homo), rank(&mut loaded));
    }
}
