//! The player of the paper as a learner and a mind.

use ludens_core::{Budget, Combine, Ctx, Game, Learner, Meter, Rng};
use ludens_games::backgammon::Backgammon;
use ludens_learners::actr::duel::duel;
use ludens_learners::actr::pubeval::Pubeval;
use ludens_learners::actr::{ActR, Settings};

mod support;
use support::explained;

fn train(player: &mut ActR, seed: u64, steps: std::ops::Range<u64>) {
    for step in steps {
        let mut rng = Rng::stream(seed, step);
        let mut meter = Meter::unlimited();
        player.step(&Backgammon, &mut Ctx::new(&mut rng, &mut meter)).expect("a game");
        assert_eq!(meter.cost().games, 1);
    }
}

#[test]
fn it_learns_from_few_games_with_fewer_than_50_chunks() {
    let mut player = ActR::new(Settings::default());
    let before = duel(&mut player, &mut Pubeval::default(), 400, 1).win_share();
    train(&mut player, 1, 0..200);
    let after = duel(&mut player, &mut Pubeval::default(), 400, 1).win_share();
    assert!(before < 0.1, "{before}");
    assert!(after > 0.15, "{after}");
    assert!(player.memory.chunks().len() < 50);
    // Blocks of several points high up the board are worth more than an exposed man anywhere.
    let odds_of = |name: &str| -> Vec<f64> {
        let chunks = player.memory.chunks().iter();
        let named = chunks.filter(|chunk| player.memory.feature_name(chunk.feature).starts_with(name));
        named.map(|chunk| player.memory.chunk_odds(chunk)).collect()
    };
    let mean = |odds: Vec<f64>| odds.iter().sum::<f64>() / odds.len() as f64;
    assert!(mean(odds_of("block")) > mean(odds_of("expose")));
}

#[test]
fn its_reasons_multiply_and_change_nothing() {
    let mut player = ActR::new(Settings::default());
    train(&mut player, 2, 0..60);
    for text in ["4HPwATDgc/ABMA:31", "4HPwATDgc/ABMA:55", "NndDAAPvbgYAIA:52"] {
        let state = Backgammon.parse(text).expect("a position");
        let (ranking, cost) = explained(&mut player, &Backgammon, &state, Budget::Unlimited);
        assert_eq!(ranking.combine, Combine::Product);
        for value in &ranking.moves {
            let product: f64 = value.reasons.iter().map(|reason| reason.worth).product();
            assert!((product - value.value).abs() <= 1e-9 * value.value.abs());
            let noted = value.reasons.iter().filter(|reason| reason.notation.contains("odds")).count();
            assert!(noted == 0 || noted == value.reasons.len());
        }
        assert_eq!(cost.states, ranking.moves.len() as u64);
    }
}

/// What is drawn is drawn: the likelier the better its odds, and its own rng decides.
#[test]
fn the_draw_follows_the_odds() {
    let warm = Settings { temperature: 0.5, ..Settings::default() };
    let mut player = ActR::new(warm);
    train(&mut player, 2, 0..30);
    let state = Backgammon.parse("4HPwATDgc/ABMA:31").expect("a position");
    let (ranking, _) = explained(&mut player, &Backgammon, &state, Budget::Unlimited);
    let mut rng = Rng::new(4);
    let drawn: Vec<_> = (0..400)
        .map(|_| support::choice(&mut player, &Backgammon, &state, &mut rng))
        .map(|mv| ranking.get(mv).expect("a legal play").value)
        .collect();
    let mean = |values: &[f64]| {
        values.iter().map(|odds| ludens_core::math::ln(*odds)).sum::<f64>() / values.len() as f64
    };
    let all: Vec<f64> = ranking.moves.iter().map(|candidate| candidate.value).collect();
    assert!(mean(&drawn) > mean(&all), "{drawn:?}");
    assert!(drawn.iter().any(|odds| *odds != drawn[0]), "it is a draw");
}

#[test]
fn a_training_goes_on_where_it_stopped() {
    let mut whole = ActR::new(Settings::default());
    train(&mut whole, 3, 0..40);
    let mut half = ActR::new(Settings::default());
    train(&mut half, 3, 0..20);
    let model = half.save();
    let mut other = ActR::load(&Backgammon, &model).expect("a model");
    train(&mut other, 3, 20..40);
    assert_eq!(whole.save().to_bytes(), other.save().to_bytes());
    let mut foreign = model.clone();
    foreign.game = "reversi".into();
    assert!(ActR::load(&Backgammon, &foreign).is_err());
    let mut broken = model;
    broken.tensors.remove("chunks.counts");
    assert!(ActR::load(&Backgammon, &broken).is_err());
}
