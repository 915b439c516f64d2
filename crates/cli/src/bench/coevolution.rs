//! `ludens bench coevolution`: the 42–14–1 network inside alpha-beta, and whole generations of the paper's run.

use ludens_core::Rng;
use ludens_games::connect_four::ConnectFour;
use ludens_learners::coevolution::connect_four::{Board, Net, Spent, play};
use ludens_learners::coevolution::{Coevolution, Player, Settings};

use super::{Args, Row};

/// The paper's run.
const GENERATIONS: f64 = 200_000.0;

pub fn rows(args: &Args) -> Vec<Row> {
    let mut rows: Vec<Row> = (2..=4).map(|depth| evaluations(args, depth)).collect();
    rows.extend((1..=4).map(|depth| generations(args, depth)));
    rows
}

/// Games between a player and its mutant, as evolution plays them.
fn evaluations(args: &Args, depth: u32) -> Row {
    let mut rng = Rng::stream(args.seed, u64::from(depth));
    let parent = Player::random(42, 1.0, 0.05, &mut rng);
    let nets: Vec<Net> = (0..50).map(|_| Net::new(&parent.mutated((1e-5, 1.0), &mut rng))).collect();
    let mut game = 0;
    let name = format!("42–14–1 inside alpha-beta, depth {depth}");
    let row = Row::measure(name, "evaluations", args.seconds, || {
        let mut spent = Spent::default();
        game += 1;
        let (first, second) = (&nets[game % nets.len()], &nets[game * 7 % nets.len()]);
        std::hint::black_box(play(first, second, &Board::default(), depth, &mut spent));
        spent.evaluations
    });
    row.against(20e6, 50e6)
}

/// The paper's variant, one thread.
fn generations(args: &Args, depth: u32) -> Row {
    let mut run = Coevolution::new(&ConnectFour, Settings { depth, ..Settings::default() });
    run.begin(args.seed);
    let name = format!("coevolution as published, depth {depth}");
    let mut row = Row::measure(name, "generations", args.seconds, || {
        run.advance(&ConnectFour);
        1
    });
    row.note = format!("200,000 generations: {:.1} CPU-minutes", GENERATIONS / row.rate / 60.0);
    if depth == 4 { row.against(GENERATIONS / (30.0 * 60.0), GENERATIONS / (10.0 * 60.0)) } else { row }
}
