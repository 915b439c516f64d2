//! The context network on any board: its gradient against finite differences, its shares, and that it learns what a search knows.

use ludens_core::{Game, Learner, Rng, Stop, Turn, math};
use ludens_games::backgammon::Backgammon;
use ludens_games::tictactoe::TicTacToe;
use ludens_learners::beyond::contexts_any::{ContextsAny, Net, Settings, Shapes};
use ludens_learners::rules::Kept;

mod support;

fn shapes() -> Shapes {
    Shapes::of(&TicTacToe.board(&TicTacToe.start()), &TicTacToe.facts()).unwrap()
}

#[test]
fn eight_lines_of_four_shapes() {
    let shapes = shapes();
    assert_eq!(shapes.all.len(), 8);
    assert_eq!(shapes.detectors, 1 + 4, "one for the length, one for each direction");
    assert!(shapes.all.iter().all(|shape| shape.straight));
}

/// One update moves every weight by −rate · gradient.
#[test]
fn the_gradient_is_that_of_finite_differences() {
    let (shapes, rate) = (shapes(), 0.01f32);
    let cells = [1, 0, -1, 0, 1, 0, 0, -1, 0];
    let moves: Vec<Vec<u16>> = vec![vec![1], vec![3, 9 + 4], vec![8]];
    let start = Net::new(&shapes, &mut Rng::new(5));
    let error = |net: &Net| {
        let trace = net.forward(&shapes, &cells);
        let of = |(at, ends): (usize, &Vec<u16>)| {
            let out = 1.0 / (1.0 + math::exp(-f64::from(net.value(&trace, ends))));
            0.5 * math::square(out - f64::from(u8::from(at == 1)))
        };
        moves.iter().enumerate().map(of).sum::<f64>()
    };
    let mut learnt = start.clone();
    learnt.learn(&shapes, &cells, &moves, 1, rate);
    let before: Vec<f32> = start.clone().each().map(|w| *w).collect();
    let after: Vec<f32> = learnt.each().map(|w| *w).collect();
    let mut checked = 0;
    for i in (0..before.len()).step_by(3) {
        let step = 2e-2f32;
        let at = |step: f32| {
            let mut net = start.clone();
            *net.each().nth(i).unwrap() += step;
            error(&net)
        };
        let slope = (at(step) - at(-step)) / (2.0 * f64::from(step));
        let gradient = f64::from((before[i] - after[i]) / rate);
        assert!((slope - gradient).abs() < 2e-4, "{i}: {slope} {gradient}");
        checked += usize::from(gradient.abs() > 1e-5);
    }
    assert!(checked > 100);
}

#[test]
fn shares_add_up_to_the_value() {
    let shapes = shapes();
    let net = Net::new(&shapes, &mut Rng::new(6));
    let trace = net.forward(&shapes, &[1, 0, -1, 0, 1, 0, 0, -1, 0]);
    for ends in [vec![1u16], vec![8], vec![3, 9 + 4]] {
        let (shares, rest) = net.shares(&shapes, &trace, &ends);
        let sum = shares.iter().sum::<f64>() + rest;
        assert!((sum - f64::from(net.value(&trace, &ends))).abs() < 1e-4);
    }
}

/// It learns what a search knows, on a native game and on the same game written in GDL, whose contexts come from the rules alone.
#[test]
fn it_learns_on_native_lines_and_on_contexts_from_rules() {
    fn learn<G: Game>(game: &G) -> (f64, f64) {
        let settings = Settings { labels: 1000, states: 1000, ..Settings::default() };
        let mut learner = ContextsAny::new(game, settings).unwrap();
        let mut first = Vec::new();
        for step in 0..100 {
            let measures = support::step(&mut learner, game, 1, step);
            first.push(measures.iter().find(|m| m.name == "labelled move first").unwrap().value);
        }
        let model = Learner::<G>::save(&learner);
        let again = <ContextsAny as Learner<G>>::load(game, &model).unwrap();
        assert_eq!(Learner::<G>::save(&again).to_bytes(), model.to_bytes());
        (first[0], *first.last().unwrap())
    }
    let (begin, end) = learn(&TicTacToe);
    assert!(end > begin && end > 0.4, "{begin} {end}");
    let rules = include_str!("../../gdl/rules/tic-tac-toe.kif");
    let game = Kept::default().open("tic-tac-toe.kif", rules, &Stop::default()).unwrap();
    let (begin, end) = learn(&*game);
    assert!(end > begin && end > 0.4, "{begin} {end}");
}

#[test]
fn a_game_without_contexts_is_refused() {
    let error = ContextsAny::new(&Backgammon, Settings::default()).unwrap_err().to_string();
    assert!(error.contains("set of cells"), "{error}");
    assert!(!matches!(Backgammon.turn(&Backgammon.start()), Turn::Over(_)));
}
