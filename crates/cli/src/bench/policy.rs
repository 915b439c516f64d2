//! `ludens bench policy`: what our search-free ranker is worth. With `--file` its first moves on positions of yours, judged by the
//! solver; without, the positions a search saves when the ranker orders its moves.

use cpu_time::ThreadTime;
use ludens_arena::Share;
use ludens_catalogue::House;
use ludens_core::{Budget, Explain, Rng};
use ludens_learners::beyond::ranker::{MoveRanker, SolverOrder, move_ranker};
use ludens_learners::contexts::train::{measure, ranks_of};
use ludens_search::connect_four_labels::{LabelSettings, Labelled, label_one, sample};
use ludens_search::connect_four_solver::{Position, Ranker, Solver};

use super::{Args, Row};
use crate::input;
use crate::out::Usage;

type Board = Position<7, 6>;

pub fn rows(house: &House, args: &Args) -> anyhow::Result<Vec<Row>> {
    let ranker = move_ranker()?;
    match (&args.file, &args.mind) {
        (Some(path), Some(mind)) => Ok(vec![judged_mind(house, args, path, mind)?]),
        (Some(path), None) => Ok(vec![judged(path, &ranker)?]),
        (None, _) => Ok(ordering(args, &ranker)),
    }
}

/// The first moves of any mind, judged by the solver.
fn judged_mind(house: &House, args: &Args, path: &std::path::Path, mind: &str) -> anyhow::Result<Row> {
    let mut table = crate::pick::table(house, "connect-four")?;
    let mut solver = Solver::default();
    let (mut best, mut kept, mut not_lost, mut count) = (0u64, 0u64, 0u64, 0u64);
    let mut seconds = 0.0;
    for moves in &input::move_texts(path)? {
        let position =
            Board::to_solve(moves).map_err(|error| Usage(format!("{}: {moves}: {error}", path.display())))?;
        table.restart(Some(moves))?;
        let began = ThreadTime::now();
        let mut rng = Rng::stream(args.seed, count);
        let decision = table.think(mind, &mut rng, Budget::Unlimited, Explain::NOTHING)?;
        seconds += began.elapsed().as_secs_f64();
        count += 1;
        // The columns are the moves of Connect Four.
        let column = decision.mv.0 as usize;
        let example = label_one(&mut solver, position, false);
        best += u64::from(example.is_best(column));
        let outcome = i32::from(example.score).signum();
        if outcome >= 0 {
            not_lost += 1;
            kept += u64::from(example.is_best(column) || solver.move_reaches(&position, column, outcome));
        }
    }
    let mut row = Row::of(mind, "positions", count as f64 / seconds.max(1e-9), seconds);
    let (best, kept) = (Share::of(best, count), Share::of(kept, not_lost));
    row.note =
        format!("first move: any best {}, outcome kept {} of {not_lost} not lost", told(&best), told(&kept));
    let figures = [
        ("any_best", best.share),
        ("any_best_low", best.interval.low),
        ("any_best_high", best.interval.high),
        ("outcome_kept", kept.share),
        ("outcome_kept_low", kept.interval.low),
        ("outcome_kept_high", kept.interval.high),
    ];
    row.figures = figures.into();
    Ok(row)
}

/// A share with its 95 % interval.
fn told(share: &Share) -> String {
    format!("{:.3} [{:.3} {:.3}]", share.share, share.interval.low, share.interval.high)
}

fn judged(path: &std::path::Path, ranker: &MoveRanker) -> anyhow::Result<Row> {
    let positions = input::positions(path)?;
    let mut solver = Solver::default();
    let mut examples: Vec<Labelled> = Vec::new();
    let (mut kept, mut not_lost) = (0u32, 0u32);
    for (position, _) in positions {
        let example = label_one(&mut solver, position, false);
        let values = ranker.values(position.mine(), position.theirs());
        let ranks = ranks_of(&values, |column| position.play(column).is_some());
        let first = (0..7).find(|&column| ranks[column] == 1).unwrap_or(3);
        // Of the other moves only this one, and only its outcome, must be known: every score of an early position takes long.
        // A lost position has nothing to keep.
        let outcome = i32::from(example.score).signum();
        if outcome >= 0 {
            not_lost += 1;
            let keeps = example.is_best(first) || solver.move_reaches(&position, first, outcome);
            kept += u32::from(keeps);
        }
        examples.push(example);
    }
    let began = ThreadTime::now();
    let ranks = measure(&examples, |e| ranker.values(e.position.mine(), e.position.theirs()));
    let seconds = began.elapsed().as_secs_f64();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut row = Row::of(name, "positions", examples.len() as f64 / seconds, seconds);
    let count = examples.len() as u64;
    let share = |part: f64| Share::of((part * count as f64).round() as u64, count);
    let (any_best, labelled, last) = (share(ranks.any_best), share(ranks.places[0]), share(ranks.places[6]));
    let kept = Share::of(u64::from(kept), u64::from(not_lost));
    row.note = format!(
        "first move: labelled best {}, any best {}, outcome kept {} of {not_lost} not lost; AvRank {:.3}, last {}",
        told(&labelled),
        told(&any_best),
        told(&kept),
        ranks.mean_rank,
        told(&last),
    );
    let figures = [
        ("best_first", labelled.share),
        ("best_first_low", labelled.interval.low),
        ("best_first_high", labelled.interval.high),
        ("any_best", any_best.share),
        ("any_best_low", any_best.interval.low),
        ("any_best_high", any_best.interval.high),
        ("best_last", last.share),
        ("best_last_low", last.interval.low),
        ("best_last_high", last.interval.high),
        ("outcome_kept", kept.share),
        ("outcome_kept_low", kept.interval.low),
        ("outcome_kept_high", kept.interval.high),
        ("not_lost", f64::from(not_lost)),
    ];
    row.figures = figures.into();
    Ok(row)
}

/// Positions examined with each order of moves: by plain alpha-beta to the end of the game, and by the solver.
fn ordering(args: &Args, ranker: &MoveRanker) -> Vec<Row> {
    let random = |ply, count| {
        sample(&LabelSettings { count, seed: args.seed, first_ply: ply, last_ply: ply, all_scores: false })
    };
    let mut rows = Vec::new();
    let late = random(26, 60);
    let mut orders: [(&str, Order); 3] = [
        ("alpha-beta at ply 26, left to right", Box::new(|_| std::array::from_fn(|c| -(c as f32)))),
        ("alpha-beta at ply 26, middle first", Box::new(|_| std::array::from_fn(middle))),
        ("alpha-beta at ply 26, ranked", Box::new(|p| ranker.values(p.mine(), p.theirs()))),
    ];
    for (name, order) in &mut orders {
        let began = ThreadTime::now();
        let mut nodes = 0;
        for position in &late {
            alpha_beta(position, -42, 42, order, &mut nodes);
        }
        rows.push(counted(name, late.len(), nodes, began.elapsed().as_secs_f64()));
    }
    let early = random(14, 300);
    let plain = Solver::<7, 6>::default();
    let order: Box<dyn Ranker> = Box::new(SolverOrder::new(ranker.clone(), 10.0));
    let ranked = Solver::<7, 6>::default().ranked_by(order, 18);
    for (name, mut solver) in
        [("solver at ply 14, its own order", plain), ("solver at ply 14, ranked", ranked)]
    {
        let began = ThreadTime::now();
        for position in &early {
            solver.score(position);
        }
        rows.push(counted(name, early.len(), solver.nodes(), began.elapsed().as_secs_f64()));
    }
    rows
}

/// A value for every column: the highest is tried first.
type Order<'a> = Box<dyn FnMut(&Board) -> [f32; 7] + 'a>;

fn middle(column: usize) -> f32 {
    -(column.abs_diff(3) as f32)
}

fn counted(name: &str, positions: usize, nodes: u64, seconds: f64) -> Row {
    let mut row = Row::of(name, "positions", positions as f64 / seconds, seconds);
    row.note = format!("{:.0} nodes a position", nodes as f64 / positions.max(1) as f64);
    row
}

/// No table, no bounds, no threats: what the order alone is worth.
fn alpha_beta(position: &Board, mut alpha: i32, beta: i32, order: &mut Order, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if position.is_full() {
        return 0;
    }
    let values = order(position);
    let mut children: Vec<(usize, Board)> = position.children().collect();
    children.sort_by(|a, b| values[b.0].total_cmp(&values[a.0]));
    for (_, child) in &children {
        let score = if child.ended_by_last_move() {
            position.score_of_win_now()
        } else {
            -alpha_beta(child, -beta, -alpha, order, nodes)
        };
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    alpha
}
