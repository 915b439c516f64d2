//! NHB with several members that learn side by side.

use ludens_core::{Budget, Cost, Game, Learner, Mind, Model, ModelError, Ranking, Side};
use ludens_games::connect_four::ConnectFour;
use ludens_learners::nhb::Nhb;
use ludens_learners::nhb::heuristic::Heuristic;
use ludens_learners::nhb::settings::{Features, Settings};

mod support;
use support::explained;

fn settings(features: Features) -> Settings {
    Settings { features, members: 3, run: 3, states: 60, cycle: 6, seed: 5, ..Settings::improved() }
}

fn step(nhb: &mut Nhb<ConnectFour>, number: u64) {
    support::step(nhb, &ConnectFour, 9, number);
}

fn trained(features: Features, steps: u64) -> Nhb<ConnectFour> {
    let mut nhb = Nhb::new(&ConnectFour, settings(features));
    (0..steps).for_each(|number| step(&mut nhb, number));
    nhb
}

fn loaded(model: &Model) -> Nhb<ConnectFour> {
    Nhb::load(&ConnectFour, &Model::from_bytes(&model.to_bytes()).unwrap()).unwrap()
}

fn inputs(text: &str) -> Vec<f32> {
    let mut inputs = Vec::new();
    ConnectFour.encode(&ConnectFour.parse(text).unwrap(), Side::First, &mut inputs);
    inputs
}

/// The members are in the file of a training, each as a heuristic of its own.
fn members(model: &Model) -> Vec<Heuristic> {
    let load = |number| Heuristic::load(&ConnectFour, model, &format!("member.{number}."));
    (0..3).map(|number| load(number).unwrap()).collect()
}

#[test]
fn the_mean_of_the_members_judges() {
    for features in [Features::Runs, Features::Hidden] {
        let nhb = trained(features, 2);
        let members = members(&nhb.save());
        for text in ["", "44", "4532164"] {
            let x = inputs(text);
            let values: Vec<f64> = members.iter().map(|member| member.value(&x)).collect();
            assert!(text.is_empty() || values[0] != values[1], "members that learn alike are one member");
            let mean = values.iter().sum::<f64>() / 3.0;
            let together = nhb.heuristic().unwrap().value(&x);
            assert!((together - mean).abs() < 1e-9, "{together} {mean}");
        }
        assert_eq!(nhb.ledger().games, 2 * 6 * 3);
    }
}

#[test]
fn a_population_goes_on_from_its_file() {
    for features in [Features::Runs, Features::Hidden] {
        let mut straight = trained(features, 1);
        let mut resumed = loaded(&straight.save());
        for number in 1..3 {
            step(&mut straight, number);
            step(&mut resumed, number);
        }
        assert!(straight.save().to_bytes() == resumed.save().to_bytes());
    }
}

/// What is shipped holds the mean only, plays and explains as the whole, and can be trained on.
#[test]
fn a_population_for_play_plays_the_same() {
    let mut whole = trained(Features::Runs, 2);
    let shipped = whole.save_for_play();
    assert!(shipped.to_bytes().len() * 4 < whole.save().to_bytes().len());
    let mut small = loaded(&shipped);
    let state = ConnectFour.parse("4532164").unwrap();
    let asked = |nhb: &mut Nhb<ConnectFour>| -> (Ranking, Cost) {
        explained(nhb, &ConnectFour, &state, Budget::States(300))
    };
    assert_eq!(asked(&mut whole), asked(&mut small));
    step(&mut small, 7);
    assert_ne!(asked(&mut whole).0, asked(&mut small).0);
}

#[test]
fn a_wrong_number_of_members_is_an_error() {
    let mut model = trained(Features::Runs, 1).save();
    // Fewer are in the file, or none could be: the limits of a setting hold for files too.
    for (members, possible) in [(4, true), (0, false), (1 << 40, false)] {
        model.put_meta("settings", &Settings { members, ..settings(Features::Runs) });
        let error = Nhb::load(&ConnectFour, &model).unwrap_err();
        assert_eq!(matches!(error, ModelError::Missing { .. }), possible, "{error}");
        assert_eq!(error.to_string().contains("members"), !possible, "{error}");
    }
}

/// A memory of 50 steps and a mixing of 10 reach three times as far after 300 steps of a third.
#[test]
fn steps_become_smaller() {
    let settings = Settings { fade: 0.98, average: 0.9, settle: 1.0 / 3.0, ..settings(Features::Runs) };
    let (fade, average) = settings.settled(300);
    assert!((1.0 / (1.0 - fade) - 150.0).abs() < 1e-6, "{fade}");
    assert!((1.0 / (1.0 - average) - 30.0).abs() < 1e-6, "{average}");
    assert_eq!(Settings { settle: 0.0, ..settings }.settled(300), (0.98, 0.9));
}
