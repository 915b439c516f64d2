//! Times the solver on files of positions, one game of column digits a line, with or without its score:
//! `cargo run --release -p ludens-search --example sets -- FILE…`
use cpu_time::ThreadTime;
use ludens_search::connect_four_solver::{Position, Solver};

fn main() {
    let mut solver = Solver::<7, 6>::default();
    let all = std::env::var("BEST").is_ok();
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a file of positions");
        let (mut count, mut wrong) = (0, 0);
        let nodes_before = solver.nodes();
        let began = ThreadTime::now();
        for line in text.lines() {
            let (moves, score) = line.split_once(' ').unwrap_or((line, ""));
            let position = Position::to_solve(moves).expect("a position that has not ended");
            let found = if all { solver.best_moves(&position).score } else { solver.score(&position) };
            wrong += i32::from(score.parse().is_ok_and(|score: i32| score != found));
            count += 1;
        }
        let seconds = began.elapsed().as_secs_f64();
        let nodes = (solver.nodes() - nodes_before) as f64;
        let n = f64::from(count);
        println!(
            "{:<28} {count:5} positions, {wrong} wrong; mean {:10.2} µs, {:10.1} nodes, {:.1} M nodes/s, {:.1} pos/s",
            path.rsplit('/').next().unwrap_or(&path),
            seconds * 1e6 / n,
            nodes / n,
            nodes / seconds / 1e6,
            n / seconds
        );
    }
}
