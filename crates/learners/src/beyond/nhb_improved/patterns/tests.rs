//! What a muted cell is read as.

use ludens_core::Side;

use super::*;
use ludens_games::connect_four::ConnectFour;

#[test]
fn a_muted_cell_is_read_as_empty() {
    let patterns = Patterns::of(&ConnectFour, 4).unwrap();
    let mut rng = ludens_core::Rng::new(5);
    let weights: Vec<f64> = (0..=patterns.weights).map(|_| rng.uniform(-1.0, 1.0)).collect();
    let mut table = PatternTable::new(&patterns, &[&weights]);
    let state = ConnectFour.parse("44553").unwrap();
    let (mut inputs, mut features) = (Vec::new(), Vec::new());
    ConnectFour.encode(&state, Side::First, &mut inputs);
    let mut out = Vec::new();
    for cell in (0..inputs.len()).filter(|&cell| inputs[cell] != 0.0) {
        table.clone_from(&PatternTable::new(&patterns, &[&weights]));
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
