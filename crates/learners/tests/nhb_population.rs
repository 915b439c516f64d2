//! NHB with several members that learn side by side.

use ludens_core::{Budget, Cost, Game, Learner, Meter, Mind, Model, ModelError, Ranking, Rng, Side};
use ludens_games::connect_four::ConnectFour;
use ludens_learners::nhb::Nhb;
use ludens_learners::nhb::heuristic::Heuristic;
use ludens_learners::nhb::matches::{Disturbance, Sides, play_match};
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

/// All that ours can do besides: a whole training with it goes on from its file as if it had not stopped.
fn with_everything(members: usize) -> Settings {
    Settings {
        members,
        sparring: 2,
        slips: true,
        depth: 1,
        near: 0.05,
        few: 5,
        early: 10,
        ..settings(Features::Runs)
    }
}

#[test]
fn sparring_partners_go_on_from_their_file() {
    for members in [1, 3] {
        let mut straight = Nhb::new(&ConnectFour, with_everything(members));
        step(&mut straight, 0);
        let mut resumed = loaded(&straight.save());
        for number in 1..3 {
            step(&mut straight, number);
            step(&mut resumed, number);
        }
        assert!(straight.save().to_bytes() == resumed.save().to_bytes());
        assert_eq!(straight.ledger().games, 3 * 6 * (members as u64 + 2));
    }
}

/// They see single cells, a weight for each content of each that has no mirror image, and are in no file for play.
#[test]
fn sparring_partners_see_single_cells_and_do_not_judge() {
    let mut nhb = Nhb::new(&ConnectFour, with_everything(3));
    (0..2).for_each(|number| step(&mut nhb, number));
    let model = nhb.save();
    let partner = Heuristic::load(&ConnectFour, &model, "sparring.1.").unwrap();
    let Heuristic::Runs { patterns, phases, .. } = &partner else { panic!("runs") };
    assert_eq!((patterns.run, patterns.count(), patterns.weights), (1, 42, 4 * 6 * 3));
    assert_eq!(phases.len(), 1);
    let (x, members) = (inputs("4532164"), members(&model));
    assert!(partner.value(&x) != 0.0, "it learns");
    let mean = members.iter().map(|member| member.value(&x)).sum::<f64>() / 3.0;
    assert!((nhb.heuristic().unwrap().value(&x) - mean).abs() < 1e-9);
    let shipped = nhb.save_for_play();
    assert!(Heuristic::load(&ConnectFour, &shipped, "sparring.0.").is_err());
    // They begin anew, and the training goes on.
    let mut small = loaded(&shipped);
    step(&mut small, 7);
    assert!(Heuristic::load(&ConnectFour, &small.save(), "sparring.1.").is_ok());
}

/// Early, all moves whose values are near the best are played; later, and without it, only the best.
#[test]
fn near_moves_are_drawn_by_lot_early_in_a_match() {
    let firsts = |near: f32, early: u32| {
        let settings = Settings { near, early, ..settings(Features::Runs) };
        let mut nhb = Nhb::new(&ConnectFour, settings);
        (0..2).for_each(|number| step(&mut nhb, number));
        let mut player = nhb.one_ply();
        let mut rng = Rng::new(1);
        let matches: Vec<_> = (0..200)
            .map(|_| {
                let (none, mut meter) = (Disturbance::default(), Meter::unlimited());
                let mut sides = Sides::Itself(&mut player);
                play_match(&ConnectFour, &mut sides, none, &mut rng, &mut meter, |_, _| {}).moves
            })
            .collect();
        let differ = |at: usize| matches.iter().any(|moves| moves[at] != matches[0][at]);
        (differ(0), differ(1))
    };
    assert_eq!(firsts(0.0, 1000), (false, false));
    assert_eq!(firsts(2.0, 0), (false, false));
    assert!(firsts(2.0, 1).0);
    assert_eq!(firsts(2.0, 1000), (true, true));
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
