//! The laws of NHB: its search is minimax, its cost is what was done, its reasons change nothing, its examples are true,
//! its training resumes to the byte, and it learns.

use std::sync::Arc;

use ludens_core::{
    Audited, Bound, Budget, Explain, Game, Learner, Meter, Mind, Model, Move, NoModels, Rng, Score, Side,
    Turn,
};
use ludens_elm::{HiddenLayer, OsElm};
use ludens_games::backgammon::Backgammon;
use ludens_games::connect_four::ConnectFour;
use ludens_games::reversi::Reversi;
use ludens_games::tictactoe::TicTacToe;
use ludens_learners::beyond::nhb_improved::{PatternTable, Patterns};
use ludens_learners::nhb::Nhb;
use ludens_learners::nhb::examples::{Example, Examples, Trust};
use ludens_learners::nhb::heuristic::Heuristic as Learnt;
use ludens_learners::nhb::judge::Judge;
use ludens_learners::nhb::leaf::Leaf;
use ludens_learners::nhb::matches::{Disturbance, Player, test_matches};
use ludens_learners::nhb::settings::Settings;
use ludens_learners::nhb::tree::{Tree, bent};
use ludens_search::{Child, Heuristic, RandomNode, RandomTree};

mod support;
use support::{explained, step};

/// Minimax without any pruning, as the first player sees it; dice cost no depth.
fn minimax(game: &RandomTree, node: &RandomNode, depth: u32, judge: &mut Judge) -> f32 {
    let turn = game.turn(node);
    if let Turn::Over(Score(score)) = turn {
        return score;
    }
    if depth == 0 {
        return bent(judge.value(game, node, Side::First));
    }
    let child = |mv| {
        let mut child = *node;
        game.apply(&mut child, mv);
        child
    };
    if turn == Turn::Chance {
        let mut outcomes = Vec::new();
        game.chance(node, &mut outcomes);
        return outcomes.iter().map(|&(mv, p)| p * minimax(game, &child(mv), depth, judge)).sum();
    }
    let mut moves = Vec::new();
    game.moves(node, &mut moves);
    let values = moves.into_iter().map(|mv| minimax(game, &child(mv), depth - 1, judge));
    if turn == Turn::Player(Side::First) { values.fold(-2.0, f32::max) } else { values.fold(2.0, f32::min) }
}

#[test]
fn search_is_minimax() {
    for seed in 0..400 {
        let chance = if seed % 2 == 0 { 50 } else { 0 };
        let game = RandomTree { seed, plies: 8, branching: 4, width: 1 << 20, chance, again: 40, ends: 20 };
        let depth = 1 + seed as u32 % 5;
        let mut judge = Judge::Random { seed };
        let mut tree = Tree::with_depth(depth);
        let found = tree.search(&game, &game.start(), &mut judge, &mut Meter::unlimited());
        let mut after = game.start();
        game.apply(&mut after, found.mv);
        let exact = minimax(&game, &game.start(), depth, &mut judge);
        // A settled tree may be certain of a result that lies below this depth.
        if !tree.nodes[0].settled {
            assert!((found.value - exact).abs() < 1e-5, "seed {seed}: {} {exact}", found.value);
            let chosen = minimax(&game, &after, depth - 1, &mut judge);
            assert!((chosen - exact).abs() < 1e-5, "seed {seed}: the move is worth {chosen}, not {exact}");
        }
    }
}

#[test]
fn an_unlimited_search_solves_tic_tac_toe() {
    let game = TicTacToe;
    let mut tree = Tree::default();
    let found = tree.search(&game, &game.start(), &mut Judge::Random { seed: 1 }, &mut Meter::unlimited());
    assert_eq!(found.value, 0.0);
    let won = game.parse("xx.oo....").unwrap();
    let found = tree.search(&game, &won, &mut Judge::Random { seed: 1 }, &mut Meter::unlimited());
    assert_eq!((game.label(&won, found.mv).as_str(), found.value), ("c1", 1.0));
}

/// The paper's settings and ours.
fn both() -> [Settings; 2] {
    [Settings::default(), Settings::improved()]
}

fn quick(settings: Settings) -> Settings {
    Settings { states: 60, cycle: 6, backward: 200, seed: 5, ..settings }
}

fn trained<G: Game>(game: &G, settings: Settings, steps: u64) -> Nhb<G> {
    let mut nhb = Nhb::new(game, settings);
    for number in 0..steps {
        step(&mut nhb, game, 9, number);
    }
    nhb
}

#[test]
fn cost_is_counted_and_reasons_change_nothing() {
    let game = Audited::new(ConnectFour);
    for settings in both() {
        let mut nhb = trained(&game, quick(settings), 2);
        for text in ["", "4", "4444", "4532164", "112233"] {
            let state = game.parse(text).unwrap();
            for budget in [1, 3, 7, 100, 1000] {
                game.take_count();
                let (ranking, cost) = explained(&mut nhb, &game, &state, Budget::States(budget));
                assert_eq!(game.take_count(), 2 * cost.states, "{text:?}, {budget}");
                assert!(cost.states <= budget);
                let exact = ranking.moves.iter().filter(|candidate| candidate.bound == Bound::Exact);
                assert_eq!(exact.count(), 1, "a search knows the value of its choice only");
                if budget >= 7 {
                    assert!(ranking.moves.iter().all(|entry| !entry.reasons.is_empty()));
                    let most = ranking.moves.iter().map(|entry| entry.reasons.len()).max();
                    assert!(most >= Some(3), "line, inputs, memory");
                }
            }
        }
    }
}

fn resumes<G: Game>(game: &G, settings: Settings) {
    let whole = trained(game, settings.clone(), 3);
    let half = trained(game, settings, 2).save().to_bytes();
    let mut half = Nhb::load(game, &Model::from_bytes(&half).unwrap()).unwrap();
    step(&mut half, game, 9, 2);
    assert!(half.save().to_bytes() == whole.save().to_bytes(), "{}", game.id());
    assert_eq!(half.ledger(), whole.ledger());
}

#[test]
fn a_training_that_was_interrupted_ends_in_the_same_bytes() {
    for settings in both() {
        resumes(&TicTacToe, quick(settings.clone()));
        resumes(&ConnectFour, quick(settings));
    }
    resumes(&ConnectFour, Settings { phases: 3, average: 0.5, ..quick(Settings::improved()) });
    resumes(&Backgammon, Settings { cycle: 1, ..quick(Settings::improved()) });
}

#[test]
fn foreign_models_are_refused() {
    let model = trained(&TicTacToe, quick(Settings::default()), 1).save();
    assert!(Nhb::load(&ConnectFour, &model).is_err());
    for name in model.tensors.keys() {
        let mut cut = model.clone();
        cut.tensors.remove(name);
        assert!(Nhb::load(&TicTacToe, &cut).is_err(), "without {name}");
    }
}

/// Every value that rests on finished games is the true one.
#[test]
fn finished_examples_are_true() {
    fn truth(game: &TicTacToe, state: &<TicTacToe as Game>::State, side: Side) -> f32 {
        match game.turn(state) {
            Turn::Over(score) => score.of(side),
            _ => {
                let mut tree = Tree::default();
                let found = tree.search(game, state, &mut Judge::Random { seed: 3 }, &mut Meter::unlimited());
                if tree.nodes[0].view == side { found.value } else { -found.value }
            }
        }
    }
    let game = TicTacToe;
    let mut examples = Examples::<TicTacToe>::default();
    let mut tree = Tree::default();
    for text in [".........", "x........", "x...o....", "xo..x...."] {
        let state = game.parse(text).unwrap();
        tree.search(&game, &state, &mut Judge::Random { seed: 8 }, &mut Meter::new(Budget::States(700)));
        examples.add_tree(&tree, Some(0.1));
    }
    let (mut finished, mut consistent, mut inner) = (0, 0, 0);
    for example in &examples.list {
        if example.trust == Trust::Finished {
            finished += 1;
            inner += u32::from(!game.turn(&example.state).is_over());
            assert_eq!(example.value, truth(&game, &example.state, example.view), "{:?}", example.state);
        } else {
            consistent += 1;
        }
    }
    assert!(finished > 100 && inner > 30 && consistent > 5, "{finished} {inner} {consistent}");
}

#[test]
fn the_ramp_is_quadratic_and_trust_decides_between_duplicates() {
    let game = TicTacToe;
    let states: Vec<_> = ["x........", "x...o....", "x.x.o....", "x.x.o.o..", "xxx.o.o.."]
        .map(|text| game.parse(text).unwrap())
        .into_iter()
        .zip([Side::Second, Side::First, Side::Second, Side::First, Side::Second])
        .collect();
    let mut examples = Examples::<TicTacToe>::default();
    examples.add_ramp(&states, Score::FIRST_WINS);
    let values: Vec<f32> = examples.list.iter().map(|example| example.value).collect();
    assert_eq!(values, [-0.0, 0.0625, -0.25, 0.5625, -1.0]);
    let (state, view) = states[1];
    for (trust, value, stays) in [
        (Trust::Finished, 0.5, 0.5),
        (Trust::Consistent, 0.1, 0.5),
        (Trust::Played, 0.2, 0.5),
        (Trust::Finished, 0.7, 0.7),
    ] {
        examples.add(Example { state, view, value, trust });
        assert_eq!((examples.list.len(), examples.list[1].value), (5, stays));
    }
}

/// What the search sees, updated move by move, is what training saw, computed from scratch.
#[test]
fn quick_values_are_the_whole_ones() {
    fn check<G: Game>(game: &G, judge: &mut Judge, exact: impl Fn(&[f32]) -> f64) {
        let (mut moves, mut x, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for unit in 0..5 {
            let mut rng = Rng::stream(1, unit);
            let mut state = game.start();
            while let Turn::Player(_) = game.turn(&state) {
                game.moves(&state, &mut moves);
                let children: Vec<(G::State, Side)> = moves
                    .iter()
                    .map(|&mv| {
                        let mut child = state.clone();
                        game.apply(&mut child, mv);
                        (child, if rng.chance(0.5) { Side::First } else { Side::Second })
                    })
                    .collect();
                judge.values(game, &state, &children, &mut values);
                for ((child, side), value) in children.iter().zip(&values) {
                    game.encode(child, *side, &mut x);
                    assert!((f64::from(*value) - exact(&x)).abs() < 1e-3, "{value} {}", exact(&x));
                }
                game.apply(&mut state, moves[rng.below(moves.len() as u32) as usize]);
            }
        }
    }
    let mut rng = Rng::new(4);
    let mut net = OsElm::new(HiddenLayer::random(64, 37, 1.0, &mut rng), 1.0);
    net.output = (0..37).map(|_| rng.uniform(-1.0, 1.0)).collect();
    let layer = net.layer.clone();
    let mut judge = Judge::Network(ludens_learners::nhb::judge::Network::new(&layer, &net.output));
    check(&Reversi::default(), &mut judge, |x| net.values(x)[0]);
    let patterns = Patterns::of(&ConnectFour, 4).unwrap().counting(9);
    let mut draw = || (0..=patterns.weights).map(|_| rng.uniform(-0.1, 0.1)).collect::<Vec<f64>>();
    let (weights, other) = (draw(), draw());
    let mut judge = Judge::Patterns(PatternTable::new(&patterns, &[&weights, &other]));
    check(&ConnectFour, &mut judge, |x| {
        let mut features = Vec::new();
        patterns.features(x, &mut features);
        let weights = if x.iter().filter(|x| **x != 0.0).count() < 21 { &weights } else { &other };
        weights[patterns.weights]
            + features.iter().map(|(id, times)| weights[*id as usize] * f64::from(*times)).sum::<f64>()
    });
}

#[test]
fn mirror_images_have_the_same_pattern_weights() {
    fn check<G: Game>(game: &G, images: usize) {
        let patterns = Patterns::of(game, 4).unwrap();
        let (mut moves, mut x, mut a, mut b) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut state, mut rng) = (game.start(), Rng::new(2));
        while let Turn::Player(side) = game.turn(&state) {
            game.encode(&state, side, &mut x);
            patterns.features(&x, &mut a);
            assert_eq!(game.mirrors(&state).len(), images);
            for image in game.mirrors(&state) {
                game.encode(&image, side, &mut x);
                patterns.features(&x, &mut b);
                assert_eq!(a, b);
            }
            game.moves(&state, &mut moves);
            game.apply(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
    }
    check(&ConnectFour, 1);
    check(&Reversi::default(), 7);
    assert!(Patterns::of(&Backgammon, 4).is_none(), "points are not cells of a grid");
}

#[test]
fn learns_connect_four_in_seconds() {
    let settings = Settings { states: 100, cycle: 100, ..Settings::improved() };
    let nhb = trained(&ConnectFour, settings, 4);
    let mut player = Player::new(nhb.judge().clone(), 100);
    let tally = test_matches(
        &ConnectFour,
        &mut player,
        60,
        Disturbance::default(),
        1,
        &mut Meter::unlimited(),
        |rng| Player::new(Judge::untrained(42, 64, rng), 100),
    );
    assert!(tally.wins >= 42, "{tally:?}");
}

/// What is shipped plays and explains as the whole model does, is far smaller, and can be trained on.
#[test]
fn a_model_for_play_plays_the_same() {
    for (settings, times) in both().into_iter().zip([1, 2]) {
        let mut whole = trained(&ConnectFour, quick(settings), 2);
        let shipped = whole.save_for_play();
        assert!(shipped.to_bytes().len() * times < whole.save().to_bytes().len());
        let mut small = Nhb::load(&ConnectFour, &Model::from_bytes(&shipped.to_bytes()).unwrap()).unwrap();
        assert!(small.save_for_play().to_bytes() == shipped.to_bytes());
        for text in ["", "44", "4532164"] {
            let state = ConnectFour.parse(text).unwrap();
            let asked =
                |nhb: &mut Nhb<ConnectFour>| explained(nhb, &ConnectFour, &state, Budget::States(300));
            assert_eq!(asked(&mut whole), asked(&mut small));
        }
        let judged = small.judge().clone().value(&ConnectFour, &ConnectFour.start(), Side::First);
        step(&mut small, &ConnectFour, 5, 0);
        let after = small.judge().clone().value(&ConnectFour, &ConnectFour.start(), Side::First);
        assert!(after != judged && (after - judged).abs() < 1.0, "{judged} {after}");
    }
}

/// The leaf of the common alpha-beta sees what the learner's own search sees, for both sides, alone and together.
#[test]
fn alpha_beta_judges_as_the_learner_does() {
    let nhb = trained(&ConnectFour, quick(Settings::improved()), 2);
    let mut leaf = Leaf::new("nhb", nhb.judge().clone());
    let state = ConnectFour.parse("4432").unwrap();
    let mut moves = Vec::new();
    ConnectFour.moves(&state, &mut moves);
    let children: Vec<Child<_, ()>> = moves
        .iter()
        .map(|&mv| {
            let mut child = state;
            ConnectFour.apply(&mut child, mv);
            Child { mv, state: child, turn: ConnectFour.turn(&child), trace: () }
        })
        .collect();
    let mut together = Vec::new();
    for side in Side::BOTH {
        Heuristic::<ConnectFour>::values(&mut leaf, &ConnectFour, &children, side, &mut together);
        for (child, value) in children.iter().zip(&together) {
            let alone = Heuristic::<ConnectFour>::value(&mut leaf, &ConnectFour, &child.state, &(), side);
            // After five moves the second player is to move.
            let learnt = bent(nhb.judge().clone().value(&ConnectFour, &child.state, Side::Second));
            let learnt = if side == Side::Second { learnt } else { -learnt };
            assert!(
                (alone - value).abs() < 1e-5 && (alone - learnt).abs() < 1e-5,
                "{alone} {value} {learnt}"
            );
        }
    }
    let path = std::env::temp_dir().join(format!("ludens-leaf-{}.safetensors", std::process::id()));
    std::fs::write(&path, nhb.save_for_play().to_bytes()).unwrap();
    let mut table = support::games().open("connect-four").unwrap().table(Arc::new(NoModels));
    table.restart(Some("414141")).unwrap();
    let mind = format!("alphabeta:depth=3,heuristic={}", path.display());
    let decision = table.think(&mind, &mut Rng::new(1), Budget::Unlimited, Explain::NOTHING).unwrap();
    assert_eq!(decision.mv, Move(3));
    std::fs::remove_file(&path).unwrap();
}

/// Held-out matches: whatever is kept did not lose to what was before; their states are on the bill.
#[test]
fn a_heuristic_that_loses_is_not_taken() {
    let settings = Settings { held_out: 10, states: 60, cycle: 4, ..Settings::improved() };
    let mut nhb = Nhb::new(&TicTacToe, settings.clone());
    let (mut kept, mut replaced) = (0, 0);
    for number in 0..12 {
        let before = nhb.heuristic().map(|heuristic| heuristic.outputs());
        step(&mut nhb, &TicTacToe, 4, number);
        let after = nhb.heuristic().map(|heuristic| heuristic.outputs());
        if before == after { kept += 1 } else { replaced += 1 }
    }
    assert!(kept > 0 && replaced > 1, "kept {kept}, replaced {replaced}");
    let plain = trained(&TicTacToe, Settings { held_out: 0, ..settings.clone() }, 3).ledger().states;
    assert!(trained(&TicTacToe, settings, 3).ledger().states > plain);
}

/// A weight is as many copies.
#[test]
fn a_weighted_example_counts_as_often() {
    let (inputs, mut rng) = (9, Rng::new(6));
    let x: Vec<f32> = (0..40 * inputs).map(|_| rng.below(3) as f32 - 1.0).collect();
    let t: Vec<f64> = (0..40).map(|_| rng.uniform(-1.0, 1.0)).collect();
    let patterns = Patterns::of(&TicTacToe, 3).unwrap();
    let hidden = || Learnt::Hidden(OsElm::new(HiddenLayer::random(9, 12, 1.0, &mut Rng::new(1)), 0.1));
    let runs = || Learnt::runs(patterns.clone(), 1, 0.1);
    for make in [&hidden as &dyn Fn() -> Learnt, &runs] {
        let (mut weighted, mut copied) = (make(), make());
        weighted.gather(inputs, &x, &t, 3.0);
        (0..3).for_each(|_| copied.gather(inputs, &x, &t, 1.0));
        weighted.fit(0.0);
        copied.fit(0.0);
        for row in x.chunks(inputs) {
            assert!((weighted.value(row) - copied.value(row)).abs() < 1e-4);
        }
    }
}
