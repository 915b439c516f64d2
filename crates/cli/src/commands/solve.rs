//! `ludens solve`

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use ludens_core::store::{TEXT_BYTES, read_line_bounded, read_text_bounded};
use ludens_search::connect_four_solver::book::{Book, openings};
use ludens_search::connect_four_solver::{Position, Solver};
use serde::Serialize;

use crate::input;
use crate::out::{Out, Usage};

/// 256 MB: openings share most of what is found under them.
const BOOK_TABLE_BITS: u32 = 23;

/// Solve Connect Four positions exactly.
///
/// The score is half of the discs left when the game ends, counted from the full board: positive when the side to move
/// wins, 0 for a draw. Quick wins score high, slow losses less low.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens solve connect-four 44444 --all
  ludens solve connect-four 2252576253462244111563365343671351441
  ludens solve connect-four --file positions.txt --json
  ludens solve connect-four --openings 3 --out openings.txt")]
pub struct Args {
    /// The game: connect-four
    game: String,
    /// The moves so far, each the digit of its column, 1 to 7
    #[arg(default_value = "")]
    moves: String,
    /// Every move with its score
    #[arg(long)]
    all: bool,
    /// A file of positions, moves first on each line (- reads from the standard input); answers `moves score`
    #[arg(long, conflicts_with = "moves")]
    file: Option<PathBuf>,
    /// Solve every opening of so many discs, one of two mirror images: the program's own book is made so
    #[arg(long, value_name = "DISCS", requires = "out", conflicts_with_all = ["moves", "file", "all"], value_parser = clap::value_parser!(i32).range(0..=8))]
    openings: Option<i32>,
    /// Where the openings go; what is there already is kept, so that the work can be interrupted
    #[arg(long, requires = "openings")]
    out: Option<PathBuf>,
    /// Do not look the position up in the book of openings
    #[arg(long)]
    no_book: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    moves: String,
    score: i32,
    /// Columns from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    best: Vec<usize>,
    /// By column; null where it is full.
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<[Option<i32>; 7]>,
    /// Every move by its number and its label, as all other commands have them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ranking: Vec<Scored>,
    nodes: u64,
}

/// A move with its exact score.
#[derive(Serialize)]
struct Scored {
    mv: usize,
    label: String,
    score: i32,
}

/// A position that is no question any more.
#[derive(Serialize)]
struct Ended {
    moves: String,
    over: bool,
    /// Who made four in a line; none where the board is full.
    winner: Option<&'static str>,
}

/// How the game ended, where these moves end it with the last one.
fn ended(moves: &str) -> Option<Ended> {
    let position = Position::<7, 6>::from_moves(moves).ok()?;
    // The moves are digits: as many as there are bytes.
    let last = if moves.len() % 2 == 1 { "first" } else { "second" };
    let winner = position.ended_by_last_move().then_some(last);
    (winner.is_some() || position.is_full()).then(|| Ended { moves: moves.into(), over: true, winner })
}

pub fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    super::only_connect_four(&args.game)?;
    if let (Some(plies), Some(path)) = (args.openings, &args.out) {
        return solve_openings(plies, path, out);
    }
    let mut solver = Solver::default();
    let book = if args.no_book { None } else { Some(Book::shipped()) };
    let Some(path) = &args.file else {
        let answer = solve(&mut solver, book, &args.moves, args.all)?;
        return if args.json { out.json(&answer) } else { print(&answer, out) };
    };
    let mut lines = input::open(path)?;
    for number in 1.. {
        let next = read_line_bounded(&mut lines).map_err(|error| input::unreadable(path, &error))?;
        let Some(line) = next else { break };
        let Some(moves) = line.split_whitespace().next() else { continue };
        // A finished position has nothing to solve: that is told, and the next line is read.
        if let Some(ended) = ended(moves) {
            if args.json {
                out.json_line(&ended)?;
            } else {
                writeln!(out, "{moves} over")?;
            }
            continue;
        }
        let answer = solve(&mut solver, book, moves, args.all)
            .map_err(|error| Usage(format!("{}, line {number}: {error}", path.display())))?;
        if args.json {
            out.json_line(&answer)?;
        } else {
            print(&answer, out)?;
        }
        if input::is_stdin(path) {
            out.flush()?;
        }
    }
    Ok(())
}

/// Solves what the file has not yet and writes it there, line by line.
fn solve_openings(plies: i32, path: &Path, out: &mut Out) -> anyhow::Result<()> {
    let known = match read_text_bounded(path, TEXT_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(input::unreadable(path, &error).into()),
    };
    let known: HashSet<&str> = known.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    let mut file = file.map_err(|error| Usage(format!("cannot write {}: {error}", path.display())))?;
    let mut solver = Solver::with_table_bits(BOOK_TABLE_BITS).remembering();
    let openings = openings(plies);
    for (moves, position) in openings.iter().filter(|(moves, _)| !known.contains(moves.as_str())) {
        writeln!(file, "{moves} {}", solver.score(position))?;
    }
    writeln!(out, "{} openings of {plies} discs in {}", openings.len(), path.display())?;
    Ok(())
}

fn solve(solver: &mut Solver<7, 6>, book: Option<&Book>, moves: &str, all: bool) -> Result<Answer, Usage> {
    let position = Position::to_solve(moves).map_err(|error| Usage(error.to_string()))?;
    let before = solver.nodes();
    let mut answer = Answer {
        moves: moves.into(),
        score: 0,
        best: Vec::new(),
        scores: None,
        ranking: Vec::new(),
        nodes: 0,
    };
    if all {
        let known = book.and_then(|book| book.move_scores(&position));
        let scores = known.unwrap_or_else(|| solver.move_scores(&position));
        answer.score = scores.iter().flatten().copied().max().unwrap_or(0);
        answer.best = (0..7).filter(|&c| scores[c] == Some(answer.score)).map(|c| c + 1).collect();
        let scored = |(mv, score): (usize, &Option<i32>)| {
            Some(Scored { mv, label: (mv + 1).to_string(), score: (*score)? })
        };
        answer.ranking = scores.iter().enumerate().filter_map(scored).collect();
        answer.scores = Some(scores);
    } else {
        let known = book.and_then(|book| book.score(&position));
        answer.score = known.unwrap_or_else(|| solver.score(&position));
    }
    answer.nodes = solver.nodes() - before;
    Ok(answer)
}

fn print(answer: &Answer, out: &mut Out) -> anyhow::Result<()> {
    write!(out, "{} {}", answer.moves, answer.score)?;
    if let Some(scores) = answer.scores {
        for (column, score) in scores.iter().enumerate() {
            let score = score.map_or("–".into(), |s| s.to_string());
            let star = if answer.best.contains(&(column + 1)) { "*" } else { "" };
            write!(out, "  {}:{score}{star}", column + 1)?;
        }
    }
    writeln!(out)?;
    Ok(())
}
