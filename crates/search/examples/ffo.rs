//! Solves the positions of OBF files (`POSITION SIDE; A1:+2; …`) and compares with the scores in them:
//! `cargo run --release -p ludens-search --example ffo -- FILE…`

use cpu_time::ThreadTime;
use ludens_core::Game;
use ludens_games::reversi::Reversi;
use ludens_search::reversi_endgame::Endgame;

fn main() {
    let reversi = Reversi::default();
    let mut total = 0.0;
    let mut all_nodes = 0;
    let mut number = 0;
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            number += 1;
            let mut fields = line.split(';');
            let state = reversi.parse(fields.next().unwrap_or("")).unwrap_or_else(|error| panic!("{error}"));
            let scores: Vec<(String, i32)> = fields
                .filter_map(|field| field.trim().split_once(':'))
                .map(|(label, score)| (label.to_lowercase(), score.parse().unwrap_or(99)))
                .collect();
            let mut solver = Endgame::default();
            let clock = ThreadTime::now();
            let solution = solver.solve(state.own(), state.other());
            let seconds = clock.elapsed().as_secs_f64();
            total += seconds;
            all_nodes += solution.nodes;
            let best = solution.best.map(|square| reversi.label(&state, ludens_core::Move(square)));
            let exact = scores.iter().map(|(_, score)| *score).max() == Some(solution.score)
                && scores
                    .iter()
                    .any(|(label, score)| Some(label) == best.as_ref() && *score == solution.score);
            println!(
                "{number:>3} {:>2} empty {:>+4} {:?} {:>12} nodes {seconds:>8.3} s {:>6.1} M/s {}",
                state.empties().count_ones(),
                solution.score,
                best,
                solution.nodes,
                solution.nodes as f64 / seconds / 1e6,
                if exact { "exact" } else { "WRONG" }
            );
        }
    }
    println!("total {total:.2} CPU-s, {all_nodes} nodes, {:.1} M/s", all_nodes as f64 / total / 1e6);
}
