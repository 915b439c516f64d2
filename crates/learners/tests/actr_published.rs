//! The player of the paper as a learner and a mind.

use ludens_core::{Combine, Ctx, Game, Learner, Meter, Mind, Rng, Why};
use ludens_games::backgammon::Backgammon;
use ludens_learners::actr::duel::duel;
use ludens_learners::actr::pubeval::Pubeval;
use ludens_learners::actr::published::{ActR, Settings};

fn train(player: &mut ActR, seed: u64, steps: std::ops::Range<u64>) {
    for step in steps {
        let mut rng = Rng::stream(seed, step);
        let mut meter = Meter::unlimited();
        player.step(&Backgammon, &mut Ctx::new(&mut rng, &mut meter));
        assert_eq!(meter.cost().games, 1);
    }
}

#[test]
fn it_learns_from_few_games_with_fewer_than_50_chunks() {
    let mut player = ActR::new(Settings::published());
    let before = duel(&mut player, &mut Pubeval::default(), 400, 1).share();
    train(&mut player, 1, 0..200);
    let after = duel(&mut player, &mut Pubeval::default(), 400, 1).share();
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
    let mut player = ActR::new(Settings::published());
    train(&mut player, 2, 0..60);
    let mut rng = Rng::new(4);
    for text in ["4HPwATDgc/ABMA:31", "4HPwATDgc/ABMA:55", "NndDAAPvbgYAIA:52"] {
        let state = Backgammon.parse(text).expect("a position");
        let mut same = rng.clone();
        let (mut meter, mut other_meter) = (Meter::unlimited(), Meter::unlimited());
        let mut why = Why::default();
        let silent = player.choose(&Backgammon, &state, &mut Ctx::new(&mut rng, &mut meter));
        let spoken =
            player.choose(&Backgammon, &state, &mut Ctx::explained(&mut same, &mut other_meter, &mut why));
        assert_eq!((silent, meter.cost(), &rng), (spoken, other_meter.cost(), &same));
        assert_eq!(why.combine, Combine::Product);
        for value in &why.moves {
            let product: f64 = value.reasons.iter().map(|reason| reason.worth).product();
            assert!((product - value.value).abs() <= 1e-9 * value.value.abs());
            assert!(value.reasons.iter().all(|reason| reason.text.contains("odds")));
        }
        assert_eq!(meter.cost().states, why.moves.len() as u64);
    }
}

#[test]
fn a_training_goes_on_where_it_stopped() {
    let mut whole = ActR::new(Settings::published());
    train(&mut whole, 3, 0..40);
    let mut half = ActR::new(Settings::published());
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
