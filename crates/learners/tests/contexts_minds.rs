//! The context networks as players: they explain themselves, go on where they stopped, and are as good as we say.

use ludens_core::{Budget, Explain, Game, Learner, Mind, Model, Rng, Side, Turn};
use ludens_games::connect_four::ConnectFour;
use ludens_learners::beyond::ranker::{RankerLearner, SolverOrder, move_ranker};
use ludens_learners::contexts::train::measure;
use ludens_learners::contexts::{ContextsLearner, Settings, shipped};
use ludens_search::connect_four_solver::Solver;

mod support;
use support::{choice, explained, games, size, step};

/// The values and the cost are the same with reasons and without; the reasons add up to a value that was computed apart from
/// them, in the ranker by single precision.
fn explains_itself(mind: &mut dyn Mind<ConnectFour>, precision: f64) {
    let game = ConnectFour;
    let mut rng = Rng::new(9);
    for _ in 0..20 {
        let mut state = game.start();
        while let Turn::Player(_) = game.turn(&state) {
            let (ranking, _) = explained(mind, &game, &state, Budget::Unlimited);
            let gap = ranking.gap().expect("the reasons add up");
            assert!(gap <= precision * size(&ranking), "{gap}");
            for of_move in &ranking.moves {
                let said: std::collections::HashSet<_> =
                    of_move.reasons.iter().map(|r| (&r.what, &r.cells)).collect();
                assert_eq!(said.len(), of_move.reasons.len(), "nothing is said twice: {:?}", of_move.reasons);
            }
            let mut legal = Vec::new();
            game.moves(&state, &mut legal);
            game.apply(&mut state, legal[rng.below(legal.len() as u32) as usize]);
        }
    }
}

fn shipped_ranker() -> RankerLearner {
    let model = Model::from_bytes(include_bytes!("../zoo/ranker-connect-four.1.safetensors")).unwrap();
    RankerLearner::load(&ConnectFour, &model).expect("the ranker that comes with the program")
}

#[test]
fn the_ranker_explains_itself() {
    explains_itself(&mut shipped_ranker(), 1e-5);
}

#[test]
fn a_learner_explains_itself_and_goes_on_to_the_same_bytes() {
    let steps = |learner: &mut ContextsLearner, numbers: std::ops::Range<u64>| {
        numbers.for_each(|n| drop(step(learner, &ConnectFour, 4, n)));
    };
    let make = || {
        let settings = Settings::from_spec(&mut "contexts:S4".parse().expect("a spec")).expect("settings");
        ContextsLearner::new(&settings).expect("a learner")
    };
    let (mut whole, mut stopped) = (make(), make());
    steps(&mut whole, 0..4);
    steps(&mut stopped, 0..2);
    let model = Model::from_bytes(&stopped.save().to_bytes()).expect("a model");
    let mut resumed = ContextsLearner::load(&ConnectFour, &model).expect("a learner");
    steps(&mut resumed, 2..4);
    assert_eq!(whole.save().to_bytes(), resumed.save().to_bytes());
    explains_itself(&mut resumed, 1e-9);
}

/// The zoo's trained network under the name of its learner.
#[test]
fn the_name_of_the_learner_is_the_trained_one() {
    let games = games();
    let animal = games.zoo().trained_by("contexts", "connect-four").expect("it is in the zoo");
    let model = games.zoo().model(&animal.name, animal.levels.len()).expect("a level").expect("a model");
    let mut mind = ContextsLearner::load(&ConnectFour, &model).expect("a learner");
    explains_itself(&mut mind, 1e-9);
    let front = games.open("connect-four").expect("a game");
    let mut table = front.table(std::sync::Arc::new(ludens_core::NoModels));
    for position in ["", "44", "112233"] {
        table.restart(Some(position)).expect(position);
        let named = table
            .think("contexts", &mut Rng::new(3), Budget::Unlimited, Explain::EVERYTHING)
            .expect(position);
        let state = ConnectFour.parse(position).expect(position);
        assert_eq!(named.why, explained(&mut mind, &ConnectFour, &state, Budget::Unlimited).0);
    }
}

#[test]
fn the_shipped_ranker_is_as_good_as_we_say() {
    let ranker = move_ranker().expect("it is shipped");
    let examples = shipped::labelled().expect("they are shipped");
    let ranks = measure(examples, |e| ranker.values(e.position.mine(), e.position.theirs()));
    assert!(ranks.places[0] > 0.78 && ranks.keeps_outcome > Some(0.90), "{ranks:?}");
    assert!(ranks.any_best > 0.84 && ranks.places[6] < 0.004, "{ranks:?}");
}

/// P1 and P4 train the same ranker in other ways: full columns stay last, and a few epochs beat a blind choice by far.
#[test]
fn the_postulates_train_rankers() {
    use ludens_learners::beyond::ranker::postulates::{
        Preselected, Several, train_simple_first, train_with_chunks,
    };
    let (learn, test) = shipped::labelled().expect("they are shipped").split_at(1000);
    let first = |values: &dyn Fn(u64, u64) -> [f32; 7]| {
        measure(test, |e| {
            let values = values(e.position.mine(), e.position.theirs());
            (0..7).for_each(|c| assert_eq!(values[c].is_finite(), e.position.play(c).is_some()));
            values
        })
        .places[0]
    };
    let simple = train_simple_first(learn, 4, 0.03, &mut Rng::new(1));
    let selected = Preselected::train(learn, 4, 0.03, &mut Rng::new(1));
    let several = Several::train(2, learn, 4, 0.03, &mut Rng::new(1));
    let chunked = train_with_chunks(learn, 50, 4, 0.03, &mut Rng::new(1));
    let shares = [
        first(&|me, op| simple.values(me, op)),
        first(&|me, op| selected.values(me, op)),
        first(&|me, op| several.values(me, op)),
        first(&|me, op| chunked.values(me, op)),
    ];
    assert!(shares.iter().all(|&share| share > 0.5), "{shares:?}");
}

#[test]
fn the_ranker_sees_what_it_must() {
    let game = ConnectFour;
    let mut mind = shipped_ranker();
    let mut rng = Rng::new(1);
    // A win in one; a threat to stop.
    for (position, column) in [("112233", 3), ("11223", 3), ("343434", 2), ("34343", 2)] {
        let state = game.parse(position).expect(position);
        assert_eq!(choice(&mut mind, &game, &state, &mut rng).0, column, "{position}");
    }
    assert_eq!(Side::First.index(), 0);
}

#[test]
fn ordering_by_the_ranker_never_changes_a_score() {
    let mut plain = Solver::<7, 6>::default();
    let ranker = move_ranker().expect("it is shipped");
    let mut ordered = Solver::<7, 6>::default().ranked_by(Box::new(SolverOrder::new(ranker, 20.0)), 18);
    for example in shipped::labelled().expect("they are shipped").iter().take(8) {
        assert_eq!(plain.score(&example.position), i32::from(example.score));
        assert_eq!(ordered.score(&example.position), i32::from(example.score));
    }
    assert_ne!(plain.nodes(), ordered.nodes());
}
