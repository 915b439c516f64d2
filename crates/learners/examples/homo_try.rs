//! Trains homo on Connect Four with several seeds and says how good it became: `homo_try POSITIONS SEEDS SETTINGS [MODEL]`. The outcome kept on
//! positions of Pons without looking ahead and at 300 states, and matches against alpha-beta four plies deep and against a model of nhb.
use std::path::Path;

use ludens_core::{Budget, Ctx, Game, Learner, Meter, Mind, Model, Move, Rng, Side, Turn, decide};
use ludens_games::connect_four::{ConnectFour, State};
use ludens_learners::homo::{Homo, Settings};
use ludens_learners::nhb::Nhb;
use ludens_search::connect_four_solver::{Position, Solver};
use ludens_search::hand::Lines;
use ludens_search::{AlphaBeta, Limits};

type Failure = Box<dyn std::error::Error>;

struct Labelled {
    state: State,
    score: i32,
    scores: [Option<i32>; 7],
}

fn labelled(path: &str) -> Result<Vec<Labelled>, Failure> {
    let mut solver = Solver::<7, 6>::with_table_bits(22);
    let mut all = Vec::new();
    for line in std::fs::read_to_string(path)?.lines() {
        let Some((moves, score)) = line.split_once(' ') else { continue };
        let score: i32 = score.parse()?;
        if score >= 0 {
            let scores = solver.move_scores(&Position::from_moves(moves)?);
            all.push(Labelled { state: ConnectFour.parse(moves)?, score, scores });
        }
    }
    Ok(all)
}

fn kept(homo: &mut Homo<ConnectFour>, looks: u64, positions: &[Labelled]) -> Result<f64, Failure> {
    homo.settings.looks = looks;
    let mut kept = 0;
    for Labelled { state, score, scores } in positions {
        let mut meter = Meter::new(Budget::Unlimited);
        let mv = decide(homo, &ConnectFour, state, &mut Ctx::new(&mut Rng::new(1), &mut meter))?;
        kept += i32::from(scores[mv.0 as usize].unwrap_or(-100).signum() >= score.signum());
    }
    Ok(f64::from(kept) / positions.len() as f64)
}

/// Points in games of either colour from drawn openings, 300 states a move.
fn points(
    one: &mut dyn Mind<ConnectFour>,
    two: &mut dyn Mind<ConnectFour>,
    pairs: u64,
) -> Result<f64, Failure> {
    let mut sum = 0.0;
    for game in 0..2 * pairs {
        let mut rng = Rng::stream(77, game / 2);
        let mut state = ConnectFour.start();
        let mut moves: Vec<Move> = Vec::new();
        for _ in 0..4 {
            ConnectFour.moves(&state, &mut moves);
            let mv = moves[rng.below(moves.len() as u32) as usize];
            ConnectFour.apply(&mut state, mv);
        }
        let own = Side::BOTH[(game % 2) as usize];
        one.new_game();
        two.new_game();
        loop {
            match ConnectFour.turn(&state) {
                Turn::Over(score) => {
                    sum += f64::midpoint(f64::from(score.of(own)), 1.0);
                    break;
                }
                Turn::Player(side) => {
                    let mut meter = Meter::new(Budget::States(300));
                    let mut ctx = Ctx::new(&mut rng, &mut meter);
                    let ranking = if side == own {
                        one.rank(&ConnectFour, &state, &mut ctx)?
                    } else {
                        two.rank(&ConnectFour, &state, &mut ctx)?
                    };
                    ConnectFour.apply(&mut state, ranking.decide().ok_or("no move")?);
                }
                Turn::Chance => return Err("dice".into()),
            }
        }
    }
    Ok(sum / (2 * pairs) as f64)
}

fn four() -> AlphaBeta<ConnectFour, Lines> {
    let lines = Lines::of(&ConnectFour).expect("a game of lines");
    AlphaBeta::new(lines, Limits { depth: Some(4), ..Limits::default() })
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().collect();
    let positions = labelled(&args[1])?;
    let mut spec = format!("homo:{}", args[3]).parse()?;
    let settings = Settings::read(&mut spec, &Settings::default())?;
    let mut rival = Nhb::load(&ConnectFour, &Model::load(Path::new(&args[4]))?)?;
    let mut sums = [0.0; 5];
    let seeds: u64 = args[2].parse()?;
    for seed in 1..=seeds {
        let mut homo = Homo::new(&ConnectFour, settings.clone());
        let start = std::time::Instant::now();
        for step in 0..homo.default_steps() {
            homo.step(&ConnectFour, &mut Ctx::new(&mut Rng::stream(seed, step), &mut Meter::unlimited()))?;
        }
        let time = start.elapsed().as_secs_f64();
        if let Some(memory) = homo.memory(&ConnectFour) {
            let of = |kind: usize| memory.made.iter().map(|round| round[kind]).sum::<usize>();
            eprintln!(
                "{:?}",
                memory.kinds.iter().zip(0..).map(|(name, kind)| (name, of(kind))).collect::<Vec<_>>()
            );
        }
        let found = [
            {
                homo.settings.heeds = 0.0;
                let plain = kept(&mut homo, 0, &positions)?;
                homo.settings.heeds = 1.0;
                let one = kept(&mut homo, 0, &positions)?;
                homo.settings.heeds = settings.heeds;
                eprintln!("heeds 0 {plain:.3}, 1 {one:.3}");
                kept(&mut homo, 0, &positions)?
            },
            kept(&mut homo, 300, &positions)?,
            points(&mut homo, &mut four(), 100)?,
            points(&mut homo, &mut rival, 100)?,
            time,
        ];
        sums.iter_mut().zip(found).for_each(|(sum, found)| *sum += found / seeds as f64);
        eprintln!("seed {seed}: {found:.3?}");
    }
    println!(
        "{}: kept {:.3} {:.3}, alpha-beta {:.3}, nhb {:.3}, {:.0} s",
        args[3], sums[0], sums[1], sums[2], sums[3], sums[4]
    );
    Ok(())
}
