//! Positions the solver examines when our ranker orders its moves: how much a preference counts, and from how many empty squares up.
//! `cargo run --release -p ludens-learners --example ordering -- PLY POSITIONS`
use ludens_learners::beyond::ranker::{SolverOrder, move_ranker};
use ludens_search::connect_four_labels::{LabelSettings, sample};
use ludens_search::connect_four_solver::Solver;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (ply, count) = (args[1].parse().expect("a ply"), args[2].parse().expect("a number"));
    let ranker = move_ranker().expect("the ranker that comes with the program");
    let settings = LabelSettings { count, seed: 1, first_ply: ply, last_ply: ply, all_scores: false };
    let positions = sample(&settings);
    let nodes = |mut solver: Solver<7, 6>| {
        let began = cpu_time::ThreadTime::now();
        positions.iter().for_each(|position| _ = solver.score(position));
        (solver.nodes() as f64 / positions.len() as f64, began.elapsed().as_secs_f64())
    };
    let (plain, seconds) = nodes(Solver::default());
    println!("its own order: {plain:.0} nodes a position, {seconds:.2} s");
    for from in [14, 18, 22] {
        for worth in [2.0, 4.0, 7.0, 10.0, 20.0] {
            let order = Box::new(SolverOrder::new(ranker.clone(), worth));
            let (ranked, seconds) = nodes(Solver::default().ranked_by(order, from));
            println!(
                "worth {worth}, from {from} empty squares: {ranked:.0}, {:.3} of the nodes, {seconds:.2} s",
                ranked / plain
            );
        }
    }
}
