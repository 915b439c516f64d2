//! `ludens bench solver`: mean time and nodes a position, in the form of Pascal Pons' table.

use cpu_time::ThreadTime;
use ludens_search::connect_four_labels::{LabelSettings, sample};
use ludens_search::connect_four_solver::{Position, Solver};

use super::{Args, Row};
use crate::input;

type Board = Position<7, 6>;

/// The empty board alone takes half a minute: it has a row only where rows may take long.
const FOR_THE_EMPTY_BOARD: f64 = 20.0;
/// The first player wins with the last disc (Allis, Allen 1988).
const VALUE_OF_THE_GAME: i32 = 1;

pub fn rows(args: &Args) -> anyhow::Result<Vec<Row>> {
    let mut solver = Solver::default();
    let Some(path) = &args.file else {
        let random = |from, to, count| {
            sample(&LabelSettings {
                count,
                seed: args.seed,
                first_ply: from,
                last_ply: to,
                all_scores: false,
            })
        };
        // Enough of them: one position in a hundred takes as long as the others together.
        let labelling = random(12, 16, 1000);
        let mut rows = vec![
            row(&mut solver, "random ply 20", &random(20, 20, 2000), &[]).against(6_000.0, 18_000.0),
            row(&mut solver, "random plies 12–30", &random(12, 30, 400), &[]),
            row(&mut solver, "random plies 12–16", &labelling, &[]),
            best_moves(&mut solver, &labelling).against(300_000.0 / 7_200.0, 300_000.0 / 1_800.0),
        ];
        if args.seconds >= FOR_THE_EMPTY_BOARD {
            let mut fresh = Solver::default();
            rows.push(row(&mut fresh, "the empty board", &[Board::default()], &[Some(VALUE_OF_THE_GAME)]));
        }
        return Ok(rows);
    };
    let (positions, scores): (Vec<_>, Vec<_>) = input::positions(path)?.into_iter().unzip();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(vec![row(&mut solver, &name, &positions, &scores)])
}

fn row(solver: &mut Solver<7, 6>, name: &str, positions: &[Board], scores: &[Option<i32>]) -> Row {
    let nodes_before = solver.nodes();
    let began = ThreadTime::now();
    let found: Vec<i32> = positions.iter().map(|position| solver.score(position)).collect();
    let seconds = began.elapsed().as_secs_f64();
    let n = positions.len().max(1) as f64;
    let nodes = (solver.nodes() - nodes_before) as f64;
    let mut row = Row::of(name, "positions", n / seconds, seconds);
    row.note = format!(
        "mean time {:.2} µs, mean nodes {:.1}, {:.0} K nodes/s",
        seconds * 1e6 / n,
        nodes / n,
        nodes / seconds / 1e3
    );
    let known: Vec<_> =
        scores.iter().zip(&found).filter_map(|(known, found)| Some((*known)? == *found)).collect();
    row.figures = [("mean_us", seconds * 1e6 / n), ("mean_nodes", nodes / n)].into();
    if !known.is_empty() {
        let right = known.iter().filter(|right| **right).count();
        row.note += &format!(", {right} of {} scores equal", known.len());
        row.figures.extend([("equal", right as f64), ("known", known.len() as f64)]);
    }
    row
}

/// A label is a score and every best move.
fn best_moves(solver: &mut Solver<7, 6>, positions: &[Board]) -> Row {
    let began = ThreadTime::now();
    for position in positions {
        solver.best_moves(position);
    }
    let seconds = began.elapsed().as_secs_f64();
    Row::of("labels, plies 12–16", "positions", positions.len() as f64 / seconds, seconds)
}
