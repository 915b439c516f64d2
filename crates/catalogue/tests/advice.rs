//! Hints and judgements are true where the truth is known: in Connect Four by the solver and other people's solved positions, in tic-tac-toe
//! and at the end of Reversi by exhaustion.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ludens_catalogue::advice::{advise, advisor, judge};
use ludens_catalogue::{Catalogue, House};
use ludens_core::words::{Fate, Mark, Voice};
use ludens_core::{Front, NoModels, Rng, Side, Table};
use ludens_search::connect_four_solver::{Position, Solver};

const TIME: Duration = Duration::from_secs(1);

/// Positions of each kind; `LUDENS_HINTS=250` makes a thousand of Connect Four.
fn wanted() -> usize {
    std::env::var("LUDENS_HINTS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

fn oracle(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn open(house: &House, game: &str) -> (Arc<dyn Front>, String) {
    let front = house.games.open(game).unwrap();
    let strongest = advisor(&*front, house.games.zoo());
    (front, strongest)
}

/// Never worse than the best by outcome; and a move chosen at random is judged by what it loses.
#[test]
fn hints_and_judgements_in_connect_four_are_the_truth() {
    let house = House::from(Catalogue::standard());
    let (front, strongest) = open(&house, "connect-four");
    let mut table = front.table(Arc::new(NoModels));
    let mut solver = Solver::<7, 6>::default();
    let mut rng = Rng::new(11);
    let (mut asked, mut marked, mut unknown) = (0, 0, 0);
    for set in
        ["Test_L1_R1_begin-easy", "Test_L2_R1_middle-easy", "Test_L2_R2_middle-medium", "Test_L3_R1_end-easy"]
    {
        let text = oracle(&format!("connect_four/{set}"));
        let mut lines: Vec<&str> = text.lines().collect();
        rng.shuffle(&mut lines);
        for line in lines.into_iter().take(wanted()) {
            let (moves, score) = line.split_once(' ').unwrap();
            let score: i32 = score.trim().parse().unwrap();
            table.restart(Some(moves)).unwrap();
            let mut advice = advise(&mut *table, &strongest, &mut rng, TIME).unwrap();
            let position = Position::to_solve(moves).unwrap();
            // Two yes-or-no searches say how a move ends; its exact score would take far longer.
            let mut sign = |mv: ludens_core::Move| {
                let mut reaches = |least| solver.move_reaches(&position, mv.0 as usize, least);
                if reaches(1) { 1 } else { i32::from(reaches(0)) - 1 }
            };
            assert_eq!(sign(advice.mv), score.signum(), "{moves}: {:?}", advice.mv);
            let legal = table.moves();
            let played = legal[rng.below(legal.len() as u32) as usize];
            let asked_with = (&mut rng, TIME, Voice::ToMover);
            let judged = judge(&mut *table, &mut advice, played, asked_with).unwrap().unwrap();
            let Some(loss) = judged.loss else {
                unknown += 1;
                asked += 1;
                continue;
            };
            let lost =
                Fate::by_sign(f64::from(score)).chance() - Fate::by_sign(f64::from(sign(played))).chance();
            assert_eq!(loss, lost, "{moves}: {played:?} {judged:?}");
            assert_eq!(judged.mark, Mark::of(lost));
            marked += u32::from(judged.mark.is_some());
            asked += 1;
        }
    }
    println!(
        "{asked} hints in Connect Four, none worse than the best; of as many random moves {marked} were marked, {unknown} could not be judged in time"
    );
    assert!(marked > 0 && 5 * unknown < asked, "{marked} marked, {unknown} of {asked} unknown");
}

/// The result with best play for the side to move, by trying everything.
fn result(table: &mut dyn Table, side: Side) -> f32 {
    if let Some(score) = table.view().score {
        return score.of(side);
    }
    let mover = table.to_move().unwrap();
    let results = table.moves().into_iter().map(|mv| {
        table.play(mv).unwrap();
        let result = result(table, side);
        table.undo();
        result
    });
    if mover == side { results.fold(-1.0, f32::max) } else { results.fold(1.0, f32::min) }
}

#[test]
fn hints_in_tic_tac_toe_keep_the_outcome() {
    let house = House::from(Catalogue::standard());
    let (front, strongest) = open(&house, "tic-tac-toe");
    let mut table = front.table(Arc::new(NoModels));
    let mut rng = Rng::new(3);
    for _ in 0..4 * wanted() {
        table.restart(None).unwrap();
        for _ in 0..2 + rng.below(6) {
            let moves = table.moves();
            table.play(moves[rng.below(moves.len() as u32) as usize]).unwrap();
            if table.is_over() {
                table.undo();
                break;
            }
        }
        let side = table.to_move().unwrap();
        let best = result(&mut *table, side);
        let advice = advise(&mut *table, &strongest, &mut rng, TIME).unwrap();
        let fate = advice.decision.why.get(advice.mv).unwrap().fate;
        assert_eq!(fate, Some(Fate::by_sign(f64::from(best))), "{}", table.view().text);
        table.play(advice.mv).unwrap();
        assert_eq!(result(&mut *table, side), best);
    }
}

/// Near the end of Reversi the outcome is proved, not guessed, and agrees with the published scores.
#[test]
fn the_end_of_reversi_is_proved() {
    let house = House::from(Catalogue::standard());
    let (front, strongest) = open(&house, "reversi");
    let mut table = front.table(Arc::new(NoModels));
    let mut rng = Rng::new(5);
    let (mut proved, mut all) = (0, 0);
    // "BOARD X; MOVE:SCORE; MOVE:SCORE; …": the first is the best.
    for line in oracle("reversi/fforum-1-19.obf").lines().take(6) {
        let mut parts = line.split(';');
        let position = parts.next().unwrap().trim();
        let best = parts.next().and_then(|part| part.trim().split_once(':')).unwrap();
        let score: f64 = best.1.trim().parse().unwrap();
        let text = position.replace('-', ".").replace('X', "x").replace('O', "o");
        table.restart(Some(&text)).unwrap_or_else(|error| panic!("{line}: {error}"));
        all += 1;
        let advice = advise(&mut *table, &strongest, &mut rng, 10 * TIME).unwrap();
        if let Some(fate) = advice.decision.why.get(advice.mv).unwrap().fate {
            assert_eq!(fate, Fate::by_sign(score), "{line}");
            proved += 1;
        }
    }
    println!("{proved} of {all} ends of Reversi proved");
    assert!(proved > 0, "none of {all} was proved");
}
