//! `ludens bench coevolution`: the evolved network inside the search, summed stone by stone and, for comparison in the same
//! run, from scratch at every leaf; and the whole run of the paper at depth 4.

use ludens_core::{Game, Rng, Stop};
use ludens_games::connect_four::{ConnectFour, State};
use ludens_learners::beyond::coevolution_improved::{FEATURES, LINES};
use ludens_learners::coevolution::connect_four::{Board, Judge, Net, Spent, play};
use ludens_learners::coevolution::contest::{self, Fighter, opening};
use ludens_learners::coevolution::{Coevolution, Player, Settings, Sums};

use super::{Args, Row};

/// Floor and goal in evaluations per CPU-second.
const EVALUATIONS: (f64, f64) = (20e6, 50e6);
/// Floor and goal of the paper's 200,000 generations at depth 4, in CPU-minutes.
const MINUTES: (f64, f64) = (30.0, 10.0);

/// The same network, all stones summed anew at every leaf.
struct Plain(Net);

impl Judge for Plain {
    fn sums(&self, board: &Board) -> Sums {
        self.0.sums(board)
    }

    fn after(&self, board: &Board, _: &Sums, cell: u64) -> Sums {
        self.0.sums(&board.after(cell))
    }

    fn output(&self, sums: &Sums) -> f32 {
        self.0.output(sums)
    }
}

pub fn rows(args: &Args) -> anyhow::Result<Vec<Row>> {
    let mut rng = Rng::stream(args.seed, 3);
    let players = |inputs: usize| {
        let mut rng = Rng::stream(args.seed, 4);
        [(); 2].map(|()| Player::random(inputs, 1.0, 0.05, &mut rng))
    };
    let cells = players(ConnectFour.encoding_len());
    let nets = cells.each_ref().map(Net::new);
    let plain = cells.each_ref().map(|player| Plain(Net::new(player)));
    let openings: Vec<State> = (0..64).map(|number| opening(&ConnectFour, number % 8, &mut rng)).collect();
    let starts: Vec<Board> = openings.iter().map(|state| Board::of(&ConnectFour, state)).collect();
    let mut rows = Vec::new();
    for depth in 2..=4 {
        let (floor, goal) = EVALUATIONS;
        rows.push(evaluations(args, "stone by stone", &nets, &starts, depth).against(floor, goal));
        rows.push(evaluations(args, "from scratch", &plain, &starts, depth));
    }
    rows.push(fights(args, "lines as inputs", &players(LINES), &openings));
    rows.push(fights(args, "features as inputs", &players(FEATURES), &openings));
    rows.push(generations(args));
    Ok(rows)
}

fn evaluations<N: Judge>(args: &Args, how: &str, nets: &[N; 2], starts: &[Board], depth: u32) -> Row {
    let name = format!("network inside alpha-beta, depth {depth}, {how}");
    Row::measure(name, "evaluations", args.seconds, || {
        let mut spent = Spent::default();
        for start in starts {
            play(&nets[0], &nets[1], start, depth, &mut spent);
        }
        spent.evaluations
    })
}

/// Games as a training plays them, at depth 2.
fn fights(args: &Args, how: &str, players: &[Player; 2], starts: &[State]) -> Row {
    const DEPTH: u32 = 2;
    let [mut one, mut two] = players.each_ref().map(|player| Fighter::new(&ConnectFour, player, DEPTH));
    let name = format!("network inside alpha-beta, depth {DEPTH}, {how}");
    let mut unused = Rng::new(0);
    Row::measure(name, "evaluations", args.seconds, || {
        let mut spent = Spent::default();
        for start in starts {
            contest::play(&ConnectFour, [&mut one, &mut two], start, DEPTH, &mut unused, &mut spent);
        }
        spent.evaluations
    })
}

fn generations(args: &Args) -> Row {
    let settings = Settings { depth: 4, ..Settings::default() };
    let whole = settings.generations() as f64;
    let mut learner = Coevolution::new(&ConnectFour, "coevolution", settings);
    learner.begin(args.seed);
    let mut row = Row::measure("the paper's run at depth 4", "generations", args.seconds, || {
        let _ = learner.advance(&ConnectFour, &Stop::default());
        1
    });
    row.note = format!("200,000 in {:.1} CPU-minutes", whole / row.rate / 60.0);
    let (floor, goal) = MINUTES;
    row.against(whole / (60.0 * floor), whole / (60.0 * goal))
}
