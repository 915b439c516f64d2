//! What a muted cell is read as.

use ludens_core::Side;

use super::*;
use ludens_games::connect_four::ConnectFour;

#[test]
fn a_muted_cell_is_read_as_empty() {
    let patterns = Patterns::of(&ConnectFour, 4).unwrap();
    check_muted(&patterns);
    check_muted(&patterns.counting(3));
}

fn check_muted(patterns: &Patterns) {
    let mut rng = ludens_core::Rng::new(5);
    let weights: Vec<f64> = (0..=patterns.weights).map(|_| rng.uniform(-1.0, 1.0)).collect();
    let mut table = PatternTable::new(patterns, &[&weights]);
    let state = ConnectFour.parse("44553").unwrap();
    let (mut inputs, mut features) = (Vec::new(), Vec::new());
    ConnectFour.encode(&state, Side::First, &mut inputs);
    let mut out = Vec::new();
    for cell in (0..inputs.len()).filter(|&cell| inputs[cell] != 0.0) {
        table.clone_from(&PatternTable::new(patterns, &[&weights]));
        table.mute(&|input| input as usize == cell);
        out.clear();
        table.values(&ConnectFour, &state, &[(state, Side::First)], &mut out);
        let mut emptied = inputs.clone();
        emptied[cell] = 0.0;
        patterns.features(&emptied, &mut features);
        let sum: f64 = features.iter().map(|(w, times)| weights[*w as usize] * f64::from(*times)).sum();
        assert!((f64::from(out[0]) - sum - weights[patterns.weights]).abs() < 1e-4, "cell {cell}");
    }
}

/// Of either side there is one weight for each number below the bound; both at most are active.
#[test]
fn few_cells_have_weights_by_their_number() {
    let plain = Patterns::of(&ConnectFour, 4).unwrap();
    let patterns = plain.clone().counting(3);
    assert_eq!(patterns.weights, plain.weights + 6);
    assert_eq!(patterns.clone().counting(0), plain);
    let (mut inputs, mut lines, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for (text, own, other) in
        [("", Some(0), Some(0)), ("4", Some(1), Some(0)), ("445", Some(2), Some(1)), ("44551", None, Some(2))]
    {
        ConnectFour.encode(&ConnectFour.parse(text).unwrap(), Side::First, &mut inputs);
        plain.features(&inputs, &mut lines);
        patterns.features(&inputs, &mut all);
        let few: Vec<usize> = all[lines.len()..].iter().map(|(id, _)| *id as usize - plain.weights).collect();
        let expected: Vec<usize> = own.into_iter().chain(other.map(|number: usize| number + 3)).collect();
        assert_eq!((&all[..lines.len()], few), (&lines[..], expected), "{text}");
        let weights: Vec<f64> = (0..=patterns.weights).map(|id| (id * 37 % 101) as f64).collect();
        let without = patterns.sums_without(&inputs, &weights);
        let filled = (0..inputs.len()).filter(|&cell| inputs[cell] != 0.0);
        for (cell, sum) in filled.zip(without) {
            let mut emptied = inputs.clone();
            emptied[cell] = 0.0;
            patterns.features(&emptied, &mut all);
            let exact: f64 = all.iter().map(|(id, times)| weights[*id as usize] * f64::from(*times)).sum();
            assert!((sum - exact).abs() < 1e-9, "{text} {cell}");
        }
    }
}
