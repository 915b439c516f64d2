//! The declarative memory against pyactup, and its switches.

use std::path::PathBuf;

use ludens_core::{Rng, math};
use ludens_learners::actr::memory::{Memory, Parameters, Penalty, Slot, Trace, boltzmann};
use serde_json::Value;

fn slots() -> Vec<Slot> {
    // pyactup's similarity in the reference is 1 − |a − b| / 24 on both slots; "odds" is never asked for.
    vec![Slot::number("point", 0.0, 24.0), Slot::number("ahead", 0.0, 24.0), Slot::number("odds", 0.0, 1.0)]
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} in {value}"))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b.abs().max(1.0)
}

#[test]
fn blends_are_those_of_pyactup() {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../oracles/backgammon/actr-blend-reference.json");
    let text = std::fs::read_to_string(path).expect("the oracle is in the repository");
    let reference: Value = serde_json::from_str(&text).expect("the reference is JSON");
    let cases = reference["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 40);
    for case in cases {
        let parameters = Parameters {
            mismatch_penalty: Some(number(case, "mismatch")),
            decay: Some(number(case, "decay")),
            optimized_learning: case["optimized_learning"].as_bool().unwrap(),
            temperature: Some(number(case, "temperature")),
            ..Parameters::default()
        };
        let mut memory = Memory::new(slots(), parameters);
        for learned in case["learned"].as_array().unwrap() {
            memory.advance(learned[0].as_f64().unwrap()).unwrap();
            let chunk = ["point", "ahead", "odds"].map(|slot| number(&learned[1], slot));
            memory.learn(&chunk).unwrap();
        }
        memory.advance(number(case, "now")).unwrap();
        let query = [Some(number(&case["query"], "point")), Some(number(&case["query"], "ahead")), None];
        let mut trace = Trace::default();
        let slot = memory.slot("odds").unwrap();
        let blended = memory.blend(&query, slot, &mut Rng::new(1), Some(&mut trace)).unwrap();
        assert!(close(blended, number(case, "blend")), "{blended} {}", number(case, "blend"));
        let chunks = case["chunks"].as_array().unwrap();
        assert_eq!(trace.recalls.len(), chunks.len());
        for (recall, chunk) in trace.recalls.iter().zip(chunks) {
            assert!(close(recall.base_level, number(chunk, "base_level_activation")), "{recall:?} {chunk}");
            assert!(close(recall.mismatch, number(chunk, "mismatch")), "{recall:?} {chunk}");
            assert!(close(recall.activation, number(chunk, "activation")), "{recall:?} {chunk}");
            assert!(close(recall.probability, number(chunk, "retrieval_probability")), "{recall:?} {chunk}");
            assert_eq!(memory.chunk(recall.chunk)[2], chunk["attributes"][2][1].as_f64().unwrap());
        }
    }
}

fn small(parameters: Parameters) -> Memory {
    let mut memory = Memory::new(vec![Slot::symbol("kind"), Slot::number("size", 1.0, 6.0)], parameters);
    for (time, chunk) in [(1.0, [0.0, 1.0]), (2.0, [0.0, 6.0]), (3.0, [1.0, 3.0]), (4.0, [0.0, 1.0])] {
        memory.advance(time).unwrap();
        memory.learn(&chunk).unwrap();
    }
    memory.advance(6.0).unwrap();
    memory
}

#[test]
fn each_mechanism_can_be_switched_off() {
    let mut rng = Rng::new(3);
    let off = Parameters { mismatch_penalty: None, decay: None, ..Parameters::default() };
    let mut exact = small(off);
    assert_eq!(exact.len(), 3);
    assert_eq!(exact.retrieve(&[Some(0.0), Some(6.0)], &mut rng, None), Some(1));
    assert_eq!(exact.blend(&[Some(0.0), Some(6.0)], 1, &mut rng, None), Some(6.0));
    assert_eq!(exact.blend(&[Some(2.0), None], 1, &mut rng, None), None);

    // With decay the chunk met twice, and last, wins where the match is equal.
    let mut lively = small(Parameters { mismatch_penalty: Some(0.0), ..Parameters::default() });
    assert_eq!(lively.retrieve(&[None, None], &mut rng, None), Some(0));
    let quiet = Parameters { retrieval_threshold: Some(5.0), ..Parameters::default() };
    assert_eq!(small(quiet).retrieve(&[None, None], &mut rng, None), None);

    // Equation 1: the mean mismatch. One slot of two differs wholly.
    let mean = small(Parameters { penalty: Penalty::Mean, ..Parameters::default() });
    assert_eq!(mean.penalty(&[Some(1.0), Some(3.0)], 2), 0.0);
    assert!((mean.penalty(&[Some(1.0), Some(1.0)], 0) - 0.5).abs() < 1e-15);
    assert!((mean.penalty(&[Some(0.0), Some(6.0)], 0) - 0.5).abs() < 1e-15);
}

#[test]
fn noise_is_drawn_and_traced() {
    let noisy = Parameters { noise: Some(0.25), ..Parameters::default() };
    let mut memory = small(noisy);
    let mut trace = Trace::default();
    let mut variance = 0.0;
    let mut rng = Rng::new(8);
    for _ in 0..20_000 {
        memory.blend(&[Some(0.0), None], 1, &mut rng, Some(&mut trace)).unwrap();
        let total: f64 = trace.recalls.iter().map(|recall| recall.probability).sum();
        assert!((total - 1.0).abs() < 1e-12);
        variance += math::square(trace.recalls[1].noise) / 20_000.0;
    }
    let wanted = math::square(std::f64::consts::PI) * 0.25 * 0.25 / 3.0;
    assert!((variance / wanted - 1.0).abs() < 0.05, "{variance} {wanted}");
}

#[test]
fn mistakes_are_told() {
    let mut memory = small(Parameters::default());
    assert!(memory.advance(1.0).unwrap_err().to_string().contains("forward"));
    assert!(memory.learn(&[1.0]).unwrap_err().to_string().contains("2 slots"));
    assert!(memory.slot("colour").unwrap_err().to_string().contains("kind, size"));
}

#[test]
fn boltzmann_follows_equation_6() {
    let odds = [4.0f64, 1.0, 2.0];
    let mut utilities = odds.map(math::ln);
    boltzmann(&mut utilities, 0.5, &mut Rng::new(1));
    // U^(1/t): 16, 1, 4 of 21.
    for (probability, wanted) in utilities.iter().zip([16.0 / 21.0, 1.0 / 21.0, 4.0 / 21.0]) {
        assert!((probability - wanted).abs() < 1e-15);
    }
    let mut utilities = [1.0, 3.0, 3.0];
    assert_eq!(boltzmann(&mut utilities, 0.0, &mut Rng::new(1)), Some(1));
    assert_eq!(boltzmann(&mut [], 1.0, &mut Rng::new(1)), None);
}

#[test]
fn only_what_is_new_is_stored() {
    let parameters = Parameters { penalty: Penalty::Mean, ..Parameters::default() };
    let mut memory = Memory::new(slots(), parameters);
    assert_eq!(memory.learn_if_new(&[12.0, 3.0, 0.5], 0.1).unwrap(), 0);
    memory.advance(1.0).unwrap();
    // (2.4/24 + 0 + 0) / 3 = .033: known. (12/24 + 3/24 + 0) / 3 = .21: new.
    assert_eq!(memory.learn_if_new(&[14.4, 3.0, 0.5], 0.1).unwrap(), 0);
    assert_eq!(memory.learn_if_new(&[24.0, 6.0, 0.5], 0.1).unwrap(), 1);
    assert_eq!((memory.len(), memory.chunk(0)), (2, vec![12.0, 3.0, 0.5]));
    assert!(memory.learn_if_new(&[12.0], 0.1).is_err());
    // The first was presented twice, so it is the more active one.
    memory.advance(2.0).unwrap();
    let mut trace = Trace::default();
    memory.retrieve(&[None, None, Some(0.5)], &mut Rng::new(1), Some(&mut trace));
    assert!(trace.recalls[0].base_level > trace.recalls[1].base_level);
}
